"""Top of the Hinode Town: every clause, on positions set by hand and on deals that a script gives."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import combinations, permutations

import pytest

from cardtown.core import play
from cardtown.core.cards import bit, count, members
from cardtown.core.chance import ChanceError, Script, Seeded
from cardtown.core.components import ComponentsError
from cardtown.core.game import scores, winners
from cardtown.core.match import Match
from cardtown.core.story import ALL, Told
from cardtown.core.table import Card, Token, Zone
from cardtown.games.hinode import GAME, parts, rules, scoring, table
from cardtown.games.hinode.names import NAMES
from cardtown.games.hinode.parts import HERO, NONE, Chance, Event, Phase, State, Tribe
from tests.conftest import Tally
from tests.exactness import assert_equally_often

# Row by row: the red areas are 1 to 4, the blue ones 5 to 8, the yellow ones 9 to 11, and 12 is the tower.
TOWN = "RA RB RC RD BA BB BC BD YA YB YC W YD"


def cards(names: str) -> list[int]:
    return [NAMES.index(name) for name in names.split()]


def cardset(names: str) -> int:
    return sum(bit(card) for card in cards(names))


def names(mask: int) -> str:
    return " ".join(NAMES[card] for card in members(mask))


def dealt(hands: tuple[str, ...]) -> list[int]:
    """A deck that gives each seat these cards first and fills the hands with what is left, in order."""
    wanted = [cards(hand) for hand in (*hands, "", "", "")[:4]]
    rest = [card for card in range(parts.CARDS) if not any(card in hand for hand in wanted)]
    for hand in wanted:
        while len(hand) < parts.HAND:
            hand.append(rest.pop(0))
    return [card for hand in wanted for card in hand] + rest


def game(
    *hands: str,
    players: int = 4,
    town: str = TOWN,
    cubes: str = "rby" * 12,
    leader: int = 0,
    tribes: str = "",
) -> State:
    """A game at its first target. With tribes given, one for each player, it is the advanced one."""
    script: dict[int, list[int]] = {
        Chance.AREAS: [parts.TERRITORY_NAMES.index(name) for name in town.split()],
        Chance.CUBES: ["rby".index(letter) for letter in cubes],
        Chance.DECK: dealt(hands),
        Chance.START: [leader],
    }
    s = State()
    s.seats = s.places = 4
    s.players, s.rules = players, 1 if tribes else 0
    s.journal = []
    s.chance = Script(lambda kind, whole: tuple(script[kind]))
    rules.start(s)
    while s.phase == Phase.TRIBE:
        seat = members(s.acting)[0]
        do(s, seat, f"tribe {tribes.split()[seat]}")
    return s


def legal(s: State, seat: int) -> list[str]:
    return [table.move(s, choice) for choice in members(rules.legal(s, seat))]


def do(s: State, seat: int, *moves: str) -> None:
    """Moves of a seat, one after another."""
    for move in moves:
        choices = {table.move(s, choice): choice for choice in members(rules.legal(s, seat))}
        assert move in choices, f"seat {seat} can't {move}, but {list(choices)}"
        rules.play(s, seat, choices[move])


def fight(s: State, area: int, *plays: str, first: int = 0) -> None:
    """A trick up to its cubes: the lead's target, then a card of each seat clockwise, with no cube used."""
    do(s, first, f"area {area}")
    for i, card in enumerate(plays):
        seat = (first + i) % 4
        do(s, seat, f"play {card}")
        if s.phase == Phase.USE:
            do(s, seat, "use nothing")


def give(s: State, seat: int, cubes: str) -> None:
    """Cubes for a seat, from nowhere."""
    for letter in cubes:
        s.purse[seat, "rby".index(letter)] += 1


def purse(s: State, seat: int) -> str:
    return "".join(letter * s.purse[seat, colour] for colour, letter in enumerate("rby"))


def lie(s: State, area: int, cubes: str) -> None:
    """Let these cubes lie on an area."""
    s.cubes[3 * area - 3 : 3 * area] = ["rby".index(letter) for letter in cubes]


def mark(s: State, seat: int, *areas: int, place: int = 0) -> None:
    """Markers of a seat on a place of these areas."""
    for area in areas:
        s.place[place, area - 1] = seat
        s.marked[seat] |= bit(area - 1)
        s.taken |= bit(area - 1)


