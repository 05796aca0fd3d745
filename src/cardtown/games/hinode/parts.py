"""Top of the Hinode Town: its parts, that is the figures of the components, the shape of the town, and the state.

A battle card is a number, suit by suit (R1 … R13, B1 … Y13), and the hero comes after them. Areas are numbered row by
row from 0, colours in the order of the suits.
"""

from __future__ import annotations

from enum import IntEnum

from cardtown.core import state
from cardtown.core.cards import bit
from cardtown.core.components import components, require
from cardtown.core.state import grid, mask, masks, number, numbers

PARTS = components(__package__)
SEATS = 4
SUITS = 3
RANKS = 13
CARDS = 39
HAND = 9
TRICKS = 9
HERO = 39
HERO_RANK = 14
TERRITORIES = 13
AREAS = 12
COLUMNS = 4
CUBES = 3  # on each area
BONUS = 1
FORMATION = 2
LAST_HERO = 3
TREASURE = 1
MOST_TREASURE = 6
TRIBES = ("kansai", "samurai", "yozakura", "charlemont")
COST = (2, 2, 1, 2)
GIVEN: dict[str, dict[str, object]] = {
    "cards": {"suits": ["R", "B", "Y"], "ranks": RANKS, "hand": HAND, "hero": HERO_RANK},
    "town": {"rows": AREAS // COLUMNS, "columns": COLUMNS, "cubes": CUBES},
    "points": {
        "bonus": BONUS,
        "formation": FORMATION,
        "hero": LAST_HERO,
        "treasure": TREASURE,
        "most": MOST_TREASURE,
    },
    "costs": dict(zip(TRIBES, COST, strict=True)),
}
for table, figures in GIVEN.items():
    for key, figure in figures.items():
        require(PARTS[table][key] == figure, f"{table}.{key}", f"the rulebook gives {figure}, not {PARTS[table][key]}")

TERRITORY_NAMES = ("RA", "RB", "RC", "RD", "BA", "BB", "BC", "BD", "YA", "YB", "YC", "YD", "W")
PLACE_POINTS: tuple[tuple[int, int], ...] = tuple(tuple(PARTS["territories"][name]) for name in TERRITORY_NAMES)
KANSAI_RANK: int = PARTS["skills"]["kansai_rank"]
CHARLEMONT_CUBES: int = PARTS["skills"]["charlemont_cubes"]

for name, places in zip(TERRITORY_NAMES, PLACE_POINTS, strict=True):
    require(max(places) < 100 and min(places) > -100, f"territories.{name}", f"must be from -99 to 99, not {places}")
require(min(map(min, PLACE_POINTS)) < 0, "territories", "the rulebook has negative points among them, here are none")
require(1 <= KANSAI_RANK <= 40, "skills.kansai_rank", f"must be from 1 to 40, not {KANSAI_RANK}")
require(1 <= CHARLEMONT_CUBES <= 12, "skills.charlemont_cubes", f"must be from 1 to 12, not {CHARLEMONT_CUBES}")

NONE = -1
RED = 0
BLUE = 1
YELLOW = 2
WHITE = 3
ALL_AREAS = (1 << AREAS) - 1
NOT_RIGHTMOST = 0b0111_0111_0111
NOT_LEFTMOST = 0b1110_1110_1110
SUIT = tuple(card // RANKS for card in range(CARDS))
RANK = (*(card % RANKS + 1 for card in range(CARDS)), HERO_RANK)
# By the trick's colour. While nobody knows it, on the white area, only the lead's hero lies there.
FOLLOWERS = (*(0x1FFF << (RANKS * suit) | 1 << HERO for suit in range(SUITS)), 1 << HERO)
COLOUR = tuple(territory // 4 for territory in range(TERRITORIES))  # four of each suit, then the white one

# What a cube or a skill does to the card that it is used with.
REVERSED = 1
SWITCHED = 2
RAISED = 4
CHANGED = REVERSED | SWITCHED | RAISED
SPREADING = 8
SKILLED = 16  # a skill was paid for


class Tribe(IntEnum):
    KANSAI = 0
    SAMURAI = 1
    YOZAKURA = 2
    CHARLEMONT = 3


EFFECT = (SKILLED | RAISED, SKILLED | REVERSED | SWITCHED, SKILLED | SPREADING, SKILLED)


class Phase(IntEnum):
    """What is asked for; from NEXT_TURN on nobody is asked, and `go_on` finds what follows."""

    TRIBE = 0
    AREA = 1
    PLAY = 2
    NAME = 3
    USE = 4
    PAY = 5
    STEAL = 6
    SPREAD = 7
    TAKE = 8
    NEXT_TURN = 9
    JUDGMENT = 10
    CUBES = 11
    NEXT_TRICK = 12
    OVER = 13


class Use(IntEnum):
    NOTHING = 0
    RED = 1
    BLUE = 2
    SKILL = 3


class Chance(IntEnum):
    AREAS = 0
    CUBES = 1
    DECK = 2
    START = 3


class Event(IntEnum):
    BONUS_CARD = 0
    SUBSTITUTE = 1
    DEALT = 2
    STARTS = 3
    TRIBE = 4
    TARGET = 5
    PLAYED = 6
    COLOUR = 7
    NAMED = 8
    USED = 9
    PAID = 10
    GAVE = 11
    COUNTS = 12
    MARKED = 13
    SPREAD = 14
    IN_VAIN = 15
    CHOSE_FOR = 16
    TOOK = 17
    REMOVED = 18
    GAINED = 19
    TOTAL = 20
    WON = 21


class Points(IntEnum):
    RANK = 0
    BONUS = 1
    FORMATION = 2
    HERO = 3
    TREASURE = 4
    MOST_TREASURE = 5


class State(state.State):
    players = number()  # option: how many seats are people; the others are substitutes
    rules = number()  # option: 1 for the advanced game
    phase = number()
    areas = numbers(TERRITORIES)  # the territory of each area; the last is the bonus card
    cubes = numbers(AREAS * CUBES)  # three per area, NONE where one was taken
    deck = numbers(CARDS)  # as it was dealt: a substitute plays its part of it in order
    hand = masks(SEATS)
    unused = mask()
    played = masks(SEATS)
    heroes = number()  # the seats that still have theirs
    last_hero = number()  # who played one last, or NONE
    tribe = numbers(SEATS)  # or NONE
    tribes_left = number()
    purse = grid(SEATS, SUITS)  # unspent cubes by colour
    spent = numbers(SUITS)  # cubes that left the game
    trick = number()  # how many are over
    lead = number()
    target = number()  # an area, or NONE before the first trick
    colour = number()  # of the trick; WHITE until it is known
    turn = number()  # how many turns of the trick are over
    hero_lies = number()  # is there a hero in this trick?
    laid = numbers(SEATS)  # the card of each seat in this trick, or NONE
    used = numbers(SEATS)  # what the cube or skill does that was used with it
    paid = numbers(SEATS)  # the colour that was spent on it, or NONE
    power = numbers(SEATS)
    ranking = numbers(SEATS)  # the seats whose turns are over, the best first
    place = grid(2, AREAS)  # whose marker is first and second on each area, or NONE
    spread = numbers(AREAS)  # markers on no place
    marked = numbers(SEATS, 16)  # the areas with a seat's markers, as a mask
    taken = number(16)  # the areas whose places are taken, as a mask


def next_to(areas: int) -> int:
    """The areas orthogonally next to one of these."""
    beside = (areas & NOT_RIGHTMOST) << 1 | (areas & NOT_LEFTMOST) >> 1
    return (beside | areas << COLUMNS | areas >> COLUMNS) & ALL_AREAS


def is_player(s: State, seat: int) -> bool:
    """HIN-03: the seats after the players' are substitutes."""
    return seat < s.players


def ask(s: State, seat: int, phase: int) -> None:
    """Let a seat choose."""
    s.phase = phase
    s.acting = bit(seat)
