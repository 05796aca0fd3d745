import { describe, expect, it } from 'vitest';
import { board, zone } from '../table/examples';
import type { View as Sent } from '../wire';
import { whole } from './view';

const pile = (id: string) => zone(id, 'pile');

describe('a view', () => {
  const first = whole({ number: 1, board: board([pile('a'), pile('b')]) } as unknown as Sent, null);

  it('takes from the one before what is only named', () => {
    const next = { number: 2, board: { ...board([]), zones: ['b', pile('c'), 'a'], sheet: null } } as unknown as Sent;
    const { board: found } = whole(next, first);
    expect(found?.zones).toEqual([pile('b'), pile('c'), pile('a')]);
    expect(found?.sheet).toEqual(first.board?.sheet);
    expect(found?.zones[0]).toBe(first.board?.zones[1]);
  });

  it('is whole without a board', () => {
    expect(whole({ number: 2, board: null } as unknown as Sent, first).board).toBeNull();
  });

  it('that names what was never sent is refused', () => {
    const next = { number: 2, board: { ...board([]), zones: ['d'] } } as unknown as Sent;
    expect(() => whole(next, first)).toThrow('never sent');
  });
});
