"""What a choice costs servers that share PostgreSQL: the time that all of their processes and PostgreSQL's compute.

However many tables and workers there are, people choose as often in a second, at one table after another: a machine
that is busier takes more time for the same. Where a match ends the next one begins; each table is as far in its match
as it happens to be, so that as many end in a second.

Two workers have one address. Two servers apart, as on two hosts, have one each: at every second table the two people
come by different ones, and everything that happens there has to be told.

All towns are open at the same time, each with its people in a process of its own, and take turns, one after another in
any order: within seconds the same work may take the machine twice as long. Each turn is counted from rest to rest.

`python -m benchmarks.workers 100 1000` measures it with so many tables.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import cycle, product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import sample, shuffle
from statistics import median, quantiles
from time import perf_counter
from typing import NamedTuple

from rich.console import Console

from tests.server.postgres import Cluster
from tests.server.serving import Server, serving

from .cardtown_server import open_table
from .load import Pair, Room, Table, allow_sockets, cpu, in_loop, open_room, settled


class Side(NamedTuple):
    """So many workers with so many tables; `apart`: each is a server of its own."""

    workers: int
    tables: int
    apart: bool = False


TABLES = (100, 1_000, 5_000)
SIDES = (*(Side(workers, tables) for tables in TABLES for workers in (1, 2)), Side(2, 1_000, apart=True))
SECONDS = 1.0
ROUNDS = 30
PER_SECOND = 2_000
"""Choices: what one worker takes also while the machine is slow, and people at 100 tables without waiting for each
other."""

MATCH = 75
"""Choices, about. At one table so many are made before something is counted, at another none, at the others some."""

AT_ONCE = 200
"""Tables at which these are made at the same time."""

NAP = 0.001


class Cost(NamedTuple):
    """What choices cost, in ms of computing, round after round."""

    rate: float
    """Choices per second."""

    servers: tuple[float, ...]
    postgresql: tuple[float, ...]
    p50: float
    """Of the push latency, in ms, as is `p99`."""

    p99: float
    busiest: float = 1.0
    """The share of all workers' computing that the busiest of them did."""

    @property
    def totals(self) -> list[float]:
        return [sum(both) for both in zip(self.servers, self.postgresql, strict=True)]

    def over(self, other: Cost) -> float:
        """How many times as much as the other: the median of all rounds, because now and then the machine is slower."""
        return median(mine / theirs for mine, theirs in zip(self.totals, other.totals, strict=True))


Costs = dict[Side, Cost]


class Town(NamedTuple):
    """Servers that share a database, and in which pairs the two people of tables come to them, one after another."""

    postgresql: int
    servers: list[Server]
    doors: Iterator[tuple[Server, Server]]

    @property
    def pids(self) -> list[int]:
        return [pid for server in self.servers for pid in family(server.process.pid)]

    @property
    def workers(self) -> list[int]:
        """The processes that serve: those that servers have started, or they themselves."""
        return [pid for server in self.servers for pid in family(server.process.pid)[1:] or [server.process.pid]]

    def open_table(self) -> Awaitable[Pair]:
        first, second = next(self.doors)
        return open_table(first.port, second.port)


