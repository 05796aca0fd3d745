// What changed between two boards: what moved, turned over, came, went, was counted or scored.
//
// Ids are per watcher, and the id of a card without a face only says where it lies. So things are followed by their ids
// first, then by their faces, and what is left is matched by how many each place lost and got.
import type { Table, Thing, Zone } from '../wire';
import type { ZoneLook } from './layout';

export interface Place {
  zone: string;
  /** The thing there that can be pointed at, or null where only the zone as a whole can. */
  thing: string | null;
}

export interface Move {
  from: Place;
  to: Place;
  /** It showed its back before and shows its face now, or the other way round. */
  turns: boolean;
  /** The zone where it was seen in between. */
  via?: string;
}

export interface Change {
  moves: Move[];
  /** Things that stayed where they are and turned over. */
  turned: string[];
  appeared: Place[];
  vanished: Place[];
  counts: { zone: string; from: number; to: number }[];
  points: { place: number; from: number; to: number }[];
}

interface Lying {
  thing: Thing;
  zone: Zone;
}

/** What of a zone's look matters for what moves. */
type Ways = Partial<Pick<ZoneLook, 'via' | 'echo'>>;

export function diff(before: Table, after: Table, lookOf: (zone: Zone) => Ways = () => ({})): Change {
  const change: Change = { moves: [], turned: [], appeared: [], vanished: [], counts: [], points: [] };
  const was = lying(before, lookOf);
  const is = lying(after, lookOf);
  const gone = new Map(was);
  const come = new Map(is);

  for (const [id, now] of is) {
    const then = was.get(id);
    if (!then || isAnonymous(now.thing) !== isAnonymous(then.thing)) continue;
    gone.delete(id);
    come.delete(id);
    if (isAnonymous(now.thing)) continue;
    if (then.zone.id !== now.zone.id || then.thing.at !== now.thing.at) {
      change.moves.push({ from: at(then), to: at(now), turns: isUp(then.thing) !== isUp(now.thing) });
    } else if (isUp(then.thing) !== isUp(now.thing)) {
      change.turned.push(id);
    }
  }

  pair(gone, come, change, (then, now) => sameLook(then.thing, now.thing) && then.zone.id !== now.zone.id);
  // What lies in the same place and has a face now, or none any more, has turned over there.
  for (const [id, now] of come) {
    const then = [...gone.values()].find((old) => old.zone.id === now.zone.id && old.thing.is === now.thing.is && isAnonymous(old.thing) !== isAnonymous(now.thing));
    if (!then || grew(before, after, now.zone.id) !== 0) continue;
    gone.delete(then.thing.id);
    come.delete(id);
    if (!isAnonymous(now.thing)) change.turned.push(id);
  }
  pair(gone, come, change, (then, now) => then.thing.is === now.thing.is && then.zone.id !== now.zone.id && couldBe(then.thing, now.thing));
  drawn(before, after, gone, come, change);
  stopOver(before, after, change, lookOf);

  for (const then of gone.values()) change.vanished.push(at(then));
  for (const now of come.values()) change.appeared.push(at(now));
  tally(before, after, change);
  return change;
}

export function isEmpty(change: Change): boolean {
  return Object.values(change).every((list) => list.length === 0);
}

function lying(board: Table, lookOf: (zone: Zone) => Ways): Map<string, Lying> {
  const found = new Map<string, Lying>();
  for (const zone of board.zones.filter((each) => !lookOf(each).echo)) for (const thing of zone.things) found.set(thing.id, { thing, zone });
  return found;
}

function at({ thing, zone }: Lying): Place {
  return { zone: zone.id, thing: thing.id };
}

function isAnonymous(thing: Thing): boolean {
  return thing.is === 'card' && thing.face === null;
}

function isUp(thing: Thing): boolean {
  return thing.is === 'card' ? thing.face !== null && !thing.down : !thing.down;
}

function sameLook(a: Thing, b: Thing): boolean {
  if (a.is === 'card') return b.is === 'card' && a.face !== null && a.face === b.face;
  return b.is === 'token' && a.look === b.look && a.shape === b.shape && a.owner === b.owner;
}

