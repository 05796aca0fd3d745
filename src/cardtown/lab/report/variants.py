"""Which ways of playing a game are compared: other numbers of seats, and other values of its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardtown.core.game import Game, GameError, Value

from ..table import Table

SEATS = "seats"
MOST = 6
"""Of an option with more values, so many are tried."""

Vary = Mapping[str, Sequence[Value]]


class Variant(NamedTuple):
    """What is changed, its value, and the table that follows."""

    name: str
    value: Value
    table: Table


def parse_vary(game: Game, wishes: Sequence[str]) -> Vary:
    """What `--vary carpet=3,4 --vary seats=3,5` asks for."""
    found: dict[str, list[Value]] = {}
    for wish in wishes:
        name, equals, values = wish.partition("=")
        if not equals or not all(values.split(",")):
            raise GameError(f"what to vary is written name=value,value, not {wish!r}")
        known = [SEATS, *(option.name for option in game.options)]
        if name not in known:
            raise GameError(f"{game.id} has nothing to vary that is called {name!r}; there is {', '.join(known)}")
        found[name] = [game.parse_options([f"{name}={value}"])[name] for value in values.split(",")]
    return found


def usual_variants(game: Game, table: Table) -> Vary:
    """Every number of seats, and every option that applies, a little."""
    found: dict[str, Sequence[Value]] = {SEATS: game.seats}
    found |= {option.name: spread(tuple(option.values)) for option in game.options if option.applies(table.seats)}
    return found


def spread(values: Sequence[Value]) -> Sequence[Value]:
    """At most so many of them, from first to last."""
    n = min(len(values), MOST)
    return [values[i * (len(values) - 1) // max(n - 1, 1)] for i in range(n)]


def variants(game: Game, table: Table, vary: Vary) -> list[Variant]:
    """The tables to compare with this one, which is not among them."""
    found = []
    for name, values in vary.items():
        for value in values:
            seats = table.seats
            options = dict(table.options)
            if name == SEATS:
                if not isinstance(value, int):
                    raise GameError(f"seats are counted: {value!r} is no number")
                seats = game.check_seats(value)
                applying = {option.name for option in game.options if option.applies(seats)}
                options = {key: kept for key, kept in options.items() if key in applying}
            else:
                options[name] = value
            other = table._replace(seats=seats, options=game.complete(options, seats))
            if other != table:
                found.append(Variant(name, value, other))
    return found
