"""OpenSpiel: its own tests pass for every game, its algorithms play them, and nobody sees what it can't know."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.rl_environment import Environment

from cardtown.core.game import Game
from cardtown.games import find
from cardtown.lab.open_spiel import Playouts
from cardtown.lab.table import Table
from cardtown.lab.tournament import play_one
from cardtown.lab.unfolding import knowledge
from tests.conftest import Tally
from tests.open_spiel_player import seat_open_spiel


def load(game: Game, seats: int | None = None) -> Any:
    return pyspiel.load_game(f"cardtown_{game.id}", {"seats": seats or max(game.seats)})


def onwards(state: Any, rng: np.random.RandomState) -> None:
    """Chance brings something, or a player chooses at random."""
    if state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(actions, p=odds)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


def dealt(spiel: Any, rng: np.random.RandomState, decisions: int = 0) -> Any:
    state = spiel.new_initial_state()
    while state.is_chance_node() or (decisions and not state.is_terminal()):
        decisions -= not state.is_chance_node()
        onwards(state, rng)
    return state


def test_its_own_test_passes(game: Game, soak: int, tally: Tally) -> None:
    for seats in {min(game.seats), max(game.seats)}:
        pyspiel.random_sim_test(load(game, seats), num_sims=soak, serialize=True, verbose=False)
        tally("games of OpenSpiel's own test", soak)


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
def test_its_searches_play(game: Game, search: str) -> None:
    rng = np.random.RandomState(1)
    spiel = load(game)
    state = dealt(spiel, rng)
    evaluator = RandomRolloutEvaluator(1, rng)
    if search == "mcts":
        bot = MCTSBot(spiel, 1.0, 5, evaluator, random_state=rng)
    else:
        bot = ISMCTSBot(spiel, evaluator, 1.0, 5, random_state=rng)
    for _ in range(2):
        choice = bot.step(state)
        assert choice in state.legal_actions()
        state.apply_action(int(choice))
        while state.is_chance_node():
            onwards(state, rng)


def test_searching_wins_against_chance() -> None:
    spiel = pyspiel.load_game("cardtown_hollywood(options=carpet:3)")
    rng = np.random.RandomState(2)
    won = 0.0
    for number in range(6):
        state = dealt(spiel, rng)
        bot = ISMCTSBot(spiel, Playouts(spiel, number), 1.0, 12, random_state=rng)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
        while not state.is_terminal():
            if state.current_player() == number % 2:
                state.apply_action(int(bot.step(state)))
            else:
                onwards(state, rng)
        won += state.returns()[number % 2]
    assert won >= 1  # it won more than half of the six


def test_its_search_is_a_guest_at_our_tables() -> None:
    table = Table("hollywood", None, 2, {"carpet": 3})
    played = play_one(find("hollywood"), table, ("openspiel-playouts:1ms", "openspiel:1ms"), 0, 0, 1, seat_open_spiel)
    assert len(played.winners) == 1


def test_its_reinforcement_learners_have_an_environment(game: Game) -> None:
    env, rng = Environment(load(game)), np.random.RandomState(7)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == sum(part.length for part in game.observation)
        step = env.step([int(rng.choice(step.observations["legal_actions"][player]))])
    assert sum(step.rewards) == pytest.approx(0)


def test_hidden_cards_change_nothing_that_is_known(game: Game) -> None:
    rng = np.random.RandomState(3)
    state = dealt(load(game), rng)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for number in range(40):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            player = number % state.num_players()
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            if game.observation:
                assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert other.legal_actions(player) == state.legal_actions(player)
            assert other.history() == []
        onwards(state, rng)


def test_choices_made_at_the_same_time_are_not_known_to_the_others() -> None:
    spiel = pyspiel.load_game("cardtown_gossip(seats=3)")
    state = dealt(spiel, np.random.RandomState(4))
    while state.position.state.acting.bit_count() < 2:
        state.apply_action(state.legal_actions()[0])
    first, *_, last = state.legal_actions()
    one, other = state.child(first), state.child(last)
    second = one.current_player()
    assert second == other.current_player() != state.current_player()
    assert one.information_state_string(second) == other.information_state_string(second)
    assert one.observation_string(second) == other.observation_string(second)
    chooser = state.current_player()
    assert one.information_state_string(chooser) != other.information_state_string(chooser)


def test_a_state_can_begin_where_another_game_stands(game: Game) -> None:
    spiel = load(game)
    state = dealt(spiel, np.random.RandomState(5), decisions=6)
    if state.is_chance_node() or state.is_terminal():
        pytest.skip("nobody chooses here")
    again = spiel.state_at(state.position.state)
    assert again.legal_actions() == state.legal_actions()
    assert again.information_state_string(0) == knowledge(game, state.position.state, 0)


def test_loading_again_by_its_name_gives_the_same_game() -> None:
    spiel = pyspiel.load_game("cardtown_hinode(options=players:2;rules:advanced)")
    assert spiel.num_players() == 2
    assert spiel.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    again = pickle.loads(pickle.dumps(spiel))
    assert str(again) == str(spiel)
    assert again.new_initial_state().position.setting.options == {"players": 2, "rules": "advanced"}


def test_moves_and_chance_have_names() -> None:
    state = dealt(pyspiel.load_game("cardtown_hollywood"), np.random.RandomState(6))
    assert state.action_to_string(state.legal_actions()[0]).startswith("play ")
    start = pyspiel.load_game("cardtown_hollywood").new_initial_state()
    assert start.action_to_string(start.legal_actions()[0]).startswith("suits ")


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(Exception, match="can't be played by 7"):
        pyspiel.load_game("cardtown_hollywood(seats=7)")
    with pytest.raises(Exception, match="can't be 9"):
        pyspiel.load_game("cardtown_hollywood(options=carpet:9)")
