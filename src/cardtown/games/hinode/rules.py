"""Top of the Hinode Town: the rules, from the set-up to the last trick, as the rulebook tells them.

What a choice means depends on the phase: a tribe, an area, a card, a colour, or what to use. `parts` says how these
are numbered; `skills` and `scoring` are chapters of their own.
"""

from __future__ import annotations

from cardtown.core.cards import bit, count, lowest, next_clockwise
from cardtown.core.chance import any_of, pick, shuffle
from cardtown.core.story import ALL, tell

from .parts import (
    ALL_AREAS,
    AREAS,
    BLUE,
    CARDS,
    CHANGED,
    COLOUR,
    CUBES,
    FOLLOWERS,
    HAND,
    HERO,
    HERO_RANK,
    KANSAI_RANK,
    NONE,
    RAISED,
    RANK,
    RED,
    REVERSED,
    SEATS,
    SPREADING,
    SUIT,
    SUITS,
    SWITCHED,
    TERRITORIES,
    TRICKS,
    WHITE,
    Chance,
    Event,
    Phase,
    State,
    Use,
    ask,
    is_player,
    next_to,
)
from .scoring import end
from .skills import can_use_skill, held_by_others, pay, payable, spend, steal

HERO_KIND = 9
USE_KINDS = 10
FOLLOWING = 64  # more than any rank


def start(s: State) -> None:
    clear_table(s)
    lay_out_town(s)
    deal(s)
    s.acting = bit(pick(s, Chance.START, bit(s.players) - 1))  # HIN-03: never a substitute
    tell(s, ALL, Event.STARTS, lowest(s.acting))


def legal(s: State, seat: int) -> int:
    if not s.acting & bit(seat):
        return 0
    if s.phase == Phase.PLAY:
        return playable(s, seat)
    if s.phase == Phase.AREA:
        return ALL_AREAS & ~s.taken  # HIN-05
    if s.phase == Phase.USE:
        return usable(s, seat)
    if s.phase == Phase.TAKE:
        return colours_on(s, s.target)
    if s.phase == Phase.NAME:
        return bit(SUITS) - 1
    if s.phase == Phase.PAY:
        return payable(s, seat)
    if s.phase == Phase.STEAL:
        return held_by_others(s, seat)
    if s.phase == Phase.SPREAD:
        return next_to(bit(s.target))
    return s.tribes_left


def play(s: State, seat: int, choice: int) -> None:
    if s.phase == Phase.PLAY:
        play_card(s, seat, choice)
    elif s.phase == Phase.AREA:
        choose_area(s, seat, choice)
    elif s.phase == Phase.USE:
        use(s, seat, choice)
    elif s.phase == Phase.TAKE:
        take(s, choice)
    elif s.phase == Phase.NAME:
        name_colour(s, seat, choice)
    elif s.phase == Phase.PAY:
        pay(s, seat, choice)
    elif s.phase == Phase.STEAL:
        steal(s, seat, choice)
    elif s.phase == Phase.SPREAD:
        spread(s, seat, choice)
    else:
        choose_tribe(s, seat, choice)
    go_on(s)


def go_on(s: State) -> None:
    """All that follows by itself, in the order of a trick."""
    if s.phase == Phase.NEXT_TURN:
        end_turn(s)
    if s.phase == Phase.JUDGMENT:
        judge(s)
    if s.phase == Phase.CUBES:
        share_cubes(s)
    if s.phase == Phase.NEXT_TRICK:
        end_trick(s)


def kind(s: State, choice: int) -> int:
    """The phase; but the hero, and each thing to use, is a kind of its own."""
    if s.phase == Phase.PLAY and choice == HERO:
        return HERO_KIND
    if s.phase == Phase.USE:
        return USE_KINDS + choice
    return s.phase


# Set-up


