"""Bots that have learnt: they play from what they know, and a network only guides them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cardtown.bots.learnt import guided
from cardtown.bots.learnt.bot import check_player, make_player
from cardtown.bots.learnt.guide import load_guide, trained_for
from cardtown.core import play
from cardtown.core.game import Game, GameError
from cardtown.core.state import MAX_CHOICES, Dice, State
from cardtown.games import find

WIDTH = 8


@pytest.fixture
def game() -> Game:
    return find("hollywood")


def write_guide(file: Path, game: Game, seats: int = 2, /, **changed: object) -> Path:
    """A network of random weights."""
    dice = np.random.default_rng(3)
    size = sum(part.length for part in game.observation)
    shapes = {"first": (size, WIDTH), "second": (WIDTH, WIDTH), "policy": (WIDTH, MAX_CHOICES), "value": (WIDTH, seats)}
    arrays: dict[str, object] = {**trained_for(game), "seats": str(seats)}
    for name, (rows, columns) in shapes.items():
        arrays[f"{name}_weight"] = dice.normal(0, 0.5, (rows, columns)).astype(np.float32)
        arrays[f"{name}_bias"] = dice.normal(0, 0.5, columns).astype(np.float32)
    np.savez(file, **{name: np.asarray(array) for name, array in (arrays | changed).items()})  # type: ignore[arg-type]
    return file


@pytest.fixture
def file(tmp_path: Path, game: Game) -> Path:
    return write_guide(tmp_path / "learnt.npz", game)


def positions(game: Game, n: int) -> list[tuple[State, int]]:
    code, dice = game.plain(play), Dice()
    found = []
    for number in range(n):
        s = game.blank(2, game.complete({}, 2))
        code.begin(s, dice, 5, number)
        code.play_out(s, 0, dice, 5 + 3 * number)
        found.append((s, code.seat_to_act(s)))
    return found


def test_the_network_says_the_same_compiled_and_not(game: Game, file: Path) -> None:
    guide = load_guide(file, game)
    for s, seat in positions(game, 8):
        odds, shares = guide.judge(game, s, seat)
        net, record = guide.net(), np.zeros(1, type(s).dtype)
        s.pack(record[0])
        game.compiled(guided).ask(net, record[0], seat, game.rules.legal(s, seat))
        assert net.odds.tolist() == pytest.approx(odds, abs=1e-4)
        assert net.shares.tolist() == pytest.approx(shares, abs=1e-4)
        assert [choice for choice in range(MAX_CHOICES) if odds[choice]] == [
            choice for choice in range(MAX_CHOICES) if game.rules.legal(s, seat) >> choice & 1
        ]


@pytest.mark.parametrize("thinking", ["", ":50", ":5ms"])
def test_it_plays_whole_games_legally(game: Game, file: Path, thinking: str) -> None:
    bot = make_player(f"{file}{thinking}", game, 1)
    s = game.blank(2, game.complete({}, 2))
    code, dice = game.plain(play), Dice()
    code.begin(s, dice, 1, 1)
    decisions = 0
    while s.acting:
        seat = code.seat_to_act(s)
        choice = bot.choose(game.redealt(s, seat, decisions), seat)
        assert game.rules.legal(s, seat) >> choice & 1
        game.rules.play(s, seat, choice)
        decisions += 1
    assert decisions > 20


def test_what_is_hidden_does_not_move_it(game: Game, file: Path) -> None:
    for s, seat in positions(game, 8):
        chosen = {
            make_player(f"{file}:100", game, 7).choose(game.redealt(s, seat, 1, number), seat) for number in range(4)
        }
        assert len(chosen) == 1


def test_it_follows_its_network_while_there_is_no_time_to_think(game: Game, tmp_path: Path) -> None:
    s, seat = positions(game, 8)[0]
    legal = [choice for choice in range(MAX_CHOICES) if game.rules.legal(s, seat) >> choice & 1]
    assert len(legal) > 1
    for wanted in legal:
        bias = np.full(MAX_CHOICES, -30, np.float32)
        bias[wanted] = 30
        nothing = np.zeros((WIDTH, MAX_CHOICES), np.float32)
        stubborn = write_guide(tmp_path / f"wants-{wanted}.npz", game, policy_weight=nothing, policy_bias=bias)
        assert make_player(str(stubborn), game, 1).choose(s, seat) == wanted
        assert make_player(f"{stubborn}:4", game, 1).choose(s, seat) == wanted


def test_a_guide_for_something_else_is_refused(game: Game, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no file there"):
        check_player(str(tmp_path / "none.npz"), game, 2)
    (tmp_path / "text.npz").write_text("nothing")
    with pytest.raises(GameError, match="no file there"):
        check_player(str(tmp_path / "text.npz"), game, 2)
    for fact in trained_for(game):
        with pytest.raises(GameError, match="not for hollywood as it is now"):
            check_player(str(write_guide(tmp_path / f"{fact}.npz", game, **{fact: "other"})), game, 2)
    with pytest.raises(GameError, match="3 seats, not 2"):
        check_player(str(write_guide(tmp_path / "three.npz", game, 3)), game, 2)
    with pytest.raises(GameError, match="there is no bot 'genius'"):
        check_player("genius", game, 2)
    assert check_player("hard:20ms", game, 2) == "hard:20ms"
