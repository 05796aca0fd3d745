"""Crimson Crush: the rules, from the deal to the last round, as the rulebook tells them.

Equal cards are not told apart: a card is its kind, a number colour by colour (G1 … G5, P1 … Y5), and cards together are
one number with a few bits for each kind that count how many there are of it. A placement is a kind and a side.
"""

from __future__ import annotations

from enum import IntEnum

from cardtown.core import state
from cardtown.core.cards import bit, lowest
from cardtown.core.chance import below, mix, pick, shuffle
from cardtown.core.components import components, require
from cardtown.core.sealed import ask_together, seal
from cardtown.core.state import grid, mask, masks, number, numbers
from cardtown.core.story import ALL, tell

PARTS = components(__package__)
COLOURS = 5
VALUES = 5
KINDS = 25
CARDS = 70
SEATS = 5
HAND = 6
SIDE = 3
ROW = 5
COPIES = (4, 3, 3, 2, 2)

require(PARTS["cards"]["values"] == [1, 2, 3, 4, 5], "cards.values", "the rulebook gives values 1 to 5")
require(PARTS["cards"]["copies"] == [*COPIES], "cards.copies", "the rulebook gives 4, 3, 3, 2, 2: 70 cards in all")
require(PARTS["cards"]["hand"] == HAND, "cards.hand", "the rulebook deals six cards")
require(PARTS["colours"]["letters"] == ["G", "P", "R"], "colours.letters", "the rulebook tells of G, P, R")
require(len({*PARTS["lost_colours"]["letters"]} & {*"BYONK"}) == 2, "lost_colours.letters", "must be two of BYONK")
require(PARTS["rows"]["side"] == SIDE, "rows.side", "the rulebook allows three cards on a side")
require(PARTS["rows"]["row"] == ROW, "rows.row", "the rulebook allows five cards in a row")
require(PARTS["rows"]["closed"] == [2, 2, 3], "rows.closed", "the rulebook gives two, three with five seats")

