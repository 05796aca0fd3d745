"""Crimson Crush: every clause, on positions set by hand and on deals that a script gives."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from cardtown.core import laws, play
from cardtown.core.cards import bit, members
from cardtown.core.chance import Script, any_of, seed_stream
from cardtown.core.components import ComponentsError
from cardtown.core.game import Options, Value, scores, winners
from cardtown.core.match import Chosen, Match
from cardtown.core.state import Dice
from cardtown.core.story import ALL, Told
from cardtown.core.table import Card
from cardtown.games.crimson import GAME, rules, table
from cardtown.games.crimson.rules import DRAW, Chance, Event, Kind, Phase, State, Variant
from tests.conftest import Tally
from tests.exactness import assert_equally_often

EVERY_CARD = [card for card in range(rules.KINDS) for _ in range((4, 3, 3, 2, 2)[card % 5])]
NAMES = ["Patrick", "Martin", "Erik", "Ann", "Bob"]


def cards(names: str) -> list[int]:
    return [table.NAMES.index(name) for name in names.split()]


def together(names: str) -> int:
    """Cards as the one number that counts them."""
    return sum(rules.ONE[card] for card in cards(names))


def names(hand: int) -> str:
    return " ".join(table.NAMES[card] for card in table.kinds(hand))


def position(
    hands: Sequence[str],
    rows: str = "",
    deck: str = "",
    acting: int = 0,
    variant: Variant = Variant.STANDARD,
    round_no: int = 1,
    first: int = 0,
    power: str = "012345",
    rest_under: bool = False,
) -> State:
    """A position in which `acting` has drawn and is to place. Rows are written `G1+ G2-`: for the hero, the villain.

    Cards that are nowhere else follow in the deck, or lie under it where everybody saw them go (`rest_under`).
    """
    s = State()
    s.seats = s.places = len(hands)
    s.variant, s.round_no, s.first = variant, round_no, first
    s.journal = []
    s.power = sum(bit(seat) for seat in range(s.seats) if str(seat) in power)
    s.acting = bit(acting)
    left = Counter(EVERY_CARD)
    for seat, held in enumerate(hands):
        for card in cards(held):
            rules.take(s, seat, card)
        left -= Counter(cards(held))
    for at, written in enumerate(rows.split()):
        card, side = cards(written[:2])[0], "+-".index(written[2])
        colour = card // 5
        s.rows[colour, rules.cards_in_row(s, colour)] = at % s.seats * rules.PLACEMENTS + card * 2 + side
        s.placed[colour * 2 + side] += 1
        s.total[colour * 2 + side] += card % 5 + 1
        left -= Counter([card])
    for choice in range(rules.PLACEMENTS):
        colour = choice // 10
        if s.placed[colour * 2 + choice % 2] < 3 and rules.cards_in_row(s, colour) < 5:
            s.free |= bit(choice)
    s.closed = sum(rules.cards_in_row(s, colour) == 5 for colour in range(5))
    left -= Counter(cards(deck))
    rest = sorted(left.elements())
    known, unseen = (rest, cards(deck)) if rest_under else ([], cards(deck) + rest)
    s.under = len(known)
    s.deck[: s.under] = known
    s.drawn = rules.CARDS - len(unseen)
    s.deck[s.drawn :] = unseen
    assert table.census(s) == EVERY_CARD
    return s


def moves(s: State, seat: int) -> list[str]:
    return [table.move(s, choice) for choice in members(rules.legal(s, seat))]


def do(s: State, seat: int, move: str) -> None:
    assert move in moves(s, seat), f"{move!r} is not among {moves(s, seat)}"
    rules.play(s, seat, members(rules.legal(s, seat))[moves(s, seat).index(move)])


def told(s: State, event: Event) -> list[tuple[int, ...]]:
    return [entry.args for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def told_to(s: State, watcher: int | None) -> list[Told]:
    return [entry for entry in s.journal or [] if isinstance(entry, Told) and entry.is_for(watcher)]


def faces_of(s: State, zone: str, watcher: int | None) -> list[str | None]:
    found = next(shown for shown in table.zones(s, watcher) if shown.id == zone)
    return [thing.face for thing in found.things if isinstance(thing, Card)]


def why(s: State, seat: int, thing: str) -> str | None:
    """The clause that forbids touching a thing, after its text was said."""
    refused = table.why_not(s, seat, thing)
    if refused is None:
        return None
    assert GAME.words.say(refused.text, NAMES)
    return refused.clause


class Deals(Script):
    """Chance that brings the given start seat and decks, and remembers what was asked."""

    def __init__(self, start: int, *decks: Sequence[int]) -> None:
        self.asked: list[int] = []
        self.decks = list(decks)
        self.start_seat = start
        super().__init__(self.bring)

    def bring(self, kind: int, whole: bool) -> tuple[int, ...]:
        self.asked.append(kind)
        if kind == Chance.START:
            return (self.start_seat,)
        return tuple(self.decks.pop(0) if self.decks else EVERY_CARD)


def started(seats: int, start: int, deck: Sequence[int], variant: str = "standard") -> State:
    s = GAME.blank(seats, {"variant": variant})
    assert isinstance(s, State)
    s.journal = []
    s.chance = Deals(start, deck)
    rules.start(s)
    return s


def shuffled(seed: int) -> list[int]:
    return random.Random(seed).sample(EVERY_CARD, rules.CARDS)


# Rounds and turns


@pytest.mark.rule("CRU-01")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_game_has_as_many_rounds_as_seats_and_the_start_moves_clockwise(seats: int) -> None:
    match = Match(GAME, seats, {}, Deals(seats - 1, *(shuffled(seed) for seed in range(seats))))
    while not match.outcome:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    rounds = [line.args[:2] for line in match.told if line.event == Event.ROUND]
    assert rounds == [(i + 1, (seats - 1 + i) % seats) for i in range(seats)]
    assert [line.args[0] for line in match.told if line.event == Event.ROW] == [0, 1, 2, 3, 4] * seats


@pytest.mark.rule("CRU-01")
@pytest.mark.parametrize("start", [0, 1, 2, 3])
def test_chance_picks_who_starts_and_then_turns_go_clockwise(start: int) -> None:
    s = started(4, start, shuffled(1))
    for i in range(6):
        assert s.acting == bit((start + i) % 4)
        rules.play(s, (start + i) % 4, members(rules.legal(s, (start + i) % 4))[0])


@pytest.mark.rule("CRU-01", "CRU-02")
def test_chance_comes_as_start_and_deck_and_in_later_rounds_as_deck_alone() -> None:
    chance = Deals(0, *(shuffled(seed) for seed in range(3)))
    match = Match(GAME, 3, {}, chance)
    while not match.outcome:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    assert chance.asked == [Chance.START, Chance.DECK, Chance.DECK, Chance.DECK]


@pytest.mark.rule("CRU-02")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_seventy_cards_are_shuffled_and_six_dealt_to_each_seat_seat_0_first(seats: int) -> None:
    deck = shuffled(seats)
    s = started(seats, 0, deck, "one-action")
    for seat in range(seats):
        assert names(s.hand[seat]) == " ".join(table.NAMES[card] for card in sorted(deck[seat * 6 : seat * 6 + 6]))
    assert s.deck[s.drawn :] == deck[seats * 6 :]
    assert members(s.power) == list(range(seats))
    dealt = [entry for entry in s.journal or [] if isinstance(entry, Told) and entry.event == Event.DEALT]
    assert [line.to for line in dealt] == [bit(seat) for seat in range(seats)]
    assert next(zone for zone in table.zones(s, None) if zone.id == "deck").count == 70 - 6 * seats


@pytest.mark.rule("CRU-02")
def test_every_card_can_come_and_colours_have_four_three_three_two_two() -> None:
    s = started(3, 0, shuffled(0))
    assert Counter(table.NAMES[card] for card in table.census(s)) == {
        f"{colour}{value}": copies for colour in "GPRBY" for value, copies in zip("12345", (4, 3, 3, 2, 2), strict=True)
    }


@pytest.mark.rule("CRU-02")
def test_a_new_round_takes_all_cards_back_and_returns_the_power_cards() -> None:
    rows = "P1+ P1+ P1+ P2- P2- G1+ G2+ G3- G4- Y1+"
    s = position(("G5 R1", "G1", "B1"), rows, rest_under=True, power="1", round_no=1, first=2)
    do(s, 0, "place G5 grip")
    do(s, 1, "power yes")
    assert s.round_no == 2
    assert s.first == 0
    assert members(s.power) == [0, 1, 2]
    assert [s.in_hand[seat] for seat in range(3)] == [7, 6, 6]
    assert s.closed == s.under == s.shown == 0
    assert s.known == [0] * 5
    assert s.placed == s.total == [0] * 10
    assert s.phase == Phase.PLACE
    assert table.census(s) == EVERY_CARD


@pytest.mark.rule("CRU-03")
def test_a_turn_is_to_draw_a_card_unasked_and_then_to_place_one() -> None:
    s = position(("G1 P1", "R1", "B1"), deck="Y5 Y4")
    do(s, 0, "place G1 crush")
    assert names(s.hand[0]) == "P1"
    assert names(s.hand[1]) == "R1 Y5"
    assert s.acting == bit(1)
    assert moves(s, 1) == ["place R1 crush", "place R1 grip", "place Y5 crush", "place Y5 grip"]
    assert told(s, Event.DREW) == [(1, 0, 0)]
    private = [entry for entry in s.journal or [] if isinstance(entry, Told) and entry.event == Event.DREW_CARD]
    assert [(line.to, line.args[1]) for line in private] == [(bit(1), cards("Y5")[0])]
    assert GAME.words.say(table.prompt(s, 1), NAMES) == "Place a card: touch it, then a side of its row."
    assert why(s, 1, "deck") == why(s, 0, "deck") == "CRU-03"


@pytest.mark.rule("CRU-03")
def test_equal_cards_are_one_move_and_the_last_of_them_takes_it_away() -> None:
    s = position(("G1 G1 P2", "R1", "B1"), deck="R2 B2 G1 R3 B3 P4")
    assert moves(s, 0) == ["place G1 crush", "place G1 grip", "place P2 crush", "place P2 grip"]
    do(s, 0, "place G1 crush")
    do(s, 1, "place R2 grip")
    do(s, 2, "place B2 grip")
    assert moves(s, 0)[:2] == ["place G1 crush", "place G1 grip"]
    do(s, 0, "place G1 grip")
    do(s, 1, "place R3 grip")
    do(s, 2, "place B3 grip")
    do(s, 0, "place G1 crush")
    assert not any("G1" in move for move in moves(s, 0))
    assert names(s.hand[0]) == "P2 P4"


@pytest.mark.rule("CRU-04")
def test_a_card_goes_into_the_row_of_its_colour_on_either_side() -> None:
    s = position(("P5 P3", "R1", "B1"), deck="Y5 Y4")
    do(s, 0, "place P5 grip")
    assert s.total == [0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
    assert table.placements(s, 1) == [(0, cards("P5")[0] * 2 + 1)]
    board = table.zones(s, None)[0]
    assert [(thing.id, thing.at) for thing in board.things if thing.id.startswith("P5")] == [("P5@0#1", 5)]
    assert [cell.id for cell in board.cells[3:6]] == ["P.crush", "P.middle", "P.grip"]
    assert GAME.words.say(board.cells[5].title, NAMES) == "Death Grip, purple: 5"
    assert table.path(s, 1, cards("R1")[0] * 2) == ("R1@1#1", "R.crush")
    assert why(s, 1, "P5@0#1") == why(s, 1, "R.crush") == why(s, 1, "R.row") == "CRU-04"
    assert why(s, 1, "R1@1#1") is None


@pytest.mark.rule("CRU-04")
def test_a_card_keeps_its_id_on_its_way_into_a_row_and_others_moves_change_no_id() -> None:
    s = position(("G1 G1", "G1 R2", "B1"), deck="G1 Y4 Y5")
    mine = [thing.id for thing in next(zone for zone in table.zones(s, 0) if zone.id == "hand0").things]
    assert mine == ["G1@0#1", "G1@0#2"]
    assert table.path(s, 0, cards("G1")[0] * 2 + 1) == ("G1@0#1", "G.grip")
    do(s, 0, "place G1 grip")
    do(s, 1, "place G1 grip")
    after = table.zones(s, 0)
    assert [thing.id for thing in after[0].things if thing.id.startswith("G1")] == ["G1@0#1", "G1@1#1"]
    assert [thing.id for thing in next(zone for zone in after if zone.id == "hand0").things] == ["G1@0#2"]


@pytest.mark.rule("CRU-05")
@pytest.mark.parametrize(("sign", "full", "other"), [("+", "crush", "grip"), ("-", "grip", "crush")])
def test_a_side_takes_three_cards(sign: str, full: str, other: str) -> None:
    s = position(("G1 P1", "G5 P2", "B1"), f"G1{sign} G2{sign}", deck="G4")
    do(s, 0, f"place G1 {full}")
    assert moves(s, 1) == [f"place G4 {other}", f"place G5 {other}", "place P2 crush", "place P2 grip"]
    assert why(s, 1, f"G.{full}") == "CRU-05"
    assert why(s, 1, f"G.{other}") == "CRU-04"


@pytest.mark.rule("CRU-06")
@pytest.mark.parametrize("last", ["crush", "grip"])
def test_the_fifth_card_closes_a_row(last: str) -> None:
    s = position(("P1 G1", "P5 G2", "B1"), "P1+ P2+ P3- P4-", deck="P2")
    do(s, 0, f"place P1 {last}")
    assert s.closed == 1
    assert told(s, Event.CLOSED) == [(1, 1, 0)]
    assert moves(s, 1) == ["place G2 crush", "place G2 grip"]
    assert members(s.free) == [choice for choice in range(50) if choice // 10 != 1]
    assert faces_of(s, "rows", None)[:2] == ["G", "P-closed"]
    assert why(s, 1, "P5@1#1") == why(s, 1, "P.crush") == "CRU-06"


def stuck() -> State:
    """Seat 1 is about to draw the third card of a closed row; G4 came from seat 0's hand before."""
    return position(("R1 P1", "G1 G1 G3", "B1 B2"), "G1+ G2+ G2+ G4- G5-", deck="G5 B3 R3 R2 B4 G4")


