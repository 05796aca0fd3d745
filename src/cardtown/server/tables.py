"""The tables of a town: read from their logs when they are asked for, kept while they are used, changed row by row.

Any process may change any table. Before it adds a row it has read all others; if somebody was quicker it reads on and
asks the table again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from cardtown.core.game import Game

from .rows import Body, Opened, decode, encode
from .store import Note, Row, Store
from .table import Table

KEPT = 1_000
"""Tables that are kept in memory; those that were not used for longest are read again when they are needed."""


class NoSuchTable(Exception):
    """There is no table of that name."""


Told = Callable[[Table], None]
"""Called when a table has changed."""


class Tables:
    """All tables of a store."""

    def __init__(self, store: Store, games: Mapping[str, Game], now: Callable[[], float]) -> None:
        self.store = store
        self.games = games
        self.now = now
        self.kept: OrderedDict[str, Table] = OrderedDict()
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.watching: defaultdict[str, list[Told]] = defaultdict(list)

    async def open(self, opened: Opened, notes: Iterable[Note] = ()) -> Table:
        """Make a new table; its name can't be guessed."""
        name = secrets.token_urlsafe(9)
        written = await self.store.append(name, Row(0, self.now(), encode(opened)), list(notes))
        assert written
        return await self.get(name)

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
            while True:
                table = await self._catch_up(name)
                row = Row(table.length, self.now(), encode(decide(table)))
                if await self.store.append(name, row, note(table)):
                    return await self._catch_up(name)

    async def _catch_up(self, name: str) -> Table:
        """Read what is new. A table that has changed is told to those who watch it."""
        table = self.kept.get(name)
        rows = await self.store.rows(name, table.length - 1 if table else -1)
        if table is None:
            if not rows:
                self.locks.pop(name, None)
                raise NoSuchTable(f"there is no table {name!r}")
            first = decode(rows.pop(0).body)
            assert isinstance(first, Opened)
            table = Table(name, first, self.games)
        for row in rows:
            table.apply(decode(row.body))
        self._keep(table)
        if rows:
            for tell in list(self.watching[name]):
                tell(table)
        return table

    def _keep(self, table: Table) -> None:
        self.kept[table.name] = table
        self.kept.move_to_end(table.name)
        while len(self.kept) > KEPT:
            name, _ = self.kept.popitem(last=False)
            if not self.locks[name].locked():
                del self.locks[name]

    def watch(self, name: str, tell: Told) -> Callable[[], None]:
        """Be told when a table changes; what comes back ends it."""
        self.watching[name].append(tell)

        def end() -> None:
            self.watching[name].remove(tell)
            if not self.watching[name]:
                del self.watching[name]

        return end
