"""Gymnasium: its own checks pass for every game; bots play the other seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardtown.core.game import Game, GameError
from cardtown.core.match import IllegalChoice, MatchOver
from cardtown.lab.gymnasium import OneSeat


def make(game: str, **given: Any) -> Any:
    return gymnasium.make(f"cardtown/{game}-v0", **{"bots": ["random"], **given})


def test_its_own_checks_pass(game: Game) -> None:
    """They know no masks."""
    check_env(make(game.id, replace_illegal=True).unwrapped)


def played_out(env: Any, seed: int | None) -> tuple[list[Any], float]:
    """A game of random choices: what was seen, and the reward at the end."""
    row, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rows, reward, over = [row], 0.0, False
    while not over:
        assert reward == 0
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
        choice = int(rng.choice(np.flatnonzero(info["action_mask"])))
        row, reward, terminated, truncated, info = env.step(choice)
        rows.append(row)
        over = terminated or truncated
    assert not info["action_mask"].any()
    return rows, reward


@pytest.mark.parametrize("bots", [["random"], ["easy"]], ids=["random", "easy"])
def test_the_same_seed_gives_the_same_game_against_the_same_bots(bots: list[str]) -> None:
    games = [played_out(make("hollywood", bots=bots), 7) for _ in range(2)]
    assert all(np.array_equal(one, other) for one, other in zip(games[0][0], games[1][0], strict=True))
    assert games[0][1] == games[1][1]


def test_the_reward_is_the_share_of_the_win() -> None:
    env = make("hollywood", seat=1)
    rewards = set()
    for seed in range(6):
        rewards.add(played_out(env, seed)[1])
        assert env.unwrapped.episodes.match.outcome.winners == ((1,) if env.unwrapped.episodes.reward(1) else (0,))
    assert rewards == {0.0, 1.0}


def test_only_the_seat_is_asked() -> None:
    env = make("crimson", seats=4, seat=2)
    env.reset(seed=3)
    match = env.unwrapped.episodes.match
    for _ in range(20):
        assert env.unwrapped.episodes.seat == 2
        env.step(match.legal(2)[0])
    assert {seat for seat, _ in match.choices} == {0, 1, 2, 3}


def test_the_last_bot_named_plays_all_seats_that_are_left() -> None:
    assert make("crimson", seats=4, seat=1, bots=["easy", "random"]).unwrapped.named == {
        0: "easy",
        2: "random",
        3: "random",
    }


def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game) -> None:
    env = make(game.id)
    _, info = env.reset(seed=1)
    match = env.unwrapped.episodes.match
    before = match.state.packed()
    for wrong in (int(np.flatnonzero(info["action_mask"] == 0)[0]), 63, -1):
        with pytest.raises(IllegalChoice, match="possible are"):
            env.unwrapped.step(wrong)
    assert match.state.packed() == before


def test_what_is_not_legal_can_be_replaced() -> None:
    env = make("hollywood", replace_illegal=True)
    _, info = env.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    env.step(int(legal[-1]) + 1)  # no card is higher: the lowest comes next
    assert next(choice for seat, choice in env.unwrapped.episodes.match.choices if seat == 0) == legal[0]


def test_nothing_can_be_chosen_when_it_is_over() -> None:
    env = make("hollywood")
    played_out(env, 1)
    with pytest.raises(MatchOver):
        env.unwrapped.step(0)


def test_words_tell_the_game() -> None:
    env = make("hollywood", render_mode="ansi")
    env.reset(seed=1)
    assert "Seat" in env.render()


def test_bad_seats_and_bots_are_refused() -> None:
    with pytest.raises(GameError, match="there is no seat 2"):
        OneSeat("hollywood", seat=2)
    with pytest.raises(GameError, match="there is no bot 'genius'"):
        OneSeat("hollywood", bots=["genius"])
    with pytest.raises(GameError, match="bots must be named"):
        OneSeat("hollywood", bots=[])