def told(s: State, event: Event) -> list[tuple[int, ...]]:
    return [entry.args for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def zone(s: State, name: str, watcher: int | None = None) -> Zone:
    return next(zone for zone in table.zones(s, watcher) if zone.id == name)


def faces(s: State, name: str, watcher: int | None = None) -> list[str | None]:
    return [thing.face for thing in zone(s, name, watcher).things if isinstance(thing, Card)]


def tokens(s: State, name: str, watcher: int | None = None) -> dict[str, Token]:
    return {thing.id: thing for thing in zone(s, name, watcher).things if isinstance(thing, Token)}


def refused(s: State, seat: int, thing: str) -> str | None:
    """The clause that forbids touching a thing, after saying it."""
    why = table.why_not(s, seat, thing)
    if why is None:
        return None
    assert GAME.words.say(why.text, ["Ann", "Bob", "Cat", "Dan"])
    return why.clause


# Set-up


@pytest.mark.rule("HIN-01")
def test_twelve_areas_lie_row_by_row_with_three_cubes_each_and_the_thirteenth_card_is_the_bonus() -> None:
    s = game(town="W " + TOWN.replace(" W", ""), cubes="rrb" * 6 + "byy" * 6)
    board = zone(s, "town")
    assert board.columns == 4
    assert [cell.look for cell in board.cells] == list("WRRRRBBBBYYY")
    assert faces(s, "bonus") == ["YD"]
    on_first = {thing.id: thing.count for thing in board.things if isinstance(thing, Token) and thing.at == 0}
    on_last = {thing.id: thing.count for thing in board.things if isinstance(thing, Token) and thing.at == 11}
    assert on_first == {"area1.r": 2, "area1.b": 1}
    assert on_last == {"area12.b": 1, "area12.y": 2}


@pytest.mark.rule("HIN-01", "HIN-02", "HIN-03")
def test_chance_comes_as_areas_cubes_deck_start() -> None:
    asked: list[int] = []

    def expect(kind: int, whole: bool) -> tuple[int, ...]:
        asked.append(kind)
        cubes = [colour for colour in range(3) for _ in range(12)]
        return tuple({0: list(range(13)), 1: cubes, 2: list(range(39)), 3: [1]}[kind])

    match = Match(GAME, 4, {"players": 2}, Script(expect))
    while match.outcome is None:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    assert asked == [Chance.AREAS, Chance.CUBES, Chance.DECK, Chance.START]


@pytest.mark.rule("HIN-02")
def test_each_hand_gets_nine_cards_seat_0_first_and_three_stay_out_unseen() -> None:
    s = game()
    assert names(s.hand[0]) == "R1 R2 R3 R4 R5 R6 R7 R8 R9"
    assert names(s.hand[1]) == "R10 R11 R12 R13 B1 B2 B3 B4 B5"
    assert names(s.hand[3]) == "Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10"
    assert names(s.unused) == "Y11 Y12 Y13"
    for watcher in (0, 3, None):
        assert zone(s, "unused", watcher).count == 3
        assert faces(s, "unused", watcher) == [None, None, None]
    assert refused(s, 0, "unused.0") == "HIN-02"


@pytest.mark.rule("HIN-02")
def test_every_player_has_a_hero_that_all_can_see_and_a_substitute_has_none() -> None:
    s = game(players=3)
    for watcher in (0, 1, None):
        assert [faces(s, f"front{seat}", watcher)[0] for seat in range(3)] == ["hero"] * 3
        assert "hero" not in faces(s, "front3", watcher)
    fight(s, 1, "hero", "R10", "B6")
    assert "hero" not in faces(s, "front0", 1)
    assert refused(s, s.acting.bit_length() - 1, "hero0") is not None


@pytest.mark.rule("HIN-03")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_only_a_player_can_start(players: int) -> None:
    for leader in range(4):
        if leader < players:
            assert game(players=players, leader=leader).acting == bit(leader)
        else:
            with pytest.raises(ChanceError):
                game(players=players, leader=leader)


@pytest.mark.rule("HIN-03", "HIN-15")
@pytest.mark.parametrize("players", [1, 2, 3])
def test_substitutes_fill_the_seats_and_are_never_asked(players: int) -> None:
    match = Match(GAME, 4, {"players": players, "rules": "advanced"}, Seeded(1, 2))
    while match.outcome is None:
        assert all(seat < players for seat in match.acting)
        match.choose(match.acting[0], match.legal(match.acting[0])[-1])
    assert len(match.outcome.scores) == 4
    assert isinstance(match.state, State)
    assert [count(match.state.played[seat]) for seat in range(players, 4)] == [9] * (4 - players)


@pytest.mark.rule("HIN-04")
def test_in_the_advanced_game_players_pick_tribes_clockwise_from_the_start_player() -> None:
    script = {0: range(13), 1: [c for c in range(3) for _ in range(12)], 2: range(39), 3: [1]}
    match = Match(GAME, 4, {"players": 3, "rules": "advanced"}, Script(lambda kind, whole: tuple(script[kind])))
    assert list(match.moves(1)) == ["tribe kansai", "tribe samurai", "tribe yozakura", "tribe charlemont"]
    match.choose_move(1, "tribe yozakura")
    assert list(match.moves(2)) == ["tribe kansai", "tribe samurai", "tribe charlemont"]
    assert faces(match.state, "tribes") == ["kansai-skill", "samurai-skill", "charlemont-skill"]  # type: ignore[arg-type]
    match.choose_move(2, "tribe kansai")
    match.choose_move(0, "tribe charlemont")
    assert match.acting == (1,)
    assert next(iter(match.moves(1))) == "area 1"
    s = match.state
    assert isinstance(s, State)
    assert s.tribe == [Tribe.CHARLEMONT, Tribe.YOZAKURA, Tribe.KANSAI, NONE]
    assert faces(s, "front1") == ["hero", "yozakura-skill"]
    assert refused(s, 1, "kansai") == "HIN-04"


@pytest.mark.rule("HIN-04")
def test_the_last_tribe_is_picked_too_though_there_is_no_choice() -> None:
    s = game(tribes="kansai samurai yozakura charlemont", leader=2)
    assert told(s, Event.TRIBE) == [(2, 2, 0), (3, 3, 0), (0, 0, 0), (1, 1, 0)]


@pytest.mark.rule("HIN-04")
def test_in_the_basic_game_each_seat_shows_its_tribe_and_nothing_is_asked() -> None:
    s = game(players=2, leader=1)
    assert s.phase == Phase.AREA
    assert [faces(s, f"front{seat}")[-1] for seat in range(4)] == ["kansai", "samurai", "yozakura", "charlemont"]
    give(s, 1, "rrbbyy")
    do(s, 1, "area 1", "play R10")
    assert legal(s, 1) == ["use nothing", "use red", "use blue"]
    assert refused(s, 1, "samurai") == "HIN-04"


# A trick


@pytest.mark.rule("HIN-05")
def test_the_lead_chooses_an_area_whose_places_are_free() -> None:
    s = game()
    assert legal(s, 0) == [f"area {n}" for n in range(1, 13)]
    assert rules.legal(s, 1) == 0
    fight(s, 5, "R1", "B1", "B6", "Y2")
    do(s, 0, "take r")
    assert legal(s, 2) == [f"area {n}" for n in range(1, 13) if n != 5]
    assert refused(s, 2, "area5") == "HIN-05"
    assert refused(s, 2, "area6") is None
    assert refused(s, 0, "area6") == "HIN-05"


@pytest.mark.rule("HIN-06")
def test_everybody_plays_clockwise_from_the_lead_any_card_or_the_hero() -> None:
    s = game("R1 Y5", leader=2)
    do(s, 2, "area 1")
    for seat in (2, 3, 0, 1):
        assert s.acting == bit(seat)
        held = names(s.hand[seat]).split()
        assert legal(s, seat) == [f"play {card}" for card in held] + ["play hero"]
        do(s, seat, f"play {held[-1]}")


@pytest.mark.rule("HIN-06")
def test_once_a_hero_lies_nobody_else_may_play_one_in_this_trick() -> None:
    s = game()
    do(s, 0, "area 1", "play R1")
    do(s, 1, "play hero")
    for seat, card in ((2, "B6"), (3, "Y2")):
        assert "play hero" not in legal(s, seat)
        assert refused(s, seat, f"hero{seat}") == "HIN-06"
        do(s, seat, f"play {card}")
    do(s, 3, "take r")
    do(s, 1, "area 2")
    assert "play hero" not in legal(s, 1)  # its own is gone
    do(s, 1, "play R10")
    assert "play hero" in legal(s, 2)
    assert s.heroes == 0b1101


@pytest.mark.rule("HIN-07", "HIN-11")
def test_the_targets_colour_follows_and_so_does_a_hero() -> None:
    s = game("B2", "R13", "B1", "Y13")
    fight(s, 5, "B2", "R13", "hero", "Y13")
    assert [rules.is_following(s, seat) for seat in range(4)] == [True, False, True, False]
    assert s.ranking == [2, 0, 1, 3]
    lanes = {thing.id: thing.at for thing in zone(s, "trick").things}
    assert lanes == {"B2": 0, "R13": 5, "hero2": 2, "Y13": 7}


@pytest.mark.rule("HIN-08")
def test_the_white_area_takes_the_suit_of_the_leads_card() -> None:
    s = game("Y2", "R13", "Y1", "B13")
    fight(s, 12, "Y2", "R13", "Y1", "B13")
    assert s.ranking == [0, 2, 1, 3]
    assert told(s, Event.COLOUR) == [(parts.YELLOW, 0, 0)]


@pytest.mark.rule("HIN-08")
def test_a_lead_who_plays_the_hero_on_the_white_area_names_its_colour_right_after() -> None:
    s = game("Y2", "R13", "Y1", "B1")
    give(s, 0, "r")
    do(s, 0, "area 12", "play hero")
    assert legal(s, 0) == ["name R", "name B", "name Y"]
    assert lane(s, 0) == "follow"
    do(s, 0, "name B")
    assert legal(s, 0) == ["use nothing", "use red"]
    do(s, 0, "use nothing")
    do(s, 1, "play R13")
    do(s, 2, "play Y1")
    do(s, 3, "play B1")
    assert s.ranking == [0, 3, 1, 2]


@pytest.mark.rule("HIN-08")
def test_a_hero_of_somebody_else_or_elsewhere_names_nothing() -> None:
    s = game("Y2")
    do(s, 0, "area 12", "play Y2")
    do(s, 1, "play hero")
    assert s.phase == Phase.PLAY
    s = game("Y2")
    do(s, 0, "area 1", "play hero")
    assert s.phase == Phase.PLAY


@pytest.mark.rule("HIN-08")
def test_a_cube_does_not_change_the_colour_of_the_white_area() -> None:
    s = game("Y2", "R13", "Y1", "B13")
    give(s, 0, "b")
    do(s, 0, "area 12", "play Y2", "use blue")
    do(s, 1, "play R13")
    do(s, 2, "play Y1")
    do(s, 3, "play B13")
    assert s.colour == parts.YELLOW
    assert s.ranking == [2, 1, 3, 0]


@pytest.mark.rule("HIN-09")
def test_one_resource_at_most_and_only_when_playing_a_card() -> None:
    s = game("R1", "R2", "R3", "R4")
    give(s, 0, "rb")
    do(s, 0, "area 1")
    assert refused(s, 0, "purse0.r") == "HIN-09"
    do(s, 0, "play R1")
    assert legal(s, 0) == ["use nothing", "use red", "use blue"]
    assert refused(s, 0, "purse0.r") is None
    do(s, 0, "use red")
    assert s.acting == bit(1)  # no second one
    assert purse(s, 0) == "b"
    assert s.spent == [1, 0, 0]
    assert tokens(s, "trick")["trick.cube0"].count == 1
    assert tokens(s, "box") == {}
    for seat in (1, 2, 3):
        do(s, seat, f"play R{seat + 1}")
    assert s.ranking == [0, 3, 2, 1]  # R1 counted as 13
    do(s, 1, "take r")
    do(s, 0, "area 2")  # the cards are put away, and the cube with them
    assert tokens(s, "box")["box.r"].count == 1


@pytest.mark.rule("HIN-09")
@pytest.mark.parametrize(
    ("cubes", "uses"),
    [("", None), ("y", None), ("yyyy", None), ("r", ["nothing", "red"]), ("by", ["nothing", "blue"])],
)
def test_use_is_asked_only_if_something_is_possible(cubes: str, uses: list[str] | None) -> None:
    s = game("R1")
    give(s, 0, cubes)
    do(s, 0, "area 1", "play R1")
    if uses is None:
        assert s.acting == bit(1)
    else:
        assert legal(s, 0) == [f"use {use}" for use in uses]


@pytest.mark.rule("HIN-10")
@pytest.mark.parametrize(("card", "rank"), [("R1", 13), ("R2", 12), ("R7", 7), ("R13", 1), ("hero", 0)])
def test_a_red_cube_makes_the_rank_14_minus_the_printed_one(card: str, rank: int) -> None:
    s = game(card if card != "hero" else "R1")
    give(s, 0, "r")
    do(s, 0, "area 1", f"play {card}", "use red")
    assert rules.rank(s, 0) == rank
    assert rules.is_following(s, 0)
    assert told(s, Event.COUNTS) == [(0, rank, 1)]


@pytest.mark.rule("HIN-10")
def test_a_blue_cube_switches_following_also_of_a_hero() -> None:
    s = game("R9", "R8", "Y1", "B1")
    for seat in range(3):
        give(s, seat, "b")
    do(s, 0, "area 1", "play R9", "use blue")
    do(s, 1, "play hero", "use blue")
    do(s, 2, "play Y1", "use blue")
    do(s, 3, "play B1")
    assert [rules.is_following(s, seat) for seat in range(4)] == [False, False, True, False]
    assert s.ranking == [2, 1, 0, 3]


@pytest.mark.rule("HIN-10")
def test_what_a_cube_does_ends_with_the_trick() -> None:
    s = game("R1 R2", "R3", "R4", "R5")
    give(s, 0, "r")
    do(s, 0, "area 1", "play R1", "use red")
    for seat in (1, 2, 3):
        do(s, seat, f"play R{seat + 2}")
    do(s, 1, "take y")
    do(s, 0, "area 2", "play R2")
    assert rules.rank(s, 0) == 2
    assert "trick.cube0" not in tokens(s, "trick")


@pytest.mark.rule("HIN-10")
def test_a_yellow_cube_does_nothing_in_a_trick() -> None:
    s = game("R1")
    give(s, 0, "ry")
    do(s, 0, "area 1", "play R1")
    assert legal(s, 0) == ["use nothing", "use red"]
    assert refused(s, 0, "purse0.y") == "HIN-10"


@pytest.mark.rule("HIN-11")
@pytest.mark.parametrize(
    ("plays", "ranking"),
    [
        ("R5 R9 R1 R13", [3, 1, 0, 2]),
        ("B13 R1 Y12 B12", [1, 0, 2, 3]),  # one follower; B13, then the two twelves as they came
        ("Y7 B7 B8 Y8", [2, 3, 0, 1]),  # nobody follows
        ("R13 hero Y13 B13", [1, 0, 2, 3]),
    ],
)
def test_followers_come_first_then_rank_and_of_equals_the_earlier(plays: str, ranking: list[int]) -> None:
    s = game(*(card if card != "hero" else "" for card in plays.split()))
    fight(s, 1, *plays.split())
    assert s.ranking == ranking


@pytest.mark.rule("HIN-11")
def test_of_equal_followers_the_earlier_played_is_ahead_whatever_the_seat() -> None:
    s = game("R12", "B1", "Y1", "R2", leader=3)
    give(s, 3, "r")
    do(s, 3, "area 1", "play R2", "use red")  # counts as 12
    do(s, 0, "play R12")
    do(s, 1, "play B1")
    do(s, 2, "play Y1")
    assert s.ranking == [3, 0, 1, 2]


@pytest.mark.rule("HIN-12")
def test_first_and_second_put_markers_and_the_fourth_takes_a_cube_and_the_third_the_other_two() -> None:
    s = game("R9", "R8", "R7", "R6")
    lie(s, 1, "bry")
    fight(s, 1, "R9", "R8", "R7", "R6")
    assert (s.place[0, 0], s.place[1, 0]) == (0, 1)
    assert [token.owner for name, token in tokens(s, "town").items() if name.startswith("area1.") and token.owner] == [
        1
    ]
    assert s.acting == bit(3)
    assert legal(s, 3) == ["take r", "take b", "take y"]
    assert refused(s, 3, "area1.b") is None
    assert refused(s, 3, "area2.b") == "HIN-12"
    do(s, 3, "take b")
    assert [purse(s, seat) for seat in range(4)] == ["", "", "ry", "b"]
    assert not any(name in tokens(s, "town") for name in ("area1.r", "area1.b", "area1.y"))


@pytest.mark.rule("HIN-12")
@pytest.mark.parametrize(
    ("cubes", "legal_moves", "left"), [("yry", ["take r", "take y"], "ry"), ("bbb", ["take b"], "bb")]
)
def test_each_colour_is_offered_once_even_if_there_is_only_one(cubes: str, legal_moves: list[str], left: str) -> None:
    s = game("R9", "R8", "R7", "R6")
    lie(s, 1, cubes)
    fight(s, 1, "R9", "R8", "R7", "R6")
    assert legal(s, 3) == legal_moves
    do(s, 3, legal_moves[-1])
    assert purse(s, 2) == left


@pytest.mark.rule("HIN-13")
def test_the_first_leads_the_next_trick() -> None:
    s = game("R9", "R8", "R13", "R6")
    fight(s, 1, "R9", "R8", "R13", "R6")
    do(s, 3, "take r")
    assert s.acting == bit(2)
    assert s.phase == Phase.AREA
    assert s.trick == 1


@pytest.mark.rule("HIN-13")
def test_if_a_substitute_comes_first_the_best_player_leads() -> None:
    s = game("R2", "R5", "R13", "R12", players=2)
    fight(s, 1, "R2", "R5")
    assert s.ranking == [2, 3, 1, 0]
    do(s, 0, "take r")
    assert s.acting == bit(1)


@pytest.mark.rule("HIN-13")
def test_the_game_is_over_after_nine_tricks() -> None:
    match = Match(GAME, 4, {}, Seeded(3, 0))
    targets = 0
    while match.outcome is None:
        targets += match.state.phase == Phase.AREA  # type: ignore[attr-defined]
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    assert targets == 9
    assert refused(match.state, 0, "area1") == "HIN-23"  # type: ignore[arg-type]


@pytest.mark.rule("HIN-14")
def test_nobody_runs_out_of_markers() -> None:
    s = game(tribes="yozakura kansai samurai charlemont")
    s.ranking = [0, 1, 2, 3]
    s.used[0] = parts.EFFECT[Tribe.YOZAKURA]
    for area in range(9):
        s.target = area
        rules.judge(s)
        assert s.phase == Phase.SPREAD
        rules.spread(s, 0, 11)
    assert scoring.marker_count(s, 0) == 18
    assert tokens(s, "town")["area12.spread"].count == 9


# Substitutes


@pytest.mark.rule("HIN-15")
def test_a_substitute_plays_its_cards_in_the_order_they_were_dealt_with_no_hero_and_no_cube() -> None:
    s = game("R2 R3", "B9 B3", "Y4 R13 B1", "R9 Y1 Y13", players=2)
    fight(s, 1, "R2", "B9")
    assert [NAMES[card] for card in s.laid] == ["R2", "B9", "Y4", "R9"]
    do(s, 0, *(["take r"] if s.phase == Phase.TAKE else []))
    assert s.purse[2, 0] == s.purse[3, 0] == 0
    fight(s, 2, "R3", "B3")
    assert [NAMES[card] for card in s.laid] == ["R3", "B3", "R13", "Y1"]
    assert s.heroes == 0b11


@pytest.mark.rule("HIN-15")
def test_a_substitutes_markers_lie_on_their_places_and_its_cubes_leave_the_game() -> None:
    s = game("R2", "R3", "R1", "R13", players=2)
    lie(s, 1, "bby")
    fight(s, 1, "R2", "R3")
    assert s.place[0, 0] == 3
    assert s.ranking == [3, 1, 0, 2]
    do(s, 1, "take y")
    assert purse(s, 0) == "bb"
    assert s.spent == [0, 0, 1]
    s = game("R12", "R13", "R2", "R1", players=2)
    fight(s, 1, "R12", "R13")
    assert s.spent == [1, 1, 1]
    assert purse(s, 0) == purse(s, 1) == ""


@pytest.mark.rule("HIN-16")
def test_a_substitute_that_comes_fourth_takes_a_cube_of_the_tricks_colour_by_itself() -> None:
    s = game("R9", "R8", "R7", "Y1", players=3)
    lie(s, 1, "yrb")
    fight(s, 1, "R9", "R8", "R7")
    assert s.phase == Phase.AREA
    assert purse(s, 2) == "by"
    assert s.spent == [1, 0, 0]
    assert told(s, Event.REMOVED) == [(3, parts.RED, 0)]


@pytest.mark.rule("HIN-16")
def test_on_the_white_area_that_is_the_colour_it_took_on() -> None:
    s = game("B9", "B8", "B7", "Y1", players=3)
    lie(s, 12, "yrb")
    fight(s, 12, "B9", "B8", "B7")
    assert purse(s, 2) == "ry"


@pytest.mark.rule("HIN-16")
def test_if_the_area_has_no_such_cube_the_best_player_chooses() -> None:
    s = game("R5", "R8", "Y9", "Y1", players=3)
    lie(s, 1, "yyb")
    fight(s, 1, "R5", "R8", "Y9")
    assert s.ranking == [1, 0, 2, 3]
    assert s.acting == bit(1)
    assert legal(s, 1) == ["take b", "take y"]
    assert table.prompt(s, 1).key == "prompt_take_for"
    assert table.prompt(s, 0).key == "wait_take_for"
    do(s, 1, "take b")
    assert purse(s, 2) == "yy"
    assert told(s, Event.CHOSE_FOR) == [(1, 3, 0)]


@pytest.mark.rule("HIN-16")
def test_the_best_player_chooses_even_a_single_colour_and_even_for_itself_as_third() -> None:
    s = game("Y5", "R12", "R13", "Y1", players=1)
    lie(s, 1, "bbb")
    fight(s, 1, "Y5")
    assert s.ranking == [2, 1, 0, 3]
    assert legal(s, 0) == ["take b"]
    do(s, 0, "take b")
    assert purse(s, 0) == "bb"


@pytest.mark.rule("HIN-17")
def test_a_substitute_can_have_the_most_points_but_the_best_player_wins() -> None:
    s = game(players=2, town=TOWN.replace("YD", "XX").replace("W", "YD").replace("XX", "W"))
    mark(s, 3, 1, 2, 5)
    mark(s, 1, 3)
    mark(s, 0, 4)
    scoring.end(s)
    assert scores(s) == (-1 + 2, 3 + 2, 0, 5 + 4 + 5 + 6)
    assert winners(s) == (1,)


# Scoring. The bonus card of these towns is white, where nothing else is said.

NO_BONUS = "RA RB RC RD BA BB BC BD YA YB YC YD W"


@pytest.mark.rule("HIN-18")
@pytest.mark.parametrize(
    ("area", "first", "second"), [(1, 5, -1), (2, 4, 1), (3, 3, 2), (4, -1, 3), (8, -1, 3), (9, 5, -1)]
)
def test_places_are_worth_what_the_territory_says_and_that_may_be_negative(area: int, first: int, second: int) -> None:
    s = game(town=NO_BONUS)
    mark(s, 2, area)
    mark(s, 1, area, place=1)
    assert [scoring.rank_points(s, seat) for seat in range(4)] == [0, second, first, 0]


@pytest.mark.rule("HIN-18")
def test_hinode_tower_is_worth_four_and_two() -> None:
    s = game()
    mark(s, 0, 12, 1)
    mark(s, 3, 12, place=1)
    assert scoring.rank_points(s, 0) == 9
    assert scoring.rank_points(s, 3) == 2


@pytest.mark.rule("HIN-19")
def test_each_marker_on_an_area_of_the_bonus_colour_is_worth_one() -> None:
    s = game()  # YD is the bonus card; 9, 10 and 11 are yellow
    mark(s, 0, 9, 10, 1, 12)
    mark(s, 1, 9, 5, place=1)
    assert [scoring.bonus_points(s, seat) for seat in range(4)] == [2, 1, 0, 0]


@pytest.mark.rule("HIN-19")
def test_a_white_bonus_card_gives_nothing() -> None:
    s = game(town=NO_BONUS)
    mark(s, 0, *range(1, 13))
    assert scoring.bonus_points(s, 0) == 0


@pytest.mark.rule("HIN-20")
@pytest.mark.parametrize(
    ("areas", "points"),
    [
        ((), 0),
        ((7,), 2),
        ((1, 6), 2),  # only corners touch
        ((1, 2, 6), 6),
        ((4, 5), 2),  # the end of a row does not touch the next row's beginning
        ((1, 2, 9, 10, 11), 6),
        ((1, 5, 9, 10, 11, 7, 3, 4), 16),  # a snake
        ((1, 3, 6, 8, 9, 11), 2),  # a chessboard
        (tuple(range(1, 13)), 24),
    ],
)
def test_the_largest_connected_group_is_worth_two_per_area(areas: tuple[int, ...], points: int) -> None:
    s = game()
    mark(s, 1, *areas)
    assert scoring.formation_points(s, 1) == points


@pytest.mark.rule("HIN-20")
def test_first_and_second_places_make_one_group() -> None:
    s = game()
    mark(s, 1, 1)
    mark(s, 1, 2, place=1)
    assert scoring.formation_points(s, 1) == 4


@pytest.mark.rule("HIN-21")
def test_the_last_to_play_a_hero_gets_three_points() -> None:
    s = game("R1 R2", "R3", "R4", "R5")
    assert [scoring.hero_points(s, seat) for seat in range(4)] == [0, 0, 0, 0]
    fight(s, 1, "hero", "R3", "R4", "R5")
    do(s, 1, "take r")
    assert [scoring.hero_points(s, seat) for seat in range(4)] == [3, 0, 0, 0]
    assert "last_hero" in tokens(s, "front0")
    do(s, 0, "area 2", "play R2")
    do(s, 1, "play hero")
    assert [scoring.hero_points(s, seat) for seat in range(4)] == [0, 3, 0, 0]
    assert "last_hero" in tokens(s, "front1")
    assert "last_hero" not in tokens(s, "front0")


@pytest.mark.rule("HIN-22")
@pytest.mark.parametrize(
    ("yellow", "points"),
    [
        ((0, 0, 0, 0), [0, 0, 0, 0]),
        ((1, 0, 0, 0), [6, 0, 0, 0]),
        ((5, 4, 2, 1), [8, 2, 1, 0]),
        ((3, 3, 0, 0), [4, 4, 0, 0]),
        ((2, 2, 2, 1), [3, 3, 3, 0]),
        ((3, 3, 3, 3), [2, 2, 2, 2]),  # 6 divided by four, rounded down
    ],
)
def test_pairs_of_yellow_cubes_and_the_most_of_them_are_worth_points(
    yellow: tuple[int, ...], points: list[int]
) -> None:
    s = game()
    for seat, n in enumerate(yellow):
        give(s, seat, "y" * n + "rb")
    treasure = [scoring.treasure_points(s, seat) + scoring.most_treasure_points(s, seat) for seat in range(4)]
    assert treasure == points


@pytest.mark.rule("HIN-22")
def test_yellow_cubes_paid_for_a_skill_do_not_count() -> None:
    s = game("R1", tribes="kansai samurai yozakura charlemont")
    give(s, 0, "yyy")
    do(s, 0, "area 1", "play R1", "use skill", "pay y")
    assert scoring.treasure_points(s, 0) == 0
    assert scoring.most_treasure_points(s, 0) == 6


@pytest.mark.rule("HIN-23")
def test_most_points_win() -> None:
    s = game(town=NO_BONUS)
    mark(s, 2, 1)
    mark(s, 3, 2)
    scoring.end(s)
    assert s.acting == 0
    assert rules.legal(s, 2) == 0
    assert scores(s) == (0, 0, 7, 6)
    assert winners(s) == (2,)
    assert table.ending(s).key == "ending_won"
    assert told(s, Event.WON) == [(0b100, 7, 0)]


@pytest.mark.rule("HIN-23")
def test_if_points_are_equal_more_markers_win() -> None:
    s = game(town=NO_BONUS)
    mark(s, 0, 1)  # 5 and 2 for the formation
    mark(s, 1, 5, place=1)  # -1
    mark(s, 1, 8, place=1)  # 3
    mark(s, 1, 11)  # 3 and 2 for the formation
    scoring.end(s)
    assert scores(s) == (7, 7, 0, 0)
    assert [scoring.marker_count(s, seat) for seat in range(2)] == [1, 3]
    assert winners(s) == (1,)
    assert table.ending(s).key == "ending_markers"


@pytest.mark.rule("HIN-23")
def test_if_markers_are_equal_too_the_victory_is_shared() -> None:
    s = game(town=NO_BONUS)
    for seat, area in ((0, 1), (2, 5), (3, 9)):
        mark(s, seat, area)
    scoring.end(s)
    assert scores(s) == (7, 0, 7, 7)
    assert winners(s) == (0, 2, 3)
    said = GAME.words.say(table.ending(s), ["Ann", "Bob", "Cat", "Dan"])
    assert said.startswith("Ann and Cat and Dan won together")


@pytest.mark.rule("HIN-18", "HIN-19", "HIN-20", "HIN-21", "HIN-22")
@pytest.mark.parametrize("options", [{}, {"players": 2, "rules": "advanced"}])
def test_the_sheet_explains_every_point(options: dict[str, int | str]) -> None:
    match = Match(GAME, 4, options, Seeded(5, 0))
    while match.outcome is None:
        match.choose(match.acting[0], match.legal(match.acting[0])[-1])
    sheet = match.table(None).sheet
    assert sheet.totals == match.outcome.scores
    assert len([row for row in sheet.rows if row.title.key == "row_area"]) == 9
    gained = Counter[int]()
    for seat, _, points in told_by(match, Event.GAINED):
        gained[seat] += points
    assert tuple(gained[seat] for seat in range(4)) == match.outcome.scores


def told_by(match: Match, event: Event) -> list[tuple[int, ...]]:
    return [line.args for line in match.told if line.event == event]


# Skills


ALL_TRIBES = "kansai samurai yozakura charlemont"


@pytest.mark.rule("HIN-24")
def test_a_skill_is_offered_only_if_its_cost_can_be_paid_and_the_colour_is_always_asked() -> None:
    s = game("R1", "R2", "R3", "R4", tribes=ALL_TRIBES)
    give(s, 0, "rby")
    do(s, 0, "area 1", "play R1")
    assert legal(s, 0) == ["use nothing", "use red", "use blue"]
    assert refused(s, 0, "kansai") == "HIN-24"
    do(s, 0, "use nothing")
    give(s, 1, "yyb")
    do(s, 1, "play R2")
    assert legal(s, 1) == ["use nothing", "use blue", "use skill"]
    assert refused(s, 1, "samurai") is None
    do(s, 1, "use skill")
    assert legal(s, 1) == ["pay y"]
    assert refused(s, 1, "purse1.b") == "HIN-24"
    do(s, 1, "pay y")
    assert purse(s, 1) == "b"
    assert s.acting == bit(2)  # instead of a resource, not beside it
    give(s, 2, "by")
    do(s, 2, "play R3")
    assert legal(s, 2) == ["use nothing", "use blue", "use skill"]
    do(s, 2, "use skill")
    assert legal(s, 2) == ["pay b", "pay y"]  # Yozakurakai pays one cube only


@pytest.mark.rule("HIN-24")
def test_paid_cubes_are_gone_even_if_nothing_comes_of_it_and_lie_by_the_card() -> None:
    s = game("R1", tribes=ALL_TRIBES)
    give(s, 0, "rrr")
    do(s, 0, "area 5", "play R1", "use skill", "pay r")
    assert purse(s, 0) == "r"
    assert s.spent == [2, 0, 0]
    paid = tokens(s, "trick")
    assert (paid["trick.cube0"].look, paid["trick.cube0"].count) == ("r", 2)
    assert paid["trick.skill0"].look == "kansai"
    assert refused(s, 0, "kansai") == "HIN-06"


@pytest.mark.rule("HIN-24")
def test_a_skill_is_used_when_playing_a_card_and_not_before() -> None:
    s = game("R1", tribes=ALL_TRIBES)
    give(s, 0, "rrr")
    assert refused(s, 0, "kansai") == "HIN-24"
    do(s, 0, "area 1")
    assert refused(s, 0, "kansai") == "HIN-24"
    do(s, 0, "play R1")
    assert refused(s, 0, "kansai") is None


def yozakura_wins(area: int = 6) -> State:
    """Yozakurakai (seat 2) used its skill and came first; seat 0 leads."""
    s = game("B2", "B3", "B4", "B5", tribes=ALL_TRIBES)
    give(s, 2, "y")
    do(s, 0, f"area {area}", "play B2")
    do(s, 1, "play B3")
    do(s, 2, "play hero", "use skill", "pay y")
    do(s, 3, "play B5")
    return s


@pytest.mark.rule("HIN-25")
@pytest.mark.parametrize(
    ("area", "neighbours"),
    [(1, [2, 5]), (4, [3, 8]), (6, [2, 5, 7, 10]), (8, [4, 7, 12]), (9, [5, 10]), (11, [7, 10, 12])],
)
def test_if_yozakurakai_comes_first_it_marks_an_area_next_to_the_target(area: int, neighbours: list[int]) -> None:
    s = yozakura_wins(area)
    assert s.acting == bit(2)
    assert legal(s, 2) == [f"spread {n}" for n in neighbours]
    assert s.place[0, area - 1] == 2  # the places are marked before
    assert s.cubes[3 * area - 3 : 3 * area] == [0, 1, 2]  # and the cubes taken after
    assert refused(s, 2, f"area{area}") == "HIN-25"
    do(s, 2, f"spread {neighbours[-1]}")
    assert s.spread[neighbours[-1] - 1] == 1
    assert s.phase == Phase.TAKE


@pytest.mark.rule("HIN-25")
def test_finished_areas_and_ones_with_own_markers_are_offered_too() -> None:
    s = yozakura_wins(6)
    mark(s, 1, 2)
    mark(s, 2, 5)
    s.spread[9] = 1
    assert legal(s, 2) == ["spread 2", "spread 5", "spread 7", "spread 10"]


@pytest.mark.rule("HIN-25")
def test_if_yozakurakai_does_not_come_first_nothing_happens() -> None:
    s = game("B2", "B3", "B4", "B5", tribes=ALL_TRIBES)
    give(s, 2, "y")
    do(s, 0, "area 6", "play B2")
    do(s, 1, "play B3")
    do(s, 2, "play B4", "use skill", "pay y")
    do(s, 3, "play B5")
    assert s.ranking == [3, 2, 1, 0]
    assert s.phase == Phase.TAKE
    assert purse(s, 2) == ""
    assert sum(s.spread) == 0
    assert told(s, Event.IN_VAIN) == [(2, 0, 0)]


@pytest.mark.rule("HIN-25")
def test_a_spread_marker_counts_for_bonus_and_tie_break_but_not_for_rank_and_leaves_the_area_free() -> None:
    s = yozakura_wins(6)
    do(s, 2, "spread 10")  # yellow, as the bonus card
    assert scoring.rank_points(s, 2) == 4  # area 6 alone
    assert scoring.bonus_points(s, 2) == 1
    assert scoring.marker_count(s, 2) == 2
    s.spread[9] += 1
    mark(s, 2, 10)
    s.taken &= ~bit(9)
    assert scoring.bonus_points(s, 2) == 3  # each marker
    assert scoring.marker_count(s, 2) == 4
    do(s, 0, "take r")
    assert "area 10" in legal(s, 2)
    assert "area 6" not in legal(s, 2)
    assert refused(s, 2, "area10.spread") == "HIN-25"
    assert refused(s, 2, "area6.first") == "HIN-12"


@pytest.mark.rule("HIN-29")
def test_a_spread_marker_counts_for_the_formation_each_area_once() -> None:
    s = yozakura_wins(6)
    assert scoring.formation_points(s, 2) == 2
    do(s, 2, "spread 10")
    assert scoring.formation_points(s, 2) == 4
    s.spread[9] += 1
    assert scoring.formation_points(s, 2) == 4


def charlemont_plays(*purses: str, players: int = 4) -> State:
    """Charlemont (seat 1) has just played a card."""
    tribes = "kansai charlemont samurai yozakura"
    s = game("R1", "R2", "R3", "R4", players=players, tribes=" ".join(tribes.split()[:players]))
    do(s, 0, "area 1", "play R1")
    for seat, cubes in enumerate(purses):
        give(s, seat, cubes)
    do(s, 1, "play R2")
    return s


@pytest.mark.rule("HIN-26")
def test_charlemont_names_a_colour_and_every_other_player_who_has_it_gives_a_cube_at_once() -> None:
    s = charlemont_plays("rrb", "yyr", "r", "b")
    do(s, 1, "use skill", "pay y")
    assert legal(s, 1) == ["steal r", "steal b"]
    do(s, 1, "steal r")
    assert [purse(s, seat) for seat in range(4)] == ["rb", "rrr", "", "b"]
    do(s, 2, "play R3")  # its cube is gone: nothing to use
    assert s.acting == bit(3)
    assert told(s, Event.GAVE) == [(0, 1, 3), (2, 1, 3)]


@pytest.mark.rule("HIN-26")
def test_colours_are_offered_in_order_and_only_what_another_player_has_unspent() -> None:
    s = charlemont_plays("y", "rryy", "b", "")
    do(s, 1, "use skill", "pay r")
    assert legal(s, 1) == ["steal b", "steal y"]  # the paid red cubes and its own yellow ones are not on offer
    labels = [button.label.key for button in table.buttons(s, 1)]
    assert labels == ["label_steal", "label_steal"]


@pytest.mark.rule("HIN-26")
def test_charlemonts_skill_is_not_offered_if_no_other_player_has_a_cube() -> None:
    s = charlemont_plays("", "rrb", "", "")
    assert legal(s, 1) == ["use nothing", "use red", "use blue"]
    assert refused(s, 1, "charlemont") == "HIN-26"
    s = charlemont_plays("r", "rrb", "", "")
    assert legal(s, 1) == ["use nothing", "use red", "use blue", "use skill"]
    s = charlemont_plays("r", "rb", "", "")
    assert legal(s, 1) == ["use nothing", "use red", "use blue"]
    assert refused(s, 1, "charlemont") == "HIN-24"


@pytest.mark.rule("HIN-26")
def test_used_cubes_cannot_be_taken() -> None:
    s = game("R1", "R2", "R3", "R4", tribes="kansai charlemont samurai yozakura")
    give(s, 0, "b")
    give(s, 1, "rr")
    do(s, 0, "area 1", "play R1", "use blue")
    do(s, 1, "play R2")
    assert legal(s, 1) == ["use nothing", "use red"]
    assert refused(s, 1, "purse0.b") == "HIN-26"


@pytest.mark.rule("HIN-27")
def test_blue_samurai_reverses_the_rank_and_switches_following() -> None:
    s = game("B2", "R1", "R3", "R4", tribes="samurai kansai yozakura charlemont")
    give(s, 0, "rr")
    do(s, 0, "area 1", "play B2", "use skill", "pay r")
    assert (rules.rank(s, 0), rules.is_following(s, 0)) == (12, True)
    s = game("B2", "R1", "R3", "R4", tribes="samurai kansai yozakura charlemont")
    give(s, 0, "bb")
    do(s, 0, "area 1", "play hero", "use skill", "pay b")
    assert (rules.rank(s, 0), rules.is_following(s, 0)) == (0, False)
    assert lane(s, 0) == "other"


@pytest.mark.rule("HIN-28")
@pytest.mark.parametrize(("card", "rank"), [("R13", 16), ("R1", 4), ("hero", 17), ("B5", 8)])
def test_kansai_gogakuren_adds_three_to_the_rank(card: str, rank: int) -> None:
    s = game(card if card != "hero" else "R1", tribes=ALL_TRIBES)
    give(s, 0, "bb")
    do(s, 0, "area 1", f"play {card}", "use skill", "pay b")
    assert rules.rank(s, 0) == rank
    assert rules.is_following(s, 0) == (card != "B5")


@pytest.mark.rule("HIN-28")
def test_a_raised_card_beats_a_hero() -> None:
    s = game("R13", tribes=ALL_TRIBES)
    give(s, 0, "bb")
    do(s, 0, "area 1", "play R13", "use skill", "pay b")
    do(s, 1, "play hero")
    assert s.ranking[:2] == [0, 1]


def lane(s: State, seat: int) -> str:
    """Where a seat's card lies in the trick."""
    at = next(thing.at for thing in zone(s, "trick").things if thing.id in (f"hero{seat}", NAMES[s.laid[seat]]))
    assert at is not None
    name = zone(s, "trick").cells[at].id
    assert name.endswith(str(seat))
    return name.removeprefix("trick.")[:-1]


# Components


@pytest.mark.rule("HIN-18", "HIN-26", "HIN-28")
def test_other_components_change_the_game() -> None:
    own = copy.deepcopy(GAME.parts)
    own["territories"]["RA"] = [9, -7]
    own["skills"] |= {"kansai_rank": 5, "charlemont_cubes": 2}
    other = GAME.with_components(own, "mine.toml")
    changed = other.rules
    s = other.blank(4, other.complete({"rules": "advanced"}, 4))
    assert isinstance(s, changed.State)
    changed.start(s)
    s.areas[0] = 0  # type: ignore[attr-defined]
    s.place[0, 0] = 2  # type: ignore[attr-defined]
    s.place[1, 0] = 3  # type: ignore[attr-defined]
    sheet = other.show.sheet
    s.taken = 1  # type: ignore[attr-defined]
    assert sheet(s, []).rows[0].points == (None, None, 9, -7)
    s.laid[0] = NAMES.index("R4")  # type: ignore[attr-defined]
    s.used[0] = parts.RAISED  # type: ignore[attr-defined]
    assert changed.rank(s, 0) == 9  # type: ignore[attr-defined]
    s.purse[1, 0] = 3  # type: ignore[attr-defined]
    s.purse[2, 0] = 1  # type: ignore[attr-defined]
    changed.steal(s, 0, 0)  # type: ignore[attr-defined]
    assert [s.purse[seat, 0] for seat in range(4)] == [3, 1, 0, 0]  # type: ignore[attr-defined]


@pytest.mark.rule("HIN-01")
def test_territories_are_found_by_name_in_whatever_order_the_file_has_them() -> None:
    own = copy.deepcopy(GAME.parts)
    own["territories"] = dict(reversed(own["territories"].items())) | {"W": [8, 1]}
    other = GAME.with_components(own, "mine.toml")
    assert list(other.show.CHANCES[Chance.AREAS].notation) == list(table.CHANCES[Chance.AREAS].notation)
    assert other.show.faces()["W"].corner == "8/1"
    assert other.show.faces()["RA"].corner == "5/−1"


@pytest.mark.rule("HIN-02", "HIN-18", "HIN-24", "HIN-26", "HIN-28")
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("cards.hand", 8, "the rulebook gives 9, not 8"),
        ("town.rows", 4, "the rulebook gives 3, not 4"),
        ("points.most", 7, "the rulebook gives 6, not 7"),
        ("costs.yozakura", 2, "the rulebook gives 1, not 2"),
        ("territories.RA", [100, 0], "must be from -99 to 99"),
        ("territories.W", [0, -100], "must be from -99 to 99"),
        ("skills.kansai_rank", 0, "must be from 1 to 40, not 0"),
        ("skills.kansai_rank", 41, "must be from 1 to 40, not 41"),
        ("skills.charlemont_cubes", 13, "must be from 1 to 12, not 13"),
        ("skills.charlemont_cubes", 0, "must be from 1 to 12, not 0"),
    ],
)
def test_wrong_figures_are_refused_with_key_and_reason(key: str, value: object, reason: str) -> None:
    own = copy.deepcopy(GAME.parts)
    figures, _, name = key.partition(".")
    own[figures][name] = value
    with pytest.raises(ComponentsError, match=re.escape(f"mine.toml: {key}: {reason}")):
        GAME.with_components(own, "mine.toml")


