"""How sure a share is that was seen in so many tries."""

from __future__ import annotations

import math

Z = 1.959964
"""Nineteen of twenty normal deviates lie within so many standard deviations."""


def likely_range(share: float, tries: float) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's, which never leaves 0 to 1)."""
    if tries <= 0:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * tries)) / (1 + Z * Z / tries)
    reach = Z / (1 + Z * Z / tries) * math.sqrt(share * (1 - share) / tries + Z * Z / (4 * tries * tries))
    return min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share)
