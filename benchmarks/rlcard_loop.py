"""RLCard: random games through its environment, as documented and by hand, and on the raw game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import rlcard
from rlcard.agents import RandomAgent

from .measure import Loop, Loops, Subject

ENGINE = "RLCard"
RUN = "env.run"
STEP = "env.step loop"
RAW = "raw game"
BLIND = "raw game, blind"

LEGAL_ACTIONS: dict[str, Callable[[Any, Any], list[Any]]] = {
    "uno": lambda game, state: state["legal_actions"] if state else game.get_legal_actions(),
    "gin-rummy": lambda game, state: game.judge.get_legal_actions(),
}
"""Where the raw game says what is legal."""


def subjects() -> dict[Subject, Loops]:
    made: dict[Subject, Loops] = {}
    for name, legal_actions in LEGAL_ACTIONS.items():
        made[Subject(ENGINE, name, RUN)] = (run_loop(rlcard.make(name)),)
        made[Subject(ENGINE, name, STEP)] = (step_loop(rlcard.make(name)),)
        made[Subject(ENGINE, name, RAW)] = (raw_loop(rlcard.make(name).game, legal_actions),)
        made[Subject(ENGINE, name, BLIND)] = (blind_loop(rlcard.make(name).game, legal_actions),)
    return made


def run_loop(env: Any) -> Loop:
    """`env.run` with RLCard's own random agents: what its documentation shows."""
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def loop() -> int:
        before = env.timestep
        env.run(is_training=False)
        decisions: int = env.timestep - before
        return decisions

    return loop


def step_loop(env: Any) -> Loop:
    """`env.step` by hand: observations are made, but no probabilities and trajectories."""

    def loop() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return loop


def raw_loop(game: Any, legal_actions: Callable[[Any, Any], list[Any]]) -> Loop:
    """`game.step` without an environment; it still returns what the next player sees."""

    def loop() -> int:
        decisions = 0
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(random.choice(legal_actions(game, state)))
            decisions += 1
        return decisions

    return loop


def blind_loop(game: Any, legal_actions: Callable[[Any, Any], list[Any]]) -> Loop:
    """As tight as can be: `game.step` is kept from making what the next player sees."""
    game.get_state = lambda player_id: None
    init_game, step, is_over, rand = game.init_game, game.step, game.is_over, random.random

    def loop() -> int:
        decisions = 0
        init_game()
        while not is_over():
            actions = legal_actions(game, None)
            step(actions[int(rand() * len(actions))])
            decisions += 1
        return decisions

    return loop
