"""What a sample of games shows: each figure with the range in which it likely lies."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist, fmean
from typing import NamedTuple

import numpy as np

from cardtown.core.odds import Z, likely_range

from ..standings import Played, independent_games
from .sample import Course


class Figure(NamedTuple):
    """A figure, and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """The standard error that the interval tells of."""
        return (self.high - self.low) / (2 * Z)

    def less(self, amount: float) -> Figure:
        """The same figure, counted from another zero."""
        return Figure(self.value - amount, self.low - amount, self.high - amount)


def mean(values: Iterable[tuple[int, float]]) -> Figure:
    """The mean of figures of games, each given with its deal: games of one deal are no independent ones."""
    deals: dict[int, list[float]] = defaultdict(list)
    for deal, value in values:
        deals[deal].append(value)
    return ratio((sum(found), len(found)) for found in deals.values())


def ratio(parts: Iterable[tuple[float, float]]) -> Figure:
    """All that was counted against all the times that it could have been; each part is independent of the others."""
    found = np.array(list(parts), np.float64).reshape(-1, 2)
    n, times = len(found), found[:, 1].sum()
    if n == 0 or times == 0:
        return Figure(math.nan, math.nan, math.nan)
    value = found[:, 0].sum() / times
    off = found[:, 0] - value * found[:, 1]
    reach = Z * math.sqrt((off @ off) * n / max(n - 1, 1)) / times
    return Figure(float(value), float(value - reach), float(value + reach))


def share(sat: Sequence[tuple[Played, int]]) -> Figure:
    """How much of the wins these seats had."""
    if not sat:
        return Figure(math.nan, math.nan, math.nan)
    value = fmean(game.share(seat) for game, seat in sat)
    return Figure(value, *likely_range(value, independent_games(sat, value)))


def differs(one: Figure, other: Figure, comparisons: int) -> bool:
    """Do two figures differ by more than chance explains, be it in the luckiest of so many comparisons?"""
    if math.isnan(one.value) or math.isnan(other.value):
        return False
    return abs(one.value - other.value) > smallest_seen(one, other, comparisons) + 1e-12


def smallest_seen(one: Figure, other: Figure, comparisons: int) -> float:
    """The smallest difference of two figures that chance would not explain."""
    return likely_reach(comparisons) * math.hypot(one.error, other.error)


def likely_reach(comparisons: int) -> float:
    """Within how many standard errors of the truth all of so many figures lie, nineteen times of twenty."""
    return NormalDist().inv_cdf(1 - 0.025 / max(comparisons, 1))


def places_of(courses: Sequence[Course]) -> range:
    """The places in the order of play."""
    return range(len(courses[0].played.lineup))


def by_place(courses: Sequence[Course]) -> list[Figure]:
    """How much each place in the order of play had of the wins: first who chose first, the others clockwise."""
    return [share([(c.played, c.seat(place)) for c in courses]) for place in places_of(courses)]


def by_seat(courses: Sequence[Course]) -> list[Figure]:
    """The same for the seats as they are numbered."""
    return [share([(c.played, seat) for c in courses]) for seat in places_of(courses)]


def fair_share(courses: Sequence[Course]) -> float:
    """What each seat that chooses would have if their place made no difference."""
    return fmean(c.played.share(seat) for c in courses for seat in places_of(courses))


def edge(courses: Sequence[Course], place: int) -> Figure:
    """By how much a place in the order of play wins more than the others do on average."""
    return by_place(courses)[place].less(fair_share(courses))


def lengths(courses: Sequence[Course]) -> Figure:
    """Decisions in a game."""
    return mean((c.played.deal, len(c.moves)) for c in courses)


def decisions_of(course: Course, seat: int) -> int:
    return int(np.count_nonzero(course.moves >> 6 == seat))


def decisions_by_place(courses: Sequence[Course]) -> list[Figure]:
    return [mean((c.played.deal, decisions_of(c, c.seat(place))) for c in courses) for place in places_of(courses)]


def branching(courses: Sequence[Course]) -> Figure:
    """How many choices a decision offers."""
    return ratio((int(c.options.sum()), len(c.options)) for c in courses)


def forced(courses: Sequence[Course]) -> Figure:
    """How many of the decisions offer one choice alone."""
    return ratio((int(np.count_nonzero(c.options == 1)), len(c.options)) for c in courses)


def choices_offered(courses: Sequence[Course]) -> Counter[int]:
    """How many decisions offered how many choices."""
    counts = sum((np.bincount(c.options, minlength=64) for c in courses), np.zeros(64, np.int64))
    return Counter({n: int(times) for n, times in enumerate(counts) if times})


def branching_over_time(courses: Sequence[Course], pieces: int = 10) -> list[float]:
    """How many choices a decision offers in the first tenth of a game, in the second, and so on."""
    totals, times = np.zeros(pieces), np.zeros(pieces)
    for c in courses:
        piece = np.arange(len(c.options)) * pieces // max(len(c.options), 1)
        totals += np.bincount(piece, c.options, pieces)
        times += np.bincount(piece, minlength=pieces)
    return [float(total / n) if n else math.nan for total, n in zip(totals, times, strict=True)]


def margin(played: Played) -> int | None:
    """By how many points the winner is ahead of the nearest other; in some games few points are good."""
    if not played.winners or len(played.winners) == len(played.scores):
        return None
    best = played.scores[played.winners[0]]
    return min(abs(best - score) for place, score in enumerate(played.scores) if place not in played.winners)


def margins(courses: Sequence[Course]) -> list[int]:
    return [found for c in courses if (found := margin(c.played)) is not None]


def how_often(courses: Sequence[Course], happened: Callable[[Course], bool]) -> Figure:
    """The share of games in which something happened; one game per deal."""
    value = fmean(happened(c) for c in courses)
    return Figure(value, *likely_range(value, len({c.played.deal for c in courses})))


def shared_wins(courses: Sequence[Course]) -> Figure:
    return how_often(courses, lambda c: len(c.played.winners) > 1)


def without_winner(courses: Sequence[Course]) -> Figure:
    return how_often(courses, lambda c: not c.played.winners)


def scores_by_place(courses: Sequence[Course]) -> list[list[int]]:
    """The final scores of each place in the order of play."""
    return [[c.played.scores[c.seat(place)] for c in courses] for place in places_of(courses)]


def deviation(values: Sequence[float]) -> float:
    return float(np.std(values))


def quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    """What one in twenty falls short of, half do, and one in twenty exceeds."""
    low, middle, high = np.quantile(values, (0.05, 0.5, 0.95), method="inverted_cdf")
    return float(low), float(middle), float(high)
