"""Frames that we make ourselves are those that others make, and nobody is asked in vain whether they are there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode

from cardtown.server.sockets import head
from tests.server.serving import Guest, Server


@pytest.mark.parametrize("length", [0, 1, 125, 126, 0xFFFF, 0x10000, 1_000_000])
def test_a_text_is_framed_as_others_do_it(length: int) -> None:
    text = b"x" * length
    assert head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


class Impatient(Server):
    command = (
        "-c",
        "from cardtown.cli import main; from cardtown.server import process, sockets; "
        "process.PING_EVERY = sockets.PING_EVERY = 0.3; main()",
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
