"""The ladder of a game: bots that never change, with ratings that stay, against which any other bot gets its own.

It lies in the game's folder as `ladder.json`. Its bots think for a number of iterations, never for a time, so whoever
plays the same deals finds the same ratings.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from cardtown.core.game import Game, GameError, Options
from cardtown.core.odds import likely_range

from .jobs import Threads, Workers
from .rating import Rating, rate_newcomer, rate_together
from .simulate import LIMIT, simulate
from .standings import Lineup, Played, independent_games
from .table import Table
from .tournament import Sit, play_deals, rotations, seat_bot

FILE = "ladder.json"
BASELINES = {"random": 0, "easy": 40, "medium": 200, "hard:1000": 1_000, "hard:2000": 2_000, "hard:10000": 10_000}
"""The bots of a ladder, and how many iterations each thinks about a choice."""

SEED = 2026
BUDGET = 100_000_000
"""For how many iterations there is time when a ladder is made."""

BESIDES = 700
"""All else that a choice takes, as so many iterations."""

FEWEST, MOST = 3, 100
"""Deals that any two meet in."""

SAMPLE = 1_000
DIGITS = 2


@dataclass(frozen=True)
class Rung:
    """A bot of the ladder: its rating with the range in which it lies, and the games that tell it."""

    bot: str
    rating: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Meeting:
    """How one bot did among others that are all the same; `first` is who won the first deal, from each of its seats."""

    bot: str
    others: str
    games: int
    win_rate: float
    first: list[list[int]]


@dataclass(frozen=True)
class Ladder:
    """The best rung comes first."""

    game: str
    rules: str
    seats: int
    options: Options
    seed: int
    rungs: tuple[Rung, ...]
    meetings: tuple[Meeting, ...]

    @property
    def table(self) -> Table:
        return Table(self.game, None, self.seats, self.options, self.rules)

    @property
    def ratings(self) -> dict[str, float]:
        return {rung.bot: rung.rating for rung in self.rungs}


@dataclass(frozen=True)
class Against:
    """A bot's share of wins among the seats of one rung, with the range in which it likely lies."""

    bot: str
    games: int
    win_rate: float
    low: float
    high: float
    fair: float


@dataclass(frozen=True)
class Climb:
    """Where a bot stands, and how it did against each rung."""

    bot: str
    rating: Rating
    games: int
    against: tuple[Against, ...]


