"""Compiles every game once, before the tests start, so that no two of them do it at the same time."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from cardtown.bots import readiness
from cardtown.core import laws, observing_laws, play
from cardtown.core.play import Player
from cardtown.core.state import Dice
from cardtown.games import find, games
from cardtown.lab.vector import Vector


def warm(name: str) -> None:
    game = find(name)
    seats, options = next(laws.combinations(game))
    blank = game.blank_record(seats, game.complete(options, seats))
    code = game.compiled(play)
    dice = np.zeros(1, Dice.dtype)
    states = np.zeros(3, blank.dtype)
    code.play_games(blank, dice, Player.RANDOM, 1, 0, 1, np.zeros(1, np.int64), states[:1])
    code.trace_game(blank, dice, Player.RANDOM, 1, 0, states)
    observing_laws.check_observing_twins(game, seats, options, Player.RANDOM, 1, 0, 1)
    vector = Vector(game, 1)
    vector.observe()
    vector.legal()
    vector.step(vector.sample())
    readiness.compile_here(game)


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(warm, games()))
