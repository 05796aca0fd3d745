"""Bags of cards that are told apart by their value alone: how many there are of each, four bits per value.

A bag is one integer, so whole bags are put together and taken away by + and -. Values are 0 to 14, at most 15 of each.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from .chance import Stream, below

ONES = 0x0111_1111_1111_1111


def one(value: int) -> int:
    """The bag that holds one card of this value."""
    return 1 << (4 * value)


def many(bag: int, value: int) -> int:
    """How many cards of this value are in the bag."""
    return bag >> (4 * value) & 15


def values(bag: int) -> int:
    """The values of which the bag holds a card, as a mask."""
    return _gather((bag | bag >> 1 | bag >> 2 | bag >> 3) & ONES)


def values_twice(bag: int) -> int:
    """The values of which the bag holds two cards or more, as a mask."""
    return _gather((bag >> 1 | bag >> 2 | bag >> 3) & ONES)


def _gather(ones: int) -> int:
    """Every fourth bit moved together."""
    ones = (ones | ones >> 3) & 0x0303_0303_0303_0303
    ones = (ones | ones >> 6) & 0x000F_000F_000F_000F
    ones = (ones | ones >> 12) & 0x0000_00FF_0000_00FF
    return (ones | ones >> 24) & 0xFFFF


def size(bag: int) -> int:
    """How many cards are in the bag."""
    sums = (bag & 0x0F0F_0F0F_0F0F_0F0F) + (bag >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    sums += sums >> 8
    sums += sums >> 16
    return (sums + (sums >> 32)) & 0xFF


def one_fewer_of_each(bag: int) -> int:
    """The bag without one card of every value in it."""
    return bag - ((bag | bag >> 1 | bag >> 2 | bag >> 3) & ONES)


def any_in(r: Stream, bag: int) -> int:
    """The value of a random card in the bag."""
    ticket = below(r, size(bag))
    value = 0
    while ticket >= many(bag, value):
        ticket -= many(bag, value)
        value += 1
    return value


def lay_out(bag: int, cards: MutableSequence[int]) -> int:
    """Lay the cards of the bag side by side in `cards`, in order of their values; how many there are."""
    n = 0
    value = 0
    while bag:
        for _ in range(bag & 15):
            cards[n] = value
            n += 1
        bag >>= 4
        value += 1
    return n
