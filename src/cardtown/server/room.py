"""Whether there is room for one more: a table, somebody's socket, a bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .bounds import Bounds
from .limits import is_elsewhere
from .refusal import Refused
from .store import Store
from .thinkers import Thinkers

COUNTED_FOR, FULL_FOR = 10.0, 1.0
"""Seconds for which a count of all tables is good enough, and the same if there were too many.

Those that this process opens meanwhile are added to it.
"""


class Room:
    """Counts what there is, for one process; tables are counted for the whole town."""

    def __init__(self, bounds: Bounds, store: Store, thinkers: Thinkers, steady: Callable[[], float]) -> None:
        self.bounds = bounds
        self.store = store
        self.thinkers = thinkers
        self.steady = steady
        self.sockets = 0
        self.by_person: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()
        self.tables = 0
        self.counted_at: float | None = None

    @contextmanager
    def socket(self, person: str, address: str) -> Iterator[None]:
        """One more socket, while it is open."""
        self.check_socket(person, address)
        self.sockets += 1
        counted = (self.by_person, person), (self.by_address, address)
        for counter, whose in counted:
            counter[whose] += 1
        try:
            yield
        finally:
            self.sockets -= 1
            for counter, whose in counted:
                counter[whose] -= 1
                if not counter[whose]:
                    del counter[whose]

    def check_socket(self, person: str, address: str) -> None:
        bounds = self.bounds
        if self.sockets >= bounds.sockets:
            raise Refused("busy", "there are too many connections now; try again later")
        if self.by_person[person] >= bounds.sockets_each:
            raise Refused("too-much", f"you have {bounds.sockets_each} connections; close one first")
        if is_elsewhere(address) and self.by_address[address] >= bounds.sockets_address:
            raise Refused("too-much", f"your address has {bounds.sockets_address} connections; close one first")

    async def check_table(self, person: str) -> None:
        """May somebody open one more table?"""
        bounds = self.bounds
        if len(await self.store.notes("hosted", f"{person}/")) >= bounds.tables_each:
            raise Refused(
                "too-much", f"{bounds.tables_each} of your tables are not over yet; play on or close one first"
            )
        now = self.steady()
        lasts = FULL_FOR if self.tables >= bounds.tables else COUNTED_FOR
        if self.counted_at is None or now >= self.counted_at + lasts:
            self.counted_at, self.tables = now, await self.store.count("hosted")
        if self.tables >= bounds.tables:
            raise Refused("busy", "there are too many tables in the town now; try again later")
        self.tables += 1

    def check_thought(self) -> None:
        """Can one more bot think? Those that play already do: their turns are not refused."""
        if self.thinkers.waiting >= self.bounds.thoughts:
            raise Refused("busy", "the bots have too much to think about now; ask again later")