/** Could the one be the other, of which one at least shows only its back? */
function couldBe(a: Thing, b: Thing): boolean {
  if (a.is === 'card' && b.is === 'card') return (a.face === null || b.face === null) && (a.back === b.back || a.face !== null || b.face !== null);
  return sameLook(a, b);
}

function pair(gone: Map<string, Lying>, come: Map<string, Lying>, change: Change, fits: (then: Lying, now: Lying) => boolean): void {
  for (const [id, now] of [...come]) {
    const then = [...gone.values()].find((old) => fits(old, now));
    if (!then) continue;
    gone.delete(then.thing.id);
    come.delete(id);
    change.moves.push({ from: at(then), to: at(now), turns: isUp(then.thing) !== isUp(now.thing) });
  }
}

/** Cards that came out of a pile, or went into one, of which only the number is told. */
function drawn(before: Table, after: Table, gone: Map<string, Lying>, come: Map<string, Lying>, change: Change): void {
  const left = new Map<string, number>();
  for (const zone of after.zones) {
    const hidden = hiddenIn(zone) - hiddenIn(before.zones.find((z) => z.id === zone.id));
    if (hidden !== 0) left.set(zone.id, hidden);
  }
  const giver = () => [...left].find(([, n]) => n < 0)?.[0];
  const taker = () => [...left].find(([, n]) => n > 0)?.[0];
  for (const [id, now] of [...come]) {
    const from = giver();
    if (now.thing.is !== 'card' || from === undefined) continue;
    left.set(from, left.get(from)! + 1);
    come.delete(id);
    change.moves.push({ from: { zone: from, thing: null }, to: at(now), turns: isUp(now.thing) });
  }
  for (const [id, then] of [...gone]) {
    const to = taker();
    if (then.thing.is !== 'card' || to === undefined) continue;
    left.set(to, left.get(to)! - 1);
    gone.delete(id);
    change.moves.push({ from: at(then), to: { zone: to, thing: null }, turns: isUp(then.thing) });
  }
}

/** Cards that were played where others lie and taken at once: who had to act played those whose origin is not known. */
function stopOver(before: Table, after: Table, change: Change, lookOf: (zone: Zone) => Ways): void {
  const hand = before.zones.find((zone) => zone.kind === 'fan' && zone.owner === before.acting[0]);
  for (const move of change.moves) {
    const zone = after.zones.find((each) => each.id === move.to.zone);
    const stop = zone && lookOf(zone).via;
    if (!stop || move.from.zone === stop) continue;
    move.via = stop;
    if (move.from.thing === null && hand) move.from = { zone: hand.id, thing: null };
  }
}

/** How many of a pile's cards are counted but not shown. */
function hiddenIn(zone: Zone | undefined): number {
  if (!zone || zone.kind !== 'pile' || zone.count === null) return 0;
  const shown = zone.things.reduce((n, thing) => n + (thing.is === 'token' ? thing.count : 1), 0);
  return Math.max(0, zone.count - shown);
}

function grew(before: Table, after: Table, zone: string): number {
  const size = (board: Table) => board.zones.find((z) => z.id === zone)?.things.length ?? 0;
  return size(after) - size(before);
}

function tally(before: Table, after: Table, change: Change): void {
  for (const zone of after.zones) {
    const old = before.zones.find((z) => z.id === zone.id);
    if (old && zone.count !== null && old.count !== null && old.count !== zone.count) {
      change.counts.push({ zone: zone.id, from: old.count, to: zone.count });
    }
    for (const thing of zone.things) {
      const then = old?.things.find((t) => t.id === thing.id);
      if (thing.is === 'token' && then?.is === 'token' && then.count !== thing.count) {
        change.counts.push({ zone: thing.id, from: then.count, to: thing.count });
      }
    }
  }
  after.sheet.totals.forEach((to, place) => {
    const from = before.sheet.totals[place] ?? 0;
    if (from !== to) change.points.push({ place, from, to });
  });
}
