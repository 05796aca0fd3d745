"""Where a town may be kept."""

from __future__ import annotations

from pathlib import Path

from .sqlite import SqliteStore
from .store import Store

ADDRESSES = ("postgresql://", "postgres://")


async def open_store(where: str | Path) -> Store:
    """The store at the address of a PostgreSQL database, or in a file."""
    if not is_address(where):
        return SqliteStore(Path(where))
    from .postgres import PostgresStore  # who keeps a town in a file need not wait for it

    return await PostgresStore.open(str(where))


def is_address(where: str | Path) -> bool:
    return str(where).startswith(ADDRESSES)
