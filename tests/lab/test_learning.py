"""Learning with PyTorch, which is large: `make soak learning` installs it. Without it these tests are left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cardtown.bots.learnt.guide import load_guide, trained_for
from cardtown.core.game import Game
from cardtown.games import find
from cardtown.lab.table import Table
from cardtown.lab.tournament import hold
from cardtown.lab.vector import Vector
from tests.bots.test_learnt import positions
from tests.conftest import Tally

torch = pytest.importorskip("torch", reason="needs PyTorch: make soak learning")

SEATS = 2


@pytest.fixture
def hollywood() -> Game:
    return find("hollywood")


def test_a_network_that_has_learnt_beats_random_players(
    hollywood: Game, tmp_path: Path, soak: int, tally: Tally
) -> None:
    from cardtown.lab.learn.training import Plan, train

    network = train(Vector(hollywood, 256, SEATS, {}, seed=1), Plan(lessons=100 * soak, seed=1))
    file = tmp_path / "learnt.npz"
    network.save(file, seats=str(SEATS), **trained_for(hollywood))
    table = Table(hollywood.id, None, SEATS, hollywood.complete({}, SEATS))
    held = hold(table, (str(file), "random"), 400, seed=7)
    assert held.result(str(file)).low > 0.5
    tally("hollywood, games against random players", len(held.played))


def test_the_file_says_what_the_network_says(hollywood: Game, tmp_path: Path) -> None:
    from cardtown.lab.learn.network import Network

    network = Network(hollywood.observation_length, SEATS)
    for layer in (network.policy, network.value):
        torch.nn.init.normal_(layer.weight)
    network.fit_scale(torch.from_numpy(np.stack([hollywood.observed(s, seat) for s, seat in positions(hollywood, 8)])))
    file = tmp_path / "learnt.npz"
    network.save(file, seats=str(SEATS), **trained_for(hollywood))
    guide = load_guide(file, hollywood)
    for s, seat in positions(hollywood, 8):
        known = torch.from_numpy(hollywood.observed(s, seat))[None]
        mask = hollywood.rules.legal(s, seat)
        odds, shares = guide.judge(hollywood, s, seat)
        legal = torch.tensor([[mask >> choice & 1 for choice in range(len(odds))]])
        for told, meant in zip((odds, shares), network(known, legal), strict=True):
            assert told == pytest.approx(meant.exp()[0].tolist(), abs=1e-5)


def test_the_command_writes_a_bot_that_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "learnt.npz"
    learning = [
        "train",
        "gossip",
        "--seats",
        "3",
        "--minutes",
        "0.05",
        "--games",
        "16",
        "--on",
        "cpu",
        "--out",
        str(file),
    ]
    assert str(file) in told_by(*learning)
    playing = ["tournament", "gossip", "--seats", "3", "--bots", f"{file}:50,random", "--games", "2", "--json"]
    assert str(file) in told_by(*playing)


def told_by(*words: str) -> str:
    """What a command says that succeeds."""
    return subprocess.run([sys.executable, "-m", "cardtown", *words], capture_output=True, text=True, check=True).stdout
