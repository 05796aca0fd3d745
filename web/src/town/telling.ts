// Small things that the town says in words.
import { ApiError } from '../bones/api';
import { preferences } from '../bones/preferences.svelte';
import { hasWords, t } from '../bones/words.svelte';
import type { Clock } from '../wire';

const DAY = 86_400;

export function sayClock(clock: Clock): string {
  if (clock.kind === 'none') return t('clock.none');
  const [number, unit] = clock.seconds >= DAY ? [clock.seconds / DAY, 'day' as const] : [clock.seconds / 60, 'minute' as const];
  const length = new Intl.NumberFormat(preferences.language, { style: 'unit', unit, unitDisplay: 'long' }).format(number);
  return t(`clock.${clock.kind}`, { length });
}

/** How long ago a time of the server is. */
export function sayAgo(at: number): string {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - at) / 60));
  const told = new Intl.RelativeTimeFormat(preferences.language, { numeric: 'auto', style: 'short' });
  if (minutes < 60) return minutes ? told.format(-minutes, 'minute') : t('ago.now');
  return minutes < 1440 ? told.format(-Math.round(minutes / 60), 'hour') : told.format(-Math.round(minutes / 1440), 'day');
}

/** Who sits at a table; a bot is told by the name of its kind. */
export function sayPlayer(player: string): string {
  return hasWords(`bot.${player}`) ? t(`bot.${player}`) : player;
}

/** Why something was not done. */
export function sayRefusal(error: unknown): string {
  const why = error instanceof ApiError ? error.why : 'internal';
  if (hasWords(`refused.${why}`)) return t(`refused.${why}`);
  return t('refused.other', { message: error instanceof Error ? error.message : String(error) });
}
