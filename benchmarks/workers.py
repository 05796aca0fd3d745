"""What a choice costs servers that share PostgreSQL: the time that all of their processes and PostgreSQL's compute.

However many tables and workers there are, people choose as often in a second, at one table after another: a machine
that is busier takes more time for the same. With two workers connections come to either, as the system deals them out:
at every second table the two people are connected to different ones, and everything that happens there has to be told.
No match ends meanwhile. `python -m benchmarks.workers 100 1000` measures it with so many tables.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import deque
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle, product
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import NamedTuple

from rich.console import Console

from tests.server.postgres import Cluster
from tests.server.serving import Server, serving

from .cardtown_server import open_table
from .load import TICKS, Pair, Room, allow_sockets, count, cpu, in_loop, medians, open_room, settled

WORKERS = (1, 2)
TABLES = (100, 1_000, 5_000)
SECONDS = 8.0
ROUNDS = 3
PER_SECOND = 1_000
"""Choices: about half of what one worker can take."""

AT_ONCE = 100
EARLIER = 5
"""Choices at each table before something is counted."""

LONGEST = {"carpet": 6}
NAP = 0.002


class Cost(NamedTuple):
    """What choices cost, in ms of computing."""

    rate: float
    """Choices per second."""

    servers: float
    postgresql: float
    p50: float
    """Of the push latency, in ms, as is `p99`."""

    p99: float

    @property
    def total(self) -> float:
        return self.servers + self.postgresql


Costs = dict[tuple[int, int], Cost]
"""By workers and tables."""


class Town(NamedTuple):
    """Servers that share a database, and in which pairs the two people of tables come to them, one after another."""

    postgresql: int
    servers: list[Server]
    doors: Iterator[tuple[Server, Server]]

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


async def measure(town: Town, tables: int, seconds: float) -> Cost:
    """Open the tables, play at all of them for a moment, then count for so many seconds."""
    servers = [server.process.pid for server in town.servers]
    await settled(servers)
    async with open_room(town.open_table, tables) as room:
        playing = asyncio.create_task(take_turns(room))
        while len(room.latencies) < EARLIER * tables:
            await asyncio.sleep(NAP)
        before = computed(town.postgresql)
        counted = await count(room, seconds, servers)
        postgresql = computed(town.postgresql) - before
        playing.cancel()
        await room.stop()
    cuts = quantiles(counted.latencies, n=100, method="inclusive")
    choices = len(counted.latencies)
    return Cost(
        choices / counted.seconds,
        1000 * counted.server_cpu / choices,
        1000 * postgresql / choices,
        1000 * cuts[49],
        1000 * cuts[98],
    )


async def take_turns(room: Room) -> None:
    """Table after table, for ever, as many in a second as the servers can well take, and at once as there may be."""
    waiting = deque(room.tables)
    sent, began = 0, perf_counter()
    while True:
        due = int((perf_counter() - began) * PER_SECOND) - sent
        for _ in range(min(due, AT_ONCE - (sent - len(room.latencies)), len(waiting))):
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
    """The median of each by its total; they take turns, and each time all processes begin anew."""
    allow_sockets()
    found: dict[tuple[int, int], list[Cost]] = {}
    for i in range(rounds):
        for some in tables:
            for together in workers:
                said = f"Round {i + 1} of {rounds}: {together} workers with PostgreSQL, {some:,} tables …"
                with console.status(said), serve(together) as town:
                    cost = in_loop(measure(town, some, seconds))
                found.setdefault((together, some), []).append(cost)
    return medians(found, lambda cost: cost.total)


def main(words: Sequence[str]) -> int:
    from .report import markdown, worker_sheet

    tables = [int(word) for word in words] or TABLES
    print(markdown(worker_sheet(measure_workers(Console(), tables=tables))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
