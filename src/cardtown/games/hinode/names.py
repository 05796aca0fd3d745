"""Top of the Hinode Town: its notation, and the names and faces of its things."""

from __future__ import annotations

from collections.abc import Sequence

from cardtown.core.game import Chance as ChanceNotation
from cardtown.core.table import Face, SeatName, Text, text

from .parts import (
    CARDS,
    CHARLEMONT_CUBES,
    COLOUR,
    COST,
    HERO,
    KANSAI_RANK,
    PARTS,
    PLACE_POINTS,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    TERRITORIES,
    TERRITORY_NAMES,
    TRIBES,
    Chance,
    Phase,
    State,
)

LETTERS: list[str] = [*PARTS["cards"]["suits"], "W"]
CUBE_LETTERS = [letter.lower() for letter in LETTERS[:SUITS]]
NAMES = [f"{LETTERS[SUIT[card]]}{RANK[card]}" for card in range(CARDS)] + ["hero"]
USES = ["nothing", "red", "blue", "skill"]
CHANCES = {
    Chance.AREAS: ChanceNotation("areas", TERRITORY_NAMES),
    Chance.CUBES: ChanceNotation("cubes", CUBE_LETTERS),
    Chance.DECK: ChanceNotation("deck", NAMES[:CARDS]),
    Chance.START: ChanceNotation("start", range(SEATS)),
}


def move(s: State, choice: int) -> str:
    match s.phase:
        case Phase.TRIBE:
            return f"tribe {TRIBES[choice]}"
        case Phase.AREA:
            return f"area {choice + 1}"
        case Phase.PLAY:
            return f"play {NAMES[choice]}"
        case Phase.NAME:
            return f"name {LETTERS[choice]}"
        case Phase.USE:
            return f"use {USES[choice]}"
        case Phase.PAY:
            return f"pay {CUBE_LETTERS[choice]}"
        case Phase.STEAL:
            return f"steal {CUBE_LETTERS[choice]}"
        case Phase.SPREAD:
            return f"spread {choice + 1}"
    return f"take {CUBE_LETTERS[choice]}"


def faces() -> dict[str, Face]:
    battle = {
        NAMES[card]: Face(
            corner=str(RANK[card]),
            suit=LETTERS[SUIT[card]],
            title=text("card", suit=suit_name(SUIT[card]), rank=RANK[card]),
        )
        for card in range(CARDS)
    }
    hero = {"hero": Face(corner=str(RANK[HERO]), suit="hero", title=text("hero", rank=RANK[HERO]))}
    territories = {
        TERRITORY_NAMES[t]: Face(
            corner=f"{signed(PLACE_POINTS[t][0])}/{signed(PLACE_POINTS[t][1])}",
            suit=LETTERS[COLOUR[t]],
            title=territory_name(t),
        )
        for t in range(TERRITORIES)
    }
    tribes = {name: Face(name[0].upper(), name, tribe_name(tribe)) for tribe, name in enumerate(TRIBES)}
    skills = {
        f"{name}-skill": Face(
            name[0].upper(),
            name,
            text(f"skill_{name}", tribe=tribe_name(tribe), cost=COST[tribe], rank=KANSAI_RANK, cubes=CHARLEMONT_CUBES),
        )
        for tribe, name in enumerate(TRIBES)
    }
    return battle | hero | territories | tribes | skills


def signed(points: int) -> str:
    return str(points).replace("-", "−")


def suit_name(suit: int) -> Text:
    return text(f"suit_{LETTERS[suit]}")


def tribe_name(tribe: int) -> Text:
    return text(f"tribe_{TRIBES[tribe]}")


def territory_name(territory: int) -> Text:
    first, second = PLACE_POINTS[territory]
    return text("territory", suit=suit_name(COLOUR[territory]), first=signed(first), second=signed(second))


def area_name(s: State, area: int) -> Text:
    return text("area", number=area + 1, territory=territory_name(s.areas[area]))


def places_of(s: State, area: int) -> Text:
    """What an area's first and second place are worth."""
    first, second = PLACE_POINTS[s.areas[area]]
    return text("places", number=area + 1, first=signed(first), second=signed(second))


def seat_names(seats: Sequence[int]) -> SeatName | Text:
    """One seat, or several in a row."""
    if len(seats) == 1:
        return SeatName(seats[0])
    return text("and", first=seat_names(seats[:-1]), last=SeatName(seats[-1]))
