"""Frames that we make ourselves are those that others make, and nobody is asked in vain whether they are there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode

from cardtown.server.bounds import USUAL
from cardtown.server.sockets import Manners, ends_with_frame, head
from tests.server.serving import PATIENCE, Guest, Server, serving
from tests.server.test_bounds import Deaf


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town")) as found:
        yield found


@pytest.mark.parametrize("length", [0, 1, 125, 126, 0xFFFF, 0x10000, 1_000_000])
def test_a_text_is_framed_as_others_do_it(length: int) -> None:
    text = b"x" * length
    assert head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


def frame(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


LONG = frame(Opcode.TEXT, b"x" * 126) + frame(Opcode.BINARY, b"x" * 0x10000)


@pytest.mark.parametrize(
    "data", [frame(Opcode.PONG, b""), LONG, LONG + frame(Opcode.TEXT, b"")], ids=("short", "long", "both")
)
def test_where_frames_end_is_known(data: bytes) -> None:
    assert ends_with_frame(data)
    assert not any(ends_with_frame(data[:cut]) for cut in (1, 2, 5, len(data) - 1))
    assert not ends_with_frame(data + frame(Opcode.TEXT, b"half of it", fin=False))


def ping(number: int, more: str = "") -> bytes:
    return f'{{"do": "ping", "id": {number}{more}}}'.encode()


async def test_requests_are_read_however_they_come(server: Server) -> None:
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    text, begun = frame(Opcode.TEXT, ping(4)), frame(Opcode.TEXT, ping(6)[:9], fin=False)
    parts = [
        frame(Opcode.TEXT, ping(1)),
        frame(Opcode.TEXT, ping(2)) + frame(Opcode.PING, b"?") + frame(Opcode.TEXT, ping(3, ', "é": 1')),
        text[:1],
        text[1:9],
        text[9:] + frame(Opcode.TEXT, ping(5, f', "x": "{"x" * 200}"')),
        begun + frame(Opcode.PONG, b"!"),
        frame(Opcode.CONT, ping(6)[9:]) + frame(Opcode.TEXT, ping(7)),
    ]
    async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket") as socket:
        for part in parts:
            socket.transport.write(part)
            await asyncio.sleep(0.05)
        found: list[int] = []
        while len(found) < 7:
            message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if message["is"] in ("pong", "refused"):  # which it is: some say too much
                found.append(message["id"])
    assert found == [1, 2, 3, 4, 5, 6, 7]


async def test_a_text_within_another_ends_the_socket(server: Server) -> None:
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket") as socket:
        socket.transport.write(frame(Opcode.TEXT, ping(1)[:9], fin=False))
        await asyncio.sleep(0.05)
        socket.transport.write(frame(Opcode.TEXT, ping(2)))
        with suppress(ConnectionClosed):
            async for message in socket:
                assert json.loads(message)["is"] != "pong"
        assert socket.close_code == CloseCode.PROTOCOL_ERROR


async def test_who_comes_waits_for_who_is_there() -> None:
    manners = Manners(USUAL, MagicMock())
    seen: list[str] = []
    for who in ("first", "second"):
        manners.let_in(partial(seen.append, who))
    assert not seen
    for _ in range(3):
        await asyncio.sleep(0)
        seen.append("others")
    assert seen == ["first", "others", "second", "others", "others"]


class Impatient(Server):
    command = (
        "-c",
        "from cardtown.cli import main; from cardtown.server import pulse; pulse.PING_EVERY = 0.3; main()",
    )


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Impatient]:
    server = Impatient(tmp_path / "town")
    yield server
    server.kill()


class Counting(ClientConnection):
    pings = 0

    def process_event(self, event: Any) -> None:
        self.pings += isinstance(event, Frame) and event.opcode is Opcode.PING
        super().process_event(event)


async def test_only_who_is_silent_is_asked_whether_they_are_there(impatient: Impatient) -> None:
    guest = Guest(impatient.url)
    table = guest.open("hollywood", ["me", "open"])
    url = f"{impatient.url.replace('http', 'ws')}/api/tables/{table}/socket"
    # What nobody reads must not keep pings back.
    async with connect(url, additional_headers=guest.headers, create_connection=Counting, max_queue=None) as socket:
        for _ in range(15):
            await socket.send('{"do": "ping"}')
            await asyncio.sleep(0.1)
        assert socket.pings == 0  # type: ignore[attr-defined]
        await asyncio.sleep(1.5)
        assert socket.pings >= 2  # type: ignore[attr-defined]
        await socket.send('{"do": "ping"}')


async def test_who_does_not_say_that_they_are_there_is_sent_away(impatient: Impatient) -> None:
    guest = Guest(impatient.url)
    silent = Deaf(guest, guest.open("hollywood", ["me", "open"]))
    assert await asyncio.to_thread(silent.read_to_the_end) == CloseCode.INTERNAL_ERROR
