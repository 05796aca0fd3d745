"""The games behind a report: which are played, by whom and how many, and all that came of them.

At every table two kinds of games are played. Among equals the first bot sits in every seat, a new deal each time: they
show what the game is like. On duplicate deals all bots meet, each deal in every rotation: they show luck and skill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardtown.bots import readiness
from cardtown.bots.levels import BLIND
from cardtown.core.game import Game, GameError

from ..jobs import Processes, Workers, in_order
from ..table import Table
from ..tournament import lineups
from .reconstructions import Change, matters, table_with, uncertain
from .sample import Course, Sample, check_thinker, play_sample, split
from .story import Story, tell_story
from .variants import Variant, Vary, usual_variants, variants

USUAL_BOTS = ("hard:200", "easy")
USUAL_GAMES = 600
FEWER = 4
"""A table that is only compared gets this fraction of the games."""

MOST_CHANGES = 10
PIECES = 16
"""Into so many pieces the games of the main table are cut, for processes to share."""

Tick = Callable[[int], None]


class Request(NamedTuple):
    """What a report is asked for; without `vary` everything is varied a little."""

    table: Table
    bots: tuple[str, ...]
    games: int
    seed: int
    vary: Vary | None = None


@dataclass(frozen=True)
class Group:
    """The games at one table: among equals, and on duplicate deals."""

    table: Table
    equals: tuple[Course, ...]
    duplicates: tuple[Course, ...]


@dataclass(frozen=True)
class Survey:
    """All games of a report."""

    request: Request
    main: Group
    story: Story
    variants: tuple[tuple[Variant, Group], ...]
    changes: tuple[tuple[Change, Group], ...]
    idle: tuple[Change, ...]
    """Changes that make no difference at this table."""
    names: tuple[str, ...]
    """Reconstructed parts that are names alone."""


class Job(NamedTuple):
    """Work for one process: games of one table, and whether their story is wanted."""

    equals: Sample
    duplicates: Sample
    tells: bool

    @property
    def games(self) -> int:
        return self.equals.games + self.duplicates.games


class Done(NamedTuple):
    equals: list[Course]
    duplicates: list[Course]
    story: Story | None

    @property
    def games(self) -> int:
        return len(self.equals) + len(self.duplicates)


def check_bots(bots: Sequence[str]) -> tuple[str, ...]:
    """At least two different bots that can be asked to play the same games again."""
    found = tuple(check_thinker(bot) for bot in bots)
    if len(set(found)) < 2:
        raise GameError("a report compares bots: name at least two different ones, the better player first")
    return found


def job_for(request: Request, table: Table, games: int, tells: bool) -> Job:
    """The games that one table gets: so many among equals, and at least as many on duplicate deals."""
    seats = table.open().choosing(table.seats, table.options)
    equals = Sample(table.fixed(), ((request.bots[0],) * seats,), 0, games, request.seed)
    duplicates = equals._replace(lineups=tuple(lineups(request.bots, seats)), deals=1)
    deals = max(-(-games // duplicates.games), 2)
    return Job(equals, duplicates._replace(deals=deals), tells)


def pieces(job: Job) -> list[Job]:
    """The same games as several jobs."""
    parts = [split(sample, -(-sample.deals // PIECES)) for sample in (job.equals, job.duplicates)]
    n = max(len(part) for part in parts)
    nothing = [job.equals._replace(deals=0), job.duplicates._replace(deals=0)]
    filled = [[*part, *[none] * (n - len(part))] for part, none in zip(parts, nothing, strict=True)]
    return [Job(equals, duplicates, job.tells) for equals, duplicates in zip(*filled, strict=True)]


def work(job: Job) -> Done:
    """What a process does."""
    return work_on(job.equals.table.open(), job)


def work_on(game: Game, job: Job) -> Done:
    """Play the games of a job, and hear their story."""
    equals = play_sample(job.equals, game)
    story = tell_story(game, job.equals.table, equals, job.equals.seed) if job.tells else None
    return Done(equals, play_sample(job.duplicates, game), story)


class Plan(NamedTuple):
    """All jobs of a report: of the main table in pieces, of each variant and of each change in one."""

    main: list[Job]
    variants: list[tuple[Variant, Job]]
    changes: list[tuple[Change, Job]]
    idle: tuple[Change, ...]
    names: tuple[str, ...]

    @property
    def jobs(self) -> list[Job]:
        """What has to be compiled first comes first."""
        return [*(job for _, job in self.changes), *self.main, *(job for _, job in self.variants)]

    @property
    def games(self) -> int:
        return sum(job.games for job in self.jobs)


def plan(request: Request) -> Plan:
    game, table = request.table.open(), request.table
    fewer = max(request.games // FEWER, 1)
    vary = usual_variants(game, table) if request.vary is None else request.vary
    doubt = uncertain(game)
    active = [change for change in doubt.changes if matters(game, table, change)]
    tried = active[:MOST_CHANGES]
    return Plan(
        main=pieces(job_for(request, table, request.games, tells=True)),
        variants=[(each, job_for(request, each.table, fewer, tells=False)) for each in variants(game, table, vary)],
        changes=[(each, job_for(request, table_with(game, table, each), fewer, tells=False)) for each in tried],
        idle=tuple(change for change in doubt.changes if change not in active),
        names=doubt.names,
    )


def survey(request: Request, planned: Plan, tick: Tick = lambda n: None, workers: Workers | None = None) -> Survey:
    """Play all games of a plan; unless told otherwise, with a process for each core."""
    if any(bot not in BLIND for bot in request.bots):
        readiness.wait_for(request.table.open())  # compiled once, before many processes want it
    done = in_order(work, planned.jobs, workers or Processes(), lambda each: tick(each.games))
    return gathered(request, planned, list(done))


def gathered(request: Request, planned: Plan, done: Sequence[Done]) -> Survey:
    """What came of all jobs of a plan, which are given in their order."""
    each = iter(done)
    changes = tuple((change, group([next(each)], job)) for change, job in planned.changes)
    main = [next(each) for _ in planned.main]
    story = Story()
    for piece in main:
        story.merge(piece.story or Story())
    found = tuple((variant, group([next(each)], job)) for variant, job in planned.variants)
    return Survey(request, group(main, planned.main[0]), story, found, changes, planned.idle, planned.names)


def group(done: Sequence[Done], job: Job) -> Group:
    return Group(
        job.equals.table,
        tuple(course for each in done for course in each.equals),
        tuple(course for each in done for course in each.duplicates),
    )