def clear_table(s: State) -> None:
    """No marker and no card lies anywhere. HIN-04: tribes are picked in the advanced game only."""
    s.last_hero = s.target = NONE
    for area in range(AREAS):
        s.place[0, area] = s.place[1, area] = NONE
    for seat in range(SEATS):
        s.laid[seat] = s.paid[seat] = NONE
        s.tribe[seat] = NONE if s.rules else seat
    s.tribes_left = bit(SEATS) - 1 if s.rules else 0
    s.phase = Phase.TRIBE if s.rules else Phase.AREA


def lay_out_town(s: State) -> None:
    """HIN-01: twelve areas with three cubes each; the thirteenth card is the bonus."""
    for territory in range(TERRITORIES):
        s.areas[territory] = territory
    shuffle(s, Chance.AREAS, s.areas, TERRITORIES)
    for cube in range(AREAS * CUBES):
        s.cubes[cube] = cube // AREAS  # twelve of each colour
    shuffle(s, Chance.CUBES, s.cubes, AREAS * CUBES)
    for area in range(AREAS):
        sort_cubes(s, area)
    tell(s, ALL, Event.BONUS_CARD, s.areas[AREAS])


def sort_cubes(s: State, area: int) -> None:
    """Cubes lie on an area in no order: whatever order they came in is forgotten."""
    for done in range(CUBES - 1):
        for at in range(area * CUBES, area * CUBES + CUBES - 1 - done):
            if s.cubes[at] > s.cubes[at + 1]:
                cube = s.cubes[at]
                s.cubes[at] = s.cubes[at + 1]
                s.cubes[at + 1] = cube


def deal(s: State) -> None:
    """HIN-02: nine cards each and a hero per player; three cards stay out."""
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(s, Chance.DECK, s.deck, CARDS)
    s.unused = bit(CARDS) - 1
    for seat in range(SEATS):
        for i in range(HAND):
            s.hand[seat] |= bit(s.deck[seat * HAND + i])
        s.unused &= ~s.hand[seat]
        if is_player(s, seat):
            tell(s, bit(seat), Event.DEALT, s.hand[seat])
        else:
            tell(s, ALL, Event.SUBSTITUTE, seat)
    s.heroes = bit(s.players) - 1


def choose_tribe(s: State, seat: int, tribe: int) -> None:
    """HIN-04: clockwise from the start player, each of the players one; then the start player leads."""
    s.tribe[seat] = tribe
    s.tribes_left &= ~bit(tribe)
    tell(s, ALL, Event.TRIBE, seat, tribe)
    next_player = next_clockwise(bit(s.players) - 1, (seat + 1) % SEATS)
    if s.tribe[next_player] == NONE:
        ask(s, next_player, Phase.TRIBE)
    else:
        ask(s, next_player, Phase.AREA)


# 1. The area


def choose_area(s: State, seat: int, area: int) -> None:
    """HIN-05: the lead chooses the target."""
    s.lead = seat
    s.target = area
    s.colour = COLOUR[s.areas[area]]
    s.turn = s.hero_lies = 0
    for other in range(SEATS):
        s.laid[other] = s.paid[other] = NONE
        s.used[other] = 0
    tell(s, ALL, Event.TARGET, seat, area, s.areas[area])
    ask(s, seat, Phase.PLAY)


# 2. The turns


def playable(s: State, seat: int) -> int:
    """HIN-06: any card, or the hero unless one lies in this trick."""
    if s.heroes & bit(seat) and not s.hero_lies:
        return s.hand[seat] | bit(HERO)
    return s.hand[seat]


def play_card(s: State, seat: int, card: int) -> None:
    lay(s, seat, card)
    if s.colour != WHITE:
        may_use(s, seat)
    else:  # HIN-08: the lead's hero lies on the white area
        ask(s, seat, Phase.NAME)


def lay(s: State, seat: int, card: int) -> None:
    s.laid[seat] = card
    if card == HERO:
        s.heroes &= ~bit(seat)
        s.hero_lies = 1
        s.last_hero = seat
        tell(s, ALL, Event.PLAYED, seat, HERO)
        return
    s.hand[seat] &= ~bit(card)
    s.played[seat] |= bit(card)
    tell(s, ALL, Event.PLAYED, seat, card)
    if s.colour == WHITE:  # HIN-08: the lead's suit is the colour of the white area
        s.colour = SUIT[card]
        tell(s, ALL, Event.COLOUR, s.colour)


