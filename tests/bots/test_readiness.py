"""Compiled code comes by itself, from a process of its own, and is never waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FIRST_MOVES = """
import sys, threading
from cardtown.bots import ask, readiness
from cardtown.bots.levels import make_bot
from cardtown.games import find
from tests.bots.positions import positions

game = find("hollywood")
s, seat = next(positions(game, 1, seed=1))
assert not readiness.is_compiled(game)
ask(make_bot("hard:20", game, 1), game, s, seat, 1)
print("plain" if not readiness.code_of(game).is_compiled else "compiled")
code = readiness.wait_for(game)
print("compiled" if code.is_compiled else "plain")
print("kept" if readiness.is_compiled(game) else "lost")
made_from = readiness.made_from(game)
readiness.made_from = lambda game: made_from.replace(" ", " 1", 1)
print("taken for ready" if readiness.is_compiled(game) else "stale")
"""


def run(code: str, cache: Path, **env: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CARDTOWN_CACHE": str(cache), **env},
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_first_moves_are_made_in_plain_python_later_ones_compiled_and_touched_files_compile_anew(
    tmp_path: Path,
) -> None:
    assert run(FIRST_MOVES, tmp_path) == ["plain", "compiled", "kept", "stale"]


FAILING = """
import subprocess
from cardtown.bots import ask, readiness
from cardtown.bots.levels import make_bot
from cardtown.games import find
from tests.bots.positions import positions

game = find("hollywood")
readiness.sys.executable = "/bin/false"
s, seat = next(positions(game, 1, seed=1))
print("plain" if not readiness.wait_for(game).is_compiled else "compiled")
choice = ask(make_bot("hard:20", game, 1), game, s, seat, 1)
print("chose" if game.rules.legal(s, seat) >> choice & 1 else "stuck")
"""


def test_where_compiling_fails_plain_python_goes_on(tmp_path: Path) -> None:
    assert run(FAILING, tmp_path) == ["plain", "chose"]
