"""The store: what is acknowledged is on disk, in one order, whole or not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from cardtown.server.sqlite import SqliteStore
from cardtown.server.store import Note, Row, Store, StoreError
from cardtown.server.stores import open_store
from tests.server.postgres import cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for a store, of each kind."""
    return cluster().new_database() if request.param == "postgresql" else str(tmp_path / "town.sqlite")


@pytest_asyncio.fixture
async def store(where: str) -> AsyncIterator[Store]:
    opened = await open_store(where)
    yield opened
    await opened.close()


def row(number: int, text: str = "x") -> Row:
    return Row(number, 12.5, text.encode())


async def test_rows_come_back_in_order_and_after_a_number(store: Store) -> None:
    for number in range(5):
        assert await store.append("t", row(number, str(number)))
    assert await store.append("other", row(0))
    assert await store.rows("t") == [row(number, str(number)) for number in range(5)]
    assert await store.rows("t", after=2) == [row(3, "3"), row(4, "4")]
    assert await store.rows("nowhere") == []


@pytest.mark.parametrize("number", [0, 2, -1])
async def test_a_row_with_another_number_than_the_next_changes_nothing(store: Store, number: int) -> None:
    assert await store.append("t", row(0))
    assert not await store.append("t", row(number, "late"), [Note("person", "a", b"1")])
    assert await store.rows("t") == [row(0)]
    assert await store.get("person", "a") is None


async def test_of_many_who_want_the_same_number_one_gets_it(store: Store) -> None:
    for number in range(20):
        won = await asyncio.gather(*(store.append("t", row(number, f"{i}")) for i in range(8)))
        assert sum(won) == 1
        assert (await store.rows("t", number - 1))[0].body == str(won.index(True)).encode()


async def test_notes_change_with_a_row_or_alone_and_can_be_forgotten(store: Store) -> None:
    await store.append("t", row(0), [Note("listed", "t", b"open"), Note("seat", "mia/t", b"0")])
    await store.put([Note("seat", "mia/u", b"1"), Note("seat", "mi", b"2"), Note("seat", "noa/t", b"3")])
    assert await store.get("listed", "t") == b"open"
    assert [note.name for note in await store.notes("seat", "mia/")] == ["mia/t", "mia/u"]
    await store.put([Note("seat", "mia/t", None), Note("listed", "t", b"full"), Note("listed", "gone", None)])
    assert await store.notes("seat") == [
        Note("seat", "mi", b"2"),
        Note("seat", "mia/u", b"1"),
        Note("seat", "noa/t", b"3"),
    ]
    assert await store.get("listed", "t") == b"full"
    assert [await store.count(kind) for kind in ("seat", "listed", "nothing")] == [3, 1, 0]


async def test_of_notes_that_tell_of_the_same_the_last_one_counts(store: Store) -> None:
    await store.put([Note("seat", f"mia/{i}", b"0") for i in range(1_200)])
    gone = [Note("seat", f"mia/{i}", None) for i in range(1_199)]
    await store.append("t", row(0), [*gone, Note("seat", "mia/7", b"7"), Note("listed", "t", b""), *gone[8:]])
    assert await store.notes("seat") == [Note("seat", "mia/1199", b"0"), Note("seat", "mia/7", b"7")]
    assert await store.get("listed", "t") == b""


async def test_who_fails_leaves_nothing_and_harms_nobody_else(store: Store) -> None:
    bad = Row(0, 1.0, None)  # type: ignore[arg-type]
    found = await asyncio.gather(
        store.append("a", row(0)),
        store.append("b", bad, [Note("person", "a", b"1")]),
        store.append("c", row(0)),
        return_exceptions=True,
    )
    assert found[0] is True
    assert isinstance(found[1], StoreError)
    assert found[2] is True
    assert await store.rows("b") == []
    assert await store.get("person", "a") is None


async def test_what_was_kept_is_there_when_it_is_opened_again(where: str) -> None:
    for number in range(3):
        opened = await open_store(where)
        assert await opened.append("t", row(number))
        assert len(await opened.rows("t")) == number + 1
        await opened.close()


async def test_a_store_of_a_newer_version_is_left_alone(where: str) -> None:
    await (await open_store(where)).close()
    if where.startswith("postgresql"):
        connected = await asyncpg.connect(where)
        await connected.execute("INSERT INTO cardtown.version VALUES (99)")
        await connected.close()
    else:
        db = sqlite3.connect(where)
        db.execute("PRAGMA user_version = 99")
        db.close()
    with pytest.raises(StoreError, match="was written by a newer Cardtown"):
        await open_store(where)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "town.sqlite"
    file.write_text("no database at all, only words, and more than a few of them", encoding="utf-8")
    with pytest.raises(StoreError, match=r"town\.sqlite"):
        SqliteStore(file)


WRITING = """
import asyncio, sys
from cardtown.server.store import Row
from cardtown.server.stores import open_store

async def write(store, table):
    number = len(await store.rows(table))
    while True:
        assert await store.append(table, Row(number, 0.0, b"x" * 100))
        print(table, number, flush=True)
        number += 1

async def main():
    store = await open_store(sys.argv[1])
    await asyncio.gather(*(write(store, f"t{i}") for i in range(5)))

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_being_killed(where: str, soak: int) -> None:
    for kill in range(3 * soak):
        writing = subprocess.Popen([sys.executable, "-c", WRITING, where], stdout=subprocess.PIPE, text=True)
        assert writing.stdout is not None
        said = [writing.stdout.readline() for _ in range(40 + 17 * (kill % 5))]
        os.kill(writing.pid, signal.SIGKILL)
        said += writing.stdout.read().splitlines(keepends=True)
        writing.wait()
        writing.stdout.close()
        acknowledged = [line.split() for line in said if line.endswith("\n")]
        opened = await open_store(where)
        for table in {table for table, _ in acknowledged}:
            kept = [each.number for each in await opened.rows(table)]
            assert kept == list(range(len(kept)))
            assert max(int(number) for name, number in acknowledged if name == table) < len(kept)
        await opened.close()
