"""Top of the Hinode Town: what the log and the score sheet say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardtown.core.cards import members
from cardtown.core.story import Told
from cardtown.core.table import FaceName, Row, SeatName, Sheet, Text, text

from .names import NAMES, area_name, seat_names, signed, suit_name, territory_name, tribe_name
from .parts import (
    AREAS,
    BONUS,
    COLOUR,
    COST,
    FORMATION,
    LAST_HERO,
    MOST_TREASURE,
    NONE,
    PLACE_POINTS,
    SEATS,
    SUITS,
    TERRITORY_NAMES,
    TREASURE,
    WHITE,
    Event,
    State,
    is_player,
)
from .scoring import bonus_points, formation_points, hero_points, marker_count, most_treasure_points, treasure_points

REVEALS = frozenset({Event.BONUS_CARD, Event.DEALT, Event.STARTS, Event.PLAYED})


def line(event: int, args: tuple[int, ...]) -> Text:
    a, b, c = args
    match event:
        case Event.BONUS_CARD:
            return text("log_bonus_card", card=FaceName(TERRITORY_NAMES[a]), territory=territory_name(a))
        case Event.SUBSTITUTE:
            return text("log_substitute", seat=SeatName(a))
        case Event.DEALT:
            return text("log_dealt", **{f"card{i}": FaceName(NAMES[card]) for i, card in enumerate(members(a))})
        case Event.STARTS:
            return text("log_starts", seat=SeatName(a))
        case Event.TRIBE:
            return text("log_tribe", seat=SeatName(a), tribe=tribe_name(b))
        case Event.TARGET:
            return text("log_target", seat=SeatName(a), number=b + 1, territory=territory_name(c))
        case Event.PLAYED:
            return text("log_played", seat=SeatName(a), card=FaceName(NAMES[b]))
        case Event.COLOUR:
            return text("log_colour", suit=suit_name(a))
        case Event.NAMED:
            return text("log_named", seat=SeatName(a), suit=suit_name(b))
        case Event.USED:
            return text("log_used", seat=SeatName(a), suit=suit_name(b))
        case Event.PAID:
            return text("log_paid", n=COST[b], seat=SeatName(a), tribe=tribe_name(b), suit=suit_name(c))
        case Event.GAVE:
            return text("log_gave", n=c // SUITS, seat=SeatName(a), to=SeatName(b), suit=suit_name(c % SUITS))
        case Event.COUNTS:
            return text("log_counts_follow" if c else "log_counts_other", seat=SeatName(a), rank=b)
        case Event.MARKED:
            return text("log_second" if b else "log_first", seat=SeatName(a), number=c + 1)
        case Event.SPREAD:
            return text("log_spread", seat=SeatName(a), number=b + 1)
        case Event.IN_VAIN:
            return text("log_in_vain", seat=SeatName(a))
        case Event.CHOSE_FOR:
            return text("log_chose_for", seat=SeatName(a), fourth=SeatName(b))
        case Event.TOOK:
            return text("log_took", seat=SeatName(a), suit=suit_name(b))
        case Event.REMOVED:
            return text("log_removed", seat=SeatName(a), suit=suit_name(b))
        case Event.GAINED:
            return text("log_gained", seat=SeatName(a), what=text(f"points_{b}"), points=signed(c))
        case Event.TOTAL:
            return text("log_total", n=b, seat=SeatName(a), points=signed(b))
    return text("log_won", n=b, seats=seat_names(members(a)), points=signed(b))


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    """A row for each area that was fought for, and what all else would be worth if the game ended now."""
    bonus = COLOUR[s.areas[AREAS]]
    bonus_why = text("why_no_bonus") if bonus == WHITE else text("why_bonus", points=BONUS, suit=suit_name(bonus))
    hero_why = text("why_no_hero")
    if s.last_hero != NONE:
        hero_why = text("why_hero", seat=SeatName(s.last_hero), points=LAST_HERO)
    rows = [
        *(area_row(s, area) for area in members(s.taken)),
        Row(text("row_bonus"), of_all(s, bonus_points), bonus_why),
        Row(text("row_formation"), of_all(s, formation_points), text("why_formation", points=FORMATION)),
        Row(text("row_hero"), of_players(s, hero_points), hero_why),
        Row(text("row_treasure"), of_players(s, treasure_points), text("why_treasure", points=TREASURE)),
        Row(text("row_most"), of_players(s, most_treasure_points), text("why_most", points=MOST_TREASURE)),
    ]
    return Sheet(tuple(rows), tuple(sum(row.points[seat] or 0 for row in rows) for seat in range(SEATS)))


def of_all(s: State, points: Callable[[State, int], int]) -> tuple[int, ...]:
    return tuple(points(s, seat) for seat in range(SEATS))


def of_players(s: State, points: Callable[[State, int], int]) -> tuple[int | None, ...]:
    """Substitutes have no hero and no cubes, so there is nothing to be had for them."""
    return tuple(points(s, seat) if is_player(s, seat) else None for seat in range(SEATS))


def area_row(s: State, area: int) -> Row:
    points: list[int | None] = [None] * SEATS
    first, second = s.place[0, area], s.place[1, area]
    points[first], points[second] = PLACE_POINTS[s.areas[area]]
    why = text("why_area", first=SeatName(first), second=SeatName(second))
    return Row(text("row_area", area=area_name(s, area)), tuple(points), why)


def ending(s: State) -> Text:
    winners = members(s.winners)
    points = s.score[winners[0]]
    equal = [seat for seat in range(s.players) if s.score[seat] == points]
    if len(winners) > 1:
        return text("ending_shared", seats=seat_names(winners), points=signed(points))
    if len(equal) > 1:
        markers = marker_count(s, winners[0])
        return text("ending_markers", seat=SeatName(winners[0]), points=signed(points), markers=markers)
    return text("ending_won", n=points, seat=SeatName(winners[0]), points=signed(points))
