"""Sets of cards (or seats, or choices) as integer masks: bit c is set when card c is in the set."""


def bit(card: int) -> int:
    """The set that holds `card` alone."""
    return 1 << card


def count(cards: int) -> int:
    """How many cards are in the set."""
    return cards.bit_count()


def count_bits(cards: int) -> int:
    """`count` as it is compiled: the compilers know no `bit_count`."""
    pairs = cards - ((cards >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    return (((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56


def is_single(cards: int) -> bool:
    """Is there exactly one card in the set? (An empty one would do too: nobody asks.)"""
    return cards & (cards - 1) == 0


def lowest(cards: int) -> int:
    """The first card of the set; `cards & (cards - 1)` is the set without it."""
    return count((cards & -cards) - 1)


def nth(cards: int, n: int) -> int:
    """The card that has `n` others of the set before it."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


def next_clockwise(seats: int, start: int) -> int:
    """The first seat of the set at or after `start`, going round."""
    later = seats & -(1 << start)
    return lowest(later if later else seats)


def members(cards: int) -> list[int]:
    """The cards of the set in order: for people, not for compiled rules."""
    return [card for card in range(cards.bit_length()) if cards >> card & 1]
