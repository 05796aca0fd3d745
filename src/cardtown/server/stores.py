"""Where a town may be kept: in a file, or at the address of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from .sqlite import SqliteStore
from .store import Store, StoreError

ADDRESSES = ("postgresql://", "postgres://")


async def open_store(where: str | Path) -> Store:
    """The store there; a place that is empty is set up."""
    if not is_address(where):
        return SqliteStore(Path(where))
    from .postgres import PostgresStore  # who keeps a town in a file need not wait for it

    return await PostgresStore.open(str(where))


async def set_up(where: str | Path) -> None:
    """See that there is a store that can be used."""
    await (await open_store(where)).close()


def is_address(where: str | Path) -> bool:
    return str(where).startswith(ADDRESSES)


def check_address(where: str) -> str:
    """An address as it may be shown: without a password."""
    from .database import Database, without_password

    if not is_address(where):
        raise StoreError(f"{without_password(where)}: is no address of a database, like postgresql://user@host/name")
    return Database(where).shown
