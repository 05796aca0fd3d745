"""Is something that was drawn at random all and only what it should be, equally often?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Set


def assert_equally_often(found: Counter[Hashable], expected: Set[Hashable]) -> None:
    """Chi-square with a bound that an exact source passes all but once in a million times."""
    strange = set(found) - expected
    assert not strange, f"{len(strange)} outcomes that can't be, such as {next(iter(strange))}"
    missing = expected - set(found)
    assert not missing, f"{len(missing)} of {len(expected)} outcomes never came, such as {next(iter(missing))}"
    each = found.total() / len(expected)
    chi_square = sum((found[outcome] - each) ** 2 / each for outcome in expected)
    assert chi_square < chi_square_bound(len(expected) - 1), f"{chi_square:.1f} over {len(expected)} outcomes"


def chi_square_bound(freedom: int) -> float:
    """What chi-square exceeds once in a million times (Wilson and Hilferty's approximation)."""
    z = 4.753
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + z * math.sqrt(spread)) ** 3