@pytest.mark.rule("HIN-18")
def test_a_set_without_negative_points_is_refused() -> None:
    own = copy.deepcopy(GAME.parts)
    for name in parts.TERRITORY_NAMES:
        own["territories"][name] = [3, 1]
    with pytest.raises(ComponentsError, match=r"mine\.toml: territories: the rulebook has negative points"):
        GAME.with_components(own, "mine.toml")


# The log


def said(s: State, watcher: int | None) -> list[str]:
    """The log as a watcher reads it."""
    lines = [entry for entry in s.journal or [] if isinstance(entry, Told) and entry.is_for(watcher)]
    return [GAME.words.say(table.line(line.event, line.args), ["Ann", "Bob", "Cat", "Dan"]) for line in lines]


@pytest.mark.rule("HIN-04", "HIN-08", "HIN-09", "HIN-12", "HIN-16", "HIN-25", "HIN-26", "HIN-28")
def test_the_log_tells_the_whole_story_of_a_trick() -> None:
    s = game("Y2", "R3 B5", "B1", "Y1", players=3, tribes="kansai yozakura charlemont", leader=1)
    lie(s, 12, "byy")
    give(s, 0, "bb")
    give(s, 1, "r")
    give(s, 2, "yyr")
    assert said(s, None) == [
        "The bonus card is yellow −1/3.",
        "Dan is a substitute.",
        "Bob is the start player.",
        "Bob leads Yozakurakai.",
        "Cat leads Charlemont.",
        "Ann leads Kansai Gogakuren.",
    ]
    s.journal = []
    do(s, 1, "area 12", "play hero", "name R", "use skill", "pay r")
    do(s, 2, "play B1", "use skill", "pay y", "steal b")
    do(s, 0, "play Y2", "use nothing")
    do(s, 1, "spread 8", "take y")
    assert said(s, None) == [
        "Bob chooses area 12 (white 4/2).",
        "Bob plays hero.",
        "Bob names red as the colour of the tower.",
        "Bob pays a red cube for the skill of Yozakurakai.",
        "Cat plays B1.",
        "Cat pays 2 yellow cubes for the skill of Charlemont.",
        "Ann gives Cat a blue cube.",
        "Dan plays Y1.",
        "Ann plays Y2.",
        "Bob comes first and marks area 12.",
        "Ann comes second and marks area 12.",
        "Bob also marks area 8.",
        "Bob chooses the cube for Dan.",
        "Dan takes a yellow cube out of the game.",
        "Cat gets a blue cube.",
        "Cat gets a yellow cube.",
    ]
    assert said(s, 0) == said(s, None)


