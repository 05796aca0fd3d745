"""All matches of a town that were played to their end, as transcripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import IO

import msgspec

from cardtown.core import transcript
from cardtown.core.chance import ChanceError
from cardtown.core.game import Game
from cardtown.core.match import Match, MatchError

from .copies import Entry
from .rows import Opened, decode
from .store import Row
from .table import Table

UNREADABLE = (ValueError, KeyError, ChanceError, msgspec.MsgspecError)
"""A table of a game that is not here any more, or that was played by rules that have changed since."""


async def logs(entries: AsyncIterator[Entry]) -> AsyncIterator[tuple[str, list[Row]]]:
    """The whole log of every table."""
    name, rows = "", list[Row]()
    async for entry in entries:
        if entry.row is None:
            continue
        table, row = entry.row
        if table != name and rows:
            yield name, rows
            rows = []
        name = table
        rows.append(row)
    if rows:
        yield name, rows


async def export(entries: AsyncIterator[Entry], games: Mapping[str, Game], out: IO[bytes]) -> Counter[str]:
    """Write a transcript for each match that was played to its end; how many there were, and how many of what else."""
    found: Counter[str] = Counter()
    async for name, rows in logs(entries):
        try:
            match = match_of(name, rows, games)
            if match is None or match.outcome is None:
                found["not over"] += 1
            elif match.outcome.reason != "rules":
                found["given up"] += 1
            else:
                out.write(transcript.line_of(transcript.write(match)).encode())
                found["written"] += 1
        except UNREADABLE:
            found["not to be replayed by these rules"] += 1
    return found


def match_of(name: str, rows: list[Row], games: Mapping[str, Game]) -> Match | None:
    opened = decode(rows[0].body)
    if not isinstance(opened, Opened):
        raise MatchError("a log begins with the opening of its table")
    table = Table(name, opened, games, rows[0].at)
    for row in rows[1:]:
        table.apply(decode(row.body), row.at)
    return table.match
