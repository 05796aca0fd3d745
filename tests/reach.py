"""Plays games in plain Python, guesses and observes on the way: under coverage it shows what games really reach."""

from __future__ import annotations

import sys

from cardtown.bots.search import tree
from cardtown.core import laws, observing_laws, play
from cardtown.core.play import Player
from cardtown.core.state import Dice
from cardtown.games import find

OBSERVED = 5
"""One step in so many is observed: it takes longer than to play it."""


def reach(name: str, games: int) -> None:
    game = find(name)
    code = game.plain(play)
    sensible = game.plain(tree).sensible
    dice = Dice()
    for seats, options in laws.combinations(game):
        for player in Player:
            for number in range(games):
                s = game.blank(seats, game.complete(options, seats))
                s.journal = []
                code.begin(s, dice, 21, number)
                for step in range(laws.LIMIT):
                    laws.only_who_acts_may_choose(game, s)
                    guess = s.copy()
                    code.redeal_from(guess, (step + number) % seats, step, number)
                    if step % OBSERVED == number % OBSERVED:
                        observing_laws.observation(game, s, (step + number) % seats)
                    if not s.acting:
                        break
                    seat = play.seat_to_act(s)
                    sensible(s, seat, game.rules.legal(s, seat))
                    game.rules.play(s, seat, code.choose(laws.players_of(player, seats), s, seat, dice))


if __name__ == "__main__":
    reach(sys.argv[1], int(sys.argv[2]))
