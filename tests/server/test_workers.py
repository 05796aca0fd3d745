"""Several real processes serve one town over PostgreSQL: whoever comes by whichever of them meets the others."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from cardtown.server.database import SCHEMA
from cardtown.server.process import set_up_log
from cardtown.server.processes import DEAD_AFTER
from cardtown.server.store import StoreError
from cardtown.server.workers import Worker
from tests.server.postgres import cluster
from tests.server.serving import Chair, Guest, Server, serving, wait_for
from tests.server.test_bad_people import serve_in_vain

TAKEN_OVER_WITHIN = 5 * DEAD_AFTER
"""Seconds, on a machine that has other things to do as well."""

DEAF = """
from cardtown.cli import main
from cardtown.server.notices import Notices

Notices._hear = lambda *_: None
main()
"""


class Deaf(Server):
    """A process to which no notice comes through."""

    command = ("-c", DEAF)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    folder, database = tmp_path_factory.mktemp("town"), cluster().new_database()
    with (
        serving(folder / "one", "--database", database) as one,
        serving(folder / "other", "--database", database) as other,
    ):
        yield [one, other]


def also_at(server: Server, guest: Guest) -> Guest:
    """The same person, by another process."""
    found = Guest(server.url)
    found.headers = guest.headers
    return found


async def seated(stack: AsyncExitStack, servers: list[Server], *bots: str, **more: Any) -> list[Chair]:
    """Each person at one of the processes, at a table that has begun."""
    guests = [Guest(server.url) for server in servers]
    seats = ["me", *["open"] * (len(guests) - 1), *bots]
    wish = {"game": "crimson"} if bots else {"game": "hollywood", "options": {"carpet": 3}}
    table = guests[0].open(seats=seats, **wish, **more)
    chairs = [await stack.enter_async_context(guest.at(table)) for guest in guests]
    for seat, chair in enumerate(chairs[1:], 1):
        await chair.do("sit", seat=seat)
    for chair in chairs:
        await chair.until_stage("playing")
    return chairs


async def play_to_the_end(chairs: list[Chair]) -> None:
    made = await asyncio.gather(*(chair.play() for chair in chairs))
    assert all(made)
    assert all(chair.view["result"] == chairs[0].view["result"] for chair in chairs)


async def test_people_of_one_table_at_different_processes_play_to_the_end_and_again(pair: list[Server]) -> None:
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, pair, is_listed=True)
        await play_to_the_end(chairs)
        for chair in chairs:
            await chair.do("rematch")
        for chair in chairs:
            await chair.until(lambda: chair.view["rematch"])  # noqa: B023
            await chair.until(lambda: all(seat["rating"] for seat in chair.view["seats"]))  # noqa: B023
        again = [await stack.enter_async_context(chair.guest.at(chair.view["rematch"])) for chair in chairs]
        assert again[0].table == again[1].table
        await play_to_the_end(again)


async def test_who_is_at_another_process_is_there(pair: list[Server]) -> None:
    async with AsyncExitStack() as stack:
        one, other = await seated(stack, pair)
        for chair in (one, other):
            await chair.until(lambda: chair.presence["seats"] == [True, True])  # noqa: B023
        async with Guest(pair[1].url).at(one.table):
            await one.until(lambda: one.presence["watchers"] == 1)
        await one.until(lambda: one.presence["watchers"] == 0)
        await other.socket.close()
        await one.until(lambda: one.presence["seats"] == [True, False])


async def test_what_somebody_changes_at_one_process_is_so_at_the_other(pair: list[Server]) -> None:
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, pair)
        mia = chairs[0].guest
        mia.ask("PATCH", "/api/me", {"name": "Mia"})
        elsewhere = also_at(pair[1], mia)
        wait_for(lambda: elsewhere.get("/api/me")["name"] == "Mia")
        await chairs[1].do("say", text="Who are you?")
        assert chairs[1].view["seats"][0]["name"] == "Mia"
        assert mia.ask("DELETE", "/api/me").status == 204
        wait_for(lambda: elsewhere.get("/api/me")["name"] != "Mia")


async def test_a_code_works_once_whoever_is_asked(pair: list[Server]) -> None:
    guest = Guest(pair[0].url)
    guest.ask("PATCH", "/api/me", {"name": "Noa"})
    for _ in range(3):
        given = {"code": guest.post("/api/me/code")["code"]}
        devices = [Guest(pair[place % 2].url) for place in range(4)]
        answers = await asyncio.gather(
            *(asyncio.to_thread(device.ask, "POST", "/api/identity", given) for device in devices)
        )
        assert sorted(answer.status for answer in answers) == [200, 404, 404, 404]
        assert [answer.json["name"] for answer in answers if answer.status == 200] == ["Noa"]


async def test_who_hears_nothing_asks(tmp_path: Path) -> None:
    """Every notice to one of the processes is lost: it finds what is new by itself."""
    database = cluster().new_database()
    deaf = Deaf(tmp_path / "deaf", "--database", database, "--pause", "0")
    try:
        with serving(tmp_path / "one", "--database", database) as one:
            async with AsyncExitStack() as stack:
                chairs = await seated(stack, [one, deaf])
                await asyncio.gather(*(chair.play(most=1) for chair in chairs))
                await chairs[1].until(lambda: chairs[1].presence["seats"] == [True, True])
                chairs[0].guest.ask("PATCH", "/api/me", {"name": "Mia"})
                wait_for(lambda: also_at(deaf, chairs[0].guest).get("/api/me")["name"] == "Mia")
    finally:
        deaf.kill()


def database_of(server: Server) -> str:
    return server.options[server.options.index("--database") + 1]


async def seen_to_by(server: Server, table: str) -> int:
    """The process that has its bots think, as soon as there is one."""
    db = await asyncpg.connect(database_of(server), server_settings={"search_path": SCHEMA})
    try:
        while (found := await db.fetchval('SELECT process FROM care WHERE "table" = $1', table)) is None:
            await asyncio.sleep(0.1)
    finally:
        await db.close()
    return int(found)


async def test_what_a_killed_process_saw_to_the_other_takes_over(pair: list[Server]) -> None:
    """Its bots' turns, and the presence of those who were connected through it."""
    one, other = pair
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, [other, one], "easy")  # who comes last begins the match there
        table = chairs[0].table
        await chairs[0].until(lambda: chairs[0].presence["seats"][1])
        await asyncio.gather(*(chair.play(most=1) for chair in chairs))
        killed = await seen_to_by(one, table)
        assert killed != await seen_to_by(other, (await seated(stack, [other, other], "easy"))[0].table)
        one.kill()
        async with asyncio.timeout(TAKEN_OVER_WITHIN):
            while await seen_to_by(other, table) == killed:
                await asyncio.sleep(0.1)
        await chairs[0].until(lambda: not chairs[0].presence["seats"][1])
        back = await stack.enter_async_context(also_at(other, chairs[1].guest).at(table))
        await play_to_the_end([chairs[0], back])
    one.restart()


