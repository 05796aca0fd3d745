"""The store in one SQLite file: nothing to set up, and enough for one process.

One thread writes. It takes all that waits into one transaction, so that many tables share the wait for the disk; each
who waits is told only when that transaction is on disk. Others read beside it, on connections of their own.

All rows go by one statement, and notes by a few. Each statement gives up the interpreter and has to get it back from a
thread that has much to do: one for each row would cost more than to write it, and all who wait would wait longer.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .store import Listener, Note, Row, StoreError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

STORE_FILE = "town.sqlite"
VERSION = 1
SCHEMA = (
    'CREATE TABLE log ("table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, body BLOB NOT NULL, '
    'PRIMARY KEY ("table", number)) WITHOUT ROWID',
    "CREATE TABLE note (kind TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, "
    "PRIMARY KEY (kind, name)) WITHOUT ROWID",
)
FOLLOWS = 'column2 = 0 OR EXISTS (SELECT 1 FROM log WHERE "table" = column1 AND number = column2 - 1)'
ADD_ROW = f"INSERT INTO log SELECT * FROM (VALUES (?, ?, ?, ?)) WHERE {FOLLOWS} ON CONFLICT DO NOTHING"
"""Adds no row whose number is taken or where the one before it is missing."""

ADD_ROWS = f"INSERT INTO log SELECT column1, column2, column3, CASE WHEN {FOLLOWS} THEN column4 END FROM (VALUES {{}})"
"""Adds none of them if there is such a one: it has no body then, or the same number as another."""

MOST_AT_ONCE = 500
SPACING = 0.005
"""Seconds between two transactions at least: under load more come together, and who comes alone does not wait."""

TOLD_AT_ONCE = 16
"""Of all that has been written together so many are told before everybody else has a turn again."""

READERS = 2
PATIENCE = 10.0
"""Seconds to wait for somebody else who writes: another program that looks at the file."""


class Job(NamedTuple):
    """Something to write, and who waits for it: a row of a table and notes that come with it, or some other work."""

    promise: asyncio.Future[Any]
    work: Work
    row: tuple[str, Row] | None = None
    notes: Sequence[Note] = ()


Came = tuple[asyncio.Future[Any], Any, Exception | None]
"""What came of a job: who waits for it, the result, or why there is none."""


class SqliteStore:
    """A store in a file, which is made when it is not there."""

    is_shared = False

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"{file}: {error}") from None
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self._write, name="store", daemon=True)
        self.writer.start()
        self.readers = ThreadPoolExecutor(READERS, "read")
        self.local = threading.local()
        self.opened: list[sqlite3.Connection] = []
        self.came: deque[Came] = deque()
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.has_begun = False

    def _prepare(self) -> None:
        with closing(self._connect()) as db:
            db.execute("BEGIN IMMEDIATE")  # of several who find no store only one makes it
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise StoreError(
                    f"{self.file}: was written by a newer Cardtown (version {version}; known is {VERSION})"
                )
            if version == 0:
                for statement in SCHEMA:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        # Each connection is used by one thread; only closing it may fall to another.
        db = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        return db

    def _write(self) -> None:
        """What the writing thread does until it is told to end."""
        db = self._connect()
        ending, began = False, 0.0
        while not ending:
            if (early := began + SPACING - time.monotonic()) > 0:
                time.sleep(early)
            batch = [self.waiting.get()]
            began = time.monotonic()
            while len(batch) < MOST_AT_ONCE and not self.waiting.empty():
                batch.append(self.waiting.get())
            ending = None in batch
            self._write_together(db, [job for job in batch if job is not None])
        db.close()

    def _write_together(self, db: sqlite3.Connection, batch: list[Job]) -> None:
        """One transaction for all; whoever fails leaves nothing and does not harm the others."""
        rows, others = [job for job in batch if job.row], [job for job in batch if not job.row]
        notes = [note for job in rows for note in job.notes]
        try:
            if others or notes:
                db.execute("BEGIN IMMEDIATE")
            if add_together(db, rows, notes):
                came: list[Came] = [(job.promise, True, None) for job in rows]
            else:  # somebody was quicker: then it matters who comes first
                if not db.in_transaction:
                    db.execute("BEGIN IMMEDIATE")
                came = [self._do(db, job) for job in rows]
            came += [self._do(db, job) for job in others]
            if db.in_transaction:
                db.execute("COMMIT")
        except sqlite3.Error as error:  # the disk is full or gone: nobody is told that anything was kept
            if db.in_transaction:
                db.execute("ROLLBACK")
            came = [(job.promise, None, StoreError(f"{self.file}: {error}")) for job in batch]
        # All are told at once: to wake the event loop for each costs more than to write a row.
        for loop in {promise.get_loop() for promise, _, _ in came}:
            with suppress(RuntimeError):  # it is closed: nobody waits any more
                loop.call_soon_threadsafe(self._tell, loop, [each for each in came if each[0].get_loop() is loop])

    def _tell(self, loop: asyncio.AbstractEventLoop, came: Sequence[Came] = ()) -> None:
        """Give everybody what came of their jobs, a few at a time and in order."""
        if self.came and came:  # those before them are being told
            self.came += came
            return
        self.came += came
        for _ in range(min(len(self.came), TOLD_AT_ONCE)):
            promise, result, error = self.came.popleft()
            if promise.cancelled():
                continue
            if error is None:
                promise.set_result(result)
            else:
                promise.set_exception(error)
        if self.came:
            loop.call_soon(self._tell, loop)

    def _do(self, db: sqlite3.Connection, job: Job) -> Came:
        """What came of a job; one that fails is taken back."""
        db.execute("SAVEPOINT one")
        try:
            came: Came = job.promise, job.work(db), None
        except sqlite3.Error as error:
            db.execute("ROLLBACK TO one")
            came = job.promise, None, StoreError(f"{self.file}: {error}")
        db.execute("RELEASE one")
        return came

    async def _written(
        self, work: Callable[[sqlite3.Connection], T], row: tuple[str, Row] | None = None, notes: Sequence[Note] = ()
    ) -> T:
        promise: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.put(Job(promise, work, row, notes))
        return await promise

    async def _read(self, query: str, *args: object) -> list[Any]:
        def read() -> list[Any]:
            if not hasattr(self.local, "db"):
                self.local.db = self._connect()
                self.opened.append(self.local.db)
            found: list[Any] = self.local.db.execute(query, args).fetchall()
            return found

        try:
            return await asyncio.get_running_loop().run_in_executor(self.readers, read)
        except sqlite3.Error as error:
            raise StoreError(f"{self.file}: {error}") from error

    async def append(self, table: str, row: Row, notes: Sequence[Note] = ()) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            if not db.execute(ADD_ROW, (table, *row)).rowcount:
                return False
            change(db, notes)
            return True

        return await self._written(work, (table, row), notes)

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        found = await self._read(
            'SELECT number, at, body FROM log WHERE "table" = ? AND number > ? ORDER BY number', table, after
        )
        return [Row(*row) for row in found]

    async def put(self, notes: Sequence[Note]) -> None:
        await self._written(lambda db: change(db, notes))

    async def get(self, kind: str, name: str) -> bytes | None:
        found = await self._read("SELECT body FROM note WHERE kind = ? AND name = ?", kind, name)
        return found[0][0] if found else None

    async def notes(self, kind: str, prefix: str = "") -> list[Note]:
        found = await self._read(
            "SELECT kind, name, body FROM note WHERE kind = ? AND name >= ? AND substr(name, 1, ?) = ? ORDER BY name",
            kind,
            prefix,
            len(prefix),
            prefix,
        )
        return [Note(*note) for note in found]

    async def replace(self, table: str, rows: Sequence[Row]) -> None:
        changed = [(row.body, table, row.number) for row in rows]
        await self._written(
            lambda db: db.executemany('UPDATE log SET body = ? WHERE "table" = ? AND number = ?', changed)
        )

    async def forget(self, table: str, notes: Sequence[Note]) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute('DELETE FROM log WHERE "table" = ?', (table,))
            change(db, [note._replace(body=None) for note in notes])

        await self._written(work)

    async def count(self, kind: str) -> int:
        ((found,),) = await self._read("SELECT count(*) FROM note WHERE kind = ?", kind)
        return int(found)

    # There is no other process: nobody to tell anything, and nobody else sees to a table.

    def alone(self, name: str) -> asyncio.Lock:
        return self.locks[name]

    async def listen(self, listener: Listener) -> None:
        pass

    def attend(self, table: str, person: str, is_there: bool) -> None:
        pass

    async def take(self, tables: Collection[str]) -> set[str]:
        return set(tables)

    async def take_over(self, most: int) -> list[str]:
        """All of them, once: those that the last process left."""
        has_begun, self.has_begun = self.has_begun, True
        return [] if has_begun else [note.name for note in await self.notes("playing")]

    async def give_back(self, tables: Collection[str]) -> None:
        pass

    async def close(self) -> None:
        self.waiting.put(None)
        await asyncio.to_thread(self.writer.join)
        await asyncio.to_thread(self.readers.shutdown)
        for db in self.opened:
            db.close()


def add_together(db: sqlite3.Connection, jobs: Sequence[Job], notes: Sequence[Note]) -> bool:
    """Add a row for each, and the notes that come with them; False if one can't be added, and then none is.

    The rows go by one statement, which is a transaction of its own where there is no other.
    """
    values = [value for job in jobs if job.row for value in (job.row[0], *job.row[1])]
    try:
        if jobs:
            db.execute(ADD_ROWS.format(", ".join(["(?, ?, ?, ?)"] * len(jobs))), values)
    except sqlite3.IntegrityError:
        return False
    change(db, notes)
    return True


def change(db: sqlite3.Connection, notes: Sequence[Note]) -> None:
    """Change notes; of those that tell of the same the last one counts."""
    last = {note[:2]: note for note in notes}.values()
    gone: defaultdict[str, list[str]] = defaultdict(list)
    for kind, name, body in last:
        if body is None:
            gone[kind].append(name)
    for kind, names in gone.items():
        for some in parted(names):
            db.execute(f"DELETE FROM note WHERE kind = ? AND name IN ({', '.join('?' * len(some))})", (kind, *some))
    for there in parted([note for note in last if note.body is not None]):
        values = ", ".join(["(?, ?, ?)"] * len(there))
        db.execute(f"INSERT OR REPLACE INTO note VALUES {values}", [value for note in there for value in note])


def parted(some: Sequence[T]) -> Iterator[Sequence[T]]:
    """As many at once as one statement can take."""
    return (some[at : at + MOST_AT_ONCE] for at in range(0, len(some), MOST_AT_ONCE))
