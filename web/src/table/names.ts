// What the places of a table are called: people by their names, bots by names of their own, so that a log reads well.
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
