"""What an end is worth to a seat: winning first, and a little for the margin."""

from __future__ import annotations

from cardtown.core.cards import bit, count, lowest
from cardtown.core.state import State

ONE = 1 << 16
"""A game won alone. Worth is a whole number, so that plain Python and compiled code add up to the same."""

FOR_MARGIN = ONE // 20
"""How much of it the margin decides."""

USUAL_MARGIN = 8


def worth(s: State, seat: int) -> int:
    """From 0 to ONE."""
    ahead = margin(s, seat)
    for_margin = (FOR_MARGIN + FOR_MARGIN * ahead // (abs(ahead) + USUAL_MARGIN)) // 2
    return win_share(s, seat) * (ONE - FOR_MARGIN) // ONE + for_margin


def win_share(s: State, seat: int) -> int:
    """ONE for a win, less where it is shared."""
    return ONE // count(s.winners) if s.winners & bit(seat) else 0


def margin(s: State, seat: int) -> int:
    """By how many points a winner is ahead of the next, or another seat behind the winners.

    In some games few points are good: only the distance counts.
    """
    if not s.winners:
        return 0
    best = s.score[lowest(s.winners)]
    if not s.winners & bit(seat):
        return -abs(best - s.score[seat])
    ahead = -1
    for place in range(s.places):
        if not s.winners & bit(place) and (ahead < 0 or abs(best - s.score[place]) < ahead):
            ahead = abs(best - s.score[place])
    return max(ahead, 0)