@pytest.mark.rule("CRU-07")
def test_who_can_place_nothing_shows_the_hand_to_everybody_and_puts_a_card_under_the_deck() -> None:
    s = stuck()
    do(s, 0, "place R1 crush")
    assert s.phase == Phase.DISCARD
    assert s.acting == bit(1)
    assert told(s, Event.STUCK) == [(1, together("G1 G1 G3 G5"), 0)]
    for watcher in (None, 0, 1, 2):
        assert faces_of(s, "hand1", watcher) == ["G1", "G1", "G3", "G5"]
    assert moves(s, 1) == ["discard G1", "discard G3", "discard G5"]
    assert rules.kind(s, cards("G3")[0]) == Kind.DISCARD
    assert table.path(s, 1, cards("G1")[0]) == ("G1@1#1",)
    assert GAME.words.say(table.label(s, cards("G1")[0]), NAMES) == "Put G1 under the deck"
    assert why(s, 1, "G1@1#2") is None
    do(s, 1, "discard G3")
    assert names(s.hand[1]) == "G1 G1 G5"
    assert s.deck[: s.under] == cards("G3")
    assert [entry.to for entry in told_to(s, None) if entry.event == Event.PUT_UNDER] == [ALL]
    assert faces_of(s, "under", None) == ["G3"]
    assert next(zone for zone in table.zones(s, 0) if zone.id == "deck").count == 70 - s.drawn + 1
    assert s.acting == bit(2)
    assert s.total == [5, 9, 0, 0, 1, 0, 0, 0, 0, 0]  # nothing was placed
    assert why(s, 2, "G3@under#1") == why(s, 2, "under") == "CRU-07"


