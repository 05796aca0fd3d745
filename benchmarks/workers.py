"""What a choice costs servers that share PostgreSQL: the time that all of their processes and PostgreSQL's compute.

However many tables and workers there are, people choose as often in a second, at one table after another: a machine
that is busier takes more time for the same. With two workers connections come to either, as the system deals them out:
at every second table the two people are connected to different ones, and everything that happens there has to be told.
No match ends meanwhile. All towns are open at the same time, each with its people in a process of its own.

`python -m benchmarks.workers 100 1000` measures it with so many tables.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import cycle, product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import NamedTuple

from rich.console import Console

from tests.server.postgres import Cluster
from tests.server.serving import Server, serving

from .cardtown_server import open_table
from .load import TICKS, Pair, Room, allow_sockets, count, cpu, in_loop, open_room, settled

WORKERS = (1, 2)
TABLES = (100, 1_000, 5_000)
SECONDS = 2.0
ROUNDS = 11
PER_SECOND = 3_000
"""Choices: nine tenths of what one worker takes when nobody waits (3,300 to 3,400), as where a second one is needed.

With 100 tables people have to wait for each other, and there are fewer.
"""

EARLIER = 5
"""Choices at each table before something is counted."""

LONGEST = {"carpet": 6}
NAP = 0.002


class Cost(NamedTuple):
    """What choices cost, in ms of computing, round after round."""

    rate: float
    """Choices per second."""

    servers: tuple[float, ...]
    postgresql: tuple[float, ...]
    p50: float
    """Of the push latency, in ms, as is `p99`."""

    p99: float

    @property
    def totals(self) -> list[float]:
        return [sum(both) for both in zip(self.servers, self.postgresql, strict=True)]

    def over(self, other: Cost) -> float:
        """How many times as much as the other: the median of all rounds, because now and then the machine is slower."""
        return median(mine / theirs for mine, theirs in zip(self.totals, other.totals, strict=True))


Costs = dict[tuple[int, int], Cost]
"""By workers and tables."""


class Town(NamedTuple):
    """Servers that share a database, and in which pairs the two people of tables come to them, one after another."""

    postgresql: int
    servers: list[Server]
    doors: Iterator[tuple[Server, Server]]

    @property
    def pids(self) -> list[int]:
        return [server.process.pid for server in self.servers]

    def open_table(self) -> Awaitable[Pair]:
        first, second = next(self.doors)
        return open_table(first.port, second.port, **LONGEST)


@contextmanager
def serve(workers: int) -> Iterator[Town]:
    """So many servers, and PostgreSQL, which waits for the disk as it does elsewhere."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = Cluster(fsync=True)
        stack.callback(cluster.remove)
        options = ("--database", cluster.new_database(), "--pause", "1")
        servers = [stack.enter_context(serving(folder / f"{worker}", *options)) for worker in range(workers)]
        yield Town(cluster.process.pid, servers, cycle(product(servers, servers)))


class Part(NamedTuple):
    """What came of a short time."""

    latencies: list[float]
    seconds: float
    servers: float
    postgresql: float


@contextmanager
def living(workers: int, tables: int) -> Iterator[Connection]:
    """A town with so many tables, and all who play there, in a process of its own that counts whenever it is asked."""
    spawn = get_context("spawn")
    line, other_end = spawn.Pipe()
    process = spawn.Process(target=live, args=(workers, tables, other_end))
    process.start()
    other_end.close()
    line.recv()  # it is open
    try:
        yield line
    finally:
        line.send(None)
        process.join()


def live(workers: int, tables: int, line: Connection) -> None:
    allow_sockets()
    with serve(workers) as town:
        in_loop(play(town, tables, line))


async def play(town: Town, tables: int, line: Connection) -> None:
    """Open the tables and play at all of them for a moment; then, again and again, for as long as is asked for."""
    await settled(town.pids)
    async with open_room(town.open_table, tables) as room:
        async with played(room):
            while len(room.latencies) < EARLIER * tables:
                await asyncio.sleep(NAP)
        line.send(None)
        while (seconds := await asyncio.to_thread(line.recv)) is not None:
            async with played(room):
                part = await count_part(town, room, seconds)
            line.send(part)


@asynccontextmanager
async def played(room: Room) -> AsyncIterator[None]:
    """People take turns there meanwhile."""
    playing = asyncio.create_task(take_turns(room))
    try:
        yield
    finally:
        playing.cancel()
        await room.stop()


async def count_part(town: Town, room: Room, seconds: float) -> Part:
    before = computed(town.postgresql)
    counted = await count(room, seconds, town.pids)
    return Part(counted.latencies, counted.seconds, counted.server_cpu, computed(town.postgresql) - before)


def cost(parts: Sequence[Part]) -> Cost:
    """Of all parts."""
    latencies = [each for part in parts for each in part.latencies]
    cuts = quantiles(latencies, n=100, method="inclusive")
    return Cost(
        len(latencies) / sum(part.seconds for part in parts),
        tuple(1000 * part.servers / len(part.latencies) for part in parts),
        tuple(1000 * part.postgresql / len(part.latencies) for part in parts),
        1000 * cuts[49],
        1000 * cuts[98],
    )


async def take_turns(room: Room) -> None:
    """Table after table, for ever, as many in a second as the servers can well take."""
    waiting = deque(room.tables)
    sent, began = 0, perf_counter()
    while True:
        due = int((perf_counter() - began) * PER_SECOND) - sent
        for _ in range(min(due, len(waiting))):
            table = waiting.popleft()
            waiting.append(table)
            sent += len(table.waiting)
            await table.go_on()
        await asyncio.sleep(NAP)


def computed(parent: int) -> float:
    """The seconds that a process and all its children have computed, those included that have ended."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
    fields = Path(f"/proc/{parent}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return cpu([parent, *map(int, children)]) + (int(fields[13]) + int(fields[14])) / TICKS


def measure_workers(
    console: Console,
    workers: Sequence[int] = WORKERS,
    tables: Sequence[int] = TABLES,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
) -> Costs:
    """All of them are open at the same time and take turns to be played at, for a moment each.

    What else the machine does, and how fast it is at the time, concerns them alike.
    """
    sides = [(together, some) for some in tables for together in workers]
    with console.status("Opening tables …") as status, ExitStack() as stack:
        lines = {side: stack.enter_context(living(*side)) for side in sides}
        found: dict[tuple[int, int], list[Part]] = {side: [] for side in sides}
        for i in range(rounds):
            for (together, some), line in lines.items():
                status.update(f"Round {i + 1} of {rounds}: {together} workers with PostgreSQL, {some:,} tables …")
                line.send(seconds)
                found[together, some].append(line.recv())
    return {side: cost(parts) for side, parts in found.items()}


def main(words: Sequence[str]) -> int:
    from .report import markdown, worker_sheet

    tables = [int(word) for word in words] or TABLES
    print(markdown(worker_sheet(measure_workers(Console(), tables=tables))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
