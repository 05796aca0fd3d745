"""Every game of the town for PettingZoo.

    env = cardtown.lab.pettingzoo.env("hollywood", options={"carpet": 3})

`env` asks seat after seat; of several that choose secretly at the same time each is asked without seeing what the
others chose. `parallel_env` asks all seats at once, and those that have nothing to choose answer 0. An observation
holds the row of numbers that the game's `observation.py` describes, and the mask of legal choices. Rewards are shares
of the win, at the end. A choice that is not legal is an error that changes nothing, unless `replace_illegal` says
otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardtown.core.game import GameError, Value
from cardtown.core.match import IllegalChoice
from cardtown.core.state import MAX_CHOICES

from .episodes import Episodes, Row
from .simulate import LIMIT

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise GameError("PettingZoo is missing: install cardtown[lab]") from error

Seen = dict[str, Row]


def env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Value] | None = None,
    replace_illegal: bool = False,
    render_mode: str | None = None,
    limit: int = LIMIT,
) -> AECEnv[str, Seen, int]:
    """A game in which one seat is asked after another; it is given up after `limit` decisions."""
    return OrderEnforcingWrapper(OneByOne(Episodes(game, seats, options, replace_illegal), render_mode, limit))


def parallel_env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Value] | None = None,
    replace_illegal: bool = False,
    render_mode: str | None = None,
    max_cycles: int = LIMIT,
) -> ParallelEnv[str, Seen, int]:
    """A game in which all seats are asked at once; it is given up after so many times."""
    return AtOnce(Episodes(game, seats, options, replace_illegal), render_mode, max_cycles)


class Seats:
    """What both kinds of environments have in common: agents are seats."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "cardtown_v0", "is_parallelizable": True}  # noqa: RUF012

    def __init__(self, episodes: Episodes, render_mode: str | None, limit: int) -> None:
        self.episodes = episodes
        self.render_mode = render_mode
        self.limit = limit
        self.possible_agents = [f"seat_{seat}" for seat in range(episodes.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        masks = Box(0, 1, (MAX_CHOICES,), np.int8)
        self.seen = {a: Dict({"observation": episodes.rows(), "action_mask": masks}) for a in self.possible_agents}
        self.choices = {agent: Discrete(MAX_CHOICES) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.seen[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        return self.choices[agent]

    def observe(self, agent: str) -> Seen:
        return {"observation": self.episodes.row(self.seat_of[agent]), "action_mask": self.mask(agent)}

    def mask(self, agent: str) -> Row:
        """What an agent may answer."""
        raise NotImplementedError

    def reward(self, agent: str) -> float:
        return self.episodes.reward(self.seat_of[agent])

    def render(self) -> str | None:
        return self.episodes.words() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


class OneByOne(Seats, AECEnv[str, Seen, int]):  # type: ignore[misc]
    """The seats in the order in which they choose."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episodes.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalChoice(f"{agent} must choose")
        self.episodes.choose(self.seat_of[agent], int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: self.reward(agent) for agent in self.agents}
        self._accumulate_rewards()
        self._look()

    def _look(self) -> None:
        """See who is asked next, or that it is over."""
        seat = self.episodes.seat
        is_given_up = seat is not None and len(self.episodes.match.choices) >= self.limit
        self.terminations = dict.fromkeys(self.agents, seat is None)
        self.truncations = dict.fromkeys(self.agents, is_given_up)
        self.agent_selection = self.possible_agents[seat or 0]

    def mask(self, agent: str) -> Row:
        """Only who is asked may answer, even if others choose at the same time: they are asked later."""
        seat = self.seat_of[agent]
        return self.episodes.mask(seat) if seat == self.episodes.seat else np.zeros(MAX_CHOICES, np.int8)


class AtOnce(Seats, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """All seats at the same time: a cycle is one choice of each that is asked."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        self.episodes.begin(seed)
        self.agents = self.possible_agents[:]
        self.cycles = 0
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        episodes, agents = self.episodes, self.agents
        asked = [agent for agent in agents if self.seat_of[agent] in episodes.match.acting]
        for agent in asked:
            self._check(agent, actions)
        for agent in asked:
            episodes.choose(self.seat_of[agent], int(actions[agent]))
        self.cycles += 1
        over = episodes.seat is None
        is_given_up = not over and self.cycles >= self.limit
        if over or is_given_up:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            {agent: self.reward(agent) for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, is_given_up),
            {agent: {} for agent in agents},
        )

    def _check(self, agent: str, actions: dict[str, int]) -> None:
        """Before anybody has chosen: none of the choices may be refused."""
        choice = actions.get(agent, -1)
        if not 0 <= choice < MAX_CHOICES or not (self.episodes.replace_illegal or self.mask(agent)[choice]):
            legal = ", ".join(str(number) for number in self.episodes.match.legal(self.seat_of[agent]))
            raise IllegalChoice(f"{agent} can't choose {actions.get(agent)} now; possible are {legal}")

    def mask(self, agent: str) -> Row:
        """Who has nothing to choose can only answer 0."""
        mask = self.episodes.mask(self.seat_of[agent])
        if not mask.any():
            mask[0] = 1
        return mask
