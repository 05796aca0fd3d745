"""Our own server, and people who play there over its sockets, as any client may.

Views are not decoded, only searched for what a choice must say: the decision and the first choice there is. When a
match ends, both want a rematch and go on there.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from websockets.asyncio.client import ClientConnection, connect

from .load import Pair, Push, Served

GAME = "hollywood"
HOST = "127.0.0.1"
VIEW = b'{"is":"view"'
DECISION = b'"decision":"'
"""What follows is how often choices were taken back and, after a point, how many have been made."""

CHOICES = b'"choices":[{"number":'
OVER = b'"stage":"over"'
REMATCH = b'"rematch":"'


class Player:
    """Somebody at a table, who always makes the first choice there is."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.table = b""
        self.matches = 0
        self.over: Callable[[int], None] = lambda match: None
        self.answer = b""
        self.begin()

    def begin(self) -> None:
        """A match, of which nothing has been seen yet."""
        self.made: int | None = None
        self.unseen = 0
        self.is_over = False

    async def push(self) -> Push:
        while True:
            message = await self.socket.recv(decode=False)
            if not message.startswith(VIEW):
                if message.startswith(b'{"is":"refused"'):
                    raise RuntimeError(f"our server refused a choice: {message.decode()}")
                continue
            if OVER in message[:400]:
                await self.play_again(message)
                continue
            found = self.read(message)
            if found is not None:
                return found

    def read(self, message: bytes) -> Push | None:
        """What a view says; None if the match has not begun, or nothing was chosen (somebody has come or talked)."""
        at = message.find(DECISION)
        if at < 0:
            return None
        decision = until(message, at + len(DECISION), b'"')
        before, self.made = self.made, int(decision.partition(b".")[2])
        if self.made == before:
            return None
        mine = message.find(CHOICES)
        if mine >= 0:
            choice = until(message, mine + len(CHOICES), b",")
            self.answer = b'{"do":"choose","decision":"%b","choice":%b}' % (decision, choice)
        unseen, self.unseen = self.unseen, 0
        return Push(self.made - (before or 0) - unseen, mine >= 0)

    async def play_again(self, message: bytes) -> None:
        """Ask for a rematch; go on there, over the same socket, as soon as the view says where."""
        at = message.find(REMATCH)
        if at < 0:
            if not self.is_over:
                self.is_over = True
                self.over(self.matches)
                await self.socket.send(b'{"do":"rematch"}', text=True)
            return
        table = until(message, at + len(REMATCH), b'"')
        if table != self.table:
            self.table = table
            await self.socket.send(b'{"do":"follow"}', text=True)
            self.matches += 1
            self.begin()

    async def choose(self) -> None:
        self.unseen = 1
        await self.socket.send(self.answer, text=True)

    async def close(self) -> None:
        self.socket.transport.abort()


def until(message: bytes, at: int, end: bytes) -> bytes:
    return message[at : message.index(end, at)]


@contextmanager
def serve() -> Iterator[Served]:
    """With everything on disk, in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        words = (sys.executable, "-m", "cardtown", "serve", "--port", "0", "--data", folder)
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline().split()[4].rpartition(":")[2])
                yield Served((server.pid,), lambda: open_table(port), lambda: longest_block(port))
            finally:
                server.kill()


def longest_block(port: int) -> float:
    """As the server tells it, since it was last asked."""
    asking = HTTPConnection(HOST, port)
    try:
        asking.request("GET", "/metrics")
        lines = asking.getresponse().read().decode().splitlines()
    finally:
        asking.close()
    return next(float(line.split()[1]) for line in lines if line.startswith("cardtown_loop_block_seconds "))


async def open_table(port: int, others_port: int | None = None) -> Pair:
    """A new table and both who play there, the second by another worker where there is one."""
    table, cookie = await asyncio.to_thread(new_table, port)
    first = await at_table(port, table, cookie)
    second = await at_table(others_port or port, table, "")
    await second.send(b'{"do":"sit","seat":1}', text=True)
    for socket in (first, second):
        while b'"stage":"playing"' not in await socket.recv(decode=False):
            pass
        await socket.send(b'{"do":"resync"}', text=True)
    return Player(first), Player(second)


def new_table(port: int) -> tuple[str, str]:
    """Its name, and the cookie of who opened it."""
    asking = HTTPConnection(HOST, port)
    try:
        asking.request("POST", "/api/tables", json.dumps({"game": GAME, "seats": ["me", "open"]}))
        answer = asking.getresponse()
        content = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"our server opens no table: {content.decode()}")
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    finally:
        asking.close()
    return json.loads(content)["table"], cookie


async def at_table(port: int, table: str, cookie: str) -> ClientConnection:
    return await connect(
        f"ws://{HOST}:{port}/api/tables/{table}/socket",
        additional_headers={"Cookie": cookie} if cookie else {},
        compression=None,
        proxy=None,
        ping_interval=None,
        max_size=None,
        max_queue=None,
    )