@pytest.mark.rule("HIN-10", "HIN-23", "HIN-27", "HIN-28")
def test_the_log_tells_what_cards_count_as_and_how_the_game_ended() -> None:
    s = game("R2", "R3", "R4", "B5", tribes="kansai samurai yozakura charlemont")
    for seat, cubes in enumerate(("rr", "bb", "y", "r")):
        give(s, seat, cubes)
    s.trick = 8
    s.journal = []
    do(s, 0, "area 1", "play R2", "use skill", "pay r")
    do(s, 1, "play R3", "use skill", "pay b")
    do(s, 2, "play R4", "use skill", "pay y")
    do(s, 3, "play B5", "use red")
    do(s, 3, "take y")
    assert said(s, None) == [
        "Ann chooses area 1 (red 5/−1).",
        "Ann plays R2.",
        "Ann pays 2 red cubes for the skill of Kansai Gogakuren.",
        "Ann's card counts as 5 and follows.",
        "Bob plays R3.",
        "Bob pays 2 blue cubes for the skill of Blue Samurai.",
        "Bob's card counts as 11 and does not follow.",
        "Cat plays R4.",
        "Cat pays a yellow cube for the skill of Yozakurakai.",
        "Dan plays B5.",
        "Dan uses a red cube.",
        "Dan's card counts as 9 and does not follow.",
        "Ann comes first and marks area 1.",
        "Cat comes second and marks area 1.",
        "Cat did not come first: the skill of Yozakurakai brings nothing.",
        "Dan gets a yellow cube.",
        "Bob gets a red cube.",
        "Bob gets a blue cube.",
        "Ann scores 5 for places.",
        "Ann scores 2 for the formation.",
        "Ann has 7 points.",
        "Bob has 0 points.",
        "Cat scores −1 for places.",
        "Cat scores 2 for the formation.",
        "Cat has 1 point.",
        "Dan scores 6 for the most yellow cubes.",
        "Dan has 6 points.",
        "Ann won with 7 points.",
    ]


