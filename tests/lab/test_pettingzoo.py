"""PettingZoo: its own tests pass for every game, and nobody sees what it can't know."""

from __future__ import annotations

import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import parallel_to_aec

from cardtown.core.cards import members
from cardtown.core.game import Game, GameError
from cardtown.core.match import IllegalChoice
from cardtown.lab.pettingzoo import env, parallel_env
from cardtown.lab.vector import Vector
from tests.conftest import Tally

with warnings.catch_warnings(action="ignore"):  # where pygame is installed, its tests import what it has deprecated
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test

CYCLES = 60

DICTS = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)
"""Its tests advise against dictionaries, except for its own games with masks."""


@DICTS
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # as it is for who is over and done
def test_its_own_tests_pass(game: Game, soak: int, tally: Tally) -> None:
    cycles = CYCLES * soak
    for seats in {min(game.seats), max(game.seats)}:
        api_test(env(game.id, seats), num_cycles=cycles)
        seed_test(lambda seats=seats: env(game.id, seats), num_cycles=cycles)
        parallel_api_test(parallel_env(game.id, seats), num_cycles=cycles)
        tally("cycles of PettingZoo's own tests", 3 * cycles)


def test_its_own_test_of_cycles_passes(game: Game) -> None:
    """It knows no masks and no seeds, and wants each agent to be asked once in every cycle."""

    def at_once(**given: Any) -> Any:
        table: Any = parallel_env(game.id, max(game.seats), replace_illegal=True, **given)
        table.episodes.seed = 1  # a game that doesn't end too soon
        for agent in table.possible_agents:
            table.action_space(agent).seed(1)
        return table

    max_cycles_test(SimpleNamespace(parallel_env=at_once, env=lambda **given: parallel_to_aec(at_once(**given))))


def played_out(table: Any, seed: int) -> tuple[dict[str, float], list[int]]:
    """Each agent's rewards, and how many were asked at a time."""
    table.reset(seed=seed)
    rng = np.random.default_rng(seed)
    won = dict.fromkeys(table.possible_agents, 0.0)
    asked = []
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        won[agent] += reward
        over = terminated or truncated
        asked.append(int(seen["action_mask"].sum()))
        table.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return won, asked


def test_the_rewards_are_shares_of_the_win(game: Game) -> None:
    table = env(game.id, seats=max(game.seats))
    won, asked = played_out(table, 3)
    state = table.unwrapped.episodes.match.state
    assert state.acting == 0
    assert sum(won.values()) == pytest.approx(1)
    assert [agent for agent, reward in won.items() if reward] == [f"seat_{seat}" for seat in members(state.winners)]
    assert all(asked[: -len(won)])
    assert not any(asked[-len(won) :])


def test_a_seed_has_the_same_games_as_in_arrays(game: Game) -> None:
    table, arrays = env(game.id), Vector(game, 1, seed=5)
    table.reset(seed=5)
    while not arrays.ended[0]:
        seen = table.last()[0]
        assert np.array_equal(seen["observation"], arrays.observe()[0])
        assert np.array_equal(seen["action_mask"], arrays.legal()[0])
        choice = int(arrays.sample()[0])
        table.step(choice)
        arrays.step([choice])
    table.reset()  # the next game of the seed
    assert np.array_equal(table.last()[0]["observation"], arrays.observe()[0])


def test_no_seed_is_another_game() -> None:
    tables = [env("hollywood") for _ in range(2)]
    for table in tables:
        table.reset()
    assert not np.array_equal(*[table.last()[0]["observation"] for table in tables])


def test_who_chooses_at_the_same_time_sees_nothing_of_the_others() -> None:
    table = env("gossip", seats=3)
    seen: dict[str, list[Any]] = {}
    for answer in (0, -1):  # the first seat's choice; the same otherwise
        table.reset(seed=2)
        while len(table.unwrapped.episodes.match.acting) < 2:
            table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
        before = table.agent_selection
        later = next(
            agent for agent in [f"seat_{seat}" for seat in table.unwrapped.episodes.match.acting] if agent != before
        )
        assert not table.observe(later)["action_mask"].any()
        table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[answer]))
        assert table.agent_selection == later
        for agent in table.possible_agents:
            seen.setdefault(agent, []).append(table.observe(agent)["observation"])
    for agent, (one, other) in seen.items():
        assert np.array_equal(one, other) == (agent != before)


def test_hidden_cards_are_not_seen(game: Game) -> None:
    table = env(game.id, seats=max(game.seats))
    table.reset(seed=4)
    rng = np.random.default_rng(4)
    match = table.unwrapped.episodes.match
    for number in range(40):
        if match.outcome:
            break
        agent = f"seat_{number % len(table.possible_agents)}"
        true, seen = match.state, table.observe(agent)
        match.state = game.redealt(true, number % len(table.possible_agents), number)
        guessed = table.observe(agent)
        match.state = true
        assert np.array_equal(seen["observation"], guessed["observation"])
        assert np.array_equal(seen["action_mask"], guessed["action_mask"])
        table.step(int(rng.choice(np.flatnonzero(table.last()[0]["action_mask"]))))


def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game) -> None:
    table = env(game.id)
    table.reset(seed=1)
    before = table.unwrapped.episodes.match.state.packed()
    illegal = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    for wrong in (illegal, -1, 63):
        with pytest.raises(IllegalChoice, match="possible are"):
            table.step(wrong)
    with pytest.raises(IllegalChoice, match="must choose"):
        table.step(None)
    assert table.unwrapped.episodes.match.state.packed() == before


def test_of_choices_made_at_once_all_are_refused_or_none() -> None:
    table: Any = parallel_env("gossip", seats=3)
    seen, _ = table.reset(seed=2)
    while len(table.episodes.match.acting) < 2:
        seen, *_ = table.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in table.agents})
    before = table.episodes.match.state.packed()
    choices = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in table.agents}
    last = f"seat_{table.episodes.match.acting[-1]}"
    for wrong in ({**choices, last: 62}, {agent: choices[agent] for agent in table.agents if agent != last}):
        with pytest.raises(IllegalChoice, match=f"{last} can't choose"):
            table.step(wrong)
        assert table.episodes.match.state.packed() == before


def test_a_game_that_takes_too_long_is_given_up() -> None:
    table = env("hollywood", limit=3)
    table.reset(seed=1)
    for _ in range(3):
        table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    assert all(table.truncations.values())
    assert not any(table.terminations.values())
    assert not any(table.rewards.values())


def test_a_spectators_words_tell_the_game() -> None:
    table = env("hollywood", render_mode="ansi")
    table.reset(seed=1)
    before = table.render()
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    after = table.render()
    assert isinstance(before, str)
    assert isinstance(after, str)
    assert "Seat" in before
    assert after != before


def test_seats_that_play_by_themselves_are_no_agents() -> None:
    assert env("hinode", options={"players": 2}).possible_agents == ["seat_0", "seat_1"]


@pytest.mark.parametrize("module", ["pettingzoo", "gymnasium", "open_spiel"])
def test_what_is_missing_is_named(module: str) -> None:
    missing = "pyspiel" if module == "open_spiel" else module
    code = f"import sys; sys.modules['{missing}'] = None; import cardtown.lab.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "is missing: install cardtown[lab]" in done.stderr


def test_bad_tables_are_refused() -> None:
    with pytest.raises(GameError, match="there is no game"):
        env("chess")
    with pytest.raises(GameError, match="can't be played by 9"):
        env("hollywood", seats=9)
