"""Bots that have learnt, by the file they learnt into: `FILE.npz` chooses what its network finds best at a glance,
`FILE.npz:50ms` and `FILE.npz:2000` let it guide a search of so many milliseconds or iterations.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache
from pathlib import Path

from cardtown.bots import Bot
from cardtown.bots.levels import check_bot, make_bot
from cardtown.bots.readiness import wait_for
from cardtown.bots.thinking import Budget, Lane, opinions, solve
from cardtown.core.cards import is_single, lowest
from cardtown.core.chance import rand32, seed_stream
from cardtown.core.game import Game, GameError
from cardtown.core.state import Dice, State

from . import guided
from .guide import Guide, load_guide

LEARNT = re.compile(r"(?P<file>.+\.npz)(?::(?:(?P<ms>[1-9][0-9]{0,5})ms|(?P<iterations>[1-9][0-9]{0,7})))?")


class QuickBot:
    """Chooses what its network finds best, without thinking ahead."""

    def __init__(self, game: Game, guide: Guide) -> None:
        self.game = game
        self.guide = guide

    def choose(self, s: State, seat: int) -> int:
        odds, _ = self.guide.judge(self.game, s, seat)
        return max(range(len(odds)), key=odds.__getitem__)


class GuidedBot:
    """Thinks ahead, guided by its network."""

    def __init__(self, game: Game, guide: Guide, budget: Budget, seed: int) -> None:
        self.game = game
        self.guide = guide
        self.budget = budget
        self.dice = Dice()
        seed_stream(self.dice.rng, seed, 1)

    def choose(self, s: State, seat: int) -> int:
        choices = self.game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        code, seed = wait_for(self.game), rand32(self.dice.rng)
        end = time.perf_counter() + self.budget.seconds
        exact = solve(self.game, code, s, seat, self.budget, seed)
        if exact:
            return exact.best
        lane = GuidedLane(self.game, code, s, seat, self.budget, seed, 0)
        lane.guide_by(self.game, self.guide)
        if self.budget.iterations:
            lane.search(self.budget.iterations)
        else:
            lane.search_until(end)
        return opinions((lane,))[0].choice


class GuidedLane(Lane):
    """A search that asks a network."""

    def guide_by(self, game: Game, guide: Guide) -> None:
        self.guided = game.compiled(guided)
        self.net = guide.net()

    def search(self, iterations: int) -> None:
        self.guided.search_guided(self.states, self.tree, self.net, self.seat, iterations)


@lru_cache(16)
def _guide(file: str, game: Game) -> Guide:
    return load_guide(Path(file), game)


def make_player(name: str, game: Game, seed: int) -> Bot:
    """The bot of that name, whether it has learnt or not."""
    found = LEARNT.fullmatch(name)
    if found is None:
        return make_bot(name, game, seed)
    guide = _guide(found["file"], game)
    if found["ms"]:
        return GuidedBot(game, guide, Budget(seconds=int(found["ms"]) / 1000), seed)
    if found["iterations"]:
        return GuidedBot(game, guide, Budget(iterations=int(found["iterations"])), seed)
    return QuickBot(game, guide)


def check_player(name: str, game: Game, seats: int) -> str:
    """The name of a bot, whether it has learnt or not, that can play at a table of so many seats."""
    found = LEARNT.fullmatch(name)
    if found is None:
        return check_bot(name)
    guide = _guide(found["file"], game)
    if guide.seats != seats:
        raise GameError(f"{found['file']} was trained for {guide.seats} seats, not {seats}")
    return name
