// Shows what happened: copies of cards travel over the table from where they were to where they are.
//
// The copies lie above everything and can't be touched, so nothing waits for them: the table below is already as it is.
import { isStill, paced } from '../bones/preferences.svelte';
import { sound } from '../bones/sounds';
import type { Table } from '../wire';
import type { Change, Move, Place } from './diff';

const ONE = 340;
const LONGEST = 1500;
const STOP = 900;

export interface Seen {
  rects: Map<string, DOMRect>;
  copies: Map<string, HTMLElement>;
  /** The zones of what is about to go. */
  zones: Map<string, string>;
}

const key = (element: HTMLElement) =>
  element.dataset.thing !== undefined ? `thing ${element.dataset.thing}` : element.dataset.zone !== undefined ? `zone ${element.dataset.zone}` : `place ${element.dataset.place}`;

/** Where everything is now, and how that looks which is about to go. */
export function look(root: HTMLElement, change: Change): Seen {
  const zones = change.moves.flatMap(({ from }): [string, string][] => (from.thing === null ? [] : [[from.thing, from.zone]]));
  const seen: Seen = { rects: new Map(), copies: new Map(), zones: new Map(zones) };
  const leaving = new Set(change.moves.map((move) => move.from.thing));
  for (const element of root.querySelectorAll<HTMLElement>('[data-thing],[data-zone],[data-place]')) {
    if (seen.rects.has(key(element))) continue;
    const rect = element.getBoundingClientRect();
    if (rect.width) seen.rects.set(key(element), rect);
    if (element.dataset.thing !== undefined && leaving.has(element.dataset.thing)) seen.copies.set(element.dataset.thing, copy(element));
  }
  return seen;
}

function copy(element: HTMLElement): HTMLElement {
  const made = element.cloneNode(true) as HTMLElement;
  for (const each of [made, ...made.querySelectorAll<HTMLElement>('*')]) {
    for (const name of ['data-thing', 'data-zone', 'data-place', 'id', 'tabindex']) each.removeAttribute(name);
  }
  made.setAttribute('aria-hidden', 'true');
  made.setAttribute('inert', '');
  made.classList.remove('glow', 'touched');
  made.classList.add('travelling');
  return made;
}

const find = (root: HTMLElement, name: string, value: string) => root.querySelector<HTMLElement>(`[data-${name}="${CSS.escape(value)}"]`);

export class Motion {
  #running: Animation[] = [];
  #layer: HTMLElement;

  constructor(layer: HTMLElement) {
    this.#layer = layer;
  }

