"""One seat of a game for Gymnasium; bots play the others.

    env = gymnasium.make("cardtown/hollywood-v0", bots=["medium"])

Importing this module registers every game of the town. An observation is the row of numbers that the game's
`observation.py` describes; the reward is the share of the win, at the end. What may be chosen is in
`info["action_mask"]` and, as MaskablePPO asks for it, in `action_masks()`. A choice that is not legal is an error that
changes nothing, unless `replace_illegal` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cardtown.bots import Bot, ask
from cardtown.bots.levels import check_bot, make_bot
from cardtown.core.game import GameError, Value
from cardtown.core.state import MAX_CHOICES
from cardtown.games import games

from .episodes import Episodes, Row
from .simulate import LIMIT

try:
    import gymnasium
    from gymnasium.spaces import Discrete
except ModuleNotFoundError as error:
    raise GameError("Gymnasium is missing: install cardtown[lab]") from error


class OneSeat(gymnasium.Env[Row, np.int64]):
    """A seat at a table of bots. Of the bots named the last plays all seats that are left."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Value] | None = None,
        seat: int = 0,
        bots: Sequence[str] = ("easy",),
        replace_illegal: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.episodes = Episodes(game, seats, options, replace_illegal)
        if not 0 <= seat < self.episodes.seats:
            raise GameError(f"there is no seat {seat} to choose for; seats are 0–{self.episodes.seats - 1}")
        if not bots:
            raise GameError("bots must be named to play the other seats")
        self.seat = seat
        others = [other for other in range(self.episodes.seats) if other != seat]
        self.named = {other: check_bot(bots[min(i, len(bots) - 1)]) for i, other in enumerate(others)}
        self.bots: dict[int, Bot] = {}
        self.observation_space = self.episodes.rows()
        self.action_space = Discrete(MAX_CHOICES)
        self.render_mode = render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        super().reset(seed=seed)
        episodes = self.episodes
        episodes.begin(seed)
        seeds = self.np_random.integers(1 << 62, size=episodes.seats)
        self.bots = {seat: make_bot(name, episodes.game, int(seeds[seat])) for seat, name in self.named.items()}
        self._let_bots_choose()
        return episodes.row(self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        episodes = self.episodes
        episodes.choose(self.seat, int(action))
        self._let_bots_choose()
        over = episodes.seat is None
        is_given_up = not over and len(episodes.match.choices) >= LIMIT
        return episodes.row(self.seat), episodes.reward(self.seat), over, is_given_up, self._info()

    def _let_bots_choose(self) -> None:
        match = self.episodes.match
        while (seat := self.episodes.seat) not in (None, self.seat):
            assert seat is not None
            choice = ask(self.bots[seat], self.episodes.game, match.state, seat, len(match.choices))
            match.choose(seat, choice)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.episodes.mask(self.seat)}

    def action_masks(self) -> Any:
        """What may be chosen, as sb3-contrib's MaskablePPO asks for it."""
        return self.episodes.mask(self.seat).astype(bool)

    def render(self) -> str | None:
        return self.episodes.words() if self.render_mode == "ansi" else None


for name in games():
    gymnasium.register(f"cardtown/{name}-v0", "cardtown.lab.gymnasium:OneSeat", kwargs={"game": name})
