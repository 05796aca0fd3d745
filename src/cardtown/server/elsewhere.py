"""Passes on what other processes do to those here whom it concerns."""

from __future__ import annotations

import logging
from collections.abc import Collection

from .care import Care
from .people import People
from .presence import Attendance
from .store import Row
from .tables import Tables

log = logging.getLogger(__name__)


class Elsewhere:
    """Is told by the store."""

    def __init__(self, tables: Tables, people: People, attendance: Attendance, care: Care) -> None:
        self.tables = tables
        self.people = people
        self.attendance = attendance
        self.care = care

    def row_added(self, table: str, number: int, row: Row | None) -> None:
        try:
            self.tables.hear(table, number, row)
        except Exception:  # a newer process may write what this one can't read
            log.exception("a table can't be followed; the others go on")

    def person_changed(self, person: str) -> None:
        self.people.hear(person)

    def person_moved(self, process: int, table: str, person: str, is_there: bool) -> None:
        self.attendance.hear(process, table, person, is_there)

    def processes_are(self, processes: Collection[int]) -> None:
        self.attendance.keep_only(processes)

    def given_up(self) -> None:
        self.care.lose_all()
        self.attendance.keep_only(())
        self.attendance.tell_all()
