"""Who is there, and who has kept the others waiting for too long."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection

from .messages import Presence
from .refusal import Refused
from .rows import Chose
from .store import StoreError
from .table import Table
from .tables import NoSuchTable, Tables

log = logging.getLogger(__name__)

TICK = 1.0
LOOKED_AT_ONCE = 100


Moved = Callable[[str, str, bool], None]
"""Told that somebody is connected to a table, or no more."""


class Attendance:
    """Who is connected to which table, through this process or others; `moved` is told of those here."""

    def __init__(self, now: Callable[[], float], moved: Moved = lambda table, person, is_there: None) -> None:
        self.now = now
        self.moved = moved
        self.there: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By table and person: how many connections they have here, and one for each other process."""
        self.here: Counter[tuple[str, str]] = Counter()
        self.elsewhere: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
        self.stirred: set[str] = set()
        """Tables to which somebody came or from which somebody went since `Watch` looked at them."""
        self.opened_at: dict[str, float] = {}  # since when somebody has been at a table
        self.left_at: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self.told: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)

    def arrive(self, table: str, person: str, tell: Callable[[], None]) -> None:
        """Somebody comes, and is told of those who come and go later."""
        self.told[table].append(tell)
        self.here[table, person] += 1
        if self.here[table, person] == 1:
            self.moved(table, person, True)
        self._come(table, person)

    def leave(self, table: str, person: str, tell: Callable[[], None]) -> None:
        self.told[table].remove(tell)
        if not self.told[table]:
            del self.told[table]
        self.here[table, person] -= 1
        if not self.here[table, person]:
            del self.here[table, person]
            self.moved(table, person, False)
        self._go(table, person)

    def hear(self, process: int, table: str, person: str, is_there: bool) -> None:
        """Somebody came or went through another process."""
        known, place = self.elsewhere[process], (table, person)
        if is_there and place not in known:
            known.add(place)
            self._come(table, person)
        elif not is_there and place in known:
            known.discard(place)
            self._go(table, person)

    def keep_only(self, processes: Collection[int]) -> None:
        """There are no other processes but these: who was connected through another is gone."""
        for process in self.elsewhere.keys() - set(processes):
            for table, person in self.elsewhere.pop(process):
                self._go(table, person)

    def tell_all(self) -> None:
        """Nobody else knows any more who is here."""
        for table, person in self.here:
            self.moved(table, person, True)

    def _come(self, table: str, person: str) -> None:
        if table not in self.there:
            self.opened_at[table] = self.now()
        self.there[table][person] += 1
        self.left_at[table].pop(person, None)
        self._tell(table)

    def _go(self, table: str, person: str) -> None:
        there = self.there[table]
        there[person] -= 1
        if not there[person]:
            del there[person]
            self.left_at[table][person] = self.now()
        if not there:
            del self.there[table], self.opened_at[table], self.left_at[table]
        self._tell(table)

    def _tell(self, table: str) -> None:
        self.stirred.add(table)
        for tell in self.told.get(table, ()):
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
        left_at = self.left_at[table.name].get(person, 0.0)
        return self.now() - max(left_at, self.opened_at[table.name], *table.since.values()) >= grace

    def has_all_or_none(self, table: Table) -> bool:
        """Are all people of a table there, or nobody at all?"""
        there = self.there.get(table.name)
        return there is None or table.people.keys() <= there.keys()


class Watch:
    """Looks at the clocks of the tables that this process has, and lets bots take over for those whose time is up."""

    def __init__(
        self,
        tables: Tables,
        attendance: Attendance,
        grace: float,
        has: Callable[[str], bool] = lambda name: True,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tables = tables
        self.has = has
        self.attendance = attendance
        self.grace = grace
        self.steady = steady
        self.began = steady()
        self.doubtful: set[str] = set()
        """Where somebody may be late, now or later: of thousands of tables only these are looked at."""

    def look(self, table: Table) -> None:
        """A table has changed. By a choice nobody comes to be late, unless a clock runs."""
        if table.opened.clock.kind != "none" or not isinstance(table.last, Chose):
            self.doubt(table)

    def doubt(self, table: Table) -> None:
        """Look at a table, whatever is known of it."""
        self.doubtful.add(table.name)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self.tick()
            except Exception:
                log.exception("looking at the clocks failed")

    async def tick(self) -> None:
        if self.steady() < self.began + self.grace:
            return  # while the server was down nobody could choose: after a start all have time to come back
        self.doubtful |= self.attendance.stirred
        self.attendance.stirred.clear()
        for place, name in enumerate(list(self.doubtful)):
            if place % LOOKED_AT_ONCE == 0:
                await asyncio.sleep(0)  # there may be thousands: meanwhile everybody else has a turn
            table = self.tables.kept.get(name)
            if not self.has(name) or (table is not None and self._is_in_time(table)):
                self.doubtful.discard(name)
                continue
            try:
                await self._replace_late(await self.tables.read(name))
            except NoSuchTable:
                self.doubtful.discard(name)
            except StoreError:
                raise
            except Exception:  # a newer process may have written what this one can't read
                log.exception("the clocks of a table can't be looked at; the others go on")

    async def _replace_late(self, table: Table) -> None:
        for seat in table.peoples_turns():
            if self.is_late(table, seat):
                await self._take_over(table, seat)

    def _is_in_time(self, table: Table) -> bool:
        """Is it clear that nobody is late before something else happens there?"""
        if table.stage != "playing":
            return True
        return table.opened.clock.kind == "none" and self.attendance.has_all_or_none(table)

    def is_late(self, table: Table, seat: int) -> bool:
        person = table.players[seat].person
        assert person is not None
        left = table.time_left(seat, self.tables.now())
        return self.attendance.is_away(table, person, self.grace) if left is None else left <= 0

    async def _take_over(self, table: Table, seat: int) -> None:
        decision = table.decision
        try:
            await self.tables.add(table.name, lambda now: now.check_take_over(seat, decision))
        except Refused as refused:
            log.debug("nobody had to be replaced: %s", refused.why)
