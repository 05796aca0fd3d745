"""A whole town at once: read as it was at one moment, whatever goes on there, or written into a place that is empty.

A town in a folder and one in a database hold the same, so that what was read from one can be written into the other.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing, closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .files import new_file
from .identity import KEY_FILE, KEY_NOTE, signing_key
from .sqlite import PAGE, SCHEMA, STORE_FILE, VERSION
from .store import Note, Row, StoreError

if TYPE_CHECKING:
    from .database import Connection

AT_ONCE = 2_000


class Entry(NamedTuple):
    """A row of a table, or a note."""

    row: tuple[str, Row] | None = None
    note: Note | None = None


LOG = 'SELECT "table", number, at, body FROM log ORDER BY "table", number'
KEY = "SELECT body FROM note WHERE kind = $1 AND name = $2"
NOTES = f"SELECT kind, name, body FROM note WHERE kind <> '{KEY_NOTE[0]}' ORDER BY kind, name"


async def read_town(where: str | Path) -> AsyncGenerator[Entry, None]:
    """All rows, by table and number, then all notes, and last the key that signs, as a note."""
    if isinstance(where, Path):
        for entry in read_folder(where):
            yield entry
    else:
        async with aclosing(read_database(where)) as entries:
            async for entry in entries:
                yield entry


async def write_town(where: str | Path, entries: Iterable[Entry]) -> None:
    """All or nothing of it; a StoreError if something is there already."""
    if isinstance(where, Path):
        write_folder(where, entries)
    else:
        await write_database(where, entries)


async def check_town(where: str | Path) -> None:
    """A StoreError if there is none."""
    async with aclosing(read_town(where)) as entries:
        await anext(entries)


# In a folder


def read_folder(folder: Path) -> Iterator[Entry]:
    file = folder / STORE_FILE
    if not file.exists():
        raise StoreError(f"{folder}: holds no town")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise StoreError(f"{file}: was written by another Cardtown (version {version}; known is {VERSION})")
            db.execute("BEGIN")  # what is read from here on is of one moment
            for table, *row in db.execute(LOG):
                yield Entry(row=(table, Row(*row)))
            for note in db.execute(NOTES):
                yield Entry(note=Note(*note))
    except sqlite3.Error as error:
        raise StoreError(f"{file}: {error}") from None
    yield Entry(note=Note(*KEY_NOTE, signing_key(folder)))


def write_folder(folder: Path, entries: Iterable[Entry]) -> None:
    """Into files beside those that it will be: they get their names when they are whole."""
    for file in (folder / KEY_FILE, *folder.glob(f"{STORE_FILE}*")):  # what SQLite left beside a store belongs to it
        if file.exists():
            raise StoreError(f"{file}: is there already; restore into an empty folder")
    folder.mkdir(0o700, parents=True, exist_ok=True)
    made = folder / f"{STORE_FILE}.{secrets.token_hex(8)}"
    try:
        os.close(os.open(made, os.O_CREAT | os.O_EXCL, 0o600))
        key = fill_file(made, entries)
        os.link(made, folder / STORE_FILE)
        try:
            with new_file(folder / KEY_FILE) as out:
                out.write(key)
        except BaseException:
            (folder / STORE_FILE).unlink()
            raise
    except sqlite3.Error as error:
        raise StoreError(f"{folder}: {error}") from None
    except FileExistsError:
        raise StoreError(f"{folder}: something is there already; restore into an empty folder") from None
    finally:
        made.unlink(missing_ok=True)


def fill_file(file: Path, entries: Iterable[Entry]) -> bytes:
    """A new store; the key, which does not belong there."""
    key = b""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        db.execute("BEGIN")
        for statement in SCHEMA:
            db.execute(statement)
        for entry in entries:
            if entry.row:
                table, row = entry.row
                db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (table, *row))
            elif entry.note and entry.note[:2] == KEY_NOTE:
                key = entry.note.body or b""
            elif entry.note:
                db.execute("INSERT INTO note VALUES (?, ?, ?)", entry.note)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    return key


# In a database


async def read_database(url: str) -> AsyncGenerator[Entry, None]:
    from .database import Database

    database = Database(url)
    async with database.connected() as db, db.transaction(isolation="repeatable_read", readonly=True):
        key = await db.fetchval("SELECT to_regclass('note')") and await db.fetchval(KEY, *KEY_NOTE)
        if key is None:
            raise StoreError(f"{database.shown}: holds no town")
        async for table, *row in db.cursor(LOG, prefetch=AT_ONCE):
            yield Entry(row=(table, Row(*row)))
        async for note in db.cursor(NOTES, prefetch=AT_ONCE):
            yield Entry(note=Note(*note))
        yield Entry(note=Note(*KEY_NOTE, key))


async def write_database(url: str, entries: Iterable[Entry]) -> None:
    from .database import Database

    database = Database(url)
    await database.prepare()
    async with database.connected() as db, db.transaction():
        await db.execute("LOCK TABLE log, note IN ACCESS EXCLUSIVE MODE")
        if await db.fetchval("SELECT EXISTS (SELECT FROM log) OR EXISTS (SELECT FROM note)"):
            raise StoreError(f"{database.shown}: holds a town already; restore into an empty database")
        await fill_database(db, iter(entries))


async def fill_database(db: Connection, entries: Iterator[Entry]) -> None:
    while some := list(islice(entries, AT_ONCE)):
        rows: list[Any] = [(table, *row, 0) for table, row in (entry.row for entry in some if entry.row)]
        columns = ["table", "number", "at", "body", "process"]
        await db.copy_records_to_table("log", schema_name="cardtown", records=rows, columns=columns)
        notes = [entry.note for entry in some if entry.note]
        await db.copy_records_to_table("note", schema_name="cardtown", records=notes, columns=["kind", "name", "body"])
