"""The bots by name."""

from __future__ import annotations

import pytest

from cardtown.bots import ask
from cardtown.bots.levels import EASY_LIMIT, EasyBot, check_bot, make_bot
from cardtown.bots.thinking import Budget, Opinion, Thought
from cardtown.core.game import GameError
from cardtown.games import find
from tests.bots.positions import positions


@pytest.mark.parametrize("name", ["random", "wander", "easy", "medium", "hard", "hard:500ms", "hard:20000"])
def test_bots_have_these_names(name: str) -> None:
    assert check_bot(name) == name
    game = find("hollywood")
    s, seat = next(positions(game, 1, seed=1))
    if "ms" not in name and name != "hard":
        assert game.rules.legal(s, seat) >> ask(make_bot(name, game, 1), game, s, seat, 1) & 1


@pytest.mark.parametrize(
    "name", ["", "Hard", "hard:", "hard:0", "hard:0ms", "hard:-5", "hard:5s", "medium:100", "hard: 5"]
)
def test_other_names_are_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(GameError, match=r"there is no bot .* bots are random, wander, easy, medium, hard"):
        check_bot(name)


def test_a_named_budget_is_kept() -> None:
    game = find("hollywood")
    assert make_bot("hard:500ms", game, 1).budget == Budget(seconds=0.5)  # type: ignore[attr-defined]
    assert make_bot("hard:20000", game, 1).budget == Budget(iterations=20_000)  # type: ignore[attr-defined]


def test_only_bots_that_think_for_a_time_use_more_threads() -> None:
    game = find("hollywood")
    assert make_bot("hard:500ms", game, 1, threads=3).threads == 3  # type: ignore[attr-defined]
    assert make_bot("hard:20000", game, 1, threads=3).threads == 1  # type: ignore[attr-defined]
    assert make_bot("medium", game, 1, threads=3).threads == 1  # type: ignore[attr-defined]


def test_the_easy_bot_slips_but_never_badly() -> None:
    bot = EasyBot(find("hollywood"), Budget(iterations=1), 4, 1)
    best, close, silly = (
        Opinion(3, 9, 0.6, 0.6, 0),
        Opinion(5, 8, 0.56, 0.5, 0),
        Opinion(7, 2, 0.6 - EASY_LIMIT - 0.01, 0, 0),
    )
    chosen = [bot.settle(Thought((best, close, silly), False)) for _ in range(500)]
    assert chosen.count(7) == 0
    assert 100 < chosen.count(5) < chosen.count(3)


def test_a_bot_with_one_choice_does_not_think() -> None:
    game = find("hollywood")
    s, seat = next(positions(game, 1, seed=1))
    s.hand[seat] &= -s.hand[seat]  # type: ignore[attr-defined]
    bot = make_bot("hard:20000", game, 1)
    bot.budget = None  # type: ignore[attr-defined]
    assert bot.choose(s, seat) == game.rules.legal(s, seat).bit_length() - 1
