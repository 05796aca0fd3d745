"""A relay between people and servers, whose connections can be cut in every way that a network knows.

It listens where people connect and passes on what they send to one of the servers, as a load balancer does. While none
can be reached, whoever comes waits.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

HOST = "127.0.0.1"
PIECE = 1 << 16
PAUSE = 0.05
"""Seconds before another server is tried, where one can't be reached."""

AT_ONCE = struct.pack("ii", 1, 0)
"""Do not linger: whoever closes like this resets the connection."""


class Cable:
    """One connection from a person to a server."""

    def __init__(self, person: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.person = person
        self.server = server
        self.swallows_requests = False
        self.swallows_answers = False

    async def carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """One way, until either end is gone."""
        with suppress(OSError):
            while piece := await source.read(PIECE):
                is_lost = self.swallows_requests if target is self.server else self.swallows_answers
                if not is_lost:
                    target.write(piece)
                    await target.drain()
        self.cut()

    def cut(self) -> None:
        """Reset it on both sides."""
        for end in (self.person, self.server):
            with suppress(OSError):  # it is closed already
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            end.transport.abort()


class Relay:
    """Listens for people; `ports` are those of the servers that take them."""

    def __init__(self, dice: random.Random, ports: Sequence[int]) -> None:
        self.dice = dice
        self.ports = ports
        self.cables: set[Cable] = set()

    async def __aenter__(self) -> Self:
        self.listening = await asyncio.start_server(self._serve, HOST, 0)
        self.port = self.listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.listening.close()
        self.cut(list(self.cables))
        await self.listening.wait_closed()
        while self.cables:
            await asyncio.sleep(0)

    async def _serve(self, requests: asyncio.StreamReader, person: asyncio.StreamWriter) -> None:
        while True:
            try:
                answers, server = await asyncio.open_connection(HOST, self.dice.choice(self.ports))
                break
            except OSError:
                await asyncio.sleep(PAUSE)
            if person.is_closing():
                return
        cable = Cable(person, server)
        self.cables.add(cable)
        await asyncio.gather(cable.carry(requests, server), cable.carry(answers, person))
        self.cables.discard(cable)

    def cut(self, cables: list[Cable]) -> None:
        for cable in cables:
            cable.cut()
