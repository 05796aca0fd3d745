// The drawing kinds of cards that a look can choose, and the sprite of shapes that all cards of a game share.
import { mount } from 'svelte';
import type { GameContext, Look, SymbolLook } from '../bones/game.svelte';
import { isDark } from '../bones/preferences.svelte';
import type { Face } from '../wire';
import Sprite from './Sprite.svelte';

/** How a card is framed: gold lines, a comic's panel, neon glass, newsprint, a shop's curtain. */
export type Frame = 'deco' | 'comic' | 'glass' | 'press' | 'noren';
const FRAMES: readonly Frame[] = ['deco', 'comic', 'glass', 'press', 'noren'];

export interface BackLook {
  ground: string;
  thread: string;
  edge: string;
  /** What repeats: a path in a square of 20. */
  tile: string;
  /** What stands in the middle: a path in a square of 24. */
  emblem: string;
}

export function frameOf(look: Look): Frame {
  return FRAMES.find((frame) => frame === look.theme['frame']) ?? 'deco';
}

/** The backs that the look describes; a plain one where it does not. */
export function backsOf(look: Look): Record<string, BackLook> {
  const { ink, paper, accents } = look.theme;
  const plain = { ground: ink, thread: accents[0] ?? paper, edge: paper, tile: 'M10 2L18 10 10 18 2 10Z', emblem: 'M12 2L22 12 12 22 2 12Z' };
  return { card: plain, ...(look['back'] as Record<string, BackLook> | undefined) };
}

export function facesOf(look: Look): Record<string, SymbolLook> {
  return (look['face'] ?? {}) as Record<string, SymbolLook>;
}

/** What the look has for one face in particular: under its name, or under what follows its last hyphen. */
export function particular(look: Look, face: string): string | null {
  const faces = facesOf(look);
  if (face in faces) return face;
  const end = face.slice(face.lastIndexOf('-') + 1);
  return face.includes('-') && end in faces ? end : null;
}

/** The colour in which a symbol, or a number that belongs to it, can be read on the felt. */
export function colourOnFelt(sign: SymbolLook): string {
  const light = sign.on_felt ?? sign.colour;
  return isDark() ? (sign.on_felt_dark ?? light) : light;
}

const mounted = new Set<string>();

/** The id that the game's shapes begin with; the first who asks puts the shapes into the page. */
export function sprite(game: Pick<GameContext, 'detail' | 'look'>): string {
  const id = `art-${game.detail.id}`;
  if (!mounted.has(id) && typeof document !== 'undefined') {
    mounted.add(id);
    mount(Sprite, { target: document.body, props: { id, look: game.look } });
  }
  return id;
}

/** A card's rank where it is a plain number, else null. */
export function rankOf(face: Face): number | null {
  return /^\d+$/.test(face.corner) ? Number(face.corner) : null;
}

export interface Spot {
  x: number;
  y: number;
  /** Stands on its head, as on the lower half of a card. */
  turned: boolean;
}

/** Where n symbols stand on a card of 100 by 140, so far from its middle: two columns, the rest between them. */
export function pips(n: number, across: number, down: number): Spot[] {
  const rows = [0, 0, 0, 0, 2, 2, 3, 3][n] ?? 3;
  const heights = Array.from({ length: rows }, (_, i) => (2 * i) / (rows - 1) - 1);
  const sides = heights.flatMap((y) => [-1, 1].map((x) => [x, y] as const));
  const between: Record<number, number[]> = { 1: [0], 2: [-1, 1], 3: [-1, 0, 1], 5: [0], 7: [-0.5] };
  const spots = [...sides, ...(between[n] ?? []).map((y) => [0, y] as const)];
  return spots.map(([x, y]) => ({ x: 50 + across * x, y: 70 + down * y, turned: y > 0 }));
}

/** Colours of the seats' pieces: told apart in the common colour-blindnesses, and readable under white. */
const SEATS = ['#0068a8', '#c24e00', '#00805c', '#a13d77', '#7a5f00', '#55565c'];

export function seatColour(seat: number): string {
  return SEATS[seat % SEATS.length] ?? '#55565c';
}
