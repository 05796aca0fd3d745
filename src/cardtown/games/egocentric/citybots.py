"""Egocentric World in solo: what Citybots do by themselves, and what abilities do against them."""

from __future__ import annotations

from cardtown.core.bags import many, values
from cardtown.core.cards import bit, count, lowest, nth
from cardtown.core.state import MAX_SEATS
from cardtown.core.story import ALL, tell

from .hands import gain_openly, lose_openly
from .state import (
    AGAIN,
    CANCEL,
    LEFT,
    LOOK,
    MATCHES,
    RIGHT,
    VALUES,
    WILD,
    YOU,
    Event,
    Phase,
    State,
    highest_in,
    pairs_in,
    points,
)
from .turns import ask, discard, draw, end_or_pass, lay_on_pile, match, pair, play_again, play_card, say_stop, take

BOLD = 7  # a Citybot that shows nothing above this shows one card more

# What your choice means. Where a card's value is chosen, it is added to one of these.
GIVE = 0
GET = 0
GET_TOP = VALUES + 1
BETWEEN = 3


# Its turn


def citybot_turn(s: State) -> None:
    """EGO-21, its steps in their order."""
    bot = s.active
    if s.hidden_n[bot] == 0 and points(s.hand[bot]) < points(s.hand[YOU]):
        say_stop(s, bot)
        return
    if s.hidden_n[bot] > 0:
        reveal(s, bot)
    if s.hidden_n[bot] > 0 and values(s.hand[bot]) >> (BOLD + 1) == 0:
        reveal(s, bot)
    highest = highest_in(s.hand[bot])
    matching = values(s.hand[bot]) & MATCHES[s.top]
    pairs = pairs_in(s.hand[bot])
    if matching:
        match(s, bot, best_match(matching))
    elif pairs:
        pair(s, bot, nth(pairs, count(pairs) - 1))
    elif highest > s.top:
        take(s, bot, highest)
    else:
        draw_openly(s, bot, highest)


def best_match(matching: int) -> int:
    """EGO-22: a 9, then a 7, and an 8 only where neither will do."""
    others = matching & ~bit(WILD)
    return nth(others, count(others) - 1) if others else WILD


def draw_openly(s: State, bot: int, highest: int) -> None:
    """EGO-21, the last steps. Hands never grow in solo, so there is always a card to draw."""
    s.drawn = draw(s)
    tell(s, ALL, Event.DREW_OPENLY, bot, s.drawn)
    card = s.drawn
    s.drawn = 0
    if highest > card:
        play_card(s, bot, highest)
        gain_openly(s, bot, card)
        tell(s, ALL, Event.SWAPPED_DRAWN, bot, card, highest)
    else:
        discard(s, bot, card)


# Its abilities


def citybot_ability(s: State) -> None:
    """EGO-23: it always uses them."""
    if s.top == AGAIN:
        play_again(s)
    elif s.top == LOOK:
        other = LEFT + RIGHT - s.active
        tell(s, ALL, Event.WANTS_LOOK, s.active, other)
        reveal_pile(s, other)
    else:
        tell(s, ALL, Event.WANTS_SWAP, s.active, YOU, s.active)
        if many(s.hand[YOU], CANCEL) > 0:
            ask(s, YOU, Phase.REACT)
        else:
            citybot_exchange(s)


def citybot_exchange(s: State) -> None:
    """EGO-23: the top of its pile, or else its highest card, for your lowest."""
    bot = s.active
    given = reveal(s, bot) if s.hidden_n[bot] > 0 else highest_in(s.hand[bot])
    exchange_openly(s, bot, given, YOU, lowest(values(s.hand[YOU])))


def reveal(s: State, bot: int) -> int:
    """Turn up the top card of its pile."""
    s.hidden_n[bot] -= 1
    card = s.hidden[bot, s.hidden_n[bot]]
    s.hidden[bot, s.hidden_n[bot]] = 0
    gain_openly(s, bot, card)
    tell(s, ALL, Event.REVEALED, bot, card)
    return card


