"""The laws of observations: a row of numbers tells a seat all that it knows, and nothing else.

Only positions that differ in little show that a little is missing. So `check_observations` looks at positions of games
and at others near them, to which other choices or other chance would have led; and `check_observed_fields` changes one
thing at a time. `check_observing_twins` compares plain Python with compiled code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from msgspec import structs

from . import observing, play
from .chance import below, seed_stream
from .game import Game, Options
from .laws import CLOSELY, LIMIT, SELDOM, LawBroken, combinations, players_of
from .play import Player
from .state import Dice, State
from .table import Sheet, Table, Text, Zone

WAYS = 6
STEPS = 5
"""From a position so many other ways are gone, of so many decisions."""

FIELDS = 6
"""In so many fields a position is changed, in one after another."""

SHOWN_IN_ORDER = ("pile", "stack")
"""Kinds of zones whose order tells something; elsewhere things lie side by side in whatever order."""

Seen = dict[tuple[int, bytes], State]
"""By seat and observation, a position in which it was made."""


def check_observations(game: Game, seed: int, number: int) -> int:
    """Hold the laws against the positions of one game at every table; how many of them looked alike to somebody."""
    seen: Seen = {}
    alike = 0
    for seats, options in combinations(game):
        for player in Player:
            for step, position in enumerate(positions(game, seats, options, player, seed, number)):
                seat = (step + number) % seats
                for s in (position, *near(game, position, player, seed, step)):
                    row = observation(game, s, seat)
                    observation_fits(game, row)
                    observation_tells_only_what_is_known(game, s, seat, row, seed + step)
                    alike += observation_tells_all_that_is_known(game, s, seat, row, seen)
    return alike


def positions(game: Game, seats: int, options: Options, player: Player, seed: int, number: int) -> Iterator[State]:
    """Positions of one game: many from its beginning, fewer later, and the last one."""
    code = game.plain(play)
    s = game.blank(seats, game.complete(options, seats))
    dice = Dice()
    code.begin(s, dice, seed, number)
    for step in range(LIMIT):
        if step < CLOSELY or step % SELDOM == number % SELDOM or not s.acting:
            yield s.copy()
        if not s.acting:
            return
        seat = play.seat_to_act(s)
        game.rules.play(s, seat, code.choose(players_of(player, seats), s, seat, dice))


def near(game: Game, s: State, player: Player, seed: int, number: int) -> Iterator[State]:
    """Where the game might go from here, also if what some seat can't know were otherwise."""
    code = game.plain(play)
    dice = Dice()
    seed_stream(dice.rng, seed, number)
    for way in range(WAYS):
        other = game.redealt(s, below(dice.rng, s.seats), way) if way % 2 else s.copy()
        for _ in range(STEPS):
            if not other.acting:
                break
            seat = play.seat_to_act(other)
            game.rules.play(other, seat, code.choose(players_of(player, s.seats), other, seat, dice))
            yield other.copy()


def observation(game: Game, s: State, seat: int) -> list[int]:
    """What a seat knows, as plain Python writes it."""
    row = [0] * game.observation_length
    game.plain(observing).observe(s, seat, row)
    return row


def observation_fits(game: Game, row: list[int]) -> None:
    large = [not -128 <= number <= 127 for number in row]
    if any(large):
        raise LawBroken("observations fit", f"{max(row, key=abs)} needs more than eight bits: {parts(game, large)}")


def observation_tells_only_what_is_known(game: Game, s: State, seat: int, row: list[int], seed: int) -> None:
    """Whatever else may be true, the numbers are the same."""
    other = observation(game, game.redealt(s, seat, seed), seat)
    if row != other:
        raise LawBroken("observations do not leak", f"seat {seat} learns of it: {differing(game, row, other)}")


def observation_tells_all_that_is_known(game: Game, s: State, seat: int, row: list[int], seen: Seen) -> bool:
    """Where the numbers are the same, so is the table. Has there been another position with the same numbers?"""
    other = seen.setdefault((seat, np.array(row, np.int8).tobytes()), s)
    if other is s or other.packed() == s.packed():
        return False
    tables = known(game, other, seat), known(game, s, seat)
    unlike = [name for name in Table.__struct_fields__ if getattr(tables[0], name) != getattr(tables[1], name)]
    if unlike:
        raise LawBroken("observations tell all that is known", f"seat {seat} sees other {', '.join(unlike)}")
    return True


