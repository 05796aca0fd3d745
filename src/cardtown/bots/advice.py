"""Advice: what the bot thinks of each choice that a seat has, and how it expects the game to go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardtown.core.game import Game
from cardtown.core.odds import likely_range
from cardtown.core.state import State
from cardtown.core.table import Choice

from .thinking import Budget, Lane, Thought, think

GUESSES = 60
FEWEST = 6
"""A step of the expected line is told if at least so many guesses agree on it and all before."""

LONGEST_LINE = 6

Steps = list[tuple[int, int]]
"""Seats and what they choose, one after another."""


@dataclass(frozen=True)
class Advised:
    """A choice: the chance to win with it, the range in which that chance likely lies, and the points to expect."""

    choice: Choice
    win: float
    low: float
    high: float
    points: float
    tries: int


class Expected(NamedTuple):
    """A step that is expected, in one of the worlds that are possible."""

    seat: int
    choice: Choice


@dataclass(frozen=True)
class Advice:
    """All choices, the best first, and the line that is expected to follow; exact advice is certain."""

    choices: tuple[Advised, ...]
    line: tuple[Expected, ...]
    is_exact: bool


def advise(game: Game, s: State, seat: int, budget: Budget, seed: int, threads: int = 1) -> Advice:
    """What to choose, from what the seat knows and nothing else."""
    known = game.redealt(s, seat, seed)
    thought = think(game, known, seat, budget, seed, threads)
    advised = []
    for opinion in thought.opinions:
        low, high = (opinion.win, opinion.win) if thought.is_exact else likely_range(opinion.win, opinion.tries)
        choice = game.choice(known, seat, opinion.choice)
        advised.append(Advised(choice, opinion.win, low, high, opinion.points, opinion.tries))
    return Advice(tuple(advised), expected_line(game, known, seat, thought, seed), thought.is_exact)


def expected_line(game: Game, s: State, seat: int, thought: Thought, seed: int) -> tuple[Expected, ...]:
    """The steps that most guesses agree on."""
    if thought.is_exact:
        return (Expected(seat, game.choice(s, seat, thought.best)),)
    lane = max(thought.lanes, key=lambda lane: int(lane.tree.visits[thought.best]))
    guesses = [steps_in(lane, seed, number) for number in range(GUESSES)]
    steps, number = agreed(guesses)
    world = game.redealt(s, seat, seed, number)
    line = []
    for who, choice in steps:
        line.append(Expected(who, game.choice(world, who, choice)))
        game.rules.play(world, who, choice)
    return tuple(line)


def steps_in(lane: Lane, seed: int, number: int) -> Steps:
    """What the search expects in one guess."""
    line = lane.code.grid(LONGEST_LINE, 2)
    n = lane.code.tree.expect(lane.states, lane.tree, lane.seat, seed, number, line, LONGEST_LINE)
    return [(int(line[i, 0]), int(line[i, 1])) for i in range(n)]


def agreed(guesses: Sequence[Steps]) -> tuple[Steps, int]:
    """The steps that the most guesses begin with, as far as enough of them agree; and one such guess."""
    steps: Steps = []
    agreeing = list(range(len(guesses)))
    while True:
        following = Counter(guesses[i][len(steps)] for i in agreeing if len(guesses[i]) > len(steps))
        step, times = following.most_common(1)[0] if following else ((0, 0), 0)
        if times < FEWEST:
            return steps, agreeing[0]
        agreeing = [i for i in agreeing if guesses[i][len(steps) : len(steps) + 1] == [step]]
        steps.append(step)
