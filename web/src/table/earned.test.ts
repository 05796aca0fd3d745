import { describe, expect, it } from 'vitest';
import type { Table, Thing, Zone } from '../wire';
import { ofPlace } from './earned';

const text = { is: 'text', key: 'x', args: {} } as const;
const marker = (id: string, owner: number): Thing => ({ is: 'token', id, shape: 'marker', look: 'paw', count: 1, owner, down: false, at: 0 });
const zone = (id: string, owner: number | null, things: Thing[] = []): Zone => ({
  id, kind: 'row', title: text, owner, things, count: null, cells: [{ id: `${id}.cell`, title: text, look: null }], columns: 1, look: null,
});
const board = { zones: [zone('town', null, [marker('first', 0), marker('second', 1)]), zone('hand1', 1)] } as unknown as Table;

describe('what earned the points of one place', () => {
  it('is what it owns, or what lies in a zone of its own', () => {
    expect(ofPlace(board, ['first', 'second'], 1)).toEqual(['second']);
    expect(ofPlace(board, ['first', 'hand1'], 1)).toEqual(['hand1']);
  });
  it('is everything where nothing has an owner', () => {
    expect(ofPlace(board, ['town.cell', 'town'], 0)).toEqual(['town.cell', 'town']);
  });
});
