"""Gossip and the City: every clause, on positions set by hand and on deals that a script gives."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from cardtown.core import laws, play, transcript
from cardtown.core.cards import bit, count, members
from cardtown.core.chance import Script, Seeded
from cardtown.core.components import ComponentsError
from cardtown.core.game import Game, scores, winners
from cardtown.core.match import Match
from cardtown.core.play import Player
from cardtown.core.story import ALL, Told
from cardtown.core.table import Card, Text, Token, Zone
from cardtown.games.gossip import GAME, rules, table
from cardtown.games.gossip.rules import GO_ON, NO_COLOUR, NONE, TAKE, TURNS, VUNSHUN, Chance, Event, State
from tests.conftest import Tally
from tests.exactness import assert_equally_often

NAMES = table.NAMES
GOSSIP = NAMES[:55]
CHIPS = "S1 S1 S1 S1 S1 S1 S2 S2 V1 V1 V1 V1 V1 V2 V2"
PEOPLE = ["Carrie", "Charlotte", "Miranda", "Samantha", "Big"]
SAMPLES = Path(__file__).parent.parent / "samples" / "gossip.jsonl"


def cards(names: str) -> list[int]:
    return [NAMES.index(name) for name in names.split()]


def cardset(names: str) -> int:
    return sum(bit(card) for card in cards(names))


def names(mask: int) -> str:
    return " ".join(NAMES[card] for card in members(mask))


def kinds(chips: str) -> list[int]:
    return [table.CHIP_NAMES.index(chip) for chip in chips.split()]


def deal(
    seats: int, colour: str = "Y", deck: str = "", initial: str = "", chips: str = CHIPS, first_lead: int = 0
) -> State:
    """A game that was dealt from given orders; in card order where none is given."""
    absent = colour if seats == 3 else ""
    script: dict[int, Sequence[int]] = {
        Chance.COLOUR: [table.LETTERS.index(colour)],
        Chance.DECK: cards(deck or " ".join(name for name in GOSSIP if name[0] != absent)),
        Chance.INITIAL: cards(initial or " ".join(f"{c}I" for c in "RBGYP" if c != absent)),
        Chance.CHIPS: kinds(chips),
        Chance.START: [first_lead],
    }
    s = GAME.blank(seats, {})
    assert isinstance(s, State)
    s.journal = []
    s.chance = Script(lambda kind, whole: tuple(script[kind]))
    rules.start(s)
    return s


def position(
    hands: Sequence[str],
    up: Sequence[str] = (),
    down: Sequence[str] = (),
    deck: str = "",
    card: str = "",
    lead: int = 0,
    first_lead: int = 0,
    removed: str = "",
    absent: str = "P",
    chips: str = CHIPS,
    taken: Sequence[Sequence[int]] = (),
    rest_up: bool = False,
) -> State:
    """A turn before the offers. `taken` are the numbers of the chips that each seat took, the Vunshun last.

    With `rest_up` every card that is nowhere else lies in the collection of seat 0.
    """
    seats = len(hands)
    s = GAME.blank(seats, {})
    assert isinstance(s, State)
    s.journal = []
    s.absent = table.LETTERS.index(absent) if seats == 3 else NO_COLOUR
    if seats == 3:
        s.face_up[VUNSHUN] = cardset(f"{absent}S")
    initial = [f"{letter}I" for letter in table.LETTERS if seats > 3 or letter != absent]
    s.initial[: len(initial)] = cards(" ".join(initial))
    for seat in range(seats):
        s.hand[seat] = cardset(hands[seat])
        s.face_up[seat] = cardset(f"{initial[seat]} {up[seat] if up else ''}")
        s.face_down[seat] = cardset(down[seat]) if down else 0
        s.sealed[seat] = NONE
    s.removed = cardset(removed)
    s.drawn = (44 if seats == 3 else 55) - len(cards(deck))
    s.deck[s.drawn : s.drawn + len(cards(deck))] = cards(deck)
    s.laid = TURNS[seats] - len(cards(deck))
    s.chips[:] = kinds(chips)
    for holder, numbers in enumerate(taken):
        s.chips_of[VUNSHUN if holder == seats else holder] = sum(bit(number) for number in numbers)
    s.card = cards(card)[0]
    s.lead, s.first_lead, s.first = lead, first_lead, (lead + 1) % seats
    s.acting = (bit(seats) - 1) & ~bit(lead)
    if rest_up:
        in_play = sum(bit(c) for c in range(55) if c // 11 != s.absent)
        s.face_up[0] |= in_play & ~everything(s)
    return s


def everything(s: State) -> int:
    """All cards that lie anywhere."""
    return sum(bit(card) for card in table.census(s) if card < len(NAMES))


def offer(s: State, seat: int, name: str) -> None:
    assert rules.legal(s, seat) & cardset(name), f"{name} is not legal"
    assert table.move(s, cards(name)[0]) == f"offer {name}"
    rules.play(s, seat, cards(name)[0])


def decide(s: State, move: str) -> None:
    """The lead's decision."""
    moves = {table.move(s, choice): choice for choice in members(rules.legal(s, s.lead))}
    rules.play(s, s.lead, moves[move])