@contextmanager
def serving_together(data: Path, database: str) -> Iterator[Server]:
    with serving(data, "--database", database, "--workers", "2") as server:
        try:
            yield server
        finally:
            for worker in workers_of(server):
                os.kill(worker, signal.SIGKILL)


def workers_of(server: Server) -> list[int]:
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in children.read_text().split()] if children.exists() else []


def is_served(server: Server) -> bool:
    """By whoever takes the connections."""
    try:
        return all(Guest(server.url).ask("GET", "/healthz").status == 200 for _ in range(10))
    except OSError:
        return False


async def test_workers_share_an_address_and_one_that_dies_is_started_again(tmp_path: Path) -> None:
    with serving_together(tmp_path / "town", cluster().new_database()) as server:
        before = workers_of(server)
        assert len(before) == 2
        async with AsyncExitStack() as stack:
            await play_to_the_end(await seated(stack, [server] * 2, "easy"))
        os.kill(before[0], signal.SIGKILL)
        wait_for(lambda: len(set(workers_of(server)) - set(before)) == 1)
        wait_for(lambda: is_served(server))
        workers = workers_of(server)
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=60)
        assert server.process.returncode == 128 + signal.SIGTERM
        wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


async def test_workers_end_when_their_first_process_is_killed(tmp_path: Path) -> None:
    with serving_together(tmp_path / "town", cluster().new_database()) as server:
        workers = workers_of(server)
        server.kill()
        wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


async def test_a_worker_that_stands_still_keeps_no_other_from_ending_with_their_first_process(tmp_path: Path) -> None:
    with serving_together(tmp_path / "town", cluster().new_database()) as server:
        *others, last = workers_of(server)
        os.kill(last, signal.SIGSTOP)
        server.process.kill()
        try:
            wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in others))
        finally:
            os.kill(last, signal.SIGKILL)
            server.process.communicate()


def test_a_worker_that_dies_at_once_never_was_open() -> None:
    worker = Worker(lambda *_: os._exit(1), 0, None, os.pipe())
    while worker.process is not None:
        worker.look()
    assert not worker.is_open


def test_several_workers_without_a_database_are_refused(tmp_path: Path) -> None:
    assert "--database" in serve_in_vain("--port", "0", "--data", str(tmp_path), "--workers", "2")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_can_not_be_used_is_said_so_in_one_line(workers: str) -> None:
    for address in ("mysql://localhost/town", f"postgresql://mia:secret@127.0.0.1:{cluster().port}/nowhere"):
        line = serve_in_vain("--port", "0", "--database", address, "--workers", workers)
        assert address.rpartition("/")[2] in line
        assert "secret" not in line
    for address in ("postgresql://127.0.0.1:99999/town", "postgresql://127.0.0.1:abc/town"):
        line = serve_in_vain("--port", "0", "--database", address, "--workers", workers)
        assert address in line
        assert "a port is a whole number up to 65535" in line


def test_a_worker_that_can_not_serve_says_why_in_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    def serve(*_: object) -> None:
        logging.getLogger().handlers.clear()  # those of the tests
        set_up_log()
        raise StoreError("the database can't be reached")

    worker = Worker(serve, 0, None, os.pipe())
    worker.process.join()
    assert worker.process.exitcode == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "a worker can't serve: the database can't be reached"