def name_colour(s: State, seat: int, colour: int) -> None:
    """HIN-08: the lead says what the white area is to be."""
    s.colour = colour
    tell(s, ALL, Event.NAMED, seat, colour)
    may_use(s, seat)


def may_use(s: State, seat: int) -> None:
    """HIN-09: asked only who has something to use."""
    if usable(s, seat) == bit(Use.NOTHING):
        s.phase = Phase.NEXT_TURN
    else:
        ask(s, seat, Phase.USE)


def usable(s: State, seat: int) -> int:
    """HIN-09: a red cube, a blue cube or the skill. HIN-10: a yellow cube does nothing."""
    uses = bit(Use.NOTHING)
    if s.purse[seat, RED] > 0:
        uses |= bit(Use.RED)
    if s.purse[seat, BLUE] > 0:
        uses |= bit(Use.BLUE)
    if s.rules and can_use_skill(s, seat):
        uses |= bit(Use.SKILL)
    return uses


def use(s: State, seat: int, what: int) -> None:
    """HIN-09: one thing only. HIN-10: what a red and a blue cube do."""
    s.phase = Phase.NEXT_TURN
    if what == Use.RED:
        spend(s, seat, RED, 1, REVERSED)
        tell(s, ALL, Event.USED, seat, RED)
    elif what == Use.BLUE:
        spend(s, seat, BLUE, 1, SWITCHED)
        tell(s, ALL, Event.USED, seat, BLUE)
    elif what == Use.SKILL:
        ask(s, seat, Phase.PAY)


def end_turn(s: State) -> None:
    """Rank the card that was played, then let substitutes play until a player must choose."""
    rank_card(s, turn_of(s))
    while s.turn < SEATS and not is_player(s, turn_of(s)):
        lay(s, turn_of(s), s.deck[turn_of(s) * HAND + s.trick])  # HIN-15: as dealt, with no hero and no cube
        rank_card(s, turn_of(s))
    if s.turn == SEATS:
        s.phase = Phase.JUDGMENT
    else:
        ask(s, turn_of(s), Phase.PLAY)


def turn_of(s: State) -> int:
    """HIN-06: clockwise from the lead."""
    return (s.lead + s.turn) % SEATS


def rank_card(s: State, seat: int) -> None:
    """HIN-11: put a seat below all that are as strong, for they played earlier."""
    s.power[seat] = rank(s, seat) + (FOLLOWING if is_following(s, seat) else 0)
    if s.used[seat] & CHANGED:
        tell(s, ALL, Event.COUNTS, seat, rank(s, seat), 1 if is_following(s, seat) else 0)
    at = s.turn
    while at > 0 and s.power[s.ranking[at - 1]] < s.power[seat]:
        s.ranking[at] = s.ranking[at - 1]
        at -= 1
    s.ranking[at] = seat
    s.turn += 1


def rank(s: State, seat: int) -> int:
    """HIN-10, HIN-27: reversed it is 14 less the printed rank. HIN-28: Kansai Gogakuren adds to it."""
    printed = RANK[s.laid[seat]]
    if s.used[seat] & REVERSED:
        return HERO_RANK - printed
    return printed + KANSAI_RANK if s.used[seat] & RAISED else printed


def is_following(s: State, seat: int) -> bool:
    """HIN-07: the trick's colour and heroes follow. HIN-10, HIN-27: switched it is the other way round."""
    follows = FOLLOWERS[s.colour] >> s.laid[seat] & 1
    return follows != (s.used[seat] & SWITCHED) >> 1


# 3. Judgment