def told(s: State, event: Event) -> list[tuple[int, ...]]:
    return [entry.args for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def audience(s: State, event: Event) -> list[int]:
    return [entry.to for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def zone(s: State, watcher: int | None, name: str) -> Zone:
    return next(zone for zone in table.zones(s, watcher) if zone.id == name)


def faces(s: State, watcher: int | None, name: str) -> list[str | None]:
    return [thing.face for thing in zone(s, watcher, name).things if isinstance(thing, Card)]


def tokens(s: State, watcher: int | None, name: str) -> list[tuple[str, int, bool]]:
    return [(chip.look, chip.count, chip.down) for chip in zone(s, watcher, name).things if isinstance(chip, Token)]


def say(message: Text) -> str:
    return GAME.words.say(message, PEOPLE)


# Set-up


@pytest.mark.rule("GOS-01")
@pytest.mark.parametrize("colour", ["R", "B", "G", "Y", "P"])
def test_three_seats_leave_out_a_colour_and_its_shield_card_is_the_vunshun(colour: str) -> None:
    s = deal(3, colour)
    cards_in_game = [NAMES[card] for card in table.census(s) if card < len(NAMES)]
    assert [name for name in cards_in_game if name[0] == colour] == [f"{colour}S"]
    assert len(cards_in_game) == 44 + 3 + 1
    for watcher in (None, 0, 1, 2):
        assert faces(s, watcher, "vunshun") == [f"{colour}S"]
        assert {face for face in faces(s, watcher, "out") if face and face[0] == colour} == {
            *(name for name in GOSSIP if name[0] == colour and name[1] != "S"),
            f"{colour}I",
        }
        assert not any(zone.id.startswith("column") and zone.look == colour for zone in table.zones(s, watcher))
    assert rules.shields_of(s, VUNSHUN) == 3


@pytest.mark.rule("GOS-01", "GOS-05")
@pytest.mark.parametrize(("seats", "shuffled"), [(3, 44), (4, 55), (5, 55)])
def test_chance_comes_as_colour_deck_initial_chips_start_and_the_colour_only_with_three(
    seats: int, shuffled: int
) -> None:
    match = Match(GAME, seats, {}, Seeded(1, 0))
    events = transcript.write(played_out(match))["events"]
    drawn = [(event["chance"], len(event.get("order", [0]))) for event in events if "chance" in event]
    five_or_four = 4 if seats == 3 else 5
    rest = [("deck", shuffled), ("initial", five_or_four), ("chips", 15), ("start", 1)]
    assert drawn == ([("colour", 1), *rest] if seats == 3 else rest)


def played_out(match: Match) -> Match:
    while match.outcome is None:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    return match


@pytest.mark.rule("GOS-02")
@pytest.mark.parametrize(("seats", "removed"), [(3, "P7 P6 P5 P4 P3"), (4, "P7 P6 P5"), (5, "")])
def test_the_first_cards_of_the_deck_are_removed_unseen(seats: int, removed: str) -> None:
    deck = [name for name in reversed(GOSSIP) if seats > 3 or name[0] != "Y"]
    first = removed.split()
    s = deal(seats, deck=" ".join(first + [name for name in deck if name not in first]))
    assert s.removed == cardset(removed)
    assert not s.removed & (sum(s.hand) | sum(s.face_up))
    for watcher in (None, *range(seats)):
        shown = [zone for zone in table.zones(s, watcher) if zone.id == "removed"]
        assert [zone.count for zone in shown] == ([len(first)] if first else [])
        assert all(thing.face is None for zone in shown for thing in zone.things if isinstance(thing, Card))
    assert told(s, Event.REMOVED) == [(len(first), 0, 0)]


@pytest.mark.rule("GOS-03")
@pytest.mark.parametrize(("seats", "removed", "hand", "turns"), [(3, 5, 9, 12), (4, 3, 10, 12), (5, 0, 9, 10)])
def test_hands_are_dealt_seat_by_seat_and_the_rest_is_the_deck(seats: int, removed: int, hand: int, turns: int) -> None:
    order = [name for name in GOSSIP if seats > 3 or name[0] != "Y"]
    s = deal(seats)
    for seat in range(seats):
        first = removed + seat * hand
        assert s.hand[seat] == cardset(" ".join(order[first : first + hand]))
    left = [NAMES[s.card], *(NAMES[card] for card in s.deck[s.drawn : len(order)])]
    assert left == order[removed + seats * hand :]
    assert len(left) == turns
    assert zone(s, None, "deck").count == turns - 1


@pytest.mark.rule("GOS-03")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("first_lead", [0, 2])
def test_everybody_leads_equally_often(seats: int, first_lead: int) -> None:
    s = deal(seats, first_lead=first_lead)
    leads: list[int] = []
    while s.acting:
        if not leads or len(leads) < s.laid:
            leads.append(s.lead)
        seat = play.seat_to_act(s)
        rules.play(s, seat, members(rules.legal(s, seat))[0])
    assert leads == [(first_lead + turn) % seats for turn in range(TURNS[seats])]
    assert set(Counter(leads).values()) == {TURNS[seats] // seats}


@pytest.mark.rule("GOS-04")
@pytest.mark.parametrize(
    ("seats", "initial", "unused"),
    [(3, "PI GI RI BI", "BI"), (4, "YI BI RI PI GI", "GI"), (5, "YI BI RI PI GI", "")],
)
def test_initial_cards_open_the_collections_and_the_others_are_out(seats: int, initial: str, unused: str) -> None:
    s = deal(seats, initial=initial)
    for seat in range(seats):
        assert names(s.face_up[seat]) == initial.split()[seat]
        for watcher in (None, *range(seats)):
            name = initial.split()[seat]
            assert faces(s, watcher, f"column{seat}{name[0]}") == [name]
    out = [face for zone in table.zones(s, None) if zone.id == "out" for face in faces(s, None, "out")]
    assert [face for face in out if face and face[1] == "I" and face != "YI"] == unused.split()
    assert not everything(s) & cardset(unused)


@pytest.mark.rule("GOS-05")
def test_nobody_sees_the_chips_when_they_are_mixed() -> None:
    s = deal(4, chips="V2 V1 S1 S1 S1 S1 S1 S1 S2 S2 V1 V1 V1 V1 V2")
    for watcher in (None, 0, 1, 2, 3):
        assert tokens(s, watcher, "chips") == [("chip", 14, True)]
        assert tokens(s, watcher, "turn") == [("chip", 1, True)]
    assert [table.CHIP_NAMES[kind] for kind in s.chips[:3]] == ["V2", "V1", "S1"]


@pytest.mark.rule("GOS-05")
@pytest.mark.parametrize("first_lead", [0, 1, 2, 3])
def test_chance_names_the_first_lead_and_then_the_lead_moves_clockwise(first_lead: int) -> None:
    s = deal(4, first_lead=first_lead)
    assert (s.first_lead, s.lead) == (first_lead, first_lead)
    for place in (1, 2, 3):
        seat = (first_lead + place) % 4
        rules.play(s, seat, members(s.hand[seat])[0])
    decide(s, "trade")
    assert s.lead == (first_lead + 1) % 4
    assert s.first_lead == first_lead


# A turn


@pytest.mark.rule("GOS-06")
def test_a_turn_turns_up_the_top_card_and_lays_the_next_chip_on_it() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2"), card="R7", deck="B7 G7", chips="V2 " * 10 + "S1 S2 V1 V1 V1")
    assert s.laid == 10
    offer(s, 1, "B1")
    offer(s, 2, "G1")
    decide(s, "keep")
    assert (NAMES[s.card], s.laid) == ("B7", 11)
    assert told(s, Event.TURN) == [(11, 1, cards("B7")[0])]
    for watcher in (None, 0, 1, 2):
        assert faces(s, watcher, "turn") == ["B7"]
        assert tokens(s, watcher, "turn") == [("chip", 1, True)]
        assert zone(s, watcher, "deck").count == 1
    offer(s, 2, "G2")
    offer(s, 0, "R1")
    decide(s, "reveal")
    decide(s, "trade")
    assert told(s, Event.LOOKED) == [(kinds("S1")[0], 0, 0)]


@pytest.mark.rule("GOS-07")
@pytest.mark.parametrize(("lead", "written"), [(0, [1, 2, 3]), (2, [3, 0, 1])])
def test_every_other_seat_offers_a_hand_card_written_clockwise_from_the_leads_left(
    lead: int, written: list[int]
) -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", deck="B7", lead=lead)
    assert rules.legal(s, lead) == 0
    asked = []
    while not s.acting & bit(lead):
        seat = play.seat_to_act(s)
        asked.append(seat)
        assert rules.legal(s, seat) == s.hand[seat]
        assert rules.kind(s, members(s.hand[seat])[0]) == 0
        rules.play(s, seat, members(s.hand[seat])[0])
        assert rules.legal(s, seat) == 0
    assert asked == written


@pytest.mark.rule("GOS-07")
def test_an_offer_is_secret_until_it_is_revealed_and_its_owner_may_look_at_it() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", deck="B7")
    offer(s, 2, "G2")
    assert faces(s, 2, "offer2") == ["G2"]
    assert names(s.hand[2]) == "G1"
    for watcher in (None, 0, 1, 3):
        assert faces(s, watcher, "offer2") == [None]
        assert faces(s, watcher, "hand2") == [None]
    assert audience(s, Event.OFFERED) == [ALL]
    assert audience(s, Event.OFFERED_CARD) == [bit(2)]
    assert [rules.legal(s, seat) for seat in range(4)] == [0, s.hand[1], 0, s.hand[3]]
    assert say(table.prompt(s, 2)) == "Still choosing an offer: Charlotte and Samantha."


@pytest.mark.rule("GOS-08")
def test_offers_are_revealed_one_by_one_clockwise_and_the_lead_trades_or_passes() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2", "P1 P2"), card="R7", deck="B7", lead=3)
    for seat, name in ((4, "P1"), (0, "R1"), (1, "B1"), (2, "G1")):
        offer(s, seat, name)
    assert [args[0] for args in told(s, Event.REVEALED)] == [4]
    assert [table.move(s, choice) for choice in members(rules.legal(s, 3))] == ["trade", "pass"]
    assert [rules.kind(s, choice) for choice in (TAKE, GO_ON)] == [3, 4]
    for watcher in (None, *range(5)):
        assert faces(s, watcher, "offer4") == ["P1"]
    decide(s, "pass")
    decide(s, "pass")
    assert [args[0] for args in told(s, Event.REVEALED)] == [4, 0, 1]
    assert [args[1] for args in told(s, Event.PASSED)] == [4, 0]
    assert faces(s, 3, "offer2") == [None]
    assert s.acting == bit(3)
    decide(s, "trade")
    assert s.face_up[3] & cardset("B1")
    assert names(s.face_down[2]) == "G1"


@pytest.mark.rule("GOS-08")
def test_a_card_that_was_passed_on_cannot_be_taken_later() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", deck="B7")
    for seat, name in ((1, "B1"), (2, "G1"), (3, "Y1")):
        offer(s, seat, name)
    decide(s, "pass")
    paths = [table.path(s, 0, choice) for choice in members(rules.legal(s, 0))]
    assert paths == [("G1",), ("offer3.0",)]
    refused = table.why_not(s, 0, "B1")
    assert refused is not None
    assert refused.clause == "GOS-08"
    assert say(refused.text) == "You passed on what Charlotte offered: it can't be taken any more."
    assert table.why_not(s, 0, "G1") is None
    assert table.why_not(s, 0, "offer3.0") is None


@pytest.mark.rule("GOS-09")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_last_card_if_it_is_revealed_must_be_taken(seats: int) -> None:
    hands = ("R1 R2", "B1 B2", "G1 G2", "Y1 Y2", "P1 P2")[:seats]
    s = position(hands=hands, card="R7", deck="B7")
    for seat in range(1, seats):
        rules.play(s, seat, members(s.hand[seat])[1])
    if seats == 3:
        decide(s, "reveal")
    for _ in range(seats - 2):
        decide(s, "pass")
    last = hands[-1].split()[0]
    assert s.face_up[0] == cardset(f"RI {last}")
    assert told(s, Event.TRADED) == [(0, seats - 1, cards(last)[0])]
    assert s.lead == 1
    assert s.laid == TURNS[seats]


@pytest.mark.rule("GOS-10")
def test_in_a_trade_the_lead_gets_the_offer_and_its_owner_the_turns_card_and_the_chip() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", deck="B7", chips="S1 " * 10 + "V2 S2 V1 V1 V1")
    for seat, name in ((1, "B1"), (2, "G1"), (3, "Y1")):
        offer(s, seat, name)
    decide(s, "trade")
    assert s.face_up[0] == cardset("RI B1")
    assert s.face_up[1] == cardset("BI R7")
    assert s.chips_of == [0, bit(10), 0, 0, 0, 0]
    assert tokens(s, 1, "chips1") == [("V2", 1, True)]
    for watcher in (None, 0, 2, 3):
        assert tokens(s, watcher, "chips1") == [("chip", 1, True)]
        assert faces(s, watcher, "column1R") == ["R7"]
        assert faces(s, watcher, "column0B") == ["B1"]
    assert audience(s, Event.LOOKED) == [bit(1)]
    assert say(table.line(Event.LOOKED, told(s, Event.LOOKED)[0])) == "Your chip shows 2 VP."


@pytest.mark.rule("GOS-11")
def test_the_others_collect_their_own_offers_open_if_revealed_and_else_face_down() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", deck="B7")
    for seat, name in ((1, "B1"), (2, "G1"), (3, "Y1")):
        offer(s, seat, name)
    decide(s, "pass")
    decide(s, "trade")
    assert s.face_up[1] == cardset("BI B1")
    assert s.face_down == [0, 0, 0, cardset("Y1"), 0]
    assert faces(s, 3, "down3") == ["Y1"]
    for watcher in (None, 0, 1, 2):
        assert faces(s, watcher, "down3") == [None]
        assert zone(s, watcher, "down3").count == 1
    assert s.sealed[:4] == [NONE] * 4


@pytest.mark.rule("GOS-11")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_seat_collects_one_card_each_turn(seats: int) -> None:
    match = Match(GAME, seats, {}, Seeded(3, seats))
    s = match.state
    assert isinstance(s, State)
    while match.outcome is None:
        sizes = {count(s.face_up[seat] | s.face_down[seat]) for seat in range(seats)}
        assert sizes == {s.laid}
        match.choose(match.acting[0], match.legal(match.acting[0])[-1])


@pytest.mark.rule("GOS-08", "GOS-10", "GOS-11")
def test_the_rulebooks_example_of_a_turn() -> None:
    """Carrie leads, does not want Charlotte's card and takes Miranda's; Samantha's stays hidden."""
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"), card="P4", deck="B7")
    for seat, name in ((1, "B2"), (2, "G2"), (3, "Y2")):
        offer(s, seat, name)
    decide(s, "pass")
    decide(s, "trade")
    assert [names(s.face_up[seat]) for seat in range(4)] == ["G2 RI", "B2 BI", "P4 GI", "YI"]
    assert [count(s.chips_of[seat]) for seat in range(4)] == [0, 0, 1, 0]
    assert names(s.face_down[3]) == "Y2"
    assert s.lead == 1
    lines = [say(table.line(entry.event, entry.args)) for entry in s.journal or [] if isinstance(entry, Told)]
    assert lines[6:] == [
        "Charlotte's offer is revealed: B2.",
        "Carrie passes on what Charlotte offers.",
        "Miranda's offer is revealed: G2.",
        "Carrie takes G2 from Miranda.",
        "Miranda gets P4 in return, and the chip.",
        "Your chip shows 1 VP.",
        "Charlotte collects B2.",
        "Samantha collects the offer face down.",
        "Turn 12: Charlotte leads and turns up B7, with a chip on it.",
    ]


@pytest.mark.rule("GOS-12")
def test_with_three_seats_the_lead_may_keep_the_turns_card_before_revealing() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2"), card="R7", deck="B7")
    offer(s, 1, "B1")
    assert rules.legal(s, 0) == 0
    offer(s, 2, "G1")
    assert [table.move(s, choice) for choice in members(rules.legal(s, 0))] == ["keep", "reveal"]
    assert [rules.kind(s, choice) for choice in (TAKE, GO_ON)] == [1, 2]
    assert [table.path(s, 0, choice) for choice in (TAKE, GO_ON)] == [("R7",), ("offer1.0",)]
    assert told(s, Event.REVEALED) == []
    decide(s, "keep")
    assert s.face_up[0] == cardset("RI R7")
    assert s.face_down[:3] == [0, cardset("B1"), cardset("G1")]
    assert s.chips_of == [0, 0, 0, 0, 0, bit(10)]
    assert told(s, Event.LOOKED) == []
    for watcher in (None, 0, 1, 2):
        assert tokens(s, watcher, "vunshun") == [("chip", 1, True)]


@pytest.mark.rule("GOS-12")
def test_once_a_card_is_revealed_the_turns_card_can_no_longer_be_kept() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2"), card="R7", deck="B7")
    offer(s, 1, "B1")
    offer(s, 2, "G1")
    decide(s, "reveal")
    assert [table.move(s, choice) for choice in members(rules.legal(s, 0))] == ["trade", "pass"]
    refused = table.why_not(s, 0, "R7")
    assert refused is not None
    assert refused.clause == "GOS-12"


@pytest.mark.rule("GOS-12")
@pytest.mark.parametrize("seats", [4, 5])
def test_with_more_seats_the_first_offer_is_revealed_at_once(seats: int) -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2", "P1 P2")[:seats], card="R7", deck="B7")
    for seat in range(1, seats):
        rules.play(s, seat, members(s.hand[seat])[0])
    assert told(s, Event.REVEALED) == [(1, cards("B2")[0], 0)]
    assert [table.move(s, choice) for choice in members(rules.legal(s, 0))] == ["trade", "pass"]
    refused = table.why_not(s, 0, "R7")
    assert refused is not None
    assert say(refused.text) == "Only with three seats may the lead keep the turn's card."


@pytest.mark.rule("GOS-13")
def test_when_the_deck_is_used_up_hands_are_discarded_and_hidden_cards_turned_up() -> None:
    s = position(
        hands=("R1", "B1 B2", "G1 G2"),
        down=("R6", "", "G6 Y6"),
        card="R7",
        up=("", "B7", ""),
        taken=((0,), (1, 2), (), (3,)),
    )
    offer(s, 1, "B1")
    offer(s, 2, "G1")
    assert rules.legal(s, 0)
    decide(s, "keep")
    assert s.acting == 0
    assert [names(s.face_up[seat]) for seat in range(3)] == ["R7 R6 RI", "B7 B1 BI", "G6 G1 Y6 GI"]
    assert s.face_down == [0] * 5
    assert faces(s, 0, "hand0") == ["R1"]
    for watcher in (None, 0, 1):
        assert faces(s, watcher, "hand2") == [None]
        assert faces(s, watcher, "column2Y") == ["Y6"]
    lines = [say(table.line(Event.UNCOVERED, args)) for args in told(s, Event.UNCOVERED)]
    assert lines[0] == "Carrie discards the last hand card unseen and turns up R6."
    assert [rules.legal(s, seat) for seat in range(3)] == [0, 0, 0]


@pytest.mark.rule("GOS-13")
def test_cards_left_in_hands_count_for_nothing() -> None:
    s = position(hands=("RV R7", "B1 BV", "G1 GV"), card="R5")
    offer(s, 1, "B1")
    offer(s, 2, "G1")
    decide(s, "keep")
    assert scores(s) == (5, 0, 0)  # the red chip for R5 alone
    assert say(table.line(Event.UNCOVERED, told(s, Event.UNCOVERED)[0])) == "Carrie discards 2 hand cards unseen."


# Scoring


def finish(
    collections: Sequence[str],
    chips: Sequence[str] = (),
    vunshun: str = "",
    first_lead: int = 0,
    game: Game = GAME,
) -> State:
    """A game that ends with these cards and chips before the seats; the three-seat game is played without purple."""
    its_rules: Any = game.rules
    seats = len(collections)
    s = cast(State, game.blank(seats, {}))
    s.journal = []
    s.absent = 4 if seats == 3 else NO_COLOUR
    s.face_up[VUNSHUN] = cardset("PS") if seats == 3 else 0
    s.first_lead = first_lead
    s.card = NONE
    its_chips = [name for name, _, _ in its_rules.KINDS]
    for seat in range(seats):
        s.sealed[seat] = NONE
        s.face_up[seat] = cardset(collections[seat])
    held = [*(chips or [""] * seats), *[""] * (VUNSHUN - seats), vunshun]
    for holder, own in enumerate(held):
        for name in own.split():
            s.chips[s.laid] = its_chips.index(name)
            s.chips_of[holder] |= bit(s.laid)
            s.laid += 1
    s.acting = 1
    its_rules.end(s)
    return s


def rank_chips(s: State, colour: str) -> dict[int, int]:
    """Who got how many VP for a colour, as it was told."""
    number = table.LETTERS.index(colour)
    first = {args[1]: 5 for args in told(s, Event.MOST_ICONS) if args[0] == number}
    return first | {args[1]: 3 for args in told(s, Event.SECOND_ICONS) if args[0] == number}


@pytest.mark.rule("GOS-14")
@pytest.mark.parametrize(
    ("collections", "given"),
    [
        (("R5 R0a", "R6 R4", "R7", ""), {0: 5, 1: 3}),  # 3, 2, 1 icons
        (("R7", "R6 R4", "R5 R0a", "RI"), {2: 5, 1: 3}),
        (("R4 R0a R0b", "R5 R1", "R6", ""), {1: 5, 2: 3}),  # ranks of 4 do not qualify
        (("R4 R1", "R5", "R3 R2 RI", ""), {2: 5, 0: 3}),  # ranks of 5 do
        (("B7", "B6 B5", "R7", "R6 RI"), {3: 5, 2: 3}),
    ],
)
def test_icons_win_the_rank_chips_among_those_whose_ranks_sum_to_five(
    collections: tuple[str, ...], given: dict[int, int]
) -> None:
    assert rank_chips(finish(collections), "R") == given


@pytest.mark.rule("GOS-14")
def test_every_colour_in_play_has_its_own_rank_chips() -> None:
    s = finish(("R7 B7 G7", "R6 RI G6", "Y7 Y6 B0a B5"))
    assert {colour: rank_chips(s, colour) for colour in "RBGYP"} == {
        "R": {1: 5, 0: 3},
        "B": {2: 5, 0: 3},
        "G": {0: 5, 1: 3},
        "Y": {2: 5},
        "P": {},
    }
    assert scores(s) == (11, 8, 10)


@pytest.mark.rule("GOS-15")
def test_with_equal_icons_the_single_highest_rank_decides() -> None:
    assert rank_chips(finish(("R6 R5", "R7 R1", "R4 R3", "")), "R") == {1: 5, 0: 3}
    assert rank_chips(finish(("R4 R3", "R6 R5", "R7 R1", "")), "R") == {2: 5, 1: 3}
    # three icons each: the sum of ranks does not matter, nor do further cards without icons
    assert rank_chips(finish(("R6 R5 R4", "R7 R0a", "RS RV", "")), "R") == {1: 5, 0: 3}


def with_parts(**changes: Any) -> Game:
    """The game with other components, given as `table__key=value`."""
    parts = copy.deepcopy(GAME.parts)
    for name, value in changes.items():
        table_name, key = name.split("__")
        parts[table_name][key] = value
    return GAME.with_components(parts, "own.toml")


@pytest.mark.rule("GOS-15")
@pytest.mark.parametrize(
    ("collections", "first_lead", "given"),
    [
        (("R7 R3", "R6 R2", "", ""), 0, {0: 5, 1: 3}),  # the next highest: 7 3 against 7 2
        (("R7 R2", "R6 R3", "", ""), 0, {1: 5, 0: 3}),
        (("R7 RI R3", "R6 R3 R2", "", ""), 0, {1: 5, 0: 3}),
        (("R7", "R6 RS", "", ""), 0, {1: 5, 0: 3}),  # the longer list: 7 against 7 0
        (("R7", "", "R6", ""), 0, {0: 5, 2: 3}),  # a full tie: the first lead itself,
        (("R7", "", "R6", ""), 1, {2: 5, 0: 3}),  # or the nearest to its left
        (("R7", "", "R6", ""), 3, {0: 5, 2: 3}),
        (("R7", "", "R6", ""), 2, {2: 5, 0: 3}),
    ],
)
def test_if_components_make_the_highest_rank_equal_the_next_decides_and_at_last_the_seat(
    collections: tuple[str, ...], first_lead: int, given: dict[int, int]
) -> None:
    game = with_parts(gossip__rank=[7, 7, 5, 4, 3, 2, 1, 0, 0, 0, 0])
    assert rank_chips(finish(collections, first_lead=first_lead, game=game), "R") == given


@pytest.mark.rule("GOS-16")
def test_if_one_seat_qualifies_it_gets_five_and_the_three_are_not_given() -> None:
    s = finish(("R5", "R4", "R3 R1", ""))
    assert rank_chips(s, "R") == {0: 5}
    assert scores(s) == (5, 0, 0, 0)
    assert (0, 1, 0) in told(s, Event.NOT_GIVEN)


@pytest.mark.rule("GOS-16")
def test_if_nobody_qualifies_nothing_is_given() -> None:
    s = finish(("R4", "R3 R1", "R2 R0a R0b", ""))
    assert rank_chips(s, "R") == {}
    assert scores(s) == (0, 0, 0, 0)
    assert told(s, Event.NOT_GIVEN) == [(colour, 0, 0) for colour in range(5)]


@pytest.mark.rule("GOS-17")
def test_shields_on_cards_initial_cards_and_chips_count_and_the_fewest_are_eliminated() -> None:
    s = finish(("RI R1 BS", "BI B2 B3", "GI", "YI YS R7"), chips=("V1", "S2", "S1 S1 V2", ""))
    assert [rules.shields_of(s, seat) for seat in range(4)] == [5, 5, 3, 4]
    assert members(rules.eliminated(s)) == [2]
    assert told(s, Event.ELIMINATED) == [(bit(2), 0, 0)]


@pytest.mark.rule("GOS-17")
def test_all_that_are_tied_for_the_fewest_shields_are_eliminated() -> None:
    s = finish(("RI R7 RV", "BI B1", "GI", "YI YS"))
    assert [rules.shields_of(s, seat) for seat in range(4)] == [1, 2, 1, 4]
    assert members(rules.eliminated(s)) == [0, 2]
    assert scores(s) == (7, 0, 0, 0)
    assert winners(s) == (3,)  # as many VP as seat 1, but more shields


@pytest.mark.rule("GOS-17")
@pytest.mark.parametrize("watcher", [None, 0, 1])
def test_at_the_end_the_trading_chips_are_turned_up_for_all(watcher: int | None) -> None:
    s = finish(("RI", "BI", "GI"), chips=("S1 S2 S1", "V1", ""), vunshun="V2")
    assert tokens(s, watcher, "chips0") == [("S1", 2, False), ("S2", 1, False)]
    assert tokens(s, watcher, "chips1") == [("V1", 1, False)]
    assert tokens(s, watcher, "vunshun") == [("V2", 1, False)]


@pytest.mark.rule("GOS-18")
@pytest.mark.parametrize("seats", [4, 5])
def test_if_everybody_is_tied_all_are_eliminated_and_nobody_wins(seats: int) -> None:
    s = finish(("RI R7", "BI", "GI", "YI", "PI")[:seats])
    assert members(rules.eliminated(s)) == list(range(seats))
    assert winners(s) == ()
    assert scores(s)[0] == 5
    assert "nobody wins" in say(table.ending(s))
    assert told(s, Event.WON) == [(0, 0, 0)]


@pytest.mark.rule("GOS-19")
def test_the_vunshun_has_three_shields_and_those_on_its_chips() -> None:
    assert rules.shields_of(finish(("RI", "BI", "GI"), vunshun="S1 S2 V1 S1"), VUNSHUN) == 7
    assert rules.shields_of(finish(("RI", "BI", "GI")), VUNSHUN) == 3


@pytest.mark.rule("GOS-19")
def test_if_the_vunshun_alone_has_the_fewest_shields_nobody_is_eliminated() -> None:
    s = finish(("RI RS R7", "BI BS", "GI GS B1"))
    assert rules.eliminated(s) == 0
    assert winners(s) == (0,)
    assert "nobody is eliminated" in say(table.line(Event.ELIMINATED, told(s, Event.ELIMINATED)[0]))


@pytest.mark.rule("GOS-18", "GOS-19")
def test_the_vunshun_saves_even_seats_that_are_all_tied() -> None:
    s = finish(("RI RS R7", "BI BS", "GI GS"))
    assert [rules.shields_of(s, seat) for seat in range(3)] == [4, 4, 4]
    assert rules.eliminated(s) == 0
    assert winners(s) == (0,)
    # with one shield more it does not
    s = finish(("RI RS R7", "BI BS", "GI GS"), vunshun="S2")
    assert members(rules.eliminated(s)) == [0, 1, 2]
    assert winners(s) == ()


@pytest.mark.rule("GOS-19")
def test_seats_tied_with_the_vunshun_for_the_fewest_shields_are_eliminated() -> None:
    s = finish(("RI RS R7", "BI BS", "GI GS B1"), vunshun="S1")
    assert [rules.shields_of(s, seat) for seat in (0, 1, 2, VUNSHUN)] == [4, 4, 5, 4]
    assert members(rules.eliminated(s)) == [0, 1]
    assert winners(s) == (2,)


@pytest.mark.rule("GOS-19")
def test_a_vunshun_with_more_shields_changes_nothing() -> None:
    s = finish(("RI R7", "BI BS", "GI GS B1"))
    assert members(rules.eliminated(s)) == [0]


@pytest.mark.rule("GOS-20")
def test_vp_are_those_of_rank_chips_cards_and_trading_chips() -> None:
    s = finish(("RI R7 RV BV", "BI R6 B5", "GI GS", "YI YS"), chips=("V1 V2 S1", "S2 V1", "", ""))
    assert scores(s) == (5 + 4 + 3, 3 + 5 + 1, 0, 0)


@pytest.mark.rule("GOS-20")
def test_the_most_vp_among_the_surviving_seats_win() -> None:
    s = finish(("R7 R6 R5 B7 BV", "BI B6 B0a", "GI GS G5", "YI YS"))
    assert scores(s) == (10, 5, 5, 0)
    assert members(rules.eliminated(s)) == [0]
    assert winners(s) == (2,)
    s = finish(("R7 R6 R5 B7 BV RS", "BI B6 B0a", "GI GS G5", "YI YS"))
    assert members(rules.eliminated(s)) == [1]
    assert winners(s) == (0,)
    assert say(table.ending(s)) == "Carrie wins: 10 VP, the most of all who were not eliminated."


@pytest.mark.rule("GOS-20")
def test_between_equals_more_shields_win_and_else_the_win_is_shared() -> None:
    s = finish(("RI R7 R3", "BI B7 B3 B2", "GI", "YI YS"))
    assert scores(s) == (5, 5, 0, 0)
    assert winners(s) == (1,)
    assert say(table.ending(s)) == "Charlotte wins: 5 VP like Carrie, but more shields."
    s = finish(("RI R7 R3", "BI B7 B3", "GI", "YI YS G7 G2"))
    assert winners(s) == (3,)
    s = finish(("RI R7 R3", "BI B7 B3", "GI", "YI Y7 Y2", "PI PS"))
    assert winners(s) == (0, 1, 3)
    ending = say(table.ending(s))
    assert ending == "Carrie, Charlotte and Samantha share the win: 5 VP each and equally many shields."


@pytest.mark.rule("GOS-21")
def test_scores_are_vp_also_of_eliminated_seats_and_the_detail_tells_shields() -> None:
    s = finish(("R7", "BI B6", "GI GS G5"), vunshun="S1")
    assert scores(s) == (5, 5, 5)
    assert GAME.detail(s) == {"shields": [0, 1, 4], "eliminated": [0], "vunshun": 4}
    s = finish(("R7", "BI B6", "GI GS G5", ""))
    assert GAME.detail(s) == {"shields": [0, 1, 4, 0], "eliminated": [0, 3]}


@pytest.mark.rule("GOS-21")
def test_the_detail_is_what_the_sample_games_tell() -> None:
    for _, sample in transcript.read(SAMPLES):
        match = transcript.replay(sample, {GAME.id: GAME})
        assert transcript.write(match) == sample


@pytest.mark.rule("GOS-23")
@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_the_rulebooks_example_of_rank_chips(order: tuple[int, ...]) -> None:
    four = ("R5 R0a", "R3 R1 R0b", "R6 R4", "R7 RI")
    s = finish([four[i] for i in order])
    assert rank_chips(s, "R") == {order.index(0): 5, order.index(3): 3}
    carrie = next(args for args in told(s, Event.MOST_ICONS) if args[0] == 0)
    seat = PEOPLE[order.index(0)]
    assert say(table.line(Event.MOST_ICONS, carrie)) == f"Most red icons: {seat}, 3 icons, ranks 5 and 0: 5 VP."


# Components


@pytest.mark.rule("GOS-20", "GOS-17")
def test_other_figures_on_cards_and_chips_change_the_game() -> None:
    game = with_parts(
        gossip__icons=[2, 1, 1, 1, 1, 1, 1, 2, 2, 0, 0],
        gossip__shields=[2, 0, 0, 0, 1, 1, 1, 0, 0, 3, 0],
        gossip__vp=[0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2],
        initial__rank=1,
        initial__shields=3,
        initial__vp=1,
        chips__names=["S1", "S1", "S1", "S1", "S1", "S1", "S2", "S2", "B", "B", "B", "B", "B", "V3", "V3"],
        chips__shields=[1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 0, 0],
        chips__vp=[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 3, 3],
    )
    collections = ("R7 GI", "R6 R1", "R4 RI", "G5 YI")
    s = finish(collections, chips=("B", "V3", "", ""), game=game)
    detail = game.detail(s)
    assert rank_chips(s, "R") == {0: 5, 1: 3}  # two icons each, and 7 beats 6
    assert scores(s) == (5 + 1 + 1, 3 + 3, 1, 5 + 4 + 1)
    assert detail["shields"] == [2 + 3 + 1, 1, 3, 3]
    shipped = finish(collections)
    assert rank_chips(shipped, "R") == {1: 5, 0: 3}
    assert scores(shipped) == (3, 5, 0, 5)
    show: Any = game.show
    assert game.words.say(show.line(Event.LOOKED, (show.CHIP_NAMES.index("B"), 0, 0)), PEOPLE) == (
        "Your chip shows 1 shield and 1 VP."
    )
    assert show.faces()["R7"].marks == {"icon": 2, "shield": 2}


@pytest.mark.rule("GOS-04")
def test_with_other_components_the_laws_hold_and_transcripts_carry_them() -> None:
    game = with_parts(gossip__rank=[7, 7, 5, 4, 3, 3, 1, 0, 0, 0, 0], initial__rank=2)
    match = laws.check_game(game, 3, {}, Player.WANDER, seed=5, number=0)
    laws.check_transcript(match)
    assert transcript.write(match)["components"]["initial"]["rank"] == 2


@pytest.mark.rule("GOS-14", "GOS-05", "GOS-03", "GOS-02", "GOS-01")
@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"chips__names": CHIPS.split()[:14]}, "chips.names: must have 15 entries, not 14"),
        ({"gossip__rank": [7, 6, 5, 4, 3, 2, 1, 0, 0, 0]}, "gossip.rank: must have 11 entries, not 10"),
        ({"gossip__rank": [8, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]}, "gossip.rank: must be from 0 to 7"),
        ({"gossip__icons": [3, 1, 1, 1, 1, 1, 1, 2, 2, 0, 0]}, "gossip.icons: must be from 0 to 2"),
        ({"initial__vp": -1}, "initial.vp: must be from 0 to 9"),
        ({"chips__vp": [10] + [0] * 14}, "chips.vp: must be from 0 to 9"),
        ({"chips__shields": [2] + [1] * 14}, "chips.names: chips of the same name must be equal"),
        ({"gossip__shields": [0, 0, 0, 0, 1, 1, 1, 0, 0, 2, 0]}, "gossip.shields: the rulebook gives card S three"),
        ({"colours__letters": ["R", "B", "G", "Y", "K"]}, "colours.letters: the five colours are written"),
        ({"gossip__cards": list("76543210abc")}, "gossip.cards: the eleven cards are written"),
        ({"rank_chips__vp": [5, 2]}, "rank_chips.vp: the rulebook gives 5 VP and 3 VP"),
        ({"rank_chips__ranks": 4}, "rank_chips.ranks: the rulebook asks for ranks that sum to 5"),
        ({"deal__seats": [2, 3, 4]}, "deal.seats: the rulebook is for three to five"),
        ({"deal__removed": [5, 5, 0]}, "deal.removed: the rulebook removes 5, 3 or no cards"),
        ({"deal__hand": [9, 9, 9]}, "deal.hand: the rulebook deals 9, 10 or 9 cards"),
    ],
)
def test_components_that_can_not_be_are_refused_with_key_and_reason(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ComponentsError) as refused:
        with_parts(**changes)
    assert str(refused.value).startswith(f"own.toml: {complaint}")


