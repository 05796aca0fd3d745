"""What only the store in PostgreSQL has to withstand: other processes, and a database that goes away under it."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager

import asyncpg
import pytest
import pytest_asyncio

from cardtown.server import database, processes
from cardtown.server.database import MIGRATIONS
from cardtown.server.postgres import ADD_ROWS, Job, PostgresStore
from cardtown.server.store import Note, Row
from cardtown.server.town import Settings, Town
from tests.conftest import Tally
from tests.server.postgres import cluster

Pair = list[PostgresStore]


@pytest_asyncio.fixture
async def pair() -> AsyncIterator[Pair]:
    """Two processes, so to speak."""
    database = cluster().new_database()
    opened = await asyncio.gather(*(PostgresStore.open(database) for _ in range(2)))  # of whom one makes the schema
    yield opened
    for store in opened:
        await store.close()


async def add_all(store: PostgresStore, tables: list[str], rows: int, who: str) -> list[tuple[str, Row]]:
    """Add so many rows to each table, in a race with others; those that are ours."""
    mine = []

    async def add(table: str) -> None:
        number = 0
        while number < rows:
            row = Row(number, float(number), f"{who} {number}".encode())
            if await store.append(table, row, [Note("last", table, row.body)] if number % 3 == 0 else ()):
                mine.append((table, row))
            number += 1

    await asyncio.gather(*map(add, tables))
    return mine


async def check_all(stores: Pair, tables: list[str], found: list[list[tuple[str, Row]]]) -> int:
    """Every row that somebody was told of is there, and no other."""
    told = sorted(row for mine in found for row in mine)
    kept = sorted([(table, row) for table in tables for row in await stores[0].rows(table)])
    assert told == kept
    return len(kept)


async def test_of_two_processes_that_want_the_same_number_one_gets_it(pair: Pair) -> None:
    tables = [f"t{i}" for i in range(20)]
    found = await asyncio.gather(*(add_all(store, tables, 10, f"{i}") for i, store in enumerate(pair)))
    assert await check_all(pair, tables, found) == 200


async def test_connections_that_are_cut_at_any_moment_lose_and_double_nothing(
    pair: Pair, soak: int, tally: Tally
) -> None:
    """Also in the middle of a commit: what was written then is known again."""
    dice = random.Random(0)
    cuts = 0
    control = await asyncpg.connect(pair[0].database.url)

    async def cut() -> None:
        nonlocal cuts
        while True:
            await asyncio.sleep(0.03 * dice.random())
            cuts += await control.fetchval(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.3"
            )

    cutting = asyncio.create_task(cut())
    tables = [f"t{i}" for i in range(10)]
    rows = 60 * soak
    found = await asyncio.gather(*(add_all(store, tables, rows, f"{i}") for i, store in enumerate(pair)))
    cutting.cancel()
    await asyncio.gather(cutting, return_exceptions=True)
    await control.close()
    assert await check_all(pair, tables, found) == 10 * rows
    assert cuts
    tally("connections to PostgreSQL cut", cuts)


async def test_a_row_that_comes_through_late_after_its_connection_was_lost_is_known_again(pair: Pair) -> None:
    """The database goes on with what it was sent while the same is sent again."""
    store, row = pair[0], Row(0, 1.0, b"a")
    rows = (["t"], [0], [1.0], [b"a"])
    late = await asyncpg.connect(store.database.url, server_settings={"search_path": database.SCHEMA})
    sent = late.transaction()
    await sent.start()
    await late.fetch(ADD_ROWS, *rows, store.process)
    promise: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    async with store.writing.use() as db:
        again = asyncio.create_task(store._write_once(db, [Job(promise, "t", row, (), None)], was_sent=True))
        await asyncio.wait([again], timeout=0.5)
        assert not again.done(), "nobody knows yet whether it is there"
        await sent.commit()
        assert await again == {"t"}
    await late.close()
    assert await store.rows("t") == [row]


async def test_a_database_that_crashes_is_waited_for(pair: Pair) -> None:
    tables = [f"t{i}" for i in range(10)]
    adding = asyncio.create_task(add_all(pair[0], tables, 100, "x"))
    while len(await pair[1].rows("t0")) < 10:
        pass
    await asyncio.to_thread(cluster().stop, signal.SIGQUIT)
    await asyncio.to_thread(cluster().start)
    assert await check_all(pair, tables, [await adding]) == 1000


class Heard:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, Row | None]] = []
        self.people: list[str] = []
        self.moves: list[tuple[str, str, bool]] = []
        self.processes: list[int] = []

    def row_added(self, table: str, number: int, row: Row | None) -> None:
        self.rows.append((table, number, row))

    def person_changed(self, person: str) -> None:
        self.people.append(person)

    def person_moved(self, process: int, table: str, person: str, is_there: bool) -> None:
        self.moves.append((table, person, is_there))

    def processes_are(self, processes: Collection[int]) -> None:
        self.processes = list(processes)

    times_given_up = 0

    def given_up(self) -> None:
        self.times_given_up += 1


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


async def test_processes_hear_what_the_others_do(pair: Pair) -> None:
    one, other = pair
    heard = Heard()
    await one.listen(Heard())
    await other.listen(heard)
    long = Row(1, 2.0, b"x" * 10_000)
    assert await one.append("t", Row(0, 1.0, b"a"))
    assert await one.append("t", long)
    await one.put([Note("person", "mia", b"Mia"), Note("code", "1", b"")])
    one.attend("t", "mia", True)
    await until(lambda: heard.moves and heard.people and len(heard.rows) > 1)
    assert heard.rows[:2] == [("t", 0, Row(0, 1.0, b"a")), ("t", 1, None)]  # what is long has to be read
    assert set(heard.people) == {"mia"}
    assert heard.moves[0] == ("t", "mia", True)
    one.attend("t", "mia", False)
    await until(lambda: ("t", "mia", False) in heard.moves)
    await until(lambda: heard.processes == [one.process])
    await one.close()
    await until(lambda: heard.processes == [])
    assert heard.times_given_up == 0


async def test_who_was_taken_for_dead_says_and_asks_all_again_also_if_that_fails_at_first(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    heard = Heard()
    await one.listen(Heard())
    await other.listen(heard)
    one.attend("t", "mia", True)
    await until(lambda: heard.moves)
    heard.moves.clear()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(processes, "CLEAR_PLACES", "SELECT 1 / $1 / 0")
        other.processes.clear_at = 0.0
        await other.processes.line.ask(lambda db: db.execute("DELETE FROM process WHERE id = $1", other.process))
        await until(lambda: other.processes.was_dead)
        await asyncio.sleep(2 * processes.BEAT)
        assert heard.times_given_up == 0
    await until(lambda: heard.times_given_up == 1)
    await until(lambda: ("t", "mia", True) in heard.moves)


async def test_tables_that_were_taken_over_without_hearing_of_it_are_seen_to(pair: Pair) -> None:
    one, other = pair
    for store in pair:
        await store.listen(Heard())
    assert await one.take({"a", "b"}) == {"a", "b"}
    await one.close()
    lost = other.processes

    async def take_and_lose_the_answer(db: database.Connection) -> None:
        assert len(await db.fetch(processes.TAKE_OVER, other.process, 9)) == 2
        lost.is_unsure = True

    await lost.line.ask(take_and_lose_the_answer)
    assert sorted(await other.take_over(9)) == ["a", "b"]
    assert await other.take_over(9) == []


async def test_what_the_database_refuses_ends_neither_notices_nor_presence(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    heard = Heard()
    await one.listen(Heard())
    await other.listen(heard)
    with monkeypatch.context() as full:
        full.setattr(processes, "PLACE", f"{processes.PLACE.partition('FROM')[0]} 1 / 0")
        full.setattr(one.notices, "channel", "x" * 64)  # too long a name
        one.attend("t", "mia", True)
        await one.append("t", Row(0, 1.0, b"a"))
        await asyncio.sleep(0.5)
        assert not heard.moves
    row = Row(1, 1.0, b"b")
    await one.append("t", row)
    await until(lambda: ("t", 1, row) in heard.rows)
    await until(lambda: ("t", "mia", True) in heard.moves)


async def test_processes_that_lost_their_connections_are_told_again_and_need_not_ask(pair: Pair) -> None:
    one, other = pair
    heard = Heard()
    await one.listen(Heard())
    await other.listen(heard)
    await one.append("t", Row(0, 1.0, b"a"))
    await until(lambda: ("t", 0, Row(0, 1.0, b"a")) in heard.rows)
    control = await asyncpg.connect(one.database.url)
    await control.fetch(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await control.close()
    told: list[tuple[str, int, Row | None]] = []

    async def tell_one_more() -> bool:
        """What was asked for comes without its body, a notice with it."""
        row = Row(len(told) + 1, 1.0, b"b")
        told.append(("t", row.number, row))
        await one.append("t", row)
        await asyncio.sleep(0.1)
        return any(each in heard.rows for each in told)

    async with asyncio.timeout(60):
        while not await tell_one_more():
            pass


async def test_a_table_has_one_who_sees_to_it_and_another_after_them(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ORPHANS_EVERY", 0.0)
    one, other = pair
    for store in pair:
        await store.listen(Heard())
    await one.put([Note("playing", name, b"") for name in ("c", "d")])
    assert await one.take({"a", "b"}) == {"a", "b"}
    assert await other.take({"b", "c"}) == {"c"}
    assert await other.take_over(9) == []  # they may have begun just now
    assert await other.take_over(9) == ["d"]  # which is being played, and still nobody sees to it
    await one.give_back({"a"})
    assert await other.take({"a", "b"}) == {"a"}
    assert await one.take({"e", "f"}) == {"e", "f"}
    await one.close()
    taken = [await other.take_over(2) for _ in range(3)]
    assert sorted(name for names in taken for name in names) == ["b", "e", "f"]
    assert [len(names) for names in taken] == [2, 1, 0]


async def test_what_goes_by_a_name_is_done_alone(pair: Pair) -> None:
    inside: list[int] = []

    async def count_one(store: PostgresStore) -> None:
        async with store.alone("count"):
            inside.append(1)
            assert len(inside) == 1
            before = int(await store.get("count", "one") or b"0")
            await store.put([Note("count", "one", b"%d" % (before + 1))])
            inside.pop()

    await asyncio.gather(*(count_one(pair[i % 2]) for i in range(20)))
    assert await pair[0].get("count", "one") == b"20"


async def test_what_is_begun_under_a_lock_does_not_need_it(pair: Pair) -> None:
    store = pair[0]
    town = Town(store, {}, Settings())
    goes_on, is_done = asyncio.Event(), asyncio.Event()

    async def keep_later() -> None:
        await goes_on.wait()
        await store.put([Note("rematch", "one", b"1")])
        is_done.set()

    async with store.alone("finish"):
        town.do(keep_later())
        await asyncio.sleep(0)
    lock = store.locking["finish"].db
    assert lock is not None
    lock.terminate()
    goes_on.set()
    async with asyncio.timeout(10):
        await is_done.wait()
    assert await store.get("rematch", "one") == b"1"


async def test_a_schema_of_an_older_version_is_brought_up_to_date_by_one_while_the_others_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = cluster().new_database()
    with monkeypatch.context() as before:
        before.setattr(database, "MIGRATIONS", MIGRATIONS[:1])
        await database.Database(url).prepare()
    stores = await asyncio.gather(*(PostgresStore.open(url) for _ in range(3)))
    ((channel,),) = {(store.notices.channel,) for store in stores}
    assert channel.startswith("cardtown-")
    db = await asyncpg.connect(url, server_settings={"search_path": database.SCHEMA})
    assert [version for (version,) in await db.fetch("SELECT version FROM version")] == [1, len(MIGRATIONS)]
    await db.close()
    for store in stores:
        await store.close()


@asynccontextmanager
async def stranger_at(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Somebody who may connect to the same database, and nothing else."""
    owner = await asyncpg.connect(url)
    await owner.execute("CREATE ROLE stranger LOGIN")
    stranger = await asyncpg.connect(url.replace("postgres@", "stranger@"))
    try:
        yield stranger
    finally:
        await stranger.close()
        await owner.execute("DROP ROLE stranger")
        await owner.close()


