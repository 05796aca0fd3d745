"""Where the towns of the fault programme are kept, read from outside while they are played in."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg

from cardtown.server.database import SCHEMA
from cardtown.server.process import STORE_FILE
from cardtown.server.rows import Finished, encode
from cardtown.server.store import Row
from tests.server.histories import Kept, read_file
from tests.server.postgres import Cluster, cluster

FINISHED = encode(Finished())
PATIENCE = 60.0
HOUR = 3600
HOURS = tuple(HOUR * n for n in range(-6, 7))
DISK = "96m"
BALLAST = "ballast"
PAGE = os.sysconf("SC_PAGE_SIZE")


class Keeping(ABC):
    """A store, as whoever is no part of the server sees it."""

    name: str
    options: tuple[str, ...]
    """How a server is told of it."""

    servers: Mapping[str, tuple[str, ...]]
    """Those that share it, and how each is told what it is."""

    jumps: Sequence[int]
    """By how many seconds clocks may be wrong."""

    @abstractmethod
    async def log(self, table: str) -> list[Row]:
        """All rows of a table, in order."""

    @abstractmethod
    async def everything(self) -> Kept:
        """All logs and notes at one moment."""

    @abstractmethod
    async def ends(self) -> dict[str, float]:
        """When tables were noted as finished: numbers in the true order of that, whatever clocks say."""


class InFile(Keeping):
    """An SQLite file; where it is allowed, on a small disk of its own that can be filled."""

    name = "sqlite"
    servers: Mapping[str, tuple[str, ...]] = {"server": ()}
    jumps = HOURS

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / STORE_FILE
        self.options = ("--data", str(folder))
        self.began = time.time()
        self.has_disk = False

    async def _read(self, query: str, *args: object) -> list[Any]:
        def read() -> list[Any]:
            with closing(sqlite3.connect(self.file, timeout=PATIENCE)) as db:
                return db.execute(query, args).fetchall()

        return await asyncio.to_thread(read)

    async def log(self, table: str) -> list[Row]:
        query = 'SELECT number, at, body FROM log WHERE "table" = ? ORDER BY number'
        return [Row(*row) for row in await self._read(query, table)]

    async def everything(self) -> Kept:
        return await asyncio.to_thread(read_file, self.file)

    async def ends(self) -> dict[str, float]:
        found = await self._read('SELECT "table", at FROM log WHERE body = ?', FINISHED)
        return {table: (at - self.began) % HOUR for table, at in found}  # clocks jump by hours, and a run takes less

    def fill(self) -> None:
        """Leave no room on the disk, not even in the part of the log that SQLite would use again."""
        with closing(sqlite3.connect(self.file, timeout=PATIENCE)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        with (self.folder / BALLAST).open("wb") as ballast:
            size = 0
            while left := os.statvfs(self.folder).f_bavail:
                with suppress(OSError):  # somebody else was quicker: then less is left
                    os.posix_fallocate(ballast.fileno(), size, left * PAGE)
                    size += left * PAGE

    def make_room(self) -> None:
        (self.folder / BALLAST).unlink()


class InDatabase(Keeping):
    """A PostgreSQL server of our own, which can crash."""

    name = "postgres"
    servers: Mapping[str, tuple[str, ...]] = {"two": ("--workers", "2"), "one": ()}
    jumps = (*HOURS, -30, -5, -1, 1, 5, 30)

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.url = cluster.new_database()
        self.options = ("--database", self.url)
        self.restarting = asyncio.Lock()

    async def _read(self, *queries: str, args: tuple[object, ...] = ()) -> list[list[Any]]:
        """What is found at one moment, as soon as the server answers."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                db = await asyncpg.connect(self.url, server_settings={"search_path": SCHEMA})
                try:
                    async with db.transaction(isolation="repeatable_read", readonly=True):
                        return [await db.fetch(query, *args) for query in queries]
                finally:
                    db.terminate()
            except (OSError, asyncpg.InterfaceError, asyncpg.PostgresError):
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.2)

    async def log(self, table: str) -> list[Row]:
        query = 'SELECT number, at, body FROM log WHERE "table" = $1 ORDER BY number'
        (found,) = await self._read(query, args=(table,))
        return [Row(*row) for row in found]

    async def everything(self) -> Kept:
        rows, kept = await self._read(
            'SELECT "table", number, at, body FROM log ORDER BY "table", number', "SELECT kind, name, body FROM note"
        )
        logs: defaultdict[str, list[Row]] = defaultdict(list)
        notes: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for table, *row in rows:
            logs[table].append(Row(*row))
        for kind, name, body in kept:
            notes[kind][name] = body
        return Kept(dict(logs), dict(notes))

    async def ends(self) -> dict[str, float]:
        query = "SELECT \"table\", tx::text::float8 FROM log WHERE body = convert_to($1, 'utf8')"
        (found,) = await self._read(query, args=(FINISHED.decode(),))
        return dict(found)

    async def restart(self) -> None:
        """As after a crash: at once, and it recovers from its log."""
        async with self.restarting:
            await asyncio.to_thread(self.cluster.stop, signal.SIGQUIT)
            await asyncio.to_thread(self.cluster.start)

    async def hang_up(self) -> None:
        """End all connections that servers have."""
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cardtown'"
        await self._read(query)


@contextmanager
def in_file(folder: Path) -> Iterator[InFile]:
    """Only root may mount a disk: for anybody else it is never full."""
    keeping = InFile(folder / "disk")
    keeping.folder.mkdir()
    if os.geteuid() == 0:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "cardtown-faults", str(keeping.folder)]
        keeping.has_disk = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield keeping
    finally:
        if keeping.has_disk:
            subprocess.run(["umount", "--lazy", str(keeping.folder)], check=True)


@contextmanager
def keep(store: str, folder: Path) -> Iterator[Keeping]:
    if store == InFile.name:
        with in_file(folder) as keeping:
            yield keeping
    else:
        yield InDatabase(cluster())
