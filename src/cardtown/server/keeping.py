"""How long what is over is kept. Nothing is forgotten unless the host says so.

What is to be forgotten is told by a row of the table's own log first, so that every process knows of it and nobody can
add anything; of two processes that do it at the same time one is told that the other was quicker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from .rows import Body, Closed, Forgot, Gone, Opened, Said, Sat, Started, decode, encode
from .store import Note, Row, Store

What = Literal["chat", "unstarted", "finished"]
DAY = 24 * 3600.0
FORGOT, GONE = encode(Forgot()), encode(Gone())


@dataclass(frozen=True)
class Keep:
    """For how many days; None: for ever."""

    chat: float | None = None
    """What was said at tables that are over."""

    unstarted: float | None = None
    """Tables at which nothing happens and at which nothing was ever played."""

    finished: float | None = None
    """Tables that are over."""

    @property
    def is_for_ever(self) -> bool:
        return self.chat is None and self.unstarted is None and self.finished is None


class Ended(msgspec.Struct, frozen=True):
    """A table that was over then; and whether what was said there is forgotten."""

    at: float
    is_quiet: bool = False


def ended_note(table: str, ended: Ended | None) -> Note:
    return Note("ended", table, None if ended is None else msgspec.json.encode(ended))


def hosted_note(host: str, table: str, at: float | None) -> Note:
    """A table that somebody opened then and that is not over; None: it is."""
    return Note("hosted", f"{host}/{table}", None if at is None else msgspec.json.encode(at))


async def forget_old(store: Store, keep: Keep, now: float) -> list[tuple[What, str]]:
    """Forget what is older than it is to be kept: what that was, and of which tables."""
    found: list[tuple[What, str]] = []
    if keep.chat is not None or keep.finished is not None:
        for note in await store.notes("ended"):
            ended = msgspec.json.decode(note.body or b"", type=Ended)
            if is_old(ended.at, keep.finished, now) and await forget_table(store, note.name, keep.finished, now):
                found.append(("finished", note.name))
            elif is_old(ended.at, keep.chat, now) and await forget_chat(store, note.name, ended):
                found.append(("chat", note.name))
    if keep.unstarted is not None:
        for note in await store.notes("hosted"):
            if is_old(msgspec.json.decode(note.body or b"", type=float), keep.unstarted, now):
                name = note.name.rpartition("/")[2]
                if await forget_table(store, name, keep.unstarted, now, only_unstarted=True):
                    found.append(("unstarted", name))
    return found


def is_old(at: float, days: float | None, now: float) -> bool:
    return days is not None and at + days * DAY <= now


async def forget_table(store: Store, name: str, days: float | None, now: float, only_unstarted: bool = False) -> bool:
    """Forget a table if nothing happened there for so long; its people keep their ratings."""
    rows = await store.rows(name)
    bodies = [said_by(row) for row in rows]
    if rows and rows[-1].body != GONE:
        if not is_old(rows[-1].at, days, now):
            return False
        if only_unstarted and any(has_begun(body) or isinstance(body, Closed) for body in bodies):
            return False
        if not await store.append(name, Row(len(rows), now, GONE)):
            return False  # somebody was quicker
    await store.forget(name, [*traces(name, bodies), *await reviews(store, name)])
    return True


def has_begun(body: Body | None) -> bool:
    return isinstance(body, Started) or (isinstance(body, Opened) and body.begins)


async def forget_chat(store: Store, name: str, ended: Ended) -> bool:
    """Forget what was said at a table; False if nothing was.

    That it is quiet is noted with the row that says so to others: if somebody talked meanwhile neither is written.
    """
    if ended.is_quiet:
        return False
    rows = await store.rows(name)
    if not rows or rows[-1].body == GONE:
        return False
    said = [row._replace(body=FORGOT) for row in rows if isinstance(said_by(row), Said)]
    if said:
        await store.replace(name, said)
    told = Row(len(rows), rows[-1].at, FORGOT)
    return await store.append(name, told, [ended_note(name, Ended(ended.at, is_quiet=True))]) and bool(said)


def said_by(row: Row) -> Body | None:
    """What a row says; None if no Cardtown of this version wrote it."""
    try:
        return decode(row.body)
    except msgspec.MsgspecError:
        return None


def traces(name: str, bodies: list[Body | None]) -> list[Note]:
    """All notes that tell of a table, to be forgotten."""
    opened = [body for body in bodies if isinstance(body, Opened)]
    players = [player for body in opened for player in body.players]
    players += [body.player for body in bodies if isinstance(body, Sat)]
    return [
        Note("playing", name, None),
        Note("listed", name, None),
        ended_note(name, None),
        *(hosted_note(body.host, name, None) for body in opened),
        *(Note("seat", f"{person}/{name}", None) for person in sorted({p.person for p in players if p.person})),
    ]


async def reviews(store: Store, name: str) -> list[Note]:
    return [Note("review", note.name, None) for note in await store.notes("review", f"{name}/")]
