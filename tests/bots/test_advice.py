"""Advice on a decision."""

from __future__ import annotations

import pytest

from cardtown.bots.advice import advise, agreed
from cardtown.bots.thinking import Budget
from cardtown.core.game import Game
from cardtown.games import games
from tests.bots.positions import positions

GAMES = [pytest.param(game, id=game.id) for game in games().values()]


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_judged_and_the_line_starts_with_the_best(game: Game) -> None:
    for s, seat in positions(game, 6, seed=5):
        advice = advise(game, s, seat, Budget(iterations=1500), 3)
        assert sorted(each.choice.number for each in advice.choices) == [
            choice for choice in range(63) if game.rules.legal(s, seat) >> choice & 1
        ]
        for each in advice.choices:
            assert 0 <= each.low <= each.win <= each.high <= 1
        assert all(each.low == each.high for each in advice.choices) == advice.is_exact
        if advice.line:
            assert advice.line[0].seat == seat
            assert advice.line[0].choice.number in [each.choice.number for each in advice.choices]


@pytest.mark.parametrize("game", GAMES)
def test_advice_is_the_same_when_the_hidden_cards_are_redealt(game: Game) -> None:
    for number, (s, seat) in enumerate(positions(game, 4, seed=6)):
        other = game.redealt(s, seat, 99, number)
        budget = Budget(iterations=600)
        assert advise(game, s, seat, budget, 7) == advise(game, other, seat, budget, 7)


def test_the_line_goes_as_far_as_enough_guesses_agree() -> None:
    a, b, c = (0, 1), (1, 2), (1, 3)
    guesses = [[a, b]] * 8 + [[a, c]] * 3 + [[a]]
    assert agreed(guesses) == ([a, b], 0)
    assert agreed([[a, c]] * 3 + [[a, b]] * 4) == ([a], 0)
    assert agreed([[]] * 9) == ([], 0)
