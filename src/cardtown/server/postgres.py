"""The store in PostgreSQL: for any number of processes, on any number of hosts.

One connection writes. It takes all that waits into one transaction, in the same order in every process lest two wait
for each other; each who waits is told only when that transaction is on disk. If the connection is lost meanwhile, the
same is written again: a row that is there already, from this process and at this time, was written then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Self

import asyncpg

from .database import BAD_INPUT, LOST, NAP, PATIENCE, Connection, Database, Line, reason
from .notices import Notices
from .pace import Pace
from .processes import Processes
from .store import Listener, Note, Row, StoreError, Unsure

ADD_ROWS = """
    INSERT INTO log ("table", number, at, body, process)
    SELECT name, number, at, body, $5
    FROM unnest($1::text[], $2::integer[], $3::float8[], $4::bytea[]) AS new (name, number, at, body)
    WHERE number = 0 OR (SELECT true FROM log WHERE "table" = new.name AND number = new.number - 1)
    ORDER BY name
    ON CONFLICT DO NOTHING
    RETURNING "table"
"""
"""Adds no row whose number is taken or where the one before it is missing.

With EXISTS in place of the second SELECT PostgreSQL would rather read the whole log than look up each row.
"""

FIND_ROWS = """
    SELECT "table"
    FROM unnest($1::text[], $2::integer[], $3::float8[], $4::bytea[]) AS new (name, number, at, body)
    JOIN log ON "table" = name AND log.number = new.number AND log.at = new.at AND log.body = new.body AND process = $5
"""
ADD_ROWS_AND_CHANGE_NOTES = f"""
    WITH added AS ({ADD_ROWS}), changed AS MATERIALIZED (
        SELECT kind, name, body
        FROM unnest($6::text[], $7::text[], $8::text[], $9::bytea[]) AS new (by, kind, name, body)
        WHERE by = '' OR by IN (SELECT "table" FROM added)
        ORDER BY kind, name
    ), kept AS (
        INSERT INTO note (kind, name, body) SELECT * FROM changed WHERE body IS NOT NULL
        ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, tx = excluded.tx
    ), forgotten AS (
        DELETE FROM note USING changed AS old
        WHERE note.kind = old.kind AND note.name = old.name AND old.body IS NULL
    )
    SELECT "table" FROM added
"""
"""The same, and the notes of each table whose row is added, and of no table: all in one statement, which is quicker."""

FORGET_NOTES = """
    DELETE FROM note USING unnest($1::text[], $2::text[]) AS old (kind, name)
    WHERE note.kind = old.kind AND note.name = old.name
