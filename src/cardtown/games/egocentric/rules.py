"""Egocentric World: the rules, from the deal to the end, as the rulebook tells them.

The phase says what is chosen now, or what happens by itself as long as nobody has to choose. What seats and Citybots
do alike in a turn is in `turns`, what is known of hands in `hands`, the solo game in `citybots`.
"""

from __future__ import annotations

from enum import IntEnum

from cardtown.core.bags import one, values
from cardtown.core.cards import bit, count, lowest
from cardtown.core.chance import pick, shuffle
from cardtown.core.rulebook import ENDING
from cardtown.core.state import MAX_SEATS
from cardtown.core.story import ALL, tell

from .abilities import (
    ALLOW,
    NAME,
    RANDOM,
    REFUSE,
    SKIP,
    USE,
    can_use,
    choose_card,
    designate_one,
    designate_two,
    react,
    seats_to_look_at,
    use_or_skip,
)
from .citybots import (
    BETWEEN,
    GET_TOP,
    GIVE,
    cards_to_get,
    citybot_ability,
    citybot_turn,
    exchange_in_solo,
    partners,
    remove,
    reveal,
)
from .hands import redeal
from .sense import sensible
from .state import (
    ABILITIES,
    CANCEL,
    CARDS,
    HAND,
    LEFT,
    MATCHES,
    NEW_DECK,
    NONE,
    SOLO_PLACES,
    VALUES,
    Chance,
    Event,
    Phase,
    State,
    pairs_in,
    points,
)
from .turns import (
    DISCARD,
    DRAW,
    KEEP,
    MATCH,
    PAIR,
    STOP,
    TAKE,
    ask,
    begin_turn,
    can_draw,
    discard,
    draw,
    end_or_pass,
    lay_on_pile,
    match,
    pair,
    pass_turn,
    play_card,
    say_stop,
    take,
)

__all__ = ["Kind", "State", "kind", "legal", "play", "redeal", "sensible", "start"]

NAMES = ((1 << VALUES) - 1) << (NAME + 1)
SWAPS = tuple(  # by the number of seats, all `swap A B` with A < B
    sum(bit(a * MAX_SEATS + b) for b in range(seats) for a in range(b)) for seats in range(MAX_SEATS + 1)
)


class Kind(IntEnum):
    DRAW = 0
    TAKE = 1
    MATCH = 2
    PAIR = 3
    DISCARD = 4
    KEEP = 5
    USE = 6
    SKIP = 7
    SWAP = 8
    ALLOW = 9
    CANCEL = 10
    GIVE = 11
    RANDOM = 12
    NAME = 13
    LOOK = 14
    WITH = 15
    BETWEEN = 16
    GET = 17
    GET_TOP = 18
    STOP = ENDING


def start(s: State) -> None:
    s.starters = bit(s.seats) - 1
    if s.seats == 1:
        s.places = SOLO_PLACES
        s.starters = bit(LEFT)  # EGO-19
    s.phase = Phase.NEW_ROUND
    go_on(s)


def legal(s: State, seat: int) -> int:
    if not s.acting & bit(seat):
        return 0
    held = values(s.hand[seat])
    if s.phase == Phase.TURN:
        pairs = pairs_in(s.hand[seat])
        matches = held & MATCHES[s.top]
        return can_draw(s) << DRAW | held << TAKE | matches << MATCH | pairs << PAIR | bit(STOP)
    if s.phase == Phase.DRAWN:
        return bit(DISCARD) | held << KEEP
    if s.phase == Phase.ABILITY:
        return can_use(s) << USE | bit(SKIP)
    if s.phase == Phase.REACT:  # EGO-15
        return bit(ALLOW) | (held >> CANCEL & 1) << REFUSE
    if s.phase == Phase.SWAP:
        return SWAPS[s.seats]
    if s.phase == Phase.FIRST_CARD or s.phase == Phase.SECOND_CARD:  # EGO-11
        own = s.designated[s.phase - Phase.FIRST_CARD] == seat
        return held << GIVE if own else bit(RANDOM) | NAMES
    if s.phase == Phase.LOOK:
        return seats_to_look_at(s)
    if s.phase == Phase.PARTNER:
        return partners(s)
    if s.phase == Phase.GIVE:
        return held << GIVE
    return cards_to_get(s)


def play(s: State, seat: int, choice: int) -> None:
    phase = s.phase
    s.acting = 0
    if phase == Phase.TURN:
        take_turn(s, seat, choice)
    elif phase == Phase.DRAWN:
        discard_or_keep(s, seat, choice)
    elif phase == Phase.ABILITY:
        use_or_skip(s, seat, choice)
    elif phase == Phase.REACT:
        react(s, seat, choice)
    elif phase == Phase.SWAP:
        designate_two(s, seat, choice)
    elif phase == Phase.FIRST_CARD or phase == Phase.SECOND_CARD:
        choose_card(s, seat, phase - Phase.FIRST_CARD, choice)
    elif phase == Phase.LOOK:
        designate_one(s, seat, choice)
    else:
        exchange_in_solo(s, phase, choice)
    go_on(s)


def go_on(s: State) -> None:
    """All that happens by itself, up to the next decision or the end."""
    while s.acting == 0 and s.phase != Phase.OVER:
        if s.phase == Phase.PLAYED:
            after_playing(s)
        elif s.phase == Phase.TURN_OVER:
            pass_turn(s)
        elif s.phase == Phase.ROUND_OVER:
            score_round(s)
        elif s.phase == Phase.NEW_ROUND:
            start_round(s)
        else:
            citybot_turn(s)


