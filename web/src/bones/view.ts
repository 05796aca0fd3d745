// A view as a whole: over a socket, what is as it was in the view before is left out or only named, and what is as usual
// is left out everywhere.
import { DEFAULTS, type Replay, type Table, type View as Sent, type Zone } from '../wire';

export type View = Omit<Required<Sent>, 'board'> & { board: Table | null };

export function whole(sent: Sent, before: View | null): View {
  const { board, ...rest } = sent;
  const known = { ...before, ...rest } as Omit<View, 'board'>;
  if (!known.table) throw new Error('a view leaves out what was never sent');
  if (!board) return { ...known, board };
  const zonesBefore = new Map(before?.board?.zones.map((zone) => [zone.id, zone]));
  const zones = board.zones.map((zone) => (typeof zone === 'string' ? zonesBefore.get(zone) : filled(zone)));
  const sheet = board.sheet ?? before?.board?.sheet;
  if (!sheet || zones.includes(undefined)) throw new Error('a view names what was never sent');
  return { ...known, board: { ...board, zones: zones as Table['zones'], sheet } };
}

export function wholeReplay(sent: Replay): Replay {
  const steps = sent.steps.map((step) => ({ ...step, board: { ...step.board, zones: step.board.zones.map(filled) } }));
  return { ...sent, steps };
}

/** A zone with all its fields. */
function filled(sent: Pick<Zone, 'id' | 'kind' | 'title'> & Partial<Zone>): Zone {
  const things = (sent.things ?? []).map((thing) => (thing.is === 'card' ? { ...DEFAULTS.Card, ...thing } : { ...DEFAULTS.Token, ...thing }));
  const cells = (sent.cells ?? []).map((cell) => ({ ...DEFAULTS.Cell, ...cell }));
  return { ...DEFAULTS.Zone, ...sent, things, cells };
}
