// One table being played at: the view that is shown, what was touched so far, and what is asked of the server.
import { getContext, setContext } from 'svelte';
import { announce } from '../bones/announce.svelte';
import type { GameContext } from '../bones/game.svelte';
import { preferences } from '../bones/preferences.svelte';
import { Refusal, type Asked, type TableSocket } from '../bones/socket.svelte';
import { hasWords, t } from '../bones/words.svelte';
import type { View } from '../bones/view';
import type { Choice, Hinted, Table, Text, WhyNot, Zone } from '../wire';
import { initials, namesAt } from './names';
import { complete, drop, equalCards, glowing, hits, keep, meant, open, touch } from './narrow';
import { zoneLook, type ZoneLook } from './layout';

/** What is needed of a table's socket; something that only shows a board can do with less. */
export type Link = Pick<TableSocket, 'presence' | 'lines' | 'said' | 'ask' | 'now'>;

export class Play {
  game: GameContext | null = $state.raw(null);
  /** What is shown; it may lag behind the newest view while things still move. */
  view: View | null = $state.raw(null);
  touched: string[] = $state.raw([]);
  /** A choice that only waits to be confirmed, because a preference asks for it. */
  waiting: Choice | null = $state.raw(null);
  isSending = $state(false);
  why: WhyNot | null = $state.raw(null);
  notice: string | null = $state(null);
  hinted: Hinted | null = $state.raw(null);
  isHinting = $state(false);
  /** Zones that somebody looks into, and under which title. */
  opened: { title: string; zones: string[] } | null = $state.raw(null);
  peeking: string | null = $state(null);
  /** Things that earned what somebody looks at in the score sheet. */
  earned: readonly string[] = $state.raw([]);
  dragged: string | null = $state(null);
  #made: string | null = $state(null);
  onTouch: () => void = () => {};

  board: Table | null = $derived(this.view?.board ?? null);
  me: number | null = $derived(this.view?.me ?? null);
  names: string[] = $derived(namesAt(this.game, this.view?.seats ?? [], this.board?.places ?? 0));
  initials: string[] = $derived(initials(this.names));
  choices: Choice[] = $derived(
    this.isSending || !this.board || this.view?.stage !== 'playing' || this.view.decision === this.#made ? [] : this.board.choices,
  );
  isMyTurn = $derived(this.choices.length > 0);
  glow: Set<string> = $derived(glowing(this.choices, this.touched));
  buttons: Set<string> = $derived(new Set(this.board?.buttons.map((button) => button.id)));
  equals = $derived(equalCards(this.board?.zones ?? []));
  ready: Choice | null = $derived(this.waiting ?? complete(this.choices, this.touched));
  narrowed: Choice[] = $derived(this.touched.length ? open(this.choices, this.touched) : []);

  constructor(readonly socket: Link) {}

  say(text: Text): string {
    return this.game?.texts.say(text, this.names) ?? '';
  }

  zone(id: string): Zone | undefined {
    return this.board?.zones.find((zone) => zone.id === id);
  }

  lookOf(zone: Zone): ZoneLook {
    return zoneLook(this.game?.look ?? {}, zone);
  }

  /** Does a touch on this lead on? Equal cards glow together. */
  glows(id: string): boolean {
    return this.glow.has(id) || meant([id], this.glow, this.equals) !== null;
  }

  isTouched(id: string): boolean {
    return this.touched.includes(id);
  }

