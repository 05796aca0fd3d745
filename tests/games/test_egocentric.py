"""Egocentric World: every clause, on positions set by hand and on deals that a script gives."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

import pytest

from cardtown.core import play
from cardtown.core.bags import many, one, size
from cardtown.core.cards import bit, members
from cardtown.core.chance import IN_STATE, Script, Seeded
from cardtown.core.components import ComponentsError, shipped
from cardtown.core.game import Game, scores, winners
from cardtown.core.match import Match
from cardtown.core.rulebook import ENDING
from cardtown.core.story import ALL, Drawn, Told
from cardtown.core.table import Card, Table
from cardtown.games.egocentric import GAME, abilities, citybots, rules, table
from cardtown.games.egocentric.state import (
    ALL_CARDS,
    NEW_DECK,
    NONE,
    Chance,
    Event,
    Phase,
    State,
)
from tests.conftest import Tally
from tests.exactness import assert_equally_often

ORDER = " ".join(str(value) for value in NEW_DECK)


def cards(text: str) -> list[int]:
    return [int(value) for value in text.split()]


def bag(text: str) -> int:
    return sum(one(value) for value in cards(text))


def written(bag: int) -> str:
    return " ".join(str(value) for value in range(1, 13) for _ in range(many(bag, value)))


def fate(s: State, deck: Sequence[str] = (ORDER,), start: Sequence[int] = (), pick: Sequence[int] = ()) -> None:
    """What chance brings, and no more."""
    left: dict[int, list[tuple[int, ...]]] = {
        Chance.DECK: [tuple(cards(order)) for order in deck],
        Chance.START: [(seat,) for seat in start],
        Chance.PICK: [(value,) for value in pick],
    }
    s.chance = Script(lambda kind, whole: left[kind].pop(0))


def new_game(seats: int, deck: str = ORDER, start: int = 0, **options: Any) -> State:
    s = GAME.blank(seats, GAME.complete(options, seats))
    assert isinstance(s, State)
    s.journal = []
    fate(s, deck=[deck], start=[start])
    rules.start(s)
    return s


def position(
    hands: Sequence[str],
    top: int = 1,
    deck: str = "",
    pile: str = "",
    active: int = 0,
    goal: int = 0,
    score: Sequence[int] = (),
    stopper: int = NONE,
    rest_in_pile: bool = False,
) -> State:
    """A turn within a round; `pile` lies below the top, with `rest_in_pile` every card that is nowhere else too."""
    s = State()
    s.seats = s.places = len(hands)
    s.goal = goal
    for seat, hand in enumerate(hands):
        s.hand[seat] = bag(hand)
    lay_table(s, top, deck, pile, active, score, stopper)
    if rest_in_pile:
        s.pile = ALL_CARDS - sum(s.hand) - bag(deck)
    return s


def lay_table(s: State, top: int, deck: str, pile: str, active: int, score: Sequence[int], stopper: int) -> None:
    s.journal = []
    s.round_no = 1
    s.top = top
    s.pile = bag(pile) + one(top)
    s.deck_end = len(cards(deck))
    s.deck[: s.deck_end] = cards(deck)
    s.stopper = stopper
    s.score[: len(score)] = score
    s.phase = Phase.TURN
    s.active = active
    s.acting = bit(active)
    fate(s)


def solo(
    you: str,
    left: tuple[str, str],
    right: tuple[str, str] = ("1 1 1", ""),
    top: int = 1,
    deck: str = "",
    pile: str = "",
    stopper: int = NONE,
    difficulty: int = 1,
    goal: int = 0,
    score: Sequence[int] = (),
    rest_in_pile: bool = False,
) -> State:
    """Your turn in solo; of each Citybot the visible cards, and the hidden ones from the top to the bottom."""
    s = State()
    s.seats, s.places = 1, 3
    s.goal, s.difficulty = goal, difficulty
    s.hand[0] = bag(you)
    hidden = 0
    for place, (visible, pile_of_it) in enumerate((left, right), 1):
        s.hand[place] = s.certain[0, place] = bag(visible)
        s.hidden_n[place] = len(cards(pile_of_it))
        for i, card in enumerate(reversed(cards(pile_of_it))):
            s.hidden[place, i] = card
        hidden += bag(pile_of_it)
    lay_table(s, top, deck, pile, 0, score, stopper)
    if rest_in_pile:
        s.pile = ALL_CARDS - sum(s.hand) - hidden - bag(deck)
    return s


def citybot_plays(s: State, bot: int = 1) -> None:
    """One turn of a Citybot, and its ability, up to where the turn passes."""
    s.active = bot
    s.acting = 0
    citybots.citybot_turn(s)
    if s.phase == Phase.PLAYED:
        rules.after_playing(s)


def hidden(s: State, bot: int) -> list[int]:
    """A Citybot's pile from the top to the bottom."""
    return [s.hidden[bot, i] for i in reversed(range(s.hidden_n[bot]))]


def moves(s: State, seat: int) -> list[str]:
    return [table.move(s, choice) for choice in members(rules.legal(s, seat))]


def do(s: State, seat: int, *made: str) -> None:
    for move in made:
        choices = {table.move(s, choice): choice for choice in members(rules.legal(s, seat))}
        assert move in choices, f"{move} is not among {list(choices)}"
        rules.play(s, seat, choices[move])


