"""The store in one SQLite file: nothing to set up, and enough for one process.

One thread writes. It takes all that waits into one transaction, so that many tables share the wait for the disk; each
who waits is told only when that transaction is on disk. Others read beside it, on connections of their own.

All rows and notes go by one statement. Each gives up the interpreter and has to get it back from a thread that has much
to do: to wait for that takes longer than to write, and all who wait for the disk would wait for it, too.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Sequence
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
ADD_ROW = (
    "INSERT INTO log SELECT * FROM (VALUES (?, ?, ?, ?)) "
    'WHERE column2 = 0 OR EXISTS (SELECT 1 FROM log WHERE "table" = column1 AND number = column2 - 1) '
    "ON CONFLICT DO NOTHING"
)
"""Adds no row whose number is taken or where the one before it is missing."""

ROW, KEPT, GONE = "row", "kept", "gone"
TOGETHER = (
    "CREATE TEMP VIEW together (what, a, b, c, d) AS SELECT NULL, NULL, NULL, NULL, NULL",
    f"CREATE TEMP TRIGGER add_row INSTEAD OF INSERT ON together WHEN new.what = '{ROW}' BEGIN INSERT INTO log "
    "SELECT new.a, new.b, new.c, CASE WHEN new.b = 0 "
    'OR EXISTS (SELECT 1 FROM log WHERE "table" = new.a AND number = new.b - 1) THEN new.d END; END',
    f"CREATE TEMP TRIGGER keep_note INSTEAD OF INSERT ON together WHEN new.what = '{KEPT}' BEGIN "
    "INSERT OR REPLACE INTO note VALUES (new.a, new.b, new.c); END",
    f"CREATE TEMP TRIGGER forget_note INSTEAD OF INSERT ON together WHEN new.what = '{GONE}' BEGIN "
    "DELETE FROM note WHERE kind = new.a AND name = new.b; END",
)
"""What is put there is done at once. If a row can't be added, which has no body then or the same number as another,
nothing is done."""

MOST_AT_ONCE, MOST_PARTS = 500, 5_000
"""Jobs that one transaction takes, and the rows and notes that one statement can."""

SPACING = 0.01
"""Seconds between two transactions at least: under load more come together, and who comes alone does not wait."""

TOLD_AT_ONCE = 16
"""Of all that has been written together so many are told before everybody else has a turn again."""

PAGE = 1024
"""Bytes that are written at least: the rows of different tables lie in different pages."""

TIDIED_AFTER, TIDIED_AT_LAST = 1_000, 40_000
"""Jobs after which what was written is moved to its place, beside all else; and the pages that are moved by the writer
itself, while all wait, if somebody else has been hindered."""

READERS = 2
PATIENCE = 10.0
"""Seconds to wait for somebody else who writes: another program that looks at the file."""


class Job(NamedTuple):
    """Something to write, and who waits for it: a row of a table and notes that come with it, or some other work."""

    promise: asyncio.Future[Any]
    work: Work
    row: tuple[str, Row] | None = None
    notes: Sequence[Note] = ()


Part = tuple[object, ...]
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
        self.untidy, self.is_ending = threading.Event(), False
        self.writer = threading.Thread(target=self._write, name="store", daemon=True)
        self.writer.start()
        self.tidier = threading.Thread(target=self._tidy, name="tidy", daemon=True)
        self.tidier.start()
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
        db.execute(f"PRAGMA page_size = {PAGE}")  # of a store that is only made
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        return db

    def _write(self) -> None:
        """What the writing thread does until it is told to end."""
        db = self._connect()
        db.execute(f"PRAGMA wal_autocheckpoint = {TIDIED_AT_LAST}")
        for statement in TOGETHER:
            db.execute(statement)
        ending, began, written = False, 0.0, 0
        while not ending:
            if (early := began + SPACING - time.monotonic()) > 0:
                time.sleep(early)
            batch = [self.waiting.get()]
            began = time.monotonic()
            while len(batch) < MOST_AT_ONCE and not self.waiting.empty():
                batch.append(self.waiting.get())
            ending = None in batch
            self._write_together(db, [job for job in batch if job is not None])
            written += len(batch)
            if written >= TIDIED_AFTER:
                written = 0
                self.untidy.set()
        db.close()

    def _tidy(self) -> None:
        """What another thread does: to move pages to their places takes several waits for the disk."""
        db = self._connect()
        while self.untidy.wait() and not self.is_ending:
            self.untidy.clear()
            with suppress(sqlite3.Error):  # the disk is full or gone: the writer will say so
                db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        db.close()

    def _write_together(self, db: sqlite3.Connection, batch: list[Job]) -> None:
        """One transaction for all; whoever fails leaves nothing and does not harm the others."""
        try:
            if write_together(db, batch):
                came: list[Came] = [(job.promise, True, None) for job in batch]
            else:  # somebody was quicker, or there is other work: then it matters who comes first
                db.execute("BEGIN IMMEDIATE")
                came = [self._do(db, job) for job in batch]
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
        await self._written(lambda db: change(db, notes), notes=notes)

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
        self.is_ending = True
        self.untidy.set()
        await asyncio.to_thread(self.tidier.join)
        await asyncio.to_thread(self.readers.shutdown)
        for db in self.opened:
            db.close()


def write_together(db: sqlite3.Connection, jobs: Sequence[Job]) -> bool:
    """All of them by one statement, which is a transaction of its own; if they can't go so nothing is done."""
    parts = together([job.row for job in jobs if job.row], [note for job in jobs for note in job.notes])
    if len(parts) > MOST_PARTS or not all(job.row or job.notes for job in jobs):
        return False
    try:
        do_together(db, parts)
    except sqlite3.IntegrityError:
        return False
    return True


def change(db: sqlite3.Connection, notes: Sequence[Note]) -> None:
    parts = together((), notes)
    for at in range(0, len(parts), MOST_PARTS):
        do_together(db, parts[at : at + MOST_PARTS])


def together(rows: Sequence[tuple[str, Row]], notes: Sequence[Note]) -> list[Part]:
    """What is to be done; of notes that tell of the same the last one counts."""
    last = {note[:2]: note for note in notes}.values()
    added: list[Part] = [(ROW, table, *row) for table, row in rows]
    return added + [(GONE if body is None else KEPT, kind, name, body, None) for kind, name, body in last]


def do_together(db: sqlite3.Connection, parts: Sequence[Part]) -> None:
    if parts:
        values = ", ".join(["(?, ?, ?, ?, ?)"] * len(parts))
        db.execute(f"INSERT INTO together VALUES {values}", [value for part in parts for value in part])