# The table


@pytest.mark.rule("GOS-22")
def test_a_seat_sees_its_own_and_the_counts_of_the_others() -> None:
    s = position(
        hands=("R1 R2", "B1 B2", "G1 G2", "Y1 Y2"),
        up=("R3", "", "", ""),
        down=("B6 B5", "G6", "", ""),
        card="R7",
        deck="B7",
        taken=((0, 9), (1,), (2, 13), ()),
    )
    assert faces(s, 0, "hand0") == ["R2", "R1"]
    assert faces(s, 0, "down0") == ["B6", "B5"]
    assert tokens(s, 0, "chips0") == [("S1", 1, True), ("V1", 1, True)]
    assert tokens(s, 0, "chips2") == [("chip", 2, True)]
    for watcher in (None, 1):
        assert faces(s, watcher, "hand0") == [None, None]
        assert faces(s, watcher, "down0") == [None, None]
        assert tokens(s, watcher, "chips0") == [("chip", 2, True)]
        assert faces(s, watcher, "column0R") == ["R3", "RI"]


@pytest.mark.rule("GOS-22", "GOS-17")
def test_a_seat_counts_all_its_own_shields_and_of_others_those_it_sees() -> None:
    s = position(
        hands=("R1 R2", "B1 B2", "G1 G2"), up=("BS", "", ""), down=("B3", "", ""), card="R7", deck="B7", taken=((6,),)
    )
    assert zone(s, 0, "shields0").count == 1 + 3 + 1 + 2
    assert zone(s, 1, "shields0").count == 1 + 3
    assert zone(s, None, "shields0").count == 1 + 3