def told(s: State, event: Event) -> list[tuple[int, ...]]:
    return [entry.args for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def readers(s: State, event: Event) -> list[int]:
    return [entry.to for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def drawn(s: State, kind: Chance) -> list[Drawn]:
    return [entry for entry in s.journal or [] if isinstance(entry, Drawn) and entry.kind == kind]


def shown(s: State, zone: str, watcher: int | None) -> list[str | None]:
    """The faces in a zone, None for a back."""
    found = next(zone_ for zone_ in table.zones(s, watcher) if zone_.id == zone)
    return [thing.face for thing in found.things if isinstance(thing, Card)]


def known(s: State, knower: int, holder: int) -> str:
    return written(s.certain[knower, holder])


# Set-up


@pytest.mark.rule("EGO-01")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_first_card_is_turned_up_and_then_each_seat_gets_five_seat_0_first(seats: int) -> None:
    deck = " ".join(str(value) for value in range(1, 13)) + " " + " ".join(str(v) for v in range(1, 13) for _ in "1234")
    s = new_game(seats, deck)
    assert s.top == 1
    assert s.pile == one(1)
    order = cards(deck)
    for seat in range(seats):
        assert s.hand[seat] == sum(one(card) for card in order[1 + 5 * seat : 6 + 5 * seat])
    assert s.deck[s.deck_next : s.deck_end] == order[1 + 5 * seats :]
    assert table.census(s) == sorted(order)


@pytest.mark.rule("EGO-01")
def test_every_round_is_dealt_from_all_60_cards() -> None:
    s = position(["2 3", "1 1"], top=6, goal=50, stopper=1)
    s.certain[1, 0] = one(2)
    do(s, 0, "stop")
    assert s.round_no == 2
    assert len(drawn(s, Chance.DECK)[0].order or ()) == 60
    assert table.census(s) == sorted(NEW_DECK)
    assert s.stopper == NONE
    assert all(s.certain[a, b] == 0 for a in range(6) for b in range(6))


@pytest.mark.rule("EGO-02")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_chance_says_who_starts_the_first_round_after_the_deal(first: int) -> None:
    s = new_game(3, start=first)
    assert s.acting == bit(first)
    chances = [entry.kind for entry in s.journal or [] if isinstance(entry, Drawn)]
    assert chances == [Chance.DECK, Chance.START]


@pytest.mark.rule("EGO-02")
def test_later_the_highest_score_of_the_last_round_starts_not_the_highest_total() -> None:
    s = position(["2 3", "1 1", "12"], active=0, goal=50, score=[40, 30, 1], stopper=1)
    do(s, 0, "stop")
    assert scores(s) == (45, 32, 13)
    assert s.acting == bit(2)
    assert drawn(s, Chance.START) == []


@pytest.mark.rule("EGO-02")
@pytest.mark.parametrize("first", [0, 2])
def test_chance_decides_among_those_who_tie_for_the_highest_score(first: int) -> None:
    s = position(["2 10", "1 1", "12"], active=0, goal=50, stopper=1)
    fate(s, start=[first])
    do(s, 0, "stop")
    assert s.acting == bit(first)
    s = position(["2 10", "1 1", "12"], active=0, goal=50, stopper=1)
    fate(s, start=[1])
    with pytest.raises(Exception, match="not one that could be picked"):
        do(s, 0, "stop")


@pytest.mark.rule("EGO-03")
def test_an_empty_deck_is_renewed_when_a_card_must_be_drawn_and_the_top_of_the_pile_stays() -> None:
    s = position(["2 3", "1 4"], top=6, deck="5", pile="7 6 12 9")
    fate(s, deck=["12 9 6 7 6"])
    do(s, 0, "draw", "discard")
    assert s.deck_next == s.deck_end  # empty, and not renewed before it is needed
    assert drawn(s, Chance.DECK) == []
    do(s, 1, "draw")
    assert s.drawn == 12
    assert s.deck[s.deck_next : s.deck_end] == [9, 6, 7, 6]
    assert s.top == 5
    assert s.pile == one(5)
    assert told(s, Event.RENEWED) == [(5, 0, 0)]


@pytest.mark.rule("EGO-03")
def test_with_nothing_to_shuffle_nobody_can_draw() -> None:
    s = position(["2 3", "1 4"], top=6)
    assert moves(s, 0) == ["take 2", "take 3", "stop"]
    refused = table.why_not(s, 0, "deck")
    assert refused is not None
    assert refused.clause == "EGO-03"
    assert "draw" in moves(position(["2 3", "1 4"], top=6, pile="6"), 0)


@pytest.mark.rule("EGO-03", "EGO-12")
def test_a_penalty_renews_the_deck_after_the_last_choice_and_its_pick_or_is_not_drawn() -> None:
    s = position(["11 3", "1 4", "5 5"], top=6, pile="7 8")
    fate(s, pick=[5], deck=["7 8"])
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "name 2", "random")
    assert [entry.kind for entry in s.journal or [] if isinstance(entry, Drawn)] == [Chance.PICK, Chance.DECK]
    assert written(s.hand[0]) == "3 6 7"
    s = position(["11 3", "1 4"], top=6)
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 3", "name 2")
    assert written(s.hand[0]) == "3 6"
    assert told(s, Event.NO_PENALTY) == [(0, 0, 0)]
    assert [entry for entry in s.journal or [] if isinstance(entry, Drawn)] == []


# A turn


@pytest.mark.rule("EGO-04")
def test_a_drawn_card_is_seen_by_its_drawer_alone() -> None:
    s = position(["2 3", "1 4"], deck="5 6")
    do(s, 0, "draw")
    assert moves(s, 0) == ["discard", "keep 2", "keep 3"]
    assert shown(s, "drawn", 0) == ["5"]
    assert shown(s, "drawn", 1) == [None]
    assert shown(s, "drawn", None) == [None]
    assert readers(s, Event.DREW_CARD) == [bit(0)]
    assert readers(s, Event.DREW) == [ALL]


@pytest.mark.rule("EGO-04", "EGO-09")
def test_a_drawn_card_that_is_discarded_has_no_ability() -> None:
    s = position(["2 3", "1 4"], deck="12 6")
    do(s, 0, "draw", "discard")
    assert s.top == 12
    assert written(s.hand[0]) == "2 3"
    assert s.drawn == 0
    assert s.acting == bit(1)
    assert s.phase == Phase.TURN


@pytest.mark.rule("EGO-04", "EGO-09")
def test_a_drawn_card_that_is_kept_replaces_a_hand_card_which_is_played() -> None:
    s = position(["2 12", "1 4"], deck="5 6")
    do(s, 0, "draw", "keep 12")
    assert written(s.hand[0]) == "2 5"
    assert s.top == 12
    assert moves(s, 0) == ["use", "skip"]


@pytest.mark.rule("EGO-04")
def test_the_card_played_for_a_kept_one_comes_from_the_hand_before_but_may_be_its_equal() -> None:
    s = position(["2 3", "1 4"], deck="5 6")
    do(s, 0, "draw")
    assert "keep 5" not in moves(s, 0)
    s = position(["2 3", "1 4"], deck="3 6")
    do(s, 0, "draw", "keep 3")
    assert written(s.hand[0]) == "2 3"
    assert s.top == 3


@pytest.mark.rule("EGO-05")
def test_the_top_of_the_pile_replaces_a_hand_card_which_is_played_on_the_pile() -> None:
    s = position(["2 11", "1 4"], top=7, pile="12")
    do(s, 0, "take 11")
    assert written(s.hand[0]) == "2 7"
    assert s.top == 11
    assert written(s.pile) == "11 12"
    assert moves(s, 0) == ["use", "skip"]
    assert told(s, Event.TOOK) == [(0, 7, 11)]


@pytest.mark.rule("EGO-06")
def test_a_card_equal_to_the_top_of_the_pile_can_be_played_on_it() -> None:
    s = position(["2 5 5 6", "1 4"], top=5)
    assert [move for move in moves(s, 0) if move.startswith("match")] == ["match 5"]
    do(s, 0, "match 5")
    assert written(s.hand[0]) == "2 5 6"
    assert written(s.pile) == "5 5"
    assert s.acting == bit(1)
    s = position(["5 7 9", "1 4"], top=8)
    do(s, 0, "match 7")
    assert written(s.hand[0]) == "5 9"
    assert s.top == 7


@pytest.mark.rule("EGO-07")
def test_of_a_pair_one_card_is_played_and_everybody_has_seen_the_other() -> None:
    s = position(["2 5 5 6 6", "1 4"], top=1)
    assert [move for move in moves(s, 0) if move.startswith("pair")] == ["pair 5", "pair 6"]
    do(s, 0, "pair 5")
    assert written(s.hand[0]) == "2 5 6 6"
    assert s.top == 5
    assert told(s, Event.PAIRED) == [(0, 5, 5)]
    assert shown(s, "hand0", 1) == shown(s, "hand0", None) == ["5", None, None, None]


@pytest.mark.rule("EGO-07", "EGO-16")
@pytest.mark.parametrize(
    ("hand", "value", "partner"),
    [
        ("7 8", 7, 8),
        ("7 8", 8, 7),
        ("8 9", 9, 8),
        ("8 9", 8, 9),
        ("7 8 9", 8, 9),  # the highest of 9 and 7
        ("7 8 8 9", 8, 8),  # a true twin first
        ("7 7 8", 7, 7),
        ("8 9 9", 9, 9),
        ("7 7 8", 8, 7),
    ],
)
def test_an_8_makes_a_pair_with_a_7_or_a_9_where_there_is_no_twin(hand: str, value: int, partner: int) -> None:
    s = position([hand + " 1", "1 4"], top=2)
    do(s, 0, f"pair {value}")
    assert told(s, Event.PAIRED) == [(0, value, partner)]
    assert shown(s, "hand0", 1)[0] == str(partner)
    assert written(s.hand[0]) == written(bag(hand) + one(1) - one(value))


@pytest.mark.rule("EGO-08", "EGO-17")
def test_after_stop_everybody_else_has_one_more_turn() -> None:
    s = position(["2 3", "1 4", "5 5"], top=6, active=1)
    do(s, 1, "stop")
    assert s.stopper == 1
    assert s.acting == bit(2)
    do(s, 2, "take 5")
    do(s, 0, "take 2")
    assert s.acting == 0
    assert told(s, Event.STOP_ENDS) == [(1, 0, 0)]
    assert shown(s, "stopped", None) == []


@pytest.mark.rule("EGO-08")
def test_a_second_stop_is_legal_and_changes_nothing() -> None:
    s = position(["2 3", "1 4", "5 5"], top=6)
    do(s, 0, "stop")
    do(s, 1, "stop")
    assert s.stopper == 0
    assert s.acting == bit(2)
    assert told(s, Event.STOPPED) == [(0, 0, 0)]
    assert told(s, Event.STOPPED_TOO) == [(1, 0, 0)]
    do(s, 2, "stop")
    assert s.acting == 0


@pytest.mark.rule("EGO-08")
def test_who_wanders_says_stop_seldom() -> None:
    s = position(["2 3", "1 4"])
    assert [rules.kind(s, choice) == ENDING for choice in members(rules.legal(s, 0))] == [False, False, True]


@pytest.mark.rule("EGO-09")
@pytest.mark.parametrize("value", range(1, 13))
def test_only_10_11_and_12_played_from_a_hand_are_asked_for(value: int) -> None:
    s = position([f"{value} 1", "1 4"], top=6)
    do(s, 0, f"take {value}")
    assert (s.phase == Phase.ABILITY) == (value in (10, 11, 12))


@pytest.mark.rule("EGO-09")
def test_an_ability_can_be_skipped() -> None:
    s = position(["2 12", "1 4"], top=6)
    do(s, 0, "take 12", "skip")
    assert s.acting == bit(1)
    assert told(s, Event.SKIPPED) == [(0, 12, 0)]


# Abilities


@pytest.mark.rule("EGO-10")
def test_a_12_gives_another_turn_again_and_again() -> None:
    s = position(["2 12 12 12", "1 4"], top=6)
    do(s, 0, "take 12", "use")
    assert s.acting == bit(0)
    assert s.phase == Phase.TURN
    do(s, 0, "match 12", "use", "match 12", "use", "take 2")
    assert s.acting == bit(1)


@pytest.mark.rule("EGO-11")
def test_an_11_designates_any_two_seats_in_the_order_of_the_notation() -> None:
    s = position(["11 2", "1 4", "5 5"], top=6)
    do(s, 0, "take 11", "use")
    assert moves(s, 0) == ["swap 0 1", "swap 0 2", "swap 1 2"]
    s = position(["11 2", *["1 4"] * 5], top=6)
    do(s, 0, "take 11", "use")
    assert moves(s, 0) == [f"swap {a} {b}" for a in range(6) for b in range(a + 1, 6)]


NAMES = [f"name {value}" for value in range(1, 13)]


@pytest.mark.rule("EGO-11")
def test_an_own_card_is_given_freely_and_anothers_at_random_or_by_its_name() -> None:
    s = position(["11 2 3", "1 4"], top=6)
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    assert moves(s, 0) == ["give 2", "give 3", "give 6"]
    do(s, 0, "give 6")
    assert moves(s, 0) == ["random", *NAMES]
    do(s, 0, "name 4")
    assert written(s.hand[0]) == "2 3 4"
    assert written(s.hand[1]) == "1 6"
    assert s.acting == bit(1)


@pytest.mark.rule("EGO-11")
def test_the_first_designated_seat_is_chosen_for_first_even_if_it_is_another() -> None:
    s = position(["1 12", "11 2 3"], top=6, active=1)
    fate(s, pick=[12])
    do(s, 1, "take 11", "use", "swap 0 1")
    do(s, 0, "allow")
    do(s, 1, "random")
    assert [entry.value for entry in drawn(s, Chance.PICK)] == [12]
    assert s.counts == [0] * 13
    assert moves(s, 1) == ["give 2", "give 3", "give 6"]
    do(s, 1, "give 2")
    assert written(s.hand[0]) == "1 2"
    assert written(s.hand[1]) == "3 6 12"


@pytest.mark.rule("EGO-11")
def test_a_card_picked_at_random_is_any_of_the_hand_as_often_as_it_is_there(soak: int) -> None:
    found: Counter[Hashable] = Counter()
    met: Counter[int] = Counter()
    for number in range(600 * soak):
        s = position(["11 2", "1 4 4"], top=6)
        s.chance = Seeded(1, number)
        s.chance.begin(s, 0)
        do(s, 0, "take 11", "use", "swap 0 1")
        do(s, 1, "allow")
        do(s, 0, "give 2", "random")
        value = 1 if many(s.hand[0], 1) else 4
        met[value] += 1
        found[value, met[value] % {1: 1, 4: 2}[value]] += 1  # equal cards take turns
    assert_equally_often(found, {(1, 0), (4, 0), (4, 1)})


@pytest.mark.rule("EGO-11", "EGO-12")
@pytest.mark.parametrize(
    ("first", "second", "fails"),
    [("name 1", "name 5", False), ("name 1", "name 6", True), ("name 2", "name 5", True), ("name 2", "name 6", True)],
)
def test_both_names_must_be_right_and_are_checked_after_both_choices(first: str, second: str, fails: bool) -> None:
    s = position(["11 2", "1 4", "5 5"], top=6, deck="9 8 7")
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, first)
    assert moves(s, 0) == ["random", *NAMES]
    do(s, 0, second)
    if fails:
        assert [written(hand) for hand in s.hand[:3]] == ["2 6 9", "1 4", "5 5"]
        assert told(s, Event.WRONG_NAME) == [(0, 0, 0)]
        assert readers(s, Event.PENALTY_CARD) == [bit(0)]
    else:
        assert [written(hand) for hand in s.hand[:3]] == ["2 6", "4 5", "1 5"]
    assert s.acting == bit(1)
    assert s.way == s.chosen == [0, 0]
    assert s.counts == [0] * 13


