"""The registry: every folder here that has a `GAME` is a game of the town.

Games under development may live elsewhere: `CARDTOWN_GAMES` names further folders that hold game folders.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache

from cardtown.core.game import Game, GameError

__path__ = [*__path__, *filter(None, os.environ.get("CARDTOWN_GAMES", "").split(os.pathsep))]


@cache
def games() -> dict[str, Game]:
    """All games by their id."""
    found = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return {module.GAME.id: module.GAME for module in found}


def find(name: str) -> Game:
    """The game of that id."""
    if name not in games():
        raise GameError(f"there is no game {name!r}; games are {', '.join(games())}")
    return games()[name]
