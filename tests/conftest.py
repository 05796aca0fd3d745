"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Tally = Callable[[str, int], None]


@pytest.fixture
def soak() -> int:
    """How many times as much to check as in a quick run: 1 for `make test`, more for `make soak`."""
    return int(os.environ.get("CARDTOWN_SOAK", "1"))


@pytest.fixture
def tally() -> Tally:
    """Counts what a test checked, for the report of `make soak`."""
    file = os.environ.get("CARDTOWN_TALLY")

    def count(what: str, n: int) -> None:
        if file:
            with Path(file).open("a", encoding="utf-8") as out:
                out.write(f"{what}\t{n}\n")

    return count
