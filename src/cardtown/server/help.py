"""What the strong bot says from what a seat knew: a hint while playing, a review of every decision afterwards."""

from __future__ import annotations

import time
from functools import partial

import msgspec

from cardtown.bots.advice import Advice, advise
from cardtown.bots.thinking import Budget
from cardtown.core.match import Match
from cardtown.core.state import State

from .bot_turns import seed_of
from .messages import AdvisedView, Hinted, Replay, Review, ReviewedChoice, Scores, Step, StepView
from .refusal import Refused
from .store import Note
from .table import Table
from .town import Town

HINT = Budget(seconds=0.4)
REVIEW = Budget(iterations=4_000)
"""Iterations, so that the same match is judged in the same way every time."""

A_WHILE = 1.0
"""Seconds after which a review is told as far as it is."""


async def hint(town: Town, table: Table, person: str, decision: str, id: int) -> Hinted:
    """What would the strong bot do?"""
    seat = table.seat_of(person)
    table.playing()
    if not table.opened.may_hint:
        raise Refused("no-hints", "at this table nobody gets hints")
    match = table.check_asked(seat, decision)
    town.room.check_thought()
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


def scores(table: Table) -> Scores:
    """The points after every choice, as the score sheet that all can read tells them."""
    match = table.new_match()
    totals = [match.table(None).sheet.totals]
    for who, choice in finished(table).choices:
        match.choose(who, choice)
        totals.append(match.table(None).sheet.totals)
    return Scores(table.name, tuple(totals))


async def review(town: Town, table: Table, seat: int, start: int) -> Review:
    """Decisions of a seat, judged, from number `start` on; what was judged once is kept.

    A whole match takes its time, so one answer holds what could be judged in a little while, at least one decision.
    """
    finished(table)
    table.check_seat(seat)
    name = f"{table.name}/{seat}"
    kept = await town.store.get("review", name)
    judged = msgspec.json.decode(kept, type=Review) if kept else None
    if judged and (start < len(judged.choices) or len(judged.choices) == judged.of):
        return msgspec.structs.replace(judged, choices=judged.choices[start:])
    town.room.check_thought()
    asked = await town.thinkers.think(table.name, partial(decisions, table, seat))
    found = list(judged.choices) if judged else []
    end = time.monotonic() + A_WHILE
    for step, state, choice in asked[len(found) :]:
        advice = await town.thinkers.think(table.name, partial(advise, table.game, state, seat, REVIEW, step))
        best = max(each.win for each in advice.choices)
        chosen = next((each for each in advice.choices if each.choice.number == choice), None)
        lost = best - chosen.win if chosen else 0.0
        found.append(ReviewedChoice(step, table.game.choice(state, seat, choice), advised(advice), lost))
        if time.monotonic() > end:
            break
    judged = Review(table.name, seat, len(asked), tuple(found))
    await town.store.put([Note("review", name, msgspec.json.encode(judged))])
    return msgspec.structs.replace(judged, choices=judged.choices[start:])


def decisions(table: Table, seat: int) -> list[tuple[int, State, int]]:
    """The steps at which a seat had a choice in this match, the state then, and what it chose."""
    match = table.new_match()
    found = []
    for step, (who, choice) in enumerate(finished(table).choices):
        if step >= match.begun and who == seat and len(match.legal(seat)) > 1:
            found.append((step, match.state.copy(), choice))
        match.choose(who, choice)
    return found
