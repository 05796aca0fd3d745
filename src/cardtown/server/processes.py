"""The processes of a town: who is alive, who sees to which table, and who is connected through whom.

A process sees to a table for as long as it is alive, which it shows by one row for all its tables. So nothing is
written for a choice, and one that was killed is noticed within seconds: each other one takes over some of its tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import asyncpg

from .database import LOST, Connection, Database, Line
from .notices import Notices
from .pace import Pace
from .store import Listener

log = logging.getLogger(__name__)

BEAT = 1.0
DEAD_AFTER = 5.0
"""Seconds without a sign after which the others take a process for dead."""

ORPHANS_EVERY = 5.0
"""Seconds after which tables are looked for to which nobody sees: whoever began them died at once, or it was forgotten
who saw to them. Those that were none when it was looked last are left: they may have only just begun, and are about to
be asked for."""

IS_ALIVE = f"seen > clock_timestamp() - interval '{DEAD_AFTER} seconds'"
APPEAR = """
    WITH cared AS (DELETE FROM care WHERE process = $1), placed AS (DELETE FROM there WHERE process = $1)
    INSERT INTO process VALUES ($1, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
"""
"""Begin with nothing: no tables to see to, and nobody connected. One statement, which comes to its end also if the
process is stopped meanwhile: nobody waits for its lock."""

BEAT_ON = f"UPDATE process SET seen = clock_timestamp() WHERE id = $1 AND {IS_ALIVE} RETURNING id"
LEAVE = f"""
    DELETE FROM there
    WHERE process IN (SELECT id FROM process WHERE id = ANY($1::bigint[]) AND NOT {IS_ALIVE} FOR UPDATE SKIP LOCKED)
"""
BURY = f"""
    DELETE FROM process
    WHERE id IN (SELECT id FROM process WHERE id = ANY($1::bigint[]) AND NOT {IS_ALIVE} FOR UPDATE SKIP LOCKED)
    AND NOT EXISTS (SELECT FROM care WHERE care.process = process.id)
"""
TAKE = """
    WITH taken AS (
        INSERT INTO care SELECT name, $2 FROM unnest($1::text[]) AS name ORDER BY name
        ON CONFLICT DO NOTHING RETURNING "table"
    )
    SELECT "table" FROM taken UNION ALL SELECT "table" FROM care WHERE "table" = ANY($1::text[]) AND process = $2
"""
TAKE_OVER = f"""
    UPDATE care SET process = $1 WHERE "table" IN (
        SELECT "table" FROM care WHERE process = ANY(ARRAY(SELECT id FROM process WHERE NOT {IS_ALIVE}))
        LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING "table"
"""
OURS = 'SELECT "table" FROM care WHERE process = $1'
ORPHANS = """
    SELECT name FROM note WHERE kind = 'playing' AND NOT EXISTS (SELECT FROM care WHERE "table" = name)
"""
GIVE_BACK = 'DELETE FROM care WHERE "table" = ANY($1::text[]) AND process = $2'
PLACE = """
    INSERT INTO there (process, "table", person, is_there)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::boolean[]) AS new (name, person, is_there)
    ON CONFLICT (process, "table", person)
    DO UPDATE SET is_there = excluded.is_there, at = excluded.at, tx = excluded.tx
"""
SPACING = 0.1
"""Seconds between two notes of who came or went at least."""

CLEAR_EVERY = 60.0
CLEAR_PLACES = "DELETE FROM there WHERE process = $1 AND NOT is_there AND at < now() - interval '1 minute'"


class Processes:
    """What one process knows of the others, and lets them know."""

    def __init__(self, database: Database, process: int, notices: Notices) -> None:
        self.process = process
        self.notices = notices
        self.line = Line(database, synchronous_commit="off")
        self.places: dict[tuple[str, str], bool] = {}
        self.moved = Pace(SPACING)
        self.was_dead = False
        """Did the others take it for dead? What is here has to be said again, and asked."""
        self.others: set[int] = set()
        self.is_unsure = False
        """Were tables taken over of which it was not heard? They are among all that are ours."""
        self.seen_orphans: set[str] = set()
        self.orphans: list[str] = []
        self.orphans_at = 0.0
        self.clear_at = 0.0
        self.listener: Listener | None = None
        self.tasks: list[asyncio.Task[None]] = []

    async def begin(self, listener: Listener) -> None:
        self.listener = listener
        await self.line.ask(lambda db: db.execute(APPEAR, self.process))
        self.notices.begin(listener)
        await self._beat()
        self.tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._place())]

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._beat()
            except LOST as error:
                log.warning("the database is gone; asking again: %s", type(error).__name__)
            except Exception:
                log.exception("the other processes can't be followed")

    async def _beat(self) -> None:
        assert self.listener is not None
        async with self.line.use() as db:
            if not await db.fetchval(BEAT_ON, self.process):
                self.was_dead = True
                await db.execute(APPEAR, self.process)
            found = await db.fetch(f"SELECT id, {IS_ALIVE} FROM process")
            now = asyncio.get_running_loop().time()
            if now >= self.clear_at:
                await db.execute(CLEAR_PLACES, self.process)
                self.clear_at = now + CLEAR_EVERY
            dead = [id for id, is_alive in found if not is_alive]
            if dead:
                await db.execute(LEAVE, dead)
                await db.execute(BURY, dead)
        others = {id for id, is_alive in found if is_alive and id != self.process}
        if self.was_dead or others - self.others:
            self.notices.forget_places()
        if self.was_dead:
            self.was_dead = False
            self.listener.given_up()
        self.others = others
        self.listener.processes_are(others)
        await self.notices.ask()

    # Who is connected

    def attend(self, table: str, person: str, is_there: bool) -> None:
        self.places[table, person] = is_there
        self.moved.ask()

    async def _place(self) -> None:
        while True:
            await self.moved.turn()
            moved, self.places = self.places, {}
            places = [(table, person, is_there) for (table, person), is_there in sorted(moved.items())]
            try:
                async with self.line.use() as db:
                    await db.execute(PLACE, self.process, *map(list, zip(*places, strict=True)))
            except (*LOST, asyncpg.PostgresError) as error:
                log.warning("who came or went can't be noted; it is tried again: %s", type(error).__name__)
                self.places = moved | self.places
                self.moved.ask()
                await asyncio.sleep(BEAT)
                continue
            self.notices.tell_places(places)

    # Who sees to a table

    async def take(self, tables: Collection[str]) -> set[str]:
        names = list(tables)
        return {name for (name,) in await self.line.ask(lambda db: db.fetch(TAKE, names, self.process))}

    async def take_over(self, most: int) -> list[str]:
        async def take_over(db: Connection) -> list[str]:
            if self.is_unsure:
                found = await db.fetch(OURS, self.process)
            else:
                self.is_unsure = True
                found = await db.fetch(TAKE_OVER, self.process, most)
                if len(found) < most:
                    found += await self._take_orphans(db, most - len(found))
            self.is_unsure = False
            return [name for (name,) in found]

        return await self.line.ask(take_over)

    async def _take_orphans(self, db: Connection, most: int) -> list[Any]:
        now = asyncio.get_running_loop().time()
        if not self.orphans and now >= self.orphans_at:
            found = {name for (name,) in await db.fetch(ORPHANS)}
            self.orphans, self.seen_orphans = sorted(found & self.seen_orphans), found
            self.orphans_at = now + ORPHANS_EVERY
        some, self.orphans = self.orphans[:most], self.orphans[most:]
        return await db.fetch(TAKE, some, self.process) if some else []

    async def give_back(self, tables: Collection[str]) -> None:
        await self.line.ask(lambda db: db.execute(GIVE_BACK, list(tables), self.process))

    async def close(self) -> None:
        """Let the others take over at once."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.listener is not None:
            with suppress(*LOST, asyncpg.PostgresError):
                async with self.line.use() as db:
                    await db.execute("UPDATE process SET seen = '-infinity' WHERE id = $1", self.process)
        await self.line.close()
