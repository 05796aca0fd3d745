"""OpenSpiel: random games from Python, as its example shows it, as tight as can be, and by its own C++ bots."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pyspiel

from .measure import Loop, Loops, Subject

ENGINE = "OpenSpiel"
DOCUMENTED = "documented loop"
TIGHT = "tight loop"
BOTS = "C++ bots"

DECISIONS: dict[str, Callable[[int], int]] = {
    "hearts": lambda moves: moves - 53,  # chance chooses whom to pass to and deals 52 cards
    "oh_hell": lambda moves: moves // 2,  # chance makes three moves and deals n cards each; players bid and play n each
}
"""How many of a finished game's moves were the players', where the game was not played in Python."""


def subjects() -> dict[Subject, Loops]:
    made: dict[Subject, Loops] = {}
    for name in DECISIONS:
        game = pyspiel.load_game(name)
        made[Subject(ENGINE, name, DOCUMENTED)] = (documented_loop(game),)
        made[Subject(ENGINE, name, TIGHT)] = (tight_loop(game),)
        made[Subject(ENGINE, name, BOTS)] = (bots_loop(game, DECISIONS[name]),)
    return made


def documented_loop(game: Any) -> Loop:
    """`open_spiel/python/examples/example.py`, without what it prints."""

    def loop() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(np.random.choice(actions, p=probabilities))
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return loop


def tight_loop(game: Any) -> Loop:
    """As few and as cheap calls as possible; in these games all outcomes of chance are equally likely."""
    terminal = int(pyspiel.PlayerId.TERMINAL)
    new, rand = game.new_initial_state, random.random

    def loop() -> int:
        decisions = 0
        state = new()
        current_player, legal_actions, apply_action = state.current_player, state.legal_actions, state.apply_action
        player = current_player()
        while player != terminal:
            actions = legal_actions()
            apply_action(actions[int(rand() * len(actions))])
            if player >= 0:
                decisions += 1
            player = current_player()
        return decisions

    return loop


def bots_loop(game: Any, decisions: Callable[[int], int]) -> Loop:
    """One call per game: `evaluate_bots` with its uniform random bots."""
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    seeds = count()

    def loop() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return decisions(state.move_number())

    return loop
