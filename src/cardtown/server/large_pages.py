"""Memory on large pages, where the system lends them.

A choice touches some hundred places of its table. A processor remembers where a few thousand pages of memory are, and
thousands of tables lie on many more of the usual ones: to look them up again and again, in a virtual machine twice as
long, took a tenth of what a choice costs. Linux puts what is used anyway on pages that are hundreds of times as large
if it is asked to (since 6.1), unless whoever runs the machine has ruled that out.

While it does so everything else in the process may have to wait, for some milliseconds each time where the memory is
new to a virtual machine: so it is done bit by bit, and not for that with which a server begins.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Iterator
from contextlib import suppress
from mmap import PAGESIZE
from pathlib import Path

import numpy as np

LENT = Path("/sys/kernel/mm/transparent_hugepage")
NEVER = "[never]"
REGIONS, PAGES = Path("/proc/self/maps"), Path("/proc/self/pagemap")
ENTRY = 8
IN_MEMORY = 1 << 63
"""Of a page, whose entry is of so many bytes."""

COLLAPSE = 25
"""What the system is asked to do (MADV_COLLAPSE)."""

WORTH_IT = 0.75
"""The share of a large page that must be used: so much more memory is not taken for nothing."""

PAUSE = 0.2
"""Seconds between two of them."""


class LargePages:
    """Where memory lies on large pages, or stays where it is."""

    def __init__(self) -> None:
        self.size = lent()
        self.advise = ctypes.CDLL(None).madvise
        self.advise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self.settled: set[int] = set()
        self.settled.update(self.find())

    async def put_together(self) -> None:
        """Put on large pages what has come since."""
        for at in await asyncio.to_thread(self.find):
            await asyncio.to_thread(self.advise, at, self.size, COLLAPSE)  # if it can't be done all stays as it is
            self.settled.add(at)
            await asyncio.sleep(PAUSE)

    def find(self) -> list[int]:
        """Where large pages would be full enough, beside those for which it is settled."""
        found = set()
        if self.size:
            with suppress(OSError, ValueError):  # no more files can be opened, or the system tells it in another way
                found = set(well_used(self.size))
                self.settled &= found  # the others were given back
        return sorted(found - self.settled)


def lent() -> int:
    """The bytes on a large page; 0 if there are none."""
    with suppress(OSError):
        if NEVER not in (LENT / "enabled").read_text(encoding="ascii"):
            return int((LENT / "hpage_pmd_size").read_text(encoding="ascii"))
    return 0


def well_used(size: int) -> Iterator[int]:
    """Where a large page would be full enough."""
    pages = size // PAGESIZE
    with PAGES.open("rb", buffering=0) as found:
        for begin, end in regions():
            first, last = -(-begin // size), end // size
            found.seek(first * pages * ENTRY)
            entries = np.frombuffer(found.read(max(0, last - first) * pages * ENTRY), np.uint64).reshape(-1, pages)
            used = np.count_nonzero(entries >= IN_MEMORY, axis=1)
            yield from (size * (first + int(each)) for each in np.flatnonzero(used >= WORTH_IT * pages))


def regions() -> Iterator[tuple[int, int]]:
    """From where to where there is memory of this process alone that it may write and that belongs to no file."""
    for line in REGIONS.read_text(encoding="utf-8", errors="replace").splitlines():
        where, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights == "rw-p" and (not name or name[0] == "[heap]"):
            begin, end = where.split("-")
            yield int(begin, 16), int(end, 16)