def known(game: Game, s: State, seat: int) -> Table:
    """What a seat sees, but for how it is shown: order that tells nothing, what no words use, how scores came about."""
    table = game.table(s, seat, game.show.sheet(s, []))
    zones = tuple(unordered(zone) for zone in table.zones)
    asked = table.prompt
    used = {name: arg for name, arg in asked.args.items() if name in game.words.arguments(asked.key)}
    return structs.replace(table, zones=zones, sheet=Sheet((), table.sheet.totals), prompt=Text(asked.key, used))


def unordered(zone: Zone) -> Zone:
    """The zone with its things in the order of their names, unless their order tells something."""
    if zone.kind in SHOWN_IN_ORDER:
        return zone
    return structs.replace(zone, things=tuple(sorted(zone.things, key=lambda thing: thing.id)))


def check_observed_fields(game: Game, seed: int, number: int, kept_twice: Collection[str] = ()) -> int:
    """Whatever changes what a seat sees changes its numbers; how many changes were seen.

    A number in the state is replaced by that of another position. Such a position need not be possible, and what a
    state keeps twice, in two fields, can't be changed in one: such fields are `kept_twice`.
    """
    dice = Dice()
    seed_stream(dice.rng, seed, number)
    fields = [name for name in game.rules.State.fields if name not in kept_twice]
    seen = 0
    for seats in game.seats:
        tables = [options for n, options in combinations(game) if n == seats]
        states = [
            s for options in tables for player in Player for s in positions(game, seats, options, player, seed, number)
        ]
        for step, s in enumerate(states):
            for _ in range(FIELDS):
                name = fields[below(dice.rng, len(fields))]
                other = with_one_number_of(states[below(dice.rng, len(states))], s, name, dice)
                seen += change_is_observed(game, s, other, step % seats, name)
    return seen


def with_one_number_of(other: State, s: State, name: str, dice: Dice) -> State:
    """A copy of `s` in which a number of one field is that of the other's field."""
    made = s.copy()
    if isinstance(getattr(s, name), int):
        setattr(made, name, getattr(other, name))
        return made
    mine, theirs = (getattr(getattr(each, name), "cells", getattr(each, name)) for each in (made, other))
    unlike = [i for i in range(len(mine)) if mine[i] != theirs[i]]
    if unlike:
        i = unlike[below(dice.rng, len(unlike))]
        mine[i] = theirs[i]
    return made


def change_is_observed(game: Game, s: State, changed: State, seat: int, name: str) -> bool:
    """Did the seat see it, and the numbers tell it?"""
    try:
        before, after = (seen_by(game, each, seat) for each in (s, changed))
        rows = [observation(game, each, seat) for each in (s, changed)]
    except (IndexError, KeyError, ValueError):
        return False  # there is no such position
    if before != after and rows[0] == rows[1]:
        raise LawBroken("observations tell all that is known", f"seat {seat} sees other {name}, in no number")
    return before != after


def seen_by(game: Game, s: State, seat: int) -> tuple[Any, ...]:
    """What a seat sees, but for words and choices that can't be made for positions that can't be."""
    zones = tuple(unordered(zone) for zone in game.show.zones(s, seat))
    return zones, s.acting, game.show.progress(s), game.show.sheet(s, []).totals


def differing(game: Game, row: list[int], other: list[int]) -> str:
    return f"they differ in {parts(game, [a != b for a, b in zip(row, other, strict=True)])}"


def parts(game: Game, marked: list[bool]) -> str:
    """The parts in which a number is marked."""
    found = zip(game.observation, observing.places(game.observation), strict=True)
    return ", ".join(part.name for part, at in found if any(marked[at : at + part.length]))


def check_observing_twins(
    game: Game, seats: int, options: Options, player: Player, seed: int, first: int, n: int
) -> None:
    """Plain Python and compiled code write the same numbers."""
    blank = game.blank_record(seats, game.complete(options, seats))
    dice = np.zeros(1, Dice.dtype)
    states = np.zeros(LIMIT, blank.dtype)
    rows = np.zeros((LIMIT, game.observation_length), np.int8)
    for number in range(first, first + n):
        kept = game.compiled(play).trace_game(blank, dice, players_of(player, seats), seed, number, states)
        seat = number % seats
        game.compiled(observing).observe_all(states, np.full(kept, seat, np.int8), rows, 0, kept)
        for step in range(kept):
            row = observation(game, game.rules.State.unpacked(states[step]), seat)
            if row != rows[step].tolist():
                unlike = differing(game, row, rows[step].tolist())
                raise LawBroken("twins agree", f"game {number}, step {step}: they observe differently, {unlike}")