def between(s: State, watcher: int | None, seat: int) -> tuple[object, object]:
    """The fewest and the most shields that a seat can have for all that a watcher sees."""
    shields = zone(s, watcher, f"shields{seat}")
    assert shields.count == shields.title.args["least"]
    return shields.title.args["least"], shields.title.args["most"]


@pytest.mark.rule("GOS-17", "GOS-22")
def test_the_shields_of_others_are_bounded_by_the_cards_and_chips_that_one_does_not_see() -> None:
    s = position(
        hands=("R1 R2", "B1 B2", "G1 GS"),
        up=("BS", "", ""),
        down=("B3", "RS G3", ""),
        card="R7",
        deck="B7",
        taken=((6,), (0, 8)),
    )
    assert between(s, 0, 0) == (1 + 3 + 1 + 2, 1 + 3 + 1 + 2)
    assert say(zone(s, 0, "shields0").title) == "Shields"
    # RS, GS and YS lie where seat 0 can't see them, and so does the other S2.
    assert between(s, 0, 1) == (1, 1 + 3 + 3 + 2 + 1)
    assert say(zone(s, 0, "shields1").title) == "Shields, 1 to 10"
    assert between(s, 2, 1) == (1, 1 + 3 + 3 + 2 + 2)  # its own GS is none of them, but YS and RS are
    assert between(s, 1, 0) == (1 + 3, 1 + 3 + 3 + 2)
    assert between(s, None, 0) == (1 + 3, 1 + 3 + 3 + 2)
    assert between(s, None, 1) == (1, 1 + 3 + 3 + 2 + 2)
    assert between(s, 0, 2) == (1, 1)


