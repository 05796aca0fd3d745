"""How much of everything there may be. What would be more is refused, so that what goes on already can go on."""

from __future__ import annotations

from dataclasses import dataclass

from .refusal import Refused
from .rows import AskedUndo, Body, CameBack, Muted, Removed, Said, Sat, Undone
from .table import Table

NEEDLESS = (Sat, Said, Muted, Removed, AskedUndo, Undone, CameBack)
"""Rows without which a match comes to its end as well: of all others the rules allow only so many."""


@dataclass(frozen=True)
class Bounds:
    """What a host may decide."""

    tables: int = 100_000
    """In the whole town, not over yet."""

    tables_each: int = 200
    """Opened by one person, not over yet."""

    sockets: int = 20_000
    """Of one process."""

    sockets_each: int = 50
    """Of one person, in one process."""

    sockets_address: int = 1_000
    """From one address, in one process; those from this machine are not counted."""

    thoughts: int = 200
    """Of bots, that wait for a thread of one process: with more nobody gets a hint or a review or a new bot."""

    rows: int = 5_000
    """In the log of a table; beyond them there are only those that bring the match to its end."""

    said: int = 2_000
    """What can be said at one table."""

    slow: float = 20.0
    """Seconds that somebody may read nothing while there is something to read."""

    def check_row(self, table: Table, body: Body) -> None:
        """May a table have this row too?"""
        if isinstance(body, Said) and len(table.said) >= self.said:
            raise Refused("too-much", "too much has been said at this table already")
        if table.length >= self.rows and isinstance(body, NEEDLESS):
            raise Refused("too-much", "too much has happened at this table already; play on, or open another one")


USUAL = Bounds()