# Kinds of moves


@pytest.mark.rule("HIN-06", "HIN-09")
def test_the_hero_and_each_use_are_kinds_of_their_own() -> None:
    s = game("R1", tribes=ALL_TRIBES)
    give(s, 0, "rrbb")
    kinds = [rules.kind(s, 0)]
    do(s, 0, "area 1")
    kinds += [rules.kind(s, cards("R1")[0]), rules.kind(s, HERO)]
    do(s, 0, "play R1")
    kinds += [rules.kind(s, use) for use in members(rules.legal(s, 0))]
    assert kinds == [Phase.AREA, Phase.PLAY, 9, 10, 11, 12, 13]


# What can't be touched


@pytest.mark.rule("HIN-05", "HIN-06", "HIN-11", "HIN-15", "HIN-19", "HIN-21", "HIN-30")
def test_what_cannot_be_touched_is_refused_with_its_clause() -> None:
    s = game("R9 R1", "R8", "R7", "R6", players=3)
    assert refused(s, 0, "R9") == "HIN-05"  # first the area
    assert refused(s, 3, "R9") == "HIN-15"
    fight(s, 1, "R9", "hero", "R7")
    assert s.acting == bit(1)
    assert refused(s, 1, "area1") == "HIN-05"
    assert refused(s, 1, "target") == "HIN-05"
    assert refused(s, 1, "R9") == "HIN-11"
    assert refused(s, 1, "hero1") == "HIN-11"
    assert refused(s, 1, "hero0") == "HIN-02"
    assert refused(s, 1, "R8") == "HIN-05"
    assert refused(s, 1, "YD") == "HIN-19"
    assert refused(s, 1, "hand0.3") == "HIN-30"
    assert refused(s, 1, "last_hero") == "HIN-21"
    assert refused(s, 1, "no such thing") is None
    do(s, 1, "area 2")
    assert refused(s, 1, "area3") == "HIN-05"
    assert refused(s, 1, "hero1") == "HIN-30"
    assert refused(s, 1, "R9") == "HIN-30"