def reveal_pile(s: State, bot: int) -> None:
    """EGO-23, EGO-25: all of it; EGO-26: a 9 among it is played at once."""
    if s.hidden_n[bot] == 0:
        tell(s, ALL, Event.NOTHING_HIDDEN, bot)
    s.phase = Phase.TURN_OVER
    nines = 0
    while s.hidden_n[bot] > 0:
        nines += reveal(s, bot) == CANCEL
    if nines > 0:
        block(s, bot)


def block(s: State, bot: int) -> None:
    """EGO-26: a 9 that has come to light is played."""
    play_card(s, bot, CANCEL)
    s.chosen[0] = 0
    tell(s, ALL, Event.BLOCKED, bot)
    end_or_pass(s, bot)


def remove(s: State, bot: int) -> None:
    """EGO-27: what a Citybot need not score; it goes onto the pile."""
    if s.difficulty > 1 and s.hand[bot] != 0:
        card = lowest(values(s.hand[bot])) if s.difficulty == 2 else highest_in(s.hand[bot])
        lose_openly(s, bot, card)
        lay_on_pile(s, card)
        tell(s, ALL, Event.REMOVED, bot, card)


# Your abilities


def open_citybots(s: State) -> int:
    """EGO-26: the Citybots without a visible 9."""
    left = bit(LEFT) if many(s.hand[LEFT], CANCEL) == 0 else 0
    return left | (bit(RIGHT) if many(s.hand[RIGHT], CANCEL) == 0 else 0)


def partners(s: State) -> int:
    """EGO-24, EGO-26: `with 1`, `with 2` or `between`."""
    targets = open_citybots(s)
    both = targets == bit(LEFT) | bit(RIGHT) and s.hand[LEFT] != 0 and s.hand[RIGHT] != 0
    return targets | both << BETWEEN


def cards_to_get(s: State) -> int:
    """EGO-24: a visible card; with a partner, also the top of its pile."""
    if s.phase == Phase.GET_LEFT:
        return values(s.hand[LEFT]) << GET
    if s.phase == Phase.GET_RIGHT:
        return values(s.hand[RIGHT]) << GET
    partner = s.designated[0]
    return values(s.hand[partner]) << GET | (s.hidden_n[partner] > 0) << GET_TOP


def exchange_in_solo(s: State, phase: int, choice: int) -> None:
    """EGO-24, step by step."""
    if phase == Phase.PARTNER and choice == BETWEEN:
        tell(s, ALL, Event.WANTS_SWAP, YOU, LEFT, RIGHT)
        ask(s, YOU, Phase.GET_LEFT)
    elif phase == Phase.PARTNER:
        s.designated[0] = choice
        tell(s, ALL, Event.WANTS_SWAP, YOU, YOU, choice)
        ask(s, YOU, Phase.GIVE)
    elif phase == Phase.GIVE:
        s.chosen[0] = choice - GIVE
        ask(s, YOU, Phase.GET)
    elif phase == Phase.GET_LEFT:
        s.chosen[0] = choice - GET
        ask(s, YOU, Phase.GET_RIGHT)
    elif phase == Phase.GET_RIGHT:
        exchange_openly(s, LEFT, s.chosen[0], RIGHT, choice - GET)
    elif choice == GET_TOP:
        get_top(s, s.designated[0])
    else:
        exchange_openly(s, YOU, s.chosen[0], s.designated[0], choice - GET)


def get_top(s: State, citybot: int) -> None:
    card = reveal(s, citybot)
    if card == CANCEL:  # EGO-26
        block(s, citybot)
    else:
        exchange_openly(s, YOU, s.chosen[0], citybot, card)


def exchange_openly(s: State, a: int, given: int, b: int, got: int) -> None:
    lose_openly(s, a, given)
    lose_openly(s, b, got)
    gain_openly(s, a, got)
    gain_openly(s, b, given)
    tell(s, ALL, Event.OPENLY_EXCHANGED, a * MAX_SEATS + b, given, got)
    s.chosen[0] = 0
    s.phase = Phase.TURN_OVER
