"""What the server keeps, on whatever engine: the logs of tables, and notes that are found by their name.

A table is its log and nothing else. Whoever wants to add a row says which number it will have; of two who want the same
number one is told to catch up. Notes (people, tokens, what the lobby lists) change together with a row or on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class Store(Protocol):
    """All that is awaited is on disk when it returns, and is whole or not there at all."""

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

    async def close(self) -> None:
        """Finish what was begun."""
