import { describe, expect, it } from 'vitest';
import type { SeatView, Text } from '../wire';
import { nearest } from './keys';
import { initials, placeNames } from './names';
import { pieces } from './rich';

const text = (key: string, args: Text['args'] = {}): Text => ({ is: 'text', key, args });

describe('a text in pieces', () => {
  const say = (message: Text): string =>
    message.key === 'plays' ? `${String(message.args.seat)} plays ${String(message.args.card)}.` : `First ${say(message.args.what as Text)}`;
  it('sets apart the cards and people it names', () => {
    const line = text('plays', { seat: { is: 'seat', seat: 1 }, card: { is: 'face', face: 'C5' } });
    expect(pieces(line, say)).toEqual([
      { is: 'seat', seat: 1 }, { is: 'words', words: ' plays ' }, { is: 'face', face: 'C5' }, { is: 'words', words: '.' },
    ]);
  });
  it('looks into the texts within', () => {
    const inner = text('plays', { seat: { is: 'seat', seat: 0 }, card: { is: 'face', face: 'M1' } });
    expect(pieces(text('first', { what: inner }), say)[0]).toEqual({ is: 'words', words: 'First ' });
    expect(pieces(text('first', { what: inner }), say)).toHaveLength(5);
  });
});

describe('names of places', () => {
  const seat = (kind: SeatView['kind'], name = ''): SeatView => ({ kind, name, who: null, bot: kind === 'bot' ? 'easy' : null, stand_in: null, has_resigned: false, rating: null });
  it('tell bots apart, and people of one name', () => {
    const names = placeNames([seat('person', 'Mia'), seat('bot'), seat('bot'), seat('person', 'Mia')], 4);
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toBe('Mia');
  });
  it('are found for places that nobody sits at', () => {
    expect(placeNames([seat('person', 'Mia')], 3, (n) => `robot ${n}`)).toEqual(['Mia', 'robot 0', 'robot 1']);
  });
  it('are told apart by one sign each', () => {
    expect(initials(['mia', 'Bruno', 'Substitute 1', 'Substitute 2'])).toEqual(['M', 'B', '3', '4']);
  });
});

describe('an arrow key', () => {
  const box = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
  const boxes = [box(20, 0), box(60, 0), box(22, 80)];
  it('goes to the nearest thing in its direction', () => {
    expect(nearest(box(0, 0), boxes, 'ArrowRight')).toBe(boxes[0]);
    expect(nearest(box(20, 0), boxes, 'ArrowDown')).toBe(boxes[2]);
    expect(nearest(box(60, 0), boxes, 'ArrowLeft')).toBe(boxes[0]);
  });
  it('goes nowhere where nothing lies', () => {
    expect(nearest(box(0, 0), boxes, 'ArrowUp')).toBeNull();
  });
});
