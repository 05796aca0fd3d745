"""How long a bot that has just been started keeps a player waiting for its first move."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from cardtown.games import find

from .positions import usual_seats

BOT = "hard:200ms"
THINKING = 0.2
GAMES = ("hollywood", "egocentric")  # the one that the targets are about, and the one that takes longest
ROOT = Path(__file__).parents[1]


class FirstMove(NamedTuple):
    """Seconds from the start of two processes to the move, less those it is meant to think.

    In the first nothing is compiled, so it thinks in plain Python; the second finds all that the first had compiled.
    """

    first: float
    second: float


def measure_first_moves() -> dict[str, FirstMove]:
    """For each game, with a compile cache that is empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "CARDTOWN_CACHE": cache}
        return {name: FirstMove(*(seconds_to_move(name, BOT, env) - THINKING for _ in range(2))) for name in GAMES}


def seconds_to_move(name: str, bot: str, env: Mapping[str, str]) -> float:
    """Of a new process. It ends when all is compiled, and is waited for, so as not to slow what is measured next."""
    begun = perf_counter()
    with subprocess.Popen(
        (sys.executable, "-m", "benchmarks.one_move", name, str(usual_seats(find(name))), bot),
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        seconds = perf_counter() - begun
        _, errors = process.communicate()
    if said != "moved\n" or process.returncode:
        sys.exit(f"the first move of `{bot}` in {name} failed:\n{errors}")
    return seconds