# What a seat knows


@pytest.mark.rule("HIN-30")
def test_a_hand_is_seen_by_its_owner_alone_and_a_substitutes_by_nobody() -> None:
    s = game(players=3)
    for seat in range(4):
        for watcher in (0, 1, 2, 3, None):
            shown = [face for face in faces(s, f"hand{seat}", watcher) if face]
            assert shown == (names(s.hand[seat]).split() if watcher == seat < 3 else [])
            assert len(faces(s, f"hand{seat}", watcher)) == 9
    lines = [entry for entry in s.journal or [] if isinstance(entry, Told) and entry.event == Event.DEALT]
    assert [line.to for line in lines] == [bit(0), bit(1), bit(2)]
    assert all(line.to == ALL for line in s.journal or [] if isinstance(line, Told) and line.event != Event.DEALT)


@pytest.mark.rule("HIN-30")
def test_cubes_heroes_and_all_cards_played_are_open() -> None:
    s = game("R9 R1", "R8 R2", "R7 R3", "R6 R4")
    give(s, 1, "ry")
    fight(s, 1, "R9", "R8", "R7", "hero")
    do(s, 2, "take b")
    do(s, 3, "area 2", "play R6")
    for watcher in (0, 3, None):
        assert {name: token.count for name, token in tokens(s, "purse1", watcher).items()} == {
            "purse1.r": 2,
            "purse1.y": 2,
        }
        assert [faces(s, f"played{seat}", watcher) for seat in range(4)] == [["R9"], ["R8"], ["R7"], ["hero"]]
        assert faces(s, "trick", watcher) == ["R6"]


