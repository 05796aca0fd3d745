"""What is over is kept for ever, or as long as the host says; nobody can add to what is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from cardtown.games import find
from cardtown.server.keeping import DAY, GONE, Keep
from cardtown.server.messages import NewTable
from cardtown.server.sqlite import STORE_FILE
from cardtown.server.store import Row, Store
from cardtown.server.stores import open_store
from cardtown.server.table import Table
from cardtown.server.tables import NoSuchTable
from cardtown.server.town import Settings, Town
from tests.server.postgres import cluster
from tests.server.serving import PATIENCE, Guest, place, serving, wait_for
from tests.server.test_backup import fail, run
from tests.server.test_play import start

START = 1_000_000.0
DUEL = NewTable(game="hollywood", seats=("me", "open"), is_listed=True)


class Old:
    """A town at a time that can be set."""

    def __init__(self, store: Store, keep: Keep) -> None:
        self.clock = START
        self.store = store
        self.town = Town(store, {"hollywood": find("hollywood")}, Settings(keep=keep), now=lambda: self.clock)

    async def finished(self, *said: str) -> str:
        """A table that is over, at which this was said."""
        town = self.town
        name = (await town.open("mia", DUEL)).name
        await town.sit(name, "noa", 1)
        for text in said:
            await town.tables.add(name, lambda now: now.check_say("mia", text))  # noqa: B023
        await town.tables.add(name, lambda now: now.check_resign(0))
        town.do(town.care.run())
        await until(lambda: town.tables.kept[name].is_finished)
        return name


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def store(kind: str, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(cluster().new_database() if kind == "postgresql" else tmp_path / STORE_FILE)
    yield opened
    await opened.close()


async def test_nothing_is_forgotten_unless_the_host_says_so(store: Store) -> None:
    old = Old(store, Keep())
    name = await old.finished("hello")
    waiting = (await old.town.open("mia", DUEL)).name
    old.clock += 10_000 * DAY
    await old.town.forget_old()
    assert (await old.town.tables.get(name)).said
    assert await old.town.tables.get(waiting)


async def test_what_was_said_is_forgotten_and_the_match_is_not(store: Store) -> None:
    old = Old(store, Keep(chat=7))
    name, quiet = await old.finished("a whispered word", "another"), await old.finished()
    before = await store.rows(name)
    old.clock += 6 * DAY
    await old.town.forget_old()
    assert len((await old.town.tables.get(name)).said) == 2
    old.clock += 2 * DAY
    for _ in range(2):  # the second time there is nothing to do
        await old.town.forget_old()
    rows = await store.rows(name)
    assert b"whispered" not in b"".join(row.body for row in rows)
    assert len(rows) == len(before) + 1
    kept = old.town.tables.kept[name]
    assert not kept.said
    fresh = await Old(store, Keep()).town.tables.get(name)
    assert fresh.match is not None
    assert fresh.match.outcome is not None
    assert fresh.said == []
    await old.town.say(quiet, "mia", "still here")
    assert len((await old.town.tables.get(quiet)).said) == 1
    for days, left in ((6, 1), (2, 0)):
        old.clock += days * DAY
        await old.town.forget_old()
        assert len((await old.town.tables.get(quiet)).said) == left
    assert b"still" not in b"".join(row.body for row in await store.rows(quiet))


async def test_who_talks_while_it_is_forgotten_is_heard_and_forgotten_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Old(store, Keep(chat=7))
    name = await old.finished("a whispered word")
    replace = store.replace

    async def replace_slowly(table: str, rows: Sequence[Row]) -> None:
        await replace(table, rows)
        await old.town.say(name, "mia", "still here")

    old.clock += 8 * DAY
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store, "replace", replace_slowly)
        await old.town.forget_old()
    fresh = await Old(store, Keep()).town.tables.get(name)
    assert [said.text for _, said in fresh.said] == ["still here"]
    old.clock += 8 * DAY
    await old.town.forget_old()
    assert not (await old.town.tables.get(name)).said


async def test_what_was_said_is_forgotten_when_a_table_is_not_kept_longer_for_it(store: Store) -> None:
    old = Old(store, Keep(chat=7, finished=30))
    name = await old.finished("hello")
    for days, is_kept in ((8, True), (23, False)):
        old.clock += days * DAY
        await old.town.forget_old()
        assert bool(await store.rows(name)) == is_kept


async def test_finished_tables_are_forgotten_with_all_that_tells_of_them_but_ratings(store: Store) -> None:
    old = Old(store, Keep(finished=30))
    name = await old.finished("hello")
    ratings = await old.town.people.ratings("mia")
    assert ratings
    old.clock += 20 * DAY
    late = await old.finished()
    old.clock += 11 * DAY
    told: list[Table] = []
    old.town.tables.watch(name, told.append)
    await old.town.forget_old()
    assert await store.rows(name) == []
    for kind in ("seat", "hosted", "ended", "listed", "playing"):
        assert all(name not in note.name for note in await store.notes(kind)), kind
    assert [mine.table for mine in await old.town.tables_of("mia")] == [late]
    assert (await old.town.people.ratings("mia")).keys() == ratings.keys()
    assert told, "whoever looks at it is told"
    with pytest.raises(NoSuchTable):
        await old.town.tables.get(name)
    with pytest.raises(NoSuchTable):
        await old.town.tables.add(name, lambda now: now.check_say("mia", "hello?"))


async def test_a_table_that_nobody_came_to_is_forgotten_and_one_that_is_played_is_not(store: Store) -> None:
    old = Old(store, Keep(unstarted=3))
    waiting, lively = [(await old.town.open("mia", DUEL)).name for _ in range(2)]
    played = (await old.town.open("mia", DUEL)).name
    await old.town.sit(played, "noa", 1)
    old.clock += 2 * DAY
    await old.town.tables.add(lively, lambda now: now.check_say("mia", "I am still here"))
    old.clock += 2 * DAY
    await old.town.forget_old()
    assert await store.rows(waiting) == []
    assert {mine.table for mine in await old.town.tables_of("mia")} == {lively, played}
    assert {each.table for each in await old.town.lobby()} == {lively, played}


async def test_who_still_has_a_forgotten_table_in_memory_can_not_bring_it_back(store: Store) -> None:
    """Another process has forgotten it meanwhile: to its end, or it died when only the last row was written."""
    old, other = Old(store, Keep(finished=1)), Old(store, Keep())
    names = [await old.finished() for _ in range(2)]
    for name in names:
        await other.town.tables.get(name)
    old.clock += 2 * DAY
    await store.append(names[1], Row(len(await store.rows(names[1])), old.clock, GONE))
    with pytest.raises(NoSuchTable):
        await other.town.tables.add(names[1], lambda now: now.check_say("mia", "hello?"))
    await old.town.forget_old()
    for name in names:
        with pytest.raises(NoSuchTable):
            await other.town.tables.add(name, lambda now: now.check_say("mia", "hello?"))
        assert await store.rows(name) == []


async def test_a_running_server_forgets_by_itself_and_by_a_command(tmp_path: Path) -> None:
    with serving(tmp_path / "town") as server:
        async with AsyncExitStack() as stack:
            chairs = await start(server, stack, "hollywood", 2)
            await chairs[0].do("say", text="something private")
            await chairs[0].do("resign")
            await chairs[1].until(lambda: chairs[1].view["number"] >= 6)
            table = chairs[0].table
            said = await asyncio.to_thread(run, "forget", "--keep-chat", "0", *place(server.data))
            assert said == "Forgotten: 1 tables' chat.\n"
            async with chairs[1].guest.at(table) as back:
                assert back.said == []
            said = await asyncio.to_thread(run, "forget", "--keep-finished", "0", *place(server.data))
            assert said == "Forgotten: 1 finished tables.\n"
            assert chairs[0].guest.ask("GET", f"/api/tables/{table}").status == 404
            await chairs[0].until(lambda: chairs[0].closed is not None)
            assert chairs[0].closed == 4004
            waiting = chairs[0].guest.open("hollywood", ["me", "open"])
        assert not server.stop().strip()
    with serving(tmp_path / "town", "--keep-unstarted", "0") as server:
        guest = Guest(server.url)
        wait_for(lambda: guest.ask("GET", f"/api/tables/{waiting}").status == 404)
        told = b'cardtown_forgotten_total{what="unstarted"} 1.0'
        wait_for(lambda: told in guest.ask("GET", "/metrics").content)


def test_what_is_to_be_forgotten_must_be_said(tmp_path: Path) -> None:
    assert "--keep-chat" in fail("forget", "--data", tmp_path)
    assert "holds no town" in fail("forget", "--keep-chat", "1", "--data", tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
