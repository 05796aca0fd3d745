"""`cardtown tournament`, as it is typed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_commands import CARDTOWN, cardtown, without_timing
from tests.lab.local_cluster import local_cluster


def test_it_tells_programs_how_each_bot_did() -> None:
    done = cardtown("tournament", "hollywood", "--bots", "hard:40,random", "--games", "6", "--seed", "2", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [result["bot"] for result in found["results"]] == ["hard:40", "random"]
    for result in found["results"]:
        assert result["games"] == 6
        assert result["low"] <= result["win_rate"] <= result["high"]
        assert {"rating", "rating_low", "rating_high"} <= result.keys()
    assert found["beats"]["hard:40"]["random"] == pytest.approx(found["results"][0]["win_rate"])


def test_it_tells_people_too_and_draws(tmp_path: Path) -> None:
    plot = tmp_path / "bots.svg"
    done = cardtown(
        "tournament", "gossip", "--seats", "3", "--bots", "random,wander", "--games", "6", "--plot", str(plot)
    )
    assert done.returncode == 0, done.stderr
    assert "Gossip and the City, 3 seats: 6 games, 2 deals from every seat" in done.stdout
    assert "wins against" in done.stdout
    assert "Gossip and the City" in plot.read_text(encoding="utf-8")


def test_alone_bots_are_compared_on_the_same_deals() -> None:
    done = cardtown("tournament", "egocentric", "--seats", "1", "--bots", "random,wander", "--games", "10", "--json")
    found = json.loads(done.stdout)
    assert [result["games"] for result in found["results"]] == [5, 5]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hollywood"], "Missing option '--bots'"),
        (["hollywood", "--bots", "random,clever"], "there is no bot 'clever'; bots are random"),
        (["hollywood", "--bots", "random", "--plot", "a.pdf"], "--plot draws .svg or .png files, not 'a.pdf'"),
        (["hollywood", "--bots", "random", "--plot", "no/such/a.svg"], "no/such/a.svg: there is no such folder"),
        (["hollywood", "--bots", "random", "--seats", "3"], "hollywood can't be played by 3"),
        (["hollywod", "--bots", "random"], "hollywod"),
        (["hollywood", "--bots", "random", "--threads", "1", "--cluster", "x"], "and --cluster only one can be given"),
    ],
)
def test_wrong_input_is_answered_in_one_line(args: list[str], message: str) -> None:
    done = cardtown("tournament", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_simulate_lets_bots_think_too() -> None:
    done = cardtown("simulate", "hollywood", "--bots", "hard:30,random", "--games", "3", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with local_cluster(2) as address:
        yield address


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "hollywood", "--bots", "hard:40,random", "--games", "6"],
        ["simulate", "hollywood", "--bots", "random,wander", "--games", "5000"],
        ["simulate", "hollywood", "--bots", "hard:30,random", "--games", "3"],
    ],
    ids=["tournament", "simulate", "simulate thinking"],
)
def test_a_cluster_gives_the_same_figures(command: list[str], cluster: str) -> None:
    ways = (["--threads", "1"], ["--processes", "2"], ["--cluster", cluster])
    done = [cardtown(*command, *way, "--json") for way in ways]
    assert [one.returncode for one in done] == [0, 0, 0], [one.stderr for one in done]
    found = [without_timing(json.loads(one.stdout)) for one in done]
    assert found[0] == found[1] == found[2]


def test_without_dask_a_cluster_can_not_be_used(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError('distributed')", encoding="utf-8")
    command = [CARDTOWN, "tournament", "hollywood", "--bots", "random", "--cluster", "tcp://127.0.0.1:1"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "cardtown: a cluster needs Dask: install cardtown[lab]\n")
