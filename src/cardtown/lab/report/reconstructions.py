"""Components that are not known for certain: mild changes of the reconstructed figures, to see what they decide.

`components.toml` marks a table whose figures were reconstructed. Each figure is moved by one step; what the game's own
checks refuse is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from cardtown.core import play
from cardtown.core.components import ComponentsError, Parts
from cardtown.core.game import Game
from cardtown.core.play import Player
from cardtown.core.state import Dice

from ..table import Table

TRIED = 40
"""Games by chance that show whether a change makes any difference to play."""

LIMIT = 2_000


class Change(NamedTuple):
    """A set of components in which one reconstructed figure is another; `figure` and `how` say which."""

    figure: str
    how: str
    parts: Parts


class Uncertain(NamedTuple):
    """What is reconstructed: the changes that can be played, and the figures that are names alone."""

    changes: tuple[Change, ...]
    names: tuple[str, ...]


Ways = Iterator[Iterable[Change]]
"""How a figure can be changed, the most natural way first."""


def uncertain(game: Game) -> Uncertain:
    """The reconstructed figures of a game, each changed once before one is changed again."""
    by_figure: list[list[Change]] = []
    names = []
    for table, figures in game.parts.items():
        if figures["source"] != "reconstructed":
            continue
        numeric = {key: value for key, value in figures.items() if is_numeric(value)}
        names += [f"{table}.{key}" for key in figures if key not in (*numeric, "source")]
        by_figure += [playable(game, ways) for ways in ways_of(game.parts, table, numeric)]
    return Uncertain(tuple(change for each in zip_longest(*by_figure) for change in each if change), tuple(names))


def is_numeric(value: Any) -> bool:
    """A whole number, or a list of them."""
    listed = value if isinstance(value, list) else [value]
    return bool(listed) and all(type(item) is int for item in listed)


def playable(game: Game, ways: Ways, enough: int = 2) -> list[Change]:
    """The changes that the game does not refuse, of the first way in which there are any."""
    for way in ways:
        found = [change for change in way if change.parts != game.parts and can_play(game, change.parts)]
        if found:
            return found[:enough]
    return []


def can_play(game: Game, parts: Parts) -> bool:
    try:
        game.with_components(parts, "components")
    except ComponentsError:
        return False
    return True


def ways_of(parts: Parts, table: str, figures: dict[str, Any]) -> Iterator[Ways]:
    """For each figure of a table the ways to change it. A tall table is changed column by column."""
    rows = [key for key, value in figures.items() if isinstance(value, list)]
    wide = {len(figures[key]) for key in rows}
    if len(wide) == 1 and len(rows) > max(wide):
        for column in range(max(wide)):
            yield columns_changed(parts, table, rows, column)
        figures = {key: value for key, value in figures.items() if key not in rows}
    single = [key for key, value in figures.items() if not isinstance(value, list)]
    for key, value in figures.items():
        if isinstance(value, list):
            yield list_changed(parts, table, key)
        else:
            yield number_changed(parts, table, key, single)


def changed(parts: Parts, table: str, key: str, to: Any) -> Parts:
    made = deepcopy(parts)
    made[table][key] = to
    return made


def number_changed(parts: Parts, table: str, key: str, keys: Sequence[str]) -> Ways:
    """One more, one less; where neither can be, it changes places with the next figure of its table."""
    name, value = f"{table}.{key}", parts[table][key]
    yield [Change(name, f"{value} → {to}", changed(parts, table, key, to)) for to in (value + 1, value - 1)]
    other = keys[(keys.index(key) + 1) % len(keys)]
    swapped = changed(changed(parts, table, key, parts[table][other]), table, other, value)
    yield [Change(name, f"{value} ↔ {parts[table][other]} ({other})", swapped)]


def list_changed(parts: Parts, table: str, key: str) -> Ways:
    """All of it one more or less, as far as nothing appears or vanishes; tilted to one end; one figure alone."""
    values: list[int] = parts[table][key]

    def moved(how: str, by: Callable[[int, int], int]) -> Change:
        to = [value + by(i, value) for i, value in enumerate(values)]
        return Change(f"{table}.{key}", how, changed(parts, table, key, to))

    half, rest = len(values) // 2, -(-len(values) // 2)
    yield [
        moved("all that are not 0: +1", lambda i, value: int(value != 0)),
        moved("all above 1: −1", lambda i, value: -int(value > 1)),
    ]
    yield [
        moved(f"the first {half} +1, the last {half} −1", lambda i, value: (i < half) - (i >= rest)),
        moved(f"the first {half} −1, the last {half} +1", lambda i, value: (i >= rest) - (i < half)),
    ]
    yield (
        moved(f"number {at + 1}: {old} → {old + by}", partial(alone, at, by))
        for at, old in enumerate(values)
        for by in (1, -1)
        if old
    )


def alone(at: int, by: int, i: int, value: int) -> int:
    return by if i == at else 0


def columns_changed(parts: Parts, table: str, rows: Sequence[str], column: int) -> Ways:
    """The same figure of every row one more, or one less."""
    found = []
    for by in (1, -1):
        made = deepcopy(parts)
        for key in rows:
            made[table][key][column] += by
        found.append(Change(f"{table}, number {column + 1} of each", f"{by:+d}".replace("-", "−"), made))
    yield found


def table_with(game: Game, table: Table, change: Change) -> Table:
    """The same table with changed components: an option that was left at its default follows them."""
    other = game.with_components(change.parts, "components")
    usual = game.complete({}, table.seats)
    chosen = {name: value for name, value in table.options.items() if value != usual[name]}
    return table._replace(parts=change.parts, options=other.complete(chosen, table.seats))


def matters(game: Game, table: Table, change: Change) -> bool:
    """Does a change make any difference at this table? Games by chance would show it."""
    other, other_table = game.with_components(change.parts, "components"), table_with(game, table, change)
    return any(end_of(game, table, number) != end_of(other, other_table, number) for number in range(TRIED))


def end_of(game: Game, table: Table, number: int) -> tuple[tuple[int, ...], int, int]:
    """Scores, winners and length of a game by chance."""
    code = game.plain(play)
    s, dice = game.blank(table.seats, table.options), Dice()
    code.begin(s, dice, 0, number)
    players = sum(Player.WANDER << (4 * seat) for seat in range(table.seats))
    n: int = code.play_out(s, players, dice, LIMIT)
    return tuple(s.score), s.winners, n
