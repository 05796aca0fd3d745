// How a hand is sorted: by suit and then rank, by rank and then suit, or as the cards came.
import type { Card, Face, Thing } from '../wire';

export type Sorting = 'suit' | 'rank' | 'none';

/** A corner's number; corners that are no numbers come after all numbers. */
export function rankOf(face: Face | undefined): number {
  const number = Number.parseInt(face?.corner ?? '', 10);
  return Number.isNaN(number) ? 1000 : number;
}

export function sorted<T extends Thing>(
  things: readonly T[],
  by: Sorting,
  face: (id: string) => Face | undefined,
  suits: readonly string[],
): T[] {
  if (by === 'none') return [...things];
  const key = (thing: Thing): [number, number] => {
    const card = thing as Card;
    if (thing.is !== 'card' || card.face === null) return [9999, 9999];
    const found = face(card.face);
    const suit = found?.suit ? suits.indexOf(found.suit) : suits.length;
    return by === 'suit' ? [suit, rankOf(found)] : [rankOf(found), suit];
  };
  return things
    .map((thing, i) => ({ thing, i, key: key(thing) }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.i - b.i)
    .map(({ thing }) => thing);
}
