"""Thinking quickly, many times over: what `bots.thinking.think` finds, in memory that is used again and again.

The bots are those of `bots.levels`, choice for choice: a game played here is the one that `tournament.play_one` plays.
A state is not redealt before a bot sees it: the search does that by itself, anew in every iteration.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from cardtown.bots import Bot, readiness
from cardtown.bots.levels import ThinkingBot
from cardtown.bots.readiness import Code
from cardtown.bots.search.exact import SLOTS, Ahead
from cardtown.bots.search.tree import ENTRIES, Tree
from cardtown.bots.search.worth import ONE
from cardtown.bots.thinking import LOOKS_PER_ITERATION, Opinion, Thought
from cardtown.core.cards import is_single, lowest, members
from cardtown.core.chance import rand32, seed_stream
from cardtown.core.game import Game, GameError
from cardtown.core.state import State


class Thinker:
    """The memory in which bots think about one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = np.zeros(SLOTS, game.rules.State.dtype)
        self.tree = np.zeros(1, Tree.dtype)[0]
        self.ahead = np.zeros(1, Ahead.dtype)[0]
        self.visits, self.totals = self.tree["visits"], self.tree["totals"]
        self.entries, self.found = self.tree["entries"], self.ahead["found"]

    @cached_property
    def code(self) -> Code:
        """What thinks; it is needed only by bots that do."""
        code = readiness.wait_for(self.game)
        if not code.is_compiled:
            raise GameError(f"the rules of {self.game.id} can't be compiled here: a report would take days")
        return code

    @cached_property
    def words(self) -> Any:
        return self.code.words(self.states)

    def choose(self, bot: Bot, s: State, seat: int) -> int:
        """What a bot chooses."""
        if not isinstance(bot, ThinkingBot):
            return bot.choose(s, seat)
        choices = self.game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        seed = rand32(bot.dice.rng)
        s.pack(self.states[0])
        exact = self.solve(members(choices), seat, bot.budget.iterations, seed)
        return bot.settle(exact or self.search(seat, bot.budget.iterations, seed))

    def solve(self, choices: list[int], seat: int, iterations: int, seed: int) -> Thought | None:
        """The exact worth of each choice on average over the possible worlds; None if there is too much to see."""
        worlds = self.code.exact.list_worlds(self.states, self.words, self.ahead, seat, seed)
        if not worlds:
            return None
        self.ahead["looked"] = 0
        totals = [0] * len(choices)
        for world in range(worlds):
            if not self.code.exact.look_ahead(self.states, self.ahead, seat, world, iterations * LOOKS_PER_ITERATION):
                return None
            totals = [total + int(self.found[choice, seat]) for total, choice in zip(totals, choices, strict=True)]
        found = [
            Opinion(choice, worlds, total / worlds / ONE, 0.0, 0.0)
            for choice, total in zip(choices, totals, strict=True)
        ]
        return Thought(tuple(sorted(found, key=lambda opinion: -opinion.worth)), True)

    def search(self, seat: int, iterations: int, seed: int) -> Thought:
        room = min(ENTRIES, 1 << (2 * iterations).bit_length())
        self.entries[:room] = 0
        for name in ("visits", "totals", "wins", "points", "used"):
            self.tree[name] = 0
        self.tree["room"] = room
        seed_stream(self.tree["rng"], seed, 0)
        self.code.tree.search(self.states, self.tree, seat, iterations)
        found = [
            Opinion(choice, tries, int(self.totals[choice]) / tries / ONE, 0.0, 0.0)
            for choice, tries in enumerate(self.visits.tolist())
            if tries
        ]
        return Thought(tuple(sorted(found, key=lambda opinion: (-opinion.tries, -opinion.worth))), False)
