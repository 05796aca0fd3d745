"""Too much of anything is refused, with a reason, and what goes on already goes on."""

from __future__ import annotations

import asyncio
import socket
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from benchmarks.load import memory
from cardtown.games import games
from cardtown.server import sockets
from cardtown.server.bounds import USUAL
from cardtown.server.limits import is_elsewhere, place_of
from cardtown.server.messages import LONGEST_TEXT
from cardtown.server.pulse import PING_EVERY
from cardtown.server.rows import Said
from cardtown.server.table import Table
from cardtown.server.town import MUCH, MUCH_THERE, PAGES_THERE
from tests.server.serving import Chair, Guest, Server, Wire, serving, wait_for
from tests.server.test_play import start, to_act
from tests.server.test_table import opened


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    few = {"sockets": 12, "sockets-each": 3, "sockets-address": 4, "rows": 20, "said": 3, "thoughts": 1}
    options = [word for name, most in few.items() for word in (f"--most-{name}", str(most))]
    with serving(tmp_path_factory.mktemp("town"), *options, "--slow-after", "1", "--grace", "600") as server:
        yield server
        assert '"level": "error"' not in server.stop()


def metric(server: Server, name: str) -> float:
    """A number of those that a host can watch."""
    text = Guest(server.url).ask("GET", "/metrics").content.decode()
    return sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(name))


async def refused(chair: Chair) -> tuple[int | None, str]:
    """Why a socket was closed as soon as it was opened, and with which code."""
    await chair.until(lambda: chair.closed is not None)
    return chair.closed, chair.answers[0]["why"]


def from_elsewhere(guest: Guest, address: str) -> Guest:
    """As if through a web server on this machine that says for whom it asks."""
    guest.headers["X-Forwarded-For"] = address
    return guest


async def test_a_town_that_is_full_opens_no_table_until_one_is_over(tmp_path: Path) -> None:
    wish: Wire = {"game": "hollywood", "seats": ["me", "open"]}
    with serving(tmp_path / "town", "--most-tables", "3", "--most-tables-each", "2") as server:
        greedy, other, late = (Guest(server.url) for _ in range(3))
        tables = [greedy.open(**wish) for _ in range(2)]
        answer = greedy.ask("POST", "/api/tables", wish)
        assert (answer.status, answer.json["why"]) == (409, "too-much")
        other.open(**wish)
        answer = late.ask("POST", "/api/tables", wish)
        assert (answer.status, answer.json["why"]) == (503, "busy")
        assert metric(server, 'cardtown_refused_total{why="busy"}') == 1
        async with greedy.at(tables[0]) as chair:
            await chair.do("close")
        wait_for(lambda: late.ask("POST", "/api/tables", wish).status == 201)
        async with greedy.at(tables[1]) as chair:
            await chair.do("close")
        wait_for(lambda: greedy.ask("POST", "/api/tables", wish).status == 201)


async def test_one_person_has_so_many_sockets_and_so_has_one_address(server: Server) -> None:
    host = Guest(server.url)
    table = host.open("hollywood", ["me", "open"])
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(host.at(table))
        assert await refused(await stack.enter_async_context(host.at(table))) == (4010, "too-much")
        near = [from_elsewhere(Guest(server.url), "192.0.2.5") for _ in range(5)]
        for guest in near[:4]:
            await stack.enter_async_context(guest.at(table))
        assert await refused(await stack.enter_async_context(near[4].at(table))) == (4010, "too-much")
        far = await stack.enter_async_context(from_elsewhere(Guest(server.url), "192.0.2.6").at(table))
        assert (await far.ask("ping"))["is"] == "pong"
    async with near[4].at(table) as chair:
        assert (await chair.ask("ping"))["is"] == "pong", "there is room again when others have left"


def test_new_people_do_not_open_more_tables_from_one_address(server: Server) -> None:
    """Whoever forgets their cookie is somebody new, but not somewhere else."""
    wish = {"game": "chess", "seats": ["me"]}

    def whys(address: str, times: int) -> set[str]:
        return {
            from_elsewhere(Guest(server.url), address).ask("POST", "/api/tables", wish).json["why"]
            for _ in range(times)
        }

    assert "too-often" in whys("192.0.2.20", 2 * MUCH_THERE.at_once)
    assert whys("192.0.2.21", 1) == {"no-such-game"}


