"""Tournaments: who meets whom, what is counted, and how sure it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardtown.core.odds import likely_range
from cardtown.lab.jobs import Processes, Threads
from cardtown.lab.plot import plot_results
from cardtown.lab.standings import Played, Tournament, independent_games, standings
from cardtown.lab.table import Table
from cardtown.lab.tournament import games_of, hold, lineups, rotations

HOLLYWOOD = Table("hollywood", None, 2, {"carpet": 4})


def test_the_last_bot_fills_the_seats_that_are_left() -> None:
    assert lineups(["hard", "random"], 4) == [("hard", "random", "random", "random")]
    assert lineups(["a", "b", "a", "b"], 4) == [("a", "b", "a", "b")]


def test_of_too_many_bots_every_choice_meets() -> None:
    assert lineups(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lineups(["a", "b"], 1) == [("a",), ("b",)]


def test_every_seating_is_played_once() -> None:
    assert rotations(("a", "b", "b")) == [("a", "b", "b"), ("b", "b", "a"), ("b", "a", "b")]
    assert rotations(("a", "b", "a", "b")) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert rotations(("a", "a")) == [("a", "a")]


def test_a_bot_that_meets_itself_wins_half_of_every_deal() -> None:
    """The same deals from both seats: what one seat of a deal wins the other loses."""
    held = hold(HOLLYWOOD, ["hard:50", "random"], 20, seed=3, workers=Threads(1))
    assert len(held.played) == games_of(HOLLYWOOD, ["hard:50", "random"], 20) == 20
    assert {game.deal for game in held.played} == set(range(10))
    assert [game.lineup for game in held.played[:2]] == [("hard:50", "random"), ("random", "hard:50")]
    assert held.results[0].bot == "hard:50"
    assert held.results[0].win_rate + held.results[1].win_rate == pytest.approx(1)


def test_the_same_seed_gives_the_same_tournament_whatever_the_processes() -> None:
    one, two = (hold(HOLLYWOOD, ["hard:30", "easy"], 8, seed=3, workers=Processes(n)) for n in (1, 2))
    assert one == two


def games(*shares: tuple[int, str]) -> list[Played]:
    return [Played(deal, ("a", "b"), (0,) if who == "a" else (1,), (1, 0)) for deal, who in shares]


def test_games_of_one_deal_count_for_less_when_its_luck_decides_them() -> None:
    lucky = games(*[(deal, "ab"[deal % 2]) for deal in range(20) for _ in range(2)])
    assert independent_games([(game, 0) for game in lucky], 0.5) == pytest.approx(20, rel=0.06)
    fair = games(*[(deal, who) for deal in range(20) for who in "ab"])
    assert independent_games([(game, 0) for game in fair], 0.5) == 40


def test_shared_wins_are_shared() -> None:
    played = [Played(0, ("a", "b"), (0, 1), (5, 5)), Played(1, ("a", "b"), (0,), (5, 4))]
    first, second = standings(played, ["b", "a"])
    assert (first.bot, first.win_rate, first.games, first.fair) == ("a", 0.75, 2, 0.5)
    assert second.win_rate == 0.25
    assert first.rating > second.rating
    assert first.rating_low < first.rating < first.rating_high


def test_who_beats_whom_is_counted_per_seat() -> None:
    played = [Played(0, ("a", "b", "b", "b"), (winner,), (0, 0, 0, 0)) for winner in (0, 1, 2, 3)]
    held = Tournament(tuple(played), standings(played, ["a", "b"]))
    assert held.beats("a", "b") == pytest.approx(0.5)
    assert held.result("a").win_rate == held.result("a").fair == 0.25


@pytest.mark.parametrize(
    ("share", "tries", "low", "high"), [(0.5, 100, 0.404, 0.596), (1.0, 50, 0.929, 1.0), (0.0, 10, 0.0, 0.278)]
)
def test_the_likely_range_is_wilsons(share: float, tries: int, low: float, high: float) -> None:
    assert list(likely_range(share, tries)) == pytest.approx([low, high], abs=6e-4)


def test_nothing_is_known_after_no_tries() -> None:
    assert likely_range(0.0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_results_are_drawn(tmp_path: Path, suffix: str) -> None:
    results = standings(games((0, "a"), (1, "b"), (2, "a")), ["a", "b"])
    files = [tmp_path / f"{i}{suffix}" for i in range(2)]
    for file in files:
        plot_results(results, "A title", file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(b"<?xml" if suffix == ".svg" else b"\x89PNG")
