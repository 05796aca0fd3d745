"""This engine: every game with its default options and fewest seats, compiled and as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import numpy as np

from cardtown.core import play
from cardtown.core.game import Game
from cardtown.core.state import Dice
from cardtown.games import games

from .measure import Loop, Loops, Subject

ENGINE = "Cardtown"
ONE_THREAD = "compiled, 1 thread"
TWO_THREADS = "compiled, 2 threads"
PLAIN = "plain Python"

RANDOM_PLAYERS = 0
SEED = 1
LIMIT = 100_000
BATCH = 1000
FAR = 1 << 28  # so many games lie between the first ones of two threads


class Played(NamedTuple):
    """What was played."""

    seats: int
    state_bytes: int


def played() -> dict[str, Played]:
    return {game.id: Played(game.check_seats(None), game.rules.State.dtype.itemsize) for game in games().values()}


def subjects() -> dict[Subject, Loops]:
    made: dict[Subject, Loops] = {}
    for game in games().values():
        play_games = game.compiled(play).play_games
        first, second, alone = (compiled_loop(game, play_games, FAR * i) for i in range(3))
        made[Subject(ENGINE, game.id, ONE_THREAD)] = (alone,)
        made[Subject(ENGINE, game.id, TWO_THREADS)] = (first, second)
        made[Subject(ENGINE, game.id, PLAIN)] = (plain_loop(game),)
    return made


def compiled_loop(game: Game, play_games: Callable[..., None], first: int) -> Loop:
    seats = game.check_seats(None)
    blank = game.blank_record(seats, game.complete({}, seats))
    dice = np.zeros(1, Dice.dtype)
    decisions = np.zeros(BATCH, np.int64)
    ends = np.zeros(BATCH, blank.dtype)
    numbers = count(first, BATCH)

    def loop() -> int:
        play_games(blank, dice, RANDOM_PLAYERS, SEED, next(numbers), LIMIT, decisions, ends)
        return int(decisions.sum())

    return loop


def plain_loop(game: Game) -> Loop:
    bound = game.plain(play)
    seats = game.check_seats(None)
    blank = game.blank(seats, game.complete({}, seats))
    dice = Dice()
    numbers = count()

    def loop() -> int:
        s = blank.copy()
        bound.begin(s, dice, SEED, next(numbers))
        decisions: int = bound.play_out(s, RANDOM_PLAYERS, dice, LIMIT)
        return decisions

    return loop
