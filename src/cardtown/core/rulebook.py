"""What a game's `rules.py` provides: five functions over its state, and a sixth if it likes; `observation.py` one more.

Code that is written once for all games (playing by itself, searching) imports these names. `core.bind` puts a game's
own functions in their place, as plain Python or compiled; called unbound they only say what is missing.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from .state import State

ENDING = 62
"""The kind of a move that ends a game or round at will: who wanders makes it seldom, so that games go on."""


def start(s: State) -> None:
    """Set the game up. `seats`, `places`, the options' fields and the stream of chance are set, all else is zero."""
    raise NotImplementedError


def legal(s: State, seat: int) -> int:
    """The choices that `seat` has now, as a mask; none unless it is in `s.acting`.

    Bits are in the order in which the notation lists the moves. It may depend only on what `seat` knows.
    """
    raise NotImplementedError


def play(s: State, seat: int, choice: int) -> None:
    """Carry out a legal choice and all that follows by itself, up to the next decision or the end."""
    raise NotImplementedError


def kind(s: State, choice: int) -> int:
    """What kind of move a choice is in this state: 0, 1, … or ENDING."""
    raise NotImplementedError


def redeal(s: State, seat: int) -> None:
    """Replace all that `seat` can't know by a random guess that agrees with all that it knows.

    The stream `s.rng` is freshly seeded; the result may depend on nothing else that `seat` doesn't know.
    """
    raise NotImplementedError


def sensible(s: State, seat: int, choices: int) -> int:
    """Those of the legal choices that somebody would make who thinks no further: never none.

    A game may leave this out. Games that are played on by chance, to see what comes of a position, tell more if
    chance keeps to these.
    """
    return choices


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    """Write what `seat` knows into `x`, which is all zero: small numbers, for programs that learn.

    It may depend only on what `seat` knows. `observation.py` provides it, where a game has one.
    """
