"""How observations are written, and their laws: each can fail, for each is shown a game with a planted fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable, MutableSequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardtown.core import observing_laws
from cardtown.core.cards import bit
from cardtown.core.game import Game
from cardtown.core.laws import LawBroken
from cardtown.core.observing import Part, places, put, put_large, put_seats
from cardtown.core.play import Player
from cardtown.games.hollywood import GAME, observation
from cardtown.games.hollywood.observation import HAND, LAST, LED, OTHER_KNOWN, PAWN, PRIVATE, STRENGTH, TOP, WON
from cardtown.games.hollywood.observation import observe as observe_well
from cardtown.games.hollywood.rules import CARDS, SUITS, State


def test_the_parts_lie_one_after_another() -> None:
    assert places((Part("a", 1, ""), Part("b", 4, ""), Part("c", 2, ""))) == (0, 1, 5)


def test_a_set_is_written_as_ones() -> None:
    row = [0] * 6
    put(row, 1, bit(0) | bit(3))
    assert row == [0, 1, 0, 0, 1, 0]


def test_seats_are_counted_clockwise_from_me() -> None:
    row = [0] * 4
    put_seats(row, 0, bit(2) | bit(3), 3, 4)
    assert row == [1, 0, 0, 1]


@pytest.mark.parametrize(("number", "written"), [(0, [0, 0]), (7, [0, 7]), (-7, [-1, 3]), (128, [12, 8])])
def test_a_large_number_is_written_in_tens_and_the_rest(number: int, written: list[int]) -> None:
    row = [0, 0]
    put_large(row, 0, number)
    assert row == written


def test_how_a_game_is_observed_is_no_rule(tmp_path: Path) -> None:
    """Matches go on whatever is changed in `observation.py`."""
    copied = Path(shutil.copytree(GAME.folder, tmp_path / "hollywood"))

    def rules_hash() -> str:
        game = replace(GAME)
        vars(game)["folder"] = copied
        return game.rules_hash

    (copied / "observation.py").unlink()
    assert rules_hash() == GAME.rules_hash
    (copied / "rules.py").write_text("# other rules", encoding="utf-8")
    assert rules_hash() != GAME.rules_hash


Check = Callable[[Game, int, int], int]


def broken(law: str, check: Check = observing_laws.check_observations, **changed: Callable[..., Any]) -> str:
    """What the law says of Hollywood Sensation with some of its functions replaced."""
    with pytest.raises(LawBroken) as caught:
        check(replace(GAME, changed=changed), 1, 0)
    assert caught.value.law == law
    return str(caught.value)


def test_the_game_without_a_fault_keeps_the_laws_and_much_is_compared() -> None:
    assert observing_laws.check_observations(replace(GAME), 1, 0) > 100
    assert observing_laws.check_observed_fields(replace(GAME), 1, 0) > 100


def test_a_hidden_card_among_the_numbers_is_found() -> None:
    def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
        observation.observe(s, seat, x)
        put(x, OTHER_KNOWN, s.hand[1 - seat])

    assert "other_known" in broken("observations do not leak", observe=observe)


def test_the_order_of_the_deck_among_the_numbers_is_found() -> None:
    def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
        observation.observe(s, seat, x)
        x[PAWN] = s.deck[CARDS - 1]

    assert "pawn" in broken("observations do not leak", observe=observe)


@pytest.mark.parametrize("at", [HAND, WON, LED, LAST, TOP])
def test_a_missing_part_in_which_near_positions_differ_is_found(at: int) -> None:
    def observe(s: State, seat: int, x: MutableSequence[int], at: int = at) -> None:
        observation.observe(s, seat, x)
        for card in range(CARDS):
            x[at + card] = 0

    assert "zones" in broken("observations tell all that is known", observe=observe)


@pytest.mark.parametrize(
    ("at", "length", "field"),
    [(STRENGTH, SUITS, "suits"), (PAWN, 1, "pawn"), (PRIVATE, CARDS, "private"), (OTHER_KNOWN, CARDS, "seen")],
)
def test_a_missing_part_that_shows_a_field_of_the_state_is_found(at: int, length: int, field: str) -> None:
    def observe(s: State, seat: int, x: MutableSequence[int], at: int = at, length: int = length) -> None:
        observation.observe(s, seat, x)
        for i in range(length):
            x[at + i] = 0

    said = broken("observations tell all that is known", observing_laws.check_observed_fields, observe=observe)
    assert f"other {field}," in said


def test_a_number_that_needs_more_than_eight_bits_is_found() -> None:
    def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
        observation.observe(s, seat, x)
        x[observation.ROUND] *= 100

    assert "200" in broken("observations fit", observe=observe)


def observe_by_way_of_200(s: State, seat: int, x: MutableSequence[int]) -> None:
    observe_well(s, seat, x)
    x[PAWN] = 200  # eight bits: compiled it wraps round, in Python it grows
    x[PAWN] = x[PAWN] // 2


def test_a_twin_that_observes_differently_is_found() -> None:
    with pytest.raises(LawBroken, match=r"observe differently.*pawn"):
        observing_laws.check_observing_twins(
            replace(GAME, changed={"observe": observe_by_way_of_200}), 2, {}, Player.RANDOM, 1, 0, 1
        )
