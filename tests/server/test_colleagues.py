"""Workers at one address: who comes to a table is handed over to its worker."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from cardtown.server.colleagues import DEAD_AFTER, Colleagues
from tests.server.postgres import cluster
from tests.server.serving import PATIENCE, Chair, Server
from tests.server.test_workers import play_to_the_end, seated, serving_together, workers_of

REQUEST = b"GET /api/tables/x/socket HTTP/1.1\r\n\r\n"


@pytest.fixture
def two() -> Iterator[Colleagues]:
    found = Colleagues(2)
    yield found
    for door in found.doors:
        for end in door:
            end.close()


def of_the_other(colleagues: Colleagues) -> str:
    """A table that is not the own."""
    me, colleagues.me = colleagues.me, 1 - colleagues.me
    name = colleagues.new_name()
    colleagues.me = me
    return name


def welcome(colleagues: Colleagues, line: Connection) -> None:
    """A second worker: whoever is handed over hears what they asked."""
    colleagues.me = 1

    def take_in(connection: socket.socket, request: bytes) -> None:
        with connection:
            connection.sendall(b"you asked: " + request)

    async def live() -> None:
        colleagues.begin(take_in)
        line.send(None)
        await asyncio.Event().wait()

    asyncio.run(live())


def test_who_comes_is_served_by_the_tables_worker_over_the_same_connection(two: Colleagues) -> None:
    table = of_the_other(two)
    assert two.worker_of(table) == 1
    forking = get_context("fork")
    line, lines = forking.Pipe()
    other = forking.Process(target=welcome, args=(two, lines), daemon=True)
    visitor, here = socket.socketpair()
    with visitor, here:
        assert not two.hand_over(table, REQUEST, here.fileno())  # nobody is there yet
        other.start()
        try:
            line.recv()
            assert two.hand_over(table, REQUEST, here.fileno())
            here.close()
            visitor.settimeout(PATIENCE)
            assert visitor.recv(1000) == b"you asked: " + REQUEST
        finally:
            other.kill()
            other.join()


def test_the_own_tables_are_served_here(two: Colleagues) -> None:
    names = [two.new_name() for _ in range(20)]
    assert {two.worker_of(name) for name in names} == {two.me}
    assert len(set(names)) == 20
    with socket.socket() as connection:
        assert not two.hand_over(names[0], REQUEST, connection.fileno())


def test_nobody_is_handed_over_to_who_takes_nobody_in(two: Colleagues) -> None:
    """Until they are full they may just be slow; whoever is too many stays."""
    table = of_the_other(two)
    two.seen[1] = float("inf")
    with socket.socket() as connection:
        tries = [two.hand_over(table, REQUEST, connection.fileno()) for _ in range(10_000)]
        assert tries[0]
        assert not tries[-1]


def server_of(chair: Chair, workers: list[int]) -> int:
    """The process that holds the other end of somebody's socket."""
    port = chair.socket.local_address[1]
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (inode,) = (line[9] for line in lines if int(line[2].partition(":")[2], 16) == port and line[9] != "0")
    (found,) = (pid for pid in workers if f"socket:[{inode}]" in open_files(pid))
    return found


def open_files(pid: int) -> set[str]:
    return {os.readlink(file) for file in Path(f"/proc/{pid}/fd").iterdir() if file.is_symlink()}


@pytest.fixture
def together(tmp_path: Path) -> Iterator[Server]:
    with serving_together(tmp_path / "town", cluster().new_database()) as server:
        yield server


async def test_all_at_a_table_are_served_by_one_worker(together: Server) -> None:
    workers = workers_of(together)
    serve: set[int] = set()
    async with AsyncExitStack() as stack:
        while len(serve) < 2:  # tables are opened by whichever worker is asked
            chairs = await seated(stack, [together] * 3, "easy")
            (server,) = {server_of(chair, workers) for chair in chairs}
            serve.add(server)
            await play_to_the_end(chairs)


async def test_who_is_at_a_table_of_a_stopped_worker_is_served_by_the_other(together: Server) -> None:
    workers = workers_of(together)
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, [together] * 2)
        stopped = server_of(chairs[0], workers)
        os.kill(stopped, signal.SIGSTOP)
        try:
            await asyncio.sleep(DEAD_AFTER)
            there = [await stack.enter_async_context(back(chair)) for chair in chairs]
            assert stopped not in {server_of(chair, workers) for chair in there}
            await asyncio.gather(*(chair.play(most=2) for chair in there))
        finally:
            os.kill(stopped, signal.SIGCONT)
        await play_to_the_end(chairs)


def back(chair: Chair) -> Chair:
    """The same person again at the same table."""
    return Chair(chair.guest, chair.table)


async def test_who_comes_to_a_table_of_a_killed_worker_is_served(together: Server) -> None:
    workers = workers_of(together)
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, [together] * 2)
        os.kill(server_of(chairs[0], workers), signal.SIGKILL)
        there = [await stack.enter_async_context(back(chair)) for chair in chairs]
        await play_to_the_end(there)
