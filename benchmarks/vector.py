"""Games side by side: this lab's arrays, with and without what seats know, and others' environments beside them.

All choose at random among what is legal. Ours step on one thread; pgx steps on the CPU, compiled by XLA, which takes
the cores that it finds; PettingZoo steps one game at a time, as it is made to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtown.games import games
from cardtown.lab.vector import Vector

from .engine import ENGINE
from .gpu import seats_of
from .measure import Loop, Loops, Subject

SIDE_BY_SIDE = 4096
STEPS = 16
STEP = "vector, 1 thread"
LOOK = "vector with observations, 1 thread"
ALONE = "vector, one seat, 1 thread"
PGX_GAMES = ("sparrow_mahjong", "leduc_holdem")
PGX = "pgx", "jit(vmap(step)), CPU"
PETTING_ZOO = ("leduc_holdem_v4", "texas_holdem_no_limit_v6")


def subjects() -> dict[Subject, Loops]:
    made: dict[Subject, Loops] = {}
    for game in games().values():
        for way, loop in ((STEP, step_loop), (LOOK, look_loop)):
            made[Subject(ENGINE, game.id, way)] = (loop(Vector(game, SIDE_BY_SIDE, seats_of(game), threads=1)),)
        if 1 in game.seats:
            made[Subject(ENGINE, game.id, ALONE)] = (step_loop(Vector(game, SIDE_BY_SIDE, 1, threads=1)),)
    for name in PGX_GAMES:
        made[Subject(PGX[0], name, PGX[1])] = (pgx_loop(name),)
    for name in PETTING_ZOO:
        made[Subject("PettingZoo", name, "AEC loop")] = (petting_zoo_loop(name),)
    return made


def step_loop(vector: Vector) -> Loop:
    def loop() -> int:
        for _ in range(STEPS):
            vector.step(vector.sample())
        return STEPS * len(vector)

    return loop


def look_loop(vector: Vector) -> Loop:
    def loop() -> int:
        for _ in range(STEPS):
            vector.observe()
            vector.step(vector.sample())
        return STEPS * len(vector)

    return loop


def pgx_loop(name: str) -> Loop:
    """As pgx's own notes do it: many states at once, those that have ended begin anew."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make(name)
    step: Callable[..., Any] = auto_reset(env.step, env.init)

    def advance(carry: Any, key: Any) -> tuple[Any, None]:
        weights = jnp.log(carry.legal_action_mask.astype(jnp.float32))
        choosing, stepping = jax.random.split(key)
        choices = jax.random.categorical(choosing, weights, axis=1)
        return jax.vmap(step)(carry, choices, jax.random.split(stepping, SIDE_BY_SIDE)), None

    run = jax.jit(lambda carry, key: jax.lax.scan(advance, carry, jax.random.split(key, STEPS))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), SIDE_BY_SIDE))
    kept = [state, jax.random.PRNGKey(1)]

    def loop() -> int:
        kept[1], key = jax.random.split(kept[1])
        kept[0] = jax.block_until_ready(run(kept[0], key))
        return STEPS * SIDE_BY_SIDE

    return loop


def petting_zoo_loop(name: str) -> Loop:
    """The loop of PettingZoo's documentation, with random legal actions."""
    import importlib

    env: Any = importlib.import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=1)

    def loop() -> int:
        env.reset()
        decisions = 0
        for agent in env.agent_iter():
            observation, _, ends, truncates, _ = env.last()
            if ends or truncates:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                decisions += 1
        return decisions

    return loop
