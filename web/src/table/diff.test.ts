import { describe, expect, it } from 'vitest';
import { backs, board, card, zone } from './examples';
import { diff, isEmpty } from './diff';

describe('between two boards', () => {
  it('nothing happens where nothing changed', () => {
    const table = board([zone('hand0', 'fan', [card('C1')]), zone('hand1', 'fan', backs('hand1', 3))]);
    expect(isEmpty(diff(table, structuredClone(table)))).toBe(true);
  });
  it('a card is followed by its id', () => {
    const before = board([zone('hand0', 'fan', [card('C1'), card('C2')]), zone('trick', 'row')]);
    const after = board([zone('hand0', 'fan', [card('C2')]), zone('trick', 'row', [card('C1')])]);
    expect(diff(before, after).moves).toEqual([
      { from: { zone: 'hand0', thing: 'C1' }, to: { zone: 'trick', thing: 'C1' }, turns: false },
    ]);
  });
  it('a card played and taken at once was seen where it was played', () => {
    const before = board([zone('hand1', 'fan', backs('hand1', 2), { owner: 1 }), zone('trick', 'row', [card('C1')]), zone('deck', 'pile', [], { count: 3 }), zone('won1', 'stack')], { acting: [1] });
    const after = board([zone('hand1', 'fan', backs('hand1', 2), { owner: 1 }), zone('trick', 'row'), zone('deck', 'pile', [], { count: 2 }), zone('won1', 'stack', [card('C1'), card('C5')])]);
    expect(diff(before, after, (each) => (each.id === 'won1' ? { via: 'trick' } : {})).moves).toEqual([
      { from: { zone: 'trick', thing: 'C1' }, to: { zone: 'won1', thing: 'C1' }, turns: false },
      { from: { zone: 'hand1', thing: null }, to: { zone: 'won1', thing: 'C5' }, turns: true, via: 'trick' },
    ]);
  });
  it('what is shown a second time does not move', () => {
    const before = board([zone('trick', 'row', [card('C1')]), zone('last', 'row'), zone('deck', 'pile', [], { count: 3 })]);
    const after = board([zone('trick', 'row'), zone('last', 'row', [card('last.C1', 'C1')]), zone('deck', 'pile', [], { count: 2 })]);
    expect(diff(before, after, (each) => ({ echo: each.id === 'last' })).moves).toEqual([]);
  });
  it('a card that moves to another cell of a board moves', () => {
    const before = board([zone('rows', 'board', [card('C1', 'C1', { at: 0 })])]);
    const after = board([zone('rows', 'board', [card('C1', 'C1', { at: 2 })])]);
    expect(diff(before, after).moves).toHaveLength(1);
  });
  it('a card played from a hidden hand turns over on its way', () => {
    const before = board([zone('hand1', 'fan', backs('hand1', 3)), zone('trick', 'row')]);
    const after = board([zone('hand1', 'fan', backs('hand1', 2)), zone('trick', 'row', [card('M4')])]);
    const change = diff(before, after);
    expect(change.moves).toEqual([{ from: { zone: 'hand1', thing: 'hand1.2' }, to: { zone: 'trick', thing: 'M4' }, turns: true }]);
    expect(change.vanished).toEqual([]);
  });
  it('a card whose id changes is followed by its face', () => {
    const before = board([zone('hand0', 'fan', [card('hand0.5#1', '5')]), zone('pile', 'pile', [])]);
    const after = board([zone('hand0', 'fan', []), zone('pile', 'pile', [card('pile.5#1', '5')])]);
    expect(diff(before, after).moves).toEqual([
      { from: { zone: 'hand0', thing: 'hand0.5#1' }, to: { zone: 'pile', thing: 'pile.5#1' }, turns: false },
    ]);
  });
  it('an offer turns over where it lies', () => {
    const before = board([zone('offer1', 'row', backs('offer1', 1))]);
    const after = board([zone('offer1', 'row', [card('R4')])]);
    const change = diff(before, after);
    expect(change.turned).toEqual(['R4']);
    expect(change.moves).toEqual([]);
  });
  it('my card that was face down turns over', () => {
    const before = board([zone('offer0', 'row', [card('R4', 'R4', { down: true })])]);
    const after = board([zone('offer0', 'row', [card('R4')])]);
    expect(diff(before, after).turned).toEqual(['R4']);
  });
  it('a drawn card comes out of the pile of which only the number is told', () => {
    const before = board([zone('deck', 'pile', backs('deck', 1), { count: 30 }), zone('hand0', 'fan', [card('C1')])]);
    const after = board([zone('deck', 'pile', backs('deck', 1), { count: 29 }), zone('hand0', 'fan', [card('C1'), card('C9')])]);
    const change = diff(before, after);
    expect(change.moves).toEqual([{ from: { zone: 'deck', thing: null }, to: { zone: 'hand0', thing: 'C9' }, turns: true }]);
    expect(change.counts).toEqual([{ zone: 'deck', from: 30, to: 29 }]);
  });
  it('another draws unseen', () => {
    const before = board([zone('deck', 'pile', [], { count: 30 }), zone('hand1', 'fan', backs('hand1', 2))]);
    const after = board([zone('deck', 'pile', [], { count: 29 }), zone('hand1', 'fan', backs('hand1', 3))]);
    expect(diff(before, after).moves).toEqual([
      { from: { zone: 'deck', thing: null }, to: { zone: 'hand1', thing: 'hand1.2' }, turns: false },
    ]);
  });
  it('a card goes under the deck', () => {
    const before = board([zone('deck', 'pile', [], { count: 3 }), zone('hand0', 'fan', [card('C1')])]);
    const after = board([zone('deck', 'pile', [], { count: 4 }), zone('hand0', 'fan', [])]);
    expect(diff(before, after).moves).toEqual([{ from: { zone: 'hand0', thing: 'C1' }, to: { zone: 'deck', thing: null }, turns: true }]);
  });
  it('what comes from nowhere appears, and what goes nowhere vanishes', () => {
    const token = { is: 'token' as const, id: 'sign', shape: 'marker' as const, look: 'stop', count: 1, owner: 1, down: false, at: null };
    const before = board([zone('stopped', 'row')]);
    const after = board([zone('stopped', 'row', [token])]);
    expect(diff(before, after).appeared).toEqual([{ zone: 'stopped', thing: 'sign' }]);
    expect(diff(after, before).vanished).toEqual([{ zone: 'stopped', thing: 'sign' }]);
  });
  it('points and equal pieces are counted', () => {
    const cubes = (n: number) => ({ is: 'token' as const, id: 'purse.r', shape: 'cube' as const, look: 'r', count: n, owner: 0, down: false, at: null });
    const before = board([zone('purse0', 'row', [cubes(1)])]);
    const after = board([zone('purse0', 'row', [cubes(3)])], { sheet: { rows: [], totals: [0, 5] } });
    const change = diff(before, after);
    expect(change.counts).toEqual([{ zone: 'purse.r', from: 1, to: 3 }]);
    expect(change.points).toEqual([{ place: 1, from: 0, to: 5 }]);
  });
});
