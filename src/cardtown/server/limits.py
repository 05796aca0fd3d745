"""How often somebody may do something."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from .refusal import Refused

REMEMBERED = 10_000


class Limit:
    """So many at once, and so many per second after that, for each who asks."""

    def __init__(self, at_once: float, per_second: float, now: Callable[[], float]) -> None:
        self.at_once = at_once
        self.per_second = per_second
        self.now = now
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str = "") -> bool:
        """Take one, if there is one left."""
        now = self.now()
        left, at = self.left.pop(who, (self.at_once, now))
        left = min(self.at_once, left + self.per_second * max(0.0, now - at))
        self.left[who] = max(left - 1, 0) if left >= 1 else left, now
        while len(self.left) > REMEMBERED:
            self.left.popitem(last=False)
        return left >= 1

    def check(self, who: str = "") -> None:
        if not self.take(who):
            raise Refused("too-often", "that was too often; wait a moment")
