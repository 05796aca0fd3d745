"""The tables of a town, over a real store; two of them over one file are two processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from cardtown.games import games
from cardtown.server import tables as module
from cardtown.server.refusal import Refused
from cardtown.server.rows import NOBODY, Chose, Sat
from cardtown.server.store import Note
from cardtown.server.stores import open_store
from cardtown.server.table import Table
from cardtown.server.tables import NoSuchTable, Tables
from tests.server.outside import location
from tests.server.test_table import MIA, NOA, opened


@pytest_asyncio.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[Tables, Tables]]:
    stores = [await open_store(location(tmp_path)) for _ in range(2)]
    one, other = (Tables(store, games(), lambda: 5.0) for store in stores)
    yield one, other
    for store in stores:
        await store.close()


def choose_first(table: Table) -> Chose:
    match = table.playing()
    seat = match.acting[0]
    return table.check_choice(seat, table.decision, match.legal(seat)[0])


async def test_what_one_changes_the_other_sees(pair: tuple[Tables, Tables]) -> None:
    one, other = pair
    name = (await one.open(opened(), lambda name: [Note("listed", name, b"1")])).name
    await other.add(name, lambda table: table.check_start())
    for _ in range(10):
        await one.add(name, choose_first)
        await other.add(name, choose_first)
    seen = [await tables.get(name) for tables in pair]
    assert seen[0].length == seen[1].length == 22
    assert seen[0].match is not None
    assert seen[1].match is not None
    assert seen[0].match.state.packed() == seen[1].match.state.packed()


async def test_of_many_who_want_the_same_seat_one_gets_it(pair: tuple[Tables, Tables]) -> None:
    name = (await pair[0].open(opened(players=(MIA, NOBODY)))).name
    people = [f"guest{i}" for i in range(10)]
    found = await asyncio.gather(
        *(pair[i % 2].add(name, partial(Table.check_sit, person=who, seat=1)) for i, who in enumerate(people)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Table) for each in found) == 1
    assert {each.why for each in found if isinstance(each, Refused)} == {"seat-taken"}
    seated = [(await tables.get(name)).players[1].person for tables in pair]
    assert seated[0] == seated[1] == people[[isinstance(each, Table) for each in found].index(True)]


async def test_of_many_choices_for_one_decision_one_is_made(pair: tuple[Tables, Tables]) -> None:
    name = (await pair[0].open(opened())).name
    table = await pair[0].add(name, lambda table: table.check_start())
    assert table.match is not None
    seat, decision = table.match.acting[0], table.decision
    numbers = table.match.legal(seat)
    answers = [partial(Table.check_choice, seat=seat, decision=decision, number=n) for n in numbers]
    found = await asyncio.gather(
        *(pair[i % 2].add(name, answer) for i, answer in enumerate(answers)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Table) for each in found) == 1
    assert {each.why for each in found if isinstance(each, Refused)} == {"stale"}


async def test_a_refusal_writes_nothing(pair: tuple[Tables, Tables]) -> None:
    name = (await pair[0].open(opened(players=(MIA, NOA)))).name
    with pytest.raises(Refused):
        await pair[0].add(name, lambda table: table.check_sit("kai", 0), lambda table: [Note("seat", "kai", b"")])
    assert len(await pair[0].store.rows(name)) == 1
    assert await pair[0].store.get("seat", "kai") is None


async def test_notes_change_with_the_row(pair: tuple[Tables, Tables]) -> None:
    name = (await pair[0].open(opened(players=(MIA, NOBODY)))).name
    await pair[0].add(name, lambda table: Sat(1, NOA), lambda table: [Note("seat", f"noa/{table.name}", b"1")])
    assert await pair[1].store.get("seat", f"noa/{name}") == b"1"


async def test_who_watches_is_told_of_every_change_whoever_made_it(pair: tuple[Tables, Tables]) -> None:
    one, other = pair
    name = (await one.open(opened())).name
    told: list[int] = []
    end = one.watch(name, lambda table: told.append(table.length))
    await one.add(name, lambda table: table.check_start())
    await other.add(name, choose_first)
    await one.get(name)
    assert told == [2, 3]
    end()
    await one.add(name, choose_first)
    assert told == [2, 3]


async def test_there_is_no_table_of_another_name(pair: tuple[Tables, Tables]) -> None:
    with pytest.raises(NoSuchTable, match="there is no table 'nowhere'"):
        await pair[0].get("nowhere")
    assert not pair[0].locks


async def test_tables_not_used_for_long_are_read_again(
    pair: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    names = [(await pair[0].open(opened())).name for _ in range(4)]
    assert list(pair[0].kept) == names[2:]
    assert set(pair[0].locks) == set(names[2:])
    await pair[0].add(names[0], lambda table: table.check_start())
    assert (await pair[0].get(names[0])).length == 2