async def test_who_may_connect_but_not_read_the_town_can_not_stop_it(pair: Pair) -> None:
    """They may hold any lock whose name they know."""
    url = pair[0].database.url
    async with stranger_at(url) as stranger, asyncio.timeout(10):
        for name in ("schema", "key", "code", "rating/hollywood"):
            await stranger.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", f"{database.SCHEMA}/{name}")
        store = await PostgresStore.open(url)
        for name in ("key", "code", "rating/hollywood"):
            async with store.alone(name):
                pass
        await store.close()


async def test_who_is_stopped_while_it_comes_back_keeps_nobody_waiting(pair: Pair) -> None:
    """Its place among the processes may be locked for as long as it stands still."""
    stopped, other = pair
    for store in pair:
        await store.listen(Heard())
    await stopped.take({"a"})
    for task in stopped.processes.tasks:
        task.cancel()
    held = await asyncpg.connect(other.database.url, server_settings={"search_path": database.SCHEMA})
    await held.execute("UPDATE process SET seen = '-infinity' WHERE id = $1", stopped.process)
    async with held.transaction(), asyncio.timeout(10):
        await held.execute("SELECT FROM process WHERE id = $1 FOR UPDATE", stopped.process)
        await other.processes._beat()
        assert await other.take_over(9) == ["a"]
    await held.close()


async def test_who_may_connect_but_not_read_the_town_knows_nothing_of_what_is_told(pair: Pair) -> None:
    async with stranger_at(pair[0].database.url) as stranger:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await stranger.fetch("SELECT name FROM cardtown.channel")
        asked = await stranger.fetch("SELECT query FROM pg_stat_activity")
        assert not any("cardtown-" in (query or "") for (query,) in asked)
