"""Players that are programs. A bot chooses for a seat from what that seat knows, and from nothing else."""

from __future__ import annotations

from typing import Protocol

from cardtown.core.game import Game
from cardtown.core.state import State


class Bot(Protocol):
    """Something that chooses. It is handed a state that was redealt for its seat, so it can't know more."""

    def choose(self, s: State, seat: int) -> int: ...


def ask(bot: Bot, game: Game, s: State, seat: int, seed: int) -> int:
    """What the bot chooses, knowing only what its seat knows."""
    return bot.choose(game.redealt(s, seat, seed), seat)