def test_new_people_do_not_have_more_kept_from_one_address(server: Server) -> None:
    def statuses(address: str, times: int) -> set[int]:
        new = (from_elsewhere(Guest(server.url), address) for _ in range(times))
        return {guest.ask("PATCH", "/api/me", {"name": "Mia"}).status for guest in new}

    assert statuses("192.0.2.22", 2 * MUCH_THERE.at_once) == {200, 429}
    assert statuses("192.0.2.23", 1) == {200}


def test_many_addresses_of_one_network_count_as_one() -> None:
    assert place_of("2001:db8:1:2:3::4") == place_of("2001:db8:1:2::5") != place_of("2001:db8:1:3::5")
    assert is_elsewhere(place_of("2001:db8:1:2:3::4"))
    assert place_of("::ffff:10.0.0.1") == place_of("10.0.0.1") != place_of("10.0.0.2")
    assert not any(is_elsewhere(place_of(here)) for here in ("::1", "127.0.0.1", "::ffff:127.0.0.1", "testclient"))


def test_from_one_address_so_many_pages_are_asked_for(server: Server) -> None:
    guest = from_elsewhere(Guest(server.url), "192.0.2.24")
    statuses = [guest.ask("GET", "/api/games/hollywood").status for _ in range(2 * PAGES_THERE.at_once)]
    assert statuses[: PAGES_THERE.at_once] == [200] * PAGES_THERE.at_once
    assert 429 in statuses
    assert from_elsewhere(Guest(server.url), "192.0.2.25").ask("GET", "/api/games/hollywood").status == 200


async def test_nobody_has_matches_played_again_too_often(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2, options={"carpet": 3})
        await chairs[0].do("resign")
        page = f"/api/tables/{chairs[0].table}/scores"
        statuses = [chairs[0].guest.ask("GET", page).status for _ in range(2 * MUCH.at_once)]
        assert statuses[: MUCH.at_once] == [200] * MUCH.at_once
        assert 429 in statuses
        assert chairs[1].guest.ask("GET", page).status == 200


async def test_a_process_has_so_many_sockets_and_those_who_are_there_go_on(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        for _ in range(10):
            await stack.enter_async_context(Guest(server.url).at(chairs[0].table))
        assert metric(server, "cardtown_connections ") == 12
        late = await stack.enter_async_context(Guest(server.url).at(chairs[0].table))
        assert await refused(late) == (1013, "busy")
        acting, _ = to_act(chairs)
        assert (await acting.choose())["is"] == "done"
        await chairs[0].do("resign")


async def test_a_table_has_so_many_rows_and_its_match_still_comes_to_its_end(server: Server) -> None:
    """With 20 rows nobody talks, takes back or changes seats any more; whatever the rules ask for is done."""
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2, options={"carpet": 3})
        for text in "abc":
            await chairs[0].do("say", text=text)
        assert (await chairs[1].ask("say", text="d"))["why"] == "too-much", "so much may be said"
        who = chairs[0].view["seats"][1]["who"]
        while chairs[0].view["number"] < 20:
            await chairs[0].do("mute", who=who, muted=chairs[0].view["number"] % 2 == 0)
        for do, more in (("mute", {"who": who, "muted": False}), ("say", {"text": "e"})):
            assert (await chairs[0].ask(do, **more))["why"] == "too-much"
        acting, _ = to_act(chairs)
        await acting.choose()
        assert (await acting.ask("undo"))["why"] == "too-much"
        await asyncio.gather(*(chair.play() for chair in chairs))
        assert chairs[0].view["result"]["reason"] == "rules"


def test_a_table_at_which_all_of_that_happened_takes_a_few_megabytes() -> None:
    """With long lines, and a match in which nobody ever comes to an end."""
    tracemalloc.start()
    try:
        table = Table("t", opened("egocentric"), games(), 0.0)
        table.apply(table.check_start(), 0.0)
        for number in range(USUAL.said):
            table.apply(Said("mia", f"{number:0{LONGEST_TEXT}}"), 0.0)
        while table.length < USUAL.rows:
            seat = table.playing().acting[0]
            table.apply(table.check_choice(seat, table.decision, table.playing().legal(seat)[0]), 0.0)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 4_000_000


