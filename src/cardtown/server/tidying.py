"""What refers to itself in circles and would never be forgotten, if nobody looked for it.

Python's garbage collector looks through everything that is there again and again: with thousands of tables everybody
waits for a second meanwhile. But what goes on at tables leaves no circles; connections leave some when they end. So
it is looked through only when as much is new as was there, and then as soon as little goes on.
"""

from __future__ import annotations

import asyncio
import gc
from time import process_time

LOOK_EVERY = 1.0
LEAST = 100_000
"""So many new objects are never looked through."""

MUCH, TOO_MUCH = 1.0, 2.0
"""What is new, as a share of what was there; where it is too much nobody waits for a quiet moment."""

QUIET = 0.1
"""The share of a core that this process takes while little goes on."""


class Tidying:
    """In place of the garbage collector."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.there = 0
        self.computed = 0.0
        gc.disable()
        self.tidy()
        gc.freeze()  # what a server begins with stays
        loop.call_later(LOOK_EVERY, self.look)

    def look(self) -> None:
        """Tidy up if it is time."""
        is_quiet = process_time() - self.computed < QUIET * LOOK_EVERY
        if gc.get_count()[0] > max(LEAST, self.there * (MUCH if is_quiet else TOO_MUCH)):
            self.tidy()
        self.computed = process_time()
        self.loop.call_later(LOOK_EVERY, self.look)

    def tidy(self) -> None:
        gc.collect()
        self.there = len(gc.get_objects())
        self.computed = process_time()
