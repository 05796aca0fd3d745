"""What each watcher is sent of a table, built from what that watcher may know and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import msgspec

from cardtown.core.table import Sheet, Zone
from cardtown.core.table import Table as Board

from .messages import BoardView, ClockView, Result, SaidView, SeatView, UndoView, View
from .people import Person
from .refusal import Refused
from .rows import ITSELF, Undone
from .table import Table, handle


@dataclass
class Seen:
    """What a watcher has been sent already: about the table, lines of the log, the talk, and the parts of the board."""

    undos: int = -1
    lines: int = 0
    said: int = 0
    about: dict[str, Any] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    sheet: Sheet | None = None


class Named(NamedTuple):
    """What views tell of people: who they are and how they are rated."""

    person: Callable[[str], Person]
    ratings: Mapping[str, int] = MappingProxyType({})


def view(table: Table, person: str, named: Named, seen: Seen, done: Sequence[int] = ()) -> View:
    """The table as somebody sees it, who asked for what is `done` with it; `seen` is brought up to date."""
    opened, match = table.opened, table.match
    me = table.people.get(person)
    undos = table.undos if match else -1
    if seen.undos != undos:  # what was told before may not have happened
        seen.undos, seen.lines = undos, 0
    if seen.said > len(table.said):  # it was forgotten
        seen.said = 0
    told = match.told_to(me) if match else []
    lines = table.game.lines(told[seen.lines :])
    said = tuple([said_view(table, number, named) for number in range(seen.said, len(table.said))])
    made = View(
        number=table.length,
        done=tuple(done),
        stage=table.stage,
        me=me,
        clock=ClockView(
            opened.clock.kind,
            opened.clock.seconds,
            tuple(table.spent),
            tuple(map(table.since.get, range(opened.seats))),
        ),
        decision=table.decision if match and not table.is_over else None,
        board=cast(BoardView | None, board(table, me, seen)),
        first_line=seen.lines,
        lines=tuple(lines),
        undo=undo_view(table, me),
        first_said=seen.said,
        said=said,
        result=result(table),
        wants_rematch=tuple(sorted(table.wants_rematch)),
        rematch=table.rematch,
        **about(table, person, named, seen),
    )
    seen.lines, seen.said = len(told), len(table.said)
    return made


def about(table: Table, person: str, named: Named, seen: Seen) -> dict[str, Any]:
    """What is seldom new, if any of it is."""
    opened = table.opened
    changing = {
        "is_host": person == opened.host,
        "is_muted": person in table.muted,
        "seats": seat_views(table, named),
    }
    if changing == seen.about:
        return {}
    seen.about = changing
    return {
        "table": table.name,
        "game": opened.game,
        "rules": opened.rules,
        "options": opened.options,
        "is_listed": opened.is_listed,
        "may_hint": opened.may_hint,
        "commitment": table.commitment,
        "begun": len(opened.beginning.moves),
        **changing,
    }


def seat_views(table: Table, named: Named) -> tuple[SeatView, ...]:
    """Made once for all who watch; people may change their names meanwhile."""
    people = [named.person(person) for person in table.people]
    if table.seated is None or table.seated[0] != people:
        table.seated = people, tuple(seat_view(table, seat, named) for seat in range(table.opened.seats))
    seats: tuple[SeatView, ...] = table.seated[1]
    return seats


def seat_view(table: Table, seat: int, named: Named) -> SeatView:
    player = table.players[seat]
    if player.person is not None:
        return SeatView(
            "person",
            named.person(player.person).name,
            who=handle(table.name, player.person),
            stand_in=table.standing_in.get(seat),
            has_resigned=table.match is not None and seat in table.match.resigned,
            rating=named.ratings.get(player.person),
        )
    if player == ITSELF:
        return SeatView("itself", "")
    if player.bot is not None:
        return SeatView("bot", f"{player.bot} bot", bot=player.bot)
    return SeatView("open", "")


def said_view(table: Table, number: int, named: Named) -> SaidView:
    at, said = table.said[number]
    return SaidView(
        at,
        handle(table.name, said.person),
        named.person(said.person).name,
        table.people.get(said.person),
        said.text,
    )


def undo_view(table: Table, me: int | None) -> UndoView:
    asked = table.undo_asked
    waits = asked is not None and me is not None and me in table.others_to_ask(asked) - table.agreed
    if me is None:
        return UndoView(asked, False, None)
    try:
        row = table.check_undo(me)
    except Refused:
        return UndoView(asked, waits, None)
    return UndoView(asked, waits, "free" if isinstance(row, Undone) else "ask")


def result(table: Table) -> Result | None:
    """How it ended; the secret is shown with it and not before."""
    outcome = table.match.outcome if table.match else None
    if outcome is None:
        return None
    return Result(outcome.reason, outcome.winners, outcome.scores, table.opened.secret)


def board(table: Table, watcher: int | None, seen: Seen) -> Board | None:
    """The board, of which what a watcher has been sent already is only named.

    It is made once for all spectators, and anew for who sits, since they are sent it once.
    """
    if table.match is None:
        return None
    if watcher is not None:
        made = table.match.table(watcher)
    else:
        made = table.board = table.board or table.match.table(None)
    before = seen.zones.get
    zones = tuple([zone.id if zone == before(zone.id) else zone for zone in made.zones])
    seen.zones = {zone.id: zone for zone in made.zones}
    sheet, seen.sheet = None if made.sheet == seen.sheet else made.sheet, made.sheet
    return msgspec.structs.replace(made, zones=zones, sheet=sheet)
