"""What is played, told so that any process on any machine can find it."""

from __future__ import annotations

import threading
from typing import NamedTuple

from cardtown.core.components import Parts
from cardtown.core.game import Game, GameError, Options
from cardtown.games import find

_opening = threading.Lock()


class Table(NamedTuple):
    """A game, named by its id and components, and how many play it with which options."""

    game: str
    parts: Parts | None
    seats: int
    options: Options
    rules: str = ""
    """The hash of the rules that it must be played by; none: whatever is installed."""

    def open(self) -> Game:
        """The game; an error where other rules are installed."""
        with _opening:  # the threads of a worker may all come at once
            game = find(self.game)
            if self.parts:
                game = game.with_components(self.parts, "components")
        if self.rules and game.rules_hash != self.rules:
            raise GameError(f"a worker has other rules of {self.game}: install the same cardtown everywhere")
        return game

    def fixed(self) -> Table:
        """The same table, to be played by the rules of this process alone."""
        return self._replace(rules=self.open().rules_hash)
