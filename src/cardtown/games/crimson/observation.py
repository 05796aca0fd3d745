"""Crimson Crush as numbers: what a seat knows, told from its own side of the table."""

from __future__ import annotations

from collections.abc import MutableSequence

from cardtown.core.cards import bit
from cardtown.core.observing import Part, places, put_large, put_seats

from .rules import (
    CARDS,
    COLOUR_CARDS,
    COLOURS,
    CRUSH,
    KINDS,
    PLACEMENTS,
    ROW,
    SEATS,
    VALUE,
    YES,
    Phase,
    State,
    cards_in_row,
    copies,
)

PARTS = (
    Part("seated", 1, "how many seats there are"),
    Part("variant", 1, "1 if a turn is one action: draw or place"),
    Part("round", 1, "the round, from 1"),
    Part("phase", Phase.OVER, "what is chosen: where to place a card, what to put under the deck, the power card"),
    Part("acting", SEATS, "who chooses now"),
    Part("start", SEATS, "who started the round"),
    Part("hand", KINDS, "how many cards of each kind I hold"),
    Part("seen", KINDS, "how many of them the others have seen"),
    Part("others", (SEATS - 1) * KINDS, "how many of each kind I know in the hand of each other seat"),
    Part("in_hand", SEATS, "how many cards each seat holds"),
    Part("rows", COLOURS * ROW, "the values in each row as they came, negative on the villain's side"),
    Part("placers", COLOURS * ROW * SEATS, "who placed each of them"),
    Part("totals", COLOURS * 2, "the sum on each side of each row, the hero's first"),
    Part("closed", 1, "how many rows are closed"),
    Part("deck", 1, "how many cards the deck holds"),
    Part("under", KINDS, "how many of each kind were put under it"),
    Part("scored", COLOURS, "the row for which power cards are played or kept"),
    Part("shown", COLOURS, "the colours that all have shown: nobody holds more of them than I know"),
    Part("power", SEATS, "who has its power card"),
    Part("decision", 1, "what I decided about mine, while others still do: 1 it is played, -1 it is kept"),
    Part("points", SEATS * 2, "everybody's points: the tens, and what is left"),
)
(
    SEATED,
    VARIANT,
    ROUND,
    PHASE,
    ACTING,
    START,
    HAND,
    SEEN,
    OTHERS,
    IN_HAND,
    ROWS,
    PLACERS,
    TOTALS,
    CLOSED,
    DECK,
    UNDER,
    SCORED,
    SHOWN,
    POWER,
    DECISION,
    POINTS,
) = places(PARTS)


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[SEATED] = s.seats
    x[VARIANT] = s.variant
    x[ROUND] = s.round_no
    if s.phase != Phase.OVER:
        x[PHASE + s.phase] = 1
    put_seats(x, ACTING, s.acting, seat, s.seats)
    put_seats(x, START, bit(s.first), seat, s.seats)
    put_kinds(x, HAND, s.hand[seat])
    put_kinds(x, SEEN, s.known[seat])
    for i in range(s.seats):
        other = (seat + i) % s.seats
        x[IN_HAND + i] = s.in_hand[other]
        put_large(x, POINTS + 2 * i, s.score[other])
        if i > 0:
            put_kinds(x, OTHERS + (i - 1) * KINDS, s.known[other])
    observe_rows(s, seat, x)
    x[DECK] = CARDS - s.drawn + s.under
    for i in range(s.under):
        x[UNDER + s.deck[i]] += 1
    put_seats(x, POWER, s.power, seat, s.seats)
    if s.phase == Phase.POWER:
        x[SCORED + s.row] = 1
        if s.power & ~s.acting & bit(seat):
            x[DECISION] = 1 if s.sealed[seat] == YES else -1


def observe_rows(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[CLOSED] = s.closed
    for colour in range(COLOURS):
        x[TOTALS + 2 * colour] = s.total[2 * colour]
        x[TOTALS + 2 * colour + 1] = s.total[2 * colour + 1]
        if s.shown & COLOUR_CARDS[colour]:
            x[SHOWN + colour] = 1
        for i in range(cards_in_row(s, colour)):
            placement = s.rows[colour, i] % PLACEMENTS
            placer = s.rows[colour, i] // PLACEMENTS
            value = VALUE[placement // 2]
            x[ROWS + colour * ROW + i] = value if placement % 2 == CRUSH else -value
            put_seats(x, PLACERS + (colour * ROW + i) * SEATS, bit(placer), seat, s.seats)


def put_kinds(x: MutableSequence[int], at: int, cards: int) -> None:
    """Write how many cards there are of each kind."""
    for card in range(KINDS):
        x[at + card] = copies(cards, card)
