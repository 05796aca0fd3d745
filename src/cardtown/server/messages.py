"""Everything that goes over the wire, in one place; docs/protocol.md and the OpenAPI document are made from it.

Over a table's socket a client sends requests (`do`) and gets messages (`is`). Every request is answered: by what it
asked for, by a view that says it is `done`, or by `refused`. The table is pushed as a `view` whenever it changes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from cardtown.core.table import Choice, Face, Line, Sheet, Table, WhyNot, Zone

from .rows import Clock, Stage

LONGEST_TEXT = 300
LONGEST_NAME = 24
MOST_SEATS = 6
MOST_STEPS = 10_000

Id = Annotated[int, Meta(ge=0, le=2**31 - 1, description="chosen by the client; the answer carries it")]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Decision = Annotated[str, Meta(max_length=40, description="as the view names it")]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Said = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
Word = Annotated[str, Meta(max_length=80)]


# What a client asks of a table


class Request(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do"):
    id: Id = 0


class Choose(Request, frozen=True, tag="choose", kw_only=True):
    """Answer a decision by one of the choices of the view. Another's sealed choice does not make it stale."""

    decision: Decision
    choice: Annotated[int, Meta(ge=0, lt=63, description="the `number` of a choice")]


class Sit(Request, frozen=True, tag="sit", kw_only=True):
    """Take a free seat. When all are taken the match begins."""

    seat: Seat


class Leave(Request, frozen=True, tag="leave"):
    """Leave my seat before the match has begun."""


class SeatBot(Request, frozen=True, tag="seat-bot", kw_only=True):
    """The host puts a bot into a free seat, or frees a bot's seat (null). When all are taken the match begins."""

    seat: Seat
    bot: Word | None


class Remove(Request, frozen=True, tag="remove", kw_only=True):
    """The host sends somebody away: a watcher, or before the match has begun somebody who sits there."""

    who: Word


class Mute(Request, frozen=True, tag="mute", kw_only=True):
    """The host decides whether somebody may talk."""

    who: Word
    muted: bool = True


class Undo(Request, frozen=True, tag="undo"):
    """Take back my last choice: at once if nobody has learnt anything or acted since, else the others are asked."""


class AnswerUndo(Request, frozen=True, tag="answer-undo", kw_only=True):
    """Agree that another's choice is taken back, or not."""

    agrees: bool


class Resign(Request, frozen=True, tag="resign"):
    """Give up. With three or more seats a bot plays on for me."""


class ComeBack(Request, frozen=True, tag="come-back"):
    """Take my seat again from the bot that plays for me."""


class Rematch(Request, frozen=True, tag="rematch"):
    """Play again with the same seats. When all people who sit here want it, the view names the new table."""


class Follow(Request, frozen=True, tag="follow"):
    """Go on at the table that the view names as the rematch, over this socket: all that follows is about that table."""


class Close(Request, frozen=True, tag="close"):
    """The host closes the table before its match is over."""


class Say(Request, frozen=True, tag="say", kw_only=True):
    """Say something to everybody at the table."""

    text: Said


class Hint(Request, frozen=True, tag="hint", kw_only=True):
    """What would the strong bot do, knowing what I know?"""

    decision: Decision


class AskWhyNot(Request, frozen=True, tag="why-not", kw_only=True):
    """Why can't I touch this thing now?"""

    thing: Word


class Resync(Request, frozen=True, tag="resync"):
    """Send me the whole view again."""


class Ping(Request, frozen=True, tag="ping"):
    """Are you there, and what is the time?"""


AnyRequest = (
    Choose
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
    | Ping
)

# What a client is sent


class Message(Struct, frozen=True, gc=False, tag_field="is"):
    pass


class Refused(Message, frozen=True, tag="refused"):
    """What was asked for can't be done; nothing has changed."""

    id: int
    why: str
    message: str


class SeatView(Struct, frozen=True, gc=False):
    """Who sits in a seat; one that plays by `itself` follows the rules alone.

    `who` is a name for muting and removing. `stand_in` is the bot that plays for a person who is away or gave up.
    """

    kind: Literal["open", "person", "bot", "itself"]
    name: str
    who: str | None = None
    bot: str | None = None
    stand_in: str | None = None
    has_resigned: bool = False
    rating: int | None = None


