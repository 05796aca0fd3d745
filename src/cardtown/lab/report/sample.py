"""Samples of games: the same deals for every rotation of the bots, and the course that each game took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cardtown.bots.budgets import budget_of
from cardtown.bots.levels import BLIND, check_bot, make_bot
from cardtown.core.cards import count
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game, GameError, scores, winners
from cardtown.core.play import seat_to_act

from ..simulate import LIMIT
from ..standings import Lineup, Played
from ..table import Table
from ..tournament import MANY, rotations
from .thinker import Thinker


class Course(NamedTuple):
    """One game: who won it, who chose first, every move (64 × seat + choice) and how many choices there were."""

    played: Played
    first: int
    moves: Any
    options: Any
    is_over: bool

    def seat(self, place: int) -> int:
        """Who has that place in the order of play: 0 is who chose first, the others follow clockwise."""
        return (self.first + place) % len(self.played.lineup)


class Sample(NamedTuple):
    """Games of one kind: so many deals from the first on, each with all rotations of each lineup."""

    table: Table
    lineups: tuple[Lineup, ...]
    first: int
    deals: int
    seed: int

    @property
    def games(self) -> int:
        return self.deals * sum(len(rotations(lineup)) for lineup in self.lineups)


def check_thinker(name: str) -> str:
    """The name of a bot that plays the same game again for the same seed."""
    check_bot(name)
    if name not in BLIND and not iterations(name):
        raise GameError(f"{name} thinks by the clock, so its games can't be repeated; give iterations: hard:2000")
    return name


def iterations(bot: str) -> int:
    """How long a bot thinks about a choice."""
    budget = budget_of(bot)
    return budget.iterations if budget else 0


def play_sample(sample: Sample, game: Game) -> list[Course]:
    """All games of a sample, in order."""
    thinker = Thinker(game)
    return [
        play_course(thinker, sample.table, seated, deal, turn, sample.seed)
        for deal in range(sample.first, sample.first + sample.deals)
        for lineup in sample.lineups
        for turn, seated in enumerate(rotations(lineup))
    ]


def play_course(thinker: Thinker, table: Table, lineup: Lineup, deal: int, turn: int, seed: int) -> Course:
    """One game from its deal to its end: the one that `tournament.play_one` plays."""
    game = thinker.game
    s = game.blank(table.seats, table.options)
    seed_stream(s.rng, seed, deal)
    game.rules.start(s)
    first = seat_to_act(s)
    bots = [make_bot(bot, game, ((deal * MANY + turn) * MANY + seat) ^ (seed << 20)) for seat, bot in enumerate(lineup)]
    moves: list[int] = []
    options: list[int] = []
    while s.acting and len(moves) < LIMIT:
        seat = seat_to_act(s)
        options.append(count(game.rules.legal(s, seat)))
        choice = thinker.choose(bots[seat], s, seat)
        moves.append(seat << 6 | choice)
        game.rules.play(s, seat, choice)
    played = Played(deal, lineup, winners(s), scores(s))
    return Course(played, first, np.array(moves, np.int16), np.array(options, np.uint8), s.acting == 0)


def split(sample: Sample, deals: int) -> Sequence[Sample]:
    """The same games in pieces of at most so many deals."""
    end = sample.first + sample.deals
    return [sample._replace(first=at, deals=min(deals, end - at)) for at in range(sample.first, end, deals)]