@pytest.mark.rule("EGO-13")
def test_those_who_exchange_see_both_cards_and_the_one_who_plays_the_11_only_its_own() -> None:
    s = position(["11 2", "1 4", "5 5"], top=6)
    fate(s, pick=[4, 5])
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "random", "random")
    gave = [
        (entry.to, entry.args) for entry in s.journal or [] if isinstance(entry, Told) and entry.event == Event.GAVE
    ]
    assert gave == [(bit(1), (2, 4, 5)), (bit(2), (1, 5, 4))]
    assert known(s, 1, 2) == "4"
    assert known(s, 2, 1) == "5"
    assert known(s, 0, 1) == known(s, 0, 2) == ""
    assert readers(s, Event.EXCHANGED) == [ALL]


@pytest.mark.rule("EGO-13")
def test_a_named_card_is_known_to_all_where_it_goes_and_a_given_one_to_the_two() -> None:
    s = position(["11 2", "1 4", "5 5"], top=6)
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 2", "name 4")
    assert written(s.hand[0]) == "4 6"
    assert known(s, 0, 1) == "2"
    assert known(s, 2, 1) == ""
    assert known(s, 1, 0) == "4 6"  # the 6 was taken from the pile
    assert known(s, 2, 0) == "4"  # for seat 2 it may have been the 6 that was given


@pytest.mark.rule("EGO-13")
def test_if_an_exchange_fails_nobody_sees_a_card_picked_at_random() -> None:
    s = position(["11 2", "1 4", "5 5"], top=6, deck="9")
    fate(s, pick=[4])
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "random", "name 12")
    assert told(s, Event.GAVE) == []
    assert all(s.certain[knower, 1] == 0 for knower in range(3))


@pytest.mark.rule("EGO-13")
def test_while_it_lasts_only_the_chooser_sees_the_card_it_gives_and_nobody_one_picked_at_random() -> None:
    s = position(["11 2 3", "1 4", "5 5"], top=6)
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 3")
    names = ["Ann", "Bob", "Cid"]
    assert GAME.words.say(table.prompt(s, 0), names) == "You give 3. Choose the card that Bob gives."
    for watcher in (1, 2, None):
        assert "3" not in GAME.words.say(table.prompt(s, watcher), names)
    s = position(["11 2 3", "1 4", "5 5"], top=6)
    fate(s, pick=[4])
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "random")
    for watcher in (0, 1, 2, None):
        assert "Bob gives a random card." in GAME.words.say(table.prompt(s, watcher), names)
    s = position(["11 2 3", "1 4", "5 5"], top=6)
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "name 7")
    for watcher in (0, 1, 2, None):
        assert "Bob is to give a 7." in GAME.words.say(table.prompt(s, watcher), names)


@pytest.mark.rule("EGO-14")
def test_a_10_shows_the_whole_hand_of_another_to_one_seat_only() -> None:
    s = position(["10 2", "1 4", "5 5 8"], top=6)
    do(s, 0, "take 10", "use")
    assert moves(s, 0) == ["look 1", "look 2"]
    do(s, 0, "look 2")
    do(s, 2, "allow")
    assert shown(s, "hand2", 0) == ["5", "5", "8"]
    assert shown(s, "hand2", 1) == shown(s, "hand2", None) == [None, None, None]
    assert readers(s, Event.SAW) == [bit(0)]
    assert told(s, Event.SAW) == [(2, bag("5 5 8"), 0)]
    assert s.acting == bit(1)


@pytest.mark.rule("EGO-15")
def test_a_9_does_nothing_on_ones_own_turn() -> None:
    s = position(["9 2", "1 4"], top=6)
    do(s, 0, "take 9")
    assert s.acting == bit(1)
    assert s.phase == Phase.TURN


@pytest.mark.rule("EGO-15")
def test_a_designated_seat_may_cancel_with_a_9_which_lies_on_the_pile_then() -> None:
    s = position(["10 2", "1 9", "5 5"], top=6)
    do(s, 0, "take 10", "use", "look 1")
    assert moves(s, 1) == ["allow", "cancel"]
    do(s, 1, "cancel")
    assert s.top == 9
    assert written(s.hand[1]) == "1"
    assert known(s, 0, 1) == ""
    assert s.acting == bit(1)
    assert s.phase == Phase.TURN
    assert told(s, Event.CANCELLED) == [(1, 0, 0)]


@pytest.mark.rule("EGO-15")
def test_who_holds_no_9_is_asked_all_the_same() -> None:
    s = position(["10 2", "1 8", "5 5"], top=6)
    do(s, 0, "take 10", "use", "look 1")
    assert moves(s, 1) == ["allow"]


@pytest.mark.rule("EGO-15")
def test_the_designated_are_asked_clockwise_from_the_active_seat_before_any_card_is_chosen() -> None:
    s = position(["1 4", "2 3", "11 8", "9 7"], top=6, active=2)
    do(s, 2, "take 11", "use", "swap 1 3")
    assert s.acting == bit(3)
    do(s, 3, "allow")
    assert s.acting == bit(1)
    do(s, 1, "allow")
    assert s.acting == bit(2)
    assert moves(s, 2) == ["random", *NAMES]


@pytest.mark.rule("EGO-15")
def test_once_one_cancels_nobody_else_is_asked() -> None:
    s = position(["1 4", "9 3", "11 8", "9 7"], top=6, active=2)
    do(s, 2, "take 11", "use", "swap 1 3")
    do(s, 3, "cancel")
    assert s.acting == bit(3)
    assert s.phase == Phase.TURN
    assert written(s.hand[1]) == "3 9"


@pytest.mark.rule("EGO-15")
def test_who_exchanges_with_itself_is_not_asked() -> None:
    s = position(["11 9", "1 4"], top=6)
    do(s, 0, "take 11", "use", "swap 0 1")
    assert s.acting == bit(1)
    do(s, 1, "allow")
    assert s.acting == bit(0)
    assert s.phase == Phase.FIRST_CARD


@pytest.mark.rule("EGO-16")
@pytest.mark.parametrize(
    ("top", "matching"),
    [
        (7, ["match 7", "match 8"]),
        (8, ["match 7", "match 8", "match 9"]),
        (9, ["match 8", "match 9"]),
        (6, ["match 6"]),
    ],
)
def test_an_8_matches_7_8_and_9_but_7_and_9_do_not_match_each_other(top: int, matching: list[str]) -> None:
    s = position(["6 7 8 9 10", "1 4"], top=top)
    assert [move for move in moves(s, 0) if move.startswith("match")] == matching


@pytest.mark.rule("EGO-16")
def test_7_and_9_are_no_pair_and_an_8_alone_is_none() -> None:
    assert [m for m in moves(position(["7 9", "1 4"], top=1), 0) if m.startswith("pair")] == []
    assert [m for m in moves(position(["6 8 10", "1 4"], top=1), 0) if m.startswith("pair")] == []


@pytest.mark.rule("EGO-16")
def test_an_8_is_named_and_scored_as_8() -> None:
    s = position(["11 2", "8 4"], top=6, deck="3", stopper=1)
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 2", "name 7")
    assert told(s, Event.WRONG_NAME) == [(0, 0, 0)]
    assert scores(s) == (11, 12)


# The end


@pytest.mark.rule("EGO-17")
def test_a_round_ends_at_once_when_a_hand_is_empty_and_the_last_ability_is_not_used() -> None:
    s = position(["12", "1 4"], top=12)
    do(s, 0, "match 12")
    assert s.acting == 0
    assert told(s, Event.OUT) == [(0, 0, 0)]
    assert scores(s) == (0, 5)
    assert winners(s) == (0,)


@pytest.mark.rule("EGO-17")
@pytest.mark.parametrize("seat", range(6))
def test_any_seat_without_cards_ends_the_round(seat: int) -> None:
    s = position(["7" if other == seat else "1 4" for other in range(6)], top=7, active=seat)
    do(s, seat, "match 7")
    assert s.acting == 0
    assert winners(s) == (seat,)


@pytest.mark.rule("EGO-17")
def test_a_9_that_cancels_may_be_the_last_card() -> None:
    s = position(["10 2", "9", "5 5"], top=6)
    do(s, 0, "take 10", "use", "look 1")
    do(s, 1, "cancel")
    assert s.acting == 0
    assert told(s, Event.OUT) == [(1, 0, 0)]
    assert scores(s) == (8, 0, 10)


@pytest.mark.rule("EGO-17")
def test_an_extra_turn_belongs_to_the_same_stretch_and_stop_ends_it() -> None:
    s = position(["12 12 3", "1 4"], top=6, stopper=1)
    do(s, 0, "take 12", "use", "match 12", "use", "take 3")
    assert s.acting == 0
    s = position(["12 12 3", "1 4"], top=6)
    do(s, 0, "take 12", "use", "stop")
    assert s.acting == bit(1)
    do(s, 1, "stop")
    assert s.acting == 0


@pytest.mark.rule("EGO-18")
def test_hands_are_added_up_over_rounds_until_somebody_has_50_and_the_lowest_total_wins() -> None:
    s = position(["12 12", "1 4", "2 2"], goal=50, score=[25, 30, 32], stopper=1)
    do(s, 0, "stop")
    assert scores(s) == (49, 35, 36)
    assert s.round_no == 2
    assert s.acting == bit(0)
    s = position(["12 12", "1 4", "2 2"], goal=50, score=[26, 30, 32], stopper=1)
    do(s, 0, "stop")
    assert scores(s) == (50, 35, 36)
    assert s.acting == 0
    assert winners(s) == (1,)
    ending = GAME.words.say(table.ending(s), ["Ann", "Bob", "Cid"])
    assert ending == "Bob wins: somebody reached 50, and 35 points are the fewest."


