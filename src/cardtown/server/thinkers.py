"""Where bots think for a server: a bounded pool of threads in which everybody gets their turn.

Of each table or person one thought at a time waits for a thread, so who asks for much waits longer, not the others.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Thinkers:
    """So many threads."""

    def __init__(self, threads: int) -> None:
        self.pool = ThreadPoolExecutor(threads, "think")
        self.free = asyncio.Semaphore(threads)
        self.turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.waiting = 0

    async def think(self, whose: str, work: Callable[[], T]) -> T:
        """Do `work` in a thread when it is their turn."""
        self.waiting += 1
        turn = self.turns[whose]
        try:
            async with turn, self.free:
                return await asyncio.get_running_loop().run_in_executor(self.pool, work)
        finally:
            self.waiting -= 1
            if not turn.locked():
                self.turns.pop(whose, None)

    def stop(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
