"""A server as the fault programme starts it: its clock follows a file, and a bug may be planted in it.

`python -m benchmarks.planted CLOCK BUG serve …` is `cardtown serve …`, with `-` for no bug. Nothing of this is in the
product: it is changed from outside before it begins.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NONE = "-"
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
    import asyncio

    from cardtown.server.sqlite import SqliteStore

    append = SqliteStore.append

    async def append_soon(store: Any, table: str, row: Any, notes: Any = ()) -> bool:
        if b'"chose"' not in row.body:
            return await append(store, table, row, notes)
        work = append(store, table, row, notes)
        asyncio.get_running_loop().call_later(0.2, lambda: asyncio.ensure_future(work))
        return True

    SqliteStore.append = append_soon  # type: ignore


BUGS: dict[str, Callable[[], None]] = {"early": acknowledge_before_it_is_written}


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
