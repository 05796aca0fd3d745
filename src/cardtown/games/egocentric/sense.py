"""Egocentric World: what somebody would do who thinks no further; bots play on like this to see how a game may end.

Solo only: among several seats, playing on by chance alone tells as much in the same time.
"""

from __future__ import annotations

from cardtown.core.cards import bit

from .abilities import USE
from .state import Phase, State, highest_in, points
from .turns import DISCARD, DRAW, KEEP, MATCH, STOP, TAKE

SHEDS = bit(STOP) - bit(MATCH + 1)
"""Every `match` and `pair`: the moves that leave a card less in the hand."""

FEW_POINTS = 5
LOW_CARD = 3


def sensible(s: State, seat: int, choices: int) -> int:
    if s.seats > 1:
        return choices
    if s.phase == Phase.TURN:
        return sensible_turn(s, seat, choices)
    if s.phase == Phase.DRAWN:
        highest = highest_in(s.hand[seat])
        return bit(KEEP + highest) if highest > s.drawn else bit(DISCARD)
    if s.phase == Phase.ABILITY and choices & bit(USE):
        return bit(USE)
    return choices


def sensible_turn(s: State, seat: int, choices: int) -> int:
    """Shed a card; stop with few points; else exchange the highest card for a lower one."""
    if choices & SHEDS:
        return choices & SHEDS
    highest = highest_in(s.hand[seat])
    take = bit(TAKE + highest) if highest > s.top else 0
    draw = choices & bit(DRAW) if s.top > LOW_CARD or not take else 0
    lower = take | draw if take | draw else choices
    return bit(STOP) if points(s.hand[seat]) <= FEW_POINTS else lower
