"""Players that are programs. A bot chooses for a seat from what that seat knows, and from nothing else."""

from __future__ import annotations

from typing import Protocol

from cardtown.core import play
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game
from cardtown.core.play import Player
from cardtown.core.state import Dice, State

BOTS = {"random": Player.RANDOM, "wander": Player.WANDER}
"""The bots by name; these two choose by chance alone."""


class Bot(Protocol):
    """Something that chooses. It is handed a state that was redealt for its seat, so it can't know more."""

    def choose(self, s: State, seat: int) -> int: ...


class ChanceBot:
    """Chooses at random: uniformly, or first a kind of move and then a move of that kind."""

    def __init__(self, game: Game, player: Player, seed: int) -> None:
        self.code = game.plain(play)
        self.player = player
        self.dice = Dice()
        seed_stream(self.dice.rng, seed, 1)

    def choose(self, s: State, seat: int) -> int:
        choice: int = self.code.choose(self.player << (4 * seat), s, seat, self.dice)
        return choice


def make_bot(name: str, game: Game, seed: int) -> Bot:
    """The bot of that name."""
    return ChanceBot(game, BOTS[name], seed)


def ask(bot: Bot, game: Game, s: State, seat: int, seed: int) -> int:
    """What the bot chooses, knowing only what its seat knows."""
    guess = s.copy()
    game.plain(play).redeal_from(guess, seat, seed, 0)
    return bot.choose(guess, seat)
