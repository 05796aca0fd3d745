"""Top of the Hinode Town: cubes and skills that are paid for when a card is played."""

from __future__ import annotations

from cardtown.core.cards import bit
from cardtown.core.story import ALL, tell

from .parts import CHARLEMONT_CUBES, COST, EFFECT, SUITS, Event, Phase, State, Tribe, ask


def can_use_skill(s: State, seat: int) -> bool:
    """HIN-24: who can pay for it. HIN-26: Charlemont only if there is something to take."""
    if s.tribe[seat] == Tribe.CHARLEMONT and held_by_others(s, seat) == 0:
        return False
    return payable(s, seat) != 0


def payable(s: State, seat: int) -> int:
    """HIN-24: the colours of which a seat has enough for its skill."""
    colours = 0
    for colour in range(SUITS):
        if s.purse[seat, colour] >= COST[s.tribe[seat]]:
            colours |= bit(colour)
    return colours


def held_by_others(s: State, seat: int) -> int:
    """HIN-26: the colours that another player has. Only unspent cubes lie in a purse."""
    colours = 0
    for other in range(s.players):
        for colour in range(SUITS):
            if other != seat and s.purse[other, colour] > 0:
                colours |= bit(colour)
    return colours


def pay(s: State, seat: int, colour: int) -> None:
    """HIN-24: the cubes are gone, whatever comes of it. HIN-25 to HIN-28: what the skill does."""
    spend(s, seat, colour, COST[s.tribe[seat]], EFFECT[s.tribe[seat]])
    tell(s, ALL, Event.PAID, seat, s.tribe[seat], colour)
    if s.tribe[seat] == Tribe.CHARLEMONT:
        ask(s, seat, Phase.STEAL)
    else:
        s.phase = Phase.NEXT_TURN


def spend(s: State, seat: int, colour: int, n: int, effect: int) -> None:
    """HIN-09, HIN-24: spent cubes are gone; what they do lasts for this trick."""
    s.purse[seat, colour] -= n
    s.spent[colour] += n
    s.paid[seat] = colour
    s.used[seat] = effect


def steal(s: State, seat: int, colour: int) -> None:
    """HIN-26: every other player who has a cube of that colour gives one."""
    for other in range(s.players):
        given = min(s.purse[other, colour], CHARLEMONT_CUBES)
        if other != seat and given > 0:
            s.purse[other, colour] -= given
            s.purse[seat, colour] += given
            tell(s, ALL, Event.GAVE, other, seat, given * SUITS + colour)
    s.phase = Phase.NEXT_TURN
