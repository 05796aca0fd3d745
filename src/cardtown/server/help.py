"""What the strong bot says from what a seat knew: a hint while playing, a review of every decision afterwards."""

from __future__ import annotations

from functools import partial

import msgspec

from cardtown.bots.advice import Advice, advise
from cardtown.bots.thinking import Budget
from cardtown.core.match import Match
from cardtown.core.state import State

from .bot_turns import seed_of
from .messages import AdvisedView, Hinted, Replay, Review, ReviewedChoice, Step, StepView
from .refusal import Refused
from .store import Note
from .table import Table
from .town import Town

HINT = Budget(seconds=0.4)
REVIEW = Budget(iterations=4_000)
"""Iterations, so that the same match is judged in the same way every time."""


async def hint(town: Town, table: Table, person: str, decision: str, id: int) -> Hinted:
    """What would the strong bot do?"""
    seat = table.seat_of(person)
    table.playing()
    if not table.opened.may_hint:
        raise Refused("no-hints", "at this table nobody gets hints")
    match = table.check_asked(seat, decision)
    town.thinkers.check_not_busy()
    work = partial(advise, table.game, match.state.copy(), seat, HINT, seed_of(table, seat))
    advice = await town.thinkers.think(person, work)
    line = tuple(StepView(step.seat, step.choice) for step in advice.line)
    return Hinted(id, decision, advised(advice), line, advice.is_exact)


def advised(advice: Advice) -> tuple[AdvisedView, ...]:
    return tuple(AdvisedView(each.choice, each.win, each.low, each.high, each.points) for each in advice.choices)


def finished(table: Table) -> Match:
    """The match, if it is over; before that nobody looks into it."""
    if table.match is None or table.match.outcome is None:
        raise Refused("not-over", "the match is not over yet")
    return table.match


def replay(table: Table, seat: int | None) -> Replay:
    """Every step of a finished match as a seat saw it, or as spectators did."""
    made = finished(table)
    match = table.new_match()
    steps = [Step(None, None, match.table(seat), tuple(match.lines(seat)))]
    for who, choice in made.choices:
        before = len(match.told_to(seat))
        move = table.game.show.move(match.state, choice)
        sealed = len(match.acting) > 1 and who != seat
        match.choose(who, choice)
        lines = tuple(table.game.lines(match.told_to(seat)[before:]))
        steps.append(Step(who, None if sealed else move, match.table(seat), lines))
    return Replay(table.name, seat, tuple(steps))


async def review(town: Town, table: Table, seat: int) -> Review:
    """All decisions of a seat, judged; what was judged once is kept."""
    made = finished(table)
    table.check_seat(seat)
    name = f"{table.name}/{seat}"
    kept = await town.store.get("review", name)
    if kept:
        return msgspec.json.decode(kept, type=Review)
    town.thinkers.check_not_busy()
    found = []
    for step, state, choice in await town.thinkers.think(table.name, partial(decisions, table, made, seat)):
        work = partial(advise, table.game, state, seat, REVIEW, step)
        advice = await town.thinkers.think(table.name, work)
        best = max(each.win for each in advice.choices)
        chosen = next((each for each in advice.choices if each.choice.number == choice), None)
        lost = best - chosen.win if chosen else 0.0
        found.append(ReviewedChoice(step, table.game.choice(state, seat, choice), advised(advice), lost))
    judged = Review(table.name, seat, tuple(found))
    await town.store.put([Note("review", name, msgspec.json.encode(judged))])
    return judged


def decisions(table: Table, made: Match, seat: int) -> list[tuple[int, State, int]]:
    """The steps at which a seat had a choice, the state then, and what it chose."""
    match = table.new_match()
    found = []
    for step, (who, choice) in enumerate(made.choices):
        if who == seat and len(match.legal(seat)) > 1:
            found.append((step, match.state.copy(), choice))
        match.choose(who, choice)
    return found
