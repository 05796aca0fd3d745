"""Thinking about a decision for a while: exactly where that is possible, else by searching."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cardtown.core.cards import members
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game
from cardtown.core.state import MAX_CHOICES, State

from .readiness import Code, code_of
from .search.exact import POINTS, SLOTS, WIN, Ahead
from .search.tree import ENTRIES, WORLD, Tree
from .search.worth import ONE

SLICE = 0.004
"""Seconds between two looks at the clock."""

ITERATIONS_PER_SECOND = 1_000_000
LOOKS_PER_ITERATION = 20
"""Of the choices that looking ahead may follow for every iteration that a search may take: about as long."""


@dataclass(frozen=True)
class Budget:
    """How long to think: so many iterations, which bring the same result every time, or so many seconds."""

    iterations: int = 0
    seconds: float = 0.0
    sees_all: bool = False
    """For tests alone: search as if every card lay open."""

    @property
    def most_iterations(self) -> int:
        return self.iterations or int(self.seconds * ITERATIONS_PER_SECOND)


@dataclass(frozen=True)
class Opinion:
    """What is thought of a choice: its worth and the chance to win, both from 0 to 1, and the points at the end."""

    choice: int
    tries: int
    worth: float
    win: float
    points: float


@dataclass(frozen=True)
class Thought:
    """What came of thinking: an opinion of each choice, the best first; exact ones are certain."""

    opinions: tuple[Opinion, ...]
    is_exact: bool
    lanes: tuple[Lane, ...] = ()

    @property
    def best(self) -> int:
        return self.opinions[0].choice


class Lane:
    """One thread's search."""

    def __init__(self, game: Game, code: Code, s: State, seat: int, budget: Budget, seed: int, number: int) -> None:
        self.code = code
        self.seat = seat
        self.states = code.states(s, WORLD + 1)
        self.tree = code.record(Tree)
        seed_stream(self.tree.rng, seed, number)
        self.tree.room = min(ENTRIES, 1 << (2 * budget.most_iterations).bit_length())
        self.tree.sees_all = budget.sees_all

    def search(self, iterations: int) -> None:
        self.code.tree.search(self.states, self.tree, self.seat, iterations)

    def search_until(self, end: float) -> None:
        """Search in slices that are short against the clock."""
        n = 1
        now = time.perf_counter()
        while True:
            self.search(n)
            then, now = now, time.perf_counter()
            if now >= end:
                return
            n = max(1, min(2 * n, int(n * min(SLICE, end - now) / max(now - then, 1e-9))))


def think(game: Game, s: State, seat: int, budget: Budget, seed: int, threads: int = 1) -> Thought:
    """Think about the decision of `seat`. Nothing of `s` that the seat doesn't know has any influence."""
    code = code_of(game)
    end = time.perf_counter() + budget.seconds
    exact = None if budget.sees_all else solve(game, code, s, seat, budget, seed)
    if exact:
        return exact
    lanes = tuple(Lane(game, code, s, seat, budget, seed, number) for number in range(threads))
    if budget.iterations:
        side_by_side(lanes, lambda lane: lane.search(-(-budget.iterations // threads)))
    else:
        side_by_side(lanes, lambda lane: lane.search_until(end))
    return Thought(opinions(lanes), False, lanes)


def side_by_side(lanes: Sequence[Lane], work: Callable[[Lane], None]) -> None:
    """Let each lane work in a thread of its own; these never keep a program from ending."""
    others = [threading.Thread(target=work, args=(lane,), daemon=True) for lane in lanes[1:]]
    for other in others:
        other.start()
    work(lanes[0])
    for other in others:
        other.join()


def opinions(lanes: Sequence[Lane]) -> tuple[Opinion, ...]:
    """What the lanes found together; what was tried most comes first."""
    found = []
    for choice in range(MAX_CHOICES):
        tries = sum(int(lane.tree.visits[choice]) for lane in lanes)
        if tries:
            worth, win, points = (
                sum(int(getattr(lane.tree, name)[choice]) for lane in lanes) / tries
                for name in ("totals", "wins", "points")
            )
            found.append(Opinion(choice, tries, worth / ONE, win / ONE, points))
    return tuple(sorted(found, key=lambda opinion: (-opinion.tries, -opinion.worth)))


def solve(game: Game, code: Code, s: State, seat: int, budget: Budget, seed: int) -> Thought | None:
    """The exact worth of each choice, on average over the possible worlds; None if there is too much to see."""
    states, ahead = code.states(s, SLOTS), code.record(Ahead)
    worlds = code.exact.list_worlds(states, code.words(states), ahead, seat, seed)
    if not worlds:
        return None
    choices = members(game.rules.legal(s, seat))
    ends = []
    for world in range(worlds):
        if not code.exact.look_ahead(states, ahead, seat, world, budget.most_iterations * LOOKS_PER_ITERATION):
            return None
        ends.append([[int(ahead.found[choice, i]) for i in (seat, WIN, POINTS)] for choice in choices])
    found = []
    for choice, came in zip(choices, zip(*ends, strict=True), strict=True):
        worth, win, points = (sum(column) / worlds for column in zip(*came, strict=True))
        found.append(Opinion(choice, worlds, worth / ONE, win / ONE, points))
    return Thought(tuple(sorted(found, key=lambda opinion: -opinion.worth)), True)
