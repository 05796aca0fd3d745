"""Hollywood Sensation: every clause, on positions set by hand and on deals that a script gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest

from cardtown.core import play
from cardtown.core.cards import bit, count, members
from cardtown.core.chance import Script
from cardtown.core.game import scores, winners
from cardtown.core.match import Match
from cardtown.core.story import ALL, Told
from cardtown.games.hollywood import GAME, rules, table
from cardtown.games.hollywood.rules import NONE, Chance, Event, State
from tests.conftest import Tally
from tests.exactness import assert_equally_often

ORDER = " ".join(table.NAMES)


def cards(names: str) -> list[int]:
    return [table.NAMES.index(name) for name in names.split()]


def cardset(names: str) -> int:
    return sum(bit(card) for card in cards(names))


def suits(letters: str) -> list[int]:
    return [table.LETTERS.index(letter) for letter in letters]


def deal(deck: str = ORDER, suit_order: str = "CMSH", leader: int = 0, carpet: int = 4, pawn: int = 0) -> State:
    """A round dealt from a given deck; with a pawn off the centre, a later round."""
    script: dict[int, Sequence[int]] = {
        Chance.SUITS: suits(suit_order),
        Chance.DECK: cards(deck),
        Chance.LEADER: [leader],
    }
    s = State()
    s.seats = s.places = 2
    s.carpet = carpet
    s.pawn = pawn
    s.round_no = 1 if pawn else 0
    s.journal = []
    s.chance = Script(lambda kind, whole: tuple(script[kind]))
    rules.start_round(s)
    return s


def position(
    hands: tuple[str, str],
    won: tuple[str, str] = ("", ""),
    deck: str = "",
    private: str = "",
    led: str = "",
    pawn: int = 0,
    acting: int = 0,
    suit_order: str = "CMSH",
    round_no: int = 1,
    carpet: int = 4,
    rest_won: bool = False,
) -> State:
    """A position within a round. `private` is written from the bottom to the top.

    With `rest_won` every card that is nowhere else was won by seat 0 before.
    """
    s = State()
    s.seats = s.places = 2
    s.carpet, s.pawn, s.round_no = carpet, pawn, round_no
    s.journal = []
    for place, suit in enumerate(suits(suit_order)):
        s.suits[place] = suit
        s.strength[suit] = rules.SUITS - place
    for seat in range(2):
        s.hand[seat] = cardset(hands[seat])
        s.won[seat] = cardset(won[seat])
        for suit in range(rules.SUITS):
            s.room[seat, suit] = count(s.hand[seat])
    s.drawn = rules.CARDS - len(cards(deck))
    s.deck[s.drawn :] = cards(deck)
    s.private_n = len(cards(private))
    s.private[: s.private_n] = cards(private)
    s.led = cards(led)[0] if led else NONE
    s.acting = bit(acting)
    if rest_won:
        lying = s.hand[0] | s.hand[1] | s.won[1] | sum(bit(card) for card in cards(f"{deck} {private} {led}"))
        s.won[0] = rules.ALL_CARDS & ~lying
    return s


def names(mask: int) -> str:
    return " ".join(table.NAMES[card] for card in members(mask))


def play_card(s: State, seat: int, name: str) -> None:
    assert rules.legal(s, seat) & cardset(name), f"{name} is not legal"
    rules.play(s, seat, cards(name)[0])


def told(s: State, event: Event) -> list[tuple[int, ...]]:
    return [entry.args for entry in s.journal or [] if isinstance(entry, Told) and entry.event == event]


def end_round(won: tuple[str, str], **given: Any) -> State:
    """A round whose last trick (C1 against C2) is won by seat 1, with the other cards won before as given."""
    s = position(hands=("C1", "C2"), won=won, **given)
    play_card(s, 0, "C1")
    play_card(s, 1, "C2")
    return s


def whole_suits(seat0: str, seat1: str) -> tuple[str, str]:
    """Won cards, written as ranks per suit: 'C345 M1' is C3 C4 C5 M1."""

    def written(text: str) -> str:
        return " ".join(part[0] + rank for part in text.split() for rank in part[1:])

    return written(seat0), written(seat1)


# Set-up and rounds


@pytest.mark.rule("HOL-01")
def test_suits_are_shuffled_every_round_and_their_order_is_their_strength() -> None:
    s = deal(suit_order="SHCM")
    assert [table.LETTERS[suit] for suit in s.suits] == ["S", "H", "C", "M"]
    assert sorted(range(4), key=lambda suit: -s.strength[suit]) == suits("SHCM")
    assert s.journal is not None
    assert any(isinstance(e, Told) and e.event == Event.SUIT_ORDER and e.to == ALL for e in s.journal)
    s.chance = Script(lambda kind, whole: tuple(suits("MCHS") if kind == Chance.SUITS else cards(ORDER)))
    s.pawn = 1
    rules.start_round(s)
    assert [table.LETTERS[suit] for suit in s.suits] == ["M", "C", "H", "S"]


@pytest.mark.rule("HOL-02")
def test_each_seat_gets_six_cards_seat_0_first_and_the_next_lies_open_for_both() -> None:
    s = deal()
    assert names(s.hand[0]) == "C1 C2 C3 C4 C5 C6"
    assert names(s.hand[1]) == "C7 M1 M2 M3 M4 M5"
    for watcher in (0, 1, None):
        deck = next(zone for zone in table.zones(s, watcher) if zone.id == "deck")
        assert deck.count == 16
        assert [thing.id for thing in deck.things] == ["M6"]


@pytest.mark.rule("HOL-02")
def test_chance_comes_as_suits_deck_leader_and_in_later_rounds_without_leader() -> None:
    asked: list[int] = []

    def expect(kind: int, whole: bool) -> tuple[int, ...]:
        asked.append(kind)
        return tuple({Chance.SUITS: range(4), Chance.DECK: range(28), Chance.LEADER: [0]}[Chance(kind)])

    match = Match(GAME, 2, {}, Script(expect))
    while len(asked) < 5:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    assert asked == [Chance.SUITS, Chance.DECK, Chance.LEADER, Chance.SUITS, Chance.DECK]


@pytest.mark.rule("HOL-03")
@pytest.mark.parametrize("leader", [0, 1])
def test_in_round_one_chance_says_who_leads(leader: int) -> None:
    assert deal(leader=leader).acting == bit(leader)


@pytest.mark.rule("HOL-03")
@pytest.mark.parametrize(("pawn", "leader"), [(1, 0), (-1, 1)])
def test_later_the_superior_seat_leads_once_the_other_has_hidden(pawn: int, leader: int) -> None:
    s = deal(pawn=pawn)
    assert s.acting == bit(1 - leader)
    rules.play(s, 1 - leader, members(rules.legal(s, 1 - leader))[0])
    assert s.acting == bit(leader)


@pytest.mark.rule("HOL-04")
@pytest.mark.parametrize("pawn", [1, 2, 3, -1, -2, -3])
def test_the_inferior_seat_hides_a_card_for_every_space(pawn: int) -> None:
    s = deal(pawn=pawn)
    inferior = 1 if pawn > 0 else 0
    hand = s.hand[inferior]
    for left in range(abs(pawn), 0, -1):
        assert s.acting == bit(inferior)
        assert s.to_hide == left
        assert rules.legal(s, inferior) == s.hand[inferior]
        assert rules.legal(s, 1 - inferior) == 0
        card = members(s.hand[inferior])[0]
        assert table.move(s, card) == f"hide {table.NAMES[card]}"
        assert rules.kind(s, card) == rules.Kind.HIDE
        rules.play(s, inferior, card)
    assert count(s.hand[inferior]) == 6 - abs(pawn)
    assert s.hand[inferior] | sum(bit(c) for c in s.private[: s.private_n]) == hand
    assert count(s.hand[1 - inferior]) == 6
    assert s.acting == bit(1 - inferior)


@pytest.mark.rule("HOL-05")
def test_the_card_hidden_last_is_drawn_first() -> None:
    s = position(hands=("C1 C2", "M1 M2"), private="S1 S2", pawn=1, acting=0)
    play_card(s, 0, "C1")
    play_card(s, 1, "M1")
    assert names(s.hand[1]) == "M2 S2"


@pytest.mark.rule("HOL-05")
def test_hidden_cards_are_known_to_their_owner_and_counted_by_all() -> None:
    s = deal(pawn=2)
    play_card(s, 1, "M1")
    play_card(s, 1, "M3")
    for watcher in (0, None):
        zone = next(zone for zone in table.zones(s, watcher) if zone.id == "private1")
        assert zone.count == 2
        assert [thing.face for thing in zone.things if thing.id] == [None, None]  # type: ignore[union-attr]
    own = next(zone for zone in table.zones(s, 1) if zone.id == "private1")
    assert [thing.id for thing in own.things] == ["M3", "M1"]
    private_lines = [e for e in s.journal or [] if isinstance(e, Told) and e.event == Event.HID_CARD]
    assert [line.to for line in private_lines] == [bit(1), bit(1)]


# Tricks


@pytest.mark.rule("HOL-06")
def test_the_leader_may_play_any_card_and_the_other_must_follow_suit_if_it_can() -> None:
    s = position(hands=("C1 M2 H7", "M5 M6 S1"), deck="")
    assert rules.legal(s, 0) == s.hand[0]
    assert rules.legal(s, 1) == 0
    assert rules.kind(s, cards("C1")[0]) == rules.Kind.PLAY
    play_card(s, 0, "M2")
    assert names(rules.legal(s, 1)) == "M5 M6"
    refused = table.why_not(s, 1, "S1")
    assert refused is not None
    assert refused.clause == "HOL-06"
    assert GAME.words.say(refused.text, ["Ann", "Bob"]) == "You must follow mode: you hold M5."


@pytest.mark.rule("HOL-06")
def test_who_cannot_follow_may_play_anything() -> None:
    s = position(hands=("H7", "M5 M6 S1"), led="", acting=0)
    play_card(s, 0, "H7")
    assert names(rules.legal(s, 1)) == "M5 M6 S1"


@pytest.mark.rule("HOL-07")
@pytest.mark.parametrize(
    ("led", "answer", "order", "winner"),
    [
        ("M3", "M5", "CMSH", 1),
        ("M5", "M3", "HSCM", 0),
        ("C1", "H7", "CMSH", 0),
        ("H7", "C1", "CMSH", 1),
        ("H1", "C7", "HSMC", 0),
        ("S7", "M1", "HMSC", 1),
    ],
)
def test_rank_wins_within_a_suit_and_strength_between_suits(led: str, answer: str, order: str, winner: int) -> None:
    s = position(hands=(f"{led} C2", f"{answer} C3"), suit_order=order)
    rules.play(s, 0, cards(led)[0])
    rules.play(s, 1, cards(answer)[0])
    assert s.won[winner] == cardset(f"{led} {answer}")
    assert s.won[1 - winner] == 0


@pytest.mark.rule("HOL-08")
def test_the_winner_keeps_both_cards_for_all_to_see() -> None:
    s = position(hands=("C5 M1", "C2 M2"))
    play_card(s, 0, "C5")
    play_card(s, 1, "C2")
    for watcher in (0, 1, None):
        zone = next(zone for zone in table.zones(s, watcher) if zone.id == "won0C")
        assert [thing.id for thing in zone.things] == ["C2", "C5"]


@pytest.mark.rule("HOL-09")
def test_the_winner_takes_the_open_card_the_loser_the_unseen_one_and_the_next_is_turned_open() -> None:
    s = position(hands=("C5 M1", "C2 M2"), deck="S1 S2 S3 S4")
    play_card(s, 0, "C5")
    play_card(s, 1, "C2")
    assert names(s.hand[0]) == "M1 S1"
    assert names(s.hand[1]) == "M2 S2"
    assert table.NAMES[s.deck[s.drawn]] == "S3"
    assert told(s, Event.TURNED_UP) == [(cards("S3")[0], 0, 0)]
    drawn = [e for e in s.journal or [] if isinstance(e, Told) and e.event == Event.DREW_CARD]
    assert [line.to for line in drawn] == [bit(1)]


@pytest.mark.rule("HOL-09")
def test_everybody_remembers_who_took_an_open_card_until_it_is_played() -> None:
    s = position(hands=("C5 M1", "C2 M2"), deck="S1 S2 S3 S4")
    play_card(s, 0, "C5")
    play_card(s, 1, "C2")
    hand = next(zone for zone in table.zones(s, 1) if zone.id == "hand0")
    assert [thing.face for thing in hand.things] == ["S1", None]  # type: ignore[union-attr]
    play_card(s, 0, "S1")
    hand = next(zone for zone in table.zones(s, 1) if zone.id == "hand0")
    assert [thing.face for thing in hand.things] == [None]  # type: ignore[union-attr]


@pytest.mark.rule("HOL-09")
def test_after_the_last_draw_no_card_is_turned_open() -> None:
    s = position(hands=("C5 M1", "C2 M2"), deck="S1 S2")
    play_card(s, 0, "C5")
    play_card(s, 1, "C2")
    assert s.drawn == rules.CARDS
    assert told(s, Event.TURNED_UP) == []
    assert next(zone for zone in table.zones(s, 0) if zone.id == "deck").count == 0


@pytest.mark.rule("HOL-10")
@pytest.mark.parametrize(("answer", "winner"), [("M1", 0), ("M7", 1)])
def test_the_private_deck_gives_a_card_after_every_trick_won_or_lost(answer: str, winner: int) -> None:
    s = position(hands=("M4 C1", f"{answer} C2"), private="H1 H2 H3", pawn=3, acting=0)
    play_card(s, 0, "M4")
    play_card(s, 1, answer)
    assert s.acting == bit(winner)
    assert names(s.hand[0]) == "C1"
    assert names(s.hand[1]) == "C2 H3"


@pytest.mark.rule("HOL-10")
def test_the_draw_after_the_eighth_trick_empties_the_shared_deck() -> None:
    s = deal(pawn=1)
    tricks = 0
    rules.play(s, 1, members(s.hand[1])[0])
    while s.drawn < rules.CARDS:
        assert s.private_n == 1
        for _ in range(2):
            seat = play.seat_to_act(s)
            rules.play(s, seat, members(rules.legal(s, seat))[0])
        tricks += 1
    assert tricks == 8
    assert s.private_n == 1
    for _ in range(2):
        seat = play.seat_to_act(s)
        rules.play(s, seat, members(rules.legal(s, seat))[0])
    assert s.private_n == 0


@pytest.mark.rule("HOL-11")
def test_with_no_deck_left_nobody_draws() -> None:
    s = position(hands=("M4 C1", "M5 C2"))
    play_card(s, 0, "M4")
    play_card(s, 1, "M5")
    assert names(s.hand[0]) == "C1"
    assert names(s.hand[1]) == "C2"


@pytest.mark.rule("HOL-12")
def test_the_winner_of_a_trick_leads_the_next() -> None:
    s = position(hands=("M4 C1", "M5 C2"))
    play_card(s, 0, "M4")
    play_card(s, 1, "M5")
    assert s.acting == bit(1)
    assert s.led == NONE


@pytest.mark.rule("HOL-12")
@pytest.mark.parametrize("pawn", [0, 3, -2])
def test_a_round_is_fourteen_tricks_and_then_every_card_is_won(pawn: int) -> None:
    s = deal(pawn=pawn, carpet=6)
    round_no = s.round_no
    while s.to_hide:
        seat = play.seat_to_act(s)
        rules.play(s, seat, members(rules.legal(s, seat))[0])
    plays = 0
    while s.acting and s.round_no == round_no:
        if count(s.won[0] | s.won[1]) == 26 and s.led != NONE:
            assert count(s.hand[0] | s.hand[1]) == 1
            assert s.private_n == 0
        seat = play.seat_to_act(s)
        rules.play(s, seat, members(rules.legal(s, seat))[0])
        plays += 1
    assert plays == 28


# Scoring. In these rounds the last trick gives C1 and C2 to seat 1.


@pytest.mark.rule("HOL-13", "HOL-15")
@pytest.mark.parametrize(
    ("seat0", "seat1", "pawn"),
    [
        ("C34567 M4567 S123 H123", "M123 S4567 H4567", 4),  # +1 +1 for seat 0, −1 −1 for seat 1
        ("C34567 M123 S123 H1234", "M4567 S4567 H567", 0),  # +1 −1 against +1 −1: a tie, see HOL-16
        ("M123 S4567 H4567", "C34567 M4567 S123 H123", -3),
        ("C34567 M4567 S123 H1234", "M123 S4567 H567", 2),
    ],
)
def test_the_majority_of_each_suit_earns_fame_and_the_pawn_moves_by_the_difference(
    seat0: str, seat1: str, pawn: int
) -> None:
    s = end_round(whole_suits(seat0, seat1), round_no=3, carpet=6)
    assert s.pawn == (pawn or 1)


@pytest.mark.rule("HOL-14")
def test_a_suit_won_whole_earns_nobody_anything() -> None:
    s = end_round(whole_suits("C34567 S1234567 M123 H123", "M4567 H4567"), round_no=3)
    assert told(s, Event.MONOPOLY) == [(2, 0, 0)]
    assert s.pawn == 1  # +1 coquettish against +1 mode −1 holic


@pytest.mark.rule("HOL-14")
def test_a_bad_suit_won_whole_harms_nobody() -> None:
    s = end_round(whole_suits("M123 S1234567 H123", "C34567 M4567 H4567"), round_no=3)
    assert told(s, Event.MONOPOLY) == [(0, 1, 0), (2, 0, 0)]
    assert s.pawn == -1  # seat 1: mode +1, holic −1, equal fame; all coquettish cards are its own


@pytest.mark.rule("HOL-16")
def test_with_equal_fame_the_more_coquettish_seat_moves_the_pawn_one_space() -> None:
    s = end_round(whole_suits("C34567 M123 S123 H1234", "M4567 S4567 H567"), round_no=3)
    assert told(s, Event.TIE) == [(0, 0, 0)]
    assert s.pawn == 1


@pytest.mark.rule("HOL-16")
def test_all_seven_coquettish_cards_still_break_a_tie() -> None:
    s = end_round(whole_suits("M4567 S123 H4567", "C34567 M123 S4567 H123"), round_no=3)
    assert told(s, Event.MONOPOLY) == [(0, 1, 0)]
    assert told(s, Event.TIE) == []
    s = end_round(whole_suits("M4567 S4567 H123", "C34567 M123 S123 H4567"), round_no=3)
    assert s.pawn == 1  # mode +1, scandal −1 against holic −1: seat 0 is ahead by one
    s = end_round(whole_suits("M4567 S4567 H1234567", "C34567 M123 S123"), round_no=3)
    assert told(s, Event.TIE) == [(1, 0, 0)]
    assert s.pawn == -1


@pytest.mark.rule("HOL-17")
@pytest.mark.parametrize(("before", "ahead", "after"), [(1, -1, -1), (-1, 1, 1), (1, -2, -2), (-2, 3, 2), (0, -2, -2)])
def test_the_pawn_never_stands_on_the_centre_again(before: int, ahead: int, after: int) -> None:
    s = position(hands=("", ""), pawn=before)
    rules.move_pawn(s, ahead)
    assert s.pawn == after


@pytest.mark.rule("HOL-18")
@pytest.mark.parametrize("carpet", [3, 4])
def test_the_pawn_stops_on_the_furthest_space_and_the_game_is_over(carpet: int) -> None:
    s = end_round(
        whole_suits("C34567 M4567 S123 H123", "M123 S4567 H4567"), round_no=1, carpet=carpet, pawn=2, private=""
    )
    assert s.pawn == carpet
    assert s.acting == 0
    assert winners(s) == (0,)
    assert rules.legal(s, 0) == rules.legal(s, 1) == 0


@pytest.mark.rule("HOL-18")
def test_after_three_rounds_the_seat_with_the_pawn_on_its_side_wins() -> None:
    s = end_round(whole_suits("M123 S4567 H123", "C34567 M4567 S123 H4567"), round_no=3)
    assert s.acting == 0
    assert winners(s) == (1,)


@pytest.mark.rule("HOL-18")
def test_before_that_the_game_goes_on() -> None:
    s = end_round(whole_suits("M123 S4567 H123", "C34567 M4567 S123 H4567"), round_no=2)
    assert s.round_no == 3
    assert s.acting == bit(0)
    assert s.to_hide == -s.pawn == 1


@pytest.mark.rule("HOL-19")
def test_the_scores_are_the_pawns_distance_for_and_against() -> None:
    s = end_round(whole_suits("C34567 M4567 S123 H1234", "M123 S4567 H567"), round_no=3)
    assert scores(s) == (2, -2)
    s = end_round(whole_suits("M123 S4567 H4567", "C34567 M4567 S123 H123"), round_no=3)
    assert scores(s) == (-3, 3)


# What a seat knows


def hands_guessed(s: State, seat: int, n: int) -> Counter[str]:
    """How often each hand of the other seat comes up in `n` redeals."""
    redeal_from = GAME.plain(play).redeal_from
    found: Counter[str] = Counter()
    for number in range(n):
        other = s.copy()
        redeal_from(other, seat, 5, number)
        found[names(other.hand[1 - seat])] += 1
    return found


@pytest.mark.rule("HOL-20")
def test_what_a_seat_knows_stays_and_all_else_is_dealt_anew() -> None:
    s = deal(pawn=2, carpet=6)
    play_card(s, 1, "M1")
    play_card(s, 1, "M2")
    other = s.copy()
    GAME.plain(play).redeal_from(other, 1, 1, 0)
    assert other.hand[1] == s.hand[1]
    assert other.private == s.private
    assert other.deck[other.drawn] == s.deck[s.drawn]
    assert count(other.hand[0]) == 6
    assert table.census(other) == list(range(28))
    mine = s.copy()
    GAME.plain(play).redeal_from(mine, 0, 1, 0)
    assert mine.hand[0] == s.hand[0]
    assert mine.private[:2] != s.private[:2]
    assert table.census(mine) == list(range(28))


@pytest.mark.rule("HOL-20")
def test_an_open_card_that_was_taken_stays_in_that_hand() -> None:
    s = position(hands=("C5 M1", "C2 M2"), deck="S1 S2 S3 S4 S5 S6", rest_won=True)
    play_card(s, 0, "C5")
    play_card(s, 1, "C2")
    assert all("S1" in hand.split() for hand in hands_guessed(s, 1, 200))


@pytest.mark.rule("HOL-20")
def test_who_did_not_follow_holds_none_of_that_suit_but_what_was_drawn_later() -> None:
    s = position(hands=("C1 C2 M1", "H1 H2 H3"), deck="S1 S2 S3 S4 C3 C4", acting=0, rest_won=True)
    play_card(s, 0, "C1")
    play_card(s, 1, "H1")  # no coquettish card then; loses and draws one unseen
    found = hands_guessed(s, 0, 2000)
    assert all(sum(name[0] == "C" for name in hand.split()) <= 1 for hand in found)
    assert any("C3" in hand.split() for hand in found)


@pytest.mark.rule("HOL-20")
def test_a_card_of_that_suit_played_later_uses_up_the_card_drawn_later() -> None:
    s = position(hands=("C1 M1 M2", "H1 H2 H3"), deck="S1 C2 S3 S4 C3 C4", acting=0, rest_won=True)
    play_card(s, 0, "C1")
    play_card(s, 1, "H1")  # no coquettish card; draws C2 unseen
    play_card(s, 0, "M1")
    play_card(s, 1, "C2")  # that was the only one it could hold; wins and takes S3 openly
    found = hands_guessed(s, 0, 2000)
    assert all(sum(name[0] == "C" for name in hand.split()) == 0 for hand in found)


Plays = list[tuple[int, str]]
World = tuple[int, tuple[int, ...], tuple[int, ...]]


def history(s: State, plays: Plays) -> State:
    """The position after these plays."""
    s = s.copy()
    for seat, name in plays:
        play_card(s, seat, name)
    return s


def world(s: State, seat: int) -> World:
    """What `seat` does not see: the other hand, the other's private deck and the unseen part of the shared deck."""
    other = 1 - seat
    theirs = s.private_n if s.pawn and rules.inferior(s) == other else 0
    return s.hand[other], tuple(s.private[:theirs]), tuple(s.deck[s.drawn + 1 :])


