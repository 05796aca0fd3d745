// All that goes over the wire. Made from the types in src/cardtown/server/messages.py by `make docs`; don't edit.

/** A program shows `token` to act for me; it is told once. */
export interface AccessToken {
  id: string;
  label: string;
  token: string | null;
}

/** A choice: the chance to win with it, the range in which that likely lies, and the points to expect. */
export interface AdvisedView {
  choice: Choice;
  win: number;
  low: number;
  high: number;
  points: number;
}

/** Agree that another's choice is taken back, or not. */
export interface AnswerUndo {
  do: "answer-undo";
  id?: number;
  agrees: boolean;
}

/** Why can't I touch this thing now? */
export interface AskWhyNot {
  do: "why-not";
  id?: number;
  thing: string;
}

/** The board. In place of a zone stands its id, and null in place of the score sheet, where they are as in the view before on the same socket; the first one has all of them. */
export interface BoardView {
  game: string;
  seat: number | null;
  seats: number;
  places: number;
  acting: number[];
  progress: Text;
  prompt: Text;
  zones: (string | Zone)[];
  buttons: Button[];
  choices: Choice[];
  sheet: Sheet | null;
  ending: Ending | null;
}

/** Something to touch for choices that no thing on the table stands for. */
export interface Button {
  id: string;
  label: Text;
}

/** A card in a zone. Without a face it shows its back, and its id says only where it lies. `down`: it lies face down; a watcher who may look at it sees its face all the same. `known`: it is in a hidden place, but everybody has seen it. `at`: the cell it lies on. */
export interface Card {
  is: "card";
  id: string;
  face: string | null;
  back: string;
  down: boolean;
  known: boolean;
  at: number | null;
}

/** A place on a board: it can be touched, and things lie `at` its index. */
export interface Cell {
  id: string;
  title: Text;
  look: string | null;
}

/** A legal choice: touch the things of `path` one after another. `move` is its notation. */
export interface Choice {
  number: number;
  path: string[];
  label: Text;
  move: string;
}

/** Answer a decision by one of the choices of the view. Another's sealed choice does not make it stale. */
export interface Choose {
  do: "choose";
  id?: number;
  decision: string;
  choice: number;
}

/** How long people may think: as long as they like, so many seconds per move, or so many for the whole game. */
export interface Clock {
  kind: "game" | "move" | "none";
  seconds: number;
}

/** Seconds that each seat has thought, and since when (server time) it is being waited for. */
export interface ClockView {
  kind: "game" | "move" | "none";
  seconds: number;
  spent: number[];
  since: (number | null)[];
}

/** The host closes the table before its match is over. */
export interface Close {
  do: "close";
  id?: number;
}

/** What to type on a second device, within so many seconds. */
export interface Code {
  code: string;
  seconds: number;
}

/** Take my seat again from the bot that plays for me. */
export interface ComeBack {
  do: "come-back";
  id?: number;
}

/** How the game ended: who won, the final scores and, in one sentence, why. */
export interface Ending {
  winners: number[];
  scores: number[];
  reason: Text;
}

/** What was asked for can't be done; nothing has changed. */
export interface Error {
  why: string;
  message: string;
}

/** The clause that forbids touching the thing; null if it may be touched or there is nothing to say. */
export interface Explained {
  is: "explained";
  id: number;
  thing: string;
  why: WhyNot | null;
}

/** What is printed on a card. `suit` names its look (symbol, colour, letter); `marks` are counted icons. */
export interface Face {
  corner: string;
  suit: string | null;
  title: Text;
  marks: Record<string, number>;
}

/** In a text: the name of a card. */
export interface FaceName {
  is: "face";
  face: string;
}

/** Go on at the table that the view names as the rematch, over this socket: all that follows is about that table. */
export interface Follow {
  do: "follow";
  id?: number;
}

