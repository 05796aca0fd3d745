"""Load for a server of any protocol: tables at which two scripted people take turns as quickly as it lets them.

Nobody thinks: whoever is to choose does so as soon as the server has pushed the state that says so. What is counted is
what has come through: a choice counts when the *other* one at the table has been pushed the state that shows it, and
the time since it was sent is its latency. As every table waits for its own last choice, a server that has no time to
spare shows a latency of about tables ÷ rate.

However long a server takes between two matches, always as many tables are played at: where one ends, another that
waits goes on in its place. Else the slower a server is there, the less it would have to do, and the sooner it would
answer the others.

The people live in this process and the server in others, of which Linux tells the memory and the time they computed.
"""

from __future__ import annotations

import asyncio
import gc
import resource
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from time import clock_gettime, perf_counter, process_time
from typing import Any, NamedTuple, Protocol, TypeVar

try:
    from uvloop import new_event_loop  # a third less time for each choice
except ModuleNotFoundError:
    from asyncio import new_event_loop

from .measure import Subject

T = TypeVar("T")

WARM_UP = 1.0  # seconds
LOOK_EVERY = 1.0  # seconds
AT_REST = 0.05
"""A server that takes less of a core than this does nothing."""

OPENED_AT_ONCE = 8
SPARE = 100
"""Tables that are open beside those that are played at."""

PATIENCE = 60.0
"""Seconds within which a new table must have been pushed to whoever begins, and a choice to the other one."""

CPU_CLOCK = 2
"""Of the clocks of a process the one that the scheduler counts, to the nanosecond (CPUCLOCK_SCHED)."""


class Push(NamedTuple):
    """What a state that the server has pushed says."""

    shown: int
    """How many choices of the other one it shows for the first time."""

    is_mine: bool
    """I am to choose."""


class Person(Protocol):
    """Somebody at a table, with a socket of their own.

    Where matches end, it is their affair to go on with the next one as if nothing had happened. The last choice of a
    match does not count.
    """

    matches: int
    """How many have ended for them."""

    over: Callable[[int], None]
    """Is told at once when a match is over for them, which of theirs it is."""

    async def push(self) -> Push:
        """Wait for the next state; answers meanwhile whatever else the server wants to know."""

    async def choose(self) -> None:
        """Send any choice that the last state allows."""

    async def close(self) -> None:
        """Leave, at once."""


Pair = tuple[Person, Person]
Sent = deque[tuple[int, float]]
OpenTable = Callable[[], Awaitable[Pair]]
"""A state will be pushed to both, and one of them is to choose."""


class Served(NamedTuple):
    """A server that runs: its processes, and how to open a table there."""

    pids: tuple[int, ...]
    open_table: OpenTable
    longest_block: Callable[[], float] | None = None
    """Seconds that its event loop stood still at most since this was last called, where it tells."""


class Load(NamedTuple):
    """What a server did for so many tables."""

    tables: int
    choices: int
    seconds: float
    p50: float
    """Of the push latency, in ms, as is `p99`."""

    p99: float
    table_kib: float
    """How much more memory the server holds for each table that has been opened and played at for a moment.

    More than when one table had been played at and closed: what a server needs only once is not counted.
    """

    server_cpu: float
    """Seconds of all its processes and threads together."""

    own_cpu: float
    """Seconds of this process, which has one thread: close to `seconds`, it is the people who were too slow."""

    block: float | None
    """The longest time that the server's event loop stood still, in ms, where it tells."""

    @property
    def rate(self) -> float:
        """Choices per second."""
        return self.choices / self.seconds

    @property
    def own_share(self) -> float:
        """The share of one core that the people took."""
        return self.own_cpu / self.seconds


Loads = dict[tuple[Subject, int], Load]
"""By server and number of tables."""


