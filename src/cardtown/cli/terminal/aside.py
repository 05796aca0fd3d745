"""Work that takes long, done beside the terminal's own, and never waited for when the terminal closes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], T]) -> T:
    """What `work` brings, from a thread of its own.

    Not asyncio.to_thread: when the program ends, its threads are waited for, and a bot may think for minutes.
    """
    promise: Future[T] = Future()
    promise.set_running_or_notify_cancel()  # who stops waiting for it leaves it as it is

    def keep() -> None:
        try:
            promise.set_result(work())
        except BaseException as error:
            promise.set_exception(error)

    threading.Thread(target=keep, daemon=True).start()
    return await asyncio.wrap_future(promise)
