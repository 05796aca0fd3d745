"""What a network has learnt of a game, as arrays: `cardtown train` writes it, the search is guided by it.

A guide belongs to a game with the very rules, components and number of seats that it was trained with.
"""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardtown.core.game import Game, GameError
from cardtown.core.state import MAX_CHOICES, State

from .guided import Net

LAYERS = ("first", "second", "policy", "value")


@dataclass(frozen=True)
class Guide:
    """Weights, and for how many seats they were trained."""

    weights: dict[str, Any]
    seats: int

    @property
    def size(self) -> int:
        """How many numbers it wants to know."""
        return len(self.weights["first"])

    def judge(self, game: Game, s: State, seat: int) -> tuple[list[float], list[float]]:
        """How good each choice looks (0 if it is not legal), and each place's share of the win, from `seat` on."""
        legal = game.rules.legal(s, seat)
        x = game.observed(s, seat).astype(np.float32)
        for name in ("first", "second"):
            x = np.maximum(x @ self.weights[name] + self.weights[f"{name}_bias"], 0)
        odds, shares = (x @ self.weights[name] + self.weights[f"{name}_bias"] for name in ("policy", "value"))
        odds[[choice for choice in range(MAX_CHOICES) if not legal >> choice & 1]] = -np.inf
        return softened(odds).tolist(), softened(shares).tolist()

    def net(self) -> Net:
        """The weights with room of one's own to think in: one for each thread."""
        width, places = len(self.weights["second"]), len(self.weights["value_bias"])
        return Net(
            **self.weights,
            known=np.zeros(self.size, np.int8),
            one=np.zeros(width, np.float32),
            two=np.zeros(width, np.float32),
            odds=np.zeros(MAX_CHOICES, np.float32),
            shares=np.zeros(places, np.float32),
        )


def softened(weights: Any) -> Any:
    """Weights as shares of one."""
    odds = np.exp(weights - weights.max())
    return odds / odds.sum()


def load_guide(file: Path, game: Game) -> Guide:
    """The guide in a file; an error if there is none, or if it is for something else."""
    try:
        found = np.load(file)
    except (OSError, ValueError, zipfile.BadZipFile):
        raise GameError(f"{file}: there is no file there that `cardtown train` has written") from None
    with found:
        weights = {
            name if kind == "weight" else f"{name}_{kind}": np.ascontiguousarray(found[f"{name}_{kind}"], np.float32)
            for name in LAYERS
            for kind in ("weight", "bias")
        }
        guide = Guide(weights, int(found["seats"]))
        trained = {name: str(found[name]) for name in ("game", "rules", "observation")}
    if trained != trained_for(game):
        raise GameError(f"{file.name} was trained for {trained['game']} as it was then, not for {game.id} as it is now")
    return guide


def trained_for(game: Game) -> dict[str, str]:
    """What a file says that it was trained for: the game, its rules and components, and what its seats are told."""
    told = repr([(part.name, part.length) for part in game.observation])
    return {
        "game": game.id,
        "rules": game.rules_hash,
        "observation": hashlib.sha256(told.encode()).hexdigest()[:16],
    }