"""
GREATEST = "\U0010ffff"
MOST_AT_ONCE = 500
SPACING = 0.03
"""Seconds between two transactions at least: under load more come together, and who comes alone does not wait."""

TOLD_AT_ONCE = 16
"""Of all that has been written together so many are told before everybody else has a turn again."""

READERS = 2
AGAIN = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


class Job(NamedTuple):
    """Something to write, and who waits for it; `lock` is held by them meanwhile."""

    promise: asyncio.Future[bool]
    table: str
    row: Row | None
    notes: Sequence[Note]
    lock: Connection | None

    @property
    def parts(self) -> set[tuple[str, str]]:
        """What it changes: of those with something in common each has its own transaction."""
        found = {(kind, name) for kind, name, _ in self.notes}
        return found | {("", self.table)} if self.row else found


class PostgresStore:
    """A store in a database, whose schema is made when it is not there."""

    is_shared = True

    def __init__(self, database: Database, process: int, channel: str) -> None:
        self.database = database
        self.process = process
        self.waiting: list[Job] = []
        self.pace = Pace(SPACING)
        self.is_closing = False
        self.writing = Line(database)
        self.reading = [Line(database, default_transaction_read_only="on") for _ in range(READERS)]
        self.locking: dict[str, Line] = {}
        self.lock: ContextVar[Connection | None] = ContextVar("lock", default=None)
        self.notices = Notices(database, process, channel)
        self.processes = Processes(database, process, self.notices)
        self.telling: set[asyncio.Task[None]] = set()
        self.writer = asyncio.create_task(self._write())

    @classmethod
    async def open(cls, url: str) -> Self:
        database = Database(url)
        await database.prepare()
        line = Line(database)
        ((process, channel),) = await line.ask(lambda db: db.fetch("SELECT nextval('process_id'), name FROM channel"))
        await line.close()
        return cls(database, process, channel)

    # Writing

    async def _write(self) -> None:
        while not (self.is_closing and not self.waiting):
            await self.pace.turn()
            batch = self._take_together()
            if batch:
                await self._write_together(batch)

    def _take_together(self) -> list[Job]:
        """Those that wait, as many as go together: of two that change the same the second waits.

        Who holds a lock goes alone: if the lock is lost only they must fail.
        """
        taken: set[tuple[str, str]] = set()
        batch: list[Job] = []
        left: list[Job] = []
        for job in self.waiting:
            parts = job.parts
            is_full = len(batch) == MOST_AT_ONCE or (batch and (job.lock or batch[0].lock))
            if is_full or not taken.isdisjoint(parts):
                left.append(job)
            else:
                batch.append(job)
            taken |= parts
        self.waiting = left
        if left or self.is_closing:
            self.pace.ask()
        return batch

    async def _write_together(self, batch: list[Job]) -> None:
        """One transaction for all; whoever can't be written leaves nothing and does not harm the others."""
        try:
            added = await self._patiently(batch)
        except BAD_INPUT as error:
            if len(batch) > 1:
                for job in batch:
                    await self._write_together([job])
                return
            came: Any = StoreError(f"{self.database.shown}: {reason(error)}")
        except Exception as error:
            came = error if isinstance(error, StoreError) else StoreError(f"{self.database.shown}: {reason(error)}")
        else:
            self.notices.tell([(job.table, job.row) for job in batch if job.row and job.table in added])
            self.notices.tell_people({note.name for job in batch for note in job.notes if note.kind == "person"})
            came = added
        # Told beside the next transaction.
        task = asyncio.create_task(self._tell(batch, came))
        self.telling.add(task)
        task.add_done_callback(self.telling.discard)

    async def _tell(self, batch: list[Job], came: set[str] | Exception) -> None:
        for place, job in enumerate(batch, 1):
            if not job.promise.done():
                if isinstance(came, Exception):
                    job.promise.set_exception(came)
                else:
                    job.promise.set_result(job.row is None or job.table in came)
            if place % TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _patiently(self, batch: list[Job]) -> set[str]:
        """The tables whose rows could be added, however often the connection is lost on the way."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        was_sent = False
        while True:
            before = was_sent
            try:
                async with self.writing.use() as db:
                    was_sent = True
                    return await self._write_once(db, batch, before)
            except BAD_INPUT:
                raise
            except AGAIN:
                was_sent = before
            except LOST as error:
                if loop.time() > end:
                    raise (Unsure if was_sent else StoreError)(f"{self.database.shown}: {reason(error)}") from error
                await asyncio.sleep(NAP)
            except asyncpg.PostgresError as error:
                raise (Unsure if before else StoreError)(f"{self.database.shown}: {reason(error)}") from error

    async def _write_once(self, db: Connection, batch: list[Job], was_sent: bool) -> set[str]:
        """`was_sent`: all or nothing of it may be there already, or be on its way still."""
        rows = columns([(job.table, *job.row) for job in batch if job.row], 4)
        if was_sent and (found := await self._found(db, rows)):
            return found
        if any(job.lock and job.lock.is_closed() for job in batch):
            raise (Unsure if was_sent else StoreError)(f"{self.database.shown}: a lock was lost")
        notes = {note[:2]: (job.table if job.row else "", *note) for job in batch for note in job.notes}
        if notes:
            changes = columns(list(notes.values()), 4)
            added = await db.fetch(ADD_ROWS_AND_CHANGE_NOTES, *rows, self.process, *changes)
        else:
            added = await db.fetch(ADD_ROWS, *rows, self.process)
        found = {name for (name,) in added}
        return found | await self._found(db, rows) if was_sent else found

    async def _found(self, db: Connection, rows: list[list[Any]]) -> set[str]:
        """Those tables whose rows were added by this process: now, or when they were sent before."""
        return {name for (name,) in await db.fetch(FIND_ROWS, *rows, self.process)}

    async def _written(self, table: str, row: Row | None, notes: Sequence[Note]) -> bool:
        promise: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.append(Job(promise, table, row, notes, self.lock.get()))
        self.pace.ask()
        return await promise

    async def append(self, table: str, row: Row, notes: Sequence[Note] = ()) -> bool:
        return await self._written(table, row, notes)

    async def put(self, notes: Sequence[Note]) -> None:
        await self._written("", None, notes)

    async def replace(self, table: str, rows: Sequence[Row]) -> None:
        changed = [(row.body, table, row.number) for row in rows]
        query = 'UPDATE log SET body = $1 WHERE "table" = $2 AND number = $3'
        await self.writing.ask(lambda db: db.executemany(query, changed))

    async def forget(self, table: str, notes: Sequence[Note]) -> None:
        kinds, names, _ = columns(notes, 3)

        async def forget(db: Connection) -> None:
            async with db.transaction():
                await db.execute('DELETE FROM log WHERE "table" = $1', table)
                await db.execute(FORGET_NOTES, kinds, names)

        await self.writing.ask(forget)

    # Reading

    async def _read(self, query: str, *args: object) -> list[Any]:
        free = next((line for line in self.reading if not line.using.locked()), None)
        if free is None:
            self.reading.append(self.reading.pop(0))
        found: list[Any] = await (free or self.reading[0]).ask(lambda db: db.fetch(query, *args))
        return found

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        if "\0" in table:  # which no name here can hold
            return []
        query = 'SELECT number, at, body FROM log WHERE "table" = $1 AND number > $2 ORDER BY number'
        return [Row(*row) for row in await self._read(query, table, after)]

    async def get(self, kind: str, name: str) -> bytes | None:
        found = await self._read("SELECT body FROM note WHERE kind = $1 AND name = $2", kind, name)
        return found[0][0] if found else None

    async def notes(self, kind: str, prefix: str = "") -> list[Note]:
        query = "SELECT kind, name, body FROM note WHERE kind = $1 AND name >= $2 AND name < $3 ORDER BY name"
        return [Note(*note) for note in await self._read(query, kind, prefix, prefix + GREATEST)]

    async def count(self, kind: str) -> int:
        ((found,),) = await self._read("SELECT count(*) FROM note WHERE kind = $1", kind)
        return int(found)

    # Others

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        line = self.locking.setdefault(name, Line(self.database))
        await line.ask(lambda db: db.execute("SELECT"))  # waits for a database that is only starting again
        is_held = False
        try:
            async with line.use() as db:
                await db.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", f"{self.notices.channel}/{name}")
                is_held = True
                before = self.lock.set(db)
                try:
                    yield
                finally:
                    self.lock.reset(before)
                    try:
                        await db.execute("SELECT pg_advisory_unlock_all()")
                    except LOST:
                        db.terminate()  # with the connection the lock goes, too
        except LOST as error:
            if is_held:
                raise
            raise StoreError(f"{self.database.shown}: {reason(error)}") from error

    async def listen(self, listener: Listener) -> None:
        await self.processes.begin(listener)

    def attend(self, table: str, person: str, is_there: bool) -> None:
        self.processes.attend(table, person, is_there)

    async def take(self, tables: Collection[str]) -> set[str]:
        return await self.processes.take(tables)

    async def take_over(self, most: int) -> list[str]:
        return await self.processes.take_over(most)

    async def give_back(self, tables: Collection[str]) -> None:
        await self.processes.give_back(tables)

    async def close(self) -> None:
        self.is_closing = True
        self.pace.ask()
        await self.writer
        await asyncio.gather(*self.telling)
        await self.processes.close()
        await self.notices.close()
        for line in (self.writing, *self.reading, *self.locking.values()):
            await line.close()


def columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """Rows as so many columns, as a statement takes them."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
