"""Whose request this is: a guest's by the cookie, a program's by its token, or somebody new."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from .identity import YEAR, Signer, new_person
from .limits import place_of
from .refusal import Refused
from .town import Town

COOKIE = "cardtown"


@dataclass(frozen=True)
class Visitor:
    """Somebody who asks. `cookie` is what must be set so that they are known next time."""

    person: str
    address: str
    cookie: str | None = None


class Door:
    """Knows people when they come in."""

    def __init__(self, town: Town, signer: Signer) -> None:
        self.town = town
        self.signer = signer

    async def visitor(self, asked: HTTPConnection) -> Visitor:
        address = address_of(asked)
        given = asked.headers.get("authorization")
        if given is not None:
            kind, _, token = given.partition(" ")
            person = await self.town.people.by_token(token.strip()) if kind.lower() == "bearer" else None
            if person is None:
                raise Refused("wrong-token", "this token is not known here; make one in your profile")
            return Visitor(person, address)
        word = asked.cookies.get(COOKIE)
        person = self.signer.read(word, self.town.now()) if word else None
        if word and person is not None and not (await self.town.people.get(person)).is_gone:
            is_old = self.signer.is_old(word, self.town.now())
            return self.welcome(asked, person, address) if is_old else Visitor(person, address)
        return self.welcome(asked, new_person(), address)

    def welcome(self, asked: HTTPConnection, person: str, address: str = "") -> Visitor:
        """Somebody whom this browser is from now on."""
        word = self.signer.sign(person, self.town.now())
        secure = "; Secure" if asked.url.scheme in ("https", "wss") else ""
        cookie = f"{COOKIE}={word}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
        return Visitor(person, address, cookie)

    def check_name(self, asked: HTTPConnection) -> None:
        """A page of another site must not come here by a name of its own."""
        hosts = self.town.settings.hosts
        try:
            called = urlsplit(f"//{asked.headers.get('host', '')}").hostname
        except ValueError:
            raise Refused("wrong-origin", "this is no name of a server") from None
        if hosts is not None and called not in hosts:
            raise Refused("wrong-origin", "this server is not called by that name")

    def check_origin(self, asked: HTTPConnection) -> None:
        """Nor must it act for somebody who is known here."""
        origin = asked.headers.get("origin")
        try:
            asking = urlsplit(origin or "").netloc
        except ValueError:
            raise Refused("wrong-origin", "this is no address of a page") from None
        if origin is not None and asking != asked.headers.get("host", ""):
            raise Refused("wrong-origin", "this must be asked from a page of this server")


def address_of(asked: HTTPConnection) -> str:
    return place_of(asked.client.host) if asked.client else ""
