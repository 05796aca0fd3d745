"""`cardtown ladder`: a number for a bot that can be compared, from games against bots that never change."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cardtown.bots.learnt.bot import check_player
from cardtown.core.game import GameError
from cardtown.games import find

from .choosing import SEEDS, chooses_workers, workers
from .progress import progress

if TYPE_CHECKING:
    from cardtown.cli.outside import Welcome
    from cardtown.lab.ladder import Climb, Ladder


@click.command("ladder")
@click.argument("name", metavar="GAME")
@click.option("--bot", metavar="NAME", help="Rate this bot of the town, or FILE.npz.")
@click.option("--listen", is_flag=True, help="Open tables for a bot that is a program of its own, and rate it.")
@click.option("--run", "run", metavar="COMMAND", help="Rate the program that COMMAND starts for a {table} and {token}.")
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, metavar="N", help="At least so many.")
@click.option("--seed", type=SEEDS, default=0, metavar="N", help="Which deals, for --bot.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Where to listen (default: any).")
@chooses_workers
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    name: str,
    bot: str | None,
    listen: bool,
    run: str | None,
    games: int,
    seed: int,
    port: int,
    threads: int | None,
    processes: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Show the ladder of a game, or rate a bot against its baselines, whose ratings stay as they are.

    A program plays through the socket API (docs/protocol.md) with the token that it is given. With --listen its tables
    are printed, and also found in GET /api/me/tables. With --run a command is started for each of them:

    cardtown ladder hollywood --run "python examples/bot.py {table} --token {token}"

    The same seed gives --bot the same rating with any number of processes or machines, unless it thinks for a time
    (hard:20ms) and not for a number of iterations (hard:20000).
    """
    if (bot is not None) + listen + (run is not None) > 1:
        raise GameError("of --bot, --listen and --run only one can be given")
    game = find(name)
    given = workers(threads, processes, cluster)

    from cardtown.lab import ladder as lab

    ladder = lab.read(game)
    if bot is not None:
        plan = lab.plan_of(ladder, check_player(bot, game, ladder.seats), games)
        with progress(sum(len(lineup) for lineup, _ in plan)) as tick:
            climb = lab.climb(ladder, bot, games, seed, tick, given)
    elif listen or run is not None:
        climb = rate_outside(ladder, games, port, run, as_json)
    else:
        click.echo(json.dumps(asdict(ladder), ensure_ascii=False) if as_json else show(ladder))
        return
    found = {"game": ladder.game, "seats": ladder.seats, **lab.figures(climb)}
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else report(ladder, climb))


def rate_outside(ladder: Ladder, games: int, port: int, run: str | None, as_json: bool) -> Climb:
    """Let a program play at tables of its own, and rate it."""
    from cardtown.lab.ladder import judge, plan_of
    from cardtown.lab.tournament import rotations
    from cardtown.server.process import CantListen, listen

    from .outside import OUTSIDE, host

    words = None if run is None else split(run)
    lineups = [seated for lineup, _ in plan_of(ladder, OUTSIDE, games) for seated in rotations(lineup)]
    try:
        listening = listen("127.0.0.1", port)
    except CantListen as error:
        raise click.ClickException(str(error)) from None

    def welcome(told: Welcome) -> None:
        if run is None:
            click.echo(json.dumps(asdict(told)) if as_json else greet(told))

    with listening, progress(len(lineups)) as tick:
        played = host(ladder.table, lineups, listening, welcome, tick, words)
    if not played:
        raise GameError("no match has ended: there is nothing to rate")
    return judge(ladder, OUTSIDE, played)


def split(command: str) -> list[str]:
    """The words of a command."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise GameError(f"--run can't be understood: {error}") from None
    if not words:
        raise GameError("--run names no command")
    return words


def greet(told: Welcome) -> str:
    """What whoever starts the outside bot must know."""
    lines = [f"{len(told.tables)} tables are open; Ctrl+C rates what has been played. Token:", told.token, "Tables:"]
    return "\n".join([*lines, *told.tables])


def show(ladder: Ladder) -> str:
    """The ladder as a table."""
    width = max(len(rung.bot) for rung in ladder.rungs) + 2
    lines = [
        f"{find(ladder.game).title}, {ladder.seats} seats: {sum(met.games for met in ladder.meetings):,} games",
        "",
        f"{'bot':<{width}}{'rating':>8}{'likely':>16}{'games':>8}",
    ]
    for rung in ladder.rungs:
        likely = f"{rung.low:.1f} – {rung.high:.1f}"
        lines.append(f"{rung.bot:<{width}}{rung.rating:>8.1f}{likely:>16}{rung.games:>8,}")
    return "\n".join(lines)


def report(ladder: Ladder, climb: Climb) -> str:
    """A rating, where that is on the ladder, and what it comes from."""
    rating, low, high = climb.rating
    width = max(len(climb.bot), *(len(rung.bot) for rung in ladder.rungs)) + 2
    lines = [
        f"{find(ladder.game).title}, {ladder.seats} seats: {climb.bot} is rated {rating:.1f} "
        f"({low:.1f} – {high:.1f}) after {climb.games:,} games",
        "",
        f"{'against':<{width}}{'rating':>8}{'games':>8}{'wins':>9}{'likely':>18}{'fair':>8}",
    ]
    for against in climb.against:
        likely = f"{against.low:.1%} – {against.high:.1%}"
        lines.append(
            f"{against.bot:<{width}}{ladder.ratings[against.bot]:>8.1f}{against.games:>8,}{against.win_rate:>9.1%}"
            f"{likely:>18}{against.fair:>8.1%}"
        )
    return "\n".join(lines)
