"""The bots by name, from one that chooses blindly to one that thinks as long as it is told to."""

from __future__ import annotations

import math

from cardtown.core import play
from cardtown.core.cards import is_single, lowest
from cardtown.core.chance import rand32, seed_stream
from cardtown.core.game import Game, GameError
from cardtown.core.play import Player
from cardtown.core.state import Dice, State

from . import Bot
from .budgets import BUDGETS, budget_of
from .thinking import Budget, Thought, think

BLIND = {"random": Player.RANDOM, "wander": Player.WANDER}
"""The bots that choose by chance alone."""

EASY_SPREAD = 0.1
"""How freely the easy bot prefers a choice that looks worse: by so much worth, once in about three times."""

EASY_LIMIT = 0.2
"""What looks worse than the best by more than this it never chooses."""


class ChanceBot:
    """Chooses at random: uniformly, or first a kind of move and then a move of that kind."""

    def __init__(self, game: Game, player: Player, seed: int) -> None:
        self.code = game.plain(play)
        self.player = player
        self.dice = Dice()
        seed_stream(self.dice.rng, seed, 1)

    def choose(self, s: State, seat: int) -> int:
        choice: int = self.code.choose(self.player << (4 * seat), s, seat, self.dice)
        return choice


class ThinkingBot:
    """Chooses what turns out best when it thinks ahead."""

    def __init__(self, game: Game, budget: Budget, seed: int, threads: int) -> None:
        self.game = game
        self.budget = budget
        self.threads = threads
        self.dice = Dice()
        seed_stream(self.dice.rng, seed, 1)

    def choose(self, s: State, seat: int) -> int:
        choices = self.game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        thought = think(self.game, s, seat, self.budget, rand32(self.dice.rng), self.threads)
        return self.settle(thought)

    def settle(self, thought: Thought) -> int:
        return thought.best


class EasyBot(ThinkingBot):
    """Thinks only briefly, and often prefers what looks a little worse to it, as people do; never what looks silly."""

    def settle(self, thought: Thought) -> int:
        most = max(opinion.worth for opinion in thought.opinions)
        tempting = [opinion for opinion in thought.opinions if opinion.worth >= most - EASY_LIMIT]
        weights = [math.exp((opinion.worth - most) / EASY_SPREAD) for opinion in tempting]
        ticket = rand32(self.dice.rng) / 2**32 * sum(weights)
        for opinion, weight in zip(tempting, weights, strict=True):
            ticket -= weight
            if ticket < 0:
                return opinion.choice
        return thought.best


def check_bot(name: str) -> str:
    """The name of a bot, or an error that says which there are."""
    if name in BLIND or budget_of(name):
        return name
    raise GameError(
        f"there is no bot {name!r}; bots are {', '.join((*BLIND, *BUDGETS))}, "
        "and hard with a time or a number of iterations: hard:500ms, hard:20000"
    )


def make_bot(name: str, game: Game, seed: int, threads: int = 1) -> Bot:
    """The bot of that name. `threads` is how many it may think with when it thinks for a time."""
    if name in BLIND:
        return ChanceBot(game, BLIND[name], seed)
    budget = budget_of(check_bot(name))
    assert budget is not None
    player = EasyBot if name == "easy" else ThinkingBot
    return player(game, budget, seed, threads if budget.seconds else 1)
