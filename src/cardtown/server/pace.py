"""Doing something whenever it is asked for, but not too often, so that more of what is asked for is done together."""

from __future__ import annotations

import asyncio


class Pace:
    """What has not been asked for lately is done at once."""

    def __init__(self, spacing: float) -> None:
        self.spacing = spacing
        """Seconds between two turns at least."""
        self.asked = asyncio.Event()
        self.began = float("-inf")

    def ask(self) -> None:
        self.asked.set()

    async def turn(self) -> None:
        """Wait until something is asked for and enough time has passed; what is asked for later is for the next."""
        await self.asked.wait()
        loop = asyncio.get_running_loop()
        early = self.began + self.spacing - loop.time()
        if early > 0:
            await asyncio.sleep(early)
        self.began = loop.time()
        self.asked.clear()
