"""How much longer than it is meant to a bot thinks while other programs want every core."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import NamedTuple

from cardtown.bots import Bot, ask
from cardtown.bots.levels import make_bot
from cardtown.core.game import Game
from cardtown.core.state import State
from cardtown.games import games

from .positions import spread
from .search import compiled_code

BOTS = {"hard:100ms": 0.1, "hard:500ms": 0.5}
MOVES = 20
SEED = 1


class Overrun(NamedTuple):
    """Seconds beyond those that a bot is meant to think; those of one that only looks at the clock too."""

    median: float
    longest: float
    clock_median: float
    clock_longest: float


Overruns = dict[tuple[str, str], Overrun]
"""By game and bot."""


class ClockBot:
    """For comparison: does nothing but look at the clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def choose(self, s: State, seat: int) -> int:
        end = perf_counter() + self.seconds
        while perf_counter() < end:
            pass
        return 0


def measure_overruns() -> Overruns:
    """Of each bot in each game."""
    for game in games().values():
        compiled_code(game)
    with busy_cores():
        return {(game.id, bot): overrun(game, bot, BOTS[bot], MOVES) for game in games().values() for bot in BOTS}


def overrun(game: Game, name: str, seconds: float, moves: int) -> Overrun:
    """With moves from the beginning of a random game to its end; both bots take turns."""
    bots = make_bot(name, game, SEED), ClockBot(seconds)
    took = [[seconds_of(bot, game, s, seat) - seconds for bot in bots] for s, seat, _ in spread(game, 0, moves)]
    own, clock = zip(*took, strict=True)
    return Overrun(median(own), max(own), median(clock), max(clock))


def seconds_of(bot: Bot, game: Game, s: State, seat: int) -> float:
    begun = perf_counter()
    ask(bot, game, s, seat, SEED)
    return perf_counter() - begun


@contextmanager
def busy_cores() -> Iterator[list[subprocess.Popen[bytes]]]:
    """As many processes as there are cores, which do nothing but run."""
    processes = [subprocess.Popen((sys.executable, "-c", "while True: pass")) for _ in range(os.cpu_count() or 1)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()
