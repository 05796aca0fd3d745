"""Of several processes one sees to each table, and another one soon after it has let go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from cardtown.games import find
from cardtown.server import care
from cardtown.server.messages import NewTable
from cardtown.server.pace import Pace
from cardtown.server.store import StoreError
from cardtown.server.stores import open_store
from cardtown.server.town import Settings, Town
from tests.server.postgres import cluster
from tests.server.test_keeping import until


@pytest_asyncio.fixture
async def towns() -> AsyncIterator[list[Town]]:
    """One town, as two processes know it."""
    database = cluster().new_database()
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            town = Town(await open_store(database), {"hollywood": find("hollywood")}, Settings(threads=1))
            await town.start()
            stack.push_async_callback(town.stop)
            found.append(town)
        yield found


async def begun_by(town: Town) -> str:
    """A table to which this process sees."""
    name = (await town.open("mia", NewTable(game="hollywood", seats=("me", "open")))).name
    await town.sit(name, "noa", 1)
    await until(lambda: town.care.has(name))
    return name


async def test_who_wants_a_table_that_another_lets_go_gets_it_soon(
    towns: list[Town], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a rematch the one who saw to the match may let go a moment after another has asked for the table in vain."""
    monkeypatch.setattr(care, "RARELY", 3600.0)
    one, other = towns
    name = await begun_by(one)
    await other.tables.get(name)
    await until(lambda: name in other.care.theirs)
    one.care.is_done(name)
    await until(lambda: other.care.has(name))


async def test_what_a_process_has_filled_and_could_not_begin_another_that_knows_the_table_begins(
    towns: list[Town],
) -> None:
    """Whoever sat down last did so by a process that died before the match began."""
    one, other = towns
    name = (await one.open("mia", NewTable(game="hollywood", seats=("me", "open")))).name
    other.tables.watch(name, lambda table: None)
    await other.tables.get(name)
    one.tables.told_all.clear()
    await one.tables.add(name, lambda now: now.check_sit("noa", 1))
    await until(lambda: other.tables.kept[name].match is not None)


async def test_who_asks_in_vain_asks_ever_more_rarely(towns: list[Town], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care, "ASK_AGAIN", 0.01)
    monkeypatch.setattr(care, "RARELY", 0.04)
    monkeypatch.setattr(care, "TICK", 0.01)
    one, other = towns
    name = await begun_by(one)
    await other.tables.get(name)
    pauses: list[float] = []

    def has_asked_rarely() -> bool:
        theirs = other.care.theirs.get(name)
        if theirs is not None and theirs.pause not in pauses:
            pauses.append(theirs.pause)
        return 0.04 in pauses

    await until(has_asked_rarely)
    assert pauses == sorted(pauses)
    assert set(pauses) <= {0.01, 0.02, 0.04}


async def test_what_could_not_be_said_is_said_again(towns: list[Town], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = towns
    done, wanted = await begun_by(one), await begun_by(other)
    await one.tables.get(wanted)
    await other.tables.get(done)
    other.care.is_done(wanted)
    with monkeypatch.context() as broken:
        broken.setattr(one.store, "give_back", fail)
        one.care.is_done(done)
        one.care.wants(wanted)
        with pytest.raises(StoreError):
            await one.care._ask()
    await until(lambda: one.care.has(wanted))
    other.care.wants(done)
    await until(lambda: other.care.has(done))


async def fail(tables: object) -> None:
    raise StoreError("the database is gone")


async def test_what_is_asked_for_often_is_done_together_but_at_once_at_first() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(0.05)
    turns = []
    for _ in range(3):
        for _ in range(5):
            pace.ask()
        await pace.turn()
        turns.append(loop.time())
    assert turns[1] - turns[0] >= 0.05
    assert turns[2] - turns[1] >= 0.05
    with pytest.raises(TimeoutError):  # nobody has asked since
        await asyncio.wait_for(pace.turn(), 0.1)
