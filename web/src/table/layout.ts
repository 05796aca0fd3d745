// Where zones lie: their names, the places that a game's look gives them, and who sits where around me.
import type { Table, Zone } from '../wire';

/** How a game's look wants a zone shown; every key has a default that suits a zone nobody thought of. */
export interface ZoneLook {
  /** table: in the middle. seat: with its owner, mine in my strip. tray and details: one touch away, below or in the seat. */
  place: 'table' | 'seat' | 'tray' | 'details';
  /** cards: as they are. tally: the look's symbol and a number. range: from the least to the most. facing: all owners' columns face each other. */
  show: 'cards' | 'tally' | 'range' | 'facing';
  /** Times the usual card's width. */
  size: number;
  /** Arguments of the title (a zone's, or its cells') that are shown as numbers; without them things are counted. */
  tally: string[];
  /** The key of the title that earns a tick; or so many things: reached, and close to too many. */
  tick: string | number | null;
  warn: number | null;
  /** Board: how cells share the width; empty slots drawn per column; whether a cell's title is written on it. */
  columns: string;
  slots: number[];
  label: 'title' | 'tally' | 'places' | 'seat' | 'none';
  /** Title written above the zone? */
  title: boolean;
  /** Board: rows of cells at least so many cards' heights. */
  tall: number;
  /** A mark, token or suit whose symbol stands for the zone where it has no look of its own. */
  symbol: string | null;
  /** A colour of the theme for the cells of a board, such as accent2. */
  tint: string | null;
  /** Board: the keys of the words above its columns. */
  heads: string[];
  /** Cards that come here are seen there first, beside what lies there. */
  via: string | null;
  /** What lies here is shown elsewhere too, so nothing comes from here or goes here. */
  echo: boolean;
}

export interface LayoutLook {
  areas: string[];
  card: number;
  seats: 'top' | 'sides';
  columns: string;
}

type Loose = Record<string, unknown>;

export function zoneName(id: string): string {
  return /^[a-z_]+/i.exec(id)?.[0].replace(/_$/, '') ?? id;
}

export function zoneLook(look: Loose, zone: Pick<Zone, 'id' | 'owner' | 'kind'>): ZoneLook {
  const all = (look['zone'] ?? {}) as Record<string, Partial<ZoneLook> & { tally?: string | string[] }>;
  const own = all[zoneName(zone.id)] ?? {};
  const tally = own.tally === undefined ? [] : Array.isArray(own.tally) ? own.tally : [own.tally];
  return {
    place: own.place ?? (zone.owner === null ? 'table' : 'seat'),
    show: own.show ?? 'cards',
    size: own.size ?? 1,
    tally,
    tick: own.tick ?? null,
    warn: own.warn ?? null,
    columns: own.columns ?? '',
    slots: own.slots ?? [],
    label: own.label ?? (tally.length ? 'tally' : 'title'),
    title: own.title ?? zone.kind !== 'board',
    tall: own.tall ?? 0,
    symbol: own.symbol ?? null,
    tint: own.tint ?? null,
    heads: own.heads ?? [],
    via: own.via ?? null,
    echo: own.echo ?? false,
  };
}

/** The plan of the table for a width, with every zone that lies in the middle in it. */
export function layoutLook(look: Loose, wide: boolean, names: readonly string[]): LayoutLook {
  const layouts = (look['layout'] ?? {}) as Record<string, Partial<LayoutLook>>;
  const own = (wide ? layouts['wide'] : layouts['phone']) ?? {};
  return {
    areas: withRest(own.areas ?? [], names),
    card: own.card ?? (wide ? 88 : 48),
    seats: own.seats ?? 'top',
    columns: own.columns ?? '',
  };
}

/** Rows of areas without columns that something is missing from and nothing needs, and with a row for whatever the plan does not name. */
export function withRest(areas: readonly string[], names: readonly string[]): string[] {
  const rows = areas
    .map((row) => row.split(/\s+/).filter(Boolean))
    .filter((row) => row.some((name) => names.includes(name)));
  const named = new Set(rows.flat());
  const rest = names.filter((name) => !named.has(name));
  const width = Math.max(1, ...rows.map((row) => row.length));
  const filled = rows.map((row) => [...row, ...Array<string>(width - row.length).fill(row.at(-1) ?? '.')]);
  for (const name of rest) filled.push(Array<string>(width).fill(name));
  const known = filled.map((row) => row.map((name) => (names.includes(name) ? name : '.')));
  const spans = (row: string[], i: number) => row[i] === row[i - 1] || row[i] === row[i + 1];
  const isNeeded = (i: number) => known.every((row) => row[i] !== '.') || known.some((row) => row[i] !== '.' && !spans(row, i));
  for (let i = width - 1; i >= 0; i--) {
    if (!isNeeded(i)) for (const row of known) row.splice(i, 1);
  }
  return known.map((row) => row.join(' '));
}

/** All places in the order of play from mine on; for a spectator from the first. */
export function around(board: Pick<Table, 'places'>, me: number | null): number[] {
  const first = me ?? 0;
  return Array.from({ length: board.places }, (_, i) => (first + i) % board.places);
}

/** Which side of a wide table each of the others sits on, in the order of play. */
export function sides(others: number, seats: 'top' | 'sides'): ('left' | 'top' | 'right')[] {
  if (seats === 'sides') {
    const left = Math.ceil(others / 2);
    return Array.from({ length: others }, (_, i) => (i < left ? 'left' : 'right'));
  }
  if (others <= 3) return Array<'top'>(others).fill('top');
  return Array.from({ length: others }, (_, i) => (i === 0 ? 'left' : i === others - 1 ? 'right' : 'top'));
}

export interface Fan {
  rows: number;
  perRow: number;
  card: number;
  step: number;
}

/** How n cards of a hand fit into a width: never cut off, and every card's strip wide enough for a thumb. */
export function fan(n: number, width: number, widest: number, strip = 24, gap = 6): Fan {
  const step = (count: number, card: number) => (count <= 1 ? 0 : Math.min(card + gap, (width - card) / (count - 1)));
  for (const rows of [1, 2, 3]) {
    const perRow = Math.ceil(n / rows);
    const card = Math.min(widest, width);
    if (perRow <= 1 || step(perRow, card) >= strip || rows === 3) return { rows, perRow: Math.max(1, perRow), card, step: Math.max(0, step(perRow, card)) };
  }
  throw new RangeError('unreachable');
}

/** The largest of the whole numbers from `low` to `high` that fits, or `low`; the guess is likely right, so it is tried early. */
export function largest(fits: (n: number) => boolean, low: number, high: number, guess: number): number {
  if (fits(high)) return high;
  let next = guess;
  while (high - low > 1) {
    if (next <= low || next >= high) next = Math.floor((low + high) / 2);
    if (fits(next)) low = next;
    else high = next;
    next = low === guess ? guess + 1 : high === guess ? guess - 1 : 0;
  }
  return low;
}