@contextmanager
def serve(side: Side) -> Iterator[Town]:
    """So many workers, and PostgreSQL, which waits for the disk as it does elsewhere."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = Cluster(fsync=True)
        stack.callback(cluster.remove)
        options = ("--database", cluster.new_database(), "--pause", "1", "--workers")
        each = ["1"] * side.workers if side.apart else [str(side.workers)]
        servers = [stack.enter_context(serving(folder / f"{i}", *options, some)) for i, some in enumerate(each)]
        yield Town(cluster.process.pid, servers, cycle(product(servers, servers)))


class Turn(NamedTuple):
    """What came of it."""

    latencies: list[float]
    seconds: float
    servers: float
    postgresql: float
    workers: tuple[float, ...]
    """What each of them computed."""


@contextmanager
def living(side: Side) -> Iterator[Connection]:
    """A town, and all who play there, in a process of its own that counts whenever it is asked."""
    spawn = get_context("spawn")
    line, other_end = spawn.Pipe()
    process = spawn.Process(target=live, args=(side, other_end))
    process.start()
    other_end.close()
    line.recv()  # it is open
    try:
        yield line
    finally:
        line.send(None)
        process.join()


def live(side: Side, line: Connection) -> None:
    allow_sockets()
    with serve(side) as town:
        in_loop(play(town, side.tables, line))


async def play(town: Town, tables: int, line: Connection) -> None:
    """Open the tables and play at each for a while; then, again and again, for as long as is asked for."""
    await settled(town.pids)
    async with open_room(town.open_table, tables) as room:
        for first in range(0, tables, AT_ONCE):
            some = range(first, min(first + AT_ONCE, tables))
            await advance({room.tables[i]: MATCH * i // tables for i in some})
        await room.stop()
        turns = deque(sample(room.tables, tables))
        gc.collect()
        gc.disable()  # it would take longer than many choices
        line.send(None)
        while (seconds := await asyncio.to_thread(line.recv)) is not None:
            line.send(await count_turn(town, room, turns, seconds))


async def advance(left: dict[Table, int]) -> None:
    """At each of these tables so many choices are made, as quickly as may be."""
    while left := {table: choices for table, choices in left.items() if choices > 0}:
        for table in left:
            left[table] -= len(table.waiting)
            await table.go_on()
        await asyncio.sleep(NAP)


@asynccontextmanager
async def played(room: Room, turns: deque[Table]) -> AsyncIterator[None]:
    """People choose there meanwhile; in the end all that was chosen has come through."""
    is_enough = asyncio.Event()
    playing = asyncio.create_task(choose(turns, is_enough))
    try:
        yield
    finally:
        is_enough.set()
        await playing
        await room.stop()


async def count_turn(town: Town, room: Room, turns: deque[Table], seconds: float) -> Turn:
    room.latencies.clear()
    began = perf_counter()
    servers, postgresql = sum(computed(server.process.pid) for server in town.servers), computed(town.postgresql)
    workers = town.workers
    before = [cpu([pid]) for pid in workers]
    async with played(room, turns):
        await asyncio.sleep(seconds)
    return Turn(
        list(room.latencies),
        perf_counter() - began,
        sum(computed(server.process.pid) for server in town.servers) - servers,
        computed(town.postgresql) - postgresql,
        tuple(cpu([pid]) - begun for pid, begun in zip(workers, before, strict=True)),
    )


def cost(turns: Sequence[Turn]) -> Cost:
    """Of all turns."""
    latencies = [each for turn in turns for each in turn.latencies]
    cuts = quantiles(latencies, n=100, method="inclusive")
    workers = [sum(each) for each in zip(*(turn.workers for turn in turns), strict=True)]
    return Cost(
        len(latencies) / sum(turn.seconds for turn in turns),
        tuple(1000 * turn.servers / len(turn.latencies) for turn in turns),
        tuple(1000 * turn.postgresql / len(turn.latencies) for turn in turns),
        1000 * cuts[49],
        1000 * cuts[98],
        max(workers) / sum(workers),
    )


async def choose(turns: deque[Table], is_enough: asyncio.Event) -> None:
    """Table after table, as many in a second as the servers can well take."""
    sent, began = 0, perf_counter()
    while not is_enough.is_set():
        due = int((perf_counter() - began) * PER_SECOND) - sent
        for _ in range(min(due, len(turns))):
            turns.rotate(-1)
            table = turns[-1]
            sent += len(table.waiting)
            await table.go_on()
        await asyncio.sleep(NAP)


def computed(parent: int) -> float:
    """The seconds that a process and all its children have computed, those included that have ended."""
    fields = Path(f"/proc/{parent}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return cpu(family(parent)) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def family(parent: int) -> list[int]:
    """A process and its children."""
    return [parent, *map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split())]


def measure_workers(
    console: Console, sides: Sequence[Side] = SIDES, seconds: float = SECONDS, rounds: int = ROUNDS
) -> Costs:
    """What else the machine does, and how fast it is at the time, concerns them alike."""
    with console.status("") as status, ExitStack() as stack:
        lines = {}
        for side in sides:
            status.update(f"Opening {side.tables:,} tables with {side.workers} workers, and playing there …")
            lines[side] = stack.enter_context(living(side))
        found: dict[Side, list[Turn]] = {side: [] for side in sides}
        for i in range(rounds):
            status.update(f"Workers with PostgreSQL: round {i + 1} of {rounds} …")
            order = list(sides)
            shuffle(order)
            for side in order:
                lines[side].send(seconds)
                found[side].append(lines[side].recv())
    return {side: cost(turns) for side, turns in found.items()}


def main(words: Sequence[str]) -> int:
    from .report import markdown, worker_sheet, worker_targets

    costs = measure_workers(Console(), [side for side in SIDES if not words or str(side.tables) in words])
    print(markdown(worker_sheet(costs)))
    for target in worker_targets(costs):
        print(f"{'met' if target.is_met else 'missed'}: {target.promise}: {target.measured}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
