"""Workers at one address: who comes to a table is handed over to its worker."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
import uvloop
from uvicorn.server import ServerState
from websockets.exceptions import InvalidMessage

from cardtown.server.colleagues import DEAD_AFTER, LONGEST_REQUEST, Colleagues
from cardtown.server.process import config_for
from cardtown.server.sockets import STATE, Manners, Page
from cardtown.server.sqlite import STORE_FILE
from cardtown.server.stores import open_store
from cardtown.server.town import Settings, Town
from tests.server.postgres import cluster
from tests.server.serving import PATIENCE, Chair, Guest, Server
from tests.server.test_keeping import until
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
        colleagues.begin(take_in, lambda: True)
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
        assert not two.hand_over(table, b"x" * (LONGEST_REQUEST + 1), connection.fileno())
        tries = [two.hand_over(table, REQUEST, connection.fileno()) for _ in range(10_000)]
        assert tries[0]
        assert not tries[-1]


async def test_nobody_is_handed_over_to_who_has_no_room(two: Colleagues) -> None:
    table = of_the_other(two)
    has_room = True
    two.me = 1
    two.begin(lambda connection, _: connection.close(), lambda: has_room)
    two.me = 0
    with socket.socket() as connection:
        assert two.hand_over(table, REQUEST, connection.fileno())
        has_room = False
        await until(lambda: not two.hand_over(table, REQUEST, connection.fileno()))


async def test_nobody_is_handed_over_to_who_can_not_have_more_connections(two: Colleagues) -> None:
    """The system closes the connection of who came first."""
    table = of_the_other(two)
    taken: list[bytes] = []
    two.me = 1
    two.begin(lambda connection, request: taken.append(request), lambda: True)
    two.me = 0
    visitor, here = socket.socketpair()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with visitor, here:
        assert two.hand_over(table, REQUEST, here.fileno())
        free = os.dup(here.fileno())
        os.close(free)
        two.me = 1
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, most[1]))
        try:
            await until(lambda: not two.seen[1])
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, most)
        two.me = 0
        assert not two.hand_over(table, REQUEST, here.fileno())
        here.close()
        assert visitor.recv(1) == b""
    assert not taken


async def test_nobody_is_handed_over_to_who_ends(two: Colleagues) -> None:
    table = of_the_other(two)
    two.me = 1
    two.begin(lambda connection, _: connection.close(), lambda: True)
    two.end()
    two.me = 0
    with socket.socket() as connection:
        assert not two.hand_over(table, REQUEST, connection.fileno())


def test_who_waits_for_a_worker_that_is_dead_is_sent_away(two: Colleagues) -> None:
    table = of_the_other(two)
    two.seen[1] = float("inf")
    visitor, here = socket.socketpair()
    with visitor, here:
        assert two.hand_over(table, REQUEST, here.fileno())
        here.close()
        two.forget(1)
        assert visitor.recv(1) == b""
        assert not two.hand_over(table, REQUEST, visitor.fileno())


async def server_of(chair: Chair, workers: list[int]) -> int:
    """The process that holds the other end of somebody's socket: for a moment, while it is handed over, both do."""
    ends = [f"{port:04X}" for *_, port in (chair.socket.remote_address, chair.socket.local_address)]
    while True:
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        inodes = {line[9] for line in lines if [end.rpartition(":")[2] for end in line[1:3]] == ends}
        found = [pid for pid in workers if open_files(pid) & {f"socket:[{inode}]" for inode in inodes}]
        if len(found) == 1:
            return found[0]
        await asyncio.sleep(0.01)


def open_files(pid: int) -> set[str]:
    found = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.add(os.readlink(file))
    return found


@pytest.fixture
def together(tmp_path: Path) -> Iterator[Server]:
    with serving_together(tmp_path / "town", cluster().new_database()) as server:
        yield server


async def test_all_at_a_table_are_served_by_one_worker(together: Server) -> None:
    workers = workers_of(together)
    serve: set[int] = set()
    async with AsyncExitStack() as stack:
        for _ in range(40):
            chairs = await seated(stack, [together] * 3, "easy")
            (server,) = {await server_of(chair, workers) for chair in chairs}
            serve.add(server)
            await asyncio.gather(*(chair.play(most=1) for chair in chairs))
            if len(serve) == 2:
                break
        assert len(serve) == 2  # tables are opened by whichever worker is asked


async def test_who_is_at_a_table_of_a_stopped_worker_is_served_by_the_other(together: Server) -> None:
    workers = workers_of(together)
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, [together] * 2)
        stopped = await server_of(chairs[0], workers)
        os.kill(stopped, signal.SIGSTOP)
        try:
            await asyncio.sleep(DEAD_AFTER)
            there = [await stack.enter_async_context(back(chair)) for chair in chairs]
            assert stopped not in {await server_of(chair, workers) for chair in there}
            await asyncio.gather(*(chair.play(most=2) for chair in there))
        finally:
            os.kill(stopped, signal.SIGCONT)
        await play_to_the_end(chairs)