@pytest.mark.rule("EGO-18")
def test_in_one_round_the_lowest_score_wins_and_ties_share() -> None:
    s = position(["12 12", "1 4", "2 3"], stopper=1)
    do(s, 0, "stop")
    assert s.acting == 0
    assert winners(s) == (1, 2)
    assert GAME.words.say(table.ending(s), ["Ann", "Bob", "Cid"]) == (
        "Bob, Cid share the round with the fewest points, 5."
    )
    assert rules.legal(s, 0) == 0


@pytest.mark.rule("EGO-18")
def test_at_the_end_everybody_sees_all_hands_and_the_sheet_tells_every_point() -> None:
    s = position(["12 12", "1 4", "2 3"], stopper=1)
    do(s, 0, "stop")
    for watcher in (0, 1, 2, None):
        assert [shown(s, f"hand{seat}", watcher) for seat in range(3)] == [["12", "12"], ["1", "4"], ["2", "3"]]
    lines = [entry for entry in s.journal or [] if isinstance(entry, Told)]
    sheet = table.sheet(s, lines)
    assert [row.points for row in sheet.rows] == [(24, None, None), (None, 5, None), (None, None, 5)]
    assert sheet.totals == (24, 5, 5)
    assert sheet.rows[1].why is not None
    assert GAME.words.say(sheet.rows[1].why, ["Ann", "Bob", "Cid"]) == "Bob scores 5 points for 1, 4."


# Solo


@pytest.mark.rule("EGO-19")
def test_the_left_citybot_starts_the_first_round_without_asking_chance() -> None:
    s = new_game(1)
    assert told(s, Event.STARTS) == [(1, 0, 0)]
    assert drawn(s, Chance.START) == []
    assert s.acting == bit(0)
    assert s.places == 3
    assert table.census(s) == sorted(NEW_DECK)


@pytest.mark.rule("EGO-19")
def test_turns_go_from_you_to_the_left_to_the_right_and_back() -> None:
    s = solo("1 2", left=("9 3", "4 4"), right=("7 6", "4"), top=6, deck="1")
    do(s, 0, "take 2")
    reveals = [args[0] for args in told(s, Event.REVEALED)]
    assert reveals == [1, 2]
    assert s.acting == bit(0)


@pytest.mark.rule("EGO-19", "EGO-02")
def test_in_later_rounds_the_highest_score_starts_even_a_citybot() -> None:
    s = solo("1 2", left=("12 12", ""), right=("12 3", ""), goal=50, stopper=1, top=6)
    do(s, 0, "stop")
    assert [args[0] for args in told(s, Event.STARTS)] == [1]
    s = solo("1 2", left=("12 3", ""), right=("10 5", ""), goal=50, stopper=1, top=6)
    fate(s, start=[2])
    do(s, 0, "stop")
    assert [args[0] for args in told(s, Event.STARTS)] == [2]


@pytest.mark.rule("EGO-20")
def test_a_citybot_has_five_hidden_cards_the_first_dealt_on_top() -> None:
    deck = "12 1 1 1 1 1 2 3 4 5 6 7 8 9 10 11 2 3 4 5 6 7 8 9 10 11 12 2 3 4 5 6 7 8 9 10 11 12"
    rest = Counter(NEW_DECK) - Counter(cards(deck))
    s = State()
    s.seats, s.places = 1, 3
    s.journal = []
    fate(s, deck=[deck + " " + " ".join(str(card) for card in rest.elements())])
    rules.deal(s)
    assert hidden(s, 1) == [2, 3, 4, 5, 6]
    assert hidden(s, 2) == [7, 8, 9, 10, 11]
    assert s.hand[1] == s.hand[2] == 0
    assert shown(s, "hidden1", 0) == shown(s, "hidden1", None) == [None] * 5
    citybot_plays(s)
    assert [card for _, card, _ in told(s, Event.REVEALED)] == [2, 3]
    assert hidden(s, 1) == [4, 5, 6]


@pytest.mark.rule("EGO-20")
def test_what_a_citybot_gets_is_visible_and_no_move_of_its_is_written() -> None:
    match = Match(GAME, 1, {}, Script(lambda kind, whole: tuple(NEW_DECK)))
    assert all(isinstance(event, Drawn) for event in match.events)
    assert match.acting == (0,)
    s = solo("1 2", left=("12", "5 3"), top=6)
    citybot_plays(s)
    assert told(s, Event.TOOK) == [(1, 6, 12)]
    assert shown(s, "hand1", 0) == shown(s, "hand1", None) == ["5", "6"]


@dataclass
class Step:
    """A Citybot's turn: what it has, what lies on the pile and on the deck, and what it leaves."""

    visible: str
    hidden: str
    top: int
    leaves: str
    then_top: int
    deck: str = "7 7 7"
    you: str = "1"
    left_hidden: str = ""
    tells: list[Event] = field(default_factory=list)


STEPS = {
    "1: all visible and below you: stop": Step("2 3", "", 12, "2 3", 12, you="6", tells=[Event.STOPPED]),
    "1: equal to you is not below": Step("2 4", "", 3, "2 3", 4, you="6", tells=[Event.TOOK]),
    "1: with hidden cards it does not stop": Step(
        "1", "2 9", 12, "1 2 7", 9, you="12 12", left_hidden="", tells=[Event.REVEALED] * 2 + [Event.DREW_OPENLY]
    ),
    "2: it reveals the top one": Step("8", "3 4 5", 12, "3 7", 8, left_hidden="4 5", tells=[Event.REVEALED]),
    "3: nothing above 7: one more": Step("7", "3 4 5", 2, "2 3 4", 7, left_hidden="5", tells=[Event.REVEALED] * 2),
    "3: the card just revealed counts": Step("2", "8 4 5", 1, "1 2", 8, left_hidden="4 5", tells=[Event.REVEALED]),
    "3: none left to reveal": Step("2", "3", 1, "1 2", 3, tells=[Event.REVEALED]),
    "4: a visible card equal to the top is played": Step("4 9", "1 1", 4, "1 9", 4, left_hidden="1"),
    "4: before a pair": Step("3 9 9", "1 1", 3, "1 9 9", 3, left_hidden="1"),
    "4: also a card just revealed": Step("9", "4 1", 4, "9", 4, left_hidden="1"),
    "5: one of two equal visible cards": Step("5 5 9", "1 1", 12, "1 5 9", 5, left_hidden="1", tells=[Event.PAIRED]),
    "5: of the highest pair": Step("5 5 6 6", "9 1", 12, "5 5 6 9", 6, left_hidden="1", tells=[Event.PAIRED]),
    "6: the highest above the top goes for it": Step("5 9", "1 1", 6, "1 5 6", 9, left_hidden="1"),
    "6: but not for an equal one": Step("5 10", "1 1", 11, "1 5 7", 10, left_hidden="1", tells=[Event.DREW_OPENLY]),
    "8: the highest goes for a lower drawn card": Step(
        "5 9", "1 1", 11, "1 4 5", 9, deck="4 7", left_hidden="1", tells=[Event.DREW_OPENLY, Event.SWAPPED_DRAWN]
    ),
    "9: otherwise the drawn card is discarded": Step(
        "5 9", "1 1", 11, "1 5 9", 9, deck="9 7", left_hidden="1", tells=[Event.DREW_OPENLY, Event.DISCARDED]
    ),
    "9: a discarded 12 is no extra turn": Step("5 9", "1 1", 11, "1 5 9", 12, deck="12 7", left_hidden="1"),
}


@pytest.mark.rule("EGO-21")
@pytest.mark.parametrize("name", STEPS)
def test_a_citybot_goes_through_its_steps_in_their_order(name: str) -> None:
    step = STEPS[name]
    s = solo(step.you, left=(step.visible, step.hidden), top=step.top, deck=step.deck)
    s.active, s.acting = 1, 0
    citybots.citybot_turn(s)
    assert written(s.hand[1]) == step.leaves
    assert s.top == step.then_top
    assert hidden(s, 1) == cards(step.left_hidden)
    assert [s.hidden[1, i] for i in range(s.hidden_n[1], 5)] == [0] * (5 - s.hidden_n[1])
    assert s.drawn == 0
    happened = [entry.event for entry in s.journal or [] if isinstance(entry, Told)]
    for event in set(step.tells):
        assert happened.count(event) == step.tells.count(event)
    assert (s.stopper == 1) == (Event.STOPPED in step.tells)


@pytest.mark.rule("EGO-21")
def test_after_anothers_stop_a_citybots_stop_changes_nothing_but_its_turn_is_over() -> None:
    s = solo("6 6", left=("2 3", ""), right=("12 12", ""), top=1, stopper=2)
    do(s, 0, "take 6")
    assert told(s, Event.STOPPED_TOO) == [(1, 0, 0)]
    assert written(s.hand[1]) == "2 3"
    assert told(s, Event.STOP_ENDS) == [(2, 0, 0)]


@pytest.mark.rule("EGO-22")
@pytest.mark.parametrize(
    ("visible", "top", "played"),
    [
        ("7 8", 7, 7),
        ("8", 7, 8),
        ("8 9", 9, 9),
        ("8 10", 9, 8),
        ("7 8 9", 8, 9),
        ("7 8", 8, 7),
        ("8 10", 8, 8),
        ("7 10", 9, 0),
        ("9 10", 7, 0),
    ],
)
def test_on_the_pile_an_8_counts_as_7_8_and_9_and_is_given_away_last(visible: str, top: int, played: int) -> None:
    s = solo("1", left=(f"{visible} 1", "2 2"), top=top)
    citybot_plays(s)
    assert [args[1] for args in told(s, Event.MATCHED)] == ([played] if played else [])


