"""Memory on large pages, where the system lends them.

A choice touches some hundred places of its table. A processor remembers where a few thousand pages of memory are, and
thousands of tables lie on many more of the usual ones: to look them up again and again, in a virtual machine twice as
long, took a tenth of what a choice costs. Linux puts what is used anyway on pages that are hundreds of times as large
if it is asked to (since 6.1), unless whoever runs the machine has ruled that out.
"""

from __future__ import annotations

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


def put_together() -> None:
    """Put on large pages what is not yet. It takes up to some milliseconds for each; it may be done in any thread."""
    with suppress(OSError):  # no more files can be opened, or nothing is lent here at all
        if NEVER in (LENT / "enabled").read_text(encoding="ascii"):
            return
        size = int((LENT / "hpage_pmd_size").read_text(encoding="ascii"))
        advise = ctypes.CDLL(None).madvise
        advise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        for begin, end in well_used(size):
            advise(begin, end - begin, COLLAPSE)  # where it can't be done all stays as it is


def well_used(size: int) -> Iterator[tuple[int, int]]:
    """From where to where large pages would be full enough. Each time the system is asked it waits for all cores."""
    pages = size // PAGESIZE
    with PAGES.open("rb", buffering=0) as found:
        for begin, end in regions():
            first, last = -(-begin // size), end // size
            found.seek(first * pages * ENTRY)
            entries = np.frombuffer(found.read(max(0, last - first) * pages * ENTRY), np.uint64).reshape(-1, pages)
            used = np.count_nonzero(entries >= IN_MEMORY, axis=1)
            is_full = np.concatenate(([False], used >= WORTH_IT * pages, [False]))
            for run in np.flatnonzero(np.diff(is_full)).reshape(-1, 2):
                yield (first + int(run[0])) * size, (first + int(run[1])) * size


def regions() -> Iterator[tuple[int, int]]:
    """From where to where there is memory of this process alone that it may write and that belongs to no file."""
    for line in REGIONS.read_text(encoding="utf-8", errors="replace").splitlines():
        where, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights == "rw-p" and (not name or name[0] == "[heap]"):
            begin, end = where.split("-")
            yield int(begin, 16), int(end, 16)
