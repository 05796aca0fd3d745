"""Egocentric World: a turn, as seats and Citybots alike play it."""

from __future__ import annotations

from cardtown.core.bags import lay_out, one
from cardtown.core.cards import bit
from cardtown.core.chance import shuffle
from cardtown.core.story import ALL, tell

from .hands import gain_openly, lose_openly, show
from .state import NONE, SOLO_PLACES, VALUES, Chance, Event, Phase, State, partner_of

# What a choice means, by phase. Where a card's value is chosen, it is added to one of these.
DRAW = 0
TAKE = 0
MATCH = TAKE + VALUES
PAIR = MATCH + VALUES
STOP = PAIR + VALUES + 1
DISCARD = 0
KEEP = 0


def begin_turn(s: State, seat: int) -> None:
    s.active = seat
    s.phase = Phase.TURN
    s.acting = bit(seat) if seat < s.seats else 0  # EGO-20: a Citybot is never asked


def play_again(s: State) -> None:
    """EGO-10."""
    tell(s, ALL, Event.AGAIN, s.active)
    begin_turn(s, s.active)


def pass_turn(s: State) -> None:
    """Clockwise, unless it comes to the one who said stop (EGO-17)."""
    following = s.active + 1 if s.active + 1 < s.places else 0
    if following == s.stopper:
        tell(s, ALL, Event.STOP_ENDS, following)
        s.phase = Phase.ROUND_OVER
    else:
        begin_turn(s, following)


def ask(s: State, seat: int, phase: int) -> None:
    s.phase = phase
    s.acting = bit(seat)


def can_draw(s: State) -> bool:
    """EGO-03: is there a card in the deck, or one under the top of the pile?"""
    return s.deck_next < s.deck_end or s.pile != one(s.top)


def draw(s: State) -> int:
    """The top card of the deck, which is renewed first if it is empty."""
    if s.deck_next == s.deck_end:  # EGO-03: the top of the pile stays
        s.deck_next = 0
        s.deck_end = lay_out(s.pile - one(s.top), s.deck)
        s.pile = one(s.top)
        shuffle(s, Chance.DECK, s.deck, s.deck_end)
        tell(s, ALL, Event.RENEWED, s.deck_end)
    card = s.deck[s.deck_next]
    s.deck_next += 1
    return card


def discard(s: State, seat: int, card: int) -> None:
    """EGO-09: straight from the deck a card has no ability."""
    lay_on_pile(s, card)
    tell(s, ALL, Event.DISCARDED, seat, card)
    s.phase = Phase.TURN_OVER


def take(s: State, seat: int, value: int) -> None:
    """EGO-05."""
    taken = s.top
    s.pile -= one(taken)
    play_card(s, seat, value)
    gain_openly(s, seat, taken)
    tell(s, ALL, Event.TOOK, seat, taken, value)


def match(s: State, seat: int, value: int) -> None:
    """EGO-06."""
    matched = s.top
    play_card(s, seat, value)
    tell(s, ALL, Event.MATCHED, seat, value, matched)


def pair(s: State, seat: int, value: int) -> None:
    """EGO-07: everybody sees the partner, and it stays."""
    partner = partner_of(s.hand[seat], value)
    show(s, seat, partner, 2 if partner == value else 1)
    play_card(s, seat, value)
    tell(s, ALL, Event.PAIRED, seat, value, partner)


def say_stop(s: State, seat: int) -> None:
    """EGO-08: only the first stop counts."""
    if s.stopper == NONE:
        s.stopper = seat
        tell(s, ALL, Event.STOPPED, seat)
    else:
        tell(s, ALL, Event.STOPPED_TOO, seat)
    s.phase = Phase.TURN_OVER


def play_card(s: State, seat: int, value: int) -> None:
    """From the hand onto the pile."""
    lose_openly(s, seat, value)
    lay_on_pile(s, value)
    s.phase = Phase.PLAYED


def lay_on_pile(s: State, card: int) -> None:
    s.pile += one(card)
    s.top = card


def is_out(s: State, seat: int) -> bool:
    """EGO-17: hidden cards belong to the hand."""
    return s.hand[seat] == 0 and (seat >= SOLO_PLACES or s.hidden_n[seat] == 0)


def end_or_pass(s: State, seat: int) -> None:
    """The turn is over, and so is the round if this seat has no card left (EGO-17)."""
    s.phase = Phase.TURN_OVER
    if is_out(s, seat):
        tell(s, ALL, Event.OUT, seat)
        s.phase = Phase.ROUND_OVER
