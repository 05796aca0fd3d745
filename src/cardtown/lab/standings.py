"""What came of many games: shares of wins with their ranges, who beats whom, ratings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from cardtown.core.odds import Z, likely_range

Lineup = tuple[str, ...]


class Played(NamedTuple):
    """One game: which deal, who sat where, who won, and the scores."""

    deal: int
    lineup: Lineup
    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def share(self, seat: int) -> float:
        """What a seat has of the win."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


@dataclass(frozen=True)
class Result:
    """How a bot did: how often it sat down, its share of wins with the range in which it likely lies, its rating."""

    bot: str
    games: int
    win_rate: float
    low: float
    high: float
    fair: float
    """The share that each seat would have if all played alike."""
    score: float
    rating: float
    rating_low: float
    rating_high: float


@dataclass(frozen=True)
class Tournament:
    """All games of a tournament, and how each bot did, the best first."""

    played: tuple[Played, ...]
    results: tuple[Result, ...]

    def result(self, bot: str) -> Result:
        return next(result for result in self.results if result.bot == bot)

    def beats(self, bot: str, other: str) -> float | None:
        """How often a seat of `bot` won, of the games that it or a seat of `other` at the same table won."""
        ahead = behind = 0.0
        for game in self.played:
            if bot in game.lineup and other in game.lineup:
                seats = range(len(game.lineup))
                ahead += fmean(game.share(seat) for seat in seats if game.lineup[seat] == bot)
                behind += fmean(game.share(seat) for seat in seats if game.lineup[seat] == other)
        return ahead / (ahead + behind) if ahead + behind else None


def standings(played: Sequence[Played], bots: Sequence[str]) -> tuple[Result, ...]:
    """How each bot did, the best first."""
    ratings = rate(played, bots)
    found = []
    for bot in bots:
        sat = [(game, seat) for game in played for seat, name in enumerate(game.lineup) if name == bot]
        share = fmean(game.share(seat) for game, seat in sat)
        low, high = likely_range(share, independent_games(sat, share))
        fair = fmean(1 / len(game.scores) for game, _ in sat)
        score = fmean(game.scores[seat] for game, seat in sat)
        rating, reach = ratings[bot].mu, Z * ratings[bot].sigma
        found.append(Result(bot, len(sat), share, low, high, fair, score, rating, rating - reach, rating + reach))
    return tuple(sorted(found, key=lambda result: (-result.win_rate, -result.rating)))


def independent_games(sat: Sequence[tuple[Played, int]], share: float) -> float:
    """As how many independent games these count: games of one deal have its luck in common."""
    deals: dict[int, list[float]] = defaultdict(list)
    for game, seat in sat:
        deals[game.deal].append(game.share(seat))
    alone = share * (1 - share) / len(sat)
    if len(deals) < 2 or alone == 0:
        return len(sat)
    seen = variance([fmean(shares) for shares in deals.values()]) / len(deals)
    return len(sat) / max(1.0, seen / alone)


def rate(played: Sequence[Played], bots: Sequence[str]) -> dict[str, PlackettLuceRating]:
    """Openskill ratings. A bot that sits in several seats of a game moves by what its seats move on average."""
    model = PlackettLuce()
    ratings = {bot: model.rating(name=bot) for bot in bots}
    for game in played:
        if len(set(game.lineup)) == 1:
            continue
        ranks = [0.0 if seat in game.winners else 1.0 for seat in range(len(game.lineup))]
        teams = [[model.create_rating([ratings[bot].mu, ratings[bot].sigma])] for bot in game.lineup]
        moved = model.rate(teams, ranks=ranks)
        for bot in set(game.lineup):
            mine = [team[0] for team, name in zip(moved, game.lineup, strict=True) if name == bot]
            ratings[bot] = model.create_rating(
                [fmean(each.mu for each in mine), math.sqrt(fmean(each.sigma**2 for each in mine))], name=bot
            )
    return ratings
