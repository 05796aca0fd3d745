"""A backup: one file with all that a town keeps, whatever it is kept in.

A compressed stream: a line that says what it is, then every entry as its length and its content in MessagePack, and in
the end how many there were and the SHA-256 of all of it. A file that was damaged or cut off is found out before
anything of it is used.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec

from .copies import Entry
from .files import new_file
from .identity import KEY_BYTES, KEY_NOTE
from .store import Note, Row

BEGINNING = b"cardtown backup 1\n"
LENGTH = struct.Struct(">I")
COUNT = struct.Struct(">Q")
END = LENGTH.pack(0)
LONGEST = 64 * 2**20
LEVEL = 6

_encoder = msgspec.msgpack.Encoder()
_row = msgspec.msgpack.Decoder(tuple[str, Row])
_note = msgspec.msgpack.Decoder(Note)
ROW, NOTE = b"r", b"n"


class BackupError(Exception):
    """The file can't be written or is no whole backup: says why."""


async def write(file: Path, entries: AsyncIterator[Entry]) -> int:
    """Write a backup that only its owner can read, whole or not at all; how many entries it has."""
    if file.exists():
        raise BackupError(f"{file}: is there already; choose another name")
    try:
        with new_file(file) as raw, gzip.GzipFile("", "wb", LEVEL, raw, mtime=0) as out:
            return await write_entries(out, entries)
    except FileExistsError:
        raise BackupError(f"{file}: is there already; choose another name") from None
    except OSError as error:
        raise BackupError(f"{file}: can't be written ({error.strerror})") from None


async def write_entries(out: gzip.GzipFile, entries: AsyncIterator[Entry]) -> int:
    digest = hashlib.sha256()
    count = 0

    def add(data: bytes) -> None:
        digest.update(data)
        out.write(data)

    add(BEGINNING)
    async for entry in entries:
        body = ROW + _encoder.encode(entry.row) if entry.row else NOTE + _encoder.encode(entry.note)
        add(LENGTH.pack(len(body)) + body)
        count += 1
    add(END + COUNT.pack(count))
    out.write(digest.digest())
    return count


def read(file: Path) -> Iterator[Entry]:
    """The entries of a backup; a BackupError where it is no whole one."""
    try:
        with gzip.open(file) as found:
            yield from read_entries(found)
    except (EOFError, zlib.error, struct.error, msgspec.MsgspecError):
        raise BackupError(f"{file}: is damaged or cut off") from None
    except gzip.BadGzipFile:
        raise BackupError(f"{file}: is no backup, or damaged") from None
    except OSError as error:
        raise BackupError(f"{file}: can't be read ({error.strerror})") from None
    except BackupError as error:
        raise BackupError(f"{file}: {error}") from None


def read_entries(found: gzip.GzipFile) -> Iterator[Entry]:
    digest = hashlib.sha256()

    def take(length: int) -> bytes:
        data = found.read(length)
        if len(data) < length:
            raise EOFError
        digest.update(data)
        return data

    if found.read(len(BEGINNING)) != BEGINNING:
        raise BackupError("is no backup of this version of Cardtown")
    digest.update(BEGINNING)
    count = 0
    while length := LENGTH.unpack(take(LENGTH.size))[0]:
        if length > LONGEST:
            raise BackupError("is damaged")
        body = take(length)
        if body[:1] == ROW:
            yield Entry(row=_row.decode(body[1:]))
        else:
            yield Entry(note=_note.decode(body[1:]))
        count += 1
    if COUNT.unpack(take(COUNT.size)) != (count,):
        raise BackupError("is damaged: entries are missing")
    expected = digest.digest()
    if found.read() != expected:
        raise BackupError("is damaged: it is not what was written")


def check(file: Path) -> int:
    """Read a backup to its end; how many tables it has. A BackupError if it is not whole."""
    tables = 0
    last: tuple[str, int] = "", -1
    has_key = False
    for entry in read(file):
        if entry.row:
            table, (number, _, _) = entry.row
            if (table, number) != (last[0], last[1] + 1) and (number or table <= last[0]):
                raise BackupError(f"{file}: is damaged: rows of a table are missing")
            tables += number == 0
            last = table, number
        elif entry.note and entry.note[:2] == KEY_NOTE:
            has_key = len(entry.note.body or b"") == KEY_BYTES
    if not has_key:
        raise BackupError(f"{file}: is damaged: the key that signs is missing")
    return tables
