// A choice is a path of things to touch. Here: what glows after some touches, and what one more touch does.
import type { Choice, Table, Zone } from '../wire';

/** What a touch means: nothing, one step further or back, or a choice that is ready to be made. */
export type Touch =
  | { is: 'dead' }
  | { is: 'step'; touched: string[]; ready: Choice | null }
  | { is: 'back'; touched: string[] }
  | { is: 'chosen'; choice: Choice };

export function startsWith(path: readonly string[], touched: readonly string[]): boolean {
  return touched.every((id, i) => path[i] === id);
}

/** The choices that what was touched so far can still become. */
export function open(choices: readonly Choice[], touched: readonly string[]): Choice[] {
  return choices.filter((choice) => startsWith(choice.path, touched));
}

/** The things of which a touch leads on. */
export function glowing(choices: readonly Choice[], touched: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const choice of open(choices, touched)) {
    const next = choice.path[touched.length];
    if (next !== undefined) ids.add(next);
  }
  return ids;
}

/** The choice whose whole path has been touched. */
export function complete(choices: readonly Choice[], touched: readonly string[]): Choice | null {
  if (touched.length === 0) return null;
  return open(choices, touched).find((choice) => choice.path.length === touched.length) ?? null;
}

/**
 * Of the ids that were hit, from the innermost outwards (a thing, its cell, its zone), the one that is meant.
 * Equal cards in one place are as good as each other, so a thing's equals are tried before what it lies on.
 */
export function meant(hit: readonly string[], glow: ReadonlySet<string>, equals: ReadonlyMap<string, string[]>): string | null {
  for (const id of hit) {
    if (glow.has(id)) return id;
    const other = equals.get(id)?.find((equal) => glow.has(equal));
    if (other !== undefined) return other;
  }
  return null;
}

/** For every card that has equals where it lies: all of them. */
export function equalCards(zones: readonly Zone[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const zone of zones) {
    const kinds = new Map<string, string[]>();
    for (const thing of zone.things) {
      if (thing.is !== 'card' || thing.face === null) continue;
      const kind = `${thing.face} ${thing.at ?? ''} ${thing.down}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), thing.id]);
    }
    for (const ids of kinds.values()) if (ids.length > 1) for (const id of ids) found.set(id, ids);
  }
  return found;
}

/**
 * What happens when something is touched. `hit` are the ids under the finger, innermost first.
 * A lone thing is lifted by the first touch and played by the second; the last thing of a longer path plays at once,
 * as does a button, since its label says what it does.
 */
export function touch(
  choices: readonly Choice[],
  touched: readonly string[],
  hit: readonly string[],
  equals: ReadonlyMap<string, string[]> = new Map(),
  buttons: ReadonlySet<string> = new Set(),
): Touch {
  const last = touched.at(-1);
  const ready = complete(choices, touched);
  const onward = glowing(choices, touched);
  const isLast = last !== undefined && hit.includes(last);
  if (isLast && !hit.some((id) => onward.has(id))) {
    return ready ? { is: 'chosen', choice: ready } : { is: 'back', touched: touched.slice(0, -1) };
  }
  const next = meant(hit, onward, equals);
  if (next !== null) return step(choices, [...touched, next], buttons);
  if (touched.length === 0) return { is: 'dead' };
  const earlier = hit.find((id) => touched.includes(id));
  if (earlier !== undefined) return { is: 'back', touched: touched.slice(0, touched.indexOf(earlier)) };
  const anew = meant(hit, glowing(choices, []), equals);
  if (anew !== null) return step(choices, [anew], buttons);
  return { is: 'dead' };
}

function step(choices: readonly Choice[], touched: string[], buttons: ReadonlySet<string>): Touch {
  const ready = complete(choices, touched);
  const leadsOn = glowing(choices, touched).size > 0;
  if (ready && !leadsOn && (touched.length > 1 || buttons.has(touched[0]!))) return { is: 'chosen', choice: ready };
  return { is: 'step', touched, ready };
}

/** What dropping a dragged thing does: on a thing that completes it, or, for a lone thing, anywhere on the table. */
export function drop(
  choices: readonly Choice[],
  dragged: readonly string[],
  hit: readonly string[],
  onTable: boolean,
  equals: ReadonlyMap<string, string[]> = new Map(),
): Choice | null {
  const first = meant(dragged, glowing(choices, []), equals);
  if (first === null) return null;
  const target = meant(
    hit.filter((id) => !dragged.includes(id)),
    glowing(choices, [first]),
    equals,
  );
  if (target !== null) return complete(choices, [first, target]);
  return onTable ? complete(choices, [first]) : null;
}

/** The places where a dragged thing can be dropped to choose something. */
export function targets(choices: readonly Choice[], dragged: string): Set<string> {
  return new Set(choices.filter((choice) => choice.path.length === 2 && choice.path[0] === dragged).map((c) => c.path[1]!));
}

/** Keep only what can still be touched when the choices change under one's finger. */
export function keep(choices: readonly Choice[], touched: readonly string[]): string[] {
  return open(choices, touched).length > 0 ? [...touched] : [];
}

/** From a thing outwards: itself, the cell it lies on, its zone. */
export function hits(board: Table, id: string): string[] {
  for (const zone of board.zones) {
    if (zone.id === id) return [id];
    if (zone.cells.some((cell) => cell.id === id)) return [id, zone.id];
    const thing = zone.things.find((t) => t.id === id);
    if (thing === undefined) continue;
    const cell = thing.at === null ? undefined : zone.cells[thing.at];
    return cell ? [id, cell.id, zone.id] : [id, zone.id];
  }
  return [id];
}