class Room:
    """What all tables of a measurement share."""

    def __init__(self, played: int) -> None:
        self.tables: list[Table] = []
        self.free = played
        """At how many more tables may be played."""
        self.ready: deque[Table] = deque()
        """Those that wait for that."""
        self.goes_on = False
        self.latencies: list[float] = []

    async def go_on(self) -> None:
        """At as many tables as may be, those who wait to choose do so, and from now on nobody there waits.

        They begin one after another: what happens once in a match then happens at some table all the time, and not at
        all of them at the same moment.
        """
        self.goes_on = True
        for table in self.tables:
            if self.admits(table):
                await table.go_on()
                await asyncio.sleep(WARM_UP / len(self.tables))

    def admits(self, table: Table) -> bool:
        """May a table be played at now? If not, it may as soon as another one's match is over."""
        if not table.is_played:
            if not self.free:
                self.ready.append(table)
                return False
            self.free -= 1
            table.is_played = True
        return True

    def end(self, table: Table) -> None:
        """Its match is over."""
        if table.is_played:
            table.is_played = False
            self.free += 1
            while self.free and self.ready:
                self.ready.popleft().go_on_soon()

    async def stop(self) -> None:
        """Nobody chooses any more; all choices that were made have come through."""
        self.goes_on = False
        await all_wait(self.tables)


class Table:
    """Two people, and when each made the choices that the other one has not been shown, in which of their matches."""

    def __init__(self, people: Pair, room: Room) -> None:
        self.people = people
        self.room = room
        self.sent: tuple[Sent, Sent] = (deque(), deque())
        self.waiting: list[int] = []
        self.waits = asyncio.Event()
        self.is_played = False
        self.over = 0
        """How many matches are over."""
        self.going_on: asyncio.Task[None] | None = None
        for person in people:
            person.over = self.end

    def end(self, match: int) -> None:
        """Whoever sees it first tells the room."""
        if match >= self.over:
            self.over = match + 1
            self.room.end(self)

    async def arrive(self) -> None:
        """Both have been pushed a state: who goes on before the other one is there may not be seen."""
        async with asyncio.timeout(PATIENCE):
            pushes = await asyncio.gather(*(person.push() for person in self.people))
        for seat, push in enumerate(pushes):
            if push.is_mine:
                self.wait(seat)

    def wait(self, seat: int) -> None:
        self.waiting.append(seat)
        self.waits.set()

    async def take_part(self, seat: int) -> None:
        """For ever. While the room doesn't go on somebody who is to choose is only noted."""
        person, others, room = self.people[seat], self.sent[1 - seat], self.room
        while True:
            shown, is_mine = await person.push()
            now = perf_counter()
            while others and others[0][0] < person.matches:
                others.popleft()
            for _ in range(shown):
                room.latencies.append(now - others.popleft()[1])
            if is_mine and room.goes_on and room.admits(self):
                await self.choose(seat, now)
            elif is_mine:
                self.wait(seat)

    async def choose(self, seat: int, now: float) -> None:
        person = self.people[seat]
        self.sent[seat].append((person.matches, now))
        await person.choose()

    def go_on_soon(self) -> None:
        if self.room.goes_on and self.room.admits(self):
            self.going_on = asyncio.create_task(self.go_on())

    async def go_on(self) -> None:
        waiting, self.waiting = self.waiting, []
        self.waits.clear()
        for seat in waiting:
            await self.choose(seat, perf_counter())


class Counted(NamedTuple):
    """What came through in a while."""

    latencies: list[float]
    seconds: float
    server_cpu: float
    own_cpu: float


