"""Decisions to think about, out of random games."""

from __future__ import annotations

from typing import NamedTuple

from cardtown.core import play
from cardtown.core.cards import is_single
from cardtown.core.game import Game
from cardtown.core.play import Player
from cardtown.core.state import Dice, State

SEED = 1


class Position(NamedTuple):
    """A seat that has more than one choice, and how many decisions the random game still took from here."""

    state: State
    seat: int
    left: int


def usual_seats(game: Game) -> int:
    """Two where two can play, else four."""
    return 2 if 2 in game.seats else 4


def real_decisions(game: Game, number: int) -> list[Position]:
    """Every decision of one random game at which there was something to decide."""
    code = game.plain(play)
    seats = usual_seats(game)
    s, dice = game.blank(seats, game.complete({}, seats)), Dice()
    code.begin(s, dice, SEED, number)
    met = []
    made = 0
    while s.acting:
        seat = code.seat_to_act(s)
        if not is_single(game.rules.legal(s, seat)):
            met.append((s.copy(), seat, made))
        game.rules.play(s, seat, code.choose(Player.RANDOM, s, seat, dice))
        made += 1
    return [Position(before, seat, made - at) for before, seat, at in met]


def middle(game: Game, number: int) -> Position:
    """The one in the middle of a random game."""
    decisions = real_decisions(game, number)
    return decisions[len(decisions) // 2]


def spread(game: Game, number: int, n: int) -> list[Position]:
    """So many, from the first of a random game to the last, equally far apart."""
    decisions = real_decisions(game, number)
    return [decisions[i * (len(decisions) - 1) // (n - 1)] for i in range(n)]
