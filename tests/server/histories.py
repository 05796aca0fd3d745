"""What people asked for and were shown at tables, and whether what is on disk agrees with it.

Everybody remembers what they asked for, what was acknowledged, and every view. An `Auditor` reads the store and finds
what is missing, doubled, invented or shown without being there.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from cardtown.core.match import MatchError
from cardtown.games import games
from cardtown.server import ratings, rows
from cardtown.server.messages import encode
from cardtown.server.people import Person, given_name
from cardtown.server.ratings import Rating
from cardtown.server.refusal import Refused
from cardtown.server.store import Row
from cardtown.server.table import Table
from cardtown.server.views import Named, Seen, view

Wire = dict[str, Any]


class Disagreement(AssertionError):
    """What is on disk is not what somebody was told."""


@dataclass
class Asked:
    """A request. Its row, if there is one, is at a number from `seen` on and below `until`."""

    request: Wire
    seen: int
    answer: Literal["done", "refused"] | None = None
    until: int | None = None


@dataclass
class History:
    """What one person did and saw at one table, over as many connections as it took; one request at a time."""

    person: str
    table: str
    asked: list[Asked] = field(default_factory=list)
    newest: int = 0
    shown: defaultdict[int, list[Wire]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    is_closed: bool = False

    @property
    def waiting(self) -> Asked | None:
        """What was asked for and neither answered nor cut off."""
        last = self.asked[-1] if self.asked else None
        return last if last and last.answer is None and last.until is None else None

    def ask(self, request: Wire, seen: int) -> None:
        self.asked.append(Asked(request, seen))

    def be_answered(self, message: Wire) -> None:
        asked = self.waiting
        assert asked is not None
        asked.answer = message["is"]
        if message["is"] == "done":
            asked.until = message["number"]
            self.newest = max(self.newest, message["number"])

    def be_shown(self, picture: Wire) -> None:
        """A whole view. One that comes later never shows less than was shown or acknowledged before."""
        if picture["number"] < self.newest:
            self.faults.append(f"view {picture['number']} came after {self.newest}")
        self.newest = max(self.newest, picture["number"])
        self.shown[picture["number"]].append(picture)

    def come_back(self, number: int) -> Wire | None:
        """After a lost connection: what was not answered is in the log before this number, or nowhere."""
        asked = self.waiting
        if asked is None:
            return None
        asked.until = number
        return asked.request


@dataclass
class Kept:
    """All that a store holds: the logs of tables, and notes by kind and name."""

    logs: dict[str, list[Row]]
    notes: dict[str, dict[str, bytes]]


def read_dead_store(file: Path) -> Kept:
    """What a server left. A copy is read: the file itself must be found by the next server as it was left."""
    copy = file.parent / "copy"
    copy.mkdir(exist_ok=True)
    for part in (file, file.with_name(f"{file.name}-wal")):
        (copy / part.name).unlink(missing_ok=True)
        if part.exists():
            shutil.copy(part, copy)
    logs: defaultdict[str, list[Row]] = defaultdict(list)
    notes: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    with closing(sqlite3.connect(copy / file.name)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for name, *row in db.execute('SELECT "table", number, at, body FROM log ORDER BY "table", number'):
            logs[name].append(Row(*row))
        for kind, name, body in db.execute("SELECT kind, name, body FROM note"):
            notes[kind][name] = body
    return Kept(dict(logs), dict(notes))


@dataclass
class Audited:
    """A table that agrees with what is remembered of it."""

    table: Table
    finished_at: float | None
    counted: Counter[str]


class Auditor:
    """Compares stores with histories, again and again while both grow."""

    def __init__(self) -> None:
        self.before: dict[str, list[Row]] = {}
        self.audited: dict[str, Audited] = {}
        self.settled: set[str] = set()
        self.counted: Counter[str] = Counter()

    def examine(self, kept: Kept, histories: Iterable[History]) -> None:
        """Raises a Disagreement if a store does not hold what people know, or more than they did."""
        by_table: defaultdict[str, list[History]] = defaultdict(list)
        for history in histories:
            by_table[history.table].append(history)
        for name in self.before.keys() | by_table.keys():
            log, before = kept.logs.get(name, []), self.before.get(name, [])
            if log[: len(before)] != before or not log:
                raise Disagreement(f"table {name}: what was on disk before has changed or is gone")
            if name in self.settled and len(log) > len(before):
                raise Disagreement(f"table {name}: it was over and finished, and goes on")
        for name, log in kept.logs.items():
            if name in self.settled:
                continue
            found = self.audited[name] = audit(name, log, by_table[name])
            if found.table.is_finished and by_table[name] and all(history.is_closed for history in by_table[name]):
                self.settled.add(name)
                self.counted += found.counted
        self.before = kept.logs
        self._examine_notes(kept)

    def _examine_notes(self, kept: Kept) -> None:
        """Notes change together with rows: they say what follows from the logs, at any moment."""
        tables = [found.table for found in self.audited.values()]
        playing = {table.name for table in tables if table.match is not None and not table.is_finished}
        if playing != kept.notes.get("playing", {}).keys():
            raise Disagreement(f"tables {playing} are being played; noted are {kept.notes.get('playing', {}).keys()}")
        expected = ratings_after(self.audited.values())
        rated = {name: msgspec.json.decode(body, type=Rating) for name, body in kept.notes.get("rating", {}).items()}
        if rated != expected:
            raise Disagreement(f"the matches that are finished lead to ratings {expected}; noted are {rated}")


def ratings_after(audited: Iterable[Audited]) -> dict[str, Rating]:
    """What ratings follow if every listed match of several people is counted once, in the order of their ends."""
    found: dict[str, Rating] = {}
    ended = [(each.finished_at, each.table) for each in audited if each.finished_at is not None]
    for _, table in sorted(ended, key=lambda end: end[0]):
        people = list(table.people)
        outcome = table.match.outcome if table.match else None
        if outcome is None or not table.opened.is_listed or len(people) < 2:
            continue
        names = [f"{person}/{table.opened.game}" for person in people]
        places = ratings.places(outcome.winners, [table.people[person] for person in people])
        found |= zip(names, ratings.rate([found.get(name, Rating()) for name in names], places), strict=True)
    return found


def audit(name: str, log: Sequence[Row], histories: Sequence[History]) -> Audited:
    """Replay a table's log and hold it against what each of its people remembers."""
    opened = rows.decode(log[0].body)
    if [row.number for row in log] != list(range(len(log))) or not isinstance(opened, rows.Opened):
        raise Disagreement(f"table {name}: its rows are not numbered one by one from its opening on")
    table = Table(name, opened, games(), log[0].at)
    claims = {history.person: Claims(history) for history in histories}
    finished_at: float | None = None
    for row in log[1:]:
        check_pictures(table, histories)
        body = rows.decode(row.body)
        where = f"table {name}, row {row.number} ({body})"
        try:
            made = request_of(table, body)
            if made is not None:
                person, request = made
                if person not in claims:
                    raise Disagreement(f"{where}: by {person}, who was never there")
                claims[person].claim(row.number, request, where)
            table.apply(body, row.at)
        except (Refused, MatchError) as error:
            raise Disagreement(f"{where}: does not follow from what was before: {error}") from error
        if isinstance(body, rows.Finished):
            finished_at = row.at
    check_pictures(table, histories)
    counted = sum((claim.count() for claim in claims.values()), Counter[str]())
    counted["rows of logs"] = len(log)
    for history in histories:
        if history.faults:
            raise Disagreement(f"table {name}, {history.person}: {history.faults[0]}")
        if history.shown:
            raise Disagreement(
                f"table {name}, {history.person}: was shown {max(history.shown)} rows; there are {table.length}"
            )
    return Audited(table, finished_at, counted)


