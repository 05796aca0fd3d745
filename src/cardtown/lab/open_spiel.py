"""Every game of the town for OpenSpiel: importing this module registers them as `cardtown_<game>`.

    import pyspiel
    import cardtown.lab.open_spiel

    game = pyspiel.load_game("cardtown_hollywood(options=carpet:3)")

Parameters are `seats`, `options` (several with a semicolon between them) and `components` (a file). Chance is explicit:
each card of a shuffle is a node. Choices made secretly at the same time are asked for one after another. A return is
the share of the win less the fair share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cardtown.core import play
from cardtown.core.game import Game, GameError
from cardtown.core.play import Player
from cardtown.core.state import MAX_CHOICES, Dice, State
from cardtown.games import games

from .simulate import LIMIT
from .unfolding import CHANCE, OVER, Position, Setting, knowledge, setting

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise GameError("OpenSpiel is missing: install cardtown[lab]") from error

PREFIX = "cardtown_"
MOST_DRAWN = 1 << 16
"""More than chance ever decides in a game."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its seats and options; each game has a class of its own."""

    game: Game

    def __init__(self, params: dict[str, Any]) -> None:
        game = self.game
        asked = {**defaults(game), **params}
        options = tuple(pair.replace(":", "=", 1) for pair in asked["options"].split(";") if pair)
        played = setting(game.id, asked["components"], asked["seats"], options)
        given = {key: value for key, value in params.items() if value != defaults(game)[key]}
        super().__init__(game_type(game, played), game_info(played), given)
        self.setting = played

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWN

    def state_at(self, s: State) -> SpielState:
        """A state where a game stands that was played elsewhere: what is known begins there."""
        return self._state(self.setting.position_at(s))

    def _state(self, position: Position) -> SpielState:
        made = SpielState(self)
        made.position = position
        return made

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        if params:
            raise GameError(f"observers have no parameters, so not {params}")
        return Observer(self.setting, kind or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """Where a game stands. What OpenSpiel asks for most is answered without a way through its own code."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.setting.beginning

    def current_player(self) -> int:
        return self.position.who

    def is_terminal(self) -> bool:
        return self.position.who == OVER

    def is_chance_node(self) -> bool:
        return self.position.who == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        who = self.position.who
        if who == CHANCE:
            return [action for action, _ in self.chance_outcomes()]
        return self.position.legal() if who != OVER and player in (None, who) else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.position.draw is not None
        return self.position.draw.outcomes()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        show, draw = self.position.setting.game.show, self.position.draw
        if draw is None:
            return show.move(self.position.state, action)
        chance = show.CHANCES[draw.kind]
        return f"{chance.name} {chance.notation[action]}"

    def returns(self) -> list[float]:
        return self.position.returns()

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> SpielState:
        """A guess of the state from what the player knows; how it came to be so is not guessed."""
        guess = self.position.guessed_by(player, int(rng() * 2**62))
        made = SpielState(self.get_game())
        made.position = guess
        return made

    def __str__(self) -> str:
        position = self.position
        name = position.setting.game.id
        if position.draw:
            chance = position.setting.game.show.CHANCES[position.draw.kind]
            taken = " ".join(str(chance.notation[card]) for card in position.draw.taken)
            return f"{name}: {chance.name} {taken} …"
        where = "over" if position.who == OVER else f"seat {position.who} chooses"
        return f"{name}: {where}, {position.state.packed().hex()}"


class Observer:
    """What a player knows: with perfect recall all it was told and chose, else how the table looks to it now."""

    def __init__(self, setting: Setting, kind: Any) -> None:
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise GameError("an observer sees what one player knows: public_info, and private_info of a single player")
        self.recalls = kind.perfect_recall
        length = setting.game.observation_length
        self.tensor = np.zeros(length, np.float32) if length and not self.recalls else None
        self.dict: dict[str, Any] = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            position = state.position
            self.tensor[:] = 0 if position.draw else position.setting.game.observed(position.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        position = state.position
        if self.recalls:
            return position.known_to(player)
        return "" if position.draw else knowledge(position.setting.game, position.state, player)


class Playouts:
    """An evaluator for OpenSpiel's searches that plays on by chance in compiled code, so far faster than they could."""

    def __init__(self, game: SpielGame, seed: int = 0) -> None:
        rules = game.setting.game
        self.code = rules.compiled(play)
        self.record = np.zeros(1, rules.rules.State.dtype)[0]
        self.dice = np.zeros(1, Dice.dtype)[0]
        self.random = np.random.default_rng(seed)

    def evaluate(self, state: SpielState) -> Any:
        position, record = state.position, self.record
        while position.draw:
            position = position.after(int(self.random.choice(position.draw.left)))
        position.state.pack(record)
        seed = int(self.random.integers(1 << 62))
        self.code.seed_stream(record.rng, seed, 0)
        self.code.seed_stream(self.dice.rng, seed, 1)
        self.code.play_out(record, Player.RANDOM, self.dice, LIMIT)
        winners, setting = int(record.winners), position.setting
        share = 1 / winners.bit_count() if winners else 0.0
        return np.array([share * (winners >> seat & 1) - setting.fair for seat in range(setting.choosing)])

    def prior(self, state: SpielState) -> Sequence[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        choices = state.legal_actions()
        return [(choice, 1 / len(choices)) for choice in choices]


def defaults(game: Game) -> dict[str, int | str]:
    return {"seats": game.seats[0], "options": "", "components": ""}


def game_type(game: Game, played: Setting | None = None) -> Any:
    """What OpenSpiel wants to know of a game, whatever its seats, or as it is played."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=PREFIX + game.id,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if played and played.is_zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=bool(game.observation),
        provides_factored_observation_string=False,
        parameter_specification=defaults(game),
    )


def game_info(played: Setting) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=MAX_CHOICES,
        max_chance_outcomes=max(len(chance.notation) for chance in played.game.show.CHANCES.values()),
        num_players=played.choosing,
        min_utility=-played.fair,
        max_utility=1 - played.fair,
        utility_sum=0.0 if played.is_zero_sum else None,
        max_game_length=LIMIT,
    )


def load(name: str) -> SpielGame:
    """The game of that name and those parameters."""
    loaded: SpielGame = pyspiel.load_game(name)
    return loaded


for found in games().values():
    pyspiel.register_game(game_type(found), type(found.id, (SpielGame,), {"game": found}))
