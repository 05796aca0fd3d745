"""How often somebody may do something."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from .refusal import Refused

REMEMBERED = 10_000
NETWORK = 8
"""Bytes of an IPv6 address that name a network; the rest is up to who is there."""


class Measure(NamedTuple):
    """So many at once, and so many per second after that."""

    at_once: int
    per_second: float


class Allowance:
    """What is left of a measure."""

    __slots__ = ("at", "at_once", "left", "per_second")

    def __init__(self, measure: Measure) -> None:
        self.at_once, self.per_second = measure
        self.left: float = self.at_once
        self.at = float("-inf")

    def take(self, now: float) -> bool:
        """Take one, if there is one left."""
        self.left = min(self.at_once, self.left + self.per_second * max(0.0, now - self.at))
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Limit:
    """An allowance for each who asks."""

    def __init__(self, measure: Measure, now: Callable[[], float]) -> None:
        self.measure = measure
        self.now = now
        self.of: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take one of theirs, if there is one left."""
        allowance = self.of.pop(who, None) or Allowance(self.measure)
        self.of[who] = allowance
        while len(self.of) > REMEMBERED:
            self.of.popitem(last=False)
        return allowance.take(self.now())

    def check(self, who: str) -> None:
        if not self.take(who):
            raise Refused("too-often", "that was too often; wait a moment")

    def check_address(self, address: str) -> None:
        """All who come from one address elsewhere together."""
        if is_elsewhere(address):
            self.check(address)


class Both:
    """A limit for each person, and one for all people of an address: who forgets their cookie is somebody new."""

    def __init__(self, person: Measure, address: Measure, now: Callable[[], float]) -> None:
        self.by_person = Limit(person, now)
        self.by_address = Limit(address, now)

    def check(self, person: str, address: str) -> None:
        self.by_person.check(person)
        self.by_address.check_address(address)


def place_of(address: str) -> str:
    """Under which address somebody is counted: of an IPv6 network one machine has as many as it likes."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address) or found.is_loopback:
        return address
    return str(found.ipv4_mapped or IPv6Address(found.packed[:NETWORK] + bytes(NETWORK)))


def is_elsewhere(address: str) -> bool:
    """Is it another machine's address? One of this machine may be a web server's that does not say for whom it asks."""
    try:
        return not ip_address(address).is_loopback
    except ValueError:
        return False
