"""Which tables this process sees to: their bots, forced choices, clocks, ends and rematches.

Where several share a store, each table has one that sees to it: who wants it first. If it dies the others take over.
Two who see to the same table for a moment do no harm: of two who add the same row one is told to catch up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from .pace import Pace
from .store import Store, StoreError
from .table import Table
from .tables import Tables

log = logging.getLogger(__name__)

TICK = 1.0
SPACING = 0.1
"""Seconds between asking for tables, or giving some back, and doing so again, at least."""

MOST_TAKEN_OVER = 50
"""Tables of the dead that are taken over at once: the others take some, too."""

ASK_AGAIN, RARELY = 1.0, 10.0
"""Seconds after which somebody else is asked again whether they see to a table: twice as long each time, up to this."""


class Theirs(NamedTuple):
    """When to ask again, and the seconds since it was asked last."""

    again_at: float
    pause: float


class Care:
    """`look` is called with each table to which this process begins to see."""

    def __init__(self, store: Store, tables: Tables, look: Callable[[Table], None]) -> None:
        self.store = store
        self.tables = tables
        self.look = look
        self.mine: set[str] = set()
        self.wanted: set[str] = set()
        self.theirs: dict[str, Theirs] = {}
        self.done: set[str] = set()
        self.take_over_at = 0.0
        self.pace = Pace(SPACING)
        tables.seen_to = self.mine

    def has(self, name: str) -> bool:
        """Does this process see to a table?"""
        return not self.store.is_shared or name in self.mine

    def wants(self, name: str) -> bool:
        """The same, where there is something to do; if nobody does it yet, the table is looked at again soon."""
        if self.has(name):
            return True
        if name not in self.theirs:
            self.wanted.add(name)
            self.pace.ask()
        return False

    def is_done(self, name: str) -> None:
        """There is nothing left to do for a table."""
        self.theirs.pop(name, None)
        self.wanted.discard(name)
        if name in self.mine:
            self.mine.discard(name)
            self.done.add(name)
            self.pace.ask()

    def lose_all(self) -> None:
        """Others see to what was ours; what they do not take yet is asked for again."""
        self.wanted |= self.mine | self.theirs.keys()
        self.mine.clear()
        self.theirs.clear()
        self.pace.ask()

    async def run(self) -> None:
        """Begin with what the last process left, or all that died meanwhile."""
        while True:
            try:
                await self._take_over()
                await self._ask()
            except StoreError as error:
                log.warning("nobody can say who sees to which table: %s", error)
            if not self.store.is_shared:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self.pace.turn()

    async def _take_over(self) -> None:
        now = asyncio.get_running_loop().time()
        if now < self.take_over_at:
            return
        while found := await self.store.take_over(MOST_TAKEN_OVER):
            await self._begin(found)
        self.take_over_at = now + TICK

    async def _ask(self) -> None:
        now = asyncio.get_running_loop().time()
        done, self.done = self.done, set()
        wanted, self.wanted = self.wanted, set()
        due = {name: theirs.pause for name, theirs in self.theirs.items() if theirs.again_at <= now}
        for name in due:
            del self.theirs[name]
        wanted |= due.keys() & self.tables.kept.keys()
        try:
            if done:
                await self.store.give_back(done)
            taken = await self.store.take(wanted) if wanted else set()
        except StoreError:
            self.done |= done
            self.wanted |= wanted
            raise
        for name in wanted - taken:
            pause = min(2 * due[name], RARELY) if name in due else ASK_AGAIN
            self.theirs[name] = Theirs(now + pause, pause)
        await self._begin(taken)

    async def _begin(self, names: Iterable[str]) -> None:
        for name in names:
            if self.store.is_shared:
                self.mine.add(name)
            try:
                self.look(await self.tables.read(name))
            except StoreError as error:
                log.warning("a table can't be read now; it is looked at again: %s", error)
                self.mine.discard(name)
                self.wanted.add(name)
            except Exception:
                log.exception("a table can't be read; the others go on")
