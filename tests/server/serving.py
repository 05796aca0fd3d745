"""A real server process and real guests for it: HTTP by the standard library, sockets by `websockets`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.postgres import cluster

PATIENCE = 60.0
IN_POSTGRESQL = os.environ.get("CARDTOWN_STORE") == "postgresql"
"""Whether the same tests run with towns that are kept in PostgreSQL; else each is kept in a file."""

Wire = dict[str, Any]


def place(data: Path) -> tuple[str, str]:
    """Options that say where a town is kept: in this folder, or in a database of its own."""
    return ("--database", cluster().database_of(data)) if IN_POSTGRESQL else ("--data", str(data))


class Server:
    """`cardtown serve` in a process of its own, on a free port."""

    command: Sequence[str] = ("-m", "cardtown")

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self.options = options
        self.start()

    def start(self, port: int = 0) -> None:
        self.launch(port)
        assert self.is_listening(), self.log.read_text()

    def launch(self, port: int) -> None:
        self.log = self.data.parent / f"{self.data.name}.log"
        where = () if {"--database", "--data"} & set(self.options) else place(self.data)
        command = [sys.executable, *self.command, "serve", "--port", str(port), *where]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, *self.options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )

    def is_listening(self) -> bool:
        """Waits until it listens; False if it ends before."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if line:
            assert line.startswith("Cardtown is open at http://"), line
            self.url = line.split()[4]
            self.port = int(self.url.rpartition(":")[2])
        return bool(line)

    def kill(self) -> None:
        """As when the power fails."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def restart(self) -> None:
        self.start(self.port)

    def stop(self) -> str:
        """End it as Ctrl+C does; what it wrote to its log."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        return self.log.read_text()


@contextmanager
def serving(data: Path, *options: str) -> Iterator[Server]:
    server = Server(data, "--pause", "0", *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


class Answer:
    """What came of an HTTP request."""

    def __init__(self, status: int, headers: Any, content: bytes) -> None:
        self.status = status
        self.headers = headers
        self.content = content

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class Guest:
    """Somebody with a browser: keeps the cookie."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self.headers: dict[str, str] = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """A request; a body that is not bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path,
            data,
            {**self.headers, "Content-Type": "application/json", **(headers or {})},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as found:
                answer = Answer(found.status, found.headers, found.read())
        except urllib.error.HTTPError as error:
            answer = Answer(error.code, error.headers, error.read())
        cookie = answer.headers.get("Set-Cookie")
        if cookie and "Authorization" not in self.headers:
            self.headers["Cookie"] = cookie.split(";")[0]
        return answer

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == 200, answer.content
        return answer.json

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.status in (200, 201), answer.content
        return answer.json

    def open(self, game: str, seats: Sequence[str], **more: Any) -> str:
        """Open a table; its name."""
        name: str = self.post("/api/tables", {"game": game, "seats": list(seats), **more})["table"]
        return name

    def at(self, table: str) -> Chair:
        """A socket at a table, to be entered with `async with`."""
        if not self.headers:
            self.get("/api/me")
        return Chair(self, table)


class Chair:
    """A guest's socket at a table: the newest view, all lines, and every frame as it came."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest = guest
        self.table = table
        self.frames: list[str] = []
        self.view: Wire = {}
        self.lines: list[Wire] = []
        self.said: list[Wire] = []
        self.presence: Wire = {}
        self.answers: dict[int, Wire] = {}
        self.last_id = 0
        self.closed: int | None = None
        self.news = asyncio.Condition()

    async def __aenter__(self) -> Self:
        url = f"{self.guest.url.replace('http', 'ws')}/api/tables/{self.table}/socket"
        self.socket: ClientConnection = await connect(url, additional_headers=self.guest.headers, max_size=None)
        self.reading = asyncio.create_task(self._read())
        await self.until(lambda: bool(self.view) or self.closed is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()
        await self.reading

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                await self._take(frame if isinstance(frame, str) else frame.decode())
        except ConnectionClosed:
            pass
        async with self.news:
            self.closed = self.socket.close_code
            self.news.notify_all()

    async def _take(self, frame: str) -> None:
        message = msgspec.json.decode(frame)
        async with self.news:
            self.frames.append(frame)
            match message["is"]:
                case "view":
                    del self.lines[message["first_line"] :]
                    self.lines += message["lines"]
                    del self.said[message["first_said"] :]
                    self.said += message["said"]
                    self.view = whole(message, self.view)
                    for id in message["done"]:
                        self.answers[id] = {"is": "done", "id": id, "number": message["number"]}
                case "presence":
                    self.presence = message
                case _:
                    self.answers[message["id"]] = message
            self.news.notify_all()

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for news until something is so."""
        async with self.news:
            async with asyncio.timeout(PATIENCE):
                await self.news.wait_for(lambda: bool(is_so()))

    async def until_number(self, number: int) -> None:
        """Wait for the view with this number or a later one."""
        await self.until(lambda: self.view["number"] >= number)

    async def until_next_decision(self) -> None:
        decision = self.view["decision"]
        await self.until(lambda: self.view["decision"] != decision)

    async def until_stage(self, stage: str) -> None:
        await self.until(lambda: self.view["stage"] == stage)

    async def send(self, do: str, **more: Any) -> int:
        """Send a request without waiting; its id."""
        self.last_id += 1
        await self.socket.send(json.dumps({"do": do, "id": self.last_id, **more}))
        return self.last_id

    async def ask(self, do: str, **more: Any) -> Wire:
        """Send a request and wait for its answer."""
        id = await self.send(do, **more)
        await self.until(lambda: id in self.answers or self.closed is not None)
        return self.answers.pop(id)

    async def do(self, request: str, **more: Any) -> None:
        """The same, and it must be done."""
        answer = await self.ask(request, **more)
        assert answer["is"] == "done", answer

    @property
    def choices(self) -> list[Wire]:
        """What this guest may choose now."""
        board = self.view.get("board")
        return board["choices"] if board and self.view["stage"] == "playing" else []

    @property
    def is_over(self) -> bool:
        return self.view["stage"] in ("over", "closed")

    async def choose(self, place: int = 0) -> Wire:
        """Make one of the choices there are; the answer."""
        return await self.ask(
            "choose", decision=self.view["decision"], choice=self.choices[place % len(self.choices)]["number"]
        )

    async def play(self, pick: Callable[[int], int] = lambda step: 0, most: int = 10**6) -> int:
        """Choose whenever there is something to choose, until the end or `most` times; how often it was."""
        made = 0
        while made < most:
            await self.until(lambda: self.choices or self.is_over)
            if self.is_over:
                break
            answer = await self.choose(pick(made))
            # Somebody else at this seat, or a seat that chooses at the same time, may have been quicker.
            assert answer["is"] == "done" or answer["why"] in ("stale", "not-your-turn", "over"), answer
            made += answer["is"] == "done"
        return made


def whole(view: Wire, before: Wire) -> Wire:
    """A view with all that is left out or only named in it, as it was in the view before."""
    view = {**before, **view}
    board = view["board"]
    if not board:
        return view
    known = before.get("board") or {"zones": [], "sheet": None}
    zones = {zone["id"]: zone for zone in known["zones"]}
    shown = [zones[zone] if isinstance(zone, str) else zone for zone in board["zones"]]
    return {**view, "board": {**board, "zones": shown, "sheet": board["sheet"] or known["sheet"]}}


def wait_for(is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for something that no message tells."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
