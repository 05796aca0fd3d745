"""The docs say what is true: their code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cardtown.cli import town

DOCS = Path(__file__).parent.parent / "docs"
FILES = re.compile(r"^## [^\n]*`(highcard/[^`\n]+)`\n(?:.*?\n)??```\w+\n(.*?)```$", re.DOTALL | re.MULTILINE)

CHECK = """
from cardtown.core import laws, observing_laws, transcript
from cardtown.core.play import Player
from cardtown.games import find, games

game = find("highcard")
for seats, options in laws.combinations(game):
    for player in Player:
        for number in range(20):
            match = laws.check_game(game, seats, options, player, 1, number)
            laws.check_transcript(match)
        laws.check_twins(game, seats, options, player, 1, 0, 50)
        observing_laws.check_observing_twins(game, seats, options, player, 1, 0, 5)
observing_laws.check_observations(game, 1, 0)
observing_laws.check_observed_fields(game, 1, 0)
assert sorted(game.words.clauses()) == game.clause_ids()
print("highcard keeps the laws")
"""


@pytest.fixture(scope="module")
def highcard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folder that the page describes, and an environment in which the town finds it."""
    place = tmp_path_factory.mktemp("games")
    found = FILES.findall((DOCS / "add-a-game.md").read_text(encoding="utf-8"))
    assert [name for name, _ in found] == [
        "highcard/__init__.py",
        "highcard/components.toml",
        "highcard/rules.py",
        "highcard/table.py",
        "highcard/observation.py",
        "highcard/words/en.toml",
        "highcard/words/help.en.md",
        "highcard/look.toml",
    ]
    for name, content in found:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(content, encoding="utf-8")
    return {**os.environ, "CARDTOWN_GAMES": str(place), "HIGHCARD": str(place)}


def run(env: dict[str, str], *args: str, cwd: Path | None = None) -> str:
    done = subprocess.run(args, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_game_of_the_page_keeps_the_laws(highcard: dict[str, str]) -> None:
    assert "keeps the laws" in run(highcard, sys.executable, "-c", CHECK)


def test_the_game_of_the_page_is_a_game_of_the_town(highcard: dict[str, str], tmp_path: Path) -> None:
    cardtown = str(Path(sys.executable).parent / "cardtown")
    assert "High Card" in run(highcard, cardtown, "games")
    file = str(tmp_path / "games.jsonl")
    run(highcard, cardtown, "simulate", "highcard", "--seats", "3", "--games", "50", "--transcript", file)
    assert "50 games verified" in run(highcard, cardtown, "replay", file)
    assert "takes a point" in run(highcard, cardtown, "replay", file, "--game", "2", "--seat", "1")


def code_on(page: str) -> str:
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    return "\n".join(blocks)


PAGES = (
    "docs/concepts.md",
    "docs/lab/gymnasium.md",
    "docs/lab/jobs.md",
    "docs/lab/ladder.md",
    "docs/lab/pettingzoo.md",
    "docs/lab/vector.md",
)


@pytest.mark.parametrize("page", PAGES)
def test_the_code_on_a_page_runs(page: str) -> None:
    run(dict(os.environ), sys.executable, "-c", code_on(page))


def test_an_agent_is_trained_and_rated_on_one_page() -> None:
    """With fewer games and lessons than on the page."""
    counts = "GAMES, LESSONS, RATED = 256, 40, 60"
    code = code_on("docs/lab/README.md")
    assert counts in code
    said = run(dict(os.environ), sys.executable, "-c", code.replace(counts, "GAMES, LESSONS, RATED = 64, 10, 12"))
    assert re.match(r"mine: \d+\.\d \(\d+\.\d – \d+\.\d\)\n", said)
    assert said.count("  wins ") == 6


def test_the_game_of_the_page_is_solved_by_open_spiel(highcard: dict[str, str], tmp_path: Path) -> None:
    said = run(highcard, sys.executable, "-c", code_on("docs/lab/openspiel.md"), cwd=tmp_path)
    before, after = (int(percent) for percent in re.findall(r"(\d+)%", said))
    assert before > 10
    assert after < before / 5


def test_every_test_that_the_page_about_security_names_is_there() -> None:
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text)
    assert len(named) == text.count("::") - 1, "the first says how tests are named"
    for file, test in named:
        code = (DOCS.parent / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {test}\(", code, re.MULTILINE), f"{file}::{test}"
    for chapter in text.split("\n## ")[1:]:
        assert "::" in chapter or chapter.startswith("What we depend on"), chapter.splitlines()[0]


def options_of(command: str) -> set[str]:
    found = town.get_command(click.Context(town), command)
    assert found is not None
    return {name for option in found.params if isinstance(option, click.Option) for name in option.opts}


def test_the_options_on_the_page_about_hosting_are_there_with_these_defaults() -> None:
    text = (DOCS / "hosting.md").read_text(encoding="utf-8")
    serve = town.get_command(click.Context(town), "serve")
    assert serve is not None
    defaults = {name: option.default for option in serve.params for name in option.opts}
    shown = re.findall(r"^\| `(--[\w-]+) ([^`]+)` \|", text, re.MULTILINE)
    assert {name for name, _ in shown} >= {name for name in defaults if name.startswith(("--most", "--keep", "--slow"))}
    for name, value in shown:
        assert name in defaults, name
        if name.startswith(("--most", "--slow", "--pause", "--grace", "--port")):
            assert float(value) == defaults[name], name
    for command, rest in re.findall(r"^\$ cardtown (\w+)(.*)$", text, re.MULTILINE):
        assert set(re.findall(r"--[\w-]+", rest)) <= options_of(command), command