  /** Everything arrives at once. */
  finish(): void {
    for (const animation of this.#running) animation.finish();
    this.#running = [];
  }

  /** Shows a change whose board is on the screen already; resolves when all has arrived. */
  async show(root: HTMLElement, board: Table, before: Seen, change: Change): Promise<void> {
    if (document.visibilityState === 'hidden') return;
    if (isStill()) return this.#highlight(root, change);
    const moves = change.moves.filter((move) => move.from.zone !== move.to.zone || move.from.thing !== null);
    const one = paced(ONE);
    const gap = moves.length > 1 ? Math.min(one * 0.75, (paced(LONGEST) - one) / (moves.length - 1)) : 0;
    const stops = moves.filter((move) => move.via);
    const others = moves.filter((move) => !move.via);
    const stay = stops.length ? one + paced(STOP) : 0;
    const all = [
      ...others.map((move, i) => this.#travel(root, board, before, move, stay + i * gap, one)),
      ...stops.map((move) => this.#travel(root, board, before, move, 0, one, stay)),
    ];
    const turned = [...change.turned, ...change.moves.filter((m) => m.from.zone === m.to.zone && m.from.thing === null).map((m) => m.to.thing!)];
    const start = stay + (others.length ? gap * (others.length - 1) + one * 0.6 : 0);
    for (const id of turned) all.push(this.#turn(find(root, 'thing', id), start, one));
    for (const { thing } of change.appeared) all.push(this.#appear(thing === null ? null : find(root, 'thing', thing), start, one));
    for (const { place, from, to } of change.points) all.push(this.#score(root, place, to - from, start));
    for (const { zone } of change.counts) this.#pulse(find(root, 'zone', zone) ?? find(root, 'thing', zone), start);
    await Promise.all(all);
  }

  #rect(root: HTMLElement, board: Table, place: Place, rects?: Map<string, DOMRect>): DOMRect | null {
    const at = (name: 'thing' | 'zone' | 'place', value: string) => {
      if (rects) return rects.get(`${name} ${value}`);
      const rect = find(root, name, value)?.getBoundingClientRect();
      return rect?.width ? rect : undefined;
    };
    const owner = board.zones.find((zone) => zone.id === place.zone)?.owner;
    return (
      (place.thing === null ? undefined : at('thing', place.thing)) ??
      at('zone', place.zone) ??
      (owner === null || owner === undefined ? undefined : at('place', String(owner))) ??
      null
    );
  }

  /** Beside what lay in a zone, or in its middle. */
  #beside(root: HTMLElement, board: Table, before: Seen, zone: string, like: DOMRect): DOMRect | null {
    const lay = [...before.copies.keys()].filter((id) => before.zones.get(id) === zone).map((id) => before.rects.get(`thing ${id}`));
    const last = lay.at(-1);
    if (last) return new DOMRect(last.x + last.width * 0.62, last.y, last.width, last.height);
    const rect = this.#rect(root, board, { zone, thing: null });
    return rect && centred(rect, like);
  }

  async #travel(root: HTMLElement, board: Table, before: Seen, move: Move, delay: number, duration: number, stay = 0): Promise<void> {
    const target = move.to.thing === null ? null : find(root, 'thing', move.to.thing);
    const left = this.#rect(root, board, move.from, before.rects);
    const arrives = this.#rect(root, board, move.to);
    const leaving = move.from.thing === null ? undefined : before.copies.get(move.from.thing);
    const arriving = target ? copy(target) : undefined;
    const sample = leaving ?? arriving;
    if (!left || !arrives || !sample) return;
    const to = target ? arrives : centred(arrives, left);
    const from = move.from.thing !== null && before.rects.has(`thing ${move.from.thing}`) ? left : centred(left, to);
    if (Math.hypot(from.x - to.x, from.y - to.y) < 4) return;
    setTimeout(() => sound(board.zones.some((z) => z.things.some((x) => x.id === move.to.thing && x.is === 'token')) ? 'chip' : move.turns ? 'flip' : 'slide'), delay);

    const shown = move.turns && leaving && arriving ? [leaving, arriving] : [arriving ?? sample];
    const stop = move.via ? this.#beside(root, board, before, move.via, to) : null;
    const whole = stop ? stay + duration : duration;
    if (target) this.#keep(target.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + whole }));
    const flights = shown.map((ghost, i) => {
      place(ghost, to);
      this.#layer.append(ghost);
      const path = frames(from, stop ?? to, to);
      const turning = shown.length > 1;
      const steps: Keyframe[] = path.map((transform, step) => {
        const half = step / (path.length - 1);
        const angle = !turning ? 0 : i === 0 ? Math.min(90, half * 180) : Math.max(-90, half * 180 - 180);
        const offset = (half * duration) / whole;
        return { transform: `${transform} rotateY(${angle}deg)`, opacity: turning && (i === 0 ? half > 0.5 : half < 0.5) ? 0 : 1, offset };
      });
      const isGone = turning && i === 0;
      const onward = stop ? frames(stop, to, to) : [];
      onward.forEach((transform, step) => steps.push({ transform, opacity: isGone ? 0 : 1, offset: (stay + (duration * step) / (onward.length - 1)) / whole }));
      const animation = ghost.animate(steps, { duration: whole, delay, easing: stop ? 'linear' : 'cubic-bezier(.3,.1,.2,1)', fill: 'backwards' });
      ghost.style.visibility = delay > 0 && move.from.thing === null ? 'hidden' : 'visible';
      if (delay > 0) setTimeout(() => (ghost.style.visibility = 'visible'), delay);
      return this.#keep(animation).finally(() => ghost.remove());
    });
    await Promise.all(flights);
  }

  async #turn(element: HTMLElement | null, delay: number, duration: number): Promise<void> {
    if (!element) return;
    setTimeout(() => sound('flip'), delay);
    await this.#keep(
      element.animate([{ scale: '1 1' }, { scale: '0.02 1.06', offset: 0.01 }, { scale: '1 1' }], { duration, delay, easing: 'ease-out' }),
    );
  }

  async #appear(element: HTMLElement | null, delay: number, duration: number): Promise<void> {
    if (element) await this.#keep(element.animate([{ opacity: 0, scale: '0.7' }, { opacity: 1, scale: '1' }], { duration, delay, fill: 'backwards', easing: 'ease-out' }));
  }