CRUSH = 0
PLACEMENTS = 2 * KINDS  # kind * 2 + side
DRAW = PLACEMENTS
YES = 0
BOTH = 0b11
COLOUR = tuple(kind // VALUES for kind in range(KINDS))
VALUE = tuple(kind % VALUES + 1 for kind in range(KINDS))
# Where a kind is counted in a number of cards: in as many bits as all its copies need.
BITS = tuple(COPIES[kind % VALUES].bit_length() for kind in range(KINDS))
SHIFT = tuple(sum(BITS[:kind]) for kind in range(KINDS))
FIELD = tuple((1 << bits) - 1 for bits in BITS)
ONE = tuple(1 << shift for shift in SHIFT)
ALL_CARDS = sum(COPIES[kind % VALUES] * ONE[kind] for kind in range(KINDS))
COLOUR_CARDS = tuple(0x7FF << (11 * colour) for colour in range(COLOURS))
# The placements that a side of a row takes; sides are numbered colour * 2 + side.
SIDE_PLACEMENTS = tuple(0x155 << (side // 2 * 2 * VALUES + side % 2) for side in range(2 * COLOURS))
CLOSED_ROWS = (0, 0, 0, 2, 2, 3)  # by the number of seats


class Variant(IntEnum):
    STANDARD = 0
    ONE_ACTION = 1


class Phase(IntEnum):
    PLACE = 0  # a choice is a placement, or DRAW
    DISCARD = 1  # the kind to put under the deck
    POWER = 2  # YES, or 1 for no
    OVER = 3


class Chance(IntEnum):
    START = 0
    DECK = 1


class Kind(IntEnum):
    CRUSH = 0
    GRIP = 1
    DRAW = 2
    DISCARD = 3
    POWER = 4


class Event(IntEnum):
    ROUND = 0
    DEALT = 1
    DREW = 2
    DREW_CARD = 3
    PLACED = 4
    CLOSED = 5
    STUCK = 6
    PUT_UNDER = 7
    ROW = 8
    POWER = 9
    SHOWED = 10
    SCORED = 11
    WON = 12


class State(state.State):
    variant = number()  # option
    round_no = number()
    phase = number()
    # `first` is the round's start seat.
    deck = numbers(CARDS)  # in the order it was shuffled; its first places are free again for cards put under it
    drawn = number()  # how many of it are gone
    under = number()  # how many were put under it: too few seats are ever stuck for one of these to be drawn
    hand = masks(SEATS)
    held = masks(SEATS)  # the placements of the cards in hand, were every side free
    in_hand = numbers(SEATS)  # how many
    free = mask()  # the placements that the rows still take
    rows = grid(COLOURS, ROW, 16)  # each row's cards as they came: placement + PLACEMENTS * seat
    placed = numbers(2 * COLOURS)  # cards on each side of each row
    total = numbers(2 * COLOURS)  # and their values
    closed = number()
    power = number()  # the seats that have their power card
    row = number()  # the row that is scored
    # What everybody remembers (CRU-19): the cards in hand that were shown, and the colours that were shown whole.
    known = masks(SEATS)
    shown = mask()


def start(s: State) -> None:
    s.first = pick(s, Chance.START, bit(s.seats) - 1)  # CRU-01
    start_round(s)


def legal(s: State, seat: int) -> int:
    if not s.acting & bit(seat):
        return 0
    if s.phase == Phase.POWER:
        return BOTH
    if s.phase == Phase.DISCARD:
        return kinds_in(s.hand[seat])
    placements = s.held[seat] & s.free  # CRU-04 to CRU-06
    if s.variant == Variant.ONE_ACTION and s.in_hand[seat] < HAND:  # CRU-17
        placements |= bit(DRAW)
    return placements


def kinds_in(cards: int) -> int:
    """The kinds among the cards, as a set."""
    found = 0
    for card in range(KINDS):
        if copies(cards, card) > 0:
            found |= bit(card)
    return found


def copies(cards: int, card: int) -> int:
    """How many of a kind are among the cards."""
    return cards >> SHIFT[card] & FIELD[card]


def play(s: State, seat: int, choice: int) -> None:
    if s.phase == Phase.POWER:
        if seal(s, seat, choice):
            open_power(s)
    elif s.phase == Phase.DISCARD:
        put_under(s, seat, choice)
    elif choice == DRAW:
        draw(s, seat)
        begin_turn(s, seat + 1)
    else:
        place(s, seat, choice)


def kind(s: State, choice: int) -> int:
    if s.phase != Phase.PLACE:
        return Kind.POWER if s.phase == Phase.POWER else Kind.DISCARD
    if choice == DRAW:
        return Kind.DRAW
    return Kind.CRUSH if choice % 2 == CRUSH else Kind.GRIP


# Rounds


def start_round(s: State) -> None:
    s.round_no += 1
    clear_table(s)
    tell(s, ALL, Event.ROUND, s.round_no, s.first)
    deal(s)
    begin_turn(s, s.first)


def clear_table(s: State) -> None:
    for seat in range(s.seats):
        empty_hand(s, seat)
        s.known[seat] = 0
    for side in range(2 * COLOURS):
        s.placed[side] = 0
        s.total[side] = 0
    s.free = bit(PLACEMENTS) - 1
    s.closed = 0
    s.under = 0
    s.row = 0
    s.shown = 0
    s.power = bit(s.seats) - 1  # CRU-02


def empty_hand(s: State, seat: int) -> None:
    s.hand[seat] = 0
    s.held[seat] = 0
    s.in_hand[seat] = 0


def deal(s: State) -> None:
    """CRU-02: all cards are shuffled, six for each seat."""
    lay_out(s, ALL_CARDS, CARDS)
    shuffle(s, Chance.DECK, s.deck, CARDS)
    s.drawn = 0
    for seat in range(s.seats):
        for _ in range(HAND):
            take(s, seat, s.deck[s.drawn])
            s.drawn += 1
        tell(s, bit(seat), Event.DEALT, seat, s.hand[seat])


def lay_out(s: State, cards: int, place: int) -> int:
    """Put the cards into the deck, in the places before `place`; the first of them."""
    for card in range(KINDS):
        for _ in range(copies(cards, card)):
            place -= 1
            s.deck[place] = card
    return place


def take(s: State, seat: int, card: int) -> None:
    s.hand[seat] += ONE[card]
    s.held[seat] |= BOTH << (2 * card)
    s.in_hand[seat] += 1


# Turns


def begin_turn(s: State, turn: int) -> None:
    seat = turn % s.seats
    s.phase = Phase.PLACE
    s.acting = bit(seat)
    if s.variant == Variant.STANDARD:  # CRU-03: first draw, then place
        draw(s, seat)
    if is_stuck(s, seat):
        show_hand(s, seat)


def draw(s: State, seat: int) -> None:
    card = s.deck[s.drawn]
    s.drawn += 1
    take(s, seat, card)
    tell(s, ALL, Event.DREW, seat)
    tell(s, bit(seat), Event.DREW_CARD, seat, card)


def is_stuck(s: State, seat: int) -> bool:
    """CRU-07, CRU-18: nothing fits, and nothing may be drawn."""
    return s.held[seat] & s.free == 0 and (s.variant == Variant.STANDARD or s.in_hand[seat] == HAND)


def show_hand(s: State, seat: int) -> None:
    """CRU-07: prove it to everybody."""
    s.known[seat] = s.hand[seat]  # none of these is ever placed: their rows are closed
    s.phase = Phase.DISCARD
    tell(s, ALL, Event.STUCK, seat, s.hand[seat])


def put_under(s: State, seat: int, card: int) -> None:
    """CRU-07: one card goes under the deck, and that was the turn."""
    lay_down(s, seat, card)
    s.known[seat] = s.hand[seat]
    s.deck[s.under] = card
    s.under += 1
    tell(s, ALL, Event.PUT_UNDER, seat, card)
    begin_turn(s, seat + 1)


def lay_down(s: State, seat: int, card: int) -> None:
    s.hand[seat] -= ONE[card]
    s.in_hand[seat] -= 1
    if copies(s.hand[seat], card) == 0:
        s.held[seat] &= ~(BOTH << (2 * card))


def place(s: State, seat: int, placement: int) -> None:
    """CRU-04: into the row of its own colour, for the hero or for the villain."""
    card = placement // 2
    colour = COLOUR[card]
    side = colour * 2 + placement % 2
    lay_down(s, seat, card)
    s.rows[colour, cards_in_row(s, colour)] = seat * PLACEMENTS + placement
    s.placed[side] += 1
    s.total[side] += VALUE[card]
    tell(s, ALL, Event.PLACED, seat, placement)
    if s.placed[side] == SIDE:  # CRU-05
        s.free &= ~SIDE_PLACEMENTS[side]
    if cards_in_row(s, colour) == ROW:  # CRU-06
        s.free &= ~(SIDE_PLACEMENTS[2 * colour] | SIDE_PLACEMENTS[2 * colour + 1])
        s.closed += 1
        tell(s, ALL, Event.CLOSED, colour, s.closed)
    if s.closed == CLOSED_ROWS[s.seats]:  # CRU-08
        score_rows(s)
    else:
        begin_turn(s, seat + 1)


def cards_in_row(s: State, colour: int) -> int:
    return s.placed[2 * colour] + s.placed[2 * colour + 1]


# Scoring


def score_rows(s: State) -> None:
    """CRU-09: row after row, until seats must decide about their power cards."""
    while s.row < COLOURS:
        tell(s, ALL, Event.ROW, s.row, s.total[2 * s.row], s.total[2 * s.row + 1])
        if lead_of_hero(s) > 0 and s.power != 0:  # CRU-10
            s.phase = Phase.POWER
            ask_together(s, s.power, s.first)
            return
        score_row(s, 0)
    end_round(s)


def lead_of_hero(s: State) -> int:
    """By how much the hero is ahead in the row that is scored."""
    return s.total[2 * s.row] - s.total[2 * s.row + 1]


def open_power(s: State) -> None:
    """CRU-10: all decisions are shown together. CRU-12: a card that was played is gone."""
    playing = 0
    for seat in range(s.seats):
        if s.power & bit(seat):
            tell(s, ALL, Event.POWER, seat, s.row, s.sealed[seat])
            if s.sealed[seat] == YES:
                playing |= bit(seat)
        s.sealed[seat] = 0
    s.power &= ~playing
    score_row(s, playing)
    score_rows(s)


def score_row(s: State, doubled: int) -> None:
    """CRU-11, CRU-13, CRU-14: who wins the row decides whether it brings points or takes them."""
    if lead_of_hero(s) != 0:
        show_colour(s, s.row)
        reward_highest(s, 1 if lead_of_hero(s) > 0 else -1, doubled)
    s.row += 1


def show_colour(s: State, colour: int) -> None:
    """CRU-15: what is shown stays known until the round is over, and so does who showed nothing."""
    s.shown |= COLOUR_CARDS[colour]
    for seat in range(s.seats):
        cards = s.hand[seat] & COLOUR_CARDS[colour]
        s.known[seat] = s.known[seat] & ~COLOUR_CARDS[colour] | cards
        tell(s, ALL, Event.SHOWED, seat, colour, cards)


def reward_highest(s: State, sign: int, doubled: int) -> None:
    """CRU-11, CRU-13: every seat with the highest sum scores or loses it. CRU-15: nothing, if it is zero."""
    highest = 0
    for seat in range(s.seats):
        highest = max(highest, worth(s.hand[seat], s.row))
    for seat in range(s.seats):
        if highest > 0 and worth(s.hand[seat], s.row) == highest:
            times = 2 * sign if doubled & bit(seat) else sign
            s.score[seat] += times * highest
            tell(s, ALL, Event.SCORED, seat, highest, times)


def worth(cards: int, colour: int) -> int:
    """What the cards of a colour add up to."""
    values = 0
    for card in range(colour * VALUES, (colour + 1) * VALUES):
        values += copies(cards, card) * VALUE[card]
    return values


def end_round(s: State) -> None:
    """CRU-01: as many rounds as seats; the next seat clockwise starts."""
    if s.round_no == s.seats:
        end(s)
    else:
        s.first = (s.first + 1) % s.seats
        start_round(s)


def end(s: State) -> None:
    """CRU-16: the most points win, together if need be."""
    s.phase = Phase.OVER
    s.acting = 0
    most = s.score[0]
    for seat in range(s.seats):
        most = max(most, s.score[seat])
    for seat in range(s.seats):
        if s.score[seat] == most:
            s.winners |= bit(seat)
    tell(s, ALL, Event.WON, s.winners, most)


# What a seat knows


def redeal(s: State, seat: int) -> None:
    """CRU-19: guess the other hands, the deck and the decisions that lie sealed."""
    unseen = cards_unseen(s, seat)
    # Cards of colours that were shown whole are in the deck for sure: they lie behind those that may be in a hand.
    sure = lay_out(s, unseen & s.shown, CARDS)
    top = lay_out(s, unseen & ~s.shown, sure)
    guess_hands(s, seat, top, sure)
    while s.phase == Phase.PLACE and is_stuck(s, lowest(s.acting)):  # it would have shown its hand
        guess_hands(s, seat, top, sure)
    if s.shown != 0:
        mix(s.rng, s.deck, s.drawn, CARDS)
    for i in range(s.under, s.drawn):
        s.deck[i] = 0
    for other in range(s.seats):
        if other != seat and s.phase == Phase.POWER and s.power & ~s.acting & bit(other):
            s.sealed[other] = below(s.rng, 2)


def cards_unseen(s: State, seat: int) -> int:
    """All cards but those that a seat holds, sees in the rows, or saw in a hand or on their way under the deck."""
    unseen = ALL_CARDS - s.hand[seat]
    for colour in range(COLOURS):
        for i in range(cards_in_row(s, colour)):
            unseen -= ONE[s.rows[colour, i] % PLACEMENTS // 2]
    for i in range(s.under):
        unseen -= ONE[s.deck[i]]
    for other in range(s.seats):
        if other != seat:
            unseen -= s.known[other]
    return unseen


def guess_hands(s: State, seat: int, top: int, sure: int) -> None:
    """Give the others what they are known to hold, and the rest from the deck's cards in the places `top` to `sure`."""
    mix(s.rng, s.deck, top, sure)
    for other in range(s.seats):
        if other != seat:
            n = s.in_hand[other]
            empty_hand(s, other)
            for card in range(KINDS):
                for _ in range(copies(s.known[other], card)):
                    take(s, other, card)
            while s.in_hand[other] < n:
                take(s, other, s.deck[top])
                top += 1