@pytest.mark.rule("EGO-22")
@pytest.mark.parametrize(
    ("visible", "played", "partner"),
    [
        ("7 8", 8, 7),
        ("8 9", 9, 8),
        ("7 8 9", 9, 8),
        ("8 8 9", 9, 8),
        ("7 7 8", 8, 7),
        ("7 8 11 11", 11, 11),
        ("7 8 5 5", 8, 7),
        ("7 9 5 5", 5, 5),
    ],
)
def test_of_all_cards_in_some_pair_it_plays_the_highest(visible: str, played: int, partner: int) -> None:
    s = solo("12 12", left=(visible, "3 4"), top=1)
    citybot_plays(s)
    assert told(s, Event.PAIRED) == [(1, played, partner)]


@pytest.mark.rule("EGO-23")
def test_a_citybots_12_gives_it_another_turn() -> None:
    s = solo("1 1", left=("12 5", "4 3 2"), right=("9 1", "1 1"), top=6, deck="12 12 12")
    do(s, 0, "take 1")
    # It reveals 4, takes the 1 and plays 12; then it reveals 3 and 2, pairs nothing, draws 12 and discards it.
    assert told(s, Event.AGAIN) == [(1, 0, 0)]
    assert [args for args in told(s, Event.REVEALED) if args[0] == 1] == [(1, 4, 0), (1, 3, 0), (1, 2, 0)]


@pytest.mark.rule("EGO-23")
def test_a_citybots_11_exchanges_the_top_of_its_pile_with_your_lowest_card() -> None:
    s = solo("3 5 5", left=("11", "2 12 1"), top=10)
    citybot_plays(s)
    assert written(s.hand[0]) == "5 5 12"
    assert written(s.hand[1]) == "2 3 10"
    assert hidden(s, 1) == [1]
    assert told(s, Event.OPENLY_EXCHANGED) == [(1 * 6 + 0, 12, 3)]
    assert s.phase == Phase.TURN_OVER


@pytest.mark.rule("EGO-23")
def test_without_a_pile_its_11_exchanges_its_highest_card() -> None:
    s = solo("3 5 5", left=("4 11 8", ""), top=10)
    citybot_plays(s)
    assert written(s.hand[0]) == "5 5 10"
    assert written(s.hand[1]) == "3 4 8"


@pytest.mark.rule("EGO-23")
def test_a_citybots_10_reveals_the_whole_pile_of_the_other() -> None:
    s = solo("3 5 5", left=("10", "2 12 1"), right=("4", "6 5 11"), top=8)
    citybot_plays(s)
    assert written(s.hand[2]) == "4 5 6 11"
    assert hidden(s, 2) == []
    assert hidden(s, 1) == [12, 1]
    s = solo("3 5 5", left=("4", ""), right=("10", "6 5 11"), top=8)
    citybot_plays(s, bot=2)
    assert told(s, Event.NOTHING_HIDDEN) == [(1, 0, 0)]


@pytest.mark.rule("EGO-23", "EGO-17")
@pytest.mark.parametrize("top", [10, 11, 12])
def test_an_ability_of_its_last_card_is_not_used(top: int) -> None:
    s = solo("1", left=(str(top), ""), right=("4", "6 5 11"), top=top)
    citybot_plays(s)
    assert s.phase == Phase.ROUND_OVER
    assert told(s, Event.OUT) == [(1, 0, 0)]
    assert hidden(s, 2) == [6, 5, 11]


@pytest.mark.rule("EGO-23")
def test_you_may_cancel_its_11_with_a_9_before_anything_is_revealed() -> None:
    s = solo("3 5 9", left=("11", "2 12 1"), top=10)
    citybot_plays(s)
    assert s.acting == bit(0)
    assert moves(s, 0) == ["allow", "cancel"]
    assert hidden(s, 1) == [12, 1]
    allowed = s.copy()
    do(s, 0, "cancel")
    assert written(s.hand[0]) == "3 5"
    assert 9 in cards(written(s.pile))
    assert told(s, Event.CANCELLED) == [(0, 1, 0)]
    assert s.acting == bit(0)  # the right Citybot has had its turn
    allowed.journal = []
    do(allowed, 0, "allow")
    assert written(allowed.hand[0]) == "5 9 12"


@pytest.mark.rule("EGO-23")
def test_without_a_9_you_are_not_asked() -> None:
    s = solo("3 5 8", left=("11", "2 12 1"), top=10)
    citybot_plays(s)
    assert s.acting == 0
    assert written(s.hand[0]) == "5 8 12"


@pytest.mark.rule("EGO-24")
def test_your_11_exchanges_a_card_with_a_visible_card_or_the_top_of_a_pile() -> None:
    s = solo("11 5 2", left=("4 12", "6 1"), right=("3", ""), top=1)
    do(s, 0, "take 11", "use")
    assert moves(s, 0) == ["with 1", "with 2", "between"]
    no_pile = s.copy()
    do(s, 0, "with 1")
    assert moves(s, 0) == ["give 1", "give 2", "give 5"]
    do(s, 0, "give 5")
    assert moves(s, 0) == ["get 4", "get 12", "get top"]
    visible = s.copy()
    citybots.exchange_in_solo(s, Phase.GET, citybots.GET_TOP)
    assert written(s.hand[0]) == "1 2 6"
    assert written(s.hand[1]) == "4 5 12"
    assert hidden(s, 1) == [1]
    citybots.exchange_in_solo(visible, Phase.GET, 4)
    assert written(visible.hand[0]) == "1 2 4"
    assert written(visible.hand[1]) == "5 12"
    assert visible.chosen == [0, 0]
    do(no_pile, 0, "with 2", "give 5")
    assert moves(no_pile, 0) == ["get 3"]


@pytest.mark.rule("EGO-24")
def test_your_11_exchanges_visible_cards_between_the_citybots() -> None:
    s = solo("11 5 2", left=("4 12", "6 1"), right=("3 3 7", ""), top=1)
    do(s, 0, "take 11", "use", "between")
    assert moves(s, 0) == ["get 4", "get 12"]
    do(s, 0, "get 12")
    assert moves(s, 0) == ["get 3", "get 7"]
    citybots.exchange_in_solo(s, Phase.GET_RIGHT, 3)
    assert written(s.hand[0]) == "1 2 5"
    assert written(s.hand[1]) == "3 4"
    assert written(s.hand[2]) == "3 7 12"
    assert s.phase == Phase.TURN_OVER
    said = [
        GAME.words.say(table.line(Event.OPENLY_EXCHANGED, args), ["You", "Left", "Right"])
        for args in told(s, Event.OPENLY_EXCHANGED)
    ]
    assert said == ["Left gives 12 to Right and gets 3."]


@pytest.mark.rule("EGO-24")
def test_between_needs_a_visible_card_of_both() -> None:
    s = solo("11 5 2", left=("4 12", "6 1"), right=("", "3 3"), top=1)
    do(s, 0, "take 11", "use")
    assert moves(s, 0) == ["with 1", "with 2"]
    do(s, 0, "with 2", "give 5")
    assert moves(s, 0) == ["get top"]
    s = solo("11 5 2", left=("", "6 1"), right=("3", "3 3"), top=1)
    do(s, 0, "take 11", "use")
    assert moves(s, 0) == ["with 1", "with 2"]


@pytest.mark.rule("EGO-25")
def test_your_10_reveals_the_whole_pile_of_a_citybot() -> None:
    s = solo("10 5 2", left=("4 12", "6 1"), right=("3", ""), top=1)
    do(s, 0, "take 10", "use")
    assert moves(s, 0) == ["look 1", "look 2"]
    abilities.designate_one(s, 0, 1)
    assert written(s.hand[1]) == "1 4 6 12"
    assert hidden(s, 1) == []
    assert s.phase == Phase.TURN_OVER


@pytest.mark.rule("EGO-25")
def test_you_may_look_at_a_citybot_that_has_nothing_hidden() -> None:
    s = solo("10 5 2", left=("4 12", "6 1"), right=("3", ""), top=1)
    do(s, 0, "take 10", "use")
    abilities.designate_one(s, 0, 2)
    assert told(s, Event.NOTHING_HIDDEN) == [(2, 0, 0)]
    assert written(s.hand[2]) == "3"


@pytest.mark.rule("EGO-26")
def test_a_citybot_with_a_visible_9_is_no_target_of_yours() -> None:
    s = solo("11 10 2", left=("4 9", "6 1"), right=("3", ""), top=1)
    exchange = s.copy()
    do(exchange, 0, "take 11", "use")
    assert moves(exchange, 0) == ["with 2"]
    refused = table.why_not(exchange, 0, "hand1")
    assert refused is not None
    assert refused.clause == "EGO-26"
    do(s, 0, "take 10", "use")
    assert moves(s, 0) == ["look 2"]
    s = solo("11 10 2", left=("4 9", "6 1"), right=("3 9", ""), top=1)
    for card in (10, 11):
        other = s.copy()
        do(other, 0, f"take {card}")
        assert moves(other, 0) == ["skip"]


@pytest.mark.rule("EGO-26")
def test_a_9_that_your_11_brings_to_light_is_played_and_nothing_is_exchanged() -> None:
    s = solo("11 5 2", left=("4 12", "9 1"), right=("3", ""), top=1)
    do(s, 0, "take 11", "use", "with 1", "give 5")
    citybots.exchange_in_solo(s, Phase.GET, citybots.GET_TOP)
    assert s.top == 9
    assert written(s.hand[0]) == "1 2 5"
    assert written(s.hand[1]) == "4 12"
    assert hidden(s, 1) == [1]
    assert s.chosen == [0, 0]
    assert s.phase == Phase.TURN_OVER
    assert told(s, Event.BLOCKED) == [(1, 0, 0)]


@pytest.mark.rule("EGO-26")
def test_one_of_the_9s_that_your_10_brings_to_light_is_played_and_the_cards_stay_revealed() -> None:
    s = solo("10 5 2", left=("4 12", "9 1 9"), right=("3", ""), top=1)
    do(s, 0, "take 10", "use")
    abilities.designate_one(s, 0, 1)
    assert s.top == 9
    assert written(s.hand[1]) == "1 4 9 12"
    assert hidden(s, 1) == []
    assert told(s, Event.BLOCKED) == [(1, 0, 0)]


