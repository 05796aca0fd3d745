"""Gossip and the City as numbers: what a seat knows, told from its own side of the table."""

from __future__ import annotations

from collections.abc import MutableSequence

from cardtown.core.cards import bit, count, lowest
from cardtown.core.observing import Part, places, put, put_large, put_seats

from .rules import COLOURS, GOSSIP, KINDS, MOST_SEATS, NO_COLOUR, NONE, VUNSHUN, State, is_offer_hidden, left_of

ALL_CARDS = GOSSIP + COLOURS
HOLDERS = MOST_SEATS + 1
CHIP_KINDS = len(KINDS)

PARTS = (
    Part("seated", 1, "how many seats there are"),
    Part("turn", 1, "the turn, from 1"),
    Part("acting", MOST_SEATS, "who chooses now: an offer, or as the lead whether to take what lies open"),
    Part("lead", MOST_SEATS, "who is the lead"),
    Part("first_lead", MOST_SEATS, "who was the first lead: the nearest clockwise from it wins ties"),
    Part("revealed", 1, "how many offers the lead has revealed"),
    Part("card", GOSSIP, "the turn's card"),
    Part("absent", COLOURS, "the colour that is left out"),
    Part("hand", GOSSIP, "my hand; when the game is over, what was left of it"),
    Part("in_hand", MOST_SEATS, "how many cards each hand holds"),
    Part("offer", GOSSIP, "my offer"),
    Part("others_offers", (MOST_SEATS - 1) * GOSSIP, "the offer of each other seat, once it is revealed"),
    Part("offered", MOST_SEATS, "who has an offer lying there"),
    Part("face_up", MOST_SEATS * ALL_CARDS, "each collection, as far as it lies face up; the initial cards come last"),
    Part("face_down", GOSSIP, "what lies face down in mine"),
    Part("down", MOST_SEATS, "how many cards lie face down in each"),
    Part(
        "chips", HOLDERS * CHIP_KINDS, "my chips of each kind; when the game is over, everybody's, the Vunshun's last"
    ),
    Part("all_chips", HOLDERS, "how many chips each seat has, the Vunshun last"),
    Part("points", MOST_SEATS * 2, "when the game is over, everybody's points: the tens, and what is left"),
)
(
    SEATED,
    TURN,
    ACTING,
    LEAD,
    FIRST_LEAD,
    REVEALED,
    CARD,
    ABSENT,
    HAND,
    IN_HAND,
    OFFER,
    OTHERS_OFFERS,
    OFFERED,
    FACE_UP,
    FACE_DOWN,
    DOWN,
    CHIPS,
    ALL_CHIPS,
    POINTS,
) = places(PARTS)


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[SEATED] = s.seats
    x[TURN] = s.laid
    put_seats(x, ACTING, s.acting, seat, s.seats)
    put_seats(x, LEAD, bit(s.lead), seat, s.seats)
    put_seats(x, FIRST_LEAD, bit(s.first_lead), seat, s.seats)
    x[REVEALED] = s.shown
    if s.card != NONE:
        x[CARD + s.card] = 1
    if s.absent != NO_COLOUR:
        x[ABSENT + s.absent] = 1
    put(x, HAND, s.hand[seat])
    put(x, FACE_DOWN, s.face_down[seat])
    for i in range(s.seats):
        other = left_of(s, seat, i)
        x[IN_HAND + i] = count(s.hand[other])
        x[DOWN + i] = count(s.face_down[other])
        put(x, FACE_UP + i * ALL_CARDS, s.face_up[other])
        observe_offer(s, i, other, x)
        observe_chips(s, i, other, i == 0, x)
        put_large(x, POINTS + 2 * i, s.score[other])
    observe_chips(s, MOST_SEATS, VUNSHUN, False, x)


def observe_offer(s: State, i: int, other: int, x: MutableSequence[int]) -> None:
    """What lies in front of the seat that sits `i` steps from me."""
    if s.sealed[other] != NONE:
        x[OFFERED + i] = 1
        if i == 0:
            x[OFFER + s.sealed[other]] = 1
        elif not is_offer_hidden(s, other):
            x[OTHERS_OFFERS + (i - 1) * GOSSIP + s.sealed[other]] = 1


def observe_chips(s: State, i: int, holder: int, is_mine: bool, x: MutableSequence[int]) -> None:
    """GOS-22: a seat may look at its own; at the end all are turned up."""
    chips = s.chips_of[holder]
    x[ALL_CHIPS + i] = count(chips)
    if is_mine or s.acting == 0:
        while chips:
            x[CHIPS + i * CHIP_KINDS + s.chips[lowest(chips)]] += 1
            chips &= chips - 1
