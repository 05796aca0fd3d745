"""What all tests share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def soak() -> int:
    """How many times as much to check as in a quick run: 1 for `make test`, more for `make soak`."""
    return int(os.environ.get("CARDTOWN_SOAK", "1"))
