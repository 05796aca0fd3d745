// One table's socket: the newest view, every line, and requests with their answers. It comes back by itself; a request
// whose answer was lost is never sent again, because the next view shows whether it was carried out.
import type { Explained, Hinted, Line, Message, Pong, Presence, Request, SaidView } from '../wire';
import { whole, type View } from './view';

export class Refusal extends Error {
  constructor(readonly why: string, message: string) {
    super(message);
  }
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Asked = Without<Request, 'id'>;
type AnswerTo<R extends Asked> = R extends { do: 'hint' } ? Hinted
  : R extends { do: 'why-not' } ? Explained
  : R extends { do: 'ping' } ? Pong
  : View;

interface Waiting {
  asked: Asked;
  done(answer: View | Hinted | Explained | Pong): void;
  refused(why: Refusal): void;
}

const FINAL: Record<number, string> = { 4001: 'wrong-token', 4003: 'removed', 4004: 'no-such-table' };
const PATIENCE = 5_000;
const PING_EVERY = 25_000;

export class TableSocket {
  view: View | null = $state.raw(null);
  presence: Presence | null = $state.raw(null);
  lines: Line[] = $state.raw([]);
  said: SaidView[] = $state.raw([]);
  status: 'connecting' | 'open' | 'lost' | 'closed' = $state('connecting');
  closedWhy: string | null = $state(null);
  /** How often it was tried in vain since it was last open. */
  tries = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ahead = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #isFresh = false;

  constructor(readonly table: string) {
    this.#connect();
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#doubt);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#pinging = setInterval(this.#doubt, PING_EVERY);
  }

  /** The server's time in seconds. */
  now(): number {
    return Date.now() / 1000 + this.#ahead;
  }

  /** Carried out, or rejected with a Refusal; one that says `lost` may have been carried out: look at the view. */
  ask<R extends Asked>(asked: R): Promise<AnswerTo<R>> {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN || this.status !== 'open') {
        reject(new Refusal('lost', 'there is no connection'));
        return;
      }
      const id = ++this.#lastId;
      this.#waiting.set(id, { asked, done: resolve as Waiting['done'], refused: reject });
      this.#socket.send(JSON.stringify({ ...asked, id }));
    });
  }

  close(): void {
    this.status = 'closed';
    clearTimeout(this.#retry);
    clearInterval(this.#pinging);
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#doubt);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#drop();
    this.#forget();
  }

  #connect(): void {
    this.#drop();
    clearTimeout(this.#retry);
    const url = new URL(`/api/tables/${encodeURIComponent(this.table)}/socket`, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#isFresh = true;
    const tooLong = setTimeout(() => this.#lost(socket), 2 * PATIENCE);
    socket.onmessage = (event) => {
      clearTimeout(tooLong);
      this.#take(JSON.parse(event.data as string) as Message);
    };
    socket.onclose = (event) => {
      clearTimeout(tooLong);
      const why = FINAL[event.code];
      if (why) {
        this.closedWhy = why;
        this.close();
      } else this.#lost(socket);
    };
  }

  #drop(): void {
    const old = this.#socket;
    this.#socket = null;
    if (!old) return;
    old.onmessage = old.onclose = null;
    old.close();
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.status === 'closed') return;
    this.#drop();
    this.status = 'lost';
    this.tries += 1;
    const wait = Math.min(15_000, 400 * 2 ** Math.min(this.tries - 1, 6)) * (0.7 + 0.6 * Math.random());
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  /** The network is back, or somebody looks again: no reason to wait any longer. */
  #hurry = (): void => {
    if (document.visibilityState !== 'visible' || this.status === 'closed') return;
    if (this.#socket) this.#doubt();
    else this.#connect();
  };

  /** After a sleep a socket can look open and be dead: ask, and don't wait long. */
  #doubt = (): void => {
    const socket = this.#socket;
    if (!socket || this.status !== 'open') return;
    const dead = setTimeout(() => this.#lost(socket), PATIENCE);
    const asked = Date.now();
    this.ask({ do: 'ping' })
      .then((pong) => {
        this.#ahead = pong.now - (asked + Date.now()) / 2000;
      })
      .catch(() => {})
      .finally(() => clearTimeout(dead));
  };

  #take(message: Message): void {
    switch (message.is) {
      case 'view':
        return this.#show(whole(message, this.#isFresh ? null : this.view));
      case 'presence':
        this.presence = message;
        return;
      case 'refused':
        if (message.id) this.#answered(message.id)?.refused(new Refusal(message.why, message.message));
        else this.closedWhy = message.why;
        return;
      default:
        this.#answered(message.id)?.done(message);
    }
  }

  #show(view: View): void {
    this.lines = follow(this.lines, view.first_line, view.lines);
    this.said = follow(this.said, view.first_said, view.said);
    this.view = view;
    if (this.#isFresh) {
      this.#isFresh = false;
      this.status = 'open';
      this.tries = 0;
      this.closedWhy = null;
      this.#settle(view);
      this.#doubt();
    }
    for (const id of view.done) this.#answered(id)?.done(view);
  }

  /** What was asked before the connection was lost: a choice was made if its decision is no longer open. */
  #settle(view: View): void {
    for (const { asked, done, refused } of this.#forget()) {
      if (asked.do === 'choose' && asked.decision !== view.decision) done(view);
      else refused(new Refusal('lost', 'the connection was lost'));
    }
  }

  #forget(): Waiting[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.status === 'closed') for (const each of waiting) each.refused(new Refusal('lost', 'the table was left'));
    return waiting;
  }

  #answered(id: number): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found;
  }
}

/** What follows replaces all from `first` on. */
export function follow<T>(known: T[], first: number, more: T[]): T[] {
  return first === known.length && !more.length ? known : [...known.slice(0, first), ...more];
}