def seen(s: State, seat: int) -> tuple[object, ...]:
    """What `seat` sees with its own eyes, leaving out all that it would have to remember."""
    return s.hand[seat], s.won, s.led, s.deck[s.drawn : s.drawn + 1], s.acting, s.private_n


def worlds(s: State, seat: int, plays: Plays) -> set[World]:
    """All worlds that `seat` may be in: every deal of what it did not see in which the same plays were possible."""
    other = 1 - seat
    hand, private, deck = world(s, seat)
    hidden = [*members(hand), *private, *deck]
    found = set()
    for held in combinations(hidden, count(hand)):
        for order in permutations([card for card in hidden if card not in held]):
            s0 = s.copy()
            s0.hand[other] = sum(bit(card) for card in held)
            s0.private[: len(private)] = order[: len(private)]
            s0.deck[s0.drawn + 1 :] = order[len(private) :]
            if looks_the_same(s0, s, seat, plays):
                found.add(world(history(s0, plays), seat))
    return found


def looks_the_same(a: State, b: State, seat: int, plays: Plays) -> bool:
    """Could all this have been played in both, before the same eyes?"""
    a, b = a.copy(), b.copy()
    for who, name in plays:
        if not rules.legal(a, who) & cardset(name):
            return False
        rules.play(a, who, cards(name)[0])
        rules.play(b, who, cards(name)[0])
        if seen(a, seat) != seen(b, seat):
            return False
    return True