@pytest.mark.rule("EGO-26")
def test_a_9_that_the_other_citybots_10_brings_to_light_is_played_but_not_one_that_was_visible() -> None:
    s = solo("3 5 5", left=("10", "2 12 1"), right=("4", "6 9 11"), top=8)
    citybot_plays(s)
    assert s.top == 9
    assert written(s.hand[2]) == "4 6 11"
    s = solo("3 5 5", left=("10", "2 12 1"), right=("4 9", "6 5 11"), top=8)
    citybot_plays(s)
    assert s.top == 10
    assert written(s.hand[2]) == "4 5 6 9 11"
    s = solo("3 5 5", left=("10", "2 12 1"), right=("4 9", "6 9 11"), top=8)
    citybot_plays(s)
    assert s.top == 9
    assert written(s.hand[2]) == "4 6 9 11"


@pytest.mark.rule("EGO-26")
def test_its_own_11_and_its_own_reveals_play_no_9() -> None:
    s = solo("3 5 5", left=("11", "2 9 1"), top=10)
    citybot_plays(s)
    assert written(s.hand[0]) == "5 5 9"
    assert told(s, Event.BLOCKED) == []
    s = solo("3 5 5", left=("2", "9 9 1"), top=12, deck="12")
    citybot_plays(s)
    assert told(s, Event.BLOCKED) == []
    assert written(s.hand[1]) == "2 9"


@pytest.mark.rule("EGO-17", "EGO-26")
def test_a_forced_9_may_be_the_last_card_and_hidden_cards_belong_to_the_hand() -> None:
    s = solo("10 5 2", left=("", "9"), right=("3", ""), top=1)
    do(s, 0, "take 10", "use", "look 1")
    assert s.acting == 0
    assert told(s, Event.OUT) == [(1, 0, 0)]
    s = solo("11 5 2", left=("", "9"), right=("3", ""), top=1)
    do(s, 0, "take 11", "use", "with 1", "give 5", "get top")
    assert s.acting == 0
    assert told(s, Event.OUT) == [(1, 0, 0)]
    s = solo("3 5 5", left=("", "7 2 1"), top=7)
    citybot_plays(s)  # it reveals the 7 and another and plays the 7
    assert written(s.hand[1]) == "2"
    s = solo("3 5 5", left=("", "8 2 1"), top=7)
    citybot_plays(s)  # no visible card is left, but hidden ones are
    assert s.hand[1] == 0
    assert s.phase == Phase.TURN_OVER


@pytest.mark.rule("EGO-27")
@pytest.mark.parametrize(("difficulty", "expected"), [(1, (3, 18, 8)), (2, (3, 17, 6)), (3, (3, 6, 2))])
def test_before_scoring_each_citybot_removes_a_card_by_difficulty(difficulty: int, expected: tuple[int, ...]) -> None:
    s = solo("1 2", left=("5 12", "1"), right=("", "2 6"), difficulty=difficulty, stopper=1, top=7)
    census = table.census(s)
    do(s, 0, "stop")
    assert scores(s) == expected
    assert table.census(s) == census
    assert len(told(s, Event.REMOVED)) == (0 if difficulty == 1 else 2)
    assert [line.points for line in table.sheet(s, [e for e in s.journal or [] if isinstance(e, Told)]).rows].count(
        (None, None, None)
    ) == (0 if difficulty == 1 else 2)


@pytest.mark.rule("EGO-27")
def test_a_citybot_without_cards_removes_none() -> None:
    s = solo("1 2", left=("7", ""), right=("2 6", ""), difficulty=3, top=7)
    citybot_plays(s)
    rules.score_round(s)
    assert scores(s) == (3, 0, 2)
    assert [args[0] for args in told(s, Event.REMOVED)] == [2]


@pytest.mark.rule("EGO-27", "EGO-02")
def test_what_was_removed_does_not_count_for_who_starts() -> None:
    s = solo("5 6", left=("5 12", ""), right=("2", ""), difficulty=3, goal=50, stopper=1, top=7)
    do(s, 0, "stop")
    assert [args[0] for args in told(s, Event.STARTS)] == [0]


@pytest.mark.rule("EGO-28")
def test_without_a_target_the_question_has_only_one_answer_but_a_12_needs_none() -> None:
    s = solo("11 12 2", left=("9", ""), right=("9", ""), top=1)
    exchange = s.copy()
    do(exchange, 0, "take 11")
    assert moves(exchange, 0) == ["skip"]
    do(s, 0, "take 12")
    assert moves(s, 0) == ["use", "skip"]


@pytest.mark.rule("EGO-28")
def test_in_solo_there_is_one_seat_three_scores_and_citybots_can_win() -> None:
    s = solo("11 12", left=("4", ""), right=("4", ""), stopper=1, top=7)
    do(s, 0, "stop")
    assert s.seats == 1
    assert scores(s) == (23, 4, 4)
    assert winners(s) == (1, 2)
    with pytest.raises(ValueError, match="no option 'difficulty'"):
        GAME.complete({"difficulty": 1}, 2)
    assert GAME.complete({}, 1) == {"goal": 50, "difficulty": 2}
    assert GAME.complete({"goal": "one-round"}, 3) == {"goal": "one-round"}


@pytest.mark.rule("EGO-28")
@pytest.mark.parametrize(
    ("s", "kinds"),
    [
        (solo("11 2", ("4", "6"), ("3", "5"), top=1), ["TAKE", "USE", "WITH", "GIVE", "GET_TOP"]),
        (solo("11 2", ("4", "6"), ("3", "5"), top=1), ["TAKE", "USE", "BETWEEN", "GET", "GET"]),
        (solo("10 2", ("4", "6"), top=1), ["TAKE", "SKIP"]),
        (solo("10 2", ("4", "6"), top=1), ["TAKE", "USE", "LOOK"]),
        (position(["11 2", "9 1"], top=1), ["TAKE", "USE", "SWAP", "CANCEL"]),
        (position(["11 2", "9 1"], top=1), ["TAKE", "USE", "SWAP", "ALLOW", "GIVE", "NAME"]),
        (position(["11 2", "9 1"], top=1), ["TAKE", "USE", "SWAP", "ALLOW", "GIVE", "RANDOM"]),
        (position(["2 2", "9 1"], top=1, deck="3 4"), ["DRAW", "DISCARD"]),
        (position(["2 2", "9 1"], top=1, deck="3 4"), ["DRAW", "KEEP"]),
        (position(["2 2 1", "9 2"], top=1, deck="3 4"), ["PAIR", "MATCH"]),
    ],
)
def test_every_choice_is_of_a_kind(s: State, kinds: list[str]) -> None:
    s = s.copy()
    for name in kinds:
        seat = play.seat_to_act(s)
        possible = {rules.kind(s, choice): choice for choice in members(rules.legal(s, seat))}
        s.chance = IN_STATE
        rules.play(s, seat, possible[rules.Kind[name]])


# What a seat knows


@pytest.mark.rule("EGO-29")
def test_a_card_taken_openly_is_certain_until_it_is_played() -> None:
    s = position(["2 3", "1 4"], top=6)
    do(s, 0, "take 2")
    assert known(s, 1, 0) == known(s, 0, 0) == "6"
    do(s, 1, "take 1")
    do(s, 0, "take 6")
    assert known(s, 1, 0) == "1"


@pytest.mark.rule("EGO-29")
def test_a_card_taken_for_its_equal_is_certain() -> None:
    s = position(["6 3", "1 4"], top=6)
    do(s, 0, "take 6")
    assert known(s, 1, 0) == "6"


@pytest.mark.rule("EGO-29")
def test_the_partner_of_a_pair_adds_nothing_to_what_was_certain_already() -> None:
    s = position(["6 6 6 3", "1 4"], top=6)
    do(s, 0, "take 3")  # one 6 is certain
    do(s, 1, "take 1")
    do(s, 0, "pair 6")  # two were shown, one was played
    assert known(s, 1, 0) == "6"
    do(s, 1, "take 4")
    do(s, 0, "pair 6")
    assert known(s, 1, 0) == "6"


@pytest.mark.rule("EGO-29")
def test_a_kept_card_is_unknown_and_what_is_played_is_no_longer_certain() -> None:
    s = position(["2 3", "1 4"], top=6, deck="5 5 5")
    do(s, 0, "take 2")
    do(s, 1, "stop")
    s.stopper = NONE
    do(s, 0, "draw", "keep 6")
    assert known(s, 1, 0) == ""
    assert shown(s, "hand0", 1) == [None, None]


@pytest.mark.rule("EGO-29")
def test_a_card_that_leaves_unseen_lowers_each_certain_count_by_one_but_not_for_who_got_it() -> None:
    s = position(["10 2", "3 3 5 8", "11 4"], top=6)
    do(s, 0, "take 10", "use", "look 1")
    do(s, 1, "allow")
    do(s, 1, "stop")
    fate(s, pick=[5])
    do(s, 2, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "random", "give 4")
    assert written(s.hand[1]) == "3 3 4 8"
    assert known(s, 0, 1) == "3"
    assert known(s, 2, 1) == "4"
    assert known(s, 1, 2) == "5 10"
    assert known(s, 0, 2) == ""  # the 10 that seat 2 took from the pile may be what it gave


@pytest.mark.rule("EGO-29")
def test_who_gets_a_card_knows_which_one_is_gone() -> None:
    s = position(["10 2 11", "3 3 5 8", "1 4"], top=6)
    do(s, 0, "take 10", "use", "look 1")
    do(s, 1, "allow")
    do(s, 1, "stop")
    do(s, 2, "take 1")
    s.stopper = NONE
    fate(s, pick=[3])
    s.acting, s.active, s.phase = bit(0), 0, Phase.TURN
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 2", "random")
    assert written(s.hand[1]) == "2 3 5 8"
    assert known(s, 0, 1) == "2 3 5 8"


@pytest.mark.rule("EGO-29")
def test_a_named_card_moves_before_everybodys_eyes_and_leaves_the_rest_certain() -> None:
    s = position(["11 2", "3 4", "5 6"], top=7)
    s.certain[0, 1] = bag("3 4")
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "name 3", "name 6")
    assert known(s, 0, 1) == "4 6"
    assert known(s, 2, 1) == "6"
    assert known(s, 0, 2) == known(s, 1, 2) == known(s, 2, 2) == "3"


