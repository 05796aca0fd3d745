"""Egocentric World: what goes into hands and out of them, and who knows it."""

from __future__ import annotations

from cardtown.core.bags import any_in, lay_out, many, one, one_fewer_of_each, size
from cardtown.core.chance import mix

from .state import ALL_CARDS, CARDS, SOLO_PLACES, State, Way


def gain_openly(s: State, seat: int, value: int) -> None:
    """EGO-29: everybody sees which card comes into a hand."""
    s.hand[seat] += one(value)
    for knower in range(s.seats):
        s.certain[knower, seat] += one(value)


def lose_openly(s: State, seat: int, value: int) -> None:
    """Everybody sees which card leaves a hand."""
    s.hand[seat] -= one(value)
    for knower in range(s.seats):
        if many(s.certain[knower, seat], value) > 0:
            s.certain[knower, seat] -= one(value)


def lose_unseen(s: State, seat: int, value: int, getter: int) -> None:
    """EGO-29: only the getter sees which card leaves; for all others it may be any of those they know."""
    s.hand[seat] -= one(value)
    for knower in range(s.seats):
        if knower != getter:
            s.certain[knower, seat] = one_fewer_of_each(s.certain[knower, seat])
        elif many(s.certain[knower, seat], value) > 0:
            s.certain[knower, seat] -= one(value)


def show(s: State, seat: int, value: int, n: int) -> None:
    """Everybody sees that a hand holds at least `n` cards of a value."""
    for knower in range(s.seats):
        known = many(s.certain[knower, seat], value)
        if known < n:
            s.certain[knower, seat] += (n - known) * one(value)


def redeal(s: State, seat: int) -> None:
    """EGO-29: keep what is certain, deal all else anew; what others know of each other is what everybody knows."""
    own_drawn = s.drawn != 0 and s.active == seat
    left = lay_out(unknown_to(s, seat, own_drawn), s.deck)
    mix(s.rng, s.deck, 0, left)
    for other in range(s.places):
        if other != seat:
            missing = size(s.hand[other]) - size(s.certain[seat, other])
            s.hand[other] = s.certain[seat, other]
            for _ in range(missing):
                left -= 1
                s.hand[other] += one(s.deck[left])
            for knower in range(s.seats):
                if knower != seat:
                    s.certain[knower, other] = s.certain[other, other]
    for bot in range(s.seats, SOLO_PLACES):
        for i in range(s.hidden_n[bot]):
            left -= 1
            s.hidden[bot, i] = s.deck[left]
    if s.drawn != 0 and not own_drawn:
        left -= 1
        s.drawn = s.deck[left]
    s.deck_next = 0
    s.deck_end = left
    for i in range(left, CARDS):
        s.deck[i] = 0
    if s.way[0] == Way.RANDOM or (s.way[0] == Way.FREELY and s.active != seat):
        s.chosen[0] = any_in(s.rng, s.hand[s.designated[0]])


def unknown_to(s: State, seat: int, own_drawn: bool) -> int:
    """The bag of cards of which `seat` can't say where they lie."""
    unknown = ALL_CARDS - s.pile
    for other in range(s.places):
        unknown -= s.hand[seat] if other == seat else s.certain[seat, other]
    return unknown - one(s.drawn) if own_drawn else unknown