END_POSITIONS: dict[str, tuple[State, int, Plays]] = {
    "a suit not followed": (
        position(hands=("C1 C2 M1", "H1 H2 H3"), deck="S1 S2 C3 C4", rest_won=True),
        0,
        [(0, "C1"), (1, "H1")],
    ),
    "two suits not followed at different times": (
        position(hands=("C1 M1 M2", "H1 H2 S6"), deck="S1 C3 S2 M3 C4 M5", rest_won=True),
        0,
        [(0, "C1"), (1, "H1"), (0, "M1"), (1, "H2")],
    ),
    "a card of that suit played later": (
        position(hands=("C1 M1 S4", "H1 H2 H3"), deck="S1 C3 S2 M3 C4 M5", rest_won=True),
        0,
        [(0, "C1"), (1, "H1"), (0, "S4"), (1, "C3")],
    ),
    "their private deck": (
        position(hands=("M4 C1", "M1 C2"), private="H1 H2", deck="S1 S2 S3 S4", pawn=2, rest_won=True),
        0,
        [(0, "M4"), (1, "M1")],
    ),
    "their private deck being drawn": (
        position(hands=("M4 C1 C3 C4", "H1 H2"), private="S1 M2", pawn=2, rest_won=True),
        0,
        [(0, "M4"), (1, "H1")],
    ),
    "an own private deck": (
        position(hands=("M4 C1 C3", "M1 C2 H3"), private="H1 H2", deck="S1 S2 S3 S4", pawn=-2, rest_won=True),
        0,
        [(0, "M4"), (1, "M1")],
    ),
    "an open card taken": (
        position(hands=("C5 M1 M3", "C2 M2 H7"), deck="S1 S2 S3 S4 S5 S6", rest_won=True),
        1,
        [(0, "C5"), (1, "C2")],
    ),
    "a card led": (position(hands=("C5 M1 M3", "C2 M2 H7"), deck="S1 S2 S3 S4", rest_won=True), 1, [(0, "C5")]),
}


@pytest.mark.rule("HOL-20")
@pytest.mark.parametrize("name", END_POSITIONS)
def test_redeal_gives_all_consistent_worlds_and_only_those_equally_often(name: str, soak: int, tally: Tally) -> None:
    s, seat, plays = END_POSITIONS[name]
    expected = worlds(s, seat, plays)
    assert len(expected) > 1
    now = history(s, plays)
    redeal_from = GAME.plain(play).redeal_from
    found: Counter[Hashable] = Counter()
    for number in range(30 * len(expected) * soak):
        guess = now.copy()
        redeal_from(guess, seat, 11, number)
        found[world(guess, seat)] += 1
    assert_equally_often(found, expected)
    tally("hollywood, guesses", found.total())
