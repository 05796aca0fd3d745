"""The people of a town: their names, preferences, ratings, tokens and codes, all kept as notes.

A guest is nobody in the store until there is something to keep. Who deletes their data leaves only a mark that says so:
their games stay, under no name.
"""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from .identity import fingerprint, new_code, new_token
from .messages import LONGEST_NAME
from .ratings import Rating
from .refusal import Refused
from .store import Note, Store

CODE_LASTS = 600
KNOWN = 10_000
"""People whose names are kept at hand."""

MOST_TOKENS = 20
FORMER_GUEST = "former guest"
BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""What counts as letters or marks but shows nothing."""

MANNERS = ("Amber", "Brave", "Calm", "Dapper", "Early", "Fancy", "Gentle", "Happy", "Idle", "Jolly", "Keen", "Lucky")
NEIGHBOURS = ("Badger", "Crow", "Dove", "Falcon", "Fox", "Gecko", "Heron", "Ibis", "Lynx", "Otter", "Owl", "Wren")


class Person(Struct, frozen=True):
    """What is kept about somebody."""

    name: str
    plays_forced: bool = False
    is_gone: bool = False


class TokenNote(Struct, frozen=True):
    person: str
    label: str


class CodeNote(Struct, frozen=True):
    person: str
    until: float


def given_name(person: str) -> str:
    """The name of a guest who has not chosen one."""
    digest = hashlib.sha256(person.encode()).digest()
    manner, neighbour = MANNERS[digest[0] % len(MANNERS)], NEIGHBOURS[digest[1] % len(NEIGHBOURS)]
    return f"{manner} {neighbour} {10 + digest[2] % 90}"


def check_name(name: str) -> str:
    """A name as it can be shown: letters that are seen, and single spaces between them."""
    clean = " ".join(unicodedata.normalize("NFC", name).split())
    can_be_seen = all(letter.isprintable() and letter not in BLANKS for letter in clean)
    if not can_be_seen or not any(map(str.isalnum, clean)):
        raise Refused("malformed", "a name needs a letter or a digit, and nothing that can't be seen")
    if len(clean) > LONGEST_NAME:  # some letters become several
        raise Refused("malformed", f"a name has at most {LONGEST_NAME} letters")
    return clean


class People:
    """Everybody, over a store."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.store = store
        self.now = now
        self.known: OrderedDict[str, Person] = OrderedDict()
        self.reading: set[asyncio.Task[None]] = set()

    async def get(self, person: str) -> Person:
        """What is known of somebody; a guest of whom nothing is kept has a given name."""
        if person not in self.known:
            await self._read(person)
        self.known.move_to_end(person)
        return self.known[person]

    def may_leave_forced(self, person: str | None) -> bool:
        """May somebody leave choices to the server where there is no other? It has to be read of whom it is unknown."""
        known = self.known.get(person) if person is not None else None
        return known is None or known.plays_forced

    async def _read(self, person: str) -> None:
        body = await self.store.get("person", person)
        self._know(person, msgspec.json.decode(body, type=Person) if body else Person(given_name(person)))

    def hear(self, person: str) -> None:
        """Another process has changed what is kept about somebody; until it is read they are known as before."""
        if person in self.known:
            task = asyncio.create_task(self._read(person))
            self.reading.add(task)
            task.add_done_callback(self.reading.discard)

    def _know(self, person: str, what: Person) -> None:
        self.known[person] = what
        while len(self.known) > KNOWN:
            self.known.popitem(last=False)

    async def change(self, person: str, name: str | None = None, plays_forced: bool | None = None) -> Person:
        before = await self.get(person)
        after = Person(
            before.name if name is None else check_name(name),
            before.plays_forced if plays_forced is None else plays_forced,
        )
        await self.store.put([Note("person", person, msgspec.json.encode(after))])
        self._know(person, after)
        return after

    async def delete(self, person: str) -> None:
        """Forget all that is kept of somebody but that they are gone; their games stay."""
        gone = Person(FORMER_GUEST, is_gone=True)
        tokens = await self.store.notes("token-of", f"{person}/")
        seats = await self.store.notes("seat", f"{person}/")
        ratings = await self.store.notes("rating", f"{person}/")
        await self.store.put(
            [
                Note("person", person, msgspec.json.encode(gone)),
                *(Note("token", (note.body or b"").decode(), None) for note in tokens),
                *(Note(note.kind, note.name, None) for note in (*tokens, *seats, *ratings)),
            ]
        )
        self._know(person, gone)

    async def make_token(self, person: str, label: str) -> tuple[str, str]:
        """A new token and the name under which it can be taken back."""
        if len(await self.store.notes("token-of", f"{person}/")) >= MOST_TOKENS:
            raise Refused("too-much", f"{MOST_TOKENS} tokens are enough; take one back first")
        token = new_token()
        mark = fingerprint(token)
        note = msgspec.json.encode(TokenNote(person, check_name(label)))
        name = mark[:12]
        await self.store.put([Note("token", mark, note), Note("token-of", f"{person}/{name}", mark.encode())])
        return name, token

    async def tokens(self, person: str) -> list[tuple[str, str]]:
        """Names and labels of somebody's tokens."""
        found = []
        for note in await self.store.notes("token-of", f"{person}/"):
            body = await self.store.get("token", (note.body or b"").decode())
            if body:
                found.append((note.name.rpartition("/")[2], msgspec.json.decode(body, type=TokenNote).label))
        return found

    async def take_back_token(self, person: str, name: str) -> None:
        mark = await self.store.get("token-of", f"{person}/{name}")
        if mark is None:
            raise Refused("nobody", "you have no such token")
        await self.store.put([Note("token", mark.decode(), None), Note("token-of", f"{person}/{name}", None)])

    async def by_token(self, token: str) -> str | None:
        body = await self.store.get("token", fingerprint(token))
        return msgspec.json.decode(body, type=TokenNote).person if body else None

    async def make_code(self, person: str) -> str:
        """A code that makes somebody the same person on a second device, once and soon; those too old are forgotten."""
        code, now = new_code(), self.now()
        kept = [
            (note.name, msgspec.json.decode(note.body or b"", type=CodeNote)) for note in await self.store.notes("code")
        ]
        note = msgspec.json.encode(CodeNote(person, now + CODE_LASTS))
        old = [Note("code", name, None) for name, code_note in kept if code_note.until <= now]
        await self.store.put([Note("code", fingerprint(code), note), *old])
        return code

    async def by_code(self, code: str) -> str:
        mark = fingerprint(code.strip().upper())
        async with self.store.alone("code"):  # of several who use it at the same time only one does
            body = await self.store.get("code", mark)
            note = msgspec.json.decode(body, type=CodeNote) if body else None
            if note is None or self.now() >= note.until or (await self.get(note.person)).is_gone:
                raise Refused("nobody", "this code is wrong, used or too old; make a new one on the other device")
            await self.store.put([Note("code", mark, None)])
        return note.person

    async def rating(self, person: str, game: str) -> Rating | None:
        body = await self.store.get("rating", f"{person}/{game}")
        return msgspec.json.decode(body, type=Rating) if body else None

    async def ratings(self, person: str) -> dict[str, Rating]:
        found = await self.store.notes("rating", f"{person}/")
        return {note.name.rpartition("/")[2]: msgspec.json.decode(note.body or b"", type=Rating) for note in found}


def rating_notes(people: Sequence[str], game: str, ratings: Sequence[Rating]) -> list[Note]:
    return [
        Note("rating", f"{person}/{game}", msgspec.json.encode(rating))
        for person, rating in zip(people, ratings, strict=True)
    ]
