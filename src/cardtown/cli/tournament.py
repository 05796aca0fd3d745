"""`cardtown tournament`: which bot is better, and by how much."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardtown.bots.learnt.bot import check_player
from cardtown.core.game import GameError

if TYPE_CHECKING:
    from cardtown.lab.standings import Tournament

from .choosing import SEEDS, Setup, chooses_game, chooses_workers, file_to_write, setup, workers
from .progress import progress


@click.command("tournament")
@chooses_game
@click.option("--bots", required=True, metavar="NAME,…", help="Who plays; the last one fills the seats that are left.")
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, metavar="N", help="At least so many.")
@click.option("--seed", type=SEEDS, default=0, metavar="N", help="Which deals: the same seed, the same deals.")
@chooses_workers
@click.option("--plot", metavar="FILE", help="Draw the shares of wins into FILE (.svg or .png).")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    name: str,
    seats: int | None,
    option: tuple[str, ...],
    components: str | None,
    bots: str,
    games: int,
    seed: int,
    threads: int | None,
    processes: int | None,
    cluster: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Let bots play the same deals from every seat, and rate them.

    Bots are random, wander, easy, medium, hard, and hard with a time (hard:500ms) or a number of iterations
    (hard:20000); and what `cardtown train` wrote, FILE.npz, FILE.npz:20ms. With more bots than seats every choice of
    them meets. The same seed gives the same figures with any number of threads, processes (unless told otherwise, one
    for each core) or machines, unless bots think for a time: only those that think for a number of iterations always
    choose alike.
    """
    chosen = setup(name, seats, option, components)
    names = [check_player(bot, chosen.game, chosen.seats) for bot in bots.split(",")]
    file = None if plot is None else plot_file(plot)
    given = workers(threads, processes, cluster)

    from cardtown.lab.tournament import games_of, hold

    with progress(games_of(chosen.table, names, games)) as tick:
        held = hold(chosen.table, names, games, seed, tick, given)
    if file is not None:
        from cardtown.lab.plot import plot_results

        plot_results(held.results, title(chosen), file)
    click.echo(json.dumps(figures(chosen, seed, held), ensure_ascii=False) if as_json else report(chosen, held))


def plot_file(name: str) -> Path:
    """The file to draw into; an error now, not after an hour of games."""
    file = file_to_write(name, (".svg", ".png"), "--plot draws .svg or .png files")
    if importlib.util.find_spec("matplotlib") is None:
        raise GameError("--plot needs matplotlib: install cardtown[lab]")
    return file


def title(chosen: Setup) -> str:
    options = "".join(f", {name} {value}" for name, value in chosen.options.items())
    return f"{chosen.game.title}, {chosen.seats} seat{'s' if chosen.seats > 1 else ''}{options}"


def figures(chosen: Setup, seed: int, held: Tournament) -> dict[str, Any]:
    """All that the report says, for programs."""
    return {
        "game": chosen.game.id,
        "seats": chosen.seats,
        "options": chosen.options,
        "seed": seed,
        "games": len(held.played),
        "results": [asdict(result) for result in held.results],
        "beats": {
            one.bot: {other.bot: held.beats(one.bot, other.bot) for other in held.results if other is not one}
            for one in held.results
        },
    }


def report(chosen: Setup, held: Tournament) -> str:
    """The same for people."""
    width = max(len(result.bot) for result in held.results) + 2
    deals = len({game.deal for game in held.played})
    lines = [
        f"{title(chosen)}: {len(held.played):,} games, {deals:,} deals from every seat",
        "",
        f"{'bot':<{width}}{'games':>7}{'wins':>9}{'likely':>18}{'fair':>8}{'score':>9}{'rating':>9}",
    ]
    for result in held.results:
        likely = f"{result.low:.1%} – {result.high:.1%}"
        reach = result.rating_high - result.rating
        lines.append(
            f"{result.bot:<{width}}{result.games:>7,}{result.win_rate:>9.1%}{likely:>18}{result.fair:>8.1%}"
            f"{result.score:>9.2f}{result.rating:>9.1f} ± {reach:.1f}"
        )
    if any(len(set(game.lineup)) > 1 for game in held.played):
        lines += ["", f"{'wins against':<{width}}" + "".join(f"{other.bot:>{width}}" for other in held.results)]
        for one in held.results:
            cells = (None if one is other else held.beats(one.bot, other.bot) for other in held.results)
            shown = ("·" if share is None else f"{share:.1%}" for share in cells)
            lines.append(f"{one.bot:<{width}}" + "".join(f"{share:>{width}}" for share in shown))
    return "\n".join(lines)
