"""Positions of games that played themselves, for tests of those who think about them."""

from __future__ import annotations

from collections.abc import Iterator

from cardtown.core import laws, play
from cardtown.core.cards import count, is_single, members
from cardtown.core.game import Game
from cardtown.core.play import Player, seat_to_act
from cardtown.core.state import Dice, State

APART = 7
"""Decisions from one position to the next: neighbours have little new to tell."""


def positions(game: Game, n: int, seed: int) -> Iterator[tuple[State, int]]:
    """So many decisions with a choice, from tables of every kind, and whose they are."""
    code = game.plain(play)
    tables = list(laws.combinations(game))
    dice = Dice()
    number = 0
    while True:
        seats, options = tables[number % len(tables)]
        s = game.blank(seats, game.complete(options, seats))
        code.begin(s, dice, seed, number)
        decisions = number % APART
        while s.acting:
            asked = members(s.acting)[number % count(s.acting)]
            if decisions % APART == 0 and not is_single(game.rules.legal(s, asked)):
                yield s.copy(), asked
                n -= 1
                if n == 0:
                    return
            seat = seat_to_act(s)
            game.rules.play(s, seat, code.choose(Player.WANDER << (4 * seat), s, seat, dice))
            decisions += 1
        number += 1
