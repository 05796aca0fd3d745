"""boardgame.io's own server (Node.js), and people who play there over its sockets, as its clients do.

Its game is in `boardgame_io/game.cjs`. Matches are made through its lobby, so that it checks credentials. Its sockets
are socket.io's (Engine.IO 4, WebSockets only): text messages that begin with digits for their kind, `2` and `3` for
ping and pong, `42/thirteen,["update",…]` for an event of our game. States are not decoded, only searched for whose turn
it is and for their number, which a move must carry: a move with any other number is ignored without an answer.

When a match ends, the lobby is asked for the next one (`playAgain`); both join it and go on over the sockets they have.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from .load import Pair, Push, Served

ENGINE = "boardgame.io"
MEMORY = "memory"
FLATFILE = "flatfile"
FOLDER = Path(__file__).parent / "boardgame_io"
GAME = "thirteen"
HOST = "127.0.0.1"
NAMES = {"0": "Ada", "1": "Ben"}

PING = b"2"
PONG = b"3"
CONNECT = f"40/{GAME},".encode()
EVENT = f"42/{GAME},".encode()
SYNC = EVENT + b'["sync",'
UPDATE = EVENT + b'["update",'
TURN = b'"currentPlayer":"'
NUMBER = b'"_stateID":'
OVER = b'"gameover":'


class Seat(NamedTuple):
    """A place at a match."""

    match: str
    player: str
    credentials: str


class Between:
    """What the two of a match need between one and the next."""

    def __init__(self) -> None:
        self.lobby = asyncio.Lock()
        """The lobby may forget one of two who come at once."""
        self.both = asyncio.Barrier(2)
        """What is asked while the other one joins may find no answer, and what is played before the other one has been
        sent the state may not be sent to them."""


class Player:
    """Somebody at a match, who always plays the first card of their hand."""

    def __init__(self, port: int, socket: ClientConnection, seat: Seat, between: Between) -> None:
        self.port = port
        self.between = between
        self.socket = socket
        self.matches = 0
        self.over: Callable[[int], None] = lambda match: None
        self.me = ord(seat.player)
        self.take(seat)

    def take(self, seat: Seat) -> None:
        """Sit there from now on."""
        self.seat = seat
        self.number = b""
        payload = {"type": "play", "args": [0], "playerID": seat.player, "credentials": seat.credentials}
        before, after = ["update", {"type": "MAKE_MOVE", "payload": payload}], [seat.match, seat.player]
        self.before = EVENT + packed(before)[:-1] + b","
        self.after = b"," + packed(after)[1:]

    async def push(self) -> Push:
        while True:
            message = await self.socket.recv(decode=False)
            if message.startswith((UPDATE, SYNC)):
                if OVER in message:
                    await self.play_again()
                    continue
                if not self.number:
                    await self.between.both.wait()
                return self.read(message)
            if message == PING:
                await self.socket.send(PONG, text=True)

    def read(self, message: bytes) -> Push:
        """The state comes first in both events, and what somebody sees of a game can't hold these words before."""
        turn = message.index(TURN) + len(TURN)
        number = message.index(NUMBER, turn) + len(NUMBER)
        before, self.number = self.number, message[number : message.index(b"}", number)]
        if before == self.number:
            raise RuntimeError(f"{ENGINE} refused a move: {message.decode()}")
        is_mine = message[turn] == self.me
        return Push(int(is_mine and before != b""), is_mine)

    async def play_again(self) -> None:
        """Take the same place in the next match."""
        self.over(self.matches)
        async with self.between.lobby:
            self.take(await asyncio.to_thread(next_seat, self.port, self.seat))
            self.matches += 1
        await self.between.both.wait()
        await ask_for_state(self.socket, self.seat)

    async def choose(self) -> None:
        await self.socket.send(self.before + self.number + self.after, text=True)

    async def close(self) -> None:
        self.socket.transport.abort()