async def test_while_the_bots_have_too_much_to_think_about_no_more_are_invited(server: Server) -> None:
    guest, other = Guest(server.url), Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    busy = other.open("hinode", ["hard:1500ms"] * 4)
    wait_for(lambda: metric(server, "cardtown_bot_queue ") >= 1)
    async with guest.at(table) as chair:
        assert (await chair.ask("seat-bot", seat=1, bot="easy"))["why"] == "busy"
    answer = guest.ask("POST", "/api/tables", {"game": "hollywood", "seats": ["me", "easy"]})
    assert (answer.status, answer.json["why"]) == (503, "busy")
    async with other.at(busy) as chair:
        number = chair.view["number"]
        await chair.until_number(number + 2)
        await chair.do("close")


# Who does not read


PINGS = 2 * (bytes([0x89, 0x80 | 125, 0, 0, 0, 0]) + b"x" * 125)
"""As they go over the wire, masked by zeros; as many as one may send."""


class Deaf:
    """A real socket at a table that sends and never reads what comes, but for the answer to the handshake."""

    def __init__(self, guest: Guest, table: str) -> None:
        url = f"{guest.url.replace('http', 'ws')}/api/tables/{table}/socket"
        self.protocol = ClientProtocol(parse_uri(url))
        self.out = bytearray()
        self.raw = socket.socket()
        self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.raw.connect(("127.0.0.1", int(guest.url.rpartition(":")[2])))
        request = self.protocol.connect()
        request.headers.update(guest.headers)
        self.protocol.send_request(request)
        self.flush()
        self.raw.settimeout(5.0)
        self.protocol.receive_data(self.raw.recv(300))
        self.raw.settimeout(0.0)

    def flush(self) -> None:
        """Send as much as is taken."""
        self.out += b"".join(self.protocol.data_to_send())
        with suppress(BlockingIOError, ConnectionError):
            while self.out:
                del self.out[: self.raw.send(self.out)]

    def ask(self) -> None:
        """For the whole table, and for pongs."""
        if not self.out:
            self.protocol.send_text(b'{"do":"resync"}')
            self.out += b"".join(self.protocol.data_to_send()) + PINGS
        self.flush()

    def read_to_the_end(self) -> int | None:
        """What comes after all; the code with which the server ended it."""
        self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**20)
        self.raw.settimeout(5.0)
        with self.raw, suppress(ConnectionError):
            while data := self.raw.recv(65536):
                self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.CLOSE:
                return int.from_bytes(event.data[:2])
        return None


async def test_who_does_not_read_is_dropped_and_comes_back_to_the_whole_table(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2, options={"carpet": 3})
        acting, (other,) = to_act(chairs)
        seat = other.view["me"]
        await other.socket.close()
        deaf = Deaf(other.guest, other.table)
        dropped = metric(server, "cardtown_slow_dropped_total")
        while metric(server, "cardtown_slow_dropped_total") == dropped:
            deaf.ask()
            await asyncio.sleep(0.1)
        assert deaf.read_to_the_end() == sockets.TOO_SLOW
        await acting.until(lambda: not acting.presence["seats"][seat])
        assert (await acting.choose())["is"] == "done"
        async with other.guest.at(other.table) as back:
            assert back.view["number"] == acting.view["number"]
            assert back.lines
            await acting.until(lambda: acting.presence["seats"][seat])
            await back.do("resign")


def settled_memory(server: Server) -> int:
    """The memory of a server when it has loaded all that it needs once, such as the code of the bots."""
    readings = [0, 0]

    def is_settled() -> bool:
        time.sleep(1.0)
        readings.append(memory([server.process.pid]))
        return readings[-1] - readings[-2] < 2**19 and readings[-2] - readings[-3] < 2**19

    wait_for(is_settled)
    return readings[-1]


async def test_many_who_do_not_read_cost_no_more_than_their_buffers(tmp_path: Path, soak: int) -> None:
    """They ask without an end for tables and for pongs; what waits for each is bounded, and then they are gone."""
    count, most = 10 * soak, 256 * 1024
    with serving(tmp_path / "town", "--slow-after", "1", "--most-sockets-each", "100000") as server:
        guest = Guest(server.url)
        table = guest.open("hollywood", ["me", "random"])
        before = settled_memory(server) if soak > 1 else 0
        deaf = [Deaf(guest, table) for _ in range(count)]
        unsent = grown = 0.0
        while metric(server, "cardtown_slow_dropped_total") < count:
            for each in deaf:
                each.ask()
            unsent = max(unsent, metric(server, "cardtown_unsent_bytes"))
            grown = max(grown, memory([server.process.pid]) - before)
            await asyncio.sleep(0.05)
        assert count * 16 * 1024 < unsent < count * most
        assert soak == 1 or grown < count * 2 * most
        wait_for(lambda: metric(server, "cardtown_connections ") == 0)
        async with guest.at(table) as chair:
            assert (await chair.ask("ping"))["is"] == "pong"
        for each in deaf:
            each.raw.close()


