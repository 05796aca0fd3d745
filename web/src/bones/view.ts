// A view with all of its board: over a socket, parts that are as they were in the view before are only named.
import type { Table, View as Sent } from '../wire';

export type View = Omit<Sent, 'board'> & { board: Table | null };

export function whole(sent: Sent, before: View | null): View {
  const { board } = sent;
  if (!board) return { ...sent, board };
  const known = new Map(before?.board?.zones.map((zone) => [zone.id, zone]));
  const zones = board.zones.map((zone) => (typeof zone === 'string' ? known.get(zone) : zone));
  const sheet = board.sheet ?? before?.board?.sheet;
  if (!sheet || zones.includes(undefined)) throw new Error('a view names what was never sent');
  return { ...sent, board: { ...board, zones: zones as Table['zones'], sheet } };
}
