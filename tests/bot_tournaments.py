"""Tournaments that measure the bots against what is promised of them; `make soak bots` runs them and writes docs/bots.md.

Every figure is from duplicate deals: each deal is played from every seat.
"""

from __future__ import annotations

from pathlib import Path

from cardtown.bots.thinking import Budget, think
from cardtown.core.cards import is_single, lowest
from cardtown.core.game import Game
from cardtown.core.state import State
from cardtown.lab.tournament import Player, seat_bot

ROOT = Path(__file__).parent.parent
SEED = 2026
SEES_ALL = "sees all cards"
QUICK = "hard:20ms"


def seat_seeing(name: str, game: Game, seed: int) -> Player:
    """`SEES_ALL` thinks for as long as QUICK does, about the true state: what could be reached at most."""
    if name != SEES_ALL:
        return seat_bot(name, game, seed)

    def choose(s: State, seat: int, decision: int) -> int:
        choices = game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        return think(game, s, seat, Budget(seconds=0.02, sees_all=True), seed + decision).best

    return choose
