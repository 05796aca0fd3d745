"""`cardtown train`: let a network learn a game by playing it against itself."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cardtown.bots.learnt.guide import trained_for
from cardtown.core.game import GameError

from .choosing import SEEDS, Setup, chooses_game, file_to_write, setup

if TYPE_CHECKING:
    from cardtown.lab.learn.training import Progress

SIDE_BY_SIDE = {"cpu": 512, "gpu": 16_384}


@click.command("train")
@chooses_game
@click.option("--out", default="learnt.npz", show_default=True, metavar="FILE", help="Where to write what was learnt.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=10, show_default=True, metavar="N")
@click.option(
    "--on", type=click.Choice(["cpu", "gpu"]), help="Where to play and learn (default: a GPU if there is one)."
)
@click.option(
    "--games", type=click.IntRange(8), metavar="N", help="How many games side by side (default: 512, on a GPU 16384)."
)
@click.option(
    "--steps",
    type=click.IntRange(2),
    default=32,
    show_default=True,
    metavar="N",
    help="Decisions between two lessons.",
)
@click.option("--seed", type=SEEDS, default=0, metavar="N", help="Which deals and which beginnings.")
@click.option("--against-random", is_flag=True, help="One seat learns how to beat others who choose at random.")
def command(
    name: str,
    seats: int | None,
    option: tuple[str, ...],
    components: str | None,
    out: str,
    minutes: float,
    on: str | None,
    games: int | None,
    steps: int,
    seed: int,
    against_random: bool,
) -> None:
    """Let a network learn a game by self-play.

    What it has learnt is a small file, FILE.npz, which needs no PyTorch to play with: as a bot FILE.npz chooses at a
    glance, FILE.npz:50ms thinks ahead as hard:50ms does, guided by what it has learnt.
    """
    chosen = setup(name, seats, option, components)
    file = file_to_write(out, (".npz",), "--out writes .npz files")
    if importlib.util.find_spec("torch") is None:
        raise GameError("cardtown train needs PyTorch: install cardtown[learn]")
    if not chosen.game.observation:
        raise GameError(f"{chosen.game.id} does not say what a seat knows: its folder has no observation.py")
    from cardtown.lab.learn.training import Plan, train

    where = on or ("gpu" if has_gpu() else "cpu")
    playing = side_by_side(chosen, where, games or SIDE_BY_SIDE[where], seed)
    plan = Plan(60 * minutes, steps=steps, seed=seed, against_random=against_random)
    with bar() as tick:
        network = train(playing, plan, tick)
    network.save(file, seats=str(chosen.seats), **trained_for(chosen.game))
    click.echo(f"{file}: learnt. Try it: cardtown tournament {chosen.game.id} --bots {file}:20ms,hard:20ms")


def has_gpu() -> bool:
    import torch

    return torch.cuda.is_available() and importlib.util.find_spec("cupy") is not None


def side_by_side(chosen: Setup, where: str, n: int, seed: int) -> Any:
    """The games to learn from."""
    if where == "gpu":
        from cardtown.lab.gpu.device import DeviceGames

        return DeviceGames(chosen.game, n, chosen.seats, chosen.options, seed)
    from cardtown.lab.vector import Vector

    return Vector(chosen.game, n, chosen.seats, chosen.options, seed)


@contextmanager
def bar() -> Iterator[Callable[[Progress], None]]:
    """How far it is, and how it goes, on standard error while it is looked at."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("the first games …", total=1)

        def tick(now: Progress) -> None:
            told = f"{now.decisions:,} decisions, {now.games:,} games, entropy {now.entropy:.2f}"
            shown.update(task, completed=now.share, description=f"{told}, surprise {now.surprise:.3f}")

        yield tick
