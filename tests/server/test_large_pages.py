"""What is used well is put on large pages, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap
from pathlib import Path

import pytest

from cardtown.server import large_pages
from cardtown.server.large_pages import LENT, NEVER, LargePages

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


@pytest.fixture(autouse=True)
def without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_pages, "PAUSE", 0.0)


@needs_large_pages
async def test_what_comes_to_it_is_put_on_large_pages_and_stays_what_it_is() -> None:
    large = LargePages()
    before = held("AnonHugePages")
    with memory(64 * MIB) as full:
        await large.put_together()
        assert held("AnonHugePages") >= before + 48 * MIB
        assert large.find() == []
        for at in range(0, len(full), PAGESIZE):
            assert full[at : at + 8] == at.to_bytes(8, "big")
    now = large.settled.copy()
    large.find()
    assert large.settled < now  # what is given back may come again


@needs_large_pages
async def test_what_it_begins_with_and_what_is_hardly_used_stay_where_they_are() -> None:
    with memory(64 * MIB):
        large = LargePages()
        with memory(256 * MIB, every=4):
            pages, taken = held("AnonHugePages"), held("Rss")
            await large.put_together()
            assert held("AnonHugePages") < pages + 32 * MIB
            assert held("Rss") < taken + 64 * MIB


@needs_large_pages
async def test_who_lends_none_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where that is ruled out, nor where the system knows of no large pages."""
    monkeypatch.setattr(large_pages, "LENT", tmp_path)
    for is_known in (False, True):
        if is_known:
            (tmp_path / "hpage_pmd_size").write_text(f"{2 * MIB}\n")
            (tmp_path / "enabled").write_text(f"always madvise {NEVER}\n")
        large = LargePages()
        with memory(64 * MIB):
            before = held("AnonHugePages")
            await large.put_together()
            assert held("AnonHugePages") <= before