@pytest.mark.rule("GOS-17")
def test_at_the_end_everybody_knows_the_shields_of_all() -> None:
    s = finish(("RI BS", "BI", "GI"))
    for watcher in (None, 0, 1, 2):
        for seat in range(3):
            assert between(s, watcher, seat) == (rules.shields_of(s, seat),) * 2


@pytest.mark.rule("GOS-14")
def test_a_column_tells_icons_and_ranks() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2"), up=("R4 R0a B5", "", ""), card="R7", deck="B7")
    assert say(zone(s, None, "column0R").title) == "red: 4 icons, ranks 4 of 5"
    assert say(zone(s, None, "column0B").title) == "blue: 1 icon, ranks 5 ✓"


@pytest.mark.rule("GOS-20")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_score_sheet_explains_every_point(seats: int) -> None:
    for number in range(5):
        match = played_out(Match(GAME, seats, {}, Seeded(number, seats)))
        sheet = match.table(None).sheet
        assert sheet.totals == scores(match.state)
        for seat in range(seats):
            assert sum(row.points[seat] or 0 for row in sheet.rows) == sheet.totals[seat]
        assert all(row.why is not None for row in sheet.rows)


@pytest.mark.rule("GOS-20")
def test_during_the_game_the_sheet_shows_vp_on_open_cards_only() -> None:
    s = position(hands=("R1 R2", "B1 B2", "G1 G2"), up=("BV GV", "", ""), down=("", "RV", ""), card="R7", deck="B7")
    assert table.sheet(s, []).totals == (4, 0, 0)