@pytest.mark.rule("CRU-07")
def test_who_is_stuck_again_shows_again_and_the_later_card_lies_lower() -> None:
    s = position(("R1 P1", "G1 G1 G3", "B1 B2"), "G1+ G2+ G2+ G4- G5-", deck="G5 B3 R3 G4")
    do(s, 0, "place R1 crush")
    do(s, 1, "discard G3")
    do(s, 2, "place B3 crush")
    do(s, 0, "place R3 crush")
    assert told(s, Event.STUCK) == [(1, together("G1 G1 G3 G5"), 0), (1, together("G1 G1 G4 G5"), 0)]
    do(s, 1, "discard G5")
    assert faces_of(s, "under", 2) == ["G3", "G5"]
    assert names(s.known[1]) == "G1 G1 G4"


@pytest.mark.rule("CRU-07", "CRU-18")
def test_in_the_variant_only_six_cards_that_fit_nowhere_are_shown_and_nothing_is_drawn() -> None:
    s = position(("R1 P1", "G1 G1 G1 G3 G3 G5", "B1"), "G1+ G2+ G2+ G4- G5-", variant=Variant.ONE_ACTION)
    drawn = s.drawn
    do(s, 0, "place R1 crush")
    assert moves(s, 1) == ["discard G1", "discard G3", "discard G5"]
    do(s, 1, "discard G1")
    assert s.drawn == drawn
    assert names(s.hand[1]) == "G1 G1 G3 G3 G5"
    assert s.acting == bit(2)


@pytest.mark.rule("CRU-08")
@pytest.mark.parametrize(("seats", "rows"), [(3, 2), (4, 2), (5, 3)])
def test_the_round_ends_at_once_with_the_second_closed_row_or_with_five_seats_the_third(seats: int, rows: int) -> None:
    full = " ".join(f"{colour}1+ {colour}2+ {colour}3- {colour}4-" for colour in "GPR"[:rows])
    hands = ["G5 P5 R5", "B1", "B2", "B3", "B4"][:seats]
    s = position(hands, full, acting=0, round_no=seats)
    for closed, colour in enumerate("GPR"[:rows], 1):
        assert told(s, Event.ROW) == []
        s.acting = bit(0)
        drawn = s.drawn
        do(s, 0, f"place {colour}5 crush")
        assert s.closed == closed
    assert told(s, Event.ROW)
    assert s.drawn == drawn  # nobody draws any more
    assert why(position(hands, full), 0, "doors") == "CRU-08"


# Scoring. The last card of a round that ends is P5, placed by seat 0.

LAST = "P5"
CLOSED = "G1+ G2+ G3+ G4- G5-"


def scoring(hands: Sequence[str], rows: str, side: str = "grip", **given: Any) -> State:
    """The last placement of a round: `rows` holds four purple cards, and one other row is closed."""
    s = position([f"{LAST} {hands[0]}", *hands[1:]], rows, **{"round_no": len(hands), **given})
    do(s, 0, f"place {LAST} {side}")
    return s


def do_all_power(s: State, *decisions: str) -> None:
    """Every seat that is asked decides, clockwise; the last decision given holds for all who are left."""
    for i in range(s.acting.bit_count()):
        do(s, play.seat_to_act(s), decisions[min(i, len(decisions) - 1)])


VILLAIN = "P1+ P1+ P2- P3-"


