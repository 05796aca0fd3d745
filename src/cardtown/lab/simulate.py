"""Games by the million: compiled, on all cores or machines, the same games for the same seed whoever plays them."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cardtown.bots import ask, readiness
from cardtown.bots.levels import BLIND, make_bot
from cardtown.core import play, transcript
from cardtown.core.chance import Seeded, seed_stream
from cardtown.core.game import Game, Options
from cardtown.core.match import Match
from cardtown.core.state import MAX_SEATS, Dice

from .jobs import Workers, in_order
from .table import Table

LIMIT = 20_000
"""Decisions after which a game is given up, unless asked otherwise."""

CHUNK = 2_000
"""Games of which the last states are kept at a time."""

MOST_PIECES = 500


@dataclass
class Summary:
    """What came of many games; scores and wins are of games that ended."""

    places: int
    games: int = 0
    truncated: int = 0
    decisions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    shared: int = 0
    scores: list[Counter[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = [0] * self.places
        self.scores = [Counter() for _ in range(self.places)]

    def add(self, match: Match) -> None:
        """Count one match."""
        self.games += 1
        self.decisions += len(match.choices)
        if match.outcome is None:
            self.truncated += 1
            return
        self.shared += len(match.outcome.winners) > 1
        for place in match.outcome.winners:
            self.wins[place] += 1
        for place, score in enumerate(match.outcome.scores):
            self.scores[place][score] += 1

    def __iadd__(self, other: Summary) -> Summary:
        """Count all that another has counted."""
        self.games += other.games
        self.truncated += other.truncated
        self.decisions += other.decisions
        self.shared += other.shared
        for place in range(self.places):
            self.wins[place] += other.wins[place]
            self.scores[place].update(other.scores[place])
        return self

    def mean(self, place: int) -> float:
        total = self.scores[place].total()
        return sum(score * n for score, n in self.scores[place].items()) / total if total else 0.0

    def deviation(self, place: int) -> float:
        total, mean = self.scores[place].total(), self.mean(place)
        squares = math.fsum((score - mean) ** 2 * n for score, n in self.scores[place].items())
        return math.sqrt(squares / total) if total else 0.0


Tick = Callable[[int], None]


class Piece(NamedTuple):
    """Some of the games: the number of the first, and how many."""

    first: int
    n: int


def pieces(games: int, size: int) -> list[Piece]:
    """The games in pieces of that size."""
    return [Piece(first, min(size, games - first)) for first in range(0, games, size)]


def simulate(
    table: Table, bots: Sequence[str], games: int, seed: int, limit: int, workers: Workers, tick: Tick
) -> Summary:
    """Play `games` games compiled; `tick` is told how many are done as they are."""
    table = table.fixed()
    summary = play_piece(table, bots, seed, limit, Piece(0, 0))  # compiles, so that what follows measures playing alone
    work = partial(play_piece, table, bots, seed, limit)
    began = time.perf_counter()
    split = pieces(games, max(CHUNK, -(-games // MOST_PIECES)))
    for part in in_order(work, split, workers, lambda part: tick(part.games)):
        summary += part
    summary.seconds = time.perf_counter() - began
    return summary


def play_piece(table: Table, bots: Sequence[str], seed: int, limit: int, piece: Piece) -> Summary:
    """A piece of a simulation: what came of its games."""
    game = table.open()
    code = game.compiled(play)
    blank, dice = game.blank_record(table.seats, table.options), np.zeros(1, Dice.dtype)
    summary = Summary(places_of(game, table.seats, table.options))
    for first, n in pieces(piece.n, CHUNK) or [piece]:
        decisions, ends = np.zeros(n, np.int64), np.zeros(n, blank.dtype)
        code.play_games(blank, dice, players_of(bots), seed, piece.first + first, limit, decisions, ends)
        count_ends(summary, decisions, ends)
    return summary


def places_of(game: Game, seats: int, options: Options) -> int:
    """How many have a score: seats, and what plays by itself."""
    s = game.blank(seats, options)
    game.plain(play).begin(s, Dice(), 0, 0)
    return s.places


def count_ends(summary: Summary, decisions: Any, ends: Any) -> None:
    """Add a chunk of last states to the summary."""
    ended = ends["acting"] == 0
    winners = ends["winners"][ended]
    summary.games += len(ends)
    summary.truncated += len(ends) - len(winners)
    summary.decisions += int(decisions.sum())
    summary.shared += int(np.count_nonzero(winners & (winners - 1)))
    for place in range(summary.places):
        summary.wins[place] += int(np.count_nonzero(winners >> place & 1))
        scores = ends["score"][ended, place].astype(np.int64)
        low = int(scores.min(initial=0))
        times = np.bincount(scores - low)
        summary.scores[place].update({low + i: int(n) for i, n in enumerate(times) if n})


def players_of(bots: Sequence[str]) -> int:
    """Who plays, as compiled games want it: four bits per seat. Who thinks is not among them."""
    return sum(BLIND[bot] << (4 * seat) for seat, bot in enumerate(bots) if bot in BLIND)


def tell(
    table: Table, bots: Sequence[str], games: int, seed: int, limit: int, workers: Workers, tick: Tick
) -> Iterator[tuple[Summary, str]]:
    """The same games in plain Python, where bots may think: what came of each, and its transcript if it ended."""
    if any(bot not in BLIND for bot in bots):
        readiness.wait_for(table.open())
    work = partial(tell_piece, table.fixed(), bots, seed, limit)
    return in_order(work, pieces(games, 1), workers, lambda part: tick(1))


def tell_piece(table: Table, bots: Sequence[str], seed: int, limit: int, piece: Piece) -> tuple[Summary, str]:
    """One game of them."""
    game = table.open()
    if any(bot not in BLIND for bot in bots):
        readiness.wait_for(game)
    match = narrate(game, table.seats, table.options, bots, seed, piece.first, limit)
    summary = Summary(places_of(game, table.seats, table.options))
    summary.add(match)
    return summary, transcript.line_of(transcript.write(match)) if match.outcome else ""


def narrate(game: Game, seats: int, options: Options, bots: Sequence[str], seed: int, number: int, limit: int) -> Match:
    """Play one game of those that belong to a seed in plain Python, with all that a transcript needs."""
    code = game.plain(play)
    players = players_of(bots)
    match = Match(game, seats, options, Seeded(seed, 2 * number))
    dice = Dice()
    seed_stream(dice.rng, seed, 2 * number + 1)
    thinking = {
        seat: make_bot(bot, game, seed + MAX_SEATS * number + seat) for seat, bot in enumerate(bots) if bot not in BLIND
    }
    while match.outcome is None and len(match.choices) < limit:
        s, seat = match.state, play.seat_to_act(match.state)
        if seat in thinking:
            match.choose(seat, ask(thinking[seat], game, s, seat, len(match.choices)))
        else:
            match.choose(seat, code.choose(players, s, seat, dice))
    return match
