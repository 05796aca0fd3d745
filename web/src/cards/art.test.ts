import { describe, expect, it } from 'vitest';
import type { Look } from '../bones/game.svelte';
import type { Face } from '../wire';
import { particular, pips, rankOf, seatColour } from './art';

const face = (corner: string): Face => ({ corner, suit: 'A', title: { is: 'text', key: 'card', args: {} }, marks: {} });

describe('art', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('puts %i symbols on a card, none on another', (n) => {
    const spots = pips(n, 11, 34);
    expect(spots).toHaveLength(n);
    expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(n);
    expect(spots.every(({ x, y }) => x > 25 && x < 75 && y > 30 && y < 110)).toBe(true);
  });

  it('knows a rank from other corners', () => {
    expect(rankOf(face('12'))).toBe(12);
    expect(rankOf(face('A'))).toBeNull();
    expect(rankOf(face('3/2'))).toBeNull();
  });

  it('finds what is drawn on one face in particular', () => {
    const look = { theme: {}, face: { closed: { colour: '#000' }, joker: { colour: '#000' } } } as unknown as Look;
    expect(particular(look, 'joker')).toBe('joker');
    expect(particular(look, 'A-closed')).toBe('closed');
    expect(particular(look, 'A-open')).toBeNull();
    expect(particular(look, 'A1')).toBeNull();
  });

  it('has a colour for every seat', () => {
    expect(new Set([0, 1, 2, 3, 4, 5].map(seatColour)).size).toBe(6);
    expect(seatColour(7)).toBe(seatColour(1));
  });
});
