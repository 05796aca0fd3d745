"""What the processes of a town tell each other, through PostgreSQL's NOTIFY.

Notices are sent after what they tell of is on disk, in transactions of their own, as many together as have come up
meanwhile: PostgreSQL lets only one transaction at a time commit a notice. A row goes with its body, so that nobody has
to read it. Nothing depends on a notice: what was lost is found by asking for all that is new once in a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

import asyncpg
import msgspec

from .database import LOST, NAP, Connection, Database, Line
from .pace import Pace
from .store import Listener, Row

log = logging.getLogger(__name__)

T = TypeVar("T")

LONGEST = 7_900
"""Bytes of all parts of a notice; PostgreSQL takes less than 8,000."""

SPACING = 0.04
"""Seconds between two transactions with notices at least."""

LONGEST_BODY = 2_000
"""Rows with longer bodies are told by their number alone."""

MOST_WAITING = 10_000
IS_NEW = "tx >= $1::text::xid8 AND tx < pg_snapshot_xmax(pg_current_snapshot())"
NEW_ROWS = f'SELECT "table", max(number) FROM log WHERE {IS_NEW} GROUP BY "table"'
NEW_PEOPLE = f"SELECT name FROM note WHERE kind = 'person' AND {IS_NEW}"
NEW_PLACES = f'SELECT process, "table", person, is_there FROM there WHERE process <> $2 AND {IS_NEW}'


class Told(msgspec.Struct, array_like=True):
    """One notice: rows by their tables, people who changed, and who came (True) or went where."""

    rows: list[tuple[str, int, float, bytes | None]] = []
    people: list[str] = []
    places: list[tuple[str, str, bool]] = []


encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(Told)


class Notices:
    """Tells the other processes, and hears from them."""

    def __init__(self, database: Database, process: int, channel: str) -> None:
        self.process = process
        self.channel = channel
        self.prefix = f"{process} "
        self.sending = Line(database, synchronous_commit="off")
        self.hearing = Line(database)
        self.waiting: list[tuple[str, Row]] = []
        self.people: set[str] = set()
        self.places: list[tuple[str, str, bool]] = []
        self.pace = Pace(SPACING)
        self.listener: Listener | None = None
        self.heard_on: Connection | None = None
        self.seen: str | None = None
        self.places_seen: str | None = None
        self.tasks: list[asyncio.Task[None]] = []

    def begin(self, listener: Listener) -> None:
        self.listener = listener
        self.tasks = [asyncio.create_task(self._send())]

    # Telling

    def tell(self, rows: Sequence[tuple[str, Row]]) -> None:
        if self.listener is not None and len(self.waiting) < MOST_WAITING:  # if too many wait, others will ask
            self.waiting += rows
            self.pace.ask()

    def tell_people(self, people: Collection[str]) -> None:
        self.people.update(people)
        if people:
            self.pace.ask()

    def tell_places(self, places: Collection[tuple[str, str, bool]]) -> None:
        self.places += places
        self.pace.ask()

    async def _send(self) -> None:
        while True:
            await self.pace.turn()
            rows, self.waiting = self.waiting, []
            people, self.people = self.people, set()
            places, self.places = self.places, []
            told = [self.prefix + text for text in notices(rows, sorted(people), places)]
            try:
                async with self.sending.use() as db:
                    await db.execute("SELECT pg_notify($1, told) FROM unnest($2::text[]) AS told", self.channel, told)
            except (*LOST, asyncpg.PostgresError) as error:
                log.warning("notices were lost; the other processes will ask: %s", type(error).__name__)
                await asyncio.sleep(NAP)

    # Hearing

    def forget_places(self) -> None:
        """Next time all are asked for who are connected through others, whoever of them came or went meanwhile."""
        self.places_seen = None

    async def ask(self) -> None:
        """Listen, and find what is new since this was asked last: whatever was told meanwhile may not have come."""
        async with self.hearing.use() as db:
            if db is not self.heard_on:
                await db.add_listener(self.channel, self._hear)
                self.heard_on = db
            since = self.seen
            async with db.transaction(isolation="repeatable_read", readonly=True):
                seen = await db.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")
                rows = await db.fetch(NEW_ROWS, since) if since is not None else []
                people = await db.fetch(NEW_PEOPLE, since) if since is not None else []
                places = await db.fetch(NEW_PLACES, self.places_seen or "0", self.process)
        self.seen = self.places_seen = seen
        assert self.listener is not None
        for name, number in rows:
            self.listener.row_added(name, number, None)
        for (name,) in people:
            self.listener.person_changed(name)
        for place in places:
            self.listener.person_moved(*place)

    def _hear(self, db: object, pid: int, channel: str, text: object) -> None:
        assert isinstance(text, str)
        if text.startswith(self.prefix) or self.listener is None:
            return
        process, _, told = text.partition(" ")
        try:
            found = decoder.decode(told)
        except msgspec.MsgspecError:
            log.warning("a notice can't be understood")
            return
        for table, number, at, body in found.rows:
            self.listener.row_added(table, number, None if body is None else Row(number, at, body))
        for person in found.people:
            self.listener.person_changed(person)
        for table, person, is_there in found.places:
            self.listener.person_moved(int(process), table, person, is_there)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for line in (self.sending, self.hearing):
            await line.close()


def notices(
    rows: Sequence[tuple[str, Row]], people: Sequence[str], places: Sequence[tuple[str, str, bool]]
) -> Iterator[str]:
    """Everything in as few notices as it takes."""
    told = [(name, number, at, body if len(body) <= LONGEST_BODY else None) for name, (number, at, body) in rows]
    yield from (encode(Told(rows=some)) for some in fitting(told))
    yield from (encode(Told(people=some)) for some in fitting(people))
    yield from (encode(Told(places=some)) for some in fitting(places))


def encode(told: Told) -> str:
    return encoder.encode(told).decode()


def fitting(parts: Sequence[T]) -> Iterator[list[T]]:
    """Parts of a notice, as many together as fit into one."""
    found: list[T] = []
    length = 0
    for part in parts:
        size = len(encoder.encode(part)) + 1
        if length + size > LONGEST:
            yield found
            found, length = [], 0
        found.append(part)
        length += size
    if found:
        yield found
