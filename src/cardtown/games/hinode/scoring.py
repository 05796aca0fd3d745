"""Top of the Hinode Town: the scores, in the order in which the rulebook counts them."""

from __future__ import annotations

from cardtown.core.cards import bit, count, lowest
from cardtown.core.story import ALL, tell

from .parts import (
    AREAS,
    BONUS,
    COLOUR,
    FORMATION,
    LAST_HERO,
    MOST_TREASURE,
    PLACE_POINTS,
    SEATS,
    TREASURE,
    YELLOW,
    Event,
    Phase,
    Points,
    State,
    Tribe,
    next_to,
)


def end(s: State) -> None:
    s.phase = Phase.OVER
    s.acting = 0
    for seat in range(SEATS):
        gain(s, seat, Points.RANK, rank_points(s, seat))
        gain(s, seat, Points.BONUS, bonus_points(s, seat))
        gain(s, seat, Points.FORMATION, formation_points(s, seat))
        gain(s, seat, Points.HERO, hero_points(s, seat))
        gain(s, seat, Points.TREASURE, treasure_points(s, seat))
        gain(s, seat, Points.MOST_TREASURE, most_treasure_points(s, seat))
        tell(s, ALL, Event.TOTAL, seat, s.score[seat])
    find_winners(s)
    tell(s, ALL, Event.WON, s.winners, s.score[lowest(s.winners)])


def gain(s: State, seat: int, why: int, points: int) -> None:
    s.score[seat] += points
    if points != 0:
        tell(s, ALL, Event.GAINED, seat, why, points)


def markers_on(s: State, seat: int, area: int) -> int:
    markers = s.spread[area] if s.tribe[seat] == Tribe.YOZAKURA else 0  # nobody else can spread
    for place in range(2):
        if s.place[place, area] == seat:
            markers += 1
    return markers


def rank_points(s: State, seat: int) -> int:
    """HIN-18: what the places are worth where a seat's markers lie."""
    points = 0
    for area in range(AREAS):
        for place in range(2):
            if s.place[place, area] == seat:
                points += PLACE_POINTS[s.areas[area]][place]
    return points


def bonus_points(s: State, seat: int) -> int:
    """HIN-19: a point for each marker on the bonus card's colour. White gives none."""
    points = 0
    colour = COLOUR[s.areas[AREAS]]
    for area in range(AREAS):
        if COLOUR[s.areas[area]] == colour:  # never white: there is only one white card
            points += BONUS * markers_on(s, seat, area)
    return points


def formation_points(s: State, seat: int) -> int:
    """HIN-20, HIN-29: two points for each area of the largest group."""
    left = s.marked[seat]
    largest = 0
    while left:
        group = 0
        grown = left & -left
        while grown != group:
            group = grown
            grown |= next_to(group) & left
        left &= ~group
        largest = max(largest, count(group))
    return FORMATION * largest


def hero_points(s: State, seat: int) -> int:
    """HIN-21: for the last hero."""
    return LAST_HERO if s.last_hero == seat else 0


def treasure_points(s: State, seat: int) -> int:
    """HIN-22: for every two unspent yellow cubes."""
    return TREASURE * (s.purse[seat, YELLOW] // 2)


def most_treasure_points(s: State, seat: int) -> int:
    """HIN-22: for the most unspent yellow cubes, divided if tied; one at least is needed."""
    own = s.purse[seat, YELLOW]
    tied = 0
    for other in range(SEATS):
        if s.purse[other, YELLOW] > own:
            return 0
        if s.purse[other, YELLOW] == own:
            tied += 1
    return MOST_TREASURE // tied if own > 0 else 0


def marker_count(s: State, seat: int) -> int:
    markers = 0
    for area in range(AREAS):
        markers += markers_on(s, seat, area)
    return markers


def find_winners(s: State) -> None:
    """HIN-17: the best of the players. HIN-23: if tied, who has more markers; or all of them."""
    best = 0
    for seat in range(s.players):
        ahead = compare(s, seat, best)
        if ahead > 0:
            s.winners = 0
            best = seat
        if ahead >= 0:
            s.winners |= bit(seat)


def compare(s: State, seat: int, other: int) -> int:
    """More than 0 if `seat` is ahead of `other`, less if behind."""
    points = s.score[seat] - s.score[other]
    return points if points != 0 else marker_count(s, seat) - marker_count(s, other)
