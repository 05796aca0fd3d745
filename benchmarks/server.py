"""Servers under load: the choices that they take, how soon the other one sees them, what a table costs them.

`python -m benchmarks.server` measures all of them in one run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from rich.console import Console

from . import boardgame_io_server, cardtown_server
from .load import Load, Loads, Served, allow_sockets, in_loop, measure, middle
from .measure import Subject
from .report import SERVER, markdown, server_sheet

TABLES = (100, 1000)
SECONDS = 5.0
ROUNDS = 5

Serve = Callable[[], AbstractContextManager[Served]]
"""Starts a server, and ends it."""


def servers() -> dict[Subject, Serve]:
    return ours() | boardgame_io()


def boardgame_io() -> dict[Subject, Serve]:
    """Its two ways to keep matches."""
    ways = (boardgame_io_server.MEMORY, boardgame_io_server.FLATFILE)
    engine, game = boardgame_io_server.ENGINE, boardgame_io_server.GAME
    return {Subject(engine, game, way): partial(boardgame_io_server.serve, way) for way in ways}


def ours() -> dict[Subject, Serve]:
    return {SERVER: cardtown_server.serve}


def measure_servers(
    console: Console, tables: Sequence[int] = TABLES, seconds: float = SECONDS, rounds: int = ROUNDS
) -> Loads:
    """The medians of each; they take turns, and each time a new process begins with empty memory."""
    allow_sockets()
    found: dict[tuple[Subject, int], list[Load]] = {}
    for i in range(rounds):
        for count in tables:
            for subject, serve in servers().items():
                with console.status(f"Round {i + 1} of {rounds}: {subject}, {count:,} tables …"), serve() as served:
                    load = in_loop(measure(served, count, seconds))
                found.setdefault((subject, count), []).append(load)
    return {side: middle(loads) for side, loads in found.items()}


def main() -> int:
    console = Console()
    print(markdown(server_sheet(measure_servers(console))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
