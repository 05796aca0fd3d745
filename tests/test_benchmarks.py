"""The benchmark's own part runs, and its report leaves nothing out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks import cardtown_server, client, engine, first_move, overrun, positions, report, search, vector, workers
from benchmarks.client import Client
from benchmarks.first_move import FirstMove
from benchmarks.load import Load, in_loop
from benchmarks.load import measure as measure_load
from benchmarks.measure import Rates, Subject, measure
from benchmarks.overrun import Overrun
from benchmarks.search import Searched
from benchmarks.start_up import StartUp
from benchmarks.workers import Cost, Side
from cardtown.bots.readiness import plain_code
from cardtown.core.game import Game
from cardtown.games import find, games

OTHERS = {
    report.HEARTS: 1e5,
    Subject("OpenSpiel", "hearts", "tight loop"): 6e5,
    report.UNO: 4e4,
    report.RAW_UNO: 1.2e5,
}
OTHERS_SEARCHES = {
    Subject("OpenSpiel", "hearts", "C++ ISMCTS bot"): 4e4,
    Subject("OpenSpiel", "oh_hell", "C++ ISMCTS bot"): 5e4,
}
OTHERS_SEARCHED = {"hearts": Searched(4, 26.5), "oh_hell": Searched(3, 12.0)}

MEMORY, FLATFILE = (Subject("boardgame.io", "thirteen", way) for way in ("memory", "flatfile"))
LOADS = {
    (report.SERVER, 100): Load(100, 30_000, 10.0, 20.0, 40.0, 100.0, 9.0, 3.0, 12.5),
    (MEMORY, 100): Load(100, 25_000, 10.0, 25.0, 39.0, 30.0, 9.0, 3.0, None),
    (FLATFILE, 100): Load(100, 20_000, 10.0, 90.0, 95.0, 90.0, 9.0, 3.0, None),
}

COSTS = {
    Side(1, 100): Cost(1000.0, (0.4,), (0.1,), 50.0, 90.0),
    Side(2, 100): Cost(1000.0, (0.4,), (0.2,), 50.0, 90.0),
    Side(1, 1000): Cost(1000.0, (0.3,), (0.1,), 50.0, 90.0),
    Side(2, 1000, apart=True): Cost(1000.0, (0.9,), (0.3,), 50.0, 90.0),
    Side(1, 5000): Cost(1000.0, (0.4,), (0.11,), 50.0, 90.0),
    Side(2, 5000): Cost(1000.0, (0.5,), (0.2,), 50.0, 90.0),
}

CLIENT = Client(0.5, 0.25, 80_400, 45.0, 120.0, 3, 70.0)
CLIENTS = {("hollywood", way.name): CLIENT for way in client.WAYS}


@pytest.fixture(scope="module")
def rates() -> Rates:
    return measure(engine.subjects(), 0.01, 1) | OTHERS


@pytest.fixture(scope="module")
def searches() -> Rates:
    return measure(search.subjects(plain_code, iterations=2), 0, 1) | OTHERS_SEARCHES


@pytest.fixture(scope="module")
def results(rates: Rates, searches: Rates) -> report.Results:
    vectors = {Subject(engine.ENGINE, name, way): 2e7 for name in games() for way in (vector.STEP, vector.LOOK)}
    return report.Results(
        rates,
        vectors,
        engine.played(),
        StartUp(9.5, 1.25),
        searches,
        search.searched() | OTHERS_SEARCHED,
        {"hollywood": FirstMove(0.75, 0.5)},
        {("hollywood", bot): Overrun(0.001, 0.0123, 0.0, 0.002) for bot in overrun.BOTS},
        LOADS,
        COSTS,
        CLIENTS,
        "How it was measured.",
    )


def is_met(results: report.Results, words: str) -> bool:
    (target,) = (target for target in report.targets(results) if words in target.promise)
    return target.is_met


def test_every_game_is_measured_in_every_way(rates: Rates) -> None:
    for game in engine.played():
        for way in (engine.ONE_THREAD, engine.TWO_THREADS, engine.PLAIN):
            assert rates[Subject(engine.ENGINE, game, way)] > 0


def test_every_game_is_searched_with_one_thread_and_with_two(searches: Rates) -> None:
    for game in engine.played():
        for way in (search.ONE_THREAD, search.TWO_THREADS):
            assert searches[Subject(engine.ENGINE, game, way)] > 0


@pytest.mark.parametrize("game", games().values(), ids=[*games()])
def test_bots_are_asked_only_where_there_is_something_to_decide(game: Game) -> None:
    asked = positions.spread(game, 0, 5)
    assert asked[0].left > positions.middle(game, 0).left > asked[-1].left
    for position in asked:
        assert position.state.acting >> position.seat & 1
        assert game.rules.legal(position.state, position.seat).bit_count() > 1


def test_a_new_process_makes_a_first_move() -> None:
    assert first_move.seconds_to_move("hollywood", "hard:20", os.environ) > 0


def test_a_first_move_that_fails_is_no_measurement() -> None:
    with pytest.raises(SystemExit, match="there is no bot 'tired'"):
        first_move.seconds_to_move("hollywood", "tired", os.environ)


def test_the_longest_overrun_is_at_least_the_usual_one() -> None:
    found = overrun.overrun(find("hollywood"), "hard:1ms", 0.001, moves=3)
    assert found.longest >= found.median
    assert found.clock_longest >= found.clock_median >= 0


def test_the_cores_are_busy_only_as_long_as_it_is_wanted() -> None:
    with overrun.busy_cores() as processes:
        assert len(processes) == os.cpu_count()
        assert all(process.poll() is None for process in processes)
    assert all(process.poll() is not None for process in processes)


def test_the_report_has_every_row(results: report.Results, tmp_path: Path) -> None:
    report.write(tmp_path, results)
    text = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    for subject in OTHERS:
        assert f"| {' | '.join(subject)} | {report.number(results.rates[subject])} |" in text
    for game, played in engine.played().items():
        assert f"| {game} | {played.seats} | {played.state_bytes} |" in text
        one = report.number(results.searches[Subject(engine.ENGINE, game, search.ONE_THREAD)])
        assert f"| {game} | {' | '.join(map(report.number, results.searched[game]))} | {one} |" in text
    assert "| OpenSpiel | hearts | C++ ISMCTS bot | 4 | 26.5 | 40,000 |" in text
    assert "| hollywood | 0.75 | 0.50 |" in text
    assert "| hollywood | hard:100ms | 1.0 | 12.3 | 0.0 | 2.0 |" in text
    assert "| hollywood | desktop | 0.50 | 0.25 | 80.4 | 45 | 120 | 3 | 70 |" in text
    for target in report.targets(results):
        assert f"| {target.promise} | {'yes' if target.is_met else 'NO'} | {target.measured} |" in text
    svg = (tmp_path / "benchmarks.svg").read_text(encoding="utf-8")
    assert all(str(subject) in svg for subject in OTHERS)


def test_a_missed_target_is_said_to_be_missed(results: report.Results) -> None:
    assert is_met(results._replace(start_up=StartUp(9.5, 2.0)), "a second process's `simulate")
    assert not is_met(results._replace(start_up=StartUp(9.5, 2.01)), "a second process's `simulate")


@pytest.mark.parametrize(("took", "first", "second"), [((3.0, 1.51), True, False), ((3.01, 1.5), False, True)])
def test_a_first_move_must_come_soon(
    results: report.Results, took: tuple[float, float], first: bool, second: bool
) -> None:
    late = results._replace(first_moves={"hollywood": FirstMove(*took)})
    assert is_met(late, "moves in a first process") == first
    assert is_met(late, "moves in a second process") == second


@pytest.mark.parametrize(("bot", "most"), [("hard:100ms", 0.05), ("hard:500ms", 0.1)])
def test_a_bot_may_think_a_little_too_long(results: report.Results, bot: str, most: float) -> None:
    for longest, met in ((most - 0.001, True), (most, False)):
        late = results._replace(overruns={("hollywood", bot): Overrun(0, longest, 0, 0)})
        assert is_met(late, f"`{bot}` on busy cores") == met


def test_the_search_is_compared_with_the_fastest_of_the_others(results: report.Results) -> None:
    for ours, met in ((4e5, True), (3.99e5, False)):
        assert (
            is_met(results._replace(searches=results.searches | {report.SEARCH: ours}), "OpenSpiel oh_hell, C++") == met
        )


def test_two_threads_must_be_worth_it(results: report.Results) -> None:
    two = Subject(engine.ENGINE, "crimson", search.TWO_THREADS)
    for times, met in ((1.71, True), (1.69, False)):
        one = results.searches[Subject(engine.ENGINE, "crimson", search.ONE_THREAD)]
        assert is_met(results._replace(searches=results.searches | {two: times * one}), f"crimson, {two.way}") == met


def test_numbers_are_written_with_three_digits() -> None:
    assert [report.number(n) for n in (41_234_567.0, 123.4, 12.34, 0.4567, 128)] == [
        "41,200,000",
        "123",
        "12.3",
        "0.457",
        "128",
    ]


def test_a_server_is_compared_with_each_way_of_the_other(results: report.Results) -> None:
    assert is_met(results, f"100 tables ≥ 1 × {MEMORY}")
    assert not is_met(results, f"100 tables ≥ 2 × {FLATFILE}")
    assert not is_met(results, f"p99 of its pushes ≤ {MEMORY}")
    assert is_met(results, f"p99 of its pushes ≤ {FLATFILE}")
    assert is_met(results, "never blocks for 50 ms")


def test_workers_are_compared_with_one_and_many_tables_with_few(results: report.Results) -> None:
    assert is_met(results, "2 workers and 100 tables")
    assert not is_met(results, "2 workers and 5,000 tables")
    assert is_met(results, "5,000 tables costs 0.9 to 1.1 × that with 100 (workers: 1)")
    assert not is_met(results, "5,000 tables costs 0.9 to 1.1 × that with 100 (workers: 2)")
    assert not is_met(results, "1,000 tables costs 0.9 to 1.1 × that with 100 (workers: 1)")


@pytest.mark.parametrize("apart", [False, True])
def test_what_a_choice_costs_workers_and_their_database_is_counted(apart: bool) -> None:
    side = Side(2, 2, apart=apart)
    found = workers.measure_workers(Console(quiet=True), [side], seconds=0.5, rounds=2)
    cost = found[side]
    assert cost.rate > 0
    assert len(cost.servers) == len(cost.postgresql) == 2
    assert min(cost.totals) > 0


def test_a_slow_moment_of_the_machine_does_not_count_against_workers() -> None:
    one = Cost(1000.0, (0.2, 0.4, 0.2), (0.1, 0.2, 0.1), 50.0, 90.0)
    two = Cost(1000.0, (0.25, 0.5, 0.9), (0.11, 0.22, 0.1), 50.0, 90.0)
    assert two.over(one) == pytest.approx(1.2)


def test_people_play_at_our_own_server_and_are_counted() -> None:
    with cardtown_server.serve() as served:
        load = in_loop(measure_load(served, tables=2, seconds=0.5))
    assert load.choices > 0
    assert load.p99 >= load.p50 > 0
    assert load.server_cpu > 0
    assert load.block is not None


@pytest.mark.parametrize(
    ("missed", "words"),
    [
        ({"cold": 1.51}, "can be touched within 1.5 s"),
        ({"script_bytes": 150_001}, "first load ≤ 150 kB"),
        ({"trick_frame": 201.0}, "no frame over 200 ms"),
    ],
)
def test_the_client_must_be_quick_but_not_on_a_slower_processor(
    results: report.Results, missed: dict[str, Any], words: str
) -> None:
    assert is_met(results, f"hollywood in a browser, desktop: {words}")
    for way in client.WAYS:
        slow = results._replace(clients={("hollywood", way.name): CLIENT._replace(**missed)})
        targets = [target for target in report.targets(slow) if words in target.promise]
        assert [target.is_met for target in targets] == ([] if way.slower > 1 else [False])
