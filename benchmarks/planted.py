"""A server as the fault programme starts it: its clock follows a file, and a bug may be planted in it.

`python -m benchmarks.planted CLOCK BUG serve …` is `cardtown serve …`, with `-` for no bug. Nothing of this is in the
product: it is changed from outside before it begins.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NONE = "-"
LATE = 0.1
"""Seconds between an acknowledgement and what it says, where that bug is planted."""

LOOK = 0.02
"""Seconds after which the file is looked at again."""


def follow(file: Path) -> None:
    """Let this process's clock be as many seconds ahead as a file says."""
    true = time.time
    ahead, looked = 0.0, 0.0

    def now() -> float:
        nonlocal ahead, looked
        if time.monotonic() - looked > LOOK:
            looked = time.monotonic()
            ahead = float(file.read_text(encoding="ascii"))
        return true() + ahead

    time.time = now


def acknowledge_before_it_is_written() -> None:
    """Choices are told to everybody at once and written a little later, if nothing comes between."""
    from cardtown.server.postgres import PostgresStore
    from cardtown.server.sqlite import SqliteStore

    for kind in (SqliteStore, PostgresStore):
        plant_early(kind)


def plant_early(kind: Any) -> None:
    """Who reads waits for it: nothing shows it but a death at the wrong moment."""
    append, rows = kind.append, kind.rows
    later: set[asyncio.Task[None]] = set()

    async def append_soon(store: Any, table: str, row: Any, notes: Any = ()) -> bool:
        if b'"chose"' in row.body:
            later.add(task := asyncio.create_task(append_later(store, table, row, notes)))
            task.add_done_callback(later.discard)
            return True
        await asyncio.gather(*later)
        return bool(await append(store, table, row, notes))

    async def append_later(*args: Any) -> None:
        await asyncio.sleep(LATE)
        await append(*args)

    async def rows_then(store: Any, table: str, after: int = -1) -> Any:
        await asyncio.gather(*later)
        return await rows(store, table, after)

    kind.append, kind.rows = append_soon, rows_then


def tell_nobody() -> None:
    """Other processes are not told of new rows: they must ask."""
    from cardtown.server import notices

    kind: Any = notices.Notices
    kind.tell = lambda *_: None


def tell_nobody_and_never_ask() -> None:
    """Nor do they ask."""
    from cardtown.server import notices

    tell_nobody()
    notices.NEW_ROWS = "SELECT WHERE $1::text IS NULL"


def apply_out_of_order() -> None:
    """What somebody says is carried out after what comes next."""
    from cardtown.server import course
    from cardtown.server.rows import Said

    kind: Any = course.Course
    apply = kind.apply

    def apply_late(table: Any, body: Any, at: float = 0.0) -> None:
        held, table.held = getattr(table, "held", None), None
        if held is None and isinstance(body, Said):
            table.held = body, at
            table.length += 1
            return
        apply(table, body, at)
        if held is not None:
            apply(table, *held)
            table.length -= 1

    kind.apply = apply_late


BUGS: dict[str, Callable[[], None]] = {
    "early": acknowledge_before_it_is_written,
    "unsaid": tell_nobody,
    "unasked": tell_nobody_and_never_ask,
    "disorder": apply_out_of_order,
}


def main() -> None:
    _, clock, bug, *words = sys.argv
    follow(Path(clock))
    if bug != NONE:
        BUGS[bug]()
    from cardtown.cli import main as run

    sys.argv = ["cardtown", *words]
    run()


if __name__ == "__main__":
    main()
