"""The table's vocabulary: everything that a client, of whatever kind, needs to show any game and to play it.

A table is built for one watcher from nothing, out of what that watcher may see. It holds zones with things in them,
and choices as paths of things to touch. Every text is a key with arguments; the words are in the game's folder.
None of this can refer to itself, so the garbage collector need not look at it (`gc=False`): a server makes much of it.
Of what there is most, what is as usual is not written out (`omit_defaults`): half of all that is sent would be that.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class SeatName(Struct, frozen=True, gc=False, tag="seat", tag_field="is"):
    """In a text: the name of whoever sits there."""

    seat: int


class FaceName(Struct, frozen=True, gc=False, tag="face", tag_field="is"):
    """In a text: the name of a card."""

    face: str


class Text(Struct, frozen=True, gc=False, tag="text", tag_field="is"):
    """A message: its words are found under `key`; where they differ by number, the argument `n` decides."""

    key: str
    args: dict[str, Arg] = {}


Arg = int | str | SeatName | FaceName | Text


def text(key: str, **args: Arg) -> Text:
    return Text(key, args)


class Face(Struct, frozen=True, gc=False):
    """What is printed on a card. `suit` names its look (symbol, colour, letter); `marks` are counted icons."""

    corner: str
    suit: str | None
    title: Text
    marks: dict[str, int] = {}


class Card(Struct, frozen=True, gc=False, omit_defaults=True, tag="card", tag_field="is"):
    """A card in a zone. Without a face it shows its back, and its id says only where it lies.

    `down`: it lies face down; a watcher who may look at it sees its face all the same.
    `known`: it is in a hidden place, but everybody has seen it. `at`: the cell it lies on.
    """

    id: str
    face: str | None
    back: str = "card"
    down: bool = False
    known: bool = False
    at: int | None = None


class Token(Struct, frozen=True, gc=False, omit_defaults=True, tag="token", tag_field="is"):
    """A piece that is no card, or `count` equal ones; `look` names its colour and symbol."""

    id: str
    shape: Literal["pawn", "cube", "chip", "marker", "tile"]
    look: str
    count: int = 1
    owner: int | None = None
    down: bool = False
    at: int | None = None


Thing = Card | Token


class Cell(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place on a board: it can be touched, and things lie `at` its index."""

    id: str
    title: Text
    look: str | None = None


class Zone(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place on the table, of a seat (`owner`) or of all.

    fan: a hand. row: side by side. stack: overlapping in a column. pile: only the top shows, `count` tells how many.
    board: cells in rows of `columns`. counter: a number alone (`count`).
    """

    id: str
    kind: Literal["fan", "row", "stack", "pile", "board", "counter"]
    title: Text
    owner: int | None = None
    things: tuple[Thing, ...] = ()
    count: int | None = None
    cells: tuple[Cell, ...] = ()
    columns: int = 0
    look: str | None = None


class Button(Struct, frozen=True, gc=False):
    """Something to touch for choices that no thing on the table stands for."""

    id: str
    label: Text


class Choice(Struct, frozen=True, gc=False):
    """A legal choice: touch the things of `path` one after another. `move` is its notation."""

    number: int
    path: tuple[str, ...]
    label: Text
    move: str


class Line(Struct, frozen=True, gc=False):
    """A line of the log. `reveals`: somebody learnt something by it, so what led to it can't be undone unnoticed."""

    text: Text
    reveals: bool


class Row(Struct, frozen=True, gc=False):
    """A row of the score sheet: points per place, and why; `None` where nothing was to be had.

    `things`: what earned it, as far as it still lies on the table: ids of things, cells or zones that all can see.
    """

    title: Text
    points: tuple[int | None, ...]
    why: Text | None = None
    things: tuple[str, ...] = ()


class Sheet(Struct, frozen=True, gc=False):
    rows: tuple[Row, ...]
    totals: tuple[int, ...]


class Ending(Struct, frozen=True, gc=False):
    """How the game ended: who won, the final scores and, in one sentence, why."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Text


class Table(Struct, frozen=True, gc=False):
    """Everything that one watcher sees."""

    game: str
    seat: int | None
    seats: int
    places: int
    acting: tuple[int, ...]
    progress: Text
    prompt: Text
    zones: tuple[Zone, ...]
    buttons: tuple[Button, ...]
    choices: tuple[Choice, ...]
    sheet: Sheet
    ending: Ending | None


class WhyNot(Struct, frozen=True, gc=False):
    """Why a thing can't be touched now: the clause that forbids it, and what it says about this case."""

    clause: str
    text: Text


def backs(zone: str, n: int, back: str = "card") -> tuple[Card, ...]:
    """`n` cards of which the watcher knows nothing: their ids say where they lie and no more."""
    return tuple(Card(f"{zone}.{i}", None, back) for i in range(n))


def faces_in(zones: tuple[Zone, ...]) -> set[str]:
    """All the faces that can be seen in these zones."""
    return {thing.face for zone in zones for thing in zone.things if isinstance(thing, Card) and thing.face}


def faces_named(message: Text) -> set[str]:
    """All the faces that a text names."""
    named: set[str] = set()
    for arg in message.args.values():
        if isinstance(arg, FaceName):
            named.add(arg.face)
        elif isinstance(arg, Text):
            named |= faces_named(arg)
    return named
