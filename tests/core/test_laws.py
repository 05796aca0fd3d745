"""Every law can fail: each is shown a game with a planted fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cardtown.core import laws
from cardtown.core.cards import bit, lowest
from cardtown.core.chance import below, seed_stream
from cardtown.core.game import Game
from cardtown.core.laws import LawBroken
from cardtown.core.match import Match
from cardtown.core.play import Player
from cardtown.core.state import Dice
from cardtown.core.story import ALL, tell
from cardtown.core.table import Card, Text, Zone
from cardtown.games import gossip
from cardtown.games.hollywood import GAME, rules, table
from cardtown.games.hollywood.rules import Event, State
from cardtown.games.hollywood.rules import play as play_by_the_rules
from cardtown.games.hollywood.rules import redeal as redeal_by_the_rules


def faulty(**changed: Callable[..., Any]) -> Game:
    """Hollywood Sensation with some of its functions replaced."""
    return replace(GAME, changed=changed)


def check(game: Game) -> Match:
    return laws.check_game(game, 2, {}, Player.RANDOM, seed=1, number=0)


def check_ten(game: Game) -> None:
    for number in range(10):
        laws.check_game(game, 2, {}, Player.RANDOM, seed=1, number=number)


def breaks(game: Game, law: str) -> None:
    with pytest.raises(LawBroken) as caught:
        check_ten(game)
    assert caught.value.law == law


def test_the_game_without_a_fault_keeps_them_all() -> None:
    laws.check_transcript(check(faulty()))
    laws.check_twins(faulty(), 2, {}, Player.RANDOM, 1, 0, 3)


def test_a_hand_shown_to_the_other_seat_is_found() -> None:
    def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
        leak = Zone("leak", "row", Text("zone_hand"), things=table.open_cards(s.hand[1 - (watcher or 0)]))
        return (*table.zones(s, watcher), leak)

    breaks(faulty(zones=zones), "redeal keeps the table")


def test_the_order_of_the_deck_shown_in_an_id_is_found() -> None:
    def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
        leak = Zone("leak", "pile", Text("zone_deck"), things=(Card(f"deck.{s.deck[-1]}", None),))
        return (*table.zones(s, watcher), leak)

    breaks(faulty(zones=zones), "redeal keeps the table")


def test_a_lost_card_is_found() -> None:
    def play(s: State, seat: int, choice: int) -> None:
        rules.play(s, seat, choice)
        s.won[0] &= ~bit(choice)

    breaks(faulty(play=play), "cards are conserved")


def test_a_card_that_is_there_twice_is_found() -> None:
    def play(s: State, seat: int, choice: int) -> None:
        rules.play(s, seat, choice)
        s.hand[seat] |= bit(choice)

    breaks(faulty(play=play), "cards are conserved")


def test_a_redeal_that_leaves_the_other_hand_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        hand = s.hand[1 - seat]
        rules.redeal(s, seat)
        s.hand[1 - seat] = hand

    breaks(faulty(redeal=redeal), "redeal keeps the cards")


def test_a_redeal_that_does_nothing_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        pass

    breaks(faulty(redeal=redeal), "redeal forgets the truth")


def test_a_redeal_that_keeps_where_the_cards_came_from_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        dealt = s.deck[: s.drawn]
        rules.redeal(s, seat)
        s.deck[: s.drawn] = dealt

    breaks(faulty(redeal=redeal), "redeal forgets the truth")


def test_a_guess_that_hangs_on_the_truth_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        if s.hand[1 - seat] & 1:
            below(s.rng, 2)
        rules.redeal(s, seat)

    breaks(faulty(redeal=redeal), "redeal forgets the truth")


def test_deals_that_look_alike_are_really_compared() -> None:
    match = check(faulty())
    dice = Dice()
    seed_stream(dice.rng, 1, 1)
    assert sum(laws.alike_deals_give_alike_guesses(match, i % 2, dice) for i in range(10)) > 10


def test_a_redeal_that_changes_the_own_hand_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        rules.redeal(s, 1 - seat)

    breaks(faulty(redeal=redeal), "redeal keeps the table")


def test_a_redeal_that_forgets_an_open_card_is_found() -> None:
    def redeal(s: State, seat: int) -> None:
        s.seen[1 - seat] = 0
        rules.redeal(s, seat)

    breaks(faulty(redeal=redeal), "redeal keeps the table")


def test_a_choice_for_a_seat_that_does_not_act_is_found() -> None:
    def legal(s: State, seat: int) -> int:
        return s.hand[seat]

    breaks(faulty(legal=legal), "only seats to act have choices")


def test_more_than_63_choices_are_found() -> None:
    def legal(s: State, seat: int) -> int:
        return rules.legal(s, seat) and bit(63) | rules.legal(s, seat)

    breaks(faulty(legal=legal), "a decision has at most 63 choices")


def test_two_choices_with_one_name_are_found() -> None:
    def move(s: State, choice: int) -> str:
        return "play"

    breaks(faulty(move=move), "choices differ")


def test_a_choice_that_nothing_on_the_table_stands_for_is_found() -> None:
    def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
        return (f"card {choice}",)

    breaks(faulty(path=path), "choices can be touched")


def test_refusing_what_is_legal_is_found() -> None:
    def why_not(s: State, seat: int, thing: str) -> object:
        return table.why_not(s, 1 - seat, thing)

    breaks(faulty(why_not=why_not), "what is legal is not refused")


def test_a_log_line_that_names_a_hidden_card_is_found() -> None:
    def play(s: State, seat: int, choice: int) -> None:
        rules.play(s, seat, choice)
        tell(s, ALL, Event.DREW_CARD, 0, lowest(s.hand[0]))

    breaks(faulty(play=play), "log lines do not leak")


def test_a_game_that_never_ends_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(s: State, seat: int, choice: int) -> None:
        s.acting = bit(1 - seat)

    monkeypatch.setattr(laws, "LIMIT", 50)
    breaks(faulty(play=play), "random games end")


def test_secret_choices_whose_order_tells_are_found() -> None:
    def play(s: gossip.rules.State, seat: int, choice: int) -> None:
        gossip.rules.play(s, seat, choice)
        s.score[5] = seat  # whoever chose last

    with pytest.raises(LawBroken) as caught:
        laws.check_game(replace(gossip.GAME, changed={"play": play}), 4, {}, Player.RANDOM, seed=1, number=0)
    assert caught.value.law == "sealed choices commute"


def overflowing_play(s: State, seat: int, choice: int) -> None:
    play_by_the_rules(s, seat, choice)
    s.first += 100  # eight bits: compiled it wraps round, in Python it grows


def test_a_twin_that_differs_is_found() -> None:
    with pytest.raises(LawBroken, match="differ in first"):
        laws.check_twins(faulty(play=overflowing_play), 2, {}, Player.RANDOM, 1, 0, 1)


def overflowing_redeal(s: State, seat: int) -> None:
    redeal_by_the_rules(s, seat)
    s.first += 100
    s.first += 100


def test_a_twin_that_guesses_differently_is_found() -> None:
    with pytest.raises(LawBroken, match="they guess differently"):
        laws.check_twins(faulty(redeal=overflowing_redeal), 2, {}, Player.RANDOM, 1, 0, 1)


def test_a_transcript_that_does_not_replay_is_found() -> None:
    match = check(faulty())
    match.events.pop()
    with pytest.raises(LawBroken, match="transcripts replay"):
        laws.check_transcript(match)