@pytest.mark.rule("HIN-30")
def test_the_last_trick_stays_in_sight_until_the_next_target_is_chosen() -> None:
    s = game("R9", "R8", "R7", "R6")
    fight(s, 1, "R9", "R8", "R7", "R6")
    do(s, 3, "take r")
    assert faces(s, "trick") == ["R9", "R8", "R7", "R6"]
    titles = [GAME.words.say(cell.title, ["Ann", "Bob", "Cat", "Dan"]) for cell in zone(s, "trick").cells]
    assert titles[:2] == ["Ann follows with 9: place 1", "Bob follows with 8: place 2"]
    assert titles[4] == "Ann, not following"
    do(s, 0, "area 2")
    assert faces(s, "trick") == []


World = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int]


def world(s: State, seat: int) -> World:
    """What `seat` does not see: the hands of other players, what lies before substitutes in its order, the rest."""
    hands = tuple(s.hand[other] for other in range(s.players) if other != seat)
    piles = tuple(pile(s, other) for other in range(s.players, 4))
    return hands, piles, s.unused


def pile(s: State, seat: int) -> tuple[int, ...]:
    left = count(s.hand[seat])
    order = tuple(s.deck[9 * seat + 9 - left : 9 * seat + 9])
    assert set(order) == set(members(s.hand[seat]))
    return order


