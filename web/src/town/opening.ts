// How tables are opened from the town.
import type { GameInfo, NewTable, Party } from '../wire';

/** How many play if nothing is said: the fewest that make company, as the game is usually played. */
export function usualParty(game: GameInfo): Party {
  const company = game.parties.filter((party) => party.players > 1);
  return company.find((party) => !Object.keys(party.options).length) ?? company[0] ?? game.parties[0]!;
}

export function soloParty(game: GameInfo): Party | undefined {
  return game.parties.find((party) => party.players === 1);
}

/** A table for me, and bots in all the other seats. */
export function againstBots(game: GameInfo, party: Party, bot: string): NewTable {
  const others = Array.from({ length: party.players - 1 }, () => bot);
  return { game: game.id, seats: ['me', ...others], options: party.options };
}

export const BOTS = ['easy', 'medium', 'hard'] as const;

export const CLOCKS = [
  { kind: 'none', seconds: 0 },
  { kind: 'move', seconds: 60 },
  { kind: 'move', seconds: 300 },
  { kind: 'move', seconds: 86_400 },
  { kind: 'game', seconds: 600 },
  { kind: 'game', seconds: 1_800 },
] as const;

/** "3–5" or "2": numbers of people as they are told. */
export function told(numbers: number[]): string {
  const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  return first === last ? `${first}` : `${first}–${last}`;
}
