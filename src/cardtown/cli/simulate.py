"""`cardtown simulate`: many games that play themselves, and what came of them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cardtown.bots.levels import BLIND
from cardtown.cli.choosing import SEEDS, Setup, bots_for, chooses_game, chooses_workers, setup, workers
from cardtown.cli.progress import progress
from cardtown.core.game import GameError
from cardtown.lab.jobs import Processes, Threads
from cardtown.lab.simulate import LIMIT, Summary, places_of, simulate, tell

BARS = " ▁▂▃▄▅▆▇█"


@click.command("simulate")
@chooses_game
@click.option("--games", type=click.IntRange(1), default=1000, metavar="N", help="How many games.", show_default=True)
@click.option("--bots", default="random", metavar="NAME,…", help="One bot for all seats or one per seat.")
@click.option("--seed", type=SEEDS, default=0, metavar="N", help="Which games: the same seed, the same games.")
@chooses_workers
@click.option("--limit", type=click.IntRange(1), default=LIMIT, metavar="N", help="Decisions after which to give up.")
@click.option("--transcript", "file", metavar="FILE", help="Write the games' transcripts to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    name: str,
    seats: int | None,
    option: tuple[str, ...],
    components: str | None,
    games: int,
    bots: str,
    seed: int,
    threads: int | None,
    processes: int | None,
    cluster: str | None,
    limit: int,
    file: str | None,
    as_json: bool,
) -> None:
    """Let bots play many games and print how fast they were and how they ended.

    The same seed gives the same figures with any number of threads, processes or machines, unless bots think for a
    time (hard, hard:20ms): only those that think for a number of iterations always choose alike.
    """
    chosen = setup(name, seats, option, components)
    players = bots_for(bots, chosen.choosing)
    is_blind = all(bot in BLIND for bot in players)
    given = workers(threads, processes, cluster) or (Threads() if is_blind else Processes())
    with progress(games) as tick:
        if is_blind and file is None:
            summary = simulate(chosen.table, players, games, seed, limit, given, tick)
        else:
            began = time.perf_counter()
            told = tell(chosen.table, players, games, seed, limit, given, tick)
            summary = count(chosen, told if file is None else write_transcripts(told, Path(file)))
            summary.seconds = time.perf_counter() - began
    found = figures(chosen, players, seed, summary)
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else report(chosen, players, summary))


def count(chosen: Setup, told: Iterator[tuple[Summary, str]]) -> Summary:
    """What came of all games together."""
    summary = Summary(places_of(*chosen))
    for part, _ in told:
        summary += part
    return summary


def write_transcripts(told: Iterator[tuple[Summary, str]], file: Path) -> Iterator[tuple[Summary, str]]:
    """Keep the transcripts of games as they are told: the file appears when all are written."""
    unfinished = file.with_name(f"{file.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8") as out:
            for part, line in told:
                out.write(line)
                yield part, line
        unfinished.replace(file)
    except OSError as error:
        raise GameError(f"{file}: can't be written ({error.strerror})") from None
    finally:
        unfinished.unlink(missing_ok=True)


def figures(chosen: Setup, bots: list[str], seed: int, summary: Summary) -> dict[str, Any]:
    """All that the report says, for programs."""
    seconds = max(summary.seconds, 1e-9)
    return {
        "game": chosen.game.id,
        "seats": chosen.seats,
        "options": chosen.options,
        "bots": bots,
        "seed": seed,
        "games": summary.games,
        "truncated": summary.truncated,
        "decisions": summary.decisions,
        "seconds": summary.seconds,
        "games_per_second": summary.games / seconds,
        "decisions_per_second": summary.decisions / seconds,
        "wins": summary.wins,
        "shared_wins": summary.shared,
        "scores": [
            {
                "mean": summary.mean(place),
                "deviation": summary.deviation(place),
                "lowest": min(summary.scores[place], default=None),
                "highest": max(summary.scores[place], default=None),
            }
            for place in range(summary.places)
        ],
    }


def report(chosen: Setup, bots: list[str], summary: Summary) -> str:
    """The same for people."""
    seconds = max(summary.seconds, 1e-9)
    lines = [
        f"{chosen.game.title}: {summary.games:,} games, {summary.decisions:,} decisions in {summary.seconds:.2f} s",
        f"{summary.games / seconds:,.0f} games/s · {summary.decisions / seconds:,.0f} decisions/s",
        "",
        f"{'seat':<5}{'plays':<12}{'wins':>10}{'':>9}{'score':>9}{'± ':>8}{'from':>6}{'to':>6}  spread",
    ]
    ended = max(summary.games - summary.truncated, 1)
    for place in range(summary.places):
        plays = bots[place] if place < len(bots) else "by itself"
        scores = summary.scores[place]
        lines.append(
            f"{place:<5}{plays:<12}{summary.wins[place]:>10,}{summary.wins[place] / ended:>9.1%}"
            f"{summary.mean(place):>9.2f}{summary.deviation(place):>7.2f} "
            f"{min(scores, default=0):>6}{max(scores, default=0):>6}  {spread(scores)}"
        )
    if summary.shared:
        lines.append(f"{summary.shared:,} games had more than one winner.")
    if summary.truncated:
        lines.append(f"{summary.truncated:,} games were given up at the limit of decisions; they count nowhere above.")
    return "\n".join(lines)


def spread(scores: Counter[int], width: int = 24) -> str:
    """How often low to high scores came, as a row of bars."""
    if not scores:
        return ""
    low, high = min(scores), max(scores)
    cells = [0] * min(width, high - low + 1)
    for score, n in scores.items():
        cells[(score - low) * (len(cells) - 1) // max(high - low, 1)] += n
    most = max(cells)
    return "".join(BARS[-(-n * (len(BARS) - 1) // most)] for n in cells)