def kind(s: State, choice: int) -> int:
    if s.phase == Phase.TURN:
        if choice == STOP:
            return Kind.STOP
        if choice == DRAW:
            return Kind.DRAW
        return Kind.TAKE if choice <= MATCH else Kind.MATCH if choice <= PAIR else Kind.PAIR
    if s.phase == Phase.DRAWN:
        return Kind.DISCARD if choice == DISCARD else Kind.KEEP
    if s.phase == Phase.ABILITY:
        return Kind.USE if choice == USE else Kind.SKIP
    if s.phase == Phase.REACT:
        return Kind.ALLOW if choice == ALLOW else Kind.CANCEL
    if s.phase == Phase.SWAP:
        return Kind.SWAP
    if s.phase == Phase.FIRST_CARD or s.phase == Phase.SECOND_CARD:
        return Kind.GIVE if choice < RANDOM else Kind.RANDOM if choice == RANDOM else Kind.NAME
    if s.phase == Phase.LOOK:
        return Kind.LOOK
    if s.phase == Phase.PARTNER:
        return Kind.BETWEEN if choice == BETWEEN else Kind.WITH
    if s.phase == Phase.GIVE:
        return Kind.GIVE
    return Kind.GET_TOP if choice == GET_TOP else Kind.GET


# Set-up


def start_round(s: State) -> None:
    s.round_no += 1
    s.stopper = NONE
    tell(s, ALL, Event.ROUND, s.round_no)
    deal(s)
    # EGO-02, EGO-19: chance decides only between several
    first = lowest(s.starters) if count(s.starters) == 1 else pick(s, Chance.START, s.starters)
    tell(s, ALL, Event.STARTS, first)
    begin_turn(s, first)


def deal(s: State) -> None:
    """EGO-01: one card face up, then five to each seat; EGO-20: a Citybot's lie hidden, the first one on top."""
    for holder in range(MAX_SEATS):
        s.hand[holder] = 0
        for knower in range(MAX_SEATS):
            s.certain[knower, holder] = 0
    for i in range(CARDS):
        s.deck[i] = NEW_DECK[i]
    shuffle(s, Chance.DECK, s.deck, CARDS)
    s.deck_next = 1
    s.deck_end = CARDS
    s.pile = 0
    lay_on_pile(s, s.deck[0])
    tell(s, ALL, Event.TURNED_UP, s.top)
    for seat in range(s.places):
        for i in range(HAND):
            card = s.deck[s.deck_next + i]
            if seat < s.seats:
                s.hand[seat] += one(card)
            else:
                s.hidden[seat, HAND - 1 - i] = card
        s.deck_next += HAND
        if seat < s.seats:
            tell(s, bit(seat), Event.DEALT, s.hand[seat])
        else:
            s.hidden_n[seat] = HAND


# A turn


def take_turn(s: State, seat: int, choice: int) -> None:
    if choice == DRAW:
        draw_secretly(s, seat)
    elif choice == STOP:
        say_stop(s, seat)
    elif choice <= MATCH:
        take(s, seat, choice - TAKE)
    elif choice <= PAIR:
        match(s, seat, choice - MATCH)
    else:
        pair(s, seat, choice - PAIR)


def draw_secretly(s: State, seat: int) -> None:
    """EGO-04."""
    s.drawn = draw(s)
    tell(s, ALL, Event.DREW, seat)
    tell(s, bit(seat), Event.DREW_CARD, s.drawn)
    ask(s, seat, Phase.DRAWN)


def discard_or_keep(s: State, seat: int, choice: int) -> None:
    card = s.drawn
    s.drawn = 0
    if choice == DISCARD:
        discard(s, seat, card)
    else:  # EGO-04: what was kept replaces the card that is played
        s.hand[seat] += one(card)
        play_card(s, seat, choice - KEEP)
        tell(s, ALL, Event.KEPT, seat, s.top)


def after_playing(s: State) -> None:
    """EGO-09: the ability of a card from the hand may be used; EGO-17: not that of the last one."""
    end_or_pass(s, s.active)
    if s.phase == Phase.TURN_OVER and ABILITIES >> s.top & 1:
        if s.active < s.seats:
            ask(s, s.active, Phase.ABILITY)
        else:
            citybot_ability(s)


# Scoring


def score_round(s: State) -> None:
    lay_open(s)
    highest = -1
    furthest = 0
    for place in range(s.places):
        if place >= s.seats:
            remove(s, place)
        scored = points(s.hand[place])
        s.score[place] += scored
        tell(s, ALL, Event.SCORED, place, s.hand[place], scored)
        if scored > highest:  # EGO-02: who scored most starts the next round
            s.starters = 0
        if scored >= highest:
            highest = scored
            s.starters |= bit(place)
        furthest = max(furthest, s.score[place])
    if furthest >= s.goal:
        end(s)
    else:
        s.phase = Phase.NEW_ROUND


def lay_open(s: State) -> None:
    """All hands are shown to be added up."""
    for place in range(s.places):
        if place >= s.seats:
            while s.hidden_n[place] > 0:
                reveal(s, place)
        for knower in range(s.seats):
            s.certain[knower, place] = s.hand[place]


def end(s: State) -> None:
    """EGO-18: the lowest total wins, several share it."""
    fewest = s.score[0]
    for place in range(1, s.places):
        fewest = min(fewest, s.score[place])
    for place in range(s.places):
        if s.score[place] == fewest:
            s.winners |= bit(place)
    s.phase = Phase.OVER
    tell(s, ALL, Event.WON, s.winners, fewest)
