// What earned a row of the score sheet, shown on the table.
import type { Table, Thing, Zone } from '../wire';
import { hits } from './narrow';

/** The thing or zone of this id. */
function found(board: Table, id: string): { zone: Zone; thing: Thing | undefined } | undefined {
  for (const zone of board.zones) {
    const thing = zone.things.find((each) => each.id === id);
    if (thing || zone.id === id || zone.cells.some((cell) => cell.id === id)) return { zone, thing };
  }
  return undefined;
}

/** Of what earned something, that of one place; all of it where nothing has an owner. */
export function ofPlace(board: Table, ids: readonly string[], place: number): readonly string[] {
  const own = ids.filter((id) => {
    const { zone, thing } = found(board, id) ?? {};
    return ((thing?.is === 'token' ? thing.owner : null) ?? zone?.owner) === place;
  });
  return own.length ? own : ids;
}

/** Mark what these ids mean where it can be seen: it, else the cell, zone or seat where it lies. The first comes into sight. */
export function mark(root: HTMLElement, board: Table, ids: readonly string[]): () => void {
  const marked = new Set<HTMLElement>();
  for (const id of ids) {
    const owner = found(board, id)?.zone.owner ?? null;
    const places = hits(board, id).map((each) => CSS.escape(each)).map((each) => `[data-thing="${each}"], [data-cell="${each}"], [data-zone="${each}"]`);
    if (owner !== null) places.push(`[data-place="${owner}"]`);
    const shown = places.map((place) => root.querySelector<HTMLElement>(place)).find((each) => each !== null);
    if (shown) marked.add(shown);
  }
  for (const element of marked) element.dataset.earned = '';
  const [first] = marked;
  const [box, whole] = [first?.getBoundingClientRect(), root.getBoundingClientRect()];
  if (box && (box.top < whole.top || box.bottom > whole.bottom)) first?.scrollIntoView({ block: 'center' });
  return () => marked.forEach((element) => delete element.dataset.earned);
}
