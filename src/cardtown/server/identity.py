"""Who somebody is: guests are known by a signed word in a cookie, programs by a token, a second device by a code.

Nothing here is an account: whoever has the word is the person. The key that signs is made once and kept with the data.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from contextlib import suppress
from pathlib import Path

from .files import new_file
from .store import Note, Store

KEY_FILE = "signing-key"
KEY_NOTE = ("key", "signing")
KEY_BYTES = 32
YEAR = 365 * 24 * 3600
TOKEN_PREFIX = "town_"
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are easily taken for each other."""

CODE_LENGTH = 10


class IdentityError(Exception):
    """The key can't be used: says why."""


def signing_key(data: Path) -> bytes:
    """The key of a data folder, made when it is not there; only its owner may read it."""
    file = data / KEY_FILE
    if not file.exists():
        with suppress(FileExistsError), new_file(file) as out:
            out.write(secrets.token_bytes(KEY_BYTES))
    if file.stat().st_mode & 0o077:
        raise IdentityError(f"{file}: others may read it; make it private with chmod 600, or delete it for a new key")
    key = file.read_bytes()
    if len(key) != KEY_BYTES:
        raise IdentityError(f"{file}: is not a key of {KEY_BYTES} bytes; delete it for a new one")
    return key


async def shared_key(store: Store) -> bytes:
    """The key that all processes of a shared store use, made when it is not there."""
    async with store.alone("key"):
        key = await store.get(*KEY_NOTE)
        if key is None:
            key = secrets.token_bytes(KEY_BYTES)
            await store.put([Note(*KEY_NOTE, key)])
        return key


def new_person() -> str:
    """The name that the town has for a new guest; people never see it."""
    return secrets.token_urlsafe(12)


class Signer:
    """Signs who somebody is, until when, and reads it again."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def sign(self, person: str, now: float, lasts: float = YEAR) -> str:
        said = f"{person}.{int(now + lasts)}"
        return f"{said}.{self._seal(said)}"

    def read(self, word: str, now: float) -> str | None:
        """The person whom a word names; None if it was not signed here or is too old."""
        said, _, seal = word.rpartition(".")
        person, _, until = said.rpartition(".")
        if not person or not hmac.compare_digest(seal.encode(), self._seal(said).encode()):
            return None
        return person if now < int(until) else None

    def is_old(self, word: str, now: float) -> bool:
        """Has more than half of its time passed? Who still comes should get a new one."""
        _, until, _ = word.rsplit(".", 2)
        return int(until) - now < YEAR / 2

    def _seal(self, said: str) -> str:
        digest = hmac.new(self.key, said.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_token() -> str:
    """What a program shows to act for a person. Only its fingerprint is kept."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def new_code() -> str:
    """What somebody types on a second device to be the same person there."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def fingerprint(secret: str) -> str:
    """Under what a token or code is kept: who reads the store can't act with it."""
    return hashlib.sha256(secret.encode()).hexdigest()
