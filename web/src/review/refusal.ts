// Why something could not be had, in words.
import { hasWords, t } from '../bones/words.svelte';

export function reason(error: unknown): string {
  const key = `refused.${error instanceof Error && 'why' in error ? String(error.why) : 'internal'}`;
  return hasWords(key) ? t(key) : error instanceof Error ? error.message : String(error);
}
