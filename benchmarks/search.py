"""The search that bots think with: every game, from the middle of random games."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from statistics import mean
from typing import NamedTuple

from cardtown.bots.readiness import Code, wait_for
from cardtown.bots.thinking import Budget, Lane
from cardtown.core.game import Game
from cardtown.games import games

from .engine import ENGINE
from .measure import Loop, Loops, Subject
from .positions import middle, usual_seats

ONE_THREAD = "search, 1 thread"
TWO_THREADS = "search, 2 threads"

POSITIONS = 5
ITERATIONS = 10_000
"""For each position anew, as a bot does it: the time that a tree takes to grow counts."""


class Searched(NamedTuple):
    """Where a search began: a random game took so many decisions from there to its end, on average."""

    seats: int
    left: float


def searched() -> dict[str, Searched]:
    return {
        game.id: Searched(usual_seats(game), mean(middle(game, number).left for number in range(POSITIONS)))
        for game in games().values()
    }


def subjects(code_for: Callable[[Game], Code], iterations: int) -> dict[Subject, Loops]:
    made: dict[Subject, Loops] = {}
    for game in games().values():
        code = code_for(game)
        first, second, alone = (search_loop(game, code, iterations, number) for number in range(3))
        made[Subject(ENGINE, game.id, ONE_THREAD)] = (alone,)
        made[Subject(ENGINE, game.id, TWO_THREADS)] = (first, second)
    return made


def compiled_code(game: Game) -> Code:
    """However long it takes to compile. Bots would go on in plain Python if that failed; it is not what we measure."""
    code = wait_for(game)
    if not code.is_compiled:
        sys.exit(f"{game.id} could not be compiled")
    return code


def search_loop(game: Game, code: Code, iterations: int, number: int) -> Loop:
    positions = [middle(game, i) for i in range(POSITIONS)]
    budget = Budget(iterations=iterations)
    seeds = count()

    def loop() -> int:
        for position in positions:
            lane = Lane(game, code, position.state, position.seat, budget, next(seeds), number)
            lane.search(iterations)
        return iterations * len(positions)

    return loop
