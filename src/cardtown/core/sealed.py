"""Secret choices made at the same time: they lie sealed in the state until the last one is made."""

from __future__ import annotations

from .cards import bit
from .state import State


def ask_together(s: State, seats: int, first: int) -> None:
    """Let all of `seats` choose; their choices are written clockwise from `first`."""
    s.acting = seats
    s.first = first


def seal(s: State, seat: int, choice: int) -> bool:
    """Keep a seat's choice; True when it was the last, so that all can be opened."""
    s.sealed[seat] = choice
    s.acting &= ~bit(seat)
    return s.acting == 0