def refusal(s: State, seat: int, thing: str) -> str | None:
    refused = table.why_not(s, seat, thing)
    return refused.clause if refused else None


@pytest.mark.rule("GOS-07", "GOS-08", "GOS-10", "GOS-11", "GOS-12")
def test_what_can_not_be_touched_is_refused_by_its_clause() -> None:
    s = position(
        hands=("R1 R2", "B1 B2", "G1 G2"), down=("B6", "", ""), card="R7", deck="B7", removed="G7 G5", taken=((0,),)
    )
    offer(s, 1, "B1")
    assert refusal(s, 1, "B2") == "GOS-07"
    assert refusal(s, 0, "R1") == "GOS-07"
    for thing, clause in (
        ("G1", None),
        ("hand2", None),
        ("R7", "GOS-10"),
        ("turn.chip", "GOS-10"),
        ("offer1.0", "GOS-07"),
        ("hand0.0", "GOS-22"),
        ("deck", "GOS-06"),
        ("chips.back", "GOS-06"),
        ("chips0.back", "GOS-10"),
        ("PS", "GOS-12"),
        ("vunshun", "GOS-12"),
        ("removed.0", "GOS-02"),
        ("P7", "GOS-01"),
        ("YI", "GOS-04"),
        ("out", "GOS-01"),
        ("RI", "GOS-11"),
        ("column0R", "GOS-11"),
        ("down0.0", "GOS-11"),
        ("shields0", "GOS-17"),
        ("B1", None),  # where it lies is not for this seat to know
        ("B6", None),
        ("G7", None),
        ("nothing", None),
    ):
        assert refusal(s, 2, thing) == clause, thing
    offer(s, 2, "G1")
    assert refusal(s, 2, "G2") == "GOS-08"
    assert refusal(s, 0, "R7") is None
    assert refusal(s, 0, "offer1.0") is None
    assert refusal(s, 0, "offer2.0") == "GOS-08"
    assert refusal(s, 0, "R1") == "GOS-07"
    assert refusal(s, 0, "B6") == "GOS-11"