def request_of(table: Table, body: rows.Body) -> tuple[str, Wire] | None:
    """Who must have asked for a row, and for what; None where the server adds it by itself and may do so now."""
    match body:
        case rows.Chose(seat, move):
            if table.bot_of(seat) is not None:
                return None
            choice = table.playing().moves(seat).get(move)
            return person_in(table, seat), {"do": "choose", "decision": table.decision, "choice": choice}
        case rows.Sat(seat, rows.Player(person=str() as person)):
            return person, {"do": "sit", "seat": seat}
        case rows.Said(person, text):
            return person, {"do": "say", "text": text}
        case rows.Undone(seat) | rows.AskedUndo(seat):
            return person_in(table, seat), {"do": "undo"}
        case rows.AnsweredUndo(seat, agrees):
            return person_in(table, seat), {"do": "answer-undo", "agrees": agrees}
        case rows.Resigned(seat):
            return person_in(table, seat), {"do": "resign"}
        case rows.WantsRematch(seat):
            return person_in(table, seat), {"do": "rematch"}
        case rows.Started():
            table.check_start()
        case rows.Finished():
            table.check_finish()
        case rows.Rematched(name):
            table.check_rematched(name)
        case _:
            raise Disagreement(f"table {table.name}: nobody asks for {body} here")
    return None


def person_in(table: Table, seat: int) -> str:
    person = table.players[seat].person
    if person is None:
        raise Disagreement(f"table {table.name}: nobody sits in seat {seat}")
    return person


class Claims:
    """Which row answers which request of a person."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.rows: dict[int, int] = {}

    def claim(self, number: int, request: Wire, where: str) -> None:
        """A row claims the request that it answers, at the only place where it may be."""
        fitting = [
            place
            for place, asked in enumerate(self.history.asked)
            if asked.request == request
            and asked.answer != "refused"
            and asked.seen <= number
            and (asked.until is None or number < asked.until)
        ]
        if not fitting:
            raise Disagreement(f"{where}: nobody asked for it, or not then, or it was refused")
        if fitting[0] in self.rows:
            raise Disagreement(f"{where}: is doubled; it is in row {self.rows[fitting[0]]} already")
        self.rows[fitting[0]] = number

    def count(self) -> Counter[str]:
        """How many requests had which fate; none that was acknowledged may be missing."""
        counted: Counter[str] = Counter()
        for place, asked in enumerate(self.history.asked):
            if asked.answer == "done" and place not in self.rows:
                raise Disagreement(
                    f"table {self.history.table}, {self.history.person}: {asked.request} was acknowledged "
                    f"before row {asked.until} and is missing"
                )
            if asked.answer != "refused":
                cut_off = "requests cut off, on disk" if place in self.rows else "requests cut off, not on disk"
                counted["requests acknowledged" if asked.answer else cut_off] += 1
        return counted


def check_pictures(table: Table, histories: Sequence[History]) -> None:
    """Whoever was shown a table of this length saw what the log says; what was checked is forgotten."""
    for history in histories:
        pictures = history.shown.pop(table.length, ())
        if not pictures:
            continue
        named = Named(lambda person: Person(given_name(person)))
        expected = without_ratings(json.loads(encode(view(table, history.person, named, Seen()))))
        for picture in map(without_ratings, pictures):
            if picture != expected:
                different = ", ".join(key for key in expected if expected[key] != picture[key])
                raise Disagreement(
                    f"table {table.name}, {history.person}: view {table.length} showed another {different}"
                )


def without_ratings(picture: Wire) -> Wire:
    """Ratings may change through matches at other tables."""
    return {**picture, "seats": [{**seat, "rating": None} for seat in picture["seats"]]}
