"""The benchmark's own part runs, and its report leaves nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import engine, report
from benchmarks.measure import Rates, Subject, measure
from benchmarks.start_up import StartUp

OTHERS = {
    report.HEARTS: 1e5,
    Subject("OpenSpiel", "hearts", "tight loop"): 6e5,
    report.UNO: 4e4,
    report.RAW_UNO: 1.2e5,
}


@pytest.fixture(scope="module")
def rates() -> Rates:
    return measure(engine.subjects(), 0.01, 1) | OTHERS


def results(rates: Rates, second: float = 1.25) -> report.Results:
    return report.Results(rates, engine.played(), StartUp(9.5, second), "How it was measured.")


def test_every_game_is_measured_in_every_way(rates: Rates) -> None:
    for game in engine.played():
        for way in (engine.ONE_THREAD, engine.TWO_THREADS, engine.PLAIN):
            assert rates[Subject(engine.ENGINE, game, way)] > 0


def test_the_report_has_every_row(rates: Rates, tmp_path: Path) -> None:
    report.write(tmp_path, results(rates))
    text = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    for subject in OTHERS:
        assert f"| {' | '.join(subject)} | {report.number(rates[subject])} |" in text
    for game, played in engine.played().items():
        assert f"| {game} | {played.seats} | {played.state_bytes} |" in text
    for target in report.targets(results(rates)):
        assert f"| {target.promise} | {'yes' if target.is_met else 'NO'} | {target.measured} |" in text
    svg = (tmp_path / "benchmarks.svg").read_text(encoding="utf-8")
    assert all(str(subject) in svg for subject in OTHERS)


def test_a_missed_target_is_said_to_be_missed(rates: Rates) -> None:
    assert report.targets(results(rates, second=2.0))[-1].is_met
    assert not report.targets(results(rates, second=2.01))[-1].is_met


def test_numbers_are_written_with_three_digits() -> None:
    assert [report.number(n) for n in (41_234_567.0, 123.4, 12.34, 0.4567, 128)] == [
        "41,200,000",
        "123",
        "12.3",
        "0.457",
        "128",
    ]
