"""Asks those of whom nothing was heard whether they are there; whatever is heard of them then says so.

Where thousands sit and think it matters what that costs. The loop sorts its timers, so there is one for all of them: at
each of its ticks those are looked at who stand there.
"""

from __future__ import annotations

import asyncio
from collections import deque
from math import ceil
from typing import Protocol

PING_EVERY = 20.0
"""Seconds after which somebody of whom nothing was heard is asked whether they are there, and then sent away."""

TICKS = 20
"""In that time."""


class Pulsing(Protocol):
    """Somebody who is connected."""

    heard_at: float
    asked_at: float
    place: set[Pulsing]
    """Those who are looked at together with them."""

    def ask(self) -> None:
        """Are you there?"""

    def keepalive_timeout(self) -> None:
        """They have not said so."""


class Pulse:
    """Those who are connected, in the order in which they are looked at."""

    def __init__(self) -> None:
        self.ticks: deque[set[Pulsing]] = deque(set() for _ in range(TICKS + 1))
        self.is_ticking = False

    def add(self, who: Pulsing) -> None:
        self._place(who, PING_EVERY)
        if not self.is_ticking:
            self._tick_soon()

    def remove(self, who: Pulsing) -> None:
        who.place.discard(who)

    def _place(self, who: Pulsing, seconds: float) -> None:
        """They are looked at when so much time has passed, or a tick later."""
        who.place = self.ticks[ceil(TICKS * seconds / PING_EVERY)]
        who.place.add(who)

    def _tick_soon(self) -> None:
        self.is_ticking = any(self.ticks)
        if self.is_ticking:
            asyncio.get_running_loop().call_later(PING_EVERY / TICKS, self._tick)

    def _tick(self) -> None:
        here = self.ticks.popleft()
        self.ticks.append(set())
        now = asyncio.get_running_loop().time()
        for who in here:
            self._look_at(who, now)
        self._tick_soon()

    def _look_at(self, who: Pulsing, now: float) -> None:
        silent = now - who.heard_at
        if silent < PING_EVERY:
            self._place(who, PING_EVERY - silent)
        elif who.asked_at <= who.heard_at:
            who.asked_at = now
            who.ask()
            self._place(who, PING_EVERY)
        else:
            who.keepalive_timeout()
