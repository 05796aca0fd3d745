"""Who is there, and who has kept the others waiting for too long."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable

from .messages import Presence
from .refusal import Refused
from .table import Table
from .tables import NoSuchTable, Tables

log = logging.getLogger(__name__)

TICK = 1.0


class Attendance:
    """Who is connected to which table."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.there: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.left_at: dict[tuple[str, str], float] = {}
        self.told: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)

    def arrive(self, table: str, person: str, tell: Callable[[], None]) -> None:
        """Somebody comes, and is told of those who come and go later."""
        self.there[table][person] += 1
        self.left_at.pop((table, person), None)
        self.told[table].append(tell)
        self._tell(table)

    def leave(self, table: str, person: str, tell: Callable[[], None]) -> None:
        self.told[table].remove(tell)
        self.there[table][person] -= 1
        if not self.there[table][person]:
            del self.there[table][person]
            self.left_at[table, person] = self.now()
        if not self.there[table]:
            del self.there[table], self.told[table]
            for key in [key for key in self.left_at if key[0] == table]:
                del self.left_at[key]
        else:
            self._tell(table)

    def _tell(self, table: str) -> None:
        for tell in self.told[table]:
            tell()

    def of(self, table: Table) -> Presence:
        there = self.there.get(table.name, Counter())
        seats = tuple(player.person is not None and player.person in there for player in table.players)
        return Presence(seats, sum(person not in table.people for person in there))

    def is_away(self, table: Table, person: str, grace: float) -> bool:
        """Has somebody been away for that long while others are there? Nobody is late for an empty table."""
        there = self.there.get(table.name)
        if not there or person in there or not any(other in there for other in table.people):
            return False
        return self.now() - max(self.left_at.get((table.name, person), 0.0), *table.since.values()) >= grace


class Watch:
    """Looks at the clocks once in a while and lets bots take over for those whose time is up."""

    def __init__(self, tables: Tables, attendance: Attendance, grace: float) -> None:
        self.tables = tables
        self.attendance = attendance
        self.grace = grace
        self.began = tables.now()
        self.clocked: set[str] = set()

    def look(self, table: Table) -> None:
        """Remember a table whose clock runs."""
        if table.opened.clock.kind != "none" and table.stage == "playing":
            self.clocked.add(table.name)
        else:
            self.clocked.discard(table.name)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self.tick()
            except Exception:
                log.exception("looking at the clocks failed")

    async def tick(self) -> None:
        for name in {*self.clocked, *self.attendance.there}:
            await asyncio.sleep(0)  # there may be thousands: meanwhile everybody else has a turn
            try:
                table = await self.tables.read(name)
            except NoSuchTable:
                continue
            for seat in table.peoples_turns():
                if self.is_late(table, seat):
                    await self._take_over(table, seat)

    def is_late(self, table: Table, seat: int) -> bool:
        person = table.players[seat].person
        assert person is not None
        now = self.tables.now()
        if now < self.began + self.grace:
            return False  # while the server was down nobody could choose: after a start all have time to come back
        left = table.time_left(seat, now)
        return self.attendance.is_away(table, person, self.grace) if left is None else left <= 0

    async def _take_over(self, table: Table, seat: int) -> None:
        decision = table.decision
        try:
            await self.tables.add(table.name, lambda now: now.check_take_over(seat, decision))
        except Refused as refused:
            log.debug("nobody had to be replaced: %s", refused.why)