  #pulse(element: HTMLElement | null, delay: number): void {
    const badge = element?.querySelector<HTMLElement>('.count') ?? null;
    if (badge) void this.#keep(badge.animate([{ scale: '1' }, { scale: '1.35' }, { scale: '1' }], { duration: paced(ONE), delay }));
  }

  /** Points fly to the seat that got them. */
  async #score(root: HTMLElement, place_: number, points: number, delay: number): Promise<void> {
    const seat = find(root, 'place', String(place_));
    const target = seat?.querySelector<HTMLElement>('.points') ?? seat;
    const felt = root.querySelector<HTMLElement>('.felt')?.getBoundingClientRect();
    if (!target || !felt) return;
    const to = target.getBoundingClientRect();
    const ghost = document.createElement('span');
    ghost.className = 'flying-points';
    ghost.textContent = points > 0 ? `+${points}` : `−${-points}`;
    place(ghost, new DOMRect(to.x + to.width / 2 - 24, to.y + to.height / 2 - 24, 48, 48));
    this.#layer.append(ghost);
    setTimeout(() => sound('chip'), delay);
    const x = felt.x + felt.width / 2 - (to.x + to.width / 2);
    const y = felt.y + felt.height / 2 - (to.y + to.height / 2);
    const animation = ghost.animate(
      [
        { transform: `translate(${x}px,${y}px) scale(.4)`, opacity: 0 },
        { transform: `translate(${x}px,${y}px) scale(1.5)`, opacity: 1, offset: 0.25 },
        { transform: 'translate(0,0) scale(1)', opacity: 1, offset: 0.9 },
        { transform: 'translate(0,0) scale(.6)', opacity: 0 },
      ],
      { duration: paced(900), delay, easing: 'ease-in-out', fill: 'both' },
    );
    await this.#keep(animation).finally(() => ghost.remove());
  }

  /** Where nothing should move, what is new lights up for a moment. */
  #highlight(root: HTMLElement, change: Change): void {
    const ids = [...change.moves.map((move) => move.to.thing), ...change.turned, ...change.appeared.map((place) => place.thing)];
    for (const id of ids) {
      const element = id === null ? null : find(root, 'thing', id);
      element?.animate([{ outline: '3px solid var(--glow)' }, { outline: '3px solid transparent' }], { duration: 900 });
    }
    if (change.moves.length) sound('slide');
  }

  #keep(animation: Animation): Promise<void> {
    this.#running.push(animation);
    return animation.finished.then(() => {}, () => {}).finally(() => {
      this.#running = this.#running.filter((each) => each !== animation);
    });
  }
}

function place(ghost: HTMLElement, rect: DOMRect): void {
  const style = ghost.style;
  style.position = 'absolute';
  style.left = `${rect.x}px`;
  style.top = `${rect.y}px`;
  style.width = `${rect.width}px`;
  style.height = `${rect.height}px`;
  style.margin = '0';
  style.transform = 'none';
  style.translate = 'none';
  style.rotate = 'none';
}

/** A rectangle like `size` in the middle of another. */
function centred(within: DOMRect, size: DOMRect): DOMRect {
  const width = Math.min(size.width, 80);
  const height = width * 1.4;
  return new DOMRect(within.x + (within.width - width) / 2, within.y + (within.height - height) / 2, width, height);
}

/** The way from one rectangle to another, lifted a little in the middle, for something that lies at `home`. */
function frames(from: DOMRect, to: DOMRect, home: DOMRect): string[] {
  const away = (rect: DOMRect) => ({
    x: rect.x + rect.width / 2 - (home.x + home.width / 2),
    y: rect.y + rect.height / 2 - (home.y + home.height / 2),
    scale: Math.max(0.2, rect.width / Math.max(1, home.width)),
  });
  const [first, last] = [away(from), away(to)];
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const between = (name: 'x' | 'y' | 'scale') => first[name] * (1 - part) + last[name] * part;
    const lift = Math.sin(part * Math.PI);
    return `translate(${between('x').toFixed(1)}px,${(between('y') - lift * 14).toFixed(1)}px) scale(${(between('scale') + lift * 0.08).toFixed(3)})`;
  });
}