def judge(s: State) -> None:
    """HIN-12: markers for the first and the second. HIN-25: Yozakurakai puts another one if it is first."""
    s.taken |= bit(s.target)
    for place in range(2):
        seat = s.ranking[place]
        s.place[place, s.target] = seat
        s.marked[seat] |= bit(s.target)  # HIN-14: there is always one more marker
        tell(s, ALL, Event.MARKED, seat, place, s.target)
    for place in range(1, SEATS):
        if s.used[s.ranking[place]] & SPREADING:
            tell(s, ALL, Event.IN_VAIN, s.ranking[place])
    if s.used[s.ranking[0]] & SPREADING:
        ask(s, s.ranking[0], Phase.SPREAD)
    else:
        s.phase = Phase.CUBES


def spread(s: State, seat: int, area: int) -> None:
    """HIN-25: a marker on no place, so the area can still be chosen. HIN-29: it counts for the formation."""
    s.spread[area] += 1
    s.marked[seat] |= bit(area)
    tell(s, ALL, Event.SPREAD, seat, area)
    s.phase = Phase.CUBES


def share_cubes(s: State) -> None:
    """HIN-12: the fourth takes a cube. HIN-16: a substitute one of the trick's colour, or the best player chooses."""
    fourth = s.ranking[3]
    if is_player(s, fourth):
        ask(s, fourth, Phase.TAKE)
    elif colours_on(s, s.target) & bit(s.colour):
        take(s, s.colour)
    else:
        ask(s, best_player(s), Phase.TAKE)


def colours_on(s: State, area: int) -> int:
    """The colours of the cubes on an area."""
    at = area * CUBES
    return bit(s.cubes[at]) | bit(s.cubes[at + 1]) | bit(s.cubes[at + 2])


def best_player(s: State) -> int:
    """The highest ranked seat that is no substitute."""
    place = 0
    while not is_player(s, s.ranking[place]):
        place += 1
    return s.ranking[place]


def take(s: State, colour: int) -> None:
    """HIN-12: one cube for the fourth, the other two for the third."""
    fourth = s.ranking[3]
    if s.phase == Phase.TAKE and not is_player(s, fourth):
        tell(s, ALL, Event.CHOSE_FOR, best_player(s), fourth)
    at = s.target * CUBES
    while s.cubes[at] != colour:
        at += 1
    give_cube(s, fourth, at)
    for other in range(s.target * CUBES, s.target * CUBES + CUBES):
        if other != at:
            give_cube(s, s.ranking[2], other)
    s.phase = Phase.NEXT_TRICK


def give_cube(s: State, seat: int, at: int) -> None:
    colour = s.cubes[at]
    s.cubes[at] = NONE
    if is_player(s, seat):
        s.purse[seat, colour] += 1
        tell(s, ALL, Event.TOOK, seat, colour)
    else:  # HIN-15: a substitute's cubes leave the game
        s.spent[colour] += 1
        tell(s, ALL, Event.REMOVED, seat, colour)


# 4. The end of a trick, and the scores


def end_trick(s: State) -> None:
    """HIN-13: the first, or else the best player, leads the next of nine tricks."""
    s.trick += 1
    if s.trick < TRICKS:
        ask(s, best_player(s), Phase.AREA)
    else:
        end(s)


# What a seat knows


def redeal(s: State, seat: int) -> None:
    """HIN-30: guess the other hands, the order in which substitutes will play theirs, and the unused cards."""
    unknown = s.unused
    for other in range(SEATS):
        if is_hidden(s, seat, other):
            unknown |= s.hand[other]
    for i in range(CARDS):
        s.deck[i] = 0
    for other in range(SEATS):
        if is_hidden(s, seat, other):
            unknown &= ~guess_hand(s, other, unknown)
    s.unused = unknown


def guess_hand(s: State, seat: int, unknown: int) -> int:
    """Give a seat as many unknown cards as it holds, a substitute's in the order they came; the cards it was given."""
    given = 0
    for i in range(HAND - count(s.hand[seat]), HAND):
        card = any_of(s.rng, unknown & ~given)
        given |= bit(card)
        if not is_player(s, seat):
            s.deck[seat * HAND + i] = card
    s.hand[seat] = given
    return given


def is_hidden(s: State, seat: int, other: int) -> bool:
    """Are the cards of `other` unknown to `seat`? Those of a substitute are unknown to everybody."""
    return other != seat or not is_player(s, other)