class Result(Struct, frozen=True, gc=False):
    """How the match ended, and the secret that was committed to at its start."""

    reason: Literal["rules", "resignation"]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    secret: str


class UndoView(Struct, frozen=True, gc=False):
    """`asked_by`: the seat that would like a choice back. `mine`: what would happen if I asked."""

    asked_by: int | None
    waits_for_me: bool
    mine: Literal["free", "ask"] | None


class ClockView(Struct, frozen=True, gc=False):
    """Seconds that each seat has thought, and since when (server time) it is being waited for."""

    kind: Literal["none", "move", "game"]
    seconds: int
    spent: tuple[float, ...]
    since: tuple[float | None, ...]


class SaidView(Struct, frozen=True, gc=False):
    """Something that was said; `who` is a name for muting and removing, not a secret."""

    at: float
    who: str
    name: str
    seat: int | None
    text: str


class BoardView(Table, frozen=True, gc=False):
    """The board. In place of a zone stands its id, and null in place of the score sheet, where they are as in the view
    before on the same socket; the first one has all of them.
    """

    zones: tuple[Zone | str, ...]  # type: ignore[assignment]
    sheet: Sheet | None  # type: ignore[assignment]


class View(Message, frozen=True, tag="view"):
    """The table as I see it. `lines` and `said` are new; they follow those sent before, or begin anew at 0.

    `done` are the ids of my requests that have been carried out, are on disk, and are shown by this view.
    What stands last, from `table` on, is missing where all of it is as in the view before on the same socket.
    The first `begun` choices were made at another table, from which this one goes on.
    """

    number: int
    done: tuple[int, ...]
    stage: Stage
    me: int | None
    clock: ClockView
    decision: str | None
    board: BoardView | None
    first_line: int
    lines: tuple[Line, ...]
    undo: UndoView
    first_said: int
    said: tuple[SaidView, ...]
    result: Result | None
    wants_rematch: tuple[int, ...]
    rematch: str | None
    table: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    rules: str | UnsetType = UNSET
    options: dict[str, int | str] | UnsetType = UNSET
    is_host: bool | UnsetType = UNSET
    is_listed: bool | UnsetType = UNSET
    may_hint: bool | UnsetType = UNSET
    is_muted: bool | UnsetType = UNSET
    seats: tuple[SeatView, ...] | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    begun: int | UnsetType = UNSET


class Presence(Message, frozen=True, tag="presence"):
    """Who is there: each seat's person, and how many others watch."""

    seats: tuple[bool, ...]
    watchers: int


class AdvisedView(Struct, frozen=True, gc=False):
    """A choice: the chance to win with it, the range in which that likely lies, and the points to expect."""

    choice: Choice
    win: float
    low: float
    high: float
    points: float


class StepView(Struct, frozen=True, gc=False):
    seat: int
    choice: Choice


class Hinted(Message, frozen=True, tag="hinted"):
    """All my choices, the best first, and how the bot expects the game to go on; exact advice is certain."""

    id: int
    decision: str
    choices: tuple[AdvisedView, ...]
    line: tuple[StepView, ...]
    is_exact: bool


class Explained(Message, frozen=True, tag="explained"):
    """The clause that forbids touching the thing; null if it may be touched or there is nothing to say."""

    id: int
    thing: str
    why: WhyNot | None


class Pong(Message, frozen=True, tag="pong"):
    """I am here; `now` is the server's time in seconds."""

    id: int
    now: float


AnyMessage = Refused | View | Presence | Hinted | Explained | Pong


# What goes over HTTP


class Error(Struct, frozen=True, gc=False):
    """What was asked for can't be done; nothing has changed."""

    why: str
    message: str


