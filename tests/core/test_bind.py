"""Compiled code: found again when nothing changed, made anew when anything did, and checked for bounds when asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from cardtown.core import bind, play
from cardtown.core.game import Game
from cardtown.games import games
from tests.conftest import Tally

RUN = """
import sys
import numpy as np
from cardtown.core import laws, play
from cardtown.core.play import Player
from cardtown.core.state import Dice
from cardtown.games import games

{fault}
for game in {which}:
    for seats, options in laws.combinations(game):
        for player in Player:
            blank = game.blank_record(seats, game.complete(options, seats))
            code = game.compiled(play)
            n = {games}
            decisions, ends = np.zeros(n, np.int64), np.zeros(n, blank.dtype)
            dice = np.zeros(1, Dice.dtype)
            players = laws.players_of(player, seats)
            code.play_games(blank, dice, players, 1, 0, laws.LIMIT, decisions, ends)
            for i in range(min(n, 20)):
                states = np.zeros(int(decisions[i]) + 1, blank.dtype)
                code.trace_game(blank, dice, players, 1, i, states)
                for s in states[:-1:7]:
                    for seat in range(seats):
                        code.redeal_from(s, seat, i, 0)
            print(game.id, seats, options, player.name, int(decisions.sum()))
"""

FAULT = """
from cardtown.games.hollywood import rules

def reads_past_the_deck(s, seat, choice):
    play_by_the_rules(s, seat, choice)
    s.first = s.deck[s.drawn + 16] & 0

reads_past_the_deck.__module__ = rules.__name__
rules.play_by_the_rules = rules.play
rules.play = reads_past_the_deck
"""


def run(code: str, cache: Path, **env: str) -> subprocess.CompletedProcess[str]:
    file = cache.with_suffix(".py")  # compiled code is kept for functions that come from a file
    file.write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "CARDTOWN_CACHE": str(cache), **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_checked_for_bounds_games_are_clean(tmp_path: Path, soak: int, tally: Tally) -> None:
    """To compile every game once more takes over a minute: a quick run checks one of them."""
    which = "games().values()" if soak > 1 else "[games()['hollywood']]"
    done = run(RUN.format(fault="", games=200 * soak, which=which), tmp_path, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        tally(f"{line.split()[0]}, games", 200 * soak)


def test_checking_for_bounds_finds_a_planted_fault(tmp_path: Path) -> None:
    done = run(RUN.format(fault=FAULT, games=5, which="[games()['hollywood']]"), tmp_path, NUMBA_BOUNDSCHECK="1")
    assert done.returncode != 0
    assert "out of bounds" in done.stderr


def test_checked_and_unchecked_code_never_share_a_folder(tmp_path: Path) -> None:
    code = "from cardtown.games import find; from cardtown.core import play; find('hollywood').compiled(play)"
    run(code, tmp_path / "one")
    run(code, tmp_path / "two", NUMBA_BOUNDSCHECK="1")
    unchecked, checked = ({folder.name for folder in (tmp_path / each).iterdir()} for each in ("one", "two"))
    assert unchecked
    assert checked
    assert not unchecked & checked


def test_the_first_use_says_that_it_compiles_and_the_second_is_quiet(tmp_path: Path) -> None:
    code = "from cardtown.games import find; from cardtown.core import play; find('hollywood').compiled(play)"
    assert "Compiling hollywood" in run(code, tmp_path).stderr
    assert run(code, tmp_path).stderr == ""


def test_code_that_was_not_used_for_a_month_is_forgotten(tmp_path: Path) -> None:
    old = tmp_path / "0123456789abcdef"
    old.mkdir()
    os.utime(old, (1, 1))
    run("from cardtown.games import find; from cardtown.core import play; find('hollywood').compiled(play)", tmp_path)
    assert not old.exists()


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_rule_modules_import_nothing_of_numba(game: object) -> None:
    folder = game.folder  # type: ignore[attr-defined]
    for file in folder.glob("*.py"):
        assert "numba" not in file.read_text(encoding="utf-8")
    assert "numba" not in Path(str(play.__file__)).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_compiled_code_depends_on_the_rules_and_not_on_how_a_game_is_shown(game: Game) -> None:
    files = {f"{file.parent.name}/{file.name}" for file in bind.source_files(play, cast(ModuleType, game.rules))}
    assert {f"{game.folder.name}/rules.py", "core/cards.py", "core/state.py", "core/native.py", "core/bind.py"} <= files
    assert not files & {f"{game.folder.name}/table.py", "core/match.py", "core/table.py", "core/words.py"}
