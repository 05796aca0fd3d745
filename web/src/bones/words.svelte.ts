// Texts: the interface's own by key, and a game's from its catalogue, in the language that is preferred.
import type { FaceName, GameWords, SeatName, Text } from '../wire';
import en from '../words/en.json';
import { preferences } from './preferences.svelte';

type Form = string | { one: string; other: string };
export type Catalogue = Record<string, Form>;
export const LANGUAGES = { en: 'English', ja: '日本語' } as const;

const catalogues: Partial<Record<keyof typeof LANGUAGES, Catalogue>> = $state.raw({ en });
let shown: Catalogue = $state.raw(en);

/** Makes the texts of the preferred language ready; App calls it before anything is shown and when it changes. */
export async function loadLanguage(language: keyof typeof LANGUAGES): Promise<void> {
  if (language === 'ja') {
    const [{ default: ja }] = await Promise.all([import('../words/ja.json'), import('../japanese')]);
    catalogues.ja = ja;
  }
  if (language === preferences.language) shown = catalogues[language] ?? en;
}

export type Args = Record<string, string | number>;

function filled(form: Form, args: Args): string {
  const words = typeof form === 'string' ? form : form[args.n === 1 ? 'one' : 'other'];
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}

/** An interface text. Where words differ by number, the argument n decides. */
export function t(key: string, args: Args = {}): string {
  const form = shown[key] ?? (en as Catalogue)[key];
  return form === undefined ? key : filled(form, args);
}

/** Does the interface have words under this key? */
export function hasWords(key: string): boolean {
  return key in en;
}

export interface Guide {
  clause?: Record<string, string>;
  tour?: { at: string; prompt?: string; text: string }[];
}

/** The texts of one game. */
export class GameTexts {
  #words: GameWords = $state.raw({ language: '', messages: {}, help: '' });
  readonly #titles: Record<string, { title: Text }>;
  readonly guide: Guide;

  constructor(words: GameWords, faces: Record<string, { title: Text }>, guide: Guide) {
    this.#words = words;
    this.#titles = faces;
    this.guide = guide;
  }

  get language(): string {
    return this.#words.language;
  }

  get help(): string {
    return this.#words.help;
  }

  set words(words: GameWords) {
    this.#words = words;
  }

  has(key: string): boolean {
    return key in this.#words.messages;
  }

  /** A text in words; `names` are the seats' names. */
  say(text: Text, names: string[] = []): string {
    const form = this.#words.messages[text.key] as Form | undefined;
    if (form === undefined) return text.key;
    const args = Object.entries(text.args).map(([name, arg]) => [name, this.#arg(arg, names)] as const);
    return filled(form, Object.fromEntries(args));
  }

  /** A card as a sentence names it: by its title, or shorter where that is long. */
  card(face: string): string {
    const title = this.#titles[face]?.title;
    if (!title) return face;
    const short = `${title.key}_short`;
    return this.say(this.has(short) ? { ...title, key: short } : title);
  }

  #arg(arg: Text['args'][string], names: string[]): string | number {
    return typeof arg === 'object' ? this.#named(arg, names) : arg;
  }

  #named(arg: SeatName | FaceName | Text, names: string[]): string {
    switch (arg.is) {
      case 'seat':
        return names[arg.seat] ?? `#${arg.seat + 1}`;
      case 'face':
        return this.card(arg.face);
      case 'text':
        return this.say(arg, names);
    }
  }
}
