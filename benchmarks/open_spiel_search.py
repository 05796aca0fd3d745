"""OpenSpiel's own search of the same kind, written in C++: its information-set Monte Carlo tree search bot.

Both games can redeal what a player doesn't know, so every simulation begins with another guess, as ours does. Neither
has observation strings: nodes are told apart by information states, which is the bot's default.
"""

from __future__ import annotations

import random
from itertools import count
from statistics import mean
from typing import Any, NamedTuple

import pyspiel

from .measure import Loop, Loops, Subject
from .search import POSITIONS, Searched

ENGINE = "OpenSpiel"
WAY = "C++ ISMCTS bot"
GAMES = ("hearts", "oh_hell")

UCT_C = 2.0  # a quarter or four times as much changes the speed by less than the noise does
ROLLOUTS = 1
WORLDS = -1  # as many as there are simulations


class Middle(NamedTuple):
    """A state at which a player has more than one choice, and how many decisions the random game still took."""

    state: Any
    left: int


def searched() -> dict[str, Searched]:
    made = {}
    for name in GAMES:
        game = pyspiel.load_game(name)
        left = mean(middle(game, number).left for number in range(POSITIONS))
        made[name] = Searched(game.num_players(), left)
    return made


def subjects(simulations: int) -> dict[Subject, Loops]:
    return {Subject(ENGINE, name, WAY): (search_loop(pyspiel.load_game(name), simulations),) for name in GAMES}


def middle(game: Any, number: int) -> Middle:
    """In the middle of a random game."""
    rng = random.Random(number)
    state = game.new_initial_state()
    met = []
    made = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        if not state.is_chance_node():
            if len(actions) > 1:
                met.append((state.clone(), made))
            made += 1
        state.apply_action(rng.choice(actions))
    before, at = met[len(met) // 2]
    return Middle(before, made - at)


def search_loop(game: Any, simulations: int) -> Loop:
    states = [middle(game, number).state for number in range(POSITIONS)]
    seeds = count()

    def loop() -> int:
        for state in states:
            evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, next(seeds))
            policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            bot = pyspiel.ISMCTSBot(next(seeds), evaluator, UCT_C, simulations, WORLDS, policy)
            bot.step(state)
        return simulations * len(states)

    return loop
