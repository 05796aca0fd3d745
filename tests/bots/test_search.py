"""The tree search: alike in plain Python and compiled, blind to what is hidden, and never stuck."""

from __future__ import annotations

import pytest

from cardtown.bots import ask
from cardtown.bots.levels import make_bot
from cardtown.bots.readiness import plain_code, wait_for
from cardtown.bots.search import tree
from cardtown.bots.search.worth import ONE, margin, win_share, worth
from cardtown.bots.thinking import Budget, Lane, opinions, think
from cardtown.core import laws, play
from cardtown.core.cards import members
from cardtown.core.game import Game
from cardtown.core.play import seat_to_act
from cardtown.core.state import Dice
from cardtown.games import find, games
from tests.bots.positions import positions
from tests.conftest import Tally

GAMES = [pytest.param(game, id=game.id) for game in games().values()]


@pytest.mark.parametrize("game", GAMES)
def test_plain_python_and_compiled_code_search_alike(game: Game) -> None:
    for s, seat in positions(game, 6, seed=3):
        found = []
        for code in (plain_code(game), wait_for(game)):
            lane = Lane(game, code, s.copy(), seat, Budget(iterations=80), 5, 0)
            lane.search(80)
            found.append(opinions([lane]))
        assert found[0] == found[1]


@pytest.mark.parametrize("game", GAMES)
def test_the_choice_is_the_same_when_the_hidden_cards_are_redealt(game: Game, soak: int, tally: Tally) -> None:
    n = 6 * soak
    for number, (s, seat) in enumerate(positions(game, n, seed=11)):
        other = game.redealt(s, seat, 99, number)
        chosen = [ask(make_bot("hard:2000", game, number), game, state, seat, number) for state in (s, other)]
        assert chosen[0] == chosen[1]
    tally(f"{game.id}, positions redealt", n)


def test_a_bot_that_saw_the_hidden_cards_would_be_found_out() -> None:
    game = find("hollywood")
    wait_for(game)
    differing = 0
    for number, (s, seat) in enumerate(positions(game, 40, seed=11)):
        other = game.redealt(s, seat, 99, number)
        budget = Budget(iterations=500, sees_all=True)
        differing += think(game, s, seat, budget, 1).best != think(game, other, seat, budget, 1).best
    assert differing > 5


@pytest.mark.parametrize("name", ["crimson", "gossip"])
def test_of_several_who_choose_at_once_any_can_be_asked(name: str) -> None:
    game = find(name)
    asked = 0
    for s, seat in positions(game, 60, seed=9):
        if seat != seat_to_act(s):
            for compiled in (plain_code(game), wait_for(game)):
                lane = Lane(game, compiled, s.copy(), seat, Budget(iterations=40), 1, 0)
                lane.search(40)
                assert {opinion.choice for opinion in opinions([lane])} == set(members(game.rules.legal(s, seat)))
            asked += 1
    assert asked >= 3


@pytest.mark.parametrize("game", GAMES)
def test_what_is_sensible_is_legal(game: Game) -> None:
    sensible = game.plain(tree).sensible
    for s, seat in positions(game, 60, seed=12):
        choices = game.rules.legal(s, seat)
        assert sensible(s, seat, choices)
        assert sensible(s, seat, choices) & ~choices == 0


@pytest.mark.parametrize("game", GAMES)
def test_thinking_changes_nothing_of_the_state(game: Game) -> None:
    for s, seat in positions(game, 4, seed=2):
        before = s.packed()
        think(game, s, seat, Budget(iterations=50), 1)
        assert s.packed() == before


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_every_level_play_whole_games(game: Game, soak: int, tally: Tally) -> None:
    levels = ("hard:300", "easy", "medium", "wander", "hard:30", "random")
    tables = list(laws.combinations(game))
    n = 10 * soak
    for number in range(n):
        seats, options = tables[number % len(tables)]
        s = game.blank(seats, game.complete(options, seats))
        game.plain(play).begin(s, Dice(), 5, number)
        bots = [make_bot(levels[(seat + number) % len(levels)], game, number) for seat in range(seats)]
        decisions = 0
        while s.acting:
            seat = seat_to_act(s)
            choice = ask(bots[seat], game, s, seat, decisions)
            assert game.rules.legal(s, seat) >> choice & 1
            game.rules.play(s, seat, choice)
            decisions += 1
            assert decisions < laws.LIMIT
    tally(f"{game.id}, games of all levels", n)


def test_the_same_seed_and_iterations_give_the_same_choice_and_opinions() -> None:
    game = find("gossip")
    for s, seat in positions(game, 5, seed=8):
        one, other = (think(game, s, seat, Budget(iterations=400), 3) for _ in range(2))
        assert one.opinions == other.opinions


def test_two_lanes_share_the_iterations() -> None:
    game = find("hollywood")
    s, seat = next(positions(game, 1, seed=8))
    thought = think(game, s, seat, Budget(iterations=1001), 3, threads=2)
    assert sum(opinion.tries for opinion in thought.opinions) == 1002
    assert len(thought.lanes) == 2


def test_a_full_tree_goes_on_without_growing() -> None:
    game = find("hollywood")
    s, seat = next(positions(game, 1, seed=8))
    lane = Lane(game, wait_for(game), s, seat, Budget(iterations=4), 3, 0)
    lane.search(2000)
    assert int(lane.tree.used) <= int(lane.tree.room) * 3 // 4 + 1
    assert sum(opinion.tries for opinion in opinions([lane])) == 2000


def test_a_game_won_is_worth_more_than_any_margin() -> None:
    game = find("egocentric")
    s = game.blank(3, game.complete({}, 3))
    s.score[:3] = [12, 40, 41]
    s.winners = 0b001
    assert [win_share(s, seat) for seat in range(3)] == [ONE, 0, 0]
    assert [margin(s, seat) for seat in range(3)] == [28, -28, -29]
    assert ONE >= worth(s, 0) > 0.9 * ONE > 0.1 * ONE > worth(s, 1) > worth(s, 2) >= 0


def test_a_shared_win_is_shared_and_nobody_winning_is_worth_nothing() -> None:
    game = find("egocentric")
    s = game.blank(3, game.complete({}, 3))
    s.score[:3] = [12, 12, 41]
    s.winners = 0b011
    assert [win_share(s, seat) for seat in range(3)] == [ONE // 2, ONE // 2, 0]
    assert margin(s, 0) == 29
    s.winners = 0
    assert [win_share(s, seat) for seat in range(3)] == [0, 0, 0]
    assert margin(s, 1) == 0


def test_choices_made_at_the_same_time_are_not_known_to_those_who_make_them() -> None:
    """Crimson Crush, power cards: in the tree, what the others do does not depend on what this seat has just sealed."""
    game = find("crimson")
    code = wait_for(game)
    for s, seat in positions(game, 400, seed=4):
        if s.acting & (s.acting - 1):
            lane = Lane(game, code, s, seat, Budget(iterations=3000), 1, 0)
            lane.search(1)
            entries = lane.tree.entries[: int(lane.tree.room)]
            lane.search(2000)
            others = bin(s.acting).count("1") - 1
            busiest = sorted((int(row[1]) for row in entries), reverse=True)
            # Two choices of this seat, two of each other one: every one of them has its share of all iterations.
            assert sum(busiest[: 2 * (others + 1)]) >= 2000 * (others + 1) - 4 * others
            return
    pytest.fail("no position with power cards was found")
