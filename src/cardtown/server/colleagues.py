"""The workers at one address, each of which has its own tables: who comes to a table is handed over to its worker.

The system gives a connection to any of them. If all who are at a table are connected to the same one, what happens
there need not be told to the others and carried out again by them. Nothing depends on it: every worker can serve every
table, and does so where the table's own shows no sign of life, or has no room.

On Linux only: elsewhere a connection may be lost that is closed here before it has come there.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from zlib import crc32

from .tables import new_name

BEAT = 0.5
DEAD_AFTER = 2.0
"""Seconds without a sign of life after which nobody is handed over to a worker."""

MOST_WAITING = 1024 * 1024
"""Bytes that may wait for a worker, if the system allows as many; who comes then stays where they are."""

FULL_FOR = 10.0
"""Seconds for which nobody more is taken in when the system had no room for somebody's connection."""

LONGEST_REQUEST = 64 * 1024
AT_ONCE = 50
"""Who is taken in, at most, before those who are there have a turn."""

TakeIn = Callable[[socket.socket, bytes], None]
"""Serves a connection from which this request has been read."""


class Colleagues:
    """Made before the workers are, which share what it holds. Each of them says who it is."""

    def __init__(self, count: int) -> None:
        self.me = 0
        self.full_until = 0.0
        self.doors = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(count)]
        """Of each worker's two ends the others write to the first."""
        self.seen = RawArray("d", count)
        for outside, inside in self.doors:
            outside.setblocking(False)
            inside.setblocking(False)
            outside.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_WAITING)

    def worker_of(self, table: str) -> int:
        return crc32(table.encode()) % len(self.doors)

    def new_name(self) -> str:
        """The name of a table that is this worker's own."""
        while self.worker_of(name := new_name()) != self.me:
            pass
        return name

    def hand_over(self, table: str, request: bytes, connection: int) -> bool:
        """Let the table's own worker have a connection, if that is another one; who hands it over must close it."""
        other = self.worker_of(table)
        if other == self.me or monotonic() > self.seen[other] + DEAD_AFTER or len(request) > LONGEST_REQUEST:
            return False
        try:
            socket.send_fds(self.doors[other][0], [request], [connection])
        except OSError:
            return False
        return True

    def begin(self, take_in: TakeIn, has_room: Callable[[], bool]) -> None:
        """Show signs of life while there is room, and take in those who are handed over."""
        self._live(has_room)
        asyncio.get_running_loop().add_reader(self.doors[self.me][1], self._receive, take_in)

    def end(self) -> None:
        """Take nobody in any more."""
        asyncio.get_running_loop().remove_reader(self.doors[self.me][1])
        self._be_full(float("inf"))

    def forget(self, worker: int) -> None:
        """It is dead: nobody is handed over to it, and whoever waits for it may come back to the others."""
        self.seen[worker] = 0.0
        for _, connection in self._handed_over(worker):
            if connection is not None:
                connection.close()

    def _live(self, has_room: Callable[[], bool]) -> None:
        now = monotonic()
        self.seen[self.me] = now if has_room() and now >= self.full_until else 0.0
        asyncio.get_running_loop().call_later(BEAT, self._live, has_room)

    def _be_full(self, until: float) -> None:
        self.full_until = until
        self.seen[self.me] = 0.0

    def _receive(self, take_in: TakeIn) -> None:
        for request, connection in islice(self._handed_over(self.me), AT_ONCE):
            if connection is None:
                self._be_full(monotonic() + FULL_FOR)
            else:
                take_in(connection, request)

    def _handed_over(self, worker: int) -> Iterator[tuple[bytes, socket.socket | None]]:
        """All who wait for a worker, one after another; None: there was no room for a connection, so it was closed."""
        while True:
            try:
                request, connections, *_ = socket.recv_fds(self.doors[worker][1], LONGEST_REQUEST, 1)
            except BlockingIOError:
                return
            yield request, socket.socket(fileno=connections[0]) if connections else None
