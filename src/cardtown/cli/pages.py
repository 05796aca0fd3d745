"""Pages of the docs that are made from the games' own folders.

A page per game: help, options, components, and what was decided where the rulebook is silent; and one page that says
what the numbers of an observation mean. `python -m cardtown.cli.pages FOLDER` writes them; a test fails when they are
stale.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cardtown.core.game import Game
from cardtown.core.observing import places
from cardtown.core.words import CLAUSES
from cardtown.games import games

TITLES = {
    "decision": "Decisions: where the rulebook is silent or unclear",
    "reconstruction": "Reconstructions: where a printed part is lost",
}

OBSERVATIONS = """<!-- Built from the games' observation.py: change it there, then `make docs`. -->

# Observations

What a seat knows, as a row of small numbers (`int8`) for programs that learn: `observe()` of `cardtown.lab.vector`
gives a row for each game. It is what the table shows this seat, and what the game remembers for it. Laws are held
against every game: hidden cards change none of the numbers, and whatever the table shows changes some.

A row is told from the seat's own side, so one program can play every seat. Where a part has numbers for each seat, I
come first, then the others clockwise; for each *other* seat, they begin with the one on my left. Seats that are not at
the table are zero. A set of cards, or one of several things, is written as ones and zeros; a number that may be too
large for eight bits is written in two. What a choice means follows from who chooses and, where there is one, from the
phase."""


def page(game: Game) -> str:
    """The whole page of one game."""
    help_text = CLAUSES.sub(lambda found: f"<sub>{found[1]}</sub>", game.words.help).strip()
    facts = [f"- **seats**: {', '.join(str(seats) for seats in game.seats)}", f"- **minutes**: {game.minutes}"]
    for option in game.options:
        values = ", ".join(f"`{value}`" for value in option.values)
        facts.append(f"- **option `{option.name}`**: {values} (default `{option.default}`)")
    parts = [
        f"<!-- Built from src/cardtown/games/{game.id}: change it there, then `make docs`. -->",
        help_text,
        "## To play it\n\n" + "\n".join([*facts, "", f"`cardtown play {game.id}`"]),
        "## Components\n\n" + components_table(game),
        *decisions(game),
    ]
    return "\n\n".join(parts) + "\n"


def components_table(game: Game) -> str:
    """Every figure with where it comes from."""
    rows = ["| figure | value | source |", "|---|---|---|"]
    for table, figures in game.parts.items():
        for key, value in figures.items():
            if key != "source":
                rows.append(f"| `{table}.{key}` | {written(value)} | {figures['source']} |")
    return "\n".join(rows)


def written(value: Any) -> str:
    """A figure in a cell: rows of a table one below the other."""
    if isinstance(value, list):
        nested = any(isinstance(item, list | dict) for item in value)
        return ("<br>" if nested else ", ").join(written(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {written(item)}" for key, item in value.items())
    return str(value)


def decisions(game: Game) -> list[str]:
    """What was decided and what was reconstructed, clause by clause."""
    file = game.folder / "words" / "decisions.en.toml"
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        f"## {title}\n\n" + "\n".join(f"- {entry['clause']}: {entry['text']}" for entry in found[kind])
        for kind, title in TITLES.items()
        if kind in found
    ]


def observations_page(games: Iterable[Game]) -> str:
    """What each number of an observation means, game by game."""
    return "\n\n".join([OBSERVATIONS, *(parts_table(game) for game in games if game.observation)]) + "\n"


def parts_table(game: Game) -> str:
    title = f"## {game.title}: {game.observation_length} numbers"
    rows = [
        f"| {at} | {part.length} | `{part.name}` | {part.says} |"
        for part, at in zip(game.observation, places(game.observation), strict=True)
    ]
    return "\n".join([title, "", "| from | numbers | part | says |", "|---|---|---|---|", *rows])


def main(docs: Path) -> None:
    for folder in ("games", "lab"):
        (docs / folder).mkdir(parents=True, exist_ok=True)
    for game in games().values():
        (docs / "games" / f"{game.id}.md").write_text(page(game), encoding="utf-8")
    (docs / "lab" / "observations.md").write_text(observations_page(games().values()), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