/** The game with its cards' descriptions, what they are drawn from, and what the first-game tour says. */
export interface GameDetail {
  id: string;
  title: string;
  titles: Record<string, string>;
  pitches: Record<string, string>;
  languages: string[];
  seats: number[];
  parties: Party[];
  is_solo: boolean;
  minutes: number;
  options: OptionInfo[];
  bots: string[];
  theme: Record<string, unknown>;
  district: string;
  clauses: string[];
  faces: Record<string, Face>;
  look: Record<string, unknown>;
  guide: Record<string, unknown>;
}

/** A game of the town. Titles and pitches are told by language; `theme` and `district` (an SVG) are how it looks. */
export interface GameInfo {
  id: string;
  title: string;
  titles: Record<string, string>;
  pitches: Record<string, string>;
  languages: string[];
  seats: number[];
  parties: Party[];
  is_solo: boolean;
  minutes: number;
  options: OptionInfo[];
  bots: string[];
  theme: Record<string, unknown>;
  district: string;
}

/** A game's texts in one language: messages by key, and the help. */
export interface GameWords {
  language: string;
  messages: Record<string, unknown>;
  help: string;
}

export interface GivenCode {
  code: string;
}

/** Go on after so many choices of a finished match, in a seat (if none is said: mine, or whose turn it is). */
export interface GoOn {
  step: number;
  seat?: number | null;
  bot?: string;
}

export interface Health {
  status: "ok";
  version: string;
}

/** What would the strong bot do, knowing what I know? */
export interface Hint {
  do: "hint";
  id?: number;
  decision: string;
}

/** All my choices, the best first, and how the bot expects the game to go on; exact advice is certain. */
export interface Hinted {
  is: "hinted";
  id: number;
  decision: string;
  choices: AdvisedView[];
  line: StepView[];
  is_exact: boolean;
}

/** Leave my seat before the match has begun. */
export interface Leave {
  do: "leave";
  id?: number;
}

/** A line of the log. `reveals`: somebody learnt something by it, so what led to it can't be undone unnoticed. */
export interface Line {
  text: Text;
  reveals: boolean;
}

/** The host decides whether somebody may talk. */
export interface Mute {
  do: "mute";
  id?: number;
  who: string;
  muted?: boolean;
}

/** A table where I sit or sat. */
export interface MyTable {
  table: string;
  game: string;
  stage: "closed" | "open" | "over" | "playing";
  players: string[];
  is_my_turn: boolean;
  at: number;
  winners: number[];
}

/** What I would like to change of it. */
export interface NewProfile {
  name?: string | null;
  plays_forced?: boolean | null;
}

/** A table to be opened. Each seat is `me`, `open` or the name of a bot; as many as choose in the game. */
export interface NewTable {
  game: string;
  seats: string[];
  options?: Record<string, number | string>;
  is_listed?: boolean;
  may_hint?: boolean;
  clock?: Clock;
}

export interface NewToken {
  label: string;
}

/** A table that everybody may join or watch. */
export interface OpenTable {
  table: string;
  game: string;
  options: Record<string, number | string>;
  stage: "closed" | "open" | "over" | "playing";
  players: string[];
  free: number;
  clock: Clock;
}

export interface OptionInfo {
  name: string;
  values: (number | string)[];
  default: number | string;
  seats: number[];
}

/** So many may choose in a game: in a table of so many seats, with these options besides those one likes. */
export interface Party {
  players: number;
  seats: number;
  options: Record<string, number | string>;
}

/** Are you there, and what is the time? */
export interface Ping {
  do: "ping";
  id?: number;
}

/** I am here; `now` is the server's time in seconds. */
export interface Pong {
  is: "pong";
  id: number;
  now: number;
}

/** Who is there: each seat's person, and how many others watch. */
export interface Presence {
  is: "presence";
  seats: boolean[];
  watchers: number;
}

/** Who I am here. `plays_forced`: the server makes choices for me where I have only one. */
export interface Profile {
  name: string;
  plays_forced: boolean;
  ratings: Record<string, number>;
}

