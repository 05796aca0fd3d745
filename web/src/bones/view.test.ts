import { describe, expect, it } from 'vitest';
import { board, card, said, zone } from '../table/examples';
import type { Replay, View as Sent } from '../wire';
import { whole, wholeReplay } from './view';

const pile = (id: string) => zone(id, 'pile');

describe('a view', () => {
  const first = whole({ number: 1, table: 't', is_host: true, board: board([pile('a'), pile('b')]) } as unknown as Sent, null);

  it('takes from the one before what is only named', () => {
    const next = { number: 2, board: { ...board([]), zones: ['b', pile('c'), 'a'], sheet: null } } as unknown as Sent;
    const { board: found, ...rest } = whole(next, first);
    expect(rest).toEqual({ number: 2, table: 't', is_host: true });
    expect(found?.zones).toEqual([pile('b'), pile('c'), pile('a')]);
    expect(found?.sheet).toEqual(first.board?.sheet);
    expect(found?.zones[0]).toBe(first.board?.zones[1]);
  });

  it('is whole without a board', () => {
    expect(whole({ number: 2, board: null } as unknown as Sent, first).board).toBeNull();
  });

  it('that names what was never sent is refused', () => {
    const next = { number: 2, board: { ...board([]), zones: ['d'] } } as unknown as Sent;
    expect(() => whole(next, first)).toThrow('names what was never sent');
    expect(() => whole({ number: 1, board: null } as unknown as Sent, null)).toThrow('leaves out what was never sent');
  });

  it('has what is left out because it is as usual', () => {
    const sent = { id: 'a', kind: 'board', title: said(), things: [{ is: 'card', id: 'x', face: null }], cells: [{ id: 'a.0', title: said() }] };
    const complete = zone('a', 'board', [card('x', null)], { cells: [{ id: 'a.0', title: said(), look: null }] });
    expect(whole({ number: 1, table: 't', board: { ...board([]), zones: [sent] } } as unknown as Sent, null).board?.zones).toEqual([complete]);
    const steps = [{ seat: null, move: null, lines: [], board: { ...board([]), zones: [sent] } }];
    expect(wholeReplay({ table: 't', seat: 0, steps } as unknown as Replay).steps[0]?.board.zones).toEqual([complete]);
  });
});
