"""Thousands of games side by side: the same games as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from cardtown.core import play
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game, GameError, scores, winners
from cardtown.lab.vector import Vector


def test_each_game_is_the_one_that_plain_rules_play(game: Game) -> None:
    games = Vector(game, 3, seed=40)
    code = game.plain(play)
    s = game.blank(games.table_seats, games.options)
    slot, number = 1, 0
    seed_stream(s.rng, 41, number)
    game.rules.start(s)
    for _ in range(400):
        seat = code.seat_to_act(s)
        assert int(games.seats[slot]) == seat
        assert int(games.masks[slot]) == game.rules.legal(s, seat)
        assert games.states[slot : slot + 1].tobytes() == s.packed()
        choices = games.sample()
        game.rules.play(s, seat, int(choices[slot]))
        games.step(choices)
        assert bool(games.ended[slot]) == (s.acting == 0)
        shares = [1 / len(winners(s)) if place in winners(s) else 0 for place in range(len(scores(s)))]
        assert games.rewards[slot].tolist() == pytest.approx(shares if s.acting == 0 else [0] * len(shares))
        if s.acting == 0:
            number += 1
            s = game.blank(games.table_seats, games.options)
            seed_stream(s.rng, 41, number)
            game.rules.start(s)
    assert number > 0


def test_the_number_of_threads_changes_nothing(game: Game) -> None:
    one, two = (Vector(game, 600, seed=3, threads=threads) for threads in (1, 2))
    assert len(two.pieces) == 2
    for _ in range(100):
        choices = one.sample().copy()
        one.step(choices)
        two.step(choices)
    assert one.states.tobytes() == two.states.tobytes()
    assert (one.observe() == two.observe()).all()


def test_reset_begins_the_same_games_again(game: Game) -> None:
    games = Vector(game, 5, seed=9)
    before = games.states.tobytes()
    for _ in range(30):
        games.step(games.sample())
    games.reset(range(9, 14))
    assert games.states.tobytes() == before
    games.reset([9, 9, 9, 9, 9])
    assert games.states.tobytes() == before[: len(before) // 5] * 5


def test_a_step_with_an_illegal_choice_changes_nothing(game: Game) -> None:
    games = Vector(game, 4)
    before = games.states.tobytes()
    for wrong in (62 if not int(games.masks[2]) >> 62 & 1 else 61, -1, 63, 1000):
        choices = games.sample().copy()
        choices[2] = wrong
        with pytest.raises(GameError, match=f"choice {wrong} is not legal in game 2"):
            games.step(choices)
    with pytest.raises(GameError, match="a choice for each of the 4 games"):
        games.step([0])
    with pytest.raises(GameError, match="a seed for each of the 4 games"):
        games.reset([1])
    assert games.states.tobytes() == before


def test_a_game_without_end_is_given_up(game: Game) -> None:
    games = Vector(game, 8, limit=2)
    for _ in range(2):
        games.step(games.sample())
    assert (games.ended == 2).all()
    assert not games.rewards.any()
    assert (games.slots.numbers == 1).all()


def test_legal_choices_can_be_had_as_rows(game: Game) -> None:
    games = Vector(game, 20)
    rows = games.legal()
    assert [sum(1 << c for c in np.flatnonzero(row).tolist()) for row in rows] == games.masks.tolist()


def test_there_must_be_a_game() -> None:
    from cardtown.games import find

    with pytest.raises(GameError, match="at least one game"):
        Vector(find("hollywood"), 0)
