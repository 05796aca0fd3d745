"""The tables of a town: read from their logs when they are asked for, kept while they are used, changed row by row.

Any process may change any table. Who adds a row says which number it will have; if somebody was quicker it reads on and
asks the table again. What others add is carried out at once where somebody waits for it, else when it is asked for.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from cardtown.core.chance import Source
from cardtown.core.game import Game

from .bounds import USUAL, Bounds
from .course import by_secret
from .keeping import GONE
from .refusal import Refused
from .rows import AnsweredUndo, Body, Chose, Opened, Undone, decode, encode
from .store import Note, Row, Store, StoreError, Unsure
from .table import Table

log = logging.getLogger(__name__)

KEPT = 1_000
"""Tables that are kept in memory beside those that are needed; others are read again when they are asked for."""

MANY = 20
"""More rows at once are carried out in a thread, lest everybody else wait."""

MAKES_ANEW = (Undone, AnsweredUndo)
"""After these a table is made anew."""


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
        self.seen_to: Collection[str] = ()
        """Those to which this process sees: it must know what happens there."""
        self.behind: dict[str, int] = {}
        """Those to which others have added what was not carried out here, up to that number."""
        self.following: set[asyncio.Task[None]] = set()
        self.choices = 0
        """How many were made here."""

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
            table = self.kept.get(name)
            if table is None or name in self.behind:
                table = await self._catch_up(name)
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
                    self.choices += isinstance(body, Chose)
                    try:
                        return await self._go_on(table, [row], [body])
                    except (
                        StoreError
                    ) as error:  # it is on disk, but can't be read now: nobody may be told that it failed
                        self.behind[name] = row.number
                        raise Unsure(str(error)) from error
                table = await self._catch_up(name)

    def known(self, name: str) -> Table | None:
        """A table with all that this process knows to be there, if it need not be read."""
        return None if name in self.behind else self.kept.get(name)

    async def read(self, name: str) -> Table:
        """The same, read if it must be."""
        return self.known(name) or await self.get(name)

    async def read_anew(self, name: str) -> Table:
        """A table as its log says now; where there is no other process one that is not over is known."""
        table = None if self.store.is_shared else self.known(name)
        return table if table is not None and not table.is_over else await self.get(name)

    def is_needed(self, name: str) -> bool:
        return name in self.watching or name in self.seen_to

    def hear(self, name: str, number: int, row: Row | None) -> None:
        """Another process has added a row; without it, it has to be read."""
        table = self.kept.get(name)
        if table is None or number < table.length:
            return
        if not self.is_needed(name):
            self.behind[name] = max(number, self.behind.get(name, 0))
            return
        body = decode(row.body) if row is not None and number == table.length else None
        if row is None or body is None or self.locks[name].locked() or isinstance(body, MAKES_ANEW):
            task = asyncio.create_task(self._follow(name, number))
            self.following.add(task)
            task.add_done_callback(self._followed)
        elif row.body == GONE:
            self._forget(name)
        else:
            self._carry_out(table, [row], [body])

    async def _follow(self, name: str, number: int) -> None:
        async with self.locks[name]:
            table = self.kept.get(name)
            if table is not None and table.length <= number:
                await self._catch_up(name)

    def _followed(self, task: asyncio.Task[None]) -> None:
        self.following.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a table can't be followed; it will be read later", exc_info=task.exception())

    async def _catch_up(self, name: str) -> Table:
        """Read what is new."""
        table = self.kept.get(name)
        rows = await self.store.rows(name, table.length - 2 if table else -1)
        if not rows or rows[-1].body == GONE:
            self._forget(name)
            raise NoSuchTable(name)
        if table is not None:
            rows = rows[1:]  # the first is known, and was asked for to see that the table is still there
            return await self._go_on(table, rows, [decode(row.body) for row in rows])
        table = self._keep(await self._load(name, rows))
        for tell in self.told_found:
            tell(table)
        return table

    def _forget(self, name: str) -> None:
        """A table is not there, or no more; who watches it is told to look."""
        table = self.kept.pop(name, None)
        self.behind.pop(name, None)
        self.locks.pop(name, None)
        if table is not None:
            for tell in list(self.watching.get(name, ())):
                tell(table)

    async def _go_on(self, table: Table, rows: Sequence[Row], bodies: Sequence[Body]) -> Table:
        """Carry out new rows and tell those who watch. What takes long is done apart, on a table made anew."""
        if len(rows) > MANY or any(isinstance(body, MAKES_ANEW) for body in bodies):
            return self._tell(await self._load(table.name, await self.store.rows(table.name)))
        return self._carry_out(table, rows, bodies)

    def _carry_out(self, table: Table, rows: Sequence[Row], bodies: Sequence[Body]) -> Table:
        for row, body in zip(rows, bodies, strict=True):
            table.apply(body, row.at)
        return self._tell(table) if rows else self._keep(table)

    def _tell(self, table: Table) -> Table:
        self._keep(table)
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
        if self.behind and self.behind.get(table.name, table.length) < table.length:
            del self.behind[table.name]
        while len(self.kept) > KEPT + len(self.watching) + len(self.seen_to):
            name, oldest = self.kept.popitem(last=False)
            if self.is_needed(name):
                self.kept[name] = oldest
                continue
            self.behind.pop(name, None)
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
