import { describe, expect, it } from 'vitest';
import { card } from './examples';
import { around, fan, largest, layoutLook, sides, withRest, zoneLook, zoneName } from './layout';
import { sorted } from './sorting';
import type { Face } from '../wire';

it('a zone is named by the letters its id begins with', () => {
  expect(zoneName('won0C')).toBe('won');
  expect(zoneName('hand2')).toBe('hand');
  expect(zoneName('rows')).toBe('rows');
});

it('the look says where a zone lies; else it lies with its owner or on the table', () => {
  const look = { zone: { won: { place: 'table', tally: 'n' } } };
  const won = { id: 'won0C', owner: 0, kind: 'stack' as const };
  expect(zoneLook(look, won)).toMatchObject({ place: 'table', tally: ['n'], label: 'tally' });
  expect(zoneLook({}, won).place).toBe('seat');
  expect(zoneLook({}, { ...won, owner: null }).place).toBe('table');
});

describe('the plan of the table', () => {
  it('leaves out what is not there and adds what it does not name', () => {
    expect(withRest(['a a', 'b c', 'd d'], ['a', 'c', 'x'])).toEqual(['a', 'c', 'x']);
    expect(withRest(['a b c d', 'e e e e'], ['a', 'b', 'c', 'e'])).toEqual(['a b c', 'e e e']);
    expect(withRest(['a b', 'a c'], ['a', 'b'])).toEqual(['a b', 'a .']);
    expect(withRest(['a a x x', 'x x b b'], ['a', 'b'])).toEqual(['a .', '. b']);
    expect(withRest(['a b c'], ['a', 'c'])).toEqual(['a c']);
  });
  it('puts zones under each other where a game has none', () => {
    expect(layoutLook({}, false, ['deck', 'pile']).areas).toEqual(['deck', 'pile']);
  });
});

it('the order of seats begins with mine', () => {
  expect(around({ places: 4 }, 2)).toEqual([2, 3, 0, 1]);
  expect(around({ places: 3 }, null)).toEqual([0, 1, 2]);
});

it('the others sit around a wide table', () => {
  expect(sides(2, 'top')).toEqual(['top', 'top']);
  expect(sides(5, 'top')).toEqual(['left', 'top', 'top', 'top', 'right']);
  expect(sides(3, 'sides')).toEqual(['left', 'left', 'right']);
});

describe('a hand', () => {
  it('lies side by side where there is room', () => {
    expect(fan(4, 374, 72)).toMatchObject({ rows: 1, step: 78 });
  });
  it('overlaps, and is never wider than the screen', () => {
    const { rows, step, card: width } = fan(12, 374, 72);
    expect(rows).toBe(1);
    expect(step).toBeGreaterThanOrEqual(24);
    expect(width + 11 * step).toBeLessThanOrEqual(374);
  });
  it('of twenty cards lies in two rows with strips wide enough for a thumb', () => {
    const { rows, perRow, step, card: width } = fan(20, 374, 72);
    expect([rows, perRow]).toEqual([2, 10]);
    expect(step).toBeGreaterThanOrEqual(24);
    expect(width + 9 * step).toBeLessThanOrEqual(374);
  });
  it('may be empty or a single card', () => {
    expect(fan(0, 374, 72).rows).toBe(1);
    expect(fan(1, 374, 72).step).toBe(0);
  });
});

describe('sorting', () => {
  const faces: Record<string, Face> = {};
  for (const suit of 'AB') for (const rank of [10, 2]) faces[`${suit}${rank}`] = { corner: `${rank}`, suit, title: { is: 'text', key: 'k', args: {} }, marks: {} };
  const hand = ['B10', 'A2', 'B2', 'A10'].map((id) => card(id));
  const order = (by: 'suit' | 'rank' | 'none') => sorted(hand, by, (id) => faces[id], ['A', 'B']).map((c) => c.id);
  it('by suit puts ranks as numbers within each suit', () => expect(order('suit')).toEqual(['A2', 'A10', 'B2', 'B10']));
  it('by rank puts suits within each rank', () => expect(order('rank')).toEqual(['A2', 'B2', 'A10', 'B10']));
  it('can be left alone', () => expect(order('none')).toEqual(['B10', 'A2', 'B2', 'A10']));
});

it('the largest that fits is found from any guess', () => {
  for (let best = 4; best <= 20; best++) {
    for (let guess = 0; guess <= 25; guess++) expect(largest((n) => n <= best, 5, 20, guess)).toBe(Math.max(5, best));
  }
});