/** What was asked for can't be done; nothing has changed. */
export interface Refused {
  is: "refused";
  id: number;
  why: string;
  message: string;
}

/** Play again with the same seats. When all people who sit here want it, the view names the new table. */
export interface Rematch {
  do: "rematch";
  id?: number;
}

/** The host sends somebody away: a watcher, or before the match has begun somebody who sits there. */
export interface Remove {
  do: "remove";
  id?: number;
  who: string;
}

/** A finished match as one seat saw it, or as spectators did (null). */
export interface Replay {
  table: string;
  seat: number | null;
  steps: Step[];
}

/** Give up. With three or more seats a bot plays on for me. */
export interface Resign {
  do: "resign";
  id?: number;
}

/** How the match ended, and the secret that was committed to at its start. */
export interface Result {
  reason: "resignation" | "rules";
  winners: number[];
  scores: number[];
  secret: string;
}

/** Send me the whole view again. */
export interface Resync {
  do: "resync";
  id?: number;
}

/** The decisions of a seat in which there was a choice, from the one asked for on, as far as they are judged now. There are `of` in all: ask for those that follow until you have them. `lost` is the chance to win given away. */
export interface Review {
  table: string;
  seat: number;
  of: number;
  choices: ReviewedChoice[];
}

/** One of my decisions: what I chose, and what the bot thinks of all I could, from what I knew then. */
export interface ReviewedChoice {
  step: number;
  chosen: Choice;
  choices: AdvisedView[];
  lost: number;
}

/** A row of the score sheet: points per place, and why; `None` where nothing was to be had. `things`: what earned it, as far as it still lies on the table: ids of things, cells or zones that all can see. */
export interface Row {
  title: Text;
  points: (number | null)[];
  why: Text | null;
  things: string[];
}

/** Something that was said; `who` is a name for muting and removing, not a secret. */
export interface SaidView {
  at: number;
  who: string;
  name: string;
  seat: number | null;
  text: string;
}

/** Say something to everybody at the table. */
export interface Say {
  do: "say";
  id?: number;
  text: string;
}

/** The points of every place after so many choices, from none on: the course of a finished match. */
export interface Scores {
  table: string;
  totals: number[][];
}

/** The host puts a bot into a free seat, or frees a bot's seat (null). When all are taken the match begins. */
export interface SeatBot {
  do: "seat-bot";
  id?: number;
  seat: number;
  bot: string | null;
}

/** In a text: the name of whoever sits there. */
export interface SeatName {
  is: "seat";
  seat: number;
}

/** Who sits in a seat; one that plays by `itself` follows the rules alone. `who` is a name for muting and removing. `stand_in` is the bot that plays for a person who is away or gave up. */
export interface SeatView {
  kind: "bot" | "itself" | "open" | "person";
  name: string;
  who: string | null;
  bot: string | null;
  stand_in: string | null;
  has_resigned: boolean;
  rating: number | null;
}

export interface Sheet {
  rows: Row[];
  totals: number[];
}

/** Take a free seat. When all are taken the match begins. */
export interface Sit {
  do: "sit";
  id?: number;
  seat: number;
}

/** The table after so many choices, as one seat saw it; `move` is the choice that led to it. */
export interface Step {
  seat: number | null;
  move: string | null;
  board: Table;
  lines: Line[];
}

export interface StepView {
  seat: number;
  choice: Choice;
}

/** Everything that one watcher sees. */
export interface Table {
  game: string;
  seat: number | null;
  seats: number;
  places: number;
  acting: number[];
  progress: Text;
  prompt: Text;
  zones: Zone[];
  buttons: Button[];
  choices: Choice[];
  sheet: Sheet;
  ending: Ending | null;
}

export interface TableName {
  table: string;
}

/** A message: its words are found under `key`; where they differ by number, the argument `n` decides. */
export interface Text {
  is: "text";
  key: string;
  args: Record<string, number | string | SeatName | FaceName | Text>;
}