class Body(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a client sends."""


class NewTable(Body, frozen=True):
    """A table to be opened. Each seat is `me`, `open` or the name of a bot; as many as choose in the game."""

    game: Word
    seats: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    options: dict[Word, int | Word] = {}
    is_listed: bool = False
    may_hint: bool = True
    clock: Clock = Clock()


class GoOn(Body, frozen=True):
    """Go on after so many choices of a finished match, in a seat (if none is said: mine, or whose turn it is)."""

    step: Annotated[int, Meta(ge=0, le=MOST_STEPS)]
    seat: Seat | None = None
    bot: Word = "medium"


class TableName(Struct, frozen=True, gc=False):
    table: str


class Profile(Struct, frozen=True, gc=False):
    """Who I am here. `plays_forced`: the server makes choices for me where I have only one."""

    name: str
    plays_forced: bool
    ratings: dict[str, int]


class NewProfile(Body, frozen=True):
    """What I would like to change of it."""

    name: Name | None = None
    plays_forced: bool | None = None


class Code(Struct, frozen=True, gc=False):
    """What to type on a second device, within so many seconds."""

    code: str
    seconds: int


class GivenCode(Body, frozen=True):
    code: Word


class NewToken(Body, frozen=True):
    label: Name


class AccessToken(Struct, frozen=True, gc=False):
    """A program shows `token` to act for me; it is told once."""

    id: str
    label: str
    token: str | None = None


class MyTable(Struct, frozen=True, gc=False):
    """A table where I sit or sat."""

    table: str
    game: str
    stage: Stage
    players: tuple[str, ...]
    is_my_turn: bool
    at: float
    winners: tuple[int, ...] = ()


class OpenTable(Struct, frozen=True, gc=False):
    """A table that everybody may join or watch."""

    table: str
    game: str
    options: dict[str, int | str]
    stage: Stage
    players: tuple[str, ...]
    free: int
    clock: Clock


class OptionInfo(Struct, frozen=True, gc=False):
    name: str
    values: tuple[int | str, ...]
    default: int | str
    seats: tuple[int, ...]


class Party(Struct, frozen=True, gc=False):
    """So many may choose in a game: in a table of so many seats, with these options besides those one likes."""

    players: int
    seats: int
    options: dict[str, int | str]


class GameInfo(Struct, frozen=True, gc=False):
    """A game of the town. Titles and pitches are told by language; `theme` and `district` (an SVG) are how it looks."""

    id: str
    title: str
    titles: dict[str, str]
    pitches: dict[str, str]
    languages: tuple[str, ...]
    seats: tuple[int, ...]
    parties: tuple[Party, ...]
    is_solo: bool
    minutes: int
    options: tuple[OptionInfo, ...]
    bots: tuple[str, ...]
    theme: dict[str, Any]
    district: str


class GameDetail(GameInfo, frozen=True, kw_only=True):
    """The game with its cards' descriptions, what they are drawn from, and what the first-game tour says."""

    clauses: tuple[str, ...]
    faces: dict[str, Face]
    look: dict[str, Any]
    guide: dict[str, Any]


class GameWords(Struct, frozen=True, gc=False):
    """A game's texts in one language: messages by key, and the help."""

    language: str
    messages: dict[str, Any]
    help: str


class Step(Struct, frozen=True, gc=False):
    """The table after so many choices, as one seat saw it; `move` is the choice that led to it."""

    seat: int | None
    move: str | None
    board: Table
    lines: tuple[Line, ...]


class Replay(Struct, frozen=True, gc=False):
    """A finished match as one seat saw it, or as spectators did (null)."""

    table: str
    seat: int | None
    steps: tuple[Step, ...]


class ReviewedChoice(Struct, frozen=True, gc=False):
    """One of my decisions: what I chose, and what the bot thinks of all I could, from what I knew then."""

    step: int
    chosen: Choice
    choices: tuple[AdvisedView, ...]
    lost: float


class Review(Struct, frozen=True, gc=False):
    """The decisions of a seat in which there was a choice, from the one asked for on, as far as they are judged now.

    There are `of` in all: ask for those that follow until you have them. `lost` is the chance to win given away.
    """

    table: str
    seat: int
    of: int
    choices: tuple[ReviewedChoice, ...]


class Scores(Struct, frozen=True, gc=False):
    """The points of every place after so many choices, from none on: the course of a finished match."""

    table: str
    totals: tuple[tuple[int, ...], ...]


class Health(Struct, frozen=True, gc=False):
    status: Literal["ok"]
    version: str


encode = msgspec.json.Encoder().encode
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading something raises that is no message; the last where it is nested too deeply."""

decode_request: Any = msgspec.json.Decoder(AnyRequest).decode