def late(players: int, hands: tuple[str, str, str, str], unused: str, leader: int = 0) -> State:
    """A game of which only these cards are left; substitutes will play theirs in the order given."""
    s = game(players=players, leader=leader)
    for seat in range(4):
        s.hand[seat] = cardset(hands[seat])
    for seat in range(players, 4):
        left = cards(hands[seat])
        s.deck[9 * seat + 9 - len(left) : 9 * seat + 9] = left
    s.trick = 9 - len(cards(hands[3]))
    s.unused = cardset(unused)
    s.played[0] = bit(parts.CARDS) - 1 & ~(s.unused | s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3])
    return s


def deals(s: State, seat: int) -> Iterator[State]:
    """Every way in which the cards that `seat` does not see can lie."""
    others = [other for other in range(4) if other != seat or other >= s.players]
    hidden = s.unused | sum(s.hand[other] for other in others)

    def lay(made: State, left: int, rest: list[int]) -> Iterator[State]:
        if not rest:
            done = made.copy()
            done.unused = left
            yield done
            return
        other, n = rest[0], count(s.hand[rest[0]])
        for held in combinations(members(left), n):
            for order in permutations(held) if other >= s.players else [held]:
                made.hand[other] = sum(bit(card) for card in held)
                if n:
                    made.deck[9 * other + 9 - n : 9 * other + 9] = order
                yield from lay(made, left & ~made.hand[other], rest[1:])

    yield from lay(s.copy(), hidden, others)


Moves = list[tuple[int, str]]


def after(s: State, moves: Moves) -> State:
    s = s.copy()
    for seat, move in moves:
        do(s, seat, move)
    return s


def worlds(s: State, seat: int, moves: Moves) -> set[World]:
    """All worlds that `seat` may be in: those in which the same was possible and looked the same to it."""
    found = set()
    for deal in deals(s, seat):
        true = s.copy()
        same = True
        for who, move in moves:
            choices = {table.move(deal, choice): choice for choice in members(rules.legal(deal, who))}
            if move not in choices:
                same = False
                break
            rules.play(deal, who, choices[move])
            do(true, who, move)
            if table.zones(deal, seat) != table.zones(true, seat):
                same = False
                break
        if same:
            found.add(world(deal, seat))
    return found


END_POSITIONS: dict[str, tuple[State, int, Moves]] = {
    "three other hands": (late(4, ("R1", "B1", "Y1", "Y2"), "R13 B13 Y13"), 0, []),
    "in the middle of a trick": (
        late(4, ("R1 R2", "B1 B2", "Y1 Y2", "Y3 Y4"), "R13"),
        2,
        [(0, "area 1"), (0, "play R2"), (1, "play B1")],
    ),
    "a card kept because the hero was played": (
        late(4, ("R1", "B1", "Y1", "Y2"), "R13 B13"),
        1,
        [(0, "area 12"), (0, "play hero"), (0, "name Y"), (1, "play B1"), (2, "play Y1")],
    ),
    "the end of a game, with cards left in hand": (
        late(4, ("R1 R2", "B1 B2", "Y1 Y2", "Y3"), "R13 B13"),
        0,
        [(0, "area 1"), (0, "play R2"), (1, "play B2"), (2, "play Y2"), (3, "play Y3"), (2, "take r")],
    ),
    "the order of a substitute's cards": (late(3, ("R1 R2", "B1", "Y1", "Y2 Y3"), "R13"), 0, []),
    "substitutes that have played": (
        late(2, ("R1 R2", "B1 B2", "Y1 Y2", "Y3 Y4"), "R13"),
        1,
        [(0, "area 1"), (0, "play R1"), (1, "play B2")],
    ),
    "substitutes that play before a player": (
        late(2, ("R1 R2", "B1 B2", "Y1 Y2", "Y3 Y4"), "R13", leader=1),
        0,
        [(1, "area 2"), (1, "play B1")],
    ),
    "a player alone": (late(1, ("R1 R2", "B1 B2", "Y1 Y2", "Y3 Y4"), ""), 0, [(0, "area 1"), (0, "play R1")]),
    "a substitute's chair": (late(2, ("R1", "B1", "Y1", "Y2"), "R13"), 3, []),
}


@pytest.mark.rule("HIN-30")
@pytest.mark.parametrize("name", END_POSITIONS)
def test_redeal_gives_all_consistent_worlds_and_only_those_equally_often(name: str, soak: int, tally: Tally) -> None:
    s, seat, moves = END_POSITIONS[name]
    expected = worlds(s, seat, moves)
    assert len(expected) > 1
    now = after(s, moves)
    redeal_from = GAME.plain(play).redeal_from
    found: Counter[Hashable] = Counter()
    for number in range(30 * len(expected) * soak):
        guess = now.copy()
        redeal_from(guess, seat, 11, number)
        found[world(guess, seat)] += 1
    assert_equally_often(found, expected)
    tally("hinode, guesses", found.total())


@pytest.mark.rule("HIN-30")
def test_a_guess_leaves_no_trace_of_the_truth_in_the_dealt_deck() -> None:
    s = game(players=2)
    GAME.plain(play).redeal_from(s, 0, 1, 0)
    assert s.deck[:18] == [0] * 18
    assert s.deck[36:] == [0] * 3
    assert names(s.hand[0]) == "R1 R2 R3 R4 R5 R6 R7 R8 R9"
    assert sorted(s.deck[18:27]) == members(s.hand[2])
    assert table.census(s) == table.census(game(players=2))
