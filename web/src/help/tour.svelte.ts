// What of a game's tour somebody has seen: `game/step` each, or `game` alone when it is over for good.
import { preferences } from '../bones/preferences.svelte';
import type { Guide } from '../bones/words.svelte';

export type TourStep = NonNullable<Guide['tour']>[number];

const isSeen = (game: string, step: TourStep) => preferences.seenTours.includes(`${game}/${step.text}`);

/** The step to show now: the first that nobody has seen; those for a certain prompt wait for it, and for the rest. */
export function stepNow(game: string, guide: Guide, prompt: string): TourStep | null {
  if (preferences.seenTours.includes(game)) return null;
  const left = (guide.tour ?? []).filter((step) => !isSeen(game, step));
  return left.find((step) => !step.prompt) ?? left.find((step) => step.prompt === prompt) ?? null;
}

export function markSeen(game: string, step: TourStep): void {
  if (!isSeen(game, step)) preferences.seenTours = [...preferences.seenTours, `${game}/${step.text}`];
}

export function endTour(game: string): void {
  preferences.seenTours = [...without(game), game];
}

export function restartTour(game: string): void {
  preferences.seenTours = without(game);
}

function without(game: string): string[] {
  return preferences.seenTours.filter((seen) => seen !== game && !seen.startsWith(`${game}/`));
}