@pytest.mark.rule("CRU-09")
def test_all_five_rows_are_scored_in_card_order_closed_or_not() -> None:
    s = scoring(("", "", ""), f"{CLOSED} {VILLAIN} B2- Y3- Y1+")
    assert told(s, Event.ROW) == [(0, 6, 9), (1, 2, 10), (2, 0, 0), (3, 0, 2), (4, 1, 3)]


@pytest.mark.rule("CRU-09")
def test_a_row_that_is_not_closed_scores_too() -> None:
    s = scoring(("B3", "B2 B2", ""), f"{CLOSED} {VILLAIN} B1-")
    assert scores(s) == (0, -4, 0)


HERO = "P1- P1- P2+ P3+"


@pytest.mark.rule("CRU-10")
def test_every_seat_with_a_power_card_decides_in_secret_clockwise_from_the_start_seat() -> None:
    s = scoring(("", "", ""), f"{CLOSED} {HERO}", side="crush", first=2, power="02")
    assert s.phase == Phase.POWER
    assert members(s.acting) == [0, 2]
    assert play.seat_to_act(s) == 2
    assert moves(s, 0) == moves(s, 2) == ["power yes", "power no"]
    assert moves(s, 1) == []
    assert rules.kind(s, 0) == rules.kind(s, 1) == Kind.POWER
    before = len(s.journal or [])
    do(s, 0, "power yes")
    assert len(s.journal or []) == before
    assert members(s.acting) == [2]
    do(s, 2, "power no")
    assert told(s, Event.POWER) == [(0, 1, rules.YES), (2, 1, 1)]
    assert s.sealed == [0] * 6


@pytest.mark.rule("CRU-10")
def test_a_decision_shows_on_nobodys_table_but_ones_own() -> None:
    s = scoring(("P4", "P3", ""), f"{CLOSED} {HERO}", side="crush")
    yes, no = s.copy(), s.copy()
    do(yes, 1, "power yes")
    do(no, 1, "power no")
    for watcher in (None, 0, 2):
        assert GAME.table(yes, watcher, table.sheet(yes, [])) == GAME.table(no, watcher, table.sheet(no, []))
    said = [GAME.words.say(table.prompt(each, 1), NAMES) for each in (yes, no)]
    assert said[0].startswith("You play your power card")
    assert said[1].startswith("You keep your power card")
    assert why(yes, 1, "power1") == why(yes, 1, "power0") == "CRU-10"
    assert why(yes, 0, "P4@0#1") == "CRU-09"
    assert why(yes, 0, "power0") is None
    assert table.path(yes, 0, 0) == ("power0",)
    assert table.path(yes, 0, 1) == ("keep",)
    assert [button.id for button in table.buttons(yes, 0)] == ["keep"]
    assert table.buttons(yes, 1) == table.buttons(yes, None) == ()


@pytest.mark.rule("CRU-10")
def test_who_has_no_card_of_the_colour_is_asked_too_and_who_keeps_the_card_is_asked_again() -> None:
    s = scoring(("", "", ""), f"G1- G2+ G3+ G4+ G5- {HERO}", side="crush")
    assert s.row == 0
    do_all_power(s, "power yes", "power no", "power no")
    assert s.row == 1
    assert members(s.acting) == [1, 2]
    do_all_power(s, "power no", "power yes")
    assert s.acting == 0
    assert members(s.power) == [1]


@pytest.mark.rule("CRU-10")
def test_nobody_is_asked_where_the_villain_wins_or_no_power_card_is_left() -> None:
    s = scoring(("P4", "P3", ""), f"{CLOSED} {VILLAIN}")
    assert s.acting == 0
    s = scoring(("P4", "P3", ""), f"{CLOSED} {HERO}", side="crush", power="")
    assert s.acting == 0
    assert scores(s) == (4, 0, 0)
    assert why(position(("P1", "B1", "B2")), 0, "power0") == why(position(("P1", "B1", "B2")), 0, "front1") == "CRU-10"


@pytest.mark.rule("CRU-10", "CRU-11", "CRU-12", "CRU-13", "CRU-14")
def test_the_rulebooks_three_examples_with_patrick_martin_and_erik() -> None:
    s = position(
        ("G4 G2 P1 P5 R2 P5", "G1 G3 P4 P3 R1", "G5 P3 P2 R3"),
        "G1+ G2+ G3+ G1- G4- P1+ P1+ P2- P3- R4+ R4- R1+ R1-",
        round_no=3,
    )
    do(s, 0, "place P5 grip")
    do_all_power(s, "power yes", "power yes", "power no")
    assert told(s, Event.SCORED) == [(0, 6, 2), (1, 7, -1)]
    assert scores(s) == (12, -7, 0)
    assert members(s.power) == [2]
    assert not [args for args in told(s, Event.SHOWED) if args[1] == 2]
    assert names(s.known[0]) == "G2 G4 P1 P5"
    sheet = table.sheet(s, told_to(s, None))
    assert [row.points for row in sheet.rows] == [(12, 0, 0), (0, -7, 0), (None, None, None)] + [(None,) * 3] * 2
    assert sheet.totals == (12, -7, 0)
    reasons = [GAME.words.say(row.why, NAMES) for row in sheet.rows if row.why]
    assert reasons[0] == (
        "Crimson Crush is ahead, 6 to 5; the highest sum in hand is 6. Doubled by the power card: Patrick."
    )
    assert reasons[1] == "Death Grip is ahead, 10 to 2; the highest sum in hand is 7."


@pytest.mark.rule("CRU-11")
def test_the_highest_sum_in_hand_scores_and_every_tied_seat_does() -> None:
    s = scoring(("P4 P2", "P3 P3", "P5", "P1 B5"), f"{CLOSED} P1- P1- P2+ P3+".replace("P3+", "P4+"), side="crush")
    do_all_power(s, "power no")
    assert scores(s) == (6, 6, 0, 0)
    sheet = table.sheet(s, told_to(s, None))
    assert [row.points for row in sheet.rows if row.points[0]] == [(6, 6, 0, 0)]


@pytest.mark.rule("CRU-11")
def test_sums_are_compared_before_doubling_and_of_tied_seats_only_who_played_doubles() -> None:
    s = scoring(("P4", "P3 P2", ""), f"{CLOSED} {HERO}", side="crush")
    do_all_power(s, "power yes", "power no")
    assert scores(s) == (0, 5, 0)
    s = scoring(("P4", "P2 P2", ""), f"{CLOSED} P1- P1- P4+ P3+", side="crush")
    do_all_power(s, "power no", "power yes", "power no")
    assert scores(s) == (4, 8, 0)


