"""A game's state, declared once as a class of integer fields.

The class itself is the plain-Python twin: ints, lists and grids in `__slots__`, with a source of chance and a journal.
Its `dtype` is the same state as an aligned NumPy record, on which the compiled rules run.

    class State(core.State):
        hand = masks(2)          # a set of cards per seat
        deck = numbers(28)
        pawn = number()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

if TYPE_CHECKING:
    from .chance import Source
    from .story import Entry

MAX_SEATS = 6
MAX_CHOICES = 63
"""A decision offers at most so many: the legal choices are one mask of which bit 63 stays free."""


class Field(NamedTuple):
    bits: int
    shape: tuple[int, ...]


class Grid:
    """A two-dimensional field of the twin: `s.room[seat, suit]`, as on the record."""

    __slots__ = ("cells", "columns")

    def __init__(self, rows: int, columns: int) -> None:
        self.columns = columns
        self.cells = [0] * (rows * columns)

    def copy(self) -> Grid:
        made = Grid(0, self.columns)
        made.cells = self.cells[:]
        return made

    def __getitem__(self, at: tuple[int, int]) -> int:
        return self.cells[at[0] * self.columns + at[1]]

    def __setitem__(self, at: tuple[int, int], value: int) -> None:
        self.cells[at[0] * self.columns + at[1]] = value


def number(bits: int = 8) -> int:
    """One signed number of 8, 16, 32 or 64 bits."""
    return cast(int, Field(bits, ()))


def numbers(n: int, bits: int = 8) -> list[int]:
    """A list of `n` numbers."""
    return cast("list[int]", Field(bits, (n,)))


def grid(rows: int, columns: int, bits: int = 8) -> Grid:
    """Numbers addressed by two indices."""
    return cast(Grid, Field(bits, (rows, columns)))


def mask() -> int:
    """A set of cards or choices: bit c is set when c is in it. Bit 63 stays free."""
    return number(64)


def masks(n: int) -> list[int]:
    """A list of sets."""
    return numbers(n, 64)


class Declared(type):
    """Turns a class of fields into the twin (`__slots__`) and the record (`dtype`)."""

    fields: dict[str, Field]
    dtype: np.dtype[Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Declared:
        own = {key: value for key, value in body.items() if isinstance(value, Field)}
        inherited = {key: f for base in bases for key, f in getattr(base, "fields", {}).items()}
        rest = {key: value for key, value in body.items() if key not in own}
        made = super().__new__(cls, name, bases, {**rest, "__slots__": (*own, *body.get("PYTHON_ONLY", ()))})
        made.fields = inherited | own
        taken = [key for key in own if hasattr(np.recarray, key)]
        if taken:
            raise TypeError(f"a field can't be named {taken[0]!r}: NumPy's records use that name")
        columns = [(key, np.dtype(f"i{f.bits // 8}"), f.shape) for key, f in made.fields.items()]
        made.dtype = np.dtype((np.record, np.dtype(columns, align=True)))
        return made


class Record(metaclass=Declared):
    """A class of fields, all zero at first."""

    def __init__(self) -> None:
        for name, field in type(self).fields.items():
            setattr(self, name, _zero(field))


class Dice(Record):
    """A stream of chance of its own, for whoever chooses at random: never the one that the game draws from."""

    rng = numbers(4, 64)


class State(Record):
    """What every game's state holds. A game adds its own fields."""

    PYTHON_ONLY = ("chance", "journal")
    if TYPE_CHECKING:
        chance: Source
        journal: list[Entry] | None

    rng = numbers(4, 64)  # the seeded stream of chance
    seats = number()  # people and bots that choose
    places = number()  # who has a score: the seats, and what plays by itself
    acting = number()  # the seats that must choose now; none: the game is over
    first = number()  # secret choices made at the same time are written clockwise from this seat
    sealed = numbers(MAX_SEATS)  # the choice of each seat that has chosen, while others still do at the same time
    winners = number()
    score = numbers(MAX_SEATS, 16)

    def __init__(self) -> None:
        from .chance import IN_STATE

        super().__init__()
        self.chance = IN_STATE
        self.journal = None

    def copy(self) -> Self:
        """The same state with a life of its own: it tells no story, and its chance is the stream within it."""
        from .chance import IN_STATE

        made = object.__new__(type(self))  # nothing is zero first: whoever looks ahead copies all the time
        for name, field in type(self).fields.items():
            value = getattr(self, name)
            setattr(made, name, value.copy() if field.shape else value)
        made.chance = IN_STATE
        made.journal = None
        return made

    def pack(self, record: Any) -> None:
        """Write the twin into a record. A value too large for its field raises OverflowError."""
        for name, field in type(self).fields.items():
            value = getattr(self, name)
            record[name] = np.reshape(value.cells, field.shape) if len(field.shape) == 2 else value

    def packed(self) -> bytes:
        """The record's bytes: two states are the same if these are."""
        made = np.zeros(1, type(self).dtype)
        self.pack(made[0])
        return made.tobytes()

    @classmethod
    def unpacked(cls, record: Any) -> Self:
        """The twin of a record."""
        made = cls()
        for name, field in cls.fields.items():
            value = record[name].tolist()
            if len(field.shape) == 2:
                getattr(made, name).cells[:] = [number for row in value for number in row]
            else:
                setattr(made, name, value)
        return made


def _zero(field: Field) -> int | list[int] | Grid:
    if not field.shape:
        return 0
    return [0] * field.shape[0] if len(field.shape) == 1 else Grid(*field.shape)
