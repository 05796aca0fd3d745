"""Ratings from many games at once, by openskill's model: how likely a seat is to win follows from who sits where.

Openskill itself takes games one after another, and what it makes of them depends on their order. Here all count alike:
the ratings are those that make what happened most likely, from openskill's first guess about a newcomer on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from openskill.models import PlackettLuce

from cardtown.core.odds import Z

from .standings import Played

_model = PlackettLuce()
MEAN, DOUBT, BETA = _model.mu, _model.sigma, _model.beta
"""What openskill thinks of a newcomer, how unsure it is, and how much chance there is in a game."""

STEPS = 100
FARTHEST = 5.0
"""A rating moves by no more at a time while the best ones are looked for."""

GRID = np.arange(MEAN - 12 * DOUBT, MEAN + 12 * DOUBT, 0.01)


class Rating(NamedTuple):
    """A rating, and the range in which it lies with a probability of 95 %."""

    rating: float
    low: float
    high: float


class Seen(NamedTuple):
    """Games as arrays with a row for each, and a column for each bot."""

    seats: Any  # how many seats a bot has
    shares: Any  # what it has of the win
    spread: Any  # by how much ratings must differ to make one e times as likely to win as the other
    deals: Any

    def expected(self, ratings: Any) -> Any:
        """What each bot has of the win on average."""
        worth = self.seats * np.exp((ratings - np.max(ratings)) / self.spread)
        return worth / worth.sum(axis=1, keepdims=True)

    def pulls(self, ratings: Any) -> Any:
        """In which direction each game pulls each rating, and how strongly."""
        return (self.shares - self.expected(ratings)) / self.spread

    def information(self, ratings: Any) -> Any:
        """How surely the games tell the ratings: a square of bots."""
        expected = self.expected(ratings) / self.spread
        return np.diag((expected / self.spread).sum(axis=0)) - expected.T @ expected

    def crowding(self, pulls: Any, information: Any) -> float:
        """How many times as much the deals differ as they would if every game were played for itself."""
        of_deals = np.zeros((self.deals.max() + 1, pulls.shape[1]))
        np.add.at(of_deals, self.deals, pulls)
        return max(1.0, float((of_deals**2).sum() / np.trace(np.atleast_2d(information))))


def seen(played: Sequence[Played], bots: Sequence[str]) -> Seen:
    """What is to be learnt from games; nothing where no seat has won, or one bot had them all."""
    column = {bot: i for i, bot in enumerate(bots)}
    rows = []
    for game in played:
        winners = [seat for seat in game.winners if seat < len(game.lineup)]
        if not winners or len(set(game.lineup)) < 2:
            continue
        seats, shares = np.zeros(len(bots)), np.zeros(len(bots))
        for seat, bot in enumerate(game.lineup):
            seats[column[bot]] += 1
            shares[column[bot]] += (seat in winners) / len(winners)
        rows.append((seats, shares, BETA * np.sqrt(len(game.lineup)), game.deal))
    if not rows:
        nothing = np.zeros((0, len(bots)))
        return Seen(nothing, nothing, np.zeros((0, 1)), np.zeros(0, int))
    seats, shares, spread, deals = (np.array(column) for column in zip(*rows, strict=True))
    return Seen(seats, shares, spread[:, None], deals)


def rate_together(played: Sequence[Played], bots: Sequence[str]) -> dict[str, Rating]:
    """Rate all who played; their mean is what openskill gives a newcomer."""
    games = seen(played, bots)
    ratings = np.full(len(bots), MEAN)
    for _ in range(STEPS):
        pull = games.pulls(ratings).sum(axis=0) - (ratings - MEAN) / DOUBT**2
        stiffness = games.information(ratings) + np.eye(len(bots)) / DOUBT**2
        ratings = ratings + np.clip(np.linalg.solve(stiffness, pull), -FARTHEST, FARTHEST)
    crowding = games.crowding(games.pulls(ratings), games.information(ratings))
    # Only differences are known: what all have in common says nothing.
    against_mean = np.eye(len(bots)) - 1 / len(bots)
    doubts = np.sqrt(np.diag(against_mean @ np.linalg.inv(stiffness) @ against_mean) * crowding)
    middle = ratings - ratings.mean() + MEAN
    return {
        bot: Rating(float(at), float(at - Z * doubt), float(at + Z * doubt))
        for bot, at, doubt in zip(bots, middle, doubts, strict=True)
    }


def rate_newcomer(played: Sequence[Played], bot: str, known: Mapping[str, float]) -> Rating:
    """Rate one who played against those whose ratings are known and stay as they are."""
    others = list(known)
    games = seen(played, [bot, *others])
    fixed = np.array([known[other] for other in others])
    best = GRID[np.argmax(_likelihood(games, fixed, 1.0))]
    ratings = np.array([best, *fixed])
    own = games.pulls(ratings)[:, :1]
    crowding = games.crowding(own, games.information(ratings)[0, 0]) if len(own) else 1.0
    likelihood = _likelihood(games, fixed, crowding)
    chances = np.cumsum(np.exp(likelihood - likelihood.max()))
    low, middle, high = (float(GRID[np.searchsorted(chances, at * chances[-1])]) for at in (0.025, 0.5, 0.975))
    return Rating(middle, low, high)


def _likelihood(games: Seen, fixed: Any, crowding: float) -> Any:
    """How likely each possible rating of the first bot is, as a logarithm: from the games, and from the first guess."""
    total = -((GRID - MEAN) ** 2) / (2 * DOUBT**2)
    for row, times in _alike(games).items():
        seats, share, spread = np.array(row[0]), times[1] / times[0], row[1]
        others = float((seats[1:] * np.exp((fixed - MEAN) / spread)).sum())
        mine = (GRID - MEAN) / spread
        total = total + times[0] / crowding * (share * mine - np.log(seats[0] * np.exp(mine) + others))
    return total


def _alike(games: Seen) -> dict[tuple[tuple[float, ...], float], tuple[int, float]]:
    """Games of the same bots together: how many, and what the first bot has of the wins."""
    found: dict[tuple[tuple[float, ...], float], tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for seats, shares, spread in zip(games.seats, games.shares, games.spread[:, 0], strict=True):
        key = tuple(seats.tolist()), float(spread)
        n, won = found[key]
        found[key] = n + 1, won + float(shares[0])
    return found