@pytest.mark.rule("CRU-11", "CRU-13")
@pytest.mark.parametrize(("rows", "side"), [(HERO, "crush"), (VILLAIN, "grip")])
def test_all_show_their_cards_of_that_colour_to_everybody(rows: str, side: str) -> None:
    s = scoring(("P4 R1", "P3 P2 B1", "B2"), f"{CLOSED} {rows}", side=side)
    do_all_power(s, "power no")
    assert [args for args in told(s, Event.SHOWED) if args[1] == 1] == [
        (0, 1, together("P4")),
        (1, 1, together("P2 P3")),
        (2, 1, 0),
    ]
    for watcher in (None, 0, 2):
        assert faces_of(s, "hand1", watcher) == ["P2", "P3", None]
    assert faces_of(s, "hand2", 0) == [None]


@pytest.mark.rule("CRU-12")
def test_a_power_card_played_is_gone_even_if_it_scored_nothing() -> None:
    s = scoring(("P4", "P3", ""), f"{CLOSED} {HERO} Y2+", side="crush")
    do_all_power(s, "power no", "power yes", "power yes")
    assert scores(s) == (4, 0, 0)
    assert s.row == 4
    assert members(s.acting) == [0]
    assert faces_of(s, "front0", 2) == ["power"]
    assert faces_of(s, "front1", 2) == faces_of(s, "front2", 2) == []
    assert "decide" in GAME.words.say(table.prompt(s, 1), NAMES)


@pytest.mark.rule("CRU-13")
def test_where_the_villain_wins_the_highest_sum_is_lost_by_every_tied_seat() -> None:
    s = scoring(("P4 P1", "P3 P2", "P4"), f"{CLOSED} P1+ P1+ P2- P3-")
    assert scores(s) == (-5, -5, 0)
    assert members(s.power) == [0, 1, 2]


@pytest.mark.rule("CRU-14")
def test_equal_sides_and_empty_rows_show_and_score_nothing() -> None:
    s = scoring(("P4 R5", "R4 B3", "Y5"), f"{CLOSED} P1+ P2+ P3- P4+".replace("G4-", "G2-"), side="grip")
    assert told(s, Event.ROW)[1] == (1, 7, 8)
    s = scoring(("P4 R5", "R4 B3", "Y5"), f"{CLOSED} P4+ P1+ P2- P2+", side="grip")
    assert told(s, Event.ROW)[1] == (1, 7, 7)
    assert {args[1] for args in told(s, Event.SHOWED)} == {0}
    assert scores(s) == (0, 0, 0)
    assert names(s.known[0]) == ""
    assert table.sheet(s, told_to(s, None)).rows[1].points == (None, None, None)


@pytest.mark.rule("CRU-15")
@pytest.mark.parametrize(("rows", "side"), [(HERO, "crush"), (VILLAIN, "grip")])
def test_a_highest_sum_of_zero_scores_nothing(rows: str, side: str) -> None:
    s = scoring(("R1", "B1", ""), f"{CLOSED} {rows}", side=side)
    do_all_power(s, "power yes")
    assert told(s, Event.SCORED) == []
    assert scores(s) == (0, 0, 0)
    row = table.sheet(s, told_to(s, None)).rows[1]
    assert row.points == (0, 0, 0)
    assert row.why is not None
    assert GAME.words.say(row.why, NAMES).endswith("nobody holds a card of this colour.")


@pytest.mark.rule("CRU-15")
def test_cards_shown_stay_known_to_the_end_of_the_round() -> None:
    s = scoring(("G4 R1", "G1 G1 P3", "Y5"), f"{CLOSED} {VILLAIN} Y1+".replace("G4-", "G3-"), round_no=1)
    assert s.row == 4
    assert faces_of(s, "hand1", 0) == ["G1", "G1", "P3"]
    assert [thing.id for thing in table.zones(s, 0)[0].things if thing.id.endswith("shown")] == ["G.shown", "P.shown"]
    do_all_power(s, "power no")
    assert s.round_no == 2
    assert s.known == [0] * 5
    assert faces_of(s, "hand1", 0) == [None] * s.in_hand[1]


@pytest.mark.rule("CRU-15", "CRU-19")
def test_a_card_drawn_after_the_hand_was_shown_is_known_once_its_colour_is_shown() -> None:
    hands = ("R1 B1", "G1 G2 G3 G3 G4 G5", "P5 B2")
    s = position(hands, f"G1+ G2+ G2+ G4- G5- {VILLAIN}", deck="G1", variant=Variant.ONE_ACTION, round_no=3)
    do(s, 0, "place R1 crush")
    do(s, 1, "discard G5")
    do(s, 2, "place B2 grip")
    do(s, 0, "place B1 crush")
    do(s, 1, "draw")
    assert names(s.known[1]) == "G1 G2 G3 G3 G4"
    do(s, 2, "place P5 grip")
    assert names(s.known[1]) == names(s.hand[1]) == "G1 G1 G2 G3 G3 G4"


@pytest.mark.rule("CRU-16")
@pytest.mark.parametrize(
    ("before", "winning"), [((0, 3, 2), (1,)), ((9, 9, 2), (0, 1)), ((-5, -4, -4), (1, 2)), ((-2, -2, -2), (0, 1, 2))]
)
def test_after_the_last_round_the_most_points_win_and_ties_share(
    before: tuple[int, ...], winning: tuple[int, ...]
) -> None:
    s = position(("P5", "B1", "B2"), f"{CLOSED} {VILLAIN}", round_no=3)
    s.score[:3] = before
    do(s, 0, "place P5 grip")
    assert scores(s) == before
    assert winners(s) == winning
    assert s.acting == 0
    assert s.phase == Phase.OVER
    assert all(moves(s, seat) == [] for seat in range(3))
    assert told(s, Event.WON) == [(sum(bit(seat) for seat in winning), max(before), 0)]
    assert why(s, 0, "deck") == "CRU-16"
    said = GAME.words.say(table.ending(s), NAMES)
    assert said.startswith(" and ".join(NAMES[seat] for seat in winning) if len(winning) < 3 else "Patrick, Martin and")
    assert GAME.words.say(table.line(Event.WON, (s.winners, 1, 0)), NAMES).endswith("with 1 point.")


# The variant


