// The socket against a server that is only pretended: what is kept, what is answered, and that nothing is sent twice.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { View } from '../wire';
import { follow, TableSocket } from './socket.svelte';

class FakeSocket {
  static OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 1;
  sent: { do: string; id: number }[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: URL) {
    FakeSocket.made.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  hear(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  get asked() {
    return this.sent.filter((request) => request.do !== 'ping');
  }
}

const view = (more: object = {}) =>
  ({ is: 'view', number: 1, table: 'abc', done: [], decision: '0.1', first_line: 0, lines: [], first_said: 0, said: [], ...more }) as unknown as View;
const last = () => FakeSocket.made.at(-1)!;

let table: TableSocket;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  const listening = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { href: 'https://town.example/t/abc' });
  vi.stubGlobal('document', { ...listening, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', listening.addEventListener);
  vi.stubGlobal('removeEventListener', listening.removeEventListener);
  table = new TableSocket('abc');
});

afterEach(() => {
  table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a table’s socket', () => {
  it('is open once it has a view', () => {
    expect(String(last().url)).toBe('wss://town.example/api/tables/abc/socket');
    expect(table.status).toBe('connecting');
    last().hear(view());
    expect(table.status).toBe('open');
  });

  it('answers a request by the view that says it is done', async () => {
    last().hear(view());
    const asked = table.ask({ do: 'undo' });
    last().hear(view({ number: 2, done: [last().asked[0]!.id] }));
    expect((await asked).number).toBe(2);
  });

  it('says why something was refused', async () => {
    last().hear(view());
    const asked = table.ask({ do: 'undo' });
    last().hear({ is: 'refused', id: last().asked[0]!.id, why: 'nothing-to-undo', message: '' });
    await expect(asked).rejects.toMatchObject({ why: 'nothing-to-undo' });
  });

  it('comes back by itself, later each time, and sends nothing again', async () => {
    last().hear(view());
    const asked = table.ask({ do: 'choose', decision: '0.1', choice: 3 });
    last().drop();
    expect(table.status).toBe('lost');
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const before = FakeSocket.made.length;
      let waited = 0;
      while (FakeSocket.made.length === before) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
      last().drop();
    }
    expect(waits[3]).toBeGreaterThan(waits[0]!);
    while (last().readyState !== 1) vi.advanceTimersByTime(500);
    last().hear(view({ decision: '0.1' }));
    await expect(asked).rejects.toMatchObject({ why: 'lost' });
    expect(FakeSocket.made.flatMap((socket) => socket.asked)).toHaveLength(1);
  });

  it('knows that a choice was made if its decision is no longer open', async () => {
    last().hear(view());
    const asked = table.ask({ do: 'choose', decision: '0.1', choice: 3 });
    last().drop();
    while (FakeSocket.made.length < 2) vi.advanceTimersByTime(100);
    last().hear(view({ number: 5, decision: '0.2' }));
    expect((await asked).number).toBe(5);
  });

  it('refuses at once while there is no connection', async () => {
    await expect(table.ask({ do: 'undo' })).rejects.toMatchObject({ why: 'lost' });
    expect(last().sent).toEqual([]);
  });

  it('gives up a socket that looks open and answers nothing', () => {
    last().hear(view());
    vi.advanceTimersByTime(40_000);
    expect(FakeSocket.made.length).toBeGreaterThan(1);
  });

  it('stays away from where it was sent away', () => {
    last().hear(view());
    last().drop(4003);
    vi.advanceTimersByTime(60_000);
    expect([table.status, table.closedWhy, FakeSocket.made.length]).toEqual(['closed', 'removed', 1]);
  });
});

it('lines that follow replace those from their first on', () => {
  expect(follow(['a', 'b', 'c'], 3, ['d'])).toEqual(['a', 'b', 'c', 'd']);
  expect(follow(['a', 'b', 'c'], 1, ['x'])).toEqual(['a', 'x']);
  expect(follow(['a'], 0, [])).toEqual([]);
});
