"""Exact play, against an independent search of every way to the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardtown.bots.readiness import plain_code, wait_for
from cardtown.bots.search.worth import ONE, worth
from cardtown.bots.thinking import Budget, solve, think
from cardtown.core import play
from cardtown.core.cards import members
from cardtown.core.game import Game
from cardtown.core.play import Player, seat_to_act
from cardtown.core.state import Dice, State
from cardtown.games import find
from cardtown.games.hollywood import rules

DEEP = Budget(iterations=100_000)
TOO_MUCH = 3_000


class TooMuch(Exception):
    """More than the independent search looks at."""


def ends(game: Game, s: State, looked: list[int]) -> list[int]:
    """What each seat gets when all choose what is best for them, by recursion and without pruning."""
    looked[0] += 1
    if looked[0] > TOO_MUCH:
        raise TooMuch
    if not s.acting:
        return [worth(s, seat) for seat in range(s.seats)]
    seat = seat_to_act(s)
    found: list[int] | None = None
    for choice in members(game.rules.legal(s, seat)):
        after = after_choice(game, s, seat, choice)
        came = ends(game, after, looked)
        if found is None or came[seat] > found[seat]:
            found = came
    assert found is not None
    return found


def after_choice(game: Game, s: State, seat: int, choice: int) -> State:
    after = s.copy()
    game.rules.play(after, seat, choice)
    return after


def last_decisions(game: Game, seats: int, games: int, wanted: Callable[[State], bool]) -> list[tuple[State, int]]:
    """Late decisions of random games that `wanted` picks."""
    code = game.plain(play)
    found = []
    for number in range(games):
        s, dice = game.blank(seats, game.complete({}, seats)), Dice()
        code.begin(s, dice, 21, number)
        while s.acting:
            seat = seat_to_act(s)
            if wanted(s) and len(members(game.rules.legal(s, seat))) > 1:
                found.append((s.copy(), seat))
            game.rules.play(s, seat, code.choose(Player.RANDOM, s, seat, dice))
    return found


def hollywood(s: State) -> rules.State:
    assert isinstance(s, rules.State)
    return s


def is_last_round_without_hidden_cards(s: State) -> bool:
    """Hollywood: the decks are empty, so the other hand is all that is missing."""
    return hollywood(s).round_no == 3 and hollywood(s).drawn == 28 and hollywood(s).private_n == 0


@pytest.mark.parametrize("compiled", [True, False])
def test_hollywoods_last_tricks_are_solved(compiled: bool) -> None:
    game = find("hollywood")
    code = wait_for(game) if compiled else plain_code(game)
    checked = 0
    for s, seat in last_decisions(game, 2, 60 if compiled else 8, is_last_round_without_hidden_cards):
        try:
            true = {
                choice: ends(game, after_choice(game, s, seat, choice), [0])[seat]
                for choice in members(game.rules.legal(s, seat))
            }
        except TooMuch:
            continue
        thought = solve(game, code, s, seat, DEEP, 1)
        assert thought is not None
        assert {opinion.choice: round(opinion.worth * ONE) for opinion in thought.opinions} == true
        assert true[thought.best] == max(true.values())
        checked += 1
    assert checked >= 8


def test_thinking_uses_the_exact_answer() -> None:
    game = find("hollywood")
    for s, seat in last_decisions(game, 2, 12, is_last_round_without_hidden_cards)[-5:]:
        thought = think(game, s, seat, DEEP, 1)
        assert thought.is_exact
        assert {opinion.tries for opinion in thought.opinions} == {1}


def worlds(game: Game, s: State, seat: int) -> list[State]:
    """Every world that a seat thinks possible, by guessing more often than the solver does."""
    found: dict[bytes, State] = {}
    for number in range(300):
        world = game.redealt(s, seat, 77, number)
        world.rng[:] = [0, 0, 0, 0]
        found[world.packed()] = world
    return list(found.values())


@pytest.mark.parametrize(("name", "seats", "fewest"), [("hinode", 4, 2), ("hollywood", 2, 8)])
def test_where_few_worlds_are_possible_each_counts_alike(name: str, seats: int, fewest: int) -> None:
    game = find(name)
    checked = 0
    for s, seat in last_decisions(game, seats, 40, lambda s: name == "hinode" or hollywood(s).round_no == 3):
        thought = solve(game, wait_for(game), s, seat, Budget(iterations=5000), 1)
        if thought is None or thought.opinions[0].tries == 1:
            continue
        possible = worlds(game, s, seat)
        assert thought.opinions[0].tries == len(possible)
        for opinion in thought.opinions:
            try:
                came = [ends(game, after_choice(game, world, seat, opinion.choice), [0])[seat] for world in possible]
            except TooMuch:
                continue
            assert opinion.worth * ONE == pytest.approx(sum(came) / len(came))
            checked += 1
    assert checked >= fewest


def test_nothing_is_solved_where_chance_still_comes() -> None:
    """The last tricks of Hollywood's first round: on a long carpet new cards will be dealt after them."""
    game = find("hollywood")
    seen = 0
    for s, seat in last_decisions(game, 2, 10, lambda s: hollywood(s).round_no == 1 and hollywood(s).drawn == 28):
        hollywood(s).carpet = 6
        assert solve(game, wait_for(game), s, seat, DEEP, 1) is None
        seen += 1
    assert seen >= 20


def test_a_small_budget_gives_up_and_searches() -> None:
    game = find("hollywood")
    s, seat = last_decisions(game, 2, 40, is_last_round_without_hidden_cards)[0]
    assert think(game, s, seat, DEEP, 1).is_exact
    assert not think(game, s, seat, Budget(iterations=1), 1).is_exact