/** A piece that is no card, or `count` equal ones; `look` names its colour and symbol. */
export interface Token {
  is: "token";
  id: string;
  shape: "chip" | "cube" | "marker" | "pawn" | "tile";
  look: string;
  count: number;
  owner: number | null;
  down: boolean;
  at: number | null;
}

/** Take back my last choice: at once if nobody has learnt anything or acted since, else the others are asked. */
export interface Undo {
  do: "undo";
  id?: number;
}

/** `asked_by`: the seat that would like a choice back. `mine`: what would happen if I asked. */
export interface UndoView {
  asked_by: number | null;
  waits_for_me: boolean;
  mine: "ask" | "free" | null;
}

/** The table as I see it. `lines` and `said` are new; they follow those sent before, or begin anew at 0. `done` are the ids of my requests that have been carried out, are on disk, and are shown by this view. What stands last, from `table` on, is missing where all of it is as in the view before on the same socket. The first `begun` choices were made at another table, from which this one goes on. */
export interface View {
  is: "view";
  number: number;
  done: number[];
  stage: "closed" | "open" | "over" | "playing";
  me: number | null;
  clock: ClockView;
  decision: string | null;
  board: BoardView | null;
  first_line: number;
  lines: Line[];
  undo: UndoView;
  first_said: number;
  said: SaidView[];
  result: Result | null;
  wants_rematch: number[];
  rematch: string | null;
  table?: string;
  game?: string;
  rules?: string;
  options?: Record<string, number | string>;
  is_host?: boolean;
  is_listed?: boolean;
  may_hint?: boolean;
  is_muted?: boolean;
  seats?: SeatView[];
  commitment?: string;
  begun?: number;
}

/** Why a thing can't be touched now: the clause that forbids it, and what it says about this case. */
export interface WhyNot {
  clause: string;
  text: Text;
}

/** A place on the table, of a seat (`owner`) or of all. fan: a hand. row: side by side. stack: overlapping in a column. pile: only the top shows, `count` tells how many. board: cells in rows of `columns`. counter: a number alone (`count`). */
export interface Zone {
  id: string;
  kind: "board" | "counter" | "fan" | "pile" | "row" | "stack";
  title: Text;
  owner: number | null;
  things: (Card | Token)[];
  count: number | null;
  cells: Cell[];
  columns: number;
  look: string | null;
}

export type Request =
  | Choose
  | Sit
  | Leave
  | SeatBot
  | Remove
  | Mute
  | Undo
  | AnswerUndo
  | Resign
  | ComeBack
  | Rematch
  | Follow
  | Close
  | Say
  | Hint
  | AskWhyNot
  | Resync
  | Ping;

export type Message = Refused | View | Presence | Hinted | Explained | Pong;

export type Thing = Card | Token;

export type Why =
  | "no-such-seat"
  | "no-such-step"
  | "not-your-seat"
  | "seat-taken"
  | "already-seated"
  | "not-host"
  | "not-full"
  | "already-started"
  | "not-started"
  | "over"
  | "not-your-turn"
  | "stale"
  | "illegal"
  | "nothing-to-undo"
  | "nothing-asked"
  | "away"
  | "not-away"
  | "muted"
  | "removed"
  | "too-much"
  | "nobody"
  | "not-over"
  | "no-hints"
  | "malformed"
  | "too-often"
  | "too-large"
  | "too-slow"
  | "busy"
  | "no-such-table"
  | "no-such-game"
  | "no-such-page"
  | "wrong-method"
  | "wrong-token"
  | "wrong-origin"
  | "internal";

/** What is left out where it is as usual. */
export const DEFAULTS = {
  Card: { back: "card", down: false, known: false, at: null },
  Cell: { look: null },
  Token: { count: 1, owner: null, down: false, at: null },
  Zone: { owner: null, things: [], count: null, cells: [], columns: 0, look: null },
} as const;