def back(chair: Chair) -> Chair:
    """The same person again at the same table."""
    return Chair(chair.guest, chair.table)


async def all_back(stack: AsyncExitStack, chairs: list[Chair]) -> list[Chair]:
    """Who comes before a killed worker is found dead may be sent away, and comes again."""
    there: list[Chair] = []
    while len(there) < len(chairs):
        with suppress(InvalidMessage):
            there.append(await stack.enter_async_context(back(chairs[len(there)])))
    return there


async def test_who_comes_to_a_table_of_a_killed_worker_is_served(together: Server) -> None:
    workers = workers_of(together)
    async with AsyncExitStack() as stack:
        chairs = await seated(stack, [together] * 2)
        os.kill(await server_of(chairs[0], workers), signal.SIGKILL)
        await play_to_the_end(await all_back(stack, chairs))


ALONE = """
from cardtown.cli import main
from cardtown.server import workers

workers.SHORTEST_PAUSE = workers.LONGEST_PAUSE = 3600
main()
"""


class Alone(Server):
    """Of its workers those that die are not started again."""

    command = ("-c", ALONE)


async def test_while_a_killed_worker_is_gone_the_other_serves_its_tables(tmp_path: Path) -> None:
    server = Alone(tmp_path / "town", "--database", cluster().new_database(), "--pause", "0", "--workers", "2")
    workers = workers_of(server)
    try:
        async with AsyncExitStack() as stack:
            chairs = await seated(stack, [server] * 2)
            os.kill(await server_of(chairs[0], workers), signal.SIGKILL)
            await play_to_the_end(await all_back(stack, chairs))
    finally:
        server.kill()


@pytest.mark.parametrize("body", ["", "Content-Length: 500\r\n"])
def test_what_is_sent_after_the_request_of_a_socket_is_no_request(together: Server, body: str) -> None:
    """Whoever hides one there, behind a web server that says who they are, could say so themselves."""
    guest = Guest(together.url)
    guest.get("/api/me")
    host, _, port = together.url.partition("//")[2].partition(":")
    answers = []
    for _ in range(8):  # about half of which come to the other worker first
        table = guest.open("hollywood", ["me", "open"])
        with socket.create_connection((host, int(port))) as line:
            line.settimeout(PATIENCE)
            line.sendall(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
                f"Cookie: {guest.headers['Cookie']}\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{body}\r\n".encode()
            )
            line.sendall(f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            heard = b""
            with suppress(ConnectionError):
                while b'"is":"view"' not in heard and (more := line.recv(65536)):
                    heard += more
        assert b" 200 " not in heard
        answers.append(heard.partition(b"\r")[0])
    if body:
        assert set(answers) == {b"HTTP/1.1 400 Bad Request"}
    else:  # it may have been read as frames that make no sense, too early to answer
        assert b"HTTP/1.1 101 Switching Protocols" in answers


@pytest.mark.parametrize("ends", [False, True])
async def test_who_speaks_before_they_are_let_in_is_sent_away_and_so_are_all_when_it_ends(
    tmp_path: Path, ends: bool
) -> None:
    """Where many come at once: nothing can be said on a socket before it is one."""
    store = await open_store(tmp_path / STORE_FILE)
    town = Town(store, {}, Settings())
    config = config_for(town)
    config.load()
    manners = Manners(town.settings.bounds, town.metrics)
    manners.coming.append(lambda: None)  # nobody's turn comes
    page = Page(config, ServerState(), {STATE: manners})
    visitor, here = socket.socketpair()
    errors: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    with visitor, here:
        visitor.setblocking(False)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: page, here)
        visitor.sendall(
            b"GET /api/tables/x/socket HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        await until(lambda: page.becomes_socket)
        if ends:
            page.shutdown()
        else:
            visitor.sendall(b"early")
        await until(page.transport.is_closing)
    assert not errors
    await store.close()


def test_what_came_before_the_connection_is_served_after_what_was_asked_first(tmp_path: Path) -> None:
    asked: list[str] = []

    async def remember(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def take_in(visitor: socket.socket, connection: socket.socket) -> None:
        store = await open_store(tmp_path / STORE_FILE)
        town = Town(store, {}, Settings())
        config = config_for(remember)
        config.load()
        page = Page(config, ServerState(), {STATE: Manners(town.settings.bounds, town.metrics)})
        page.asked = b"GET /first HTTP/1.1\r\nHost: here\r\n\r\n"
        visitor.sendall(b"GET /second HTTP/1.1\r\nHost: here\r\n\r\n")
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: page, connection)
            await until(lambda: len(asked) == 2)
        finally:
            page.transport.abort()
            await store.close()

    visitor, here = socket.socketpair()
    with visitor, here, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(take_in(visitor, here))
    assert asked == ["/first", "/second"]
