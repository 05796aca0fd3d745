"""What refers to itself in circles and would never be forgotten, if nobody looked for it.

Python's garbage collector looks through everything that is there again and again: with thousands of tables everybody
waits for a second meanwhile. But what goes on at tables leaves no circles; connections leave some when they end, and
with them all that was sent there. So it is looked for when much more memory is used, as soon as little goes on.
"""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path
from time import thread_time

from .large_pages import LargePages

LOOK_EVERY = 1.0
LEAST = 100 * 1024 * 1024
"""Bytes for which nothing is looked through, and of what was used when it was done last"""
MUCH, TOO_MUCH = 0.5, 1.0
"""so much more. Where it is too much nobody waits for a quiet moment."""

APART = 16 * 1024 * 1024
"""Bytes that may come to what was put on large pages before it is done again; it begins with LEAST."""

QUIET = 0.1
"""The share of a core that goes on takes while little goes on; bots think beside it."""

STATE_OF_MEMORY = Path("/proc/self/statm")
LONGEST_STATE = 200


class Tidying:
    """In place of the garbage collector, which stays where the system does not tell how much memory is used."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.used = self.begun = self.together = 0
        self.computed = 0.0
        self.putting: asyncio.Task[None] | None = None
        if STATE_OF_MEMORY.exists():
            self.state = os.open(STATE_OF_MEMORY, os.O_RDONLY)  # kept open: it is needed most when no more files can be
            gc.disable()
            self.tidy()
            gc.freeze()  # what a server begins with stays
            self.large = LargePages()
            self.begun = self.together = self.used
            loop.call_later(LOOK_EVERY, self.look)

    def look(self) -> None:
        """Tidy up if it is time."""
        self.loop.call_later(LOOK_EVERY, self.look)
        is_quiet = thread_time() - self.computed < QUIET * LOOK_EVERY
        used = self.used_memory()
        if used > self.used + max(LEAST, self.used * (MUCH if is_quiet else TOO_MUCH)):
            self.tidy()
        if used > max(self.begun + LEAST, self.together + APART) and (self.putting is None or self.putting.done()):
            self.putting = self.loop.create_task(self.large.put_together())
            self.together = used
        self.together = min(self.together, used)  # it may be given back
        self.computed = thread_time()

    def tidy(self) -> None:
        gc.collect()
        self.used = self.used_memory()

    def used_memory(self) -> int:
        """The bytes that this process has for itself."""
        _, resident, shared, *_ = map(int, os.pread(self.state, LONGEST_STATE, 0).split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
