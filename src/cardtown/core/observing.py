"""What a seat knows as a row of small numbers, for programs that learn: its parts, and how they are written."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from .cards import lowest
from .rulebook import observe


class Part(NamedTuple):
    """So many numbers of the row, and what they say."""

    name: str
    length: int
    says: str


def places(parts: Sequence[Part]) -> tuple[int, ...]:
    """Where each part begins."""
    return tuple(accumulate((part.length for part in parts[:-1]), initial=0))


def put(x: MutableSequence[int], at: int, cards: int) -> None:
    """Write a set: 1 for each card that is in it."""
    while cards:
        x[at + lowest(cards)] = 1
        cards &= cards - 1


def put_seats(x: MutableSequence[int], at: int, seats: int, me: int, n: int) -> None:
    """Write a set of the `n` seats: I come first, then the others clockwise."""
    while seats:
        x[at + (lowest(seats) + n - me) % n] = 1
        seats &= seats - 1


def put_large(x: MutableSequence[int], at: int, number: int) -> None:
    """Write a number that eight bits may be too few for: its tens, and what is left."""
    x[at] = number // 10
    x[at + 1] = number % 10


def observe_one(states: Any, seats: Any, rows: Any, i: int) -> None:
    """Write what seat number `seats[i]` knows in state `i` into row `i`."""
    for k in range(rows.shape[1]):
        rows[i, k] = 0
    observe(states[i], seats[i], rows[i])


def observe_all(states: Any, seats: Any, rows: Any, first: int, end: int) -> None:
    for i in range(first, end):
        observe_one(states, seats, rows, i)
