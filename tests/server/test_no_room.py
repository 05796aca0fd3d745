"""While nothing can be kept, or read, nobody is told what is not so."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cardtown.games import games
from cardtown.server import sqlite, town
from cardtown.server.messages import NewTable
from cardtown.server.rows import Sat, Undone
from cardtown.server.sqlite import SqliteStore
from cardtown.server.store import Row, StoreError, Unsure
from cardtown.server.table import Table
from cardtown.server.tables import Tables
from cardtown.server.town import Settings, Town
from tests.server.test_table import opened
from tests.server.test_tables import choose_first


async def test_whoever_sat_down_last_did_so_and_the_match_begins_when_it_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
    monkeypatch.setattr(town, "AGAIN_AFTER", 0.01)
    place = Town(SqliteStore(tmp_path / "town.sqlite"), games(), Settings())
    name = (await place.open("mia", NewTable("hollywood", ("me", "open")))).name
    with closing(sqlite3.connect(tmp_path / "town.sqlite", isolation_level=None)) as other:
        changes: asyncio.Queue[str] = asyncio.Queue()

        def look(table: Table) -> None:
            changes.put_nowait(table.stage)
            if isinstance(table.last, Sat):
                other.execute("BEGIN IMMEDIATE")  # from now on nobody else writes

        place.tables.watch(name, look)
        table = await place.sit(name, "noa", 1)
        assert (table.people["noa"], table.stage) == (1, "open")
        other.execute("ROLLBACK")
    assert [await changes.get(), await changes.get()] == ["open", "playing"]
    await place.stop()


class Blind(SqliteStore):
    """A store that can be written and, for a while, not be read."""

    is_blind = False

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        if self.is_blind:
            raise StoreError("can't be read")
        return await super().rows(table, after)


async def test_what_was_written_and_can_t_be_read_again_is_not_called_refused(tmp_path: Path) -> None:
    store = Blind(tmp_path / "town.sqlite")
    tables = Tables(store, games(), lambda: 0.0)
    name = (await tables.open(opened())).name
    await tables.add(name, Table.check_start)
    table = await tables.add(name, choose_first)
    assert table.match is not None
    ((seat, _),) = table.match.choices
    store.is_blind = True
    with pytest.raises(Unsure):
        await tables.add(name, lambda now: Undone(seat))
    store.is_blind = False
    table = await tables.read(name)
    assert (table.last, table.undos) == (Undone(seat), 1)
    await store.close()
