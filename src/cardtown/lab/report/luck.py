"""Luck and skill: how much of the difference between results comes from the deal, the seat and the player.

Every deal is played with the bots in all rotations, so that each hand that was dealt is played by each bot equally
often: then the sums of squares of deal, seat and player add up (analysis of variance).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from .measuring import Figure
from .sample import Course

SOURCES = ("player", "deal", "seat", "rest")
RESAMPLED = 200
"""How often the deals are drawn anew to see how sure the shares are."""


class Squares(NamedTuple):
    """Results by deal, game of the deal and place in the order of play, and who sat there as a number."""

    results: Any
    players: Any


def squares(courses: Sequence[Course], result: Callable[[Course, int], float]) -> Squares:
    """Arrange the games of a sample; each deal must have the same number of games."""
    deals = [list(games) for _, games in groupby(courses, lambda c: c.played.deal)]
    bots = sorted({bot for c in courses for bot in c.played.lineup})

    def row(c: Course) -> list[int]:
        return [c.seat(place) for place in range(len(c.played.lineup))]

    return Squares(
        np.array([[[result(c, seat) for seat in row(c)] for c in games] for games in deals], np.float64),
        np.array([[[bots.index(c.played.lineup[seat]) for seat in row(c)] for c in games] for games in deals]),
    )


def shares(found: Squares) -> dict[str, float]:
    """The share of the variance that each source explains, less what chance alone would seem to explain."""
    y, who = found
    deals, games, seats = y.shape
    middle = y.mean()
    total = ((y - middle) ** 2).sum()
    if total == 0:
        return {"player": 0.0, "deal": 0.0, "seat": 0.0, "rest": 1.0}
    of_seat = y.mean((0, 1))
    of_deal = y.mean(1)
    bots = np.unique(who)
    sums = {
        "seat": deals * games * ((of_seat - middle) ** 2).sum(),
        "deal": games * ((of_deal - of_seat) ** 2).sum(),
        "player": sum((who == bot).sum() * (y[who == bot].mean() - middle) ** 2 for bot in bots),
    }
    freedom = {"seat": seats - 1, "deal": seats * (deals - 1), "player": len(bots) - 1}
    left = y.size - 1 - sum(freedom.values())
    noise = (total - sum(sums.values())) / left if left > 0 else 0.0
    explained = {name: max(0.0, float((sums[name] - freedom[name] * noise) / total)) for name in sums}
    rest = max(0.0, 1 - sum(explained.values()))
    return {name: explained.get(name, rest) for name in SOURCES}


def luck_and_skill(found: Squares, seed: int) -> dict[str, Figure]:
    """The shares with their 95 % intervals, found by drawing the deals anew many times."""
    value = shares(found)
    dice = np.random.default_rng(seed)
    deals = len(found.results)
    drawn = []
    for _ in range(RESAMPLED):
        picked = dice.integers(deals, size=deals)
        drawn.append(shares(Squares(found.results[picked], found.players[picked])))
    ranges = {name: np.quantile([each[name] for each in drawn], (0.025, 0.975)) for name in SOURCES}
    return {
        name: Figure(value[name], min(float(low), value[name]), max(float(high), value[name]))
        for name, (low, high) in ranges.items()
    }


def of_wins(course: Course, seat: int) -> float:
    return course.played.share(seat)


def of_scores(course: Course, seat: int) -> float:
    return course.played.scores[seat]
