"""What people asked for and were shown at tables, and whether what is on disk agrees with it.

Everybody remembers what they asked for, what was acknowledged, and every view. An `Auditor` reads the store and finds
what is missing, doubled, invented or shown without being there.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Literal, NamedTuple

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
from tests.server.serving import Wire, whole

Picture = dict[str, Any]
"""A whole view: its parts as they were sent, by name, and all lines and all that was said."""


NAMED = Named(lambda person: Person(given_name(person)))
"""Nobody has chosen a name."""


class Disagreement(AssertionError):
    """What is on disk is not what somebody was told."""


@dataclass
class Asked:
    """A request. Its row, if there is one, is at a number from `seen` on and below `until`."""

    request: Wire
    seen: int
    answer: Literal["done", "refused"] | None = None
    until: int | None = None
    is_cut_off: bool = False


@dataclass
class History:
    """What one person did and saw at one table, over as many connections as it took; one request at a time."""

    person: str
    table: str
    asked: list[Asked] = field(default_factory=list)
    newest: int = 0
    shown: defaultdict[int, list[Picture]] = field(default_factory=lambda: defaultdict(list))
    shown_at: dict[int, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    is_closed: bool = False

    @property
    def waiting(self) -> Asked | None:
        """What was asked for and neither answered nor cut off."""
        last = self.asked[-1] if self.asked else None
        return last if last and last.answer is None and not last.is_cut_off else None

    def ask(self, request: Wire, seen: int) -> None:
        self.asked.append(Asked(request, seen))

    def be_answered(self, message: Wire) -> None:
        asked = self.waiting
        if asked is None:
            self.faults.append(f"was answered without having asked: {message}")
            return
        asked.answer = message["is"]
        if message["is"] == "done":
            asked.until = message["number"]
            self.newest = max(self.newest, message["number"])

    def be_shown(self, number: int, picture: Picture) -> None:
        """One that comes later never shows less than was shown or acknowledged before."""
        if number < self.newest:
            self.faults.append(f"view {number} came after {self.newest}")
        self.newest = max(self.newest, number)
        self.shown[number].append(picture)
        self.shown_at.setdefault(number, monotonic())

    def come_back(self, number: int, is_certain: bool = True) -> Wire | None:
        """After a lost connection: what was not answered; if the server died, it is before this number or nowhere."""
        asked = self.waiting
        if asked is None:
            return None
        asked.is_cut_off = True
        if is_certain:
            asked.until = number
        return asked.request


def delays(histories: Sequence[History]) -> Iterator[float]:
    """Seconds after which a view of a table came to the others of those who were there, view by view."""
    first: dict[int, float] = {}
    for history in histories:
        for number, at in history.shown_at.items():
            first[number] = min(at, first.get(number, at))
    for history in histories:
        for number, at in islice(history.shown_at.items(), 1, None):  # they came to the first one themselves
            if at > first[number]:
                yield at - first[number]


class Eyes:
    """What somebody sees of a table, view by view: each says only what is new."""

    def __init__(self) -> None:
        self.parts: dict[str, msgspec.Raw] = {}
        self.last: Wire = {}
        self.lines: list[msgspec.Raw] = []
        self.said: list[msgspec.Raw] = []

    def see(self, message: bytes) -> Picture:
        parts = msgspec.json.decode(message, type=dict[str, msgspec.Raw])
        new_lines = msgspec.json.decode(parts.pop("lines"), type=list[msgspec.Raw])
        new_said = msgspec.json.decode(parts.pop("said"), type=list[msgspec.Raw])
        self.lines[int(parts.pop("first_line")) :] = new_lines
        self.said[int(parts.pop("first_said")) :] = new_said
        del parts["done"]
        self.parts |= parts
        self.last = whole({"board": msgspec.json.decode(parts["board"])}, self.last)
        return {
            **self.parts,
            **self.last,
            "seats": without_ratings(self.parts["seats"]),
            "lines": tuple(self.lines),
            "said": tuple(self.said),
        }


def without_ratings(seats: msgspec.Raw) -> list[Wire]:
    """Ratings may change through matches at other tables."""
    return [{**seat, "rating": None} for seat in msgspec.json.decode(seats)]


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
    return read_file(copy / file.name)


def read_file(file: Path) -> Kept:
    """All that is in an SQLite file at one moment; somebody may be writing to it."""
    logs: defaultdict[str, list[Row]] = defaultdict(list)
    notes: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN")
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
    ended: Ended | None
    counted: Counter[str]


class Ended(NamedTuple):
    """A match that counts for ratings: when, for whom at which game, and their places."""

    at: float
    names: tuple[str, ...]
    places: tuple[int, ...]


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
        check_ratings(kept, [each.ended for each in self.audited.values() if each.ended])


def check_ratings(kept: Kept, ended: Iterable[Ended]) -> None:
    """Every listed match of several people counts once, in the order of their ends."""
    expected: dict[str, Rating] = {}
    for _, names, places in sorted(ended):
        after = ratings.rate([expected.get(name, Rating()) for name in names], places)
        expected |= zip(names, after, strict=True)
    rated = {name: msgspec.json.decode(body, type=Rating) for name, body in kept.notes.get("rating", {}).items()}
    if rated != expected:
        raise Disagreement(f"the matches that are finished lead to ratings {expected}; noted are {rated}")


def end_of(table: Table, at: float) -> Ended | None:
    """What a match that is noted as finished adds to ratings, if it counts."""
    people = list(table.people)
    outcome = table.match.outcome if table.match else None
    if outcome is None or not table.opened.is_listed or len(people) < 2:
        return None
    places = ratings.places(outcome.winners, [table.people[person] for person in people])
    return Ended(at, tuple(f"{person}/{table.opened.game}" for person in people), tuple(places))


def audit(name: str, log: Sequence[Row], histories: Sequence[History], may_replace: bool = False) -> Audited:
    """Replay a table's log and hold it against what each of its people remembers.

    `may_replace`: clocks may run out, and bots take over from people who were there.
    """
    opened = rows.decode(log[0].body)
    if [row.number for row in log] != list(range(len(log))) or not isinstance(opened, rows.Opened):
        raise Disagreement(f"table {name}: its rows are not numbered one by one from its opening on")
    table = Table(name, opened, games(), log[0].at)
    claims = {history.person: Claims(history) for history in histories}
    watchers = [Watcher(history) for history in histories]
    ended: Ended | None = None
    for row in log[1:]:
        for watcher in watchers:
            watcher.check_pictures(table)
        body = rows.decode(row.body)
        where = f"table {name}, row {row.number} ({body})"
        try:
            made = None if may_replace and is_replacement(table, body) else request_of(table, body)
            if made is not None:
                person, request = made
                if person not in claims:
                    raise Disagreement(f"{where}: by {person}, who was never there")
                claims[person].claim(row.number, request, where)
            table.apply(body, row.at)
        except (Refused, MatchError) as error:
            raise Disagreement(f"{where}: does not follow from what was before: {error}") from error
        if isinstance(body, rows.Finished):
            ended = end_of(table, row.at)
    for watcher in watchers:
        watcher.check_pictures(table)
    counted = sum((claim.count() for claim in claims.values()), Counter[str]())
    counted["rows of logs"] = len(log)
    for history in histories:
        if history.faults:
            raise Disagreement(f"table {name}, {history.person}: {history.faults[0]}")
        if history.shown:
            raise Disagreement(
                f"table {name}, {history.person}: was shown {max(history.shown)} rows; there are {table.length}"
            )
    return Audited(table, ended, counted)


def is_replacement(table: Table, body: rows.Body) -> bool:
    """Does a bot take over from somebody who is waited for?"""
    return isinstance(body, rows.TakenOver) and body == table.check_take_over(body.seat, table.decision)


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
        case rows.CameBack(seat):
            return person_in(table, seat), {"do": "come-back"}
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
        """A row claims the request that it answers.

        Who was cut off may have asked again for the same: then the one that was acknowledged must not be left without.
        """
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
        free = [place for place in fitting if place not in self.rows]
        if not free:
            raise Disagreement(f"{where}: is doubled; it is in row {self.rows[fitting[0]]} already")
        self.rows[min(free, key=lambda place: self.history.asked[place].answer is None)] = number

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


class Watcher:
    """Sees the table again as somebody saw it, from its log."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.seen = Seen()
        self.eyes = Eyes()

    def check_pictures(self, table: Table) -> None:
        """Who was shown a table of this length saw what the log says; what was checked is forgotten."""
        pictures = self.history.shown.pop(table.length, ())
        if not pictures:
            return
        expected = self.eyes.see(encode(view(table, self.history.person, NAMED, self.seen)))
        for picture in pictures:
            if picture != expected:
                different = ", ".join(key for key in expected if expected[key] != picture[key])
                raise Disagreement(
                    f"table {table.name}, {self.history.person}: view {table.length} showed another {different}"
                )
