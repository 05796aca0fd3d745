"""How often somebody may do something."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from .refusal import Refused

REMEMBERED = 10_000


class Allowance:
    """So many at once, and so many per second after that."""

    __slots__ = ("at", "at_once", "left", "per_second")

    def __init__(self, at_once: float, per_second: float) -> None:
        self.at_once = at_once
        self.per_second = per_second
        self.left = at_once
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

    def __init__(self, at_once: float, per_second: float, now: Callable[[], float]) -> None:
        self.at_once = at_once
        self.per_second = per_second
        self.now = now
        self.of: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take one of theirs, if there is one left."""
        allowance = self.of.pop(who, None) or Allowance(self.at_once, self.per_second)
        self.of[who] = allowance
        while len(self.of) > REMEMBERED:
            self.of.popitem(last=False)
        return allowance.take(self.now())

    def check(self, who: str) -> None:
        if not self.take(who):
            raise Refused("too-often", "that was too often; wait a moment")