@pytest.mark.rule("EGO-29")
def test_a_failed_exchange_teaches_nothing() -> None:
    s = position(["11 2", "3 4", "5 6"], top=7, deck="8")
    do(s, 0, "take 11", "use", "swap 1 2")
    do(s, 1, "allow")
    do(s, 2, "allow")
    do(s, 0, "name 3", "name 12")
    assert all(s.certain[knower, holder] == 0 for knower in range(3) for holder in (1, 2))


@pytest.mark.rule("EGO-29")
def test_own_cards_that_everybody_knows_are_marked() -> None:
    s = position(["2 6", "1 4"], top=6)
    do(s, 0, "take 2")
    hand = next(zone for zone in table.zones(s, 0) if zone.id == "hand0")
    assert [(thing.face, thing.known) for thing in hand.things if isinstance(thing, Card)] == [
        ("6", True),
        ("6", False),
    ]


@pytest.mark.rule("EGO-29")
def test_the_whole_pile_is_remembered_with_its_top_first() -> None:
    s = position(["2 6", "1 4"], top=6, pile="12 3 6")
    assert shown(s, "pile", 1) == shown(s, "pile", None) == ["6", "3", "6", "12"]


@pytest.mark.rule("EGO-29")
def test_redeal_lets_others_know_of_each_other_only_what_everybody_knows_and_of_oneself_what_they_do() -> None:
    s = position(["10 2", "3 5", "1 4"], top=6, deck="7 8 9", rest_in_pile=True)
    s.certain[0, 1] = bag("3 5")
    s.certain[1, 1] = bag("5")
    s.certain[2, 1] = bag("5")
    s.certain[1, 0] = bag("2")
    GAME.plain(play).redeal_from(s, 2, 3, 4)
    assert known(s, 0, 1) == known(s, 1, 1) == known(s, 2, 1) == "5"
    assert many(s.hand[1], 5) >= 1
    s = position(["10 2", "3 5", "1 4"], top=6, deck="7 8 9", rest_in_pile=True)
    s.certain[1, 0] = bag("2")
    GAME.plain(play).redeal_from(s, 0, 3, 4)
    assert known(s, 1, 0) == "2"
    assert written(s.hand[0]) == "2 10"


Label = tuple[int, int]
Labelled = tuple[frozenset[Label], ...]
World = tuple[Labelled, tuple[tuple[Label, ...], ...], Label | None]


@dataclass
class Ending:
    """A position, what a seat can't see there, and what it certainly knows: written down by hand."""

    s: State
    seat: int
    unknown: str  # the cards that may lie anywhere
    certain: dict[int, str] = field(default_factory=dict)  # in each other hand
    picked: int | None = None  # the seat from whose hand a card was chosen unseen


def after(s: State, *made: tuple[int, str], pick: Sequence[int] = ()) -> State:
    fate(s, pick=pick)
    for seat, move in made:
        do(s, seat, move)
    return s


def looked_at() -> State:
    """Seat 0 has seen 3 3 5 in the hand of seat 1, and seat 2 exchanges one of those for one of its own."""
    looks = [(0, "take 10"), (0, "use"), (0, "look 1"), (1, "allow"), (1, "stop")]
    swaps = [(2, "take 11"), (2, "use"), (2, "swap 1 2"), (1, "allow")]
    return after(position(["10 2", "3 3 5", "11 4"], top=12, deck="6", rest_in_pile=True), *looks, *swaps)


def renewed() -> State:
    """Seat 0 holds nearly all cards and has just drawn from a deck made of the pile."""
    s = position(["", "3 4"], top=7, pile="5 6 9")
    s.hand[0] = ALL_CARDS - s.pile - s.hand[1]
    fate(s, deck=["9 5 6"])
    do(s, 0, "draw")
    return s


ENDINGS: dict[str, Ending] = {
    "nothing known": Ending(position(["1 2", "3 4"], deck="5 6", rest_in_pile=True), 0, "3 4 5 6"),
    "equal cards counted apart": Ending(position(["1 2", "3 3"], deck="3 5", rest_in_pile=True), 0, "3 3 3 5"),
    "a card taken openly": Ending(
        after(position(["1 2", "3 4 5"], top=6, deck="3 6", active=1, rest_in_pile=True), (1, "take 4")),
        0,
        "3 5 3 6",
        {1: "6"},
    ),
    "a partner of a pair": Ending(
        after(position(["1 2", "3 3 5"], top=6, deck="3 6", active=1, rest_in_pile=True), (1, "pair 3")),
        0,
        "5 3 6",
        {1: "3"},
    ),
    "a drawn card of another": Ending(
        after(position(["1 2", "3 4"], top=7, deck="6 4 5", active=1, rest_in_pile=True), (1, "draw")),
        0,
        "3 4 6 4 5",
    ),
    "an own drawn card": Ending(
        after(position(["1 2", "3 4"], top=7, deck="6 4 5", rest_in_pile=True), (0, "draw")), 0, "3 4 4 5"
    ),
    "a kept card": Ending(
        after(position(["1 2", "3 4"], top=7, deck="6 4 5", active=1, rest_in_pile=True), (1, "draw"), (1, "keep 3")),
        0,
        "6 4 4 5",
    ),
    "a hand looked at, from which a named card is gone": Ending(
        after(looked_at(), (2, "name 3"), (2, "give 4")), 0, "4 10 6", {1: "3 5", 2: "3"}
    ),
    "a hand looked at, from which a card is gone unseen": Ending(
        after(looked_at(), (2, "random"), (2, "give 4"), pick=[5]), 0, "3 4 5 10 6", {1: "3"}
    ),
    "a card exchanged with me": Ending(
        after(
            position(["11 2 1", "3 3 5", "4 4"], top=12, deck="6", rest_in_pile=True),
            (0, "take 11"),
            (0, "use"),
            (0, "swap 0 1"),
            (1, "allow"),
            (0, "give 2"),
            (0, "random"),
            pick=[3],
        ),
        0,
        "3 5 4 4 6",
        {1: "2"},
    ),
    "a card being picked from another hand": Ending(
        after(
            position(["11 2 1", "3 3 5", "4 4"], top=12, deck="", rest_in_pile=True),
            (0, "take 11"),
            (0, "use"),
            (0, "swap 1 2"),
            (1, "allow"),
            (2, "allow"),
            (0, "random"),
            pick=[3],
        ),
        0,
        "3 3 5 4 4",
        {},
        1,
    ),
    "a card being picked from my hand": Ending(
        after(
            position(["11 2 1", "3 3 5", "4 4"], top=12, deck="", rest_in_pile=True),
            (0, "take 11"),
            (0, "use"),
            (0, "swap 1 2"),
            (1, "allow"),
            (2, "allow"),
            (0, "random"),
            pick=[3],
        ),
        1,
        "2 1 4 4",
        {0: "12"},
        1,
    ),
    "a card that another is about to give": Ending(
        after(
            position(["11 2 1", "3 3 5", "4 4"], top=12, deck="", rest_in_pile=True),
            (0, "take 11"),
            (0, "use"),
            (0, "swap 0 2"),
            (2, "allow"),
            (0, "give 2"),
        ),
        1,
        "2 1 4 4",
        {0: "12"},
        0,
    ),
    "a renewed deck": Ending(renewed(), 0, "3 4 5 6"),
    "Citybots' piles": Ending(solo("1 2", ("3 9", "4 5"), ("9", "6 4"), deck="7", rest_in_pile=True), 0, "4 5 6 4 7"),
    "a card that I am about to give to a Citybot": Ending(
        after(
            solo("1 11", ("3", "4 5"), ("9", "6 4"), top=2, deck="7", rest_in_pile=True),
            (0, "take 11"),
            (0, "use"),
            (0, "with 1"),
            (0, "give 2"),
        ),
        0,
        "4 5 6 4 7",
    ),
}


def slots(s: State, seat: int, certain: dict[int, str]) -> tuple[list[int], list[int]]:
    """How many unknown cards lie in each hand, and then in each place where their order matters."""
    hands = [
        0 if place == seat or place >= s.seats else size(s.hand[place]) - len(cards(certain.get(place, "")))
        for place in range(s.places)
    ]
    theirs = int(s.drawn != 0 and s.active != seat)
    return hands, [theirs, s.hidden_n[1], s.hidden_n[2], s.deck_end - s.deck_next]


def labelled(text: str, taken: Counter[int]) -> list[Label]:
    """Equal cards told apart by a number."""
    made = []
    for value in cards(text):
        taken[value] += 1
        made.append((value, taken[value]))
    return made


def deals(unknown: list[Label], hands: list[int]) -> Iterator[tuple[Labelled, list[Label]]]:
    """Every way to fill the hands, and what is left."""
    if not hands:
        yield (), unknown
        return
    for held in combinations(unknown, hands[0]):
        for others, rest in deals([card for card in unknown if card not in held], hands[1:]):
            yield (frozenset(held), *others), rest


def all_worlds(ending: Ending) -> set[World]:
    """Every placement of the unknown cards, equal cards counted apart, and every card that may have been picked."""
    s = ending.s
    taken: Counter[int] = Counter()
    unknown = labelled(ending.unknown, taken)
    fixed = {place: labelled(text, taken) for place, text in ending.certain.items()}
    fixed[ending.seat] = labelled(written(s.hand[ending.seat]), taken)
    hands, rows = slots(s, ending.seat, ending.certain)
    assert sum(hands) + sum(rows) == len(unknown), "what is written down by hand does not fit the position"
    found: set[World] = set()
    for held, rest in deals(unknown, hands):
        for order in permutations(rest):
            left = list(order)
            lying = tuple(tuple(left.pop(0) for _ in range(n)) for n in rows)
            if ending.picked is None:
                found.add((held, lying, None))
            else:
                for card in [*held[ending.picked], *fixed.get(ending.picked, [])]:
                    found.add((held, lying, card))
    return found


