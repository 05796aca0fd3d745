// What the places of a table are called: people by their names, bots by names of their own, so that a log reads well.
import type { GameContext } from '../bones/game.svelte';
import { t } from '../bones/words.svelte';
import type { SeatView } from '../wire';

const BOTS = ['Ada', 'Bruno', 'Cleo', 'Dario', 'Edith', 'Felix'];

/** A name per place. Places beyond the seats, and seats that play by themselves, follow the rules alone. */
export function placeNames(seats: readonly SeatView[], places: number, alone: (n: number) => string = (n) => `#${n + 1}`, free = '…'): string[] {
  let robots = 0;
  return Array.from({ length: Math.max(places, seats.length) }, (_, place) => {
    const seat = seats[place];
    if (!seat || seat.kind === 'itself') return alone(robots++);
    if (seat.kind === 'open') return free;
    if (seat.kind === 'bot') return BOTS[place] ?? seat.name;
    const double = seats.some((other, i) => i < place && other.kind === 'person' && other.name === seat.name);
    return double ? `${seat.name} (${place + 1})` : seat.name;
  });
}

/** The names at a table of this game, which has a word of its own for what plays by itself. */
export function namesAt(game: GameContext | null, seats: readonly SeatView[], places: number): string[] {
  const alone = (n: number) =>
    game?.texts.has('seat_itself') ? game.texts.say({ is: 'text', key: 'seat_itself', args: { n: n + 1 } }) : t('table.robot', { n: n + 1 });
  return placeNames(seats, places, alone, t('table.free'));
}

/** A sign for every place: the first letter of its name, or its number where another begins like it. */
export function initials(names: readonly string[]): string[] {
  const letters = names.map((name) => name.slice(0, 1).toUpperCase());
  return letters.map((letter, place) => (letters.indexOf(letter) === letters.lastIndexOf(letter) ? letter : String(place + 1)));
}
