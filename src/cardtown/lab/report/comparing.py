"""Tables side by side: the same figures of each, and which of them a change moves by more than chance explains."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from . import measuring
from .luck import luck_and_skill, of_wins, squares
from .measuring import Figure, differs, smallest_seen
from .sample import Course
from .survey import Group, Request

UNKNOWN = Figure(math.nan, math.nan, math.nan)


class Measure(NamedTuple):
    """Something that is measured at every table: its name, its sentence, and how it is written."""

    name: str
    says: str
    is_share: bool
    of: Callable[[Group, Request], Figure]


def strength(group: Group, request: Request) -> Figure:
    """By how much the first bot wins more than a seat does on average, on duplicate deals."""
    games = [course.played for course in group.duplicates]
    own = [(game, seat) for game in games for seat, bot in enumerate(game.lineup) if bot == request.bots[0]]
    return measuring.share(own).less(measuring.fair_share(group.duplicates))


def explained(source: str) -> Callable[[Group, Request], Figure]:
    def share(group: Group, request: Request) -> Figure:
        return luck_and_skill(squares(group.duplicates, of_wins), request.seed)[source]

    return share


def edge_of(place: int) -> Callable[[Group, Request], Figure]:
    def edge(group: Group, request: Request) -> Figure:
        seats = len(group.equals[0].played.lineup)
        return measuring.edge(group.equals, place % seats) if seats > 1 else UNKNOWN

    return edge


def against_rules(group: Group, request: Request) -> Figure:
    """How often a seat wins where others play by themselves, by rules."""
    games = [course.played for course in group.equals]
    if len(games[0].lineup) == len(games[0].scores):
        return UNKNOWN
    return measuring.share([(game, seat) for game in games for seat in range(len(game.lineup))])


def of_equals(measured: Callable[[Sequence[Course]], Figure]) -> Callable[[Group, Request], Figure]:
    return lambda group, request: measured(group.equals)


MEASURES = (
    Measure("length", "Decisions in a game", False, of_equals(measuring.lengths)),
    Measure("choices", "Choices that a decision offers", False, of_equals(measuring.branching)),
    Measure("forced", "Decisions with one choice alone", True, of_equals(measuring.forced)),
    Measure("first", "Edge of choosing first, points", True, edge_of(0)),
    Measure("last", "Edge of choosing last, points", True, edge_of(-1)),
    Measure("beside", "Wins of a seat, where others play by rules", True, against_rules),
    Measure("shared", "Games with several winners", True, of_equals(measuring.shared_wins)),
    Measure("nobody", "Games that nobody wins", True, of_equals(measuring.without_winner)),
    Measure("strength", "Edge of the better bot, points", True, strength),
    Measure("skill", "Who wins, explained by the player", True, explained("player")),
    Measure("luck", "Who wins, explained by the deal", True, explained("deal")),
)

Overview = dict[str, Figure]


def overview(group: Group, request: Request) -> Overview:
    """Every measure of a table."""
    return {measure.name: measure.of(group, request) for measure in MEASURES}


class Robust(NamedTuple):
    """A figure of the main table, between which figures it comes to lie when components change, and which move it.

    `seen_from` is how far a change must move it to be noticed among so few games.
    """

    measure: Measure
    figure: Figure
    lowest: float
    highest: float
    seen_from: float
    moved_by: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.moved_by


def robustness(main: Overview, changed: Sequence[tuple[str, Overview]]) -> list[Robust]:
    """What no change moves by more than chance explains, all comparisons taken together, and what some do."""
    comparisons = len(changed) * len(MEASURES)
    found = []
    for measure in MEASURES:
        figures = [(name, other[measure.name]) for name, other in changed]
        values = [figure.value for _, figure in figures if not math.isnan(figure.value)]
        here = main[measure.name]
        if values and not math.isnan(here.value):
            moved = tuple(name for name, figure in figures if differs(here, figure, comparisons))
            seen_from = max(smallest_seen(here, figure, comparisons) for _, figure in figures)
            found.append(Robust(measure, here, min(values), max(values), seen_from, moved))
    return found