@pytest.mark.rule("CRU-17")
def test_in_the_variant_a_turn_is_to_draw_or_to_place() -> None:
    s = position(("G1 P1", "R1", "B1"), deck="Y5 Y4", variant=Variant.ONE_ACTION)
    assert moves(s, 0) == ["place G1 crush", "place G1 grip", "place P1 crush", "place P1 grip", "draw"]
    assert rules.kind(s, DRAW) == Kind.DRAW
    assert [rules.kind(s, choice) for choice in (0, 1)] == [Kind.CRUSH, Kind.GRIP]
    assert table.path(s, 0, DRAW) == ("deck",)
    assert why(s, 0, "deck") is why(s, 0, "deck.0") is None
    assert why(s, 1, "deck") == "CRU-17"
    do(s, 0, "draw")
    assert names(s.hand[0]) == "G1 P1 Y5"
    assert names(s.hand[1]) == "R1"
    assert s.acting == bit(1)
    do(s, 1, "place R1 grip")
    assert names(s.hand[1]) == ""
    assert names(s.hand[2]) == "B1"


@pytest.mark.rule("CRU-17")
def test_in_the_variant_who_holds_six_cards_must_place_and_with_five_may_draw() -> None:
    s = position(("G1 G1 P1 R1 R2 Y5", "R3 B1 B2 B3 B4", "B1"), deck="Y5 Y4", variant=Variant.ONE_ACTION)
    assert "draw" not in moves(s, 0)
    assert len(moves(s, 0)) == 10
    assert why(s, 0, "deck") == "CRU-17"
    assert GAME.words.say(table.prompt(s, 0), NAMES) == "You hold six cards: place one."
    do(s, 0, "place G1 crush")
    assert moves(s, 1)[-1] == "draw"
    assert GAME.words.say(table.prompt(s, 1), NAMES) == "Draw a card or place one."


@pytest.mark.rule("CRU-18")
@pytest.mark.parametrize("held", ["", "G1", "G1 G1 G1 G3 G3"])
def test_in_the_variant_fewer_than_six_cards_that_fit_nowhere_leave_only_to_draw(held: str) -> None:
    s = position(("R1", held, "B1"), "G1+ G2+ G2+ G4- G5-", variant=Variant.ONE_ACTION)
    do(s, 0, "place R1 crush")
    assert moves(s, 1) == ["draw"]
    assert GAME.words.say(table.prompt(s, 1), NAMES) == "Nothing you hold can be placed: draw a card."
    assert told(s, Event.STUCK) == []
    do(s, 1, "draw")
    assert s.acting == bit(2)


@pytest.mark.rule("CRU-18")
def test_in_the_variant_a_sixth_card_of_a_closed_row_is_drawn_first_and_shown_a_turn_later() -> None:
    s = position(("G1 G1 G1 G3 G3", "R1", "B1"), "G1+ G2+ G2+ G4- G5-", deck="G5", variant=Variant.ONE_ACTION)
    do(s, 0, "draw")
    do(s, 1, "place R1 crush")
    do(s, 2, "place B1 crush")
    assert moves(s, 0) == ["discard G1", "discard G3", "discard G5"]


# What a seat knows

World = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]
Plays = list[tuple[int, str]]


def world(s: State, seat: int) -> World:
    """What `seat` does not see: the other hands, the deck down to where cards were put under it, sealed decisions."""
    others = [other for other in range(s.seats) if other != seat]
    return (
        tuple(names(s.hand[other]) for other in others),
        tuple(s.deck[s.drawn :]),
        tuple(s.sealed[other] for other in others),
    )


def ways(found: World) -> int:
    """How many placements of physical cards are this world: equal cards are told apart, but not within a hand."""
    hands = [Counter(hand.split()) for hand in found[0]]
    hidden = sum(hands, Counter(table.NAMES[card] for card in found[1]))
    return prod(factorial(n) for n in hidden.values()) // prod(factorial(n) for hand in hands for n in hand.values())


