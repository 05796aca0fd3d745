"""Play while faults come, then compare what everybody was told with what is on disk.

`python -m benchmarks.faults [--store sqlite|postgres] [--games N] [--faults N]` ends with 1 if anything was found.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from .afflictions import kinds_of, plan
from .besieged import PATIENCE, Findings, Town
from .host import Host, ending
from .keeping import InDatabase, InFile, keep
from .planted import BUGS, NONE
from .relay import Relay

MOST_SHOWN = 20
STORES = (InFile.name, InDatabase.name)
GAMES, FAULTS, CALM = 2_000, 300, 100
"""The last are games without faults, in which everybody must be told in time again."""

STANDS_STILL = "Seconds after which a table at which nothing happens stands still."
OPTIONS = ("--pause", "0", "--grace", "20")


@dataclass(frozen=True)
class Result:
    """What one run did and found."""

    store: str
    seed: int
    found: Findings
    seconds: float

    @property
    def passed(self) -> bool:
        return not self.found.faulty


async def besiege(
    store: str,
    games: int = GAMES,
    faults: int = FAULTS,
    seed: int = 0,
    bug: str = NONE,
    patience: float = PATIENCE,
    tell: Callable[[str], None] = lambda said: None,
    calm: int = 0,
) -> Result:
    """Play so many games with so many faults, then so many in calm, and say what was found."""
    began = time.monotonic()
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, keep(store, Path(name)) as keeping, ending() as hosts:
        for called, more in keeping.servers.items():
            hosts.append(await asyncio.to_thread(Host, Path(name), called, bug, *keeping.options, *more, *OPTIONS))
        async with Relay(dice, [host.port for host in hosts]) as relay:
            town = Town(keeping, hosts, relay, seed, tell, patience)
            await town.live(games, plan(kinds_of(keeping), faults, dice), calm)
        await town.close()
    return Result(store, seed, town.found, time.monotonic() - began)


def show(console: Console, result: Result) -> None:
    found = result.found
    console.print(f"{result.store}, seed {result.seed}: {found.games.total():,} games in {result.seconds:.0f} s")
    for counter in (found.games, found.faults, found.counted):
        for what, n in counter.items():
            console.print(f"  {n:>9,}  {what}")
    for finding in found.faulty[-MOST_SHOWN:]:
        console.print(f"[bold]found:[/] {finding}", soft_wrap=True, highlight=False)
    console.print("nothing was found" if result.passed else f"{len(found.faulty)} found")


@click.command()
@click.option("--store", "stores", type=click.Choice(STORES), multiple=True, help="Both if not given.")
@click.option("--games", type=click.IntRange(1), default=GAMES, show_default=True)
@click.option("--faults", type=click.IntRange(0), default=FAULTS, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--patience", type=click.FloatRange(1), default=PATIENCE, show_default=True, help=STANDS_STILL)
@click.option("--bug", type=click.Choice([NONE, *BUGS]), default=NONE, help="Plant a bug, which must be found.")
def main(stores: tuple[str, ...], games: int, faults: int, seed: int, patience: float, bug: str) -> None:
    """Play so many games while so many faults come."""
    console = Console()
    results = []
    for store in stores or STORES:
        with console.status(store) as status:
            results.append(asyncio.run(besiege(store, games, faults, seed, bug, patience, status.update, CALM)))
        show(console, results[-1])
    sys.exit(not all(result.passed for result in results))


if __name__ == "__main__":
    main()
