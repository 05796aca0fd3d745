// A game as the client knows it: its cards, words and look. Loaded once, its words follow the language.
import { getContext, setContext } from 'svelte';
import type { Face, GameDetail } from '../wire';
import { api } from './api';
import { isDark, preferences } from './preferences.svelte';
import { GameTexts, type Guide } from './words.svelte';

export interface SymbolLook {
  letter?: string;
  symbol?: string;
  glyph?: string;
  colour: string;
  path?: string;
  shade?: string;
  body?: string;
  on_felt?: string;
  on_felt_dark?: string;
  [more: string]: unknown;
}

export interface Theme {
  felt: string;
  paper: string;
  ink: string;
  accents: string[];
  display: string;
  back: string;
  mood: string;
  dark?: Partial<Theme>;
  [more: string]: unknown;
}

export interface Look {
  theme: Theme;
  suit?: Record<string, SymbolLook>;
  mark?: Record<string, SymbolLook>;
  token?: Record<string, SymbolLook>;
  face?: Record<string, SymbolLook>;
  layout?: Record<string, { areas: string[]; [more: string]: unknown }>;
  zone?: Record<string, Record<string, unknown>>;
  [more: string]: unknown;
}

export class GameContext {
  readonly look: Look;

  constructor(readonly detail: GameDetail, readonly texts: GameTexts) {
    this.look = detail.look as unknown as Look;
  }

  /** The game's title in the language that is preferred. */
  get title(): string {
    return this.detail.titles[preferences.language] ?? this.detail.title;
  }

  face(id: string): Face | undefined {
    return this.detail.faces[id];
  }

  suit(id: string): SymbolLook | undefined {
    return this.look.suit?.[id];
  }

  token(id: string): SymbolLook | undefined {
    return this.look.token?.[id];
  }

  mark(id: string): SymbolLook | undefined {
    return this.look.mark?.[id];
  }

  /** What is counted on a card, where suit and corner are not enough to tell it from another. */
  tellingMarks(face: Face): [SymbolLook, number][] {
    const marks = JSON.stringify(face.marks);
    const isUnlike = (other: Face) => other.corner === face.corner && other.suit === face.suit && JSON.stringify(other.marks) !== marks;
    if (!Object.values(this.detail.faces).some(isUnlike)) return [];
    return Object.entries(face.marks).flatMap(([id, n]): [SymbolLook, number][] => (this.mark(id) ? [[this.mark(id)!, n]] : []));
  }
}

const loaded = new Map<string, Promise<GameContext>>();

export function loadGame(id: string): Promise<GameContext> {
  let found = loaded.get(id);
  if (!found) {
    found = load(id);
    loaded.set(id, found);
    found.catch(() => loaded.delete(id));
  }
  return found;
}

async function load(id: string): Promise<GameContext> {
  const detail = await api.game(id);
  const language = () => (detail.languages.includes(preferences.language) ? preferences.language : 'en');
  const texts = new GameTexts(await api.words(id, language()), detail.faces, detail.guide as Guide);
  $effect.root(() => {
    $effect(() => {
      const wished = language();
      if (wished !== texts.language) api.words(id, wished).then((words) => (texts.words = words), () => {});
    });
  });
  return new GameContext(detail, texts);
}

const KEY = Symbol('game');

export function setGame(game: GameContext): GameContext {
  return setContext(KEY, game);
}

export function useGame(): GameContext {
  return getContext<GameContext>(KEY);
}

/** Colours that can be read, for a theme that has no more than a felt, paper, ink and accents. */
function usual({ felt, paper, ink, accents }: Look['theme']): Partial<Look['theme']> {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(felt.slice(at, at + 2), 16));
  const isLight = 0.3 * red + 0.6 * green + 0.1 * blue > 140;
  const onFelt = isLight ? { prompt: '#14141a', quiet: '#3a3a44', line: '#14141a' } : { prompt: '#ffffff', quiet: '#d9d9e0', line: '#ffffff' };
  return { felt2: felt, thread: felt, paper2: paper, muted: ink, panel: paper, panel_ink: ink, glow: accents?.[0] ?? ink, ...onFelt };
}

/** The custom properties of a district, to be set on its root element; `theme.key` becomes `--key`. */
export function theme(look: Pick<Look, 'theme'>, dark = isDark()): Record<string, string> {
  const { dark: atNight, ...day } = look.theme;
  const told = { ...day, ...(dark ? atNight : {}) };
  const found = { ...usual(told), ...told };
  const properties: Record<string, string> = {};
  for (const [key, value] of Object.entries(found)) {
    if (typeof value === 'string' || typeof value === 'number') properties[`--${key.replaceAll('_', '-')}`] = String(value);
  }
  properties['--accent'] = found.accents?.[0] ?? found.ink;
  properties['--accent2'] = found.accents?.[1] ?? found.ink;
  properties['--display'] = `"${found.display}", "${found.display} Variable", "Zen Maru Gothic", "Inter Variable", sans-serif`;
  return properties;
}

/** An action that keeps such properties on an element: `use:themed={theme(look)}`. */
export function themed(element: HTMLElement | SVGElement, properties: Record<string, string>) {
  let names: string[] = [];
  function update(next: Record<string, string>) {
    for (const name of names) if (!(name in next)) element.style.removeProperty(name);
    for (const [name, value] of Object.entries(next)) element.style.setProperty(name, value);
    names = Object.keys(next);
  }
  update(properties);
  return { update };
}