def deals(pool: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every different way to deal hands of these sizes from the pool and to lay the rest in a row."""
    if not sizes:
        yield from {(order,) for order in different_orders(pool)}
        return
    for hand in set(combinations(sorted(pool), sizes[0])):
        rest = Counter(pool) - Counter(hand)
        for others in deals(sorted(rest.elements()), sizes[1:]):
            yield (hand, *others)


def different_orders(pool: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not pool:
        yield ()
    for card in set(pool):
        rest = list(pool)
        rest.remove(card)
        for order in different_orders(rest):
            yield (card, *order)


def numbered(s: State, plays: Plays) -> list[tuple[int, int]]:
    """The plays as choices, which mean the same in every world."""
    s = deepcopy(s)
    found = []
    for seat, move in plays:
        found.append((seat, members(rules.legal(s, seat))[moves(s, seat).index(move)]))
        rules.play(s, *found[-1])
    return found


def replayed(s: State, choices: list[tuple[int, int]], seat: int, heard: list[Told] | None = None) -> State | None:
    """The position after these choices, or None if one is not possible or `seat` is told something not `heard`."""
    journal = list(s.journal or [])
    s = s.copy()
    s.journal = journal
    for who, choice in choices:
        if not rules.legal(s, who) >> choice & 1:
            return None
        rules.play(s, who, choice)
        lines = told_to(s, seat)
        if heard is not None and lines != heard[: len(lines)]:
            return None
    return s


def worlds(s: State, seat: int, plays: Plays) -> set[World]:
    """All worlds that `seat` may be in: every deal of what it did not see after which it was told the same.

    Decisions of others that still lie sealed at the end may be either.
    """
    others = [other for other in range(s.seats) if other != seat]
    pool = [card for other in others for card in table.kinds(s.hand[other])] + s.deck[s.drawn :]
    choices = numbered(s, plays)
    true = replayed(s, choices, seat)
    assert true is not None
    sealed = [other for other in others if true.phase == Phase.POWER and true.power & ~true.acting & bit(other)]
    found = set()
    for dealt in deals(pool, [s.in_hand[other] for other in others]):
        start = s.copy()
        for other, hand in zip(others, dealt, strict=False):
            rules.empty_hand(start, other)
            for card in hand:
                rules.take(start, other, card)
        start.deck[start.drawn :] = dealt[-1]
        start.journal = []
        end = replayed(start, choices, seat, told_to(true, seat))
        if end is not None and len(told_to(end, seat)) == len(told_to(true, seat)):
            for decided in range(1 << len(sealed)):
                for i, other in enumerate(sealed):
                    end.sealed[other] = decided >> i & 1
                found.add(world(end, seat))
    return found


GREEN = "G1+ G2+ G2+ G4- G5-"
END_POSITIONS: dict[str, tuple[State, int, Plays]] = {
    "nothing but the rows": (
        position(("G3 P1", "P2 R1", "B1 B1"), "G2+", deck="Y1 B1", rest_under=True),
        0,
        [(0, "place G3 crush")],
    ),
    "seen from the middle": (
        position(("G3 P1", "P2 R1", "B1"), "G2+", deck="Y1 G3 P2", rest_under=True, acting=2),
        1,
        [(2, "place B1 grip")],
    ),
    "four equal cards in a hand": (
        position(("B3 P1", "R1 R1 R1 R1", "R2"), "G2+", deck="Y1 P1", rest_under=True),
        0,
        [(0, "place B3 crush")],
    ),
    "a hand shown, the choice still open": (
        position(("R1 P1", "G1 G1", "B1 B2"), GREEN, deck="G5 G3", rest_under=True),
        0,
        [(0, "place R1 crush")],
    ),
    "a hand shown and a card put under the deck": (
        position(("R1 P1", "G1 G1", "B1 B2"), GREEN, deck="G5 G3 B1", rest_under=True),
        0,
        [(0, "place R1 crush"), (1, "discard G1")],
    ),
    "a hand shown, then a card drawn that must fit somewhere": (
        position(("R1 P1 P2", "G1 G1", "G3"), GREEN, deck="G5 B2 R2 Y1 G4", rest_under=True),
        0,
        [(0, "place R1 crush"), (1, "discard G1"), (2, "place B2 grip"), (0, "place R2 grip")],
    ),
    "a hand shown, then the card drawn later placed": (
        position(("R1 P1 P2", "G1 G1", ""), GREEN, deck="G5 B2 R2 Y1 G4 G3 B2", rest_under=True),
        0,
        [(0, "place R1 crush"), (1, "discard G1"), (2, "place B2 grip"), (0, "place R2 grip"), (1, "place Y1 crush")],
    ),
    "a hand shown twice": (
        position(("R1 P1 P2", "G1 G1", ""), GREEN, deck="G5 B2 R2 G4 B2 G3 P3", rest_under=True),
        0,
        [(0, "place R1 crush"), (1, "discard G1"), (2, "place B2 grip"), (0, "place R2 grip"), (1, "discard G5")],
    ),
    "a turn without showing: something fits": (
        position(("R1 P1", "G1 G3 R2", "G1"), GREEN, deck="G3 B2", rest_under=True),
        0,
        [(0, "place R1 crush")],
    ),
    "a seat's own hand shown": (
        position(("R1 P1 P2", "G1 G1", "B1 G3"), GREEN, deck="G5 B2 R2", rest_under=True),
        1,
        [(0, "place R1 crush"), (1, "discard G1")],
    ),
    "the variant: six cards shown": (
        position(
            ("R1 P1", "G1 G1 G1 G3 G3 G5", "B1"), GREEN, deck="B1 P3 P3", variant=Variant.ONE_ACTION, rest_under=True
        ),
        0,
        [(0, "place R1 crush"), (1, "discard G1"), (2, "draw")],
    ),
    "the variant: six cards, of which one must fit": (
        position(("R1 P1", "G1 G1 G1 G3 G3 P3", "G5"), GREEN, deck="P3", variant=Variant.ONE_ACTION, rest_under=True),
        0,
        [(0, "place R1 crush")],
    ),
    "the variant: fewer than six need not fit": (
        position(("R1 P1", "G1 G1", "G5"), GREEN, deck="P3 P3", variant=Variant.ONE_ACTION, rest_under=True),
        0,
        [(0, "place R1 crush")],
    ),
    "colours shown in scoring": (
        position(("P5 R1", "G1 G1 B2", "R2"), f"{CLOSED} {VILLAIN} Y1+", deck="G5 P4 B2", rest_under=True),
        0,
        [(0, "place P5 grip")],
    ),
    "a colour not shown because its row was equal": (
        position(("P5 R1", "G1 R1 B2", "R2 P4"), f"{CLOSED} {VILLAIN} R1+ R1- Y1+", deck="G5 R3", rest_under=True),
        2,
        [(0, "place P5 grip")],
    ),
    "a colour shown after a hand was": (
        position(("R1 P5 P2", "G1 G1", "B1 G3"), f"{GREEN} {VILLAIN} Y2+", deck="G5 B2 R2 G1", rest_under=True),
        0,
        [(0, "place R1 crush"), (1, "discard G5"), (2, "place B2 grip"), (0, "place P5 grip")],
    ),
    "decisions that lie sealed": (
        position(("P5 R1", "G1 B2", "R2"), f"{CLOSED} {VILLAIN} Y1+", deck="P4 B2", rest_under=True),
        0,
        [(0, "place P5 grip"), (1, "power yes"), (2, "power no")],
    ),
    "an own decision that lies sealed": (
        position(("P5 R1", "G1 B2", "R2"), f"{CLOSED} {VILLAIN} Y1+", deck="P4 B2", rest_under=True, power="12"),
        1,
        [(0, "place P5 grip"), (1, "power no")],
    ),
    "the end of the game": (
        position(("P5 R1", "G1 B2", "R2"), f"{CLOSED} {VILLAIN}", deck="P4 B2", rest_under=True, round_no=3),
        0,
        [(0, "place P5 grip")],
    ),
}


@pytest.mark.rule("CRU-19")
@pytest.mark.parametrize("name", END_POSITIONS)
def test_redeal_gives_all_consistent_worlds_and_only_those_equally_often(name: str, soak: int, tally: Tally) -> None:
    s, seat, plays = END_POSITIONS[name]
    kinds = worlds(s, seat, plays)
    # Equal cards are told apart here: every world stands for as many placements of physical cards as it has ways.
    expected = {(found, way) for found in kinds for way in range(ways(found))}
    assert len(expected) > 1
    now = replayed(s, numbered(s, plays), seat)
    assert now is not None
    redeal_from = GAME.plain(play).redeal_from
    toss = random.Random(3)
    found: Counter[Hashable] = Counter()
    for number in range(30 * len(expected) * soak):
        guess = now.copy()
        redeal_from(guess, seat, 11, number)
        made = world(guess, seat)
        found[made, toss.randrange(ways(made))] += 1
    assert_equally_often(found, expected)
    tally("crimson, guesses", found.total())


@pytest.mark.rule("CRU-19")
def test_what_a_seat_knows_stays_and_all_else_is_dealt_anew() -> None:
    s = started(4, 0, shuffled(5))
    for _ in range(6):
        seat = play.seat_to_act(s)
        rules.play(s, seat, members(rules.legal(s, seat))[0])
    guess = s.copy()
    GAME.plain(play).redeal_from(guess, 2, 1, 0)
    assert guess.hand[2] == s.hand[2]
    assert [guess.hand[seat] != s.hand[seat] for seat in (0, 1, 3)] == [True] * 3
    assert guess.in_hand == s.in_hand
    assert guess.deck[: s.drawn] == [0] * s.drawn
    assert guess.deck[s.drawn :] != s.deck[s.drawn :]
    assert guess.rows.cells == s.rows.cells
    assert table.census(guess) == EVERY_CARD


@pytest.mark.rule("CRU-19")
def test_the_table_shows_other_hands_as_backs_but_for_cards_that_were_shown() -> None:
    s = stuck()
    assert faces_of(s, "hand1", 0) == [None] * 3
    assert faces_of(s, "hand1", None) == [None] * 3
    assert why(s, 0, "hand1.0") == "CRU-19"
    do(s, 0, "place R1 crush")
    do(s, 1, "discard G1")
    assert faces_of(s, "hand1", 2) == ["G1", "G3", "G5"]
    assert why(s, 2, "G3@1#1") == "CRU-19"
    do(s, 2, "place B3 crush")
    do(s, 0, "place R3 crush")
    assert faces_of(s, "hand1", 0) == ["G1", "G3", "G5", None]
    own = next(zone for zone in table.zones(s, 1) if zone.id == "hand1")
    assert [(thing.id, thing.known) for thing in own.things if isinstance(thing, Card)] == [
        ("G1@1#1", True),
        ("G3@1#1", True),
        ("G5@1#2", True),  # seat 1 placed the other one
        ("R2@1#1", False),
    ]


def one_colour_for_seat_1(seats: int, variant: Value) -> list[int]:
    """A deck that gives seat 1 green cards only, and the others as many as close the green row soon."""
    green = [card for card in EVERY_CARD if card < 5]
    rest = [card for card in shuffled(seats) if card >= 5]
    few = 2 if seats == 3 or (seats == 4 and variant == "one-action") else 1
    hands = [
        [green.pop(0) for _ in range(6)]
        if seat == 1
        else [green.pop(0) for _ in range(few)] + [rest.pop() for _ in range(6 - few)]
        for seat in range(seats)
    ]
    deck = [card for hand in hands for card in hand]
    while green or rest:
        at_seat_1 = (len(deck) - 6 * seats) % seats == 0
        deck.append((green if green and (at_seat_1 or not rest) else rest).pop(0))
    return deck


def lopsided(s: State, seat: int, dice: Dice) -> int:
    """Green cards first; seat 1 keeps its own if it can."""
    choices = rules.legal(s, seat)
    if s.phase == Phase.PLACE and seat == 1 and choices & bit(DRAW):
        return DRAW
    return members(choices)[0] if s.phase == Phase.PLACE and s.closed == 0 else any_of(dice.rng, choices)


@pytest.mark.rule("CRU-07", "CRU-19")
@pytest.mark.parametrize(("seats", "options"), list(laws.combinations(GAME)))
def test_the_laws_hold_and_compiled_rules_agree_while_hands_are_shown(seats: int, options: Options) -> None:
    """Chance alone hardly ever leaves a seat stuck, so here seat 1 is dealt one colour only."""
    slow, fast = GAME.plain(play), GAME.compiled(play)
    states = np.zeros(2, State.dtype)
    dice = Dice()
    seed_stream(dice.rng, 5, 0)
    match = Match(GAME, seats, options, Deals(1, one_colour_for_seat_1(seats, options["variant"])))
    witness = match.state.journal = laws.Witness(GAME, match.state)
    shown = 0
    s = match.state
    assert isinstance(s, State)
    while s.round_no == 1:
        shown += s.phase == Phase.DISCARD
        s.pack(states[0])
        for watcher in range(seats if s.closed else 0):
            laws.cards_are_conserved(GAME, s, EVERY_CARD)
            laws.legal_choices_can_be_told_and_touched(GAME, s, watcher)
            laws.redeal_changes_nothing_that_is_known(GAME, s, watcher, shown)
            laws.redeal_forgets_the_truth(GAME, s, watcher, shown)
            guess = s.copy()
            slow.redeal_from(guess, watcher, 9, shown)
            laws.only_who_acts_may_choose(GAME, guess)
            states[1] = states[0]
            fast.redeal_from(states[1], watcher, 9, shown)
            assert guess.packed() == states[1].tobytes()
        plain = s.copy()
        seat = play.seat_to_act(s)
        choice = lopsided(s, seat, dice)
        rules.play(plain, seat, choice)
        fast.play(states[0], seat, choice)
        assert plain.packed() == states[0].tobytes()
        heard = len(match.told)
        watcher = heard % seats
        witness.watch(watcher)
        match.choose(seat, choice)
        witness.look()
        laws.lines_tell_only_what_is_seen(GAME, match.told[heard:], watcher, witness.seen)
    assert shown


# Components


def with_parts(table_name: str, key: str, value: object) -> Any:
    parts = deepcopy(GAME.parts)
    parts[table_name][key] = value
    return GAME.with_components(parts, "mine.toml")


@pytest.mark.rule("CRU-09")
def test_other_colours_take_the_place_of_the_two_that_are_lost() -> None:
    orange = with_parts("lost_colours", "letters", ["O", "K"])
    assert orange.show.NAMES[15:] == [f"{colour}{value}" for colour in "OK" for value in "12345"]
    match = laws.check_game(orange, 3, {}, play.Player.RANDOM, seed=1, number=0)
    laws.check_transcript(match)
    assert any("place O" in move for event in match.events if isinstance(event, Chosen) for move in event.legal)
    assert {orange.words.say(face.title, NAMES) for face in orange.show.faces().values()} >= {"orange 1", "black 5"}
    assert {face.suit for face in orange.show.faces().values()} - {None} <= orange.look["suit"].keys()


@pytest.mark.parametrize(
    ("table_name", "key", "value"),
    [
        ("cards", "values", [1, 2, 3, 4, 6]),
        ("cards", "copies", [4, 3, 3, 2, 3]),
        ("cards", "hand", 7),
        ("colours", "letters", ["G", "P", "B"]),
        ("lost_colours", "letters", ["B", "B"]),
        ("lost_colours", "letters", ["B", "G"]),
        ("rows", "side", 4),
        ("rows", "row", 6),
        ("rows", "closed", [2, 3, 3]),
    ],
)
def test_figures_that_the_rulebook_gives_otherwise_are_refused_with_key_and_reason(
    table_name: str, key: str, value: object
) -> None:
    with pytest.raises(ComponentsError, match=rf"^mine\.toml: {table_name}\.{key}: .*(the rulebook|must be two)"):
        with_parts(table_name, key, value)