def read(game: Game) -> Ladder:
    """A game's ladder; an error if it has none, or one for other rules."""
    again = f"make ladder, or python -m cardtown.cli.baselines {game.id}, plays them"
    try:
        found = json.loads((game.folder / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GameError(f"{game.id} has no ladder: its baselines have not played yet; {again}") from None
    if found["rules"] != game.rules_hash:
        raise GameError(f"the ladder of {game.id} is for other rules or components: nothing can be compared; {again}")
    return Ladder(
        **{
            **found,
            "rungs": tuple(Rung(**rung) for rung in found["rungs"]),
            "meetings": tuple(Meeting(**meeting) for meeting in found["meetings"]),
        }
    )


def write(game: Game, ladder: Ladder) -> None:
    (game.folder / FILE).write_text(json.dumps(asdict(ladder), indent=1) + "\n", encoding="utf-8")


def table_of(game: Game) -> Table:
    """As few seats as are played against each other, with the game's own options."""
    for seats in game.seats:
        options = game.complete({}, seats)
        if game.choosing(seats, options) > 1:
            return Table(game.id, None, seats, options, game.rules_hash)
    raise GameError(f"{game.id} is played alone: there is nobody to be compared with")


def among(bot: str, others: str, seats: int) -> Lineup:
    return (bot, *[others] * (seats - 1))


def freeze(
    game: Game,
    tick: Callable[[int], None] = lambda n: None,
    workers: Workers | None = None,
    bots: Mapping[str, int] = BASELINES,
) -> Ladder:
    """Let all baselines meet and rate them: each among seats of each other, every deal from every seat."""
    table = table_of(game)
    plan = plan_to_freeze(game, bots)
    played = play_deals(table, plan, SEED, tick, workers)
    ratings = rate_together(played, list(bots))
    rungs = []
    for bot in bots:
        rating, low, high = (round(figure, DIGITS) for figure in ratings[bot])
        rungs.append(Rung(bot, rating, low, high, sum(bot in game.lineup for game in played)))
    return Ladder(
        table.game,
        table.rules,
        table.seats,
        table.options,
        SEED,
        tuple(sorted(rungs, key=lambda rung: -rung.rating)),
        tuple(meeting_of(lineup, played) for lineup in dict.fromkeys(lineup for lineup, _ in plan)),
    )


def plan_to_freeze(game: Game, bots: Mapping[str, int] = BASELINES) -> list[tuple[Lineup, int]]:
    """Who meets whom, in which deals: as many as there is time for, shared so that the ratings are as sure as can be.

    Those that think longer meet in fewer deals, and so do those who are far apart: everybody knows who will win.
    """
    table = table_of(game)
    seats = game.choosing(table.seats, table.options)
    sample = simulate(table, ["random"] * seats, SAMPLE, SEED, LIMIT, Threads(1), lambda n: None)
    costs, shares = {}, {}
    for lineup in meetings(list(bots), seats):
        costs[lineup] = seats * sample.decisions / SAMPLE * fmean(bots[bot] + BESIDES for bot in lineup)
        shares[lineup] = 1 / math.sqrt(costs[lineup]) / distance(list(bots), lineup) ** 2
    enough = BUDGET / sum(costs[lineup] * shares[lineup] for lineup in costs)
    deals = {lineup: max(FEWEST, min(MOST, int(enough * shares[lineup]))) for lineup in costs}
    return [(lineup, deal) for lineup in deals for deal in range(deals[lineup])]


def distance(bots: Sequence[str], lineup: Lineup) -> int:
    """How many rungs are between two who meet, and one more."""
    return abs(bots.index(lineup[0]) - bots.index(lineup[1]))


def meetings(bots: Sequence[str], seats: int) -> list[Lineup]:
    """Each bot among each other; with two seats who is among whom is all the same."""
    return [
        among(bot, others, seats)
        for i, others in enumerate(bots)
        for j, bot in enumerate(bots)
        if (i < j if seats == 2 else i != j)
    ]


def meeting_of(lineup: Lineup, played: Sequence[Played]) -> Meeting:
    turns = rotations(lineup)
    games = [game for game in played if game.lineup in turns]
    share = fmean(game.share(game.lineup.index(lineup[0])) for game in games)
    first = [list(game.winners) for game in games if game.deal == 0]
    return Meeting(lineup[0], lineup[1], len(games), round(share, 4), first)


def climb(
    ladder: Ladder,
    bot: str,
    games: int,
    seed: int,
    tick: Callable[[int], None] = lambda n: None,
    workers: Workers | None = None,
    sit: Sit = seat_bot,
) -> Climb:
    """Let a bot play at least `games` games against the rungs, and rate it; `sit` may seat one that has no name."""
    plan = plan_of(ladder, bot, games)
    return judge(ladder, bot, play_deals(ladder.table, plan, seed, tick, workers, sit))


def plan_of(ladder: Ladder, bot: str, games: int) -> list[tuple[Lineup, int]]:
    """The deals of a climb: as many against each rung, but never against itself."""
    table = ladder.table
    seats = table.open().choosing(table.seats, table.options)
    rungs = [rung.bot for rung in ladder.rungs if rung.bot != bot]
    deals = -(-games // (seats * len(rungs)))
    return [(among(bot, rung, seats), deal) for deal in range(deals) for rung in rungs]


def judge(ladder: Ladder, bot: str, played: Sequence[Played]) -> Climb:
    """Where a bot stands after these games."""
    known = {name: rating for name, rating in ladder.ratings.items() if name != bot}
    against = []
    for rung in known:
        sat = [(game, game.lineup.index(bot)) for game in played if rung in game.lineup]
        if sat:
            share = fmean(game.share(seat) for game, seat in sat)
            low, high = likely_range(share, independent_games(sat, share))
            against.append(Against(rung, len(sat), share, low, high, 1 / len(sat[0][0].lineup)))
    return Climb(bot, rate_newcomer(played, bot, known), len(played), tuple(against))


def figures(climb: Climb) -> dict[str, Any]:
    """A climb, for programs."""
    return {
        "bot": climb.bot,
        **climb.rating._asdict(),
        "games": climb.games,
        "against": [asdict(against) for against in climb.against],
    }
