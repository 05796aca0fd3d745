"""What a town keeps, asked for by somebody who is no part of its server."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

import asyncpg

from cardtown.server.database import SCHEMA
from cardtown.server.identity import KEY_FILE, KEY_NOTE
from cardtown.server.process import STORE_FILE
from tests.server.postgres import cluster
from tests.server.serving import IN_POSTGRESQL

T = TypeVar("T")
Rows = list[tuple[Any, ...]]


class Outside(Protocol):
    def __call__(self, question: str, *values: object) -> Rows:
        """What is there now; `?` stands for a value."""


def location(data: Path) -> str:
    """Where the town of a folder is kept, as `open_store` takes it."""
    return cluster().database_of(data) if IN_POSTGRESQL else str(data / STORE_FILE)


@contextmanager
def reading(data: Path) -> Iterator[Outside]:
    """The store of the town of a folder."""
    if not IN_POSTGRESQL:
        with closing(sqlite3.connect(f"file:{data / STORE_FILE}?mode=ro", uri=True)) as store:
            yield lambda question, *values: store.execute(question, values).fetchall()
        return
    with loop_beside() as loop:

        def wait_for(work: Coroutine[Any, Any, T]) -> T:
            return asyncio.run_coroutine_threadsafe(work, loop).result()

        def ask(question: str, *values: object) -> Rows:
            numbers = count(1)
            asked = re.sub(r"\?", lambda _: f"${next(numbers)}", question)
            return [tuple(row) for row in wait_for(db.fetch(asked, *values))]

        db = wait_for(asyncpg.connect(location(data), loop=loop, server_settings={"search_path": SCHEMA}))
        try:
            yield ask
        finally:
            wait_for(db.close())


@contextmanager
def loop_beside() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own: whoever waits for it may be in another one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def signing_key_of(data: Path) -> bytes:
    """The key by which guests are known there."""
    if not IN_POSTGRESQL:
        return (data / KEY_FILE).read_bytes()
    ((key,),) = ask_store(data, "SELECT body FROM note WHERE kind = ? AND name = ?", *KEY_NOTE)
    return bytes(key)


def ask_store(data: Path, question: str, *values: object) -> Rows:
    """One question."""
    with reading(data) as ask:
        return ask(question, *values)
