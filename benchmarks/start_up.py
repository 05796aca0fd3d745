"""How long the command takes that most people try first."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import perf_counter
from typing import NamedTuple

COMMAND = ("simulate", "hollywood", "--games", "100000")


class StartUp(NamedTuple):
    """Seconds from start to end of two processes: the first one compiles, the second finds it compiled."""

    first: float
    second: float


def measure_start_up() -> StartUp:
    """Run the command twice with a compile cache that is empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        return StartUp(_seconds(cache), _seconds(cache))


def _seconds(cache: str) -> float:
    begun = perf_counter()
    ended = subprocess.run(
        (sys.executable, "-c", "from cardtown.cli import main; main()", *COMMAND),
        env={**os.environ, "CARDTOWN_CACHE": cache},
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        sys.exit(f"`{' '.join(COMMAND)}` failed:\n{ended.stderr}")
    return perf_counter() - begun
