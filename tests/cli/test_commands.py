"""The commands, as they are typed: real processes, their output and their exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import wait_for

CARDTOWN = str(Path(sys.executable).parent / "cardtown")
SAMPLES = Path(__file__).parent.parent / "samples"


def cardtown(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CARDTOWN, *args], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def figures(*args: str) -> dict[str, object]:
    done = cardtown("simulate", *args, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_help_says_what_there_is() -> None:
    done = cardtown("--help")
    assert done.returncode == 0
    for command in ("serve", "games", "rules", "play", "simulate", "tournament", "ladder", "replay", "verify"):
        assert command in done.stdout


def test_without_a_command_the_town_opens_in_the_browser(tmp_path: Path) -> None:
    """The browser is a program that asks for the page that it is told to open."""
    browser, page = tmp_path / "browser", tmp_path / "page"
    ask = "import sys, urllib.request as u; open(sys.argv[1], 'wb').write(u.urlopen(sys.argv[2]).read())"
    browser.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{ask}" "{page}" "$1"\n', encoding="utf-8")
    browser.chmod(0o755)
    env = {**os.environ, "BROWSER": str(browser), "XDG_DATA_HOME": str(tmp_path / "data")}
    with subprocess.Popen([CARDTOWN], env=env, stdout=subprocess.PIPE, text=True) as town:
        assert town.stdout is not None
        assert town.stdout.readline().startswith("Cardtown is open at http://127.0.0.1:8450")
        wait_for(lambda: page.exists() and "Cardtown" in page.read_text(encoding="utf-8"))
        town.send_signal(signal.SIGINT)
    assert (tmp_path / "data" / "cardtown" / "town.sqlite").exists()


def test_without_a_command_the_environment_counts_too(tmp_path: Path) -> None:
    env = {**os.environ, "CARDTOWN_DATABASE": "mysql://here/town", "XDG_DATA_HOME": str(tmp_path / "data")}
    done = subprocess.run([CARDTOWN], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "cardtown: mysql://here/town: is no address of a database, like postgresql://user@host/name\n"
    assert not (tmp_path / "data").exists()


def test_games_lists_every_game_with_seats_and_options() -> None:
    done = cardtown("games")
    assert "Hollywood Sensation" in done.stdout
    assert "carpet=3|4|5|6 (default 4)" in done.stdout


def test_rules_explains_a_game_clause_by_clause() -> None:
    done = cardtown("rules", "hollywood")
    assert done.returncode == 0
    assert "HOL-01" in done.stdout
    assert "HOL-20" in done.stdout
    done = cardtown("rules", "hollywood", "--language", "ja")
    assert "ハリウッド・センセーション" in done.stdout
    assert "HOL-20" in done.stdout


def test_simulate_prints_figures_for_people_and_for_programs() -> None:
    done = cardtown("simulate", "hollywood", "--games", "300", "--seed", "4")
    assert "games/s" in done.stdout
    assert "decisions/s" in done.stdout
    found = figures("hollywood", "--games", "300", "--seed", "4")
    assert found["games"] == 300
    assert {"games_per_second", "decisions_per_second", "wins", "scores"} <= found.keys()


def without_timing(found: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in found.items() if "second" not in key}


def test_the_same_seed_gives_the_same_games_with_any_number_of_threads(tmp_path: Path) -> None:
    base = ("hollywood", "--games", "3000", "--seed", "9", "--bots", "random,wander")
    one = figures(*base, "--threads", "1")
    assert without_timing(figures(*base, "--threads", "1")) == without_timing(one)
    assert without_timing(figures(*base, "--threads", "2")) == without_timing(one)
    assert without_timing(figures(*base, "--threads", "7")) == without_timing(one)
    few = ("hollywood", "--games", "40", "--seed", "9")
    assert without_timing(figures(*few)) == without_timing(figures(*few, "--transcript", str(tmp_path / "t.jsonl")))
    assert without_timing(figures(*base[:4], "10")) != without_timing(one)


def test_the_same_seed_writes_the_same_transcripts(tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        figures("hollywood", "--games", "20", "--seed", "9", "--transcript", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    done = cardtown("replay", str(files[0]))
    assert (done.returncode, done.stdout) == (0, "20 games verified.\n")


def test_a_limit_of_decisions_truncates_and_says_so(tmp_path: Path) -> None:
    found = figures("hollywood", "--games", "50", "--limit", "60")
    assert found["truncated"] == 50 - sum(found["wins"])  # type: ignore[call-overload]
    file = tmp_path / "t.jsonl"
    done = cardtown("simulate", "hollywood", "--games", "50", "--limit", "60", "--transcript", str(file))
    assert f"{found['truncated']} games were given up" in done.stdout
    assert len(file.read_text().splitlines()) == sum(found["wins"])  # type: ignore[call-overload]


def test_replay_shows_a_game_as_a_seat_saw_it() -> None:
    file = str(SAMPLES / "hollywood.jsonl")
    seat0 = cardtown("replay", file, "--game", "2", "--seat", "0").stdout
    seat1 = cardtown("replay", file, "--game", "2", "--seat", "1").stdout
    spectator = cardtown("replay", file, "--game", "2").stdout
    assert seat0 != seat1
    assert "You are dealt" in seat0
    assert "You are dealt" not in spectator
    for shown in (seat0, seat1, spectator):
        assert "Seat 0 wins" in shown


def changed_sample(tmp_path: Path, old: str, new: str) -> str:
    lines = (SAMPLES / "hollywood.jsonl").read_text().splitlines()
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new, 1)
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def test_a_false_transcript_is_judged_in_one_line(tmp_path: Path) -> None:
    done = cardtown("replay", changed_sample(tmp_path, '"scores":[3,-3]', '"scores":[3,-2]'))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "game 2: event 93: after it the result's scores are [3, -3], not [3, -2]" in done.stderr
    assert done.stdout == ""


COMPONENTS = Path(__file__).parent.parent.parent / "src/cardtown/games/hollywood/components.toml"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["fly"], "No such command 'fly'"),
        (["rules", "hollywood", "--language", "eo"], "has no words in 'eo'; its languages are en, ja"),
        (["rules", "chess"], "there is no game 'chess'; games are"),
        (["simulate", "chess"], "there is no game 'chess'; games are"),
        (["simulate"], "Missing argument 'GAME'"),
        (["simulate", "hollywood", "--seats", "3"], "hollywood can't be played by 3; possible are 2"),
        (["simulate", "hollywood", "--seats", "two"], "'two' is not a valid integer"),
        (["simulate", "hollywood", "--option", "carpet=7"], "option carpet can't be 7; possible are 3–6"),
        (["simulate", "hollywood", "--option", "carpet=red"], "option carpet can't be 'red'; possible are 3–6"),
        (["simulate", "hollywood", "--option", "speed=1"], "has no option 'speed'; known are carpet"),
        (["simulate", "hollywood", "--option", "carpet"], "an option is written name=value, not 'carpet'"),
        (["simulate", "hollywood", "--bots", "genius"], "there is no bot 'genius'; bots are"),
        (["simulate", "hollywood", "--bots", "random,random,random"], "3 bots for 2 seats"),
        (["simulate", "hollywood", "--games", "0"], "0 is not in the range"),
        (["simulate", "hollywood", "--seed", "-1"], "-1 is not in the range"),
        (["simulate", "hollywood", "--transcript", "/nowhere/t.jsonl"], "can't be written"),
        (["simulate", "hollywood", "--components", "none.toml"], "none.toml: can't be read"),
        (["replay", "none.jsonl"], "none.jsonl: can't be read"),
        (["replay", str(COMPONENTS)], "line 1: not a JSON object"),
        (["replay", str(SAMPLES / "hollywood.jsonl"), "--game", "99"], "there is no game 99"),
        (["replay", str(SAMPLES / "hollywood.jsonl"), "--game", "1", "--seat", "2"], "seats are 0–1"),
        (["replay", str(SAMPLES / "hollywood.jsonl"), "--seat", "1"], "--seat goes with --game"),
        (["verify", "none.json"], "none.json: can't be read"),
        (["verify", str(COMPONENTS)], "is not the record of a match"),
        (["serve", "--port", "abc"], "is not a whole number"),
        (["serve", "--pause", "abc"], "is not a number"),
        (["serve", "--pause", "nan"], "is not a number"),
        (["serve", "--grace", "inf"], "is not a number"),
        (["serve", "--keep-chat", "nan"], "is not a number"),
        (["serve", "--name", "https://cards.example.org"], "is no name of a server, like cards.example.org"),
        (["serve", "--name", "cards.example.org:80"], "is no name of a server"),
        (["serve", "--name", f"{'x' * 64}.org"], "is no name of a server"),
    ],
)
def test_wrong_input_is_answered_in_one_line(args: list[str], says: str) -> None:
    done = cardtown(*args)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_nothing_is_written_when_something_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    cardtown("simulate", "hollywood", "--option", "carpet=7", "--transcript", str(file))
    cardtown("simulate", "hollywood", "--components", str(tmp_path / "none.toml"), "--transcript", str(file))
    assert list(tmp_path.iterdir()) == []