# What a seat knows

Step = tuple[int, str]


def seen(s: State, seat: int) -> tuple[object, ...]:
    """What `seat` sees with its own eyes."""
    others = [other for other in range(s.seats) if other != seat]
    open_offers = [s.sealed[(s.lead + place) % s.seats] for place in range(1, s.shown + 1)]
    looked_at = s.chips_of[seat] if s.acting else bit(s.laid) - 1
    return (
        (s.hand[seat], s.face_down[seat], s.sealed[seat], tuple(s.face_up), s.card, tuple(open_offers)),
        (s.acting, s.lead, s.laid, tuple(s.chips_of), s.winners, tuple(s.score)),
        tuple(count(s.hand[other]) for other in others),
        tuple(count(s.face_down[other]) for other in others),
        tuple(s.sealed[other] != NONE for other in others),
        tuple(s.chips[number] for number in members(looked_at)),
    )


def hidden(s: State, seat: int) -> tuple[Hashable, ...]:
    """Where the cards lie that `seat` does not see."""
    others = [other for other in range(s.seats) if other != seat]
    return (
        tuple(s.hand[other] for other in others),
        tuple(s.face_down[other] for other in others),
        tuple(s.sealed[other] for other in others),
        s.removed,
        tuple(s.deck[s.drawn : s.drawn + TURNS[s.seats] - s.laid]),
    )