def test_who_does_not_read_pages_is_dropped_too(server: Server) -> None:
    dropped = metric(server, "cardtown_slow_dropped_total")
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(200 * b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: metric(server, "cardtown_slow_dropped_total") > dropped)
        raw.settimeout(5.0)
        with suppress(ConnectionError):
            while raw.recv(65536):
                pass


BIG = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
SOCKET = (
    b"GET /api/tables/%s/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def ask_and_not_read(server: Server, asked: bytes) -> socket.socket:
    """A connection on which an answer waits that does not fit into what the system holds."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", server.port))
    raw.sendall(asked)
    time.sleep(0.5)
    return raw


def is_held(server: Server, raw: socket.socket) -> bool:
    """Has the server this connection, whether or not its end was heard of at the other one?"""
    both = [f"{port:04X}" for port in (server.port, raw.getsockname()[1])]
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return any([end[-4:] for end in (here, there)] == both and inode != "0" for here, there, inode in map(ends, lines))


def ends(line: str) -> tuple[str, str, str]:
    """Where a connection begins and ends, and the number of its file: none if no process has it."""
    fields = line.split()
    return fields[1], fields[2], fields[9]


@pytest.mark.parametrize("pages", [6, 20])
def test_who_does_not_read_pages_gets_no_socket(server: Server, pages: int) -> None:
    """It would not know that nothing can be written, and what waits there would grow and grow."""
    table = Guest(server.url).open("hollywood", ["me", "open"])
    with ask_and_not_read(server, pages * BIG) as raw:
        assert is_held(server, raw)
        raw.sendall(SOCKET % table.encode())
        wait_for(lambda: not is_held(server, raw), PING_EVERY)  # before it is missed as anybody is who says nothing


@pytest.mark.parametrize("pages", range(4, 16, 2))
def test_who_asks_for_what_is_none_and_does_not_read_the_answers_is_dropped(server: Server, pages: int) -> None:
    """However much of it waits here."""
    with ask_and_not_read(server, pages * BIG) as raw:
        assert is_held(server, raw)
        raw.sendall(b"this is no request\r\n\r\n")
        wait_for(lambda: not is_held(server, raw))


@pytest.mark.parametrize("flood", [(0x89,), (0x8A,), (0x01, 0x00), (0x82,)], ids=("pings", "pongs", "parts", "bytes"))
async def test_frames_that_ask_for_nothing_end_the_socket_when_they_are_too_many(
    server: Server, flood: tuple[int, ...]
) -> None:
    """They take time to read; who plays meanwhile need not wait for it."""
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    first, then = flood[0], flood[-1]
    async with guest.at(table) as chair:
        deaf = Deaf(guest, table)
        deaf.out += bytes([first, 0x80, 0, 0, 0, 0]) + 40_000 * bytes([then, 0x80, 0, 0, 0, 0])
        deaf.flush()
        assert (await chair.ask("ping"))["is"] == "pong"
        assert await asyncio.to_thread(deaf.read_to_the_end) == sockets.TOO_OFTEN
        assert chair.closed is None


HASTY = """
from cardtown.cli import main
from cardtown.server import sockets

sockets.ASKED_WITHIN = 0.5
main()
"""


class HastyServer(Server):
    """One that waits for requests for half a second only."""

    command = ("-c", HASTY)


async def test_a_request_that_does_not_come_is_not_waited_for_but_a_socket_may_be_silent(tmp_path: Path) -> None:
    server = HastyServer(tmp_path / "town")
    try:
        guest = Guest(server.url)
        async with guest.at(guest.open("hollywood", ["me", "open"])) as chair:
            head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
            for sent in ("", "POST /api/tab", head, f"{head}\r\n{{"):
                with (
                    socket.create_connection(("127.0.0.1", server.port), timeout=10.0) as raw,
                    suppress(ConnectionError),
                ):
                    raw.sendall(sent.encode())
                    assert raw.recv(1) == b"", "nothing is answered, and the connection is ended"
            assert chair.closed is None
            assert (await chair.ask("ping"))["is"] == "pong"
    finally:
        server.kill()
