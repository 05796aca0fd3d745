"""Egocentric World: its cards and its state.

A card is its value, 1 to 12; a hand, the discard pile and what somebody knows of a hand are bags of cards
(`core.bags`). In solo seats 1 and 2 are the Citybots: they have places, but never choose.
"""

from __future__ import annotations

from enum import IntEnum

from cardtown.core import state
from cardtown.core.bags import many, values, values_twice
from cardtown.core.cards import bit, count, nth
from cardtown.core.components import components, require
from cardtown.core.state import MAX_SEATS, grid, mask, masks, number, numbers

PARTS = components(__package__)
VALUES = 12
CARDS = 60
HAND = 5
GOAL = 50
WILD = 8
CANCEL = 9
COPIES: tuple[int, ...] = tuple(PARTS["copies"]["of_each"])
LOOK: int = PARTS["lost_abilities"]["look"]
EXCHANGE: int = PARTS["lost_abilities"]["exchange"]
AGAIN: int = PARTS["lost_abilities"]["again"]

require(PARTS["cards"]["values"] == VALUES, "cards.values", "the rulebook gives values 1 to 12")
require(PARTS["cards"]["total"] == CARDS, "cards.total", "the rulebook shuffles 60 cards")
require(PARTS["cards"]["hand"] == HAND, "cards.hand", "the rulebook deals five cards")
require(PARTS["goal"]["points"] == GOAL, "goal.points", "the rulebook plays until somebody reaches 50")
require(PARTS["abilities"]["wild"] == WILD, "abilities.wild", "the rulebook has an 8 stand for 7, 8 or 9")
require(PARTS["abilities"]["cancel"] == CANCEL, "abilities.cancel", "the rulebook has a 9 cancel")
require(sum(COPIES) == CARDS, "copies.of_each", f"must be 60 cards together, not {sum(COPIES)}")
require(all(1 <= n <= 15 for n in COPIES), "copies.of_each", "must be from 1 to 15 of each value")
require(
    len({LOOK, EXCHANGE, AGAIN} & set(range(1, VALUES + 1)) - {WILD, CANCEL}) == 3,
    "lost_abilities",
    "must be three different values from 1 to 12, neither 8 nor 9",
)

NONE = -1
YOU = 0  # in solo
LEFT = 1
RIGHT = 2
SOLO_PLACES = 3
ABILITIES = bit(LOOK) | bit(EXCHANGE) | bit(AGAIN)  # those that are asked for
ALL_CARDS = sum(n << (4 * value) for value, n in enumerate(COPIES, 1))
NEW_DECK = tuple(value for value, n in enumerate(COPIES, 1) for _ in range(n))
NEAR_WILD = bit(WILD - 1) | bit(WILD + 1)
MATCHES = tuple(  # EGO-16: by the top of the pile, the values that are its equal
    bit(top) | (NEAR_WILD if top == WILD else bit(WILD) if abs(top - WILD) == 1 else 0) for top in range(VALUES + 1)
)


class Phase(IntEnum):
    TURN = 0
    DRAWN = 1
    ABILITY = 2
    SWAP = 3
    REACT = 4
    FIRST_CARD = 5
    SECOND_CARD = 6
    LOOK = 7
    PARTNER = 8
    GIVE = 9
    GET = 10
    GET_LEFT = 11
    GET_RIGHT = 12
    PLAYED = 13  # from here on nobody chooses
    TURN_OVER = 14
    ROUND_OVER = 15
    NEW_ROUND = 16
    OVER = 17


class Way(IntEnum):
    """How a card is chosen for an exchange."""

    NOT_YET = 0
    FREELY = 1
    RANDOM = 2
    NAMED = 3


class Chance(IntEnum):
    DECK = 0
    START = 1
    PICK = 2


class Event(IntEnum):
    ROUND = 0
    TURNED_UP = 1
    DEALT = 2
    STARTS = 3
    RENEWED = 4
    DREW = 5
    DREW_CARD = 6
    DISCARDED = 7
    KEPT = 8
    TOOK = 9
    MATCHED = 10
    PAIRED = 11
    STOPPED = 12
    STOPPED_TOO = 13
    SKIPPED = 14
    AGAIN = 15
    WANTS_SWAP = 16
    WANTS_LOOK = 17
    ALLOWED = 18
    CANCELLED = 19
    CHOSE_OWN = 20
    CHOSE_OWN_CARD = 21
    CHOSE_RANDOM = 22
    NAMED = 23
    EXCHANGED = 24
    GAVE = 25
    WRONG_NAME = 26
    PENALTY = 27
    PENALTY_CARD = 28
    NO_PENALTY = 29
    LOOKED = 30
    SAW = 31
    REVEALED = 32
    NOTHING_HIDDEN = 33
    DREW_OPENLY = 34
    SWAPPED_DRAWN = 35
    OPENLY_EXCHANGED = 36
    BLOCKED = 37
    OUT = 38
    STOP_ENDS = 39
    REMOVED = 40
    SCORED = 41
    WON = 42


class State(state.State):
    pile = mask()  # the discard pile, a bag
    hand = masks(MAX_SEATS)  # a bag each; of a Citybot, the visible cards
    # EGO-29: what each seat (row) certainly knows to be in each hand; in the row of its owner, what everybody knows.
    certain = grid(MAX_SEATS, MAX_SEATS, 64)
    round_no = number(16)
    goal = number()  # option: the total that ends the game
    difficulty = number()  # option: what Citybots remove before they are scored
    phase = number()
    active = number()  # whose turn it is
    starters = number()  # the seats of which one starts the round
    stopper = number()  # who said stop first, or NONE
    deck = numbers(CARDS)
    deck_next = number()  # where its top is
    deck_end = number()
    top = number()  # of the pile
    drawn = number()  # the card that was drawn and is being looked at, or 0
    hidden = grid(SOLO_PLACES, HAND)  # the Citybots' piles, the top last
    hidden_n = numbers(SOLO_PLACES)
    designated = numbers(2)
    to_ask = number()  # the designated seats that may still cancel
    way = numbers(2)  # how the card of each designated seat was chosen
    chosen = numbers(2)  # and which one
    counts = numbers(VALUES + 1)  # a hand while a card is picked from it


def points(hand: int) -> int:
    """EGO-18: the sum of its values."""
    total = 0
    for value in range(1, VALUES + 1):
        total += value * many(hand, value)
    return total


def highest_in(hand: int) -> int:
    held = values(hand)
    return nth(held, count(held) - 1)


def pairs_in(hand: int) -> int:
    """EGO-07, EGO-16: the values that have a partner in the hand."""
    near = values(hand) & NEAR_WILD
    wild = near | bit(WILD) if near and many(hand, WILD) > 0 else 0
    return values_twice(hand) | wild


def partner_of(hand: int, value: int) -> int:
    if many(hand, value) > 1:
        return value
    if value != WILD:
        return WILD
    return WILD + 1 if many(hand, WILD + 1) > 0 else WILD - 1
