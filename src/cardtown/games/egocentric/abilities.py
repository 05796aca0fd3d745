"""Egocentric World: what a card does that a seat plays from its hand, if it is used."""

from __future__ import annotations

from cardtown.core.bags import many, one
from cardtown.core.cards import bit, next_clockwise
from cardtown.core.chance import pick_counted
from cardtown.core.state import MAX_SEATS
from cardtown.core.story import ALL, tell

from .citybots import GIVE, citybot_exchange, open_citybots, reveal_pile
from .hands import gain_openly, lose_openly, lose_unseen
from .state import AGAIN, CANCEL, LOOK, NONE, VALUES, Chance, Event, Phase, State, Way
from .turns import ask, can_draw, draw, end_or_pass, play_again, play_card

# What a choice means. Where a card's value is chosen, it is added to one of these.
USE = 0
SKIP = 1
ALLOW = 0
REFUSE = 1
RANDOM = VALUES + 1
NAME = RANDOM


def can_use(s: State) -> bool:
    """EGO-28: only in solo an ability may have no target."""
    if s.seats > 1 or s.top == AGAIN:
        return True
    return open_citybots(s) != 0


def use_or_skip(s: State, seat: int, choice: int) -> None:
    if choice == SKIP:
        tell(s, ALL, Event.SKIPPED, seat, s.top)
        s.phase = Phase.TURN_OVER
    elif s.top == AGAIN:
        play_again(s)
    elif s.top == LOOK:
        ask(s, seat, Phase.LOOK)
    else:
        ask(s, seat, Phase.PARTNER if s.seats == 1 else Phase.SWAP)


def seats_to_look_at(s: State) -> int:
    """EGO-14, EGO-26."""
    return open_citybots(s) if s.seats == 1 else (bit(s.seats) - 1) & ~bit(s.active)


def designate_one(s: State, seat: int, other: int) -> None:
    """EGO-14, EGO-25."""
    tell(s, ALL, Event.WANTS_LOOK, seat, other)
    if s.seats == 1:
        reveal_pile(s, other)
    else:
        s.designated[0] = other
        s.to_ask = bit(other)
        ask_designated(s)


def designate_two(s: State, seat: int, choice: int) -> None:
    """EGO-11."""
    s.designated[0] = choice // MAX_SEATS
    s.designated[1] = choice % MAX_SEATS
    tell(s, ALL, Event.WANTS_SWAP, seat, s.designated[0], s.designated[1])
    s.to_ask = (bit(s.designated[0]) | bit(s.designated[1])) & ~bit(seat)
    ask_designated(s)


def ask_designated(s: State) -> None:
    """EGO-15: all designated others are asked, clockwise, before anything happens."""
    if s.to_ask:
        ask(s, next_clockwise(s.to_ask, (s.active + 1) % s.seats), Phase.REACT)
    elif s.top == LOOK:
        look(s, s.active, s.designated[0])
    else:
        ask(s, s.active, Phase.FIRST_CARD)


def react(s: State, seat: int, choice: int) -> None:
    if choice == REFUSE:  # EGO-15
        play_card(s, seat, CANCEL)
        tell(s, ALL, Event.CANCELLED, seat, s.active)
        end_or_pass(s, seat)
    else:
        tell(s, ALL, Event.ALLOWED, seat)
        s.to_ask &= ~bit(seat)
        if s.seats == 1:
            citybot_exchange(s)
        else:
            ask_designated(s)


def look(s: State, seat: int, other: int) -> None:
    """EGO-14."""
    s.certain[seat, other] = s.hand[other]
    tell(s, ALL, Event.LOOKED, seat, other)
    tell(s, bit(seat), Event.SAW, other, s.hand[other])
    s.phase = Phase.TURN_OVER


def choose_card(s: State, seat: int, i: int, choice: int) -> None:
    """EGO-11: freely from one's own hand, from another's at random or by its name."""
    owner = s.designated[i]
    if choice < RANDOM:
        s.way[i] = Way.FREELY
        s.chosen[i] = choice - GIVE
        tell(s, ALL, Event.CHOSE_OWN, seat)
        tell(s, bit(seat), Event.CHOSE_OWN_CARD, s.chosen[i])
    elif choice == RANDOM:
        s.way[i] = Way.RANDOM
        tell(s, ALL, Event.CHOSE_RANDOM, seat, owner)
        s.chosen[i] = pick_from_hand(s, owner)
    else:
        s.way[i] = Way.NAMED
        s.chosen[i] = choice - NAME
        tell(s, ALL, Event.NAMED, seat, owner, s.chosen[i])
    if i == 0:
        ask(s, seat, Phase.SECOND_CARD)
    else:
        exchange(s, seat)


def pick_from_hand(s: State, seat: int) -> int:
    for value in range(VALUES + 1):
        s.counts[value] = many(s.hand[seat], value)
    card = pick_counted(s, Chance.PICK, s.counts, VALUES + 1)
    for value in range(VALUES + 1):
        s.counts[value] = 0
    return card


def exchange(s: State, seat: int) -> None:
    """EGO-11: both cards change hands, if both seats hold what was named."""
    if many(s.hand[s.designated[0]], s.chosen[0]) == 0 or many(s.hand[s.designated[1]], s.chosen[1]) == 0:
        tell(s, ALL, Event.WRONG_NAME, seat)
        draw_penalty(s, seat)
    else:
        a = s.designated[0]
        b = s.designated[1]
        hand_over(s, 0, a, b)
        hand_over(s, 1, b, a)
        receive(s, 0, a, b)
        receive(s, 1, b, a)
        tell(s, ALL, Event.EXCHANGED, a, b)
        tell(s, bit(a), Event.GAVE, b, s.chosen[0], s.chosen[1])
        tell(s, bit(b), Event.GAVE, a, s.chosen[1], s.chosen[0])
    for i in range(2):
        s.way[i] = Way.NOT_YET
        s.chosen[i] = 0
    s.phase = Phase.TURN_OVER


def hand_over(s: State, i: int, giver: int, getter: int) -> None:
    if s.way[i] == Way.NAMED:
        lose_openly(s, giver, s.chosen[i])
    else:
        lose_unseen(s, giver, s.chosen[i], getter)


def receive(s: State, i: int, giver: int, getter: int) -> None:
    if s.way[i] == Way.NAMED:
        gain_openly(s, getter, s.chosen[i])
    else:  # EGO-13: the giver saw it go
        s.hand[getter] += one(s.chosen[i])
        s.certain[giver, getter] += one(s.chosen[i])


def draw_penalty(s: State, seat: int) -> None:
    """EGO-12; EGO-03: unless there is nothing to draw."""
    card = draw(s) if can_draw(s) else NONE
    s.hand[seat] += one(card) if card != NONE else 0
    tell(s, ALL, Event.PENALTY if card != NONE else Event.NO_PENALTY, seat)
    tell(s, bit(seat) if card != NONE else 0, Event.PENALTY_CARD, card)
