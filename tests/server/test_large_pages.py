"""What is used well is put on large pages, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap
from pathlib import Path

import pytest

from cardtown.server import large_pages
from cardtown.server.large_pages import LENT, NEVER, put_together

MIB = 1024 * 1024
SINCE = (6, 1)


def are_lent() -> bool:
    rule = LENT / "enabled"
    version = tuple(int(part) for part in os.uname().release.split(".")[:2])
    return rule.exists() and NEVER not in rule.read_text(encoding="ascii") and version >= SINCE


needs_large_pages = pytest.mark.skipif(not are_lent(), reason="this system lends no large pages")


def held(kind: str) -> int:
    """Bytes of this process."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(kind))


@contextmanager
def memory(size: int, every: int = 1) -> Iterator[mmap]:
    """So many bytes, of which every so many'th page is used, with a text on it."""
    with mmap(-1, size, MAP_PRIVATE | MAP_ANONYMOUS) as new:
        for at in range(0, size, every * PAGESIZE):
            new[at : at + 8] = at.to_bytes(8, "big")
        yield new


@needs_large_pages
def test_what_is_used_comes_to_lie_on_large_pages_and_stays_what_it_is() -> None:
    before = held("AnonHugePages")
    with memory(64 * MIB) as full:
        put_together()
        assert held("AnonHugePages") >= before + 48 * MIB
        for at in range(0, len(full), PAGESIZE):
            assert full[at : at + 8] == at.to_bytes(8, "big")


@needs_large_pages
def test_what_is_hardly_used_takes_no_more_memory() -> None:
    put_together()
    with memory(256 * MIB, every=4):
        before = held("Rss")
        put_together()
        assert held("Rss") < before + 64 * MIB


@needs_large_pages
def test_who_lends_none_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where that is ruled out, nor where the system knows of no large pages."""
    monkeypatch.setattr(large_pages, "LENT", tmp_path)
    with memory(64 * MIB):
        before = held("AnonHugePages")
        put_together()
        (tmp_path / "hpage_pmd_size").write_text(f"{2 * MIB}\n")
        (tmp_path / "enabled").write_text(f"always madvise {NEVER}\n")
        put_together()
        assert held("AnonHugePages") <= before