  show(view: View): void {
    this.view = view;
    if (this.#made !== null && view.decision !== this.#made) this.#made = null;
    this.touched = keep(this.choices, this.touched);
    if (this.waiting && !this.choices.includes(this.waiting)) this.waiting = null;
    if (this.hinted && this.hinted.decision !== view.decision) this.hinted = null;
    if (this.opened && !this.opened.zones.some((id) => this.zone(id))) this.opened = null;
  }

  /** Something was touched: a thing, a cell, a zone or a button. */
  touch(hit: readonly string[]): void {
    if (!this.board || hit.length === 0) return;
    this.onTouch();
    this.forget();
    if (!this.isMyTurn) return this.#dead(hit);
    const result = touch(this.choices, this.touched, hit, this.equals, this.buttons);
    switch (result.is) {
      case 'chosen':
        return this.choose(result.choice, hit.length > 0 && this.ready === result.choice);
      case 'step':
      case 'back':
        this.touched = result.touched;
        if (this.ready) announce(t('table.lifted', { what: this.say(this.ready.label) }));
        return;
      case 'dead':
        return this.#dead(hit);
    }
  }

  touchId(id: string): void {
    if (this.board) this.touch(hits(this.board, id));
  }

  back(): void {
    if (this.waiting) this.waiting = null;
    this.touched = this.touched.slice(0, -1);
    this.forget();
  }

  /** A thing was dropped; was that a choice? */
  dropped(dragged: readonly string[], hit: readonly string[], onTable: boolean): boolean {
    const choice = drop(this.choices, dragged, hit, onTable, this.equals);
    if (choice) this.choose(choice);
    return choice !== null;
  }

  forget(): void {
    this.why = null;
    this.notice = null;
    this.peeking = null;
  }

  /** Make a choice, or ask first whether it is meant; `sure` when that has been answered. */
  choose(choice: Choice, sure = false): void {
    if (preferences.confirmChoices && !sure && this.waiting !== choice) {
      this.waiting = choice;
      this.touched = [...choice.path];
      return;
    }
    void this.#send(choice);
  }

  async #send(choice: Choice): Promise<void> {
    const decision = this.view?.decision;
    if (this.isSending || decision === null || decision === undefined) return;
    this.isSending = true;
    this.hinted = null;
    this.opened = null;
    if (await this.ask({ do: 'choose', decision, choice: choice.number })) this.#made = decision;
    this.touched = [];
    this.waiting = null;
    this.isSending = false;
  }

  /** Ask something of the table; a refusal is said. */
  async ask(asked: Asked): Promise<boolean> {
    try {
      await this.socket.ask(asked);
      return true;
    } catch (refusal) {
      this.refused(refusal);
      return false;
    }
  }

  refused(refusal: unknown): void {
    const why = refusal instanceof Refusal ? refusal.why : 'internal';
    const key = `refused.${why}`;
    this.notice = hasWords(key) ? t(key) : refusal instanceof Error ? refusal.message : why;
    announce(this.notice, true);
  }

  async hint(): Promise<void> {
    const decision = this.view?.decision;
    if (!this.view?.may_hint || !decision || !this.isMyTurn || this.isHinting) return;
    this.isHinting = true;
    try {
      const hinted = await this.socket.ask({ do: 'hint', decision });
      if (this.view?.decision === hinted.decision) this.hinted = hinted;
    } catch (refusal) {
      this.refused(refusal);
    }
    this.isHinting = false;
  }

  open(title: string, zones: string[]): void {
    this.opened = { title, zones };
  }

  /** Nothing can be done with it now: look at it, or say why not. */
  #dead(hit: readonly string[]): void {
    const zone = this.zone(hit.at(-1) ?? '');
    const thing = zone?.things.find((each) => each.id === hit[0]);
    if (thing?.is === 'card' && thing.down && thing.face !== null) this.peeking = thing.id;
    else if (zone?.kind === 'pile' && zone.things.length > 1) return this.open(this.say(zone.title), [zone.id]);
    void this.#askWhyNot(hit[0]!);
  }

  async #askWhyNot(thing: string): Promise<void> {
    if (this.me === null || this.view?.stage !== 'playing') return;
    try {
      const { why } = await this.socket.ask({ do: 'why-not', thing });
      this.why = why;
    } catch {
      // nothing was asked that matters
    }
  }
}

const KEY = Symbol('play');

export function setPlay(play: Play): Play {
  return setContext(KEY, play);
}

export function usePlay(): Play {
  return getContext<Play>(KEY);
}
