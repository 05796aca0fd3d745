"""OpenSpiel's own search at our tables, through the adapter and for as long as a bot of ours thinks.

It is `open_spiel.python.algorithms.ismcts`: the search in C++ can't guess what a player of a game in Python doesn't
know. `openspiel:50ms` plays on as OpenSpiel does; `openspiel-playouts:50ms` is lent our compiled playing on.
"""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from cardtown.core.cards import is_single, lowest
from cardtown.core.game import Game
from cardtown.core.state import State
from cardtown.lab.open_spiel import PREFIX, Playouts
from cardtown.lab.tournament import Player

NAMED = re.compile(r"openspiel(?P<lent>-playouts)?:(?P<ms>[1-9][0-9]*)ms")

UCT_C = 1.0
"""Returns differ by 1, so this is what 2 is, OpenSpiel's usual figure, where they are -1 and 1."""


def is_open_spiel(name: str) -> bool:
    return NAMED.fullmatch(name) is not None


class TimeUp(Exception):
    """It has thought for as long as it may."""


class TimedSearch(ISMCTSBot):  # type: ignore[misc]
    """The search as it is, but it ends when the time is up, not after so many simulations."""

    def __init__(self, game: Any, evaluator: Any, seconds: float, seed: int) -> None:
        super().__init__(game, evaluator, UCT_C, max_simulations=1 << 30, random_state=np.random.RandomState(seed))
        self.seconds = seconds
        self.simulations = 0

    def run_search(self, state: Any) -> Any:
        self.end = time.perf_counter() + self.seconds
        try:
            return super().run_search(state)
        except TimeUp:
            return self.get_final_policy(state, self._root_node)

    def sample_root_state(self, state: Any) -> Any:
        if time.perf_counter() >= self.end and self._root_node.child_info:
            raise TimeUp
        self.simulations += 1
        return super().sample_root_state(state)


def seat_open_spiel(name: str, game: Game, seed: int) -> Player:
    """Let the search play a seat of a table with the fewest seats, from what that seat knows."""
    found = NAMED.fullmatch(name)
    assert found is not None
    seed %= 1 << 32
    spiel = pyspiel.load_game(PREFIX + game.id)
    evaluator = Playouts(spiel, seed) if found["lent"] else RandomRolloutEvaluator(1, np.random.RandomState(seed))
    search = TimedSearch(spiel, evaluator, int(found["ms"]) / 1000, seed)

    def choose(s: State, seat: int, decision: int) -> int:
        choices = game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        return int(search.step(spiel.state_at(game.redealt(s, seat, seed + decision))))

    return choose