@contextmanager
def serve(storage: str) -> Iterator[Served]:
    """With its matches in memory, or in files of a folder that is deleted afterwards."""
    node = program("node")
    install()
    with tempfile.TemporaryDirectory() as folder:
        words = (node, "server.cjs", "0", storage, *([folder] if storage == FLATFILE else []))
        env = {**os.environ, "NODE_ENV": "production"}
        with subprocess.Popen(words, cwd=FOLDER, env=env, stdout=subprocess.PIPE, text=True) as server:
            try:
                port = ready(server)
                yield Served((server.pid,), lambda: open_table(port))
            finally:
                server.kill()


def ready(server: subprocess.Popen[str]) -> int:
    """The port, as soon as it listens."""
    assert server.stdout is not None
    word, _, port = server.stdout.readline().partition(" ")
    if word != "ready":
        sys.exit(f"{ENGINE} did not start")
    return int(port)


def install() -> None:
    """What `package-lock.json` says, once."""
    if (FOLDER / "node_modules").exists():
        return
    ended = subprocess.run(
        (program("npm"), "ci", "--no-audit", "--no-fund"), cwd=FOLDER, capture_output=True, text=True
    )
    if ended.returncode:
        sys.exit(f"`npm ci` failed in {FOLDER}:\n{ended.stderr}")


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{ENGINE} needs Node.js 20 or newer: there is no `{name}` here")
    return found


async def open_table(port: int) -> Pair:
    """A new match and both who play it."""
    first, second = await asyncio.to_thread(new_match, port)
    between = Between()
    return await sit(port, first, between), await sit(port, second, between)


def new_match(port: int) -> tuple[Seat, Seat]:
    """Through the lobby, one after the other."""
    lobby = HTTPConnection(HOST, port)
    try:
        match = post(lobby, "create", {"numPlayers": 2})["matchID"]
        return join(lobby, match, "0"), join(lobby, match, "1")
    finally:
        lobby.close()


def next_seat(port: int, seat: Seat) -> Seat:
    """The same place in the match that follows one."""
    lobby = HTTPConnection(HOST, port)
    try:
        asked = {"playerID": seat.player, "credentials": seat.credentials}
        return join(lobby, post(lobby, f"{seat.match}/playAgain", asked)["nextMatchID"], seat.player)
    finally:
        lobby.close()


def join(lobby: HTTPConnection, match: str, player: str) -> Seat:
    joined = post(lobby, f"{match}/join", {"playerID": player, "playerName": NAMES[player]})
    return Seat(match, player, joined["playerCredentials"])


def post(lobby: HTTPConnection, path: str, body: dict[str, Any]) -> dict[str, Any]:
    lobby.request("POST", f"/games/{GAME}/{path}", packed(body), {"Content-Type": "application/json"})
    answer = lobby.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{ENGINE}'s lobby answers {path} with {answer.status}: {content.decode()}")
    found: dict[str, Any] = json.loads(content)
    return found


async def sit(port: int, seat: Seat, between: Between) -> Player:
    """Connect and ask for the state, which will be the first one that is pushed."""
    socket = await connect(
        f"ws://{HOST}:{port}/socket.io/?EIO=4&transport=websocket",
        compression=None,
        proxy=None,
        ping_interval=None,
        max_size=None,
        max_queue=None,
    )
    await expect(socket, b"0{")
    await socket.send(CONNECT, text=True)
    await expect(socket, CONNECT)
    await ask_for_state(socket, seat)
    return Player(port, socket, seat, between)


async def ask_for_state(socket: ClientConnection, seat: Seat) -> None:
    await socket.send(EVENT + packed(["sync", seat.match, seat.player, seat.credentials, 2]), text=True)


async def expect(socket: ClientConnection, beginning: bytes) -> None:
    message = await socket.recv(decode=False)
    if not message.startswith(beginning):
        raise RuntimeError(f"{ENGINE} says {message.decode()}")


def packed(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
