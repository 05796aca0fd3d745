"""The cable between a browser and a server, which can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Cable:
    """Passes bytes on between whoever connects to its own port and a server's port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_cut = False
        self.is_deaf = False
        """Whatever the server answers gets lost."""
        self.ends: set[asyncio.StreamWriter] = set()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.close()
            return
        answers, there = await asyncio.open_connection("127.0.0.1", self.port)
        self.ends |= {writer, there}
        await asyncio.gather(self.pass_on(reader, there), self.pass_on(answers, writer, is_answer=True))
        self.ends -= {writer, there}

    async def pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_answer: bool = False
    ) -> None:
        try:
            while data := await reader.read(65536):
                if not (is_answer and self.is_deaf):
                    writer.write(data)
                    await writer.drain()
        except ConnectionError:
            pass
        writer.close()

    def cut(self) -> None:
        self.is_cut = True
        for end in self.ends:
            end.transport.abort()

    def mend(self) -> None:
        self.is_cut = self.is_deaf = False


@asynccontextmanager
async def cable_to(port: int) -> AsyncIterator[tuple[Cable, str]]:
    """A cable to a server on this machine, and the address at its other end."""
    cable = Cable(port)
    listening = await asyncio.start_server(cable.connect, "127.0.0.1", 0)
    try:
        yield cable, f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        cable.cut()
