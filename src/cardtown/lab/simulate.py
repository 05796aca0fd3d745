"""Games by the million: compiled, on several threads, the same games for the same seed whatever the threads."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardtown.bots import ask
from cardtown.bots.levels import BLIND, make_bot
from cardtown.core import play
from cardtown.core.chance import Seeded, seed_stream
from cardtown.core.game import Game, Options
from cardtown.core.match import Match
from cardtown.core.state import MAX_SEATS, Dice

LIMIT = 20_000
"""Decisions after which a game is given up, unless asked otherwise."""

CHUNK = 2_000


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

    def mean(self, place: int) -> float:
        total = self.scores[place].total()
        return sum(score * n for score, n in self.scores[place].items()) / total if total else 0.0

    def deviation(self, place: int) -> float:
        total, mean = self.scores[place].total(), self.mean(place)
        squares = math.fsum((score - mean) ** 2 * n for score, n in self.scores[place].items())
        return math.sqrt(squares / total) if total else 0.0


Tick = Callable[[int], None]


def simulate(
    game: Game,
    seats: int,
    options: Options,
    bots: Sequence[str],
    games: int,
    seed: int,
    threads: int,
    limit: int,
    tick: Tick,
) -> Summary:
    """Play `games` games compiled; `tick` is told how many are done as they are."""
    code = game.compiled(play)
    blank = np.zeros(1, game.rules.State.dtype)
    game.blank(seats, options).pack(blank[0])
    players = players_of(bots)
    lanes = threading.local()

    def play_chunk(first: int, n: int) -> tuple[Any, Any]:
        if not hasattr(lanes, "dice"):
            lanes.dice = np.zeros(1, Dice.dtype)
        decisions, ends = np.zeros(n, np.int64), np.zeros(n, blank.dtype)
        code.play_games(blank, lanes.dice, players, seed, first, limit, decisions, ends)
        return decisions, ends

    play_chunk(0, 0)  # compiles, so that what follows measures playing alone
    summary = Summary(places_of(game, seats, options))
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(play_chunk, first, n) for first, n in chunks(games)]
        for done in as_completed(waiting):
            decisions, ends = done.result()
            count_ends(summary, decisions, ends)
            tick(len(ends))
    summary.seconds = time.perf_counter() - began
    return summary


def chunks(games: int) -> Iterator[tuple[int, int]]:
    """The games in pieces: where each begins and how many it holds."""
    for first in range(0, games, CHUNK):
        yield first, min(CHUNK, games - first)


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


def narrate(
    game: Game, seats: int, options: Options, bots: Sequence[str], games: int, seed: int, limit: int, tick: Tick
) -> Iterator[Match]:
    """The same games in plain Python, one match after another, with all that transcripts need; here bots may think."""
    code = game.plain(play)
    players = players_of(bots)
    dice = Dice()
    for number in range(games):
        match = Match(game, seats, options, Seeded(seed, 2 * number))
        seed_stream(dice.rng, seed, 2 * number + 1)
        thinking = {
            seat: make_bot(bot, game, seed + MAX_SEATS * number + seat)
            for seat, bot in enumerate(bots)
            if bot not in BLIND
        }
        while match.outcome is None and len(match.choices) < limit:
            s, seat = match.state, play.seat_to_act(match.state)
            if seat in thinking:
                match.choose(seat, ask(thinking[seat], game, s, seat, len(match.choices)))
            else:
                match.choose(seat, code.choose(players, s, seat, dice))
        yield match
        tick(1)
