"""The tables of a town: read from their logs when they are asked for, kept while they are used, changed row by row.

Any process may change any table. Who adds a row says which number it will have; if somebody was quicker it reads on and
asks the table again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from cardtown.core.chance import Source
from cardtown.core.game import Game

from .bounds import USUAL, Bounds
from .course import by_secret
from .refusal import Refused
from .rows import AnsweredUndo, Body, Opened, Undone, decode, encode
from .store import Note, Row, Store
from .table import Table

KEPT = 1_000
"""Tables that are kept in memory; those that were not used for longest are read again when they are needed."""

MANY = 20
"""More rows at once are carried out in a thread, lest everybody else wait."""


class NoSuchTable(Refused):
    def __init__(self, name: str) -> None:
        super().__init__("no-such-table", f"there is no table {name!r}")


Told = Callable[[Table], None]
"""Called when a table has changed."""


def new_name() -> str:
    """The name of a table; it can't be guessed, so whoever knows it was given the link."""
    return secrets.token_urlsafe(9)


class Tables:
    """All tables of a store. `chance` is by secret except in tests."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        now: Callable[[], float],
        chance: Callable[[Opened], Source] = by_secret,
        new_name: Callable[[], str] = new_name,
        bounds: Bounds = USUAL,
    ) -> None:
        self.store = store
        self.games = games
        self.now = now
        self.chance = chance
        self.new_name = new_name
        self.bounds = bounds
        self.kept: OrderedDict[str, Table] = OrderedDict()
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.watching: defaultdict[str, list[Told]] = defaultdict(list)
        self.told_all: list[Told] = []
        self.told_found: list[Told] = []

    async def open(self, opened: Opened, notes: Callable[[str], Iterable[Note]] = lambda name: ()) -> Table:
        """Make a new table; `notes` says which notes come with it."""
        name = self.new_name()
        row = Row(0, self.now(), encode(opened))
        written = await self.store.append(name, row, list(notes(name)))
        assert written
        async with self.locks[name]:
            return self.kept.get(name) or self._keep(await self._load(name, [row]))

    async def get(self, name: str) -> Table:
        """A table as its log says now."""
        async with self.locks[name]:
            return await self._catch_up(name)

    async def add(
        self, name: str, decide: Callable[[Table], Body], note: Callable[[Table], Sequence[Note]] = lambda table: ()
    ) -> Table:
        """Add the row that `decide` makes of the table as it is, or let its refusal pass; it is on disk afterwards.

        `note` says which notes change with it, from the table as it was before.
        """
        async with self.locks[name]:
            table = self.kept.get(name) or await self._catch_up(name)
            while True:
                try:
                    body = decide(table)
                    self.bounds.check_row(table, body)
                except Refused:
                    # Perhaps only because another process has changed the table meanwhile.
                    length = table.length
                    table = await self._catch_up(name)
                    if table.length == length:
                        raise
                    continue
                row = Row(table.length, self.now(), encode(body))
                if await self.store.append(name, row, note(table)):
                    return await self._go_on(table, [row], [body])
                table = await self._catch_up(name)

    async def read(self, name: str) -> Table:
        """A table as it was when this process last looked, which is as good as new where only one writes."""
        return self.kept.get(name) or await self.get(name)

    async def _catch_up(self, name: str) -> Table:
        """Read what is new."""
        table = self.kept.get(name)
        rows = await self.store.rows(name, table.length - 1 if table else -1)
        if table is not None:
            return await self._go_on(table, rows, [decode(row.body) for row in rows])
        if not rows:
            self.locks.pop(name, None)
            raise NoSuchTable(name)
        table = self._keep(await self._load(name, rows))
        for tell in self.told_found:
            tell(table)
        return table

    async def _go_on(self, table: Table, rows: Sequence[Row], bodies: Sequence[Body]) -> Table:
        """Carry out new rows and tell those who watch. What takes long is done apart, on a table made anew."""
        if len(rows) > MANY or any(isinstance(body, Undone | AnsweredUndo) for body in bodies):
            table = await self._load(table.name, await self.store.rows(table.name))
        else:
            for row, body in zip(rows, bodies, strict=True):
                table.apply(body, row.at)
        self._keep(table)
        if rows:
            for tell in [*self.told_all, *self.watching.get(table.name, ())]:
                tell(table)
        return table

    async def _load(self, name: str, rows: Sequence[Row]) -> Table:
        """A table from its whole log."""

        def load() -> Table:
            opened = decode(rows[0].body)
            assert isinstance(opened, Opened)
            table = Table(name, opened, self.games, rows[0].at, self.chance)
            for row in rows[1:]:
                table.apply(decode(row.body), row.at)
            return table

        return await asyncio.to_thread(load) if len(rows) > MANY else load()

    def _keep(self, table: Table) -> Table:
        self.kept[table.name] = table
        self.kept.move_to_end(table.name)
        while len(self.kept) > KEPT:
            name, _ = self.kept.popitem(last=False)
            if name in self.locks and not self.locks[name].locked():
                del self.locks[name]
        return table

    def watch(self, name: str, tell: Told) -> Callable[[], None]:
        """Be told when a table changes; what comes back ends it."""
        self.watching[name].append(tell)

        def end() -> None:
            self.watching[name].remove(tell)
            if not self.watching[name]:
                del self.watching[name]

        return end