async def measure(served: Served, tables: int, seconds: float) -> Load:
    """Open the tables, play at all of them for a moment, then count for so many seconds."""
    pids, open_table, longest_block = served
    allow_sockets()
    await settled(pids)
    async with open_room(open_table, 1) as room:
        await room.go_on()
        await asyncio.sleep(WARM_UP)
        await room.stop()
    before = memory(pids)
    async with open_room(open_table, tables, SPARE) as room:
        await room.go_on()
        await asyncio.sleep(WARM_UP)
        table_kib = (memory(pids) - before) / 1024 / (tables + SPARE)
        if longest_block:
            await asyncio.to_thread(longest_block)
        counted = await count(room, seconds, pids)
        block = 1000 * await asyncio.to_thread(longest_block) if longest_block else None
        await room.stop()
    cuts = quantiles(counted.latencies, n=100, method="inclusive")
    p50, p99 = 1000 * cuts[49], 1000 * cuts[98]
    choices = len(counted.latencies)
    return Load(tables, choices, counted.seconds, p50, p99, table_kib, counted.server_cpu, counted.own_cpu, block)


async def settled(pids: Sequence[int]) -> None:
    """Until a server that was just started has done what it does only once."""
    async with asyncio.timeout(PATIENCE):
        before = -1.0
        while cpu(pids) > before + AT_REST * LOOK_EVERY:
            before = cpu(pids)
            await asyncio.sleep(LOOK_EVERY)


@asynccontextmanager
async def open_room(open_table: OpenTable, tables: int, spare: int = 0) -> AsyncIterator[Room]:
    """So many tables, a few of them opened at once. Somebody waits to choose at each; all leave in the end."""
    room = Room(tables)
    tasks: list[asyncio.Task[None]] = []
    doors = asyncio.Semaphore(OPENED_AT_ONCE)

    async def open_one(group: asyncio.TaskGroup) -> None:
        async with doors:
            table = Table(await open_table(), room)
            room.tables.append(table)
            await table.arrive()
            tasks.extend(group.create_task(table.take_part(seat)) for seat in (0, 1))
            await all_wait([table])

    try:
        async with asyncio.TaskGroup() as group:
            async with asyncio.TaskGroup() as opening:
                for _ in range(tables + spare):
                    opening.create_task(open_one(group))
            yield room
            for task in tasks:
                task.cancel()
    finally:
        await asyncio.gather(*(person.close() for table in room.tables for person in table.people))


async def count(room: Room, seconds: float, pids: Sequence[int]) -> Counted:
    """What comes through from now on. Nothing is collected as garbage meanwhile: it would take longer than a choice."""
    gc.collect()
    gc.disable()
    try:
        first, begun, server_begun, own_begun = len(room.latencies), perf_counter(), cpu(pids), process_time()
        await asyncio.sleep(seconds)
        took, server_cpu, own_cpu = perf_counter() - begun, cpu(pids) - server_begun, process_time() - own_begun
    finally:
        gc.enable()
    return Counted(room.latencies[first:], took, server_cpu, own_cpu)


async def all_wait(tables: Sequence[Table]) -> None:
    """Until somebody waits to choose at each table. One that is left alone would make the others look faster."""
    try:
        async with asyncio.timeout(PATIENCE):
            for table in tables:
                await table.waits.wait()
    except TimeoutError:
        still = sum(not table.waits.is_set() for table in tables)
        raise RuntimeError(f"{still:,} of {len(tables):,} tables stand still for {PATIENCE:g} s") from None


def middle(loads: Sequence[Load]) -> Load:
    """What was found several times: of each figure the median."""
    medians: Any = (None if None in column else median(column) for column in zip(*loads, strict=True))
    return Load(*medians)


def in_loop(measurement: Coroutine[Any, Any, T]) -> T:
    """In an event loop of its own, the fastest there is."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(measurement)


def allow_sockets() -> None:
    """As many open files as the system allows us; processes that are started later may open as many."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def memory(pids: Sequence[int]) -> int:
    """The bytes that processes hold in memory."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) for pid in pids)
    return pages * resource.getpagesize()


def cpu(pids: Sequence[int]) -> float:
    """The seconds that processes have computed, in all their threads, for themselves and in the kernel."""
    return sum(clock_gettime((~pid << 3) | CPU_CLOCK) for pid in pids)
