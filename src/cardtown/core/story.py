"""Telling the story: what rules say when something happens that people should read or see move.

In plain Python a line is kept in the match's journal; compiled rules tell nothing and lose no time over it.
A line has an audience: who is not in it never learns that the line exists. Where all may know that something
happened but only some what it was, two lines are told. As in the table's vocabulary nothing here refers to itself, so
the garbage collector need not look at it: a server keeps the stories of thousands of matches.
"""

from __future__ import annotations

from msgspec import Struct

from .state import State

ALL = -1
"""The audience of everybody, spectators too; otherwise an audience is a mask of seats."""


class Told(Struct, frozen=True, gc=False):
    """One line: the game's own event number and its arguments."""

    to: int
    event: int
    args: tuple[int, ...]

    def is_for(self, seat: int | None) -> bool:
        """May `seat` (or a spectator, None) know this line?"""
        return self.to == ALL or (seat is not None and bool(self.to >> seat & 1))


class Drawn(Struct, frozen=True, gc=False):
    """What chance brought: the whole order of a shuffle, or one value. Only transcripts hold these."""

    kind: int
    order: tuple[int, ...] | None
    value: int | None


Entry = Told | Drawn


def tell(s: State, to: int, event: int, a: int = 0, b: int = 0, c: int = 0) -> None:
    """Tell the seats in `to` that `event` happened."""
    if s.journal is not None:
        s.journal.append(Told(to, int(event), (a, b, c)))


def tell_nothing(s: State, to: int, event: int, a: int = 0, b: int = 0, c: int = 0) -> None:
    """What `tell` is when compiled."""
