// The HTTP API as functions. Each throws ApiError if it is refused or the server can't be reached.
import type {
  Code, GameDetail, GameInfo, GameWords, MyTable, NewProfile, NewTable, OpenTable, Profile, Replay, Review, Scores,
  TableName, AccessToken, View,
} from '../wire';
import { whole, wholeReplay } from './view';

export class ApiError extends Error {
  constructor(readonly why: string, message: string, readonly status: number) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('unreachable', 'the server can not be reached', 0);
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const refused = (await answer.json().catch(() => ({}))) as { why?: string; message?: string };
  throw new ApiError(refused.why ?? 'internal', refused.message ?? answer.statusText, answer.status);
}

const get = <T>(path: string) => ask<T>('GET', path);
const word = encodeURIComponent;
const asSeat = (seat: number | null | undefined) => (seat === null || seat === undefined ? '' : `?seat=${seat}`);

export const api = {
  games: () => get<GameInfo[]>('/games'),
  game: (id: string) => get<GameDetail>(`/games/${word(id)}`),
  words: (id: string, language: string) => get<GameWords>(`/games/${word(id)}/words/${word(language)}`),
  me: () => get<Profile>('/me'),
  changeMe: (wish: NewProfile) => ask<Profile>('PATCH', '/me', wish),
  deleteMe: () => ask<void>('DELETE', '/me'),
  makeCode: () => ask<Code>('POST', '/me/code'),
  useCode: (code: string) => ask<Profile>('POST', '/identity', { code }),
  tokens: () => get<AccessToken[]>('/me/tokens'),
  makeToken: (label: string) => ask<AccessToken>('POST', '/me/tokens', { label }),
  deleteToken: (id: string) => ask<void>('DELETE', `/me/tokens/${word(id)}`),
  openTable: (wish: NewTable) => ask<TableName>('POST', '/tables', wish),
  openTables: () => get<OpenTable[]>('/lobby'),
  myTables: () => get<MyTable[]>('/me/tables'),
  replay: (table: string, seat?: number | null) => get<Replay>(`/tables/${word(table)}/replay${asSeat(seat)}`).then(wholeReplay),
  table: (table: string) => get<View>(`/tables/${word(table)}`).then((sent) => whole(sent, null)),
  scores: (table: string) => get<Scores>(`/tables/${word(table)}/scores`),
  /** The judged decisions of a seat from number `from` on; ask on until there are as many as it says. */
  review: (table: string, seat: number, from = 0) =>
    get<Review>(`/tables/${word(table)}/review?seat=${seat}&from=${from}`),
  continueFrom: (table: string, step: number, seat: number | null, bot: string) =>
    ask<TableName>('POST', `/tables/${word(table)}/continue`, { step, seat, bot }),
};
