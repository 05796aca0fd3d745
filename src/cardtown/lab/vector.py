"""Thousands of games side by side as NumPy arrays: a step is one call for all of them, on all cores, without copies.

    games = Vector(find("hollywood"), 4096, seed=1)
    while True:
        choices = policy(games.observe(), games.masks)     # one for each game, of the seat that games.seats names
        games.step(choices)                                # games.ended and games.rewards say what came of it

A game that ends is followed at once by the next one of its slot. The arrays are the memory that the compiled rules
write: read them before the next step, or copy them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from cardtown.core import observing
from cardtown.core.game import Game, GameError, Options, Value
from cardtown.core.state import MAX_CHOICES

from . import stepping
from .simulate import LIMIT, places_of
from .stepping import ENTRIES, Slots

FEWEST = 256
"""Games for which a thread of its own is worth while."""


class Arrays:
    """What can be read of games side by side, wherever they lie."""

    slots: Slots

    def __len__(self) -> int:
        return len(self.slots.states)

    @property
    def states(self) -> Any:
        """Where each game stands: an array of the game's records, hidden cards and all."""
        return self.slots.states

    @property
    def seats(self) -> Any:
        """Who chooses next in each game."""
        return self.slots.seats

    @property
    def masks(self) -> Any:
        """What may be chosen in each game: bit c is set if choice c is legal."""
        return self.slots.masks

    @property
    def ended(self) -> Any:
        """What the last step did to each game: 0 it goes on, 1 it ended, 2 it was given up after `limit` decisions."""
        return self.slots.ended

    @property
    def rewards(self) -> Any:
        """What each seat won in the games that the last step ended: 1, or its share of it; else 0."""
        return self.slots.rewards


class Vector(Arrays):
    """`n` games of one kind, each waiting for one choice."""

    def __init__(
        self,
        game: Game,
        n: int,
        seats: int | None = None,
        options: Mapping[str, Value] | None = None,
        seed: int = 0,
        threads: int | None = None,
        limit: int = LIMIT,
    ) -> None:
        if n < 1:
            raise GameError(f"there must be at least one game, not {n}")
        self.game = game
        self.table_seats = game.check_seats(seats)
        self.options = game.complete(options or {}, self.table_seats)
        self.limit = limit
        self.code = game.compiled(stepping)
        self.slots = new_slots(game, n, self.table_seats, self.options)
        self.observations = np.zeros((n, game.observation_length), np.int8)
        self.choices = np.zeros(n, np.int64)
        self.streams = np.zeros((n, 4), np.int64)
        threads = max(1, min(threads or os.cpu_count() or 1, n // FEWEST))
        edges = [n * k // threads for k in range(threads + 1)]
        self.pieces = list(pairwise(edges))
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.reset(range(seed, seed + n))

    def reset(self, seeds: Sequence[int] | Any) -> None:
        """Begin anew: the games of a slot are those of its seed, numbered from 0."""
        if len(seeds) != len(self):
            raise GameError(f"there must be a seed for each of the {len(self)} games, not {len(seeds)}")
        slots = self.slots
        slots.seeds[:] = seeds
        slots.numbers[:] = 0
        slots.ended[:] = 0
        slots.rewards[:] = 0
        self.code.seed_all(self.streams, int(slots.seeds[0]))
        self._on_all_cores(lambda first, end: self.code.begin_all(slots, first, end))

    def step(self, choices: Any) -> None:
        """Carry out one choice in each game. If one of them is not legal, nothing happens in any."""
        chosen = np.ascontiguousarray(choices, np.int64)
        if chosen.shape != (len(self),):
            raise GameError(f"there must be a choice for each of the {len(self)} games, not {chosen.shape}")
        wrong = self.code.first_illegal(self.slots, chosen)
        if wrong >= 0:
            raise GameError(f"choice {chosen[wrong]} is not legal in game {wrong}: see masks[{wrong}]")
        self._on_all_cores(lambda first, end: self.code.step_all(self.slots, chosen, self.limit, first, end))

    def observe(self) -> Any:
        """What the seat that chooses next knows, a row of numbers for each game: see the game's `observation.py`."""
        x = self.observations
        observe_all = self.game.compiled(observing).observe_all
        self._on_all_cores(lambda first, end: observe_all(self.states, self.seats, x, first, end))
        return x

    def sample(self) -> Any:
        """A random legal choice for each game."""
        choices = self.choices
        self._on_all_cores(lambda first, end: self.code.choose_any(self.slots, self.streams, choices, first, end))
        return choices

    def legal(self) -> Any:
        """The masks as rows of ones and zeros, as networks want them."""
        rows = np.zeros((len(self), MAX_CHOICES), np.int8)
        self.code.unfold(self.masks, rows)
        return rows

    def _on_all_cores(self, work: Callable[[int, int], None]) -> None:
        if self.pool is None:
            work(0, len(self))
            return
        for done in [self.pool.submit(work, *piece) for piece in self.pieces]:
            done.result()


def new_slots(
    game: Game,
    n: int,
    seats: int,
    options: Options,
    zeros: Callable[..., Any] = np.zeros,
    records: Callable[[Any], Any] = lambda array: array,
) -> Slots:
    """Slots in which no game has begun yet, wherever `zeros` and `records` put their arrays."""
    blank = game.blank_record(seats, options)
    shapes = {"rewards": (n, places_of(game, seats, options))}
    return Slots(
        blank=records(blank),
        states=records(np.zeros(n, blank.dtype)),
        **{name: zeros(shapes.get(name, n), kind) for name, kind in ENTRIES.items()},
    )
