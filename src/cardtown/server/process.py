"""A server process: opens the store, listens, and writes its log."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn

from cardtown.games import games

from .app import make_app
from .colleagues import Colleagues
from .identity import Signer, shared_key, signing_key
from .sockets import Page, Socket
from .sqlite import STORE_FILE as STORE_FILE
from .store import StoreError
from .stores import open_store
from .tables import new_name
from .tidying import Tidying
from .town import Settings, Town
from .visitors import Door

log = logging.getLogger(__name__)

LONGEST_MESSAGE = 16 * 1024
SENT_AHEAD = 128 * 1024
"""Bytes that the system holds for somebody who does not read; else it would be megabytes."""

SOME_FILES = 10_240
"""That may be open at once; what macOS allows where it says that there is no limit."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
THIS_MACHINE = "127.0.0.0/8,::1,::ffff:127.0.0.0/104"
"""Where a web server may say for whom it asks; the last is how the first is called by who listens on all networks."""


class CantListen(Exception):
    """The address can't be used: says why."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)  # told that it is TCP, asyncio sends small messages at once
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)  # for every connection that is taken
        found.bind(address)
        found.listen(1024)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", "this is no address")
        raise CantListen(f"can't listen on {host}, port {port} ({why})") from None
    return found


def serve(
    listening: socket.socket,
    where: str | Path,
    settings: Settings,
    names: Sequence[str] = (),
    when_open: Callable[[], None] = lambda: None,
    colleagues: Colleagues | None = None,
    first: int | None = None,
) -> None:
    """Serve a town until told to stop: that in a folder, or at the address of a database.

    `names` are those that it has elsewhere, `colleagues` those who serve it at the same address; once `first` can be
    read, the process that started this one is gone.
    """
    if isinstance(where, Path):
        os.umask(0o077)  # the store holds the secrets of all tables: nobody else on this machine may read it
        where.mkdir(parents=True, exist_ok=True)
        have_alone(where)
    set_up_log()
    allow_connections()
    address = ip_address(listening.getsockname()[0])
    if names or address.is_loopback:  # no others lead here, whatever a page elsewhere says
        settings = replace(settings, hosts=LOOPBACK | {str(address), *names})

    class Server(uvicorn.Server):
        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            key = signing_key(where) if isinstance(where, Path) else None
            store = await open_store(where / STORE_FILE if isinstance(where, Path) else where)
            self.town = Town(store, games(), settings, new_name=colleagues.new_name if colleagues else new_name)
            door = Door(self.town, Signer(key or await shared_key(store)))
            self.config.app = make_app(self.town, door, colleagues)
            await super().serve(sockets)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if first is not None:
                asyncio.get_running_loop().add_reader(first, self.end_with_first, first)
            Tidying(asyncio.get_running_loop())
            if colleagues is not None:
                colleagues.begin(self.take_in, self.has_room)
            when_open()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if colleagues is not None:
                colleagues.end()
            await super().shutdown(sockets)

        def end_with_first(self, first: int) -> None:
            asyncio.get_running_loop().remove_reader(first)
            self.handle_exit(signal.SIGTERM, None)

        def take_in(self, connection: socket.socket, request: bytes) -> None:
            """Serve a connection that a colleague has handed over, from the request on that was read there."""
            page = Page(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            page.asked = request
            self.town.do(asyncio.get_running_loop().connect_accepted_socket(lambda: page, connection))

        def has_room(self) -> bool:
            return not self.should_exit and len(self.server_state.connections) < settings.bounds.sockets

    Server(config_for("")).run(sockets=[listening])


def have_alone(folder: Path) -> None:
    """Let nobody else serve the town of a folder while this process lives: neither would know what the other does."""
    with suppress(ImportError):  # not everywhere
        import fcntl

        held = os.open(folder, os.O_RDONLY)  # until this process ends
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{folder}: the town there is open already, in another process") from None
        except OSError as error:  # not in every file system
            log.warning("whether somebody else serves this folder can't be told: %s", error.strerror)


def allow_connections() -> None:
    """As many open files as the system lets us have: each connection is one."""
    with suppress(ImportError):  # not everywhere
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        for files in (most, SOME_FILES):
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
                return


def config_for(app: Any) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=Page,
        ws=Socket,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # would cost more time than all else that a choice needs
        timeout_graceful_shutdown=3,
        server_header=False,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", THIS_MACHINE),
    )


class LinesOfJson(logging.Formatter):
    """One object per line. Of errors the place and the kind are told, never the values: these may be hidden cards."""

    def format(self, record: logging.LogRecord) -> str:
        found = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            found["error"] = record.exc_info[0].__name__
            found["where"] = places(record.exc_info[2])
        return json.dumps(found, ensure_ascii=False)


def places(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]


def set_up_log() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(LinesOfJson())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
