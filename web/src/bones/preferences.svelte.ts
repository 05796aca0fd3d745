// What this browser remembers of how somebody likes it.
const KEY = 'cardtown';
const isBrowser = typeof window !== 'undefined' && typeof localStorage !== 'undefined';
const asks = (query: string) => isBrowser && matchMedia(query).matches;

export interface Preferences {
  language: 'en' | 'ja';
  scheme: 'system' | 'light' | 'dark';
  sound: boolean;
  speed: 'slow' | 'normal' | 'fast' | 'off';
  confirmChoices: boolean;
  sortHand: 'suit' | 'rank' | 'none';
  notify: boolean;
  bot: string;
  seenTours: string[];
}

function remembered(): Preferences {
  const usual: Preferences = {
    language: isBrowser && navigator.language.startsWith('ja') ? 'ja' : 'en',
    scheme: 'system',
    sound: !asks('(pointer: coarse)'),
    speed: 'normal',
    confirmChoices: false,
    sortHand: 'suit',
    notify: false,
    bot: 'medium',
    seenTours: [],
  };
  if (!isBrowser) return usual;
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return usual;
  }
}

export const preferences: Preferences = $state(remembered());

const system = $state({ dark: asks('(prefers-color-scheme: dark)'), still: asks('(prefers-reduced-motion: reduce)') });

/** Is the dark scheme shown now? */
export function isDark(): boolean {
  return preferences.scheme === 'system' ? system.dark : preferences.scheme === 'dark';
}

/** Should nothing travel over the screen? */
export function isStill(): boolean {
  return system.still || preferences.speed === 'off';
}

const PACE = { slow: 1.7, normal: 1, fast: 0.5, off: 0 };

/** A time in milliseconds at the speed that somebody likes; 0 if nothing is to move. */
export function paced(ms: number): number {
  return isStill() ? 0 : ms * PACE[preferences.speed];
}

if (isBrowser) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => (system.dark = event.matches));
  matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', (event) => (system.still = event.matches));
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(preferences, remembered());
  });
  $effect.root(() => {
    $effect(() => {
      const text = JSON.stringify(preferences);
      try {
        localStorage.setItem(KEY, text);
      } catch {
        // a browser that keeps nothing forgets it when the page goes
      }
    });
    $effect(() => {
      document.documentElement.dataset.scheme = isDark() ? 'dark' : 'light';
      document.documentElement.lang = preferences.language;
      document.documentElement.toggleAttribute('data-still', isStill());
    });
  });
}
