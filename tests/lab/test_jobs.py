"""The same work gives the same results whoever does it, and whoever dies over it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from cardtown.core.game import GameError
from cardtown.games import find
from cardtown.lab import jobs
from cardtown.lab.jobs import MOST_DEATHS, Cluster, Processes, Threads, Workers, in_order
from cardtown.lab.simulate import simulate, tell
from cardtown.lab.table import Table
from cardtown.lab.tournament import hold
from tests.conftest import Tally
from tests.lab.local_cluster import local_cluster
from tests.lab.pieces import fail, roll, roll_mortally, who_works

HOLLYWOOD = Table("hollywood", None, 2, {"carpet": 4})
PIECES = list(range(20))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with local_cluster(2) as address:
        yield Cluster(address)


@pytest.fixture(params=["two threads", "two processes", "cluster of two"])
def workers(request: pytest.FixtureRequest) -> Workers:
    match request.param:
        case "two threads":
            return Threads(2)
        case "two processes":
            return Processes(2)
        case _:
            found: Cluster = request.getfixturevalue("cluster")
            return found


def open_table(table: Table) -> str:
    return table.open().rules_hash


def test_results_come_in_the_order_of_the_pieces(workers: Workers) -> None:
    ticked: list[int] = []
    found = list(in_order(partial(roll, 7), PIECES, workers, ticked.append))
    assert found == [roll(7, piece) for piece in PIECES]
    assert sorted(ticked) == sorted(found)


def test_each_result_comes_with_its_number(workers: Workers) -> None:
    assert dict(workers.each(partial(roll, 7), PIECES)) == {piece: roll(7, piece) for piece in PIECES}


def test_no_pieces_no_results(workers: Workers) -> None:
    assert list(in_order(partial(roll, 7), [], workers)) == []


def test_what_a_piece_raises_is_raised(workers: Workers) -> None:
    with pytest.raises(GameError, match=r"piece . can't be done"):
        list(in_order(fail, [3, 4], workers))


def test_a_process_that_dies_over_a_piece_changes_nothing(tmp_path: Path) -> None:
    work = partial(roll_mortally, tmp_path, 5, 2)
    assert list(in_order(work, PIECES, Processes(2))) == [roll(7, piece) for piece in PIECES]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_piece_that_always_kills_is_given_up(tmp_path: Path) -> None:
    work = partial(roll_mortally, tmp_path, 1, 1000)
    with pytest.raises(GameError, match="piece 1 or one that follows it kills the process"):
        list(in_order(work, PIECES[:3], Processes(1)))
    assert len(list(tmp_path.iterdir())) <= MOST_DEATHS + 1


def test_a_cluster_worker_that_dies_over_a_piece_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    work = partial(roll_mortally, tmp_path, 5, 1)
    assert list(in_order(work, PIECES, cluster)) == [roll(7, piece) for piece in PIECES]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_piece_that_always_kills_is_given_up_by_a_cluster(tmp_path: Path) -> None:
    work = partial(roll_mortally, tmp_path, 1, 1000)
    with local_cluster(1) as address, pytest.raises(GameError, match="a piece kills the workers of the cluster"):
        list(in_order(work, PIECES[:3], Cluster(address)))


def test_a_tournament_is_the_same_whoever_plays_it(workers: Workers, soak: int, tally: Tally) -> None:
    games = 8 * soak
    held = hold(HOLLYWOOD, ["hard:30", "easy"], games, seed=3, workers=workers)
    assert held == hold(HOLLYWOOD, ["hard:30", "easy"], games, seed=3, workers=Threads(1))
    tally("games of a tournament, the same whoever plays them", games)


def test_a_simulation_is_the_same_whoever_plays_it(workers: Workers, soak: int, tally: Tally) -> None:
    games = 10_000 * soak
    figures = [
        simulate(HOLLYWOOD, ["random", "wander"], games, 9, 20_000, each, lambda n: None)
        for each in (workers, Threads(1))
    ]
    assert figures[0].games == games
    for one in figures:
        one.seconds = 0.0
    assert figures[0] == figures[1]
    tally("games of a simulation, the same whoever plays them", games)


def test_transcripts_are_the_same_whoever_plays_them(workers: Workers) -> None:
    one, other = (
        list(tell(HOLLYWOOD, ["hard:20", "random"], 3, 1, 20_000, each, lambda n: None))
        for each in (workers, Threads(1))
    )
    assert one == other
    assert all(line.startswith("{") for _, line in one)


def test_a_game_with_components_of_its_own_travels(workers: Workers) -> None:
    parts = find("hollywood").parts
    table = HOLLYWOOD._replace(parts={**parts, "carpet": {**parts["carpet"], "spaces": 6}}, options={"carpet": 6})
    assert table.fixed().rules != HOLLYWOOD.fixed().rules
    held = hold(table, ["random", "wander"], 4, seed=3, workers=workers)
    assert held == hold(table, ["random", "wander"], 4, seed=3, workers=Threads(1))
    (found,) = in_order(open_table, [table], workers)
    assert found == table.fixed().rules


@pytest.mark.parametrize("kind", ["processes", "cluster"])
def test_a_worker_killed_in_the_middle_of_a_tournament_changes_nothing(
    kind: str, cluster: Cluster, soak: int, tally: Tally
) -> None:
    """It is killed from outside while games are played: no piece is to blame."""
    games = 12 * soak
    killed: list[int] = []

    def kill_one(done: int) -> None:
        if not killed:
            children = [child.pid for child in active_children() if child.pid]
            killed.append(children[0] if kind == "processes" else next(in_order(who_works, [0], cluster)))
            os.kill(killed[0], signal.SIGKILL)

    calm = hold(HOLLYWOOD, ["hard:300", "hard:100"], games, seed=5, workers=Threads(1))
    workers = Processes(2) if kind == "processes" else cluster
    assert hold(HOLLYWOOD, ["hard:300", "hard:100"], games, seed=5, tick=kill_one, workers=workers) == calm
    assert killed
    tally(f"games of a tournament with a worker killed, {kind}", games)


def test_a_worker_with_other_rules_is_refused() -> None:
    with pytest.raises(GameError, match="a worker has other rules of hollywood: install the same cardtown everywhere"):
        list(in_order(open_table, [HOLLYWOOD._replace(rules="other")], Processes(1)))


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 1.0)
    with pytest.raises(GameError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:1'"):
        list(in_order(fail, [1], Cluster("tcp://127.0.0.1:1")))
    with pytest.raises(GameError, match=r"no Dask scheduler answers at 'nonsense://x'"):
        list(in_order(fail, [1], Cluster("nonsense://x")))


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 2.0)
    with local_cluster(0) as empty, pytest.raises(GameError, match="has no workers: start some with dask worker"):
        list(in_order(fail, [1], Cluster(empty)))
