"""Several processes that serve one town at one address: started, started again when they die, and ended together."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from .colleagues import Colleagues
from .identity import IdentityError
from .process import set_up_log
from .store import StoreError

log = logging.getLogger(__name__)

SOON = 10.0
"""Seconds within which a death is a failed start: after each of these it takes longer until the next one."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
END_WITHIN = 10.0

Serve = Callable[[Callable[[], None], Colleagues | None, int], None]
"""What a worker does until it is told to end, or something can be read from this file: then the first process is gone.

It says when it is open, and knows who serves beside it.
"""


Lifeline = tuple[int, int]
"""The two ends of a pipe, of which only the first process holds the second one: when it is gone, that can be read."""


class Worker:
    """A process that serves. It is forked: what is loaded is there, and shared."""

    def __init__(self, serve: Serve, number: int, colleagues: Colleagues | None, lifeline: Lifeline) -> None:
        self.serve = serve
        self.number = number
        self.colleagues = colleagues
        self.lifeline = lifeline
        self.pause = SHORTEST_PAUSE
        self.again_at = 0.0
        self.start()

    def start(self) -> None:
        forking = multiprocessing.get_context("fork")
        self.began = time.monotonic()
        self.is_open = False
        self.heard, tells = forking.Pipe(duplex=False)
        words = (self.serve, tells, self.number, self.colleagues, self.lifeline)
        self.process: Any = forking.Process(target=work, args=words)
        self.process.start()
        tells.close()

    def look(self) -> None:
        """Hear that it is open; when it is dead, start it again after a while."""
        if self.process is None:
            if time.monotonic() >= self.again_at:
                self.start()
        elif not self.process.is_alive():
            has_lived = time.monotonic() - self.began > SOON
            self.pause = SHORTEST_PAUSE if has_lived else min(2 * self.pause, LONGEST_PAUSE)
            self.again_at = time.monotonic() + self.pause
            log.warning("a worker has ended (%s); the next one starts in %.1f s", self.process.exitcode, self.pause)
            self.heard.close()
            self.process = None
            if self.colleagues is not None:
                self.colleagues.forget(self.number)
        elif not self.is_open and self.heard.poll():
            with suppress(EOFError):  # it is dying
                self.heard.recv()
                self.is_open = True

    def end(self, within: float) -> None:
        if self.process is not None:
            self.process.join(within)
            self.process.kill()


def work(serve: Serve, tells: Connection, number: int, colleagues: Colleagues | None, lifeline: Lifeline) -> None:
    """What a worker does, until it is told to end."""
    is_gone, held = lifeline
    os.close(held)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if colleagues is not None:
        colleagues.me = number
    try:
        with suppress(KeyboardInterrupt):
            serve(lambda: tells.send(None), colleagues, is_gone)
    except (StoreError, IdentityError) as error:
        log.error("a worker can't serve: %s", error)
        sys.exit(1)


def serve_together(count: int, serve: Serve, when_open: Callable[[], None]) -> None:
    """Serve with so many processes until this one is told to end."""
    set_up_log()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    colleagues = Colleagues(count) if sys.platform == "linux" else None
    lifeline = os.pipe()
    workers: list[Worker] = []
    has_opened = False
    try:
        for number in range(count):
            workers.append(Worker(serve, number, colleagues, lifeline))
        while True:
            for worker in workers:
                worker.look()
            if not has_opened and all(worker.is_open for worker in workers):
                has_opened = True
                when_open()
            news = [worker.process.sentinel for worker in workers if worker.process]
            news += [worker.heard for worker in workers if worker.process and not worker.is_open]
            wait(news, None if all(worker.process for worker in workers) else SHORTEST_PAUSE)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for worker in workers:
            if worker.process is not None:
                worker.process.terminate()
        end = time.monotonic() + END_WITHIN
        for worker in workers:
            worker.end(max(0.0, end - time.monotonic()))
