"""Arguments that several commands share: which game, how many seats, which options, who plays, which components."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from cardtown.bots.levels import check_bot
from cardtown.core.game import Game, GameError, Options
from cardtown.games import find
from cardtown.lab.jobs import Cluster, Processes, Threads, Workers
from cardtown.lab.table import Table

F = TypeVar("F", bound=Callable[..., Any])

SEEDS = click.IntRange(0, 2**63 - 1)
MANY = click.IntRange(1, 256)


class Setup(NamedTuple):
    """What is to be played."""

    game: Game
    seats: int
    options: Options

    @property
    def choosing(self) -> int:
        """How many of the seats choose."""
        return self.game.choosing(self.seats, self.options)

    @property
    def table(self) -> Table:
        """The same, as it travels to other processes."""
        return Table(self.game.id, self.game.own_parts, self.seats, self.options)


def chooses_game(command: F) -> F:
    """Give a command the arguments that `setup` reads."""
    for add in (
        click.option("--components", metavar="FILE", help="Play with the components in FILE."),
        click.option("--option", "option", metavar="K=V", multiple=True, help="Set an option of the game."),
        click.option("--seats", type=int, metavar="N", help="How many play."),
        click.argument("name", metavar="GAME"),
    ):
        command = add(command)
    return command


def chooses_workers(command: F) -> F:
    """Give a command the arguments that `workers` reads."""
    for add in (
        click.option("--cluster", metavar="ADDRESS", help="Let the workers of a Dask cluster do it (tcp://HOST:8786)."),
        click.option("--processes", type=MANY, metavar="N", help="Do it in so many processes."),
        click.option("--threads", type=MANY, metavar="N", help="Do it in so many threads."),
    ):
        command = add(command)
    return command


def workers(threads: int | None, processes: int | None, cluster: str | None) -> Workers | None:
    """Who does the work; None if nobody was named."""
    given: list[Workers] = []
    if threads is not None:
        given.append(Threads(threads))
    if processes is not None:
        given.append(Processes(processes))
    if cluster is not None:
        given.append(Cluster(cluster))
    if len(given) > 1:
        raise GameError("of --threads, --processes and --cluster only one can be given")
    return given[0] if given else None


says_language = click.option(
    "--language", default="en", show_default=True, metavar="L", help="The game's words: en or ja."
)


def setup(name: str, seats: int | None, option: tuple[str, ...], components: str | None) -> Setup:
    """The game, seats and options that were asked for, checked."""
    game = find(name)
    if components is not None:
        game = game.with_components_file(Path(components))
    count = game.check_seats(seats)
    return Setup(game, count, game.complete(game.parse_options(option), count))


def file_to_write(name: str, suffixes: tuple[str, ...], rule: str) -> Path:
    """The file that was named; an error now, which tells the rule, and not after an hour of games."""
    file = Path(name)
    if file.suffix not in suffixes:
        raise GameError(f"{rule}, not {name!r}")
    if not file.absolute().parent.is_dir():
        raise GameError(f"{name}: there is no such folder")
    return file


def bots_for(names: str, seats: int) -> list[str]:
    """The bots of `--bots`: one name for all seats that choose, or one for each."""
    found = [check_bot(name) for name in names.split(",")]
    if len(found) == 1:
        return found * seats
    if len(found) != seats:
        raise GameError(f"--bots names {len(found)} bots for {seats} seats; give one name, or one per seat")
    return found
