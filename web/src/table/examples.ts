// Small boards for the tests of this folder.
import type { Card, Choice, Table, Text, Zone } from '../wire';

export const said = (key = 'any'): Text => ({ is: 'text', key, args: {} });

export const card = (id: string, face: string | null = id, more: Partial<Card> = {}): Card => ({
  is: 'card', id, face, back: 'card', down: false, known: false, at: null, ...more,
});

export const backs = (zone: string, n: number): Card[] => Array.from({ length: n }, (_, i) => card(`${zone}.${i}`, null));

export const zone = (id: string, kind: Zone['kind'], things: Zone['things'] = [], more: Partial<Zone> = {}): Zone => ({
  id, kind, title: said(), owner: null, things, count: null, cells: [], columns: 0, look: null, ...more,
});

export const choice = (number: number, ...path: string[]): Choice => ({ number, path, label: said(), move: path.join(' ') });

export const board = (zones: Zone[], more: Partial<Table> = {}): Table => ({
  game: 'any', seat: 0, seats: 2, places: 2, acting: [0], progress: said(), prompt: said(), zones, buttons: [], choices: [],
  sheet: { rows: [], totals: [0, 0] }, ending: null, ...more,
});
