"""What the server keeps, on whatever engine: the logs of tables, and notes that are found by their name.

A table is its log and nothing else. Whoever wants to add a row says which number it will have; of two who want the same
number one is told to catch up. Notes (people, tokens, what the lobby lists) change together with a row or on their own.

Where several processes share a store, it also tells them of each other: what others have added, which tables nobody
sees to, and who is connected elsewhere. Nothing that is kept depends on it: it saves time, and work done twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol


class Row(NamedTuple):
    """A row of a table's log: its number, from 0 on, when it was written, and what it says."""

    number: int
    at: float
    body: bytes


class Note(NamedTuple):
    """Something kept under a kind and a name; without a body it is to be forgotten."""

    kind: str
    name: str
    body: bytes | None


class StoreError(Exception):
    """The store can't be opened, read or written, and nothing has changed: says why."""


class Unsure(StoreError):
    """The store was lost while it wrote: whether it has changed will be seen when it is back."""


class Listener(Protocol):
    """Who wants to know what other processes do."""

    def row_added(self, table: str, number: int, row: Row | None) -> None:
        """A table goes on; without the row it has to be read. May be told twice, late, or out of order."""

    def person_changed(self, person: str) -> None:
        """What is kept about somebody has changed."""

    def person_moved(self, process: int, table: str, person: str, is_there: bool) -> None:
        """Somebody is connected to a table through another process, or no more."""

    def processes_are(self, processes: Collection[int]) -> None:
        """These others are alive; nobody is connected through any but them."""

    def given_up(self) -> None:
        """The others took this process for dead: what it saw to is theirs, and nobody knows who is connected here."""


class Store(Protocol):
    """All that is awaited is on disk when it returns, and is whole or not there at all."""

    is_shared: bool
    """Do other processes use it too?"""

    async def append(self, table: str, row: Row, notes: Sequence[Note] = ()) -> bool:
        """Add a row and change notes; False, and nothing has changed, if the log does not end before that number."""

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        """The rows of a table whose numbers are greater than `after`, in order."""

    async def put(self, notes: Sequence[Note]) -> None:
        """Change notes, all or none of them."""

    async def get(self, kind: str, name: str) -> bytes | None:
        """The body of a note."""

    async def notes(self, kind: str, prefix: str = "") -> list[Note]:
        """The notes of a kind whose names begin like this, by name."""

    async def replace(self, table: str, rows: Sequence[Row]) -> None:
        """Let rows of a table that are there say something else."""

    async def forget(self, table: str, notes: Sequence[Note]) -> None:
        """Delete the log of a table together with these notes."""

    async def count(self, kind: str) -> int:
        """How many notes of a kind there are."""

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """One at a time, over all processes, does what goes by this name."""

    async def listen(self, listener: Listener) -> None:
        """Tell of what other processes do from now on."""

    def attend(self, table: str, person: str, is_there: bool) -> None:
        """Let the others know that somebody is connected to a table through this process, or no more."""

    async def take(self, tables: Collection[str]) -> set[str]:
        """See to tables if nobody else does; those to which this process sees now."""

    async def take_over(self, most: int) -> list[str]:
        """See to at most so many of the tables that are being played and to which nobody sees, or somebody dead."""

    async def give_back(self, tables: Collection[str]) -> None:
        """See to tables no more: there is nothing to do."""

    async def close(self) -> None:
        """Finish what was begun."""