def guessed_world(s: State, ending: Ending, chance: random.Random) -> World:
    """A guess as one of those worlds: equal cards get their numbers at random."""
    taken: Counter[int] = Counter()
    numbers: dict[int, list[Label]] = {}
    for label in labelled(ending.unknown, taken):
        numbers.setdefault(label[0], []).append(label)
    for labels in numbers.values():
        chance.shuffle(labels)
    fixed = {place: labelled(text, taken) for place, text in ending.certain.items()}
    fixed[ending.seat] = labelled(written(s.hand[ending.seat]), taken)
    held = []
    for place in range(s.places):
        open_cards = s.hand[place] if place == ending.seat or place >= s.seats else bag(ending.certain.get(place, ""))
        held.append(frozenset(numbers[value].pop() for value in cards(written(s.hand[place] - open_cards))))
    rows = [[s.drawn] if s.drawn and s.active != ending.seat else [], hidden(s, 1), hidden(s, 2)]
    rows.append(s.deck[s.deck_next : s.deck_end])
    lying = tuple(tuple(numbers[value].pop() for value in row) for row in rows)
    card = None
    if ending.picked is not None:
        equal = [c for c in [*held[ending.picked], *fixed.get(ending.picked, [])] if c[0] == s.chosen[0]]
        card = chance.choice(sorted(equal))
    return tuple(held), lying, card


@pytest.mark.rule("EGO-29")
@pytest.mark.parametrize("name", ENDINGS)
def test_redeal_gives_all_consistent_worlds_and_only_those_equally_often(name: str, soak: int, tally: Tally) -> None:
    ending = ENDINGS[name]
    expected = all_worlds(ending)
    assert len(expected) > 1
    redeal_from = GAME.plain(play).redeal_from
    chance = random.Random(5)
    found: Counter[Hashable] = Counter()
    for number in range(25 * len(expected) * soak):
        guess = ending.s.copy()
        redeal_from(guess, ending.seat, 11, number)
        found[guessed_world(guess, ending, chance)] += 1
    assert_equally_often(found, set[Hashable](expected))
    tally("egocentric, guesses", found.total())


@pytest.mark.rule("EGO-29")
@pytest.mark.parametrize("name", ENDINGS)
def test_a_guess_made_from_a_guess_is_the_guess_made_from_the_truth(name: str) -> None:
    ending = ENDINGS[name]
    redeal_from = GAME.plain(play).redeal_from
    for number in range(20):
        once, twice = ending.s.copy(), ending.s.copy()
        once.deck[-1] = 12  # as if it had been drawn long ago
        redeal_from(once, ending.seat, 1, number)
        redeal_from(twice, ending.seat, 2, number)
        redeal_from(twice, ending.seat, 1, number)
        assert once.packed() == twice.packed()
        assert once.deck[once.deck_end :] == [0] * (len(once.deck) - once.deck_end)
        assert once.hand[ending.seat] == ending.s.hand[ending.seat]


@pytest.mark.rule("EGO-29")
def test_the_card_that_i_am_about_to_give_stays_the_same_and_else_none_is_chosen() -> None:
    s = position(["11 2 1 3 4", "3 3 5"], top=12, rest_in_pile=True)
    for number in range(20):
        guess = s.copy()
        GAME.plain(play).redeal_from(guess, 1, 1, number)
        assert guess.chosen == [0, 0]
    do(s, 0, "take 11", "use", "swap 0 1")
    do(s, 1, "allow")
    do(s, 0, "give 2")
    for number in range(20):
        guess = s.copy()
        GAME.plain(play).redeal_from(guess, 0, 1, number)
        assert guess.chosen == [2, 0]


@pytest.mark.rule("EGO-29")
def test_at_the_end_nothing_is_left_to_guess_but_the_deck() -> None:
    s = position(["12 12", "1 4", "2 3"], deck="5 6 7", stopper=1, rest_in_pile=True)
    do(s, 0, "stop")
    for seat in range(3):
        guess = s.copy()
        GAME.plain(play).redeal_from(guess, seat, 1, 2)
        assert guess.hand == s.hand
        assert sorted(guess.deck[guess.deck_next : guess.deck_end]) == [5, 6, 7]


# What can't be touched


def why(s: State, seat: int, thing: str) -> str | None:
    refused = table.why_not(s, seat, thing)
    return refused.clause if refused else None


@pytest.mark.rule("EGO-05", "EGO-08", "EGO-18")
def test_the_table_names_the_clause_that_forbids_a_touch() -> None:
    s = position(["11 2 2", "9 4", "5 5"], top=6, pile="7 7", deck="3 3", stopper=2)
    assert why(s, 1, "deck") == "EGO-04"
    assert why(s, 0, "hand0.2#1") is None
    assert why(s, 0, "hand0.2#2") is None
    assert why(s, 0, "pile.6#1") is None
    assert why(s, 0, "pile.7#2") == "EGO-05"
    assert why(s, 0, "hand1.0") == "EGO-29"
    assert why(s, 0, "stop_sign") == "EGO-08"
    assert why(s, 0, "elsewhere") is None
    do(s, 0, "take 11")
    assert why(s, 0, "hand0.2#1") == "EGO-09"
    do(s, 0, "use")
    assert why(s, 0, "hand0") is None
    assert why(s, 0, "hand0.2#1") == "EGO-11"
    do(s, 0, "swap 0 1")
    assert why(s, 1, "hand1.4#1") == "EGO-15"
    assert why(s, 1, "hand1.9#1") is None
    do(s, 1, "allow")
    do(s, 0, "give 2")
    assert why(s, 0, "hand0.2#1") == "EGO-11"
    do(s, 0, "name 4")
    do(s, 1, "take 9")
    assert why(s, 0, "deck") == "EGO-18"


@pytest.mark.rule("EGO-20")
def test_hidden_cards_of_a_citybot_are_touched_only_for_an_exchange() -> None:
    s = solo("11 2", ("4", "6"), top=1, deck="3")
    assert why(s, 0, "hidden1") == "EGO-20"
    do(s, 0, "take 11", "use", "with 1", "give 2")
    assert why(s, 0, "hidden1") is None


# What somebody would do who thinks no further


def sensible(s: State) -> list[str]:
    choices = rules.sensible(s, 0, rules.legal(s, 0))
    return [table.move(s, choice) for choice in members(choices)]


@pytest.mark.parametrize(
    ("hand", "top", "deck", "moves"),
    [
        ("5 5 9", 9, "3", ["match 9", "pair 5"]),  # shed a card
        ("1 4", 9, "3", ["stop"]),
        ("2 10", 3, "3", ["take 10"]),
        ("2 10", 6, "3", ["draw", "take 10"]),
        ("2 5", 6, "3", ["draw"]),
        ("2 5", 6, "", ["take 2", "take 5", "stop"]),  # nothing to draw, nothing better
    ],
)
def test_a_sensible_turn_sheds_a_card_or_stops_with_few_points_or_lowers_the_highest_card(
    hand: str, top: int, deck: str, moves: list[str]
) -> None:
    assert sensible(solo(hand, ("4", "6"), top=top, deck=deck)) == moves


@pytest.mark.parametrize(("drawn", "moves"), [(3, ["keep 10"]), (11, ["discard"])])
def test_a_drawn_card_is_sensibly_kept_for_a_higher_one(drawn: int, moves: list[str]) -> None:
    s = solo("2 10", ("4", "6"), top=12, deck=str(drawn))
    do(s, 0, "draw")
    assert sensible(s) == moves


def test_abilities_are_sensibly_used_and_their_targets_are_left_to_chance() -> None:
    s = solo("11 2 3", ("4", "6"), top=1, deck="3")
    do(s, 0, "take 11")
    assert sensible(s) == ["use"]
    do(s, 0, "use")
    assert sensible(s) == moves(s, 0)


def test_among_several_seats_every_choice_is_as_sensible() -> None:
    s = new_game(2)
    assert rules.sensible(s, 0, rules.legal(s, 0)) == rules.legal(s, 0)


# Other components


def with_parts(**tables: dict[str, Any]) -> Game:
    parts = copy.deepcopy(shipped(GAME.package))
    for name, figures in tables.items():
        parts[name] |= figures
    return GAME.with_components(parts, "owner.toml")


@pytest.mark.rule("EGO-01", "EGO-10", "EGO-14")
def test_another_set_of_components_changes_the_deck_and_what_cards_can_do() -> None:
    copies = [6, 4, 5, 5, 5, 5, 5, 5, 5, 5, 3, 7]
    other = with_parts(copies={"of_each": copies}, lost_abilities={"look": 1, "exchange": 2, "again": 3})
    asked: list[int] = []

    def expect(kind: int, whole: bool) -> tuple[int, ...]:
        asked.append(kind)
        return (5, 1, 2, 3, 4, 6, *deck) if whole else (0,)

    deck = list((Counter(dict(enumerate(copies, 1))) - Counter([5, 1, 2, 3, 4, 6])).elements())
    match = Match(other, 2, {}, Script(expect))
    match.choose_move(0, "take 3")
    match.choose_move(0, "use")
    match.choose_move(0, "take 1")
    match.choose_move(0, "use")
    assert list(match.moves(0)) == ["look 1"]
    assert other.show.faces()["1"].suit == "look"
    assert other.show.faces()["12"].suit == "city"
    assert Counter(other.show.census(match.state)) == Counter(dict(enumerate(copies, 1)))
    assert isinstance(match.table(0), Table)


@pytest.mark.rule("EGO-01")
@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"copies": {"of_each": [6, *[5] * 11]}}, "owner.toml: copies.of_each: must be 60 cards together, not 61"),
        ({"copies": {"of_each": [0, 10, *[5] * 10]}}, "owner.toml: copies.of_each: must be from 1 to 15 of each value"),
        (
            {"lost_abilities": {"look": 9}},
            "owner.toml: lost_abilities: must be three different values from 1 to 12, neither 8 nor 9",
        ),
        ({"cards": {"hand": 6}}, "owner.toml: cards.hand: the rulebook deals five cards"),
        ({"goal": {"points": 60}}, "owner.toml: goal.points: the rulebook plays until somebody reaches 50"),
        ({"abilities": {"wild": 7}}, "owner.toml: abilities.wild: the rulebook has an 8 stand for 7, 8 or 9"),
    ],
)
def test_figures_that_the_rulebook_gives_otherwise_are_refused(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ComponentsError) as refused:
        with_parts(**tables)
    assert str(refused.value) == message
