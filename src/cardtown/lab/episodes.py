"""Matches one after another as learning programs see them: what both Gymnasium and PettingZoo are told of them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cardtown.core.cards import next_clockwise
from cardtown.core.chance import Seeded
from cardtown.core.game import GameError, Value
from cardtown.core.match import Match
from cardtown.core.play import seat_to_act
from cardtown.core.state import MAX_CHOICES
from cardtown.games import find

from .stepping import reward

try:
    from gymnasium.spaces import Box
except ModuleNotFoundError as error:
    raise GameError("Gymnasium is missing: install cardtown[lab]") from error

Row = NDArray[np.int8]


class Episodes:
    """The games that belong to a seed, numbered from 0 as in `lab.vector`; one is being played.

    A choice that is not legal is an error that changes nothing; or, for those who know no masks, it is replaced by the
    next legal one, going round.
    """

    def __init__(
        self, game: str, seats: int | None, options: Mapping[str, Value] | None, replace_illegal: bool
    ) -> None:
        self.game = find(game)
        self.table_seats = self.game.check_seats(seats)
        self.options = self.game.complete(options or {}, self.table_seats)
        self.seats = self.game.choosing(self.table_seats, self.options)
        self.length = self.game.observation_length
        if not self.length:
            raise GameError(f"{game} has no observation.py, which says what a seat knows in numbers")
        self.replace_illegal = replace_illegal
        self.seed = secrets.randbits(62)
        self.number = -1
        self.match: Match

    def begin(self, seed: int | None) -> None:
        """Begin the first game of a seed; without one, the next of the seed before."""
        self.seed, self.number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        self.match = Match(self.game, self.table_seats, self.options, Seeded(self.seed, self.number))

    @property
    def seat(self) -> int | None:
        """Who chooses next, if the game goes on. Of several who choose secretly one is asked after another."""
        return None if self.match.outcome else seat_to_act(self.match.state)

    def choose(self, seat: int, choice: int) -> None:
        legal = self.game.rules.legal(self.match.state, seat)
        if self.replace_illegal and legal and 0 <= choice < MAX_CHOICES:
            choice = next_clockwise(legal, choice)
        self.match.choose(seat, choice)

    def row(self, seat: int) -> Row:
        """What a seat knows."""
        row: Row = self.game.observed(self.match.state, seat)
        return row

    def mask(self, seat: int) -> Row:
        """What a seat may choose."""
        mask = np.zeros(MAX_CHOICES, np.int8)
        mask[self.match.legal(seat)] = 1
        return mask

    def reward(self, seat: int) -> float:
        """What a seat has of the win; nothing before the end."""
        return reward(self.match.state, seat) if self.match.outcome else 0.0

    def rows(self) -> Box[np.int8]:
        """All rows that there can be."""
        return Box(-128, 127, (self.length,), np.int8)

    def words(self) -> str:
        """The game as a spectator reads it."""
        names = [f"Seat {place}" for place in range(self.match.state.places)]
        say = self.game.words.say
        lines = [say(line.text, names) for line in self.match.lines(None)]
        return "\n".join([*lines, say(self.match.table(None).prompt, names)])