def splits(pool: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """All ways to split a pool into sets of these sizes; what is left follows in every order."""
    if not sizes:
        for order in permutations(pool):
            yield list(order)
        return
    for chosen in combinations(pool, sizes[0]):
        for rest in splits([card for card in pool if card not in chosen], sizes[1:]):
            yield [sum(bit(card) for card in chosen), *rest]


def all_deals(s: State, seat: int) -> Iterator[State]:
    """Every way in which the cards that `seat` does not see before the offers may lie."""
    others = [other for other in range(s.seats) if other != seat]
    deck = s.deck[s.drawn : s.drawn + TURNS[s.seats] - s.laid]
    places = [s.hand[other] for other in others] + [s.face_down[other] for other in others] + [s.removed]
    pool = sorted(members(sum(places)) + deck)
    for split in splits(pool, [count(place) for place in places]):
        made = s.copy()
        for i, other in enumerate(others):
            made.hand[other] = split[i]
            made.face_down[other] = split[len(others) + i]
        made.removed = split[2 * len(others)]
        made.deck[s.drawn : s.drawn + len(deck)] = split[2 * len(others) + 1 :]
        yield made


def moved(s: State, seat: int, choice: int) -> State:
    made = s.copy()
    rules.play(made, seat, choice)
    return made


def history(s: State, steps: Sequence[Step]) -> Iterator[tuple[int, int, State]]:
    """Who chose what, and the position after it."""
    for who, move in steps:
        choice = next(c for c in members(rules.legal(s, who)) if table.move(s, c) == move)
        s = moved(s, who, choice)
        yield who, choice, s


def worlds(start: State, seat: int, steps: Sequence[Step]) -> set[Hashable]:
    """All worlds that `seat` may be in: from every deal, whatever the others may have offered, before the same eyes."""
    candidates = {made.packed(): made for made in all_deals(start, seat)}
    for who, choice, now in history(start, steps):
        following = {}
        for made in candidates.values():
            free = who != seat and who != made.lead
            for chosen in members(rules.legal(made, who)) if free else [choice]:
                after = moved(made, who, chosen)
                if seen(after, seat) == seen(now, seat):
                    following[after.packed()] = after
        candidates = following
    return {hidden(made, seat) for made in candidates.values()}


CARD_WORLDS: dict[str, tuple[State, int, Sequence[Step]]] = {
    "hands and an ordered deck": (
        position(hands=("R1 R2", "B1 B2", "G1"), card="R7", lead=2, deck="Y1 Y2", rest_up=True),
        0,
        (),
    ),
    "removed cards": (
        position(hands=("R1 R2", "B1 B2", "G1"), card="R7", lead=2, deck="Y1", removed="Y2 Y3", rest_up=True),
        1,
        (),
    ),
    "an offer while another seat still chooses": (
        position(hands=("R1", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", removed="P1", rest_up=True),
        2,
        ((1, "offer B1"),),
    ),
    "own and others' offers before the first reveal": (
        position(hands=("R1", "B1 B2", "G1 G2"), card="R7", removed="Y1 Y2", rest_up=True),
        2,
        ((1, "offer B1"), (2, "offer G2")),
    ),
    "all offers before the lead": (
        position(hands=("R1", "B1 B2", "G1 G2"), card="R7", removed="Y1 Y2", rest_up=True),
        0,
        ((1, "offer B1"), (2, "offer G2")),
    ),
    "one offer revealed and others not": (
        position(hands=("R1", "B1 B2", "G1 G2", "Y1 Y2"), card="R7", rest_up=True),
        0,
        ((1, "offer B1"), (2, "offer G2"), (3, "offer Y1")),
    ),
    "an offer passed on, one revealed, one's own hidden": (
        position(hands=("R1", "B1 B2", "G1 G2", "Y1 Y2", "P1 P2"), card="R7", rest_up=True),
        4,
        ((1, "offer B1"), (2, "offer G2"), (3, "offer Y1"), (4, "offer P1"), (0, "pass")),
    ),
    "cards collected face down, one's own and others'": (
        position(hands=("R1 R2", "B1 B2", "G1 G2"), card="R7", deck="Y1", down=("R3", "B3", ""), rest_up=True),
        1,
        ((1, "offer B1"), (2, "offer G2"), (0, "keep")),
    ),
    "a trade and then the next turn": (
        position(hands=("R1 R2", "B1 B2", "G1 G2"), card="R7", deck="Y1", removed="Y3", rest_up=True),
        0,
        ((1, "offer B1"), (2, "offer G2"), (0, "reveal"), (0, "trade"), (2, "offer G1")),
    ),
    "discarded hands and removed cards at the end": (
        position(hands=("R1", "B1 B2", "G1 G2"), card="R7", down=("", "B3", ""), removed="Y1", rest_up=True),
        0,
        ((1, "offer B1"), (2, "offer G2"), (0, "reveal"), (0, "trade")),
    ),
}


def redealt(s: State, seat: int, number: int) -> State:
    made = s.copy()
    REDEAL_FROM(made, seat, 11, number)
    return made


REDEAL_FROM: Callable[[State, int, int, int], None] = GAME.plain(play).redeal_from


@pytest.mark.rule("GOS-22")
@pytest.mark.parametrize("name", CARD_WORLDS)
def test_redeal_gives_all_consistent_worlds_of_cards_and_only_those_equally_often(
    name: str, soak: int, tally: Tally
) -> None:
    start, seat, steps = CARD_WORLDS[name]
    now = [start, *(s for _, _, s in history(start, steps))][-1]
    expected = worlds(start, seat, steps)
    assert len(expected) > 1
    found: Counter[Hashable] = Counter()
    for number in range(30 * len(expected) * soak):
        guess = redealt(now, seat, number)
        assert seen(guess, seat) == seen(now, seat)
        found[hidden(guess, seat)] += 1
    assert_equally_often(found, expected)
    tally("gossip, guesses", found.total())


MIXED = "S1 V1 S2 S1 V1 S1 S2 V1 S1 V1 S1 V2 S1 V1 V2"
CHIP_WORLDS: dict[str, tuple[State, int, Sequence[Step]]] = {
    "chips on the turn's card, of others and of the Vunshun": (
        position(
            hands=("R1 R2", "B1 B2", "G1"),
            card="R7",
            lead=2,
            deck="Y1",
            chips=MIXED,
            taken=((0, 1, 2, 3, 4, 6, 7, 8), (9,), (), (5,)),
        ),
        0,
        (),
    ),
    "a chip that was just looked at": (
        position(
            hands=("R1", "B1 B2", "G1 G2"), card="R7", deck="Y1", chips=MIXED, taken=((9,), (0, 1, 2, 3, 4, 5, 6, 7))
        ),
        1,
        ((1, "offer B1"), (2, "offer G2"), (0, "reveal"), (0, "trade")),
    ),
    "a chip that went to the Vunshun unseen": (
        position(
            hands=("R1", "B1 B2", "G1 G2"), card="R7", deck="Y1", chips=MIXED, taken=((0, 1, 2, 3, 4, 5, 6, 7, 8),)
        ),
        0,
        ((1, "offer B1"), (2, "offer G2"), (0, "keep")),
    ),
    "all chips but those that were never laid, at the end": (
        position(
            hands=("R1", "B1 B2", "G1 G2"), card="R7", chips=MIXED, taken=((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10))
        ),
        2,
        ((1, "offer B1"), (2, "offer G2"), (0, "keep")),
    ),
}


def possible_chips(s: State, seat: int) -> set[Hashable]:
    """Every order of the chips, by their kinds, that agrees with those that `seat` has looked at."""
    known = s.chips_of[seat] if s.acting else bit(s.laid) - 1
    places = [number for number in range(rules.CHIPS) if not known >> number & 1]
    found: Counter[Hashable] = Counter()
    for order in permutations([s.chips[place] for place in places]):
        chips = s.chips[:]
        for place, kind in zip(places, order, strict=True):
            chips[place] = kind
        found[tuple(chips)] += 1
    assert len(set(found.values())) == 1  # so each order of kinds stands for equally many orders of chips
    return set(found)


@pytest.mark.rule("GOS-17", "GOS-22")
@pytest.mark.parametrize("name", CARD_WORLDS)
def test_the_bounds_of_shields_are_the_fewest_and_the_most_that_any_guess_gives(name: str) -> None:
    start, seat, steps = CARD_WORLDS[name]
    now = [start, *(s for _, _, s in history(start, steps))][-1]
    guesses = [redealt(now, seat, number) for number in range(400)]
    for other in range(now.seats):
        found = {zone(guess, other, f"shields{other}").count or 0 for guess in guesses}
        assert between(now, seat, other) == (min(found), max(found))


@pytest.mark.rule("GOS-22")
@pytest.mark.parametrize("name", CHIP_WORLDS)
def test_redeal_gives_every_order_of_the_unseen_chips_equally_often(name: str, soak: int, tally: Tally) -> None:
    start, seat, steps = CHIP_WORLDS[name]
    now = [start, *(s for _, _, s in history(start, steps))][-1]
    expected = possible_chips(now, seat)
    assert len(expected) > 1
    found: Counter[Hashable] = Counter()
    for number in range(30 * len(expected) * soak):
        guess = redealt(now, seat, number)
        assert seen(guess, seat) == seen(now, seat)
        found[tuple(guess.chips)] += 1
    assert_equally_often(found, expected)
    tally("gossip, guesses", found.total())


@pytest.mark.rule("GOS-22")
def test_cards_and_chips_are_guessed_independently(soak: int) -> None:
    start = position(hands=("R1", "B1 B2", "G1 G2"), card="R7", removed="Y1", chips=MIXED, rest_up=True)
    steps: Sequence[Step] = ((1, "offer B1"), (2, "offer G2"), (0, "keep"))
    now = [start, *(s for _, _, s in history(start, steps))][-1]
    expected: set[Hashable] = {(w, c) for w in worlds(start, 0, steps) for c in possible_chips(now, 0)}
    found: Counter[Hashable] = Counter()
    for number in range(60 * len(expected) * soak):
        guess = redealt(now, 0, number)
        found[hidden(guess, 0), tuple(guess.chips)] += 1
    assert_equally_often(found, expected)


@pytest.mark.rule("GOS-22")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_two_deals_that_look_alike_to_a_seat_are_guessed_alike(seats: int) -> None:
    order = [name for name in GOSSIP if seats > 3 or name[0] != "Y"]
    removed, hand = rules.REMOVED[seats], rules.HAND[seats]
    turned_up = removed + seats * hand
    own = range(removed, removed + hand)
    unseen = [name for place, name in enumerate(order) if place not in (*own, turned_up)]
    other = [order[p] if p in (*own, turned_up) else unseen.pop() for p in range(len(order))]
    a = deal(seats, deck=" ".join(order))
    b = deal(seats, deck=" ".join(other), chips=" ".join(reversed(CHIPS.split())))
    assert seen(a, 0) == seen(b, 0)
    assert a.packed() != b.packed()
    assert redealt(a, 0, 1).packed() == redealt(b, 0, 1).packed()


@pytest.mark.rule("GOS-22")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_nothing_that_can_be_asked_of_the_table_depends_on_what_a_seat_does_not_know(seats: int) -> None:
    match = Match(GAME, seats, {}, Seeded(8, 0))
    while match.outcome is None:
        s = match.state
        assert isinstance(s, State)
        for seat in range(seats):
            guess = redealt(s, seat, len(match.choices))
            for name in NAMES:
                assert refusal(guess, seat, name) == refusal(s, seat, name)
        match.choose(match.acting[-1], match.legal(match.acting[-1])[-1])


@pytest.mark.rule("GOS-22")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_compiled_code_redeals_as_plain_python_does(seats: int) -> None:
    compiled = GAME.compiled(play)
    match = Match(GAME, seats, {}, Seeded(4, 0))
    while True:
        for seat in range(seats):
            record = np.zeros(1, State.dtype)
            match.state.pack(record[0])
            compiled.redeal_from(record[0], seat, 11, len(match.choices))
            s = match.state
            assert isinstance(s, State)
            assert record.tobytes() == redealt(s, seat, len(match.choices)).packed()
        if match.outcome:
            break
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
