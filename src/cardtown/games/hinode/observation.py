"""Top of the Hinode Town as numbers: what a seat knows, told from its own side of the table."""

from __future__ import annotations

from collections.abc import MutableSequence

from cardtown.core.cards import bit, count
from cardtown.core.observing import Part, places, put, put_large, put_seats

from .parts import (
    AREAS,
    CARDS,
    COLOUR,
    CUBES,
    NONE,
    PLACE_POINTS,
    SEATS,
    SUITS,
    TRIBES,
    Phase,
    State,
    is_player,
)

COLOURS = SUITS + 1
LAYABLE = CARDS + 1
EFFECTS = 5
TRIBE_CARDS = len(TRIBES)
CHOOSING = [phase for phase in Phase if phase < Phase.NEXT_TURN]

PARTS = (
    Part("advanced", 1, "1 in the advanced game"),
    Part("players", SEATS, "who is no substitute"),
    Part("phase", len(CHOOSING), f"what is chosen: {', '.join(phase.name.lower() for phase in CHOOSING)}"),
    Part("acting", SEATS, "who chooses now"),
    Part("trick", 1, "how many tricks are over"),
    Part("colours", AREAS * COLOURS, "the colour of each area: red, blue, yellow, white"),
    Part("worth", AREAS * 2, "what the first and the second place of each area are worth"),
    Part("bonus", COLOURS, "the colour of the bonus card"),
    Part("cubes", AREAS * SUITS, "how many cubes of each colour lie on each area"),
    Part("first", AREAS * SEATS, "whose marker is on the first place of each area"),
    Part("second", AREAS * SEATS, "and on the second"),
    Part("spread", AREAS, "how many markers Yozakurakai has beside the places"),
    Part("hand", CARDS, "my hand"),
    Part("in_hand", SEATS, "how many cards each hand holds"),
    Part("played", SEATS * CARDS, "what each seat has played, in this trick too"),
    Part("heroes", SEATS, "who still has its hero"),
    Part("last_hero", SEATS, "who played a hero last"),
    Part("tribes", SEATS * TRIBE_CARDS, "the tribe of each seat"),
    Part("tribes_left", TRIBE_CARDS, "the tribes that can still be picked"),
    Part("purse", SEATS * SUITS, "how many cubes of each colour each seat has"),
    Part("spent", SUITS, "how many left the game"),
    Part("target", AREAS, "the area of this trick, or of the last one until the next is chosen"),
    Part("colour", COLOURS, "the colour of the trick: white until it is known"),
    Part("lead", SEATS, "who leads the trick; before the first, seat 0"),
    Part("laid", SEATS * LAYABLE, "the card of each seat in the trick; the hero is the last"),
    Part("used", SEATS * EFFECTS, "what is done to it: reversed, switched, raised; spreading; it is a tribe's skill"),
    Part("paid", SEATS * SUITS, "the colour of the cubes that were paid for it"),
    Part("power", SEATS, "its rank, and 64 more if it follows; 0 until its turn is over"),
    Part("place", SEATS, "its place in the trick so far, 1 for the best"),
    Part("points", SEATS * 2, "when the game is over, everybody's points: the tens, and what is left"),
)
(
    ADVANCED,
    PLAYERS,
    PHASE,
    ACTING,
    TRICK,
    AREA_COLOURS,
    WORTH,
    BONUS,
    AREA_CUBES,
    FIRST,
    SECOND,
    SPREAD,
    HAND,
    IN_HAND,
    PLAYED,
    HEROES,
    LAST_HERO,
    TRIBE,
    TRIBES_LEFT,
    PURSE,
    SPENT,
    TARGET,
    TRICK_COLOUR,
    LEAD,
    LAID,
    USED,
    PAID,
    POWER,
    PLACE,
    POINTS,
) = places(PARTS)


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[ADVANCED] = s.rules
    put_seats(x, PLAYERS, bit(s.players) - 1, seat, SEATS)
    if s.phase != Phase.OVER:
        x[PHASE + s.phase] = 1
    put_seats(x, ACTING, s.acting, seat, SEATS)
    x[TRICK] = s.trick
    observe_town(s, seat, x)
    if is_player(s, seat):  # a substitute doesn't know its own hand
        put(x, HAND, s.hand[seat])
    put_seats(x, HEROES, s.heroes, seat, SEATS)
    if s.last_hero != NONE:
        put_seats(x, LAST_HERO, bit(s.last_hero), seat, SEATS)
    put(x, TRIBES_LEFT, s.tribes_left)
    for colour in range(SUITS):
        x[SPENT + colour] = s.spent[colour]
    put_seats(x, LEAD, bit(s.lead), seat, SEATS)
    for i in range(SEATS):
        observe_seat(s, i, (seat + i) % SEATS, x)
    if s.target != NONE:
        x[TARGET + s.target] = 1
        x[TRICK_COLOUR + s.colour] = 1
        for place in range(s.turn):
            i = (s.ranking[place] + SEATS - seat) % SEATS
            x[POWER + i] = s.power[s.ranking[place]]
            x[PLACE + i] = place + 1


def observe_town(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[BONUS + COLOUR[s.areas[AREAS]]] = 1
    for area in range(AREAS):
        territory = s.areas[area]
        x[AREA_COLOURS + area * COLOURS + COLOUR[territory]] = 1
        for place in range(2):
            x[WORTH + area * 2 + place] = PLACE_POINTS[territory][place]
            if s.place[place, area] != NONE:
                put_seats(x, (SECOND if place else FIRST) + area * SEATS, bit(s.place[place, area]), seat, SEATS)
        x[SPREAD + area] = s.spread[area]
        for i in range(area * CUBES, area * CUBES + CUBES):
            if s.cubes[i] != NONE:
                x[AREA_CUBES + area * SUITS + s.cubes[i]] += 1


def observe_seat(s: State, i: int, other: int, x: MutableSequence[int]) -> None:
    """What lies open of the seat that sits `i` steps from me."""
    x[IN_HAND + i] = count(s.hand[other])
    put(x, PLAYED + i * CARDS, s.played[other])
    if s.tribe[other] != NONE:
        x[TRIBE + i * TRIBE_CARDS + s.tribe[other]] = 1
    for colour in range(SUITS):
        x[PURSE + i * SUITS + colour] = s.purse[other, colour]
    if s.laid[other] != NONE:
        x[LAID + i * LAYABLE + s.laid[other]] = 1
    put(x, USED + i * EFFECTS, s.used[other])
    if s.paid[other] != NONE:
        x[PAID + i * SUITS + s.paid[other]] = 1
    put_large(x, POINTS + 2 * i, s.score[other])
