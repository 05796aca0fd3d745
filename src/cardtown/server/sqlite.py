"""The store in one SQLite file: nothing to set up, and enough for one process.

One thread writes. It takes all that waits into one transaction, so that many tables share the wait for the disk; each
who waits is told only when that transaction is on disk. Others read beside it, on connections of their own.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from .store import Note, Row

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

VERSION = 1
SCHEMA = (
    'CREATE TABLE log ("table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, body BLOB NOT NULL, '
    'PRIMARY KEY ("table", number)) WITHOUT ROWID',
    "CREATE TABLE note (kind TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, "
    "PRIMARY KEY (kind, name)) WITHOUT ROWID",
)
MOST_AT_ONCE = 500
READERS = 2
PATIENCE = 10.0
"""Seconds to wait for somebody else who writes: another program that looks at the file."""


class StoreError(Exception):
    """The store can't be opened or written: says why."""


class SqliteStore:
    """A store in a file, which is made when it is not there."""

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"{file}: {error}") from None
        self.waiting: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self._write, name="store", daemon=True)
        self.writer.start()
        self.readers = ThreadPoolExecutor(READERS, "read")
        self.local = threading.local()
        self.opened: list[sqlite3.Connection] = []

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
        ending = False
        while not ending:
            batch = [self.waiting.get()]
            while len(batch) < MOST_AT_ONCE and not self.waiting.empty():
                batch.append(self.waiting.get())
            ending = None in batch
            self._write_together(db, [job for job in batch if job is not None])
        db.close()

    def _write_together(self, db: sqlite3.Connection, batch: list[tuple[Work, Future[Any]]]) -> None:
        """One transaction for all; whoever fails leaves nothing and does not harm the others."""
        done: list[tuple[Future[Any], Any]] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for work, promise in batch:
                db.execute("SAVEPOINT one")
                try:
                    done.append((promise, work(db)))
                except sqlite3.Error as error:
                    db.execute("ROLLBACK TO one")
                    promise.set_exception(error)
                db.execute("RELEASE one")
            db.execute("COMMIT")
        except sqlite3.Error as error:  # the disk is full or gone: nobody is told that anything was kept
            if db.in_transaction:
                db.execute("ROLLBACK")
            for _, promise in batch:
                if not promise.done():
                    promise.set_exception(StoreError(f"{self.file}: {error}"))
            return
        for promise, result in done:
            promise.set_result(result)

    async def _written(self, work: Callable[[sqlite3.Connection], T]) -> T:
        promise: Future[T] = Future()
        self.waiting.put((work, promise))
        return await asyncio.shield(asyncio.wrap_future(promise))

    async def _read(self, query: str, *args: object) -> list[Any]:
        def read() -> list[Any]:
            if not hasattr(self.local, "db"):
                self.local.db = self._connect()
                self.opened.append(self.local.db)
            found: list[Any] = self.local.db.execute(query, args).fetchall()
            return found

        return await asyncio.get_running_loop().run_in_executor(self.readers, read)

    async def append(self, table: str, row: Row, notes: Sequence[Note] = ()) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            (end,) = db.execute('SELECT coalesce(max(number), -1) + 1 FROM log WHERE "table" = ?', (table,)).fetchone()
            if end != row.number:
                return False
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (table, *row))
            change(db, notes)
            return True

        return await self._written(work)

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

    async def close(self) -> None:
        self.waiting.put(None)
        await asyncio.to_thread(self.writer.join)
        await asyncio.to_thread(self.readers.shutdown)
        for db in self.opened:
            db.close()


def change(db: sqlite3.Connection, notes: Sequence[Note]) -> None:
    for kind, name, body in notes:
        if body is None:
            db.execute("DELETE FROM note WHERE kind = ? AND name = ?", (kind, name))
        else:
            db.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?)", (kind, name, body))
