"""`make soak`: the same tests at full counts; what they counted goes to docs/soak.md, with the commit."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from cardtown.games import games

ROOT = Path(__file__).parent.parent
REPORT = ROOT / "docs" / "soak.md"
RESULTS = ROOT / "docs" / "soak.json"


class Part(NamedTuple):
    """Some of the tests, and how many times as much they check as in a quick run."""

    what: str
    factor: int
    tests: tuple[str, ...]
    program: str | None = None
    """Runs after the tests: what takes too long for a test."""

    store: str = "sqlite"
    """Where the towns of the tests are kept."""


PARTS = {
    "laws": Part(
        "the laws on every table, and its transcripts replayed", 250, ("tests/test_every_game.py", "-k", "laws_hold")
    ),
    "twins": Part(
        "plain Python and compiled code, state by state", 125, ("tests/test_every_game.py", "-k", "same_states")
    ),
    "observations": Part(
        "what a seat knows as numbers: all of it, nothing else, and compiled the same",
        50,
        ("tests/test_every_game.py", "-k", "observe or observations_tell"),
    ),
    "bounds": Part("compiled code checked for bounds", 25, ("tests/core/test_bind.py", "-k", "bounds")),
    "redeal": Part("guesses against all worlds that can be", 5, ("tests/games", "-k", "equally_often")),
    "transcripts": Part(
        "transcripts verified, and changed ones refused",
        20,
        ("tests/core/test_transcript.py", "-k", "verify or changed"),
    ),
    "bots": Part(
        "choices redealt, whole games, and the tournaments of docs/bots.md",
        50,
        ("tests/bots", "-k", "hidden_cards_are_redealt or every_level"),
        "tests.bot_tournaments",
    ),
    "adapters": Part("PettingZoo's and OpenSpiel's own tests, for longer", 20, ("tests/lab", "-k", "its_own_test")),
    "learning": Part(
        "a network trained with PyTorch, and what is written of it", 3, ("tests/lab/test_learning.py", "-k", "test")
    ),
    "leaks": Part(
        "games over sockets, again with hidden cards swapped, frame by frame",
        25,
        ("tests/server/test_leaks.py", "-k", "hidden_from_them"),
    ),
    "fuzz": Part(
        "anything at all sent to the server, over sockets and by HTTP", 50, ("tests/server/test_fuzz.py", "-k", "test")
    ),
    "readers": Part(
        "people who do not read, by the hundred, and the server's memory",
        20,
        ("tests/server/test_bounds.py", "-k", "many_who"),
    ),
    "backups": Part(
        "backups taken under load, restored in the other store, every table replayed",
        10,
        ("tests/server/test_backup.py", "-k", "under_load"),
    ),
    "kills": Part("the server killed under play and started again", 34, ("tests/server/test_kills.py", "-k", "killed")),
    "faults": Part(
        "thousands of games while servers, database, disk, clocks and network fail; figures in docs/reliability.md",
        1,
        ("tests/server/test_faults.py", "-k", "relay or kind"),
        "benchmarks.reliability",
    ),
    "stores": Part(
        "the server's tests with towns in PostgreSQL, connections to it cut, and processes that share it",
        5,
        # What the checker finds in histories is the same wherever towns are kept; faults are a part of their own.
        ("tests/server", "-k", "not histories and not faults"),
        store="postgresql",
    ),
    "jobs": Part(
        "the same work by threads, processes and a Dask cluster, also with workers killed",
        10,
        ("tests/lab/test_jobs.py", "-k", "whoever_plays_it or killed"),
    ),
    "ladder": Part(
        "games of the baselines played again, and a known bot rated",
        4,
        ("tests/lab/test_ladder.py", "-k", "first_deal or known_bot"),
    ),
    "web": Part(
        "in real browsers: whole games on phones and by keys, axe in every way, the fullest tables",
        4,
        ("tests/web", "-k", "lobby_to_the_end or keys_alone or fullest or test_accessible"),
    ),
}


def run(name: str, part: Part, game: str | None) -> dict[str, Any]:
    """Run one part, of one game or of all; what its tests counted, and how long it took."""
    tests = list(part.tests)
    if game:
        tests[-1] = f"({tests[-1]}) and {game}"
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder) / "tally"
        tally.touch()
        counts = {"CARDTOWN_SOAK": str(part.factor), "CARDTOWN_TALLY": str(tally)}
        env = {**os.environ, **counts, "CARDTOWN_STORE": part.store}
        began = time.perf_counter()
        command = [sys.executable, "-m", "pytest", "-n", str(os.cpu_count()), *tests]
        passed = subprocess.run(command, env=env, cwd=ROOT, check=False).returncode == 0
        if part.program:
            played = subprocess.run([sys.executable, "-m", part.program], env=env, cwd=ROOT, check=False)
            passed = passed and played.returncode == 0
        counted: Counter[str] = Counter()
        for line in tally.read_text(encoding="utf-8").splitlines():
            what, _, n = line.rpartition("\t")
            counted[what] += int(n)
    return {
        "part": f"{name}, {game}" if game else name,
        "what": part.what,
        "passed": passed,
        "seconds": round(time.perf_counter() - began),
        "counted": dict(sorted(counted.items())),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def commit() -> str:
    def git(*args: str) -> str:
        return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--", ".", ":!docs/soak.*", ":!docs/bots*", ":!docs/reliability.md")
    return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")


def write(results: dict[str, dict[str, Any]]) -> None:
    """The report; parts that were not run this time keep what they showed last."""
    lines = [
        "# Soak",
        "",
        "Written by `make soak`: the checks of `make test` at full counts. Each part says at which commit it ran.",
        "",
        f"Machine: {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}.",
        "",
        "| part | what | counted | seconds | passed | commit | date |",
        "|---|---|---|---|---|---|---|",
    ]
    for found in results.values():
        counted = "<br>".join(f"{what}: {n:,}" for what, n in found["counted"].items())
        passed = "yes" if found["passed"] else "**no**"
        cells = (found["part"], found["what"], counted, found["seconds"], passed, found["commit"], found["date"])
        lines.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(words: list[str]) -> int:
    known = [*PARTS, *games()]
    for word in words:
        if word not in known:
            print(f"soak: there is no part or game {word!r}; known are {', '.join(known)}", file=sys.stderr)
            return 2
    parts = [word for word in words if word in PARTS] or list(PARTS)
    only: list[str | None] = [word for word in words if word in games()] or [None]
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    passed = True
    for name in parts:
        for game in only:
            print(f"soak: {name}: {PARTS[name].what}", flush=True)
            found = run(name, PARTS[name], game)
            passed = passed and found["passed"]
            results[found["part"]] = found
            RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
            write(results)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
