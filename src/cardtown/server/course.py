"""A table as it follows from its log: who sits there, the match, what was said; and how a row changes it.

Nothing here waits, stores or sends, so every process that reads the same log has the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from cardtown.core.chance import Secret, Source
from cardtown.core.game import Game
from cardtown.core.match import Match, MatchError
from cardtown.core.record import commitment
from cardtown.core.table import Table as Board

from .rows import (
    NOBODY,
    AnsweredUndo,
    AskedUndo,
    Body,
    CameBack,
    Chose,
    Closed,
    Finished,
    Forgot,
    Gone,
    Muted,
    Opened,
    Rematched,
    Removed,
    Resigned,
    Said,
    Sat,
    Stage,
    Started,
    TakenOver,
    Undone,
    WantsRematch,
)

STAND_IN = "medium"
"""The bot that plays on for somebody."""

MOVES_THINGS = (Started, Chose, Undone, AnsweredUndo)
"""After any other row the board is as it was."""


def by_secret(opened: Opened) -> Source:
    """Where a table's chance comes from: its secret, which nobody sees before the match is over."""
    return Secret(bytes.fromhex(opened.secret), opened.beginning.known)


class Course:
    """All that a log says so far."""

    def __init__(
        self,
        name: str,
        opened: Opened,
        games: Mapping[str, Game],
        at: float = 0.0,
        chance: Callable[[Opened], Source] = by_secret,
    ) -> None:
        self.name = name
        self.opened = opened
        self.game = games[opened.game]
        if opened.components is not None:
            self.game = self.game.with_components(opened.components, "components")
        self.commitment = commitment(bytes.fromhex(opened.secret))
        self.chance = chance
        self.length = 1
        self.at = at
        self.last: Body = opened
        self.players = list(opened.players)
        self.people: dict[str, int] = {}
        """The people who sit here, and where."""
        self._see_people()
        self.standing_in: dict[int, str] = {}  # the bots that play for people who are away or gave up
        self.match: Match | None = None
        self.undos = 0
        self.undo_asked: int | None = None
        self.agreed: set[int] = set()
        self.spent = [0.0] * opened.seats
        self.since: dict[int, float] = {}  # from when on a seat has been waited for
        self.said: list[tuple[float, Said]] = []
        self.talkers: set[str] = set()
        self.muted: set[str] = set()
        self.removed: set[str] = set()
        self.wants_rematch: set[int] = set()
        self.rematch: str | None = None
        self.is_closed = False
        self.is_finished = False
        self.board: Board | None = None  # what spectators see, until something changes
        self.rated: dict[str, int] | None = None  # how people are rated, until something but a choice changes
        self.seated: tuple[Any, Any] | None = None  # who sits here and how views show them, until the same changes
        if opened.begins:
            self._begin()
            self._run_clocks(opened, at)

    @property
    def is_over(self) -> bool:
        return self.is_closed or (self.match is not None and self.match.outcome is not None)

    @property
    def stage(self) -> Stage:
        if self.is_closed:
            return "closed"
        if self.match is None:
            return "open"
        return "over" if self.is_over else "playing"

    @property
    def is_under_way(self) -> bool:
        """May something be left that the server does by itself: for bots, clocks, the end or a rematch?"""
        has_begun = self.match is not None or self.is_closed
        return (has_begun and not self.is_finished) or (self.all_want_rematch and self.rematch is None)

    def _see_people(self) -> None:
        self.people = {player.person: seat for seat, player in enumerate(self.players) if player.person is not None}

    def new_match(self) -> Match:
        """The match with nothing chosen yet, not even that with which it begins."""
        opened = self.opened
        return Match(self.game, opened.seats, opened.options, self.chance(opened), begun=len(opened.beginning.moves))

    def _begin(self) -> None:
        self.match = self.new_match()
        for seat, move in self.opened.beginning.moves:
            self.match.choose_move(seat, move)

    def bot_of(self, seat: int) -> str | None:
        """The bot that chooses for a seat now, if one does."""
        return self.standing_in.get(seat) or self.players[seat].bot

    @property
    def decision(self) -> str:
        """What those who must choose are asked now. Another's sealed choice does not change it."""
        assert self.match is not None
        return f"{self.undos}.{self.match.asked}"

    def bots_turns(self) -> list[int]:
        """The seats that must choose now and for which a bot does."""
        if self.match is None or self.is_over:
            return []
        return [seat for seat in self.match.acting if self.bot_of(seat)]

    def peoples_turns(self) -> list[int]:
        """The seats that must choose now and whose people do it themselves."""
        if self.match is None or self.is_over:
            return []
        return [seat for seat in self.match.acting if not self.bot_of(seat)]

    def time_left(self, seat: int, now: float) -> float | None:
        """How long a seat may still think; None where no clock runs for it."""
        clock = self.opened.clock
        if clock.kind == "none" or seat not in self.since:
            return None
        before = self.spent[seat] if clock.kind == "game" else 0.0
        return clock.seconds - before - (now - self.since[seat])

    def others_to_ask(self, seat: int) -> set[int]:
        """The other seats that people play themselves."""
        return {other for other in self.people.values() if other != seat and other not in self.standing_in}

    @property
    def all_want_rematch(self) -> bool:
        """Do all people who played to the end want to play again?"""
        return bool(self.wants_rematch) and self.wants_rematch >= set(self.people.values()) - set(self.standing_in)

    def apply(self, body: Body, at: float = 0.0) -> None:
        """Carry out the next row of the log, written at that time."""
        self._carry_out(body, at)
        self.length += 1
        self.at = at
        self.last = body
        if isinstance(body, MOVES_THINGS):
            self.board = None
        if not isinstance(body, Chose):
            self.rated = self.seated = None
        self._run_clocks(body, at)

    def _carry_out(self, body: Body, at: float) -> None:
        match body:
            case Sat(seat, player):
                self.players[seat] = player
                self._see_people()
            case Started():
                self._begin()
            case Chose(seat, move, choice):
                self._match.choose_move(seat, move, choice)
                self._forget_undo()
            case AskedUndo(seat):
                self.undo_asked, self.agreed = seat, set()
            case AnsweredUndo(seat, agrees):
                self._answer(seat, agrees)
            case Undone(seat):
                self._undo(seat)
            case Resigned(seat):
                self._match.resign(seat)
                self._forget_undo()  # from here on nothing can be taken back
                if self._match.outcome is None:
                    self.standing_in[seat] = STAND_IN
            case TakenOver(seat, bot):
                self.standing_in[seat] = bot
                self._match.sit(seat, f"{bot} bot")
            case CameBack(seat):
                del self.standing_in[seat]
                self._match.sit(seat, "person")
            case Removed(person):
                self.removed.add(person)
                if person in self.people:
                    self.players[self.people[person]] = NOBODY
                    self._see_people()
            case Muted(person, is_muted):
                (self.muted.add if is_muted else self.muted.discard)(person)
            case Said():
                self.said.append((at, body))
                self.talkers.add(body.person)
            case WantsRematch(seat):
                self.wants_rematch.add(seat)
            case Rematched(table):
                self.rematch = table
            case Closed():
                self.is_closed = True
                self._forget_undo()
            case Finished():
                self.is_finished = True
                self._forget_undo()
            case Forgot():
                self.said, self.talkers = [], set()
            case Gone():
                pass  # whoever has the log asks for this first
            case Opened():
                raise MatchError("a table is opened once")
            case _:
                assert_never(body)

    def _run_clocks(self, body: Body, at: float) -> None:
        """Stop the clocks of those who need not choose any more, and start those of others."""
        waited_for = self.match.acting if self.match is not None and not self.is_over else ()
        answered = body.seat if isinstance(body, Chose) else None
        for seat in [seat for seat in self.since if seat not in waited_for or seat == answered]:
            self.spent[seat] += max(0.0, at - self.since.pop(seat))
        for seat in waited_for:
            self.since.setdefault(seat, at)

    @property
    def _match(self) -> Match:
        if self.match is None:
            raise MatchError("the match has not begun")
        return self.match

    def _answer(self, seat: int, agrees: bool) -> None:
        asked = self.undo_asked
        if asked is None or not agrees:
            self._forget_undo()
            return
        self.agreed.add(seat)
        if self.agreed >= self.others_to_ask(asked):
            self._undo(asked)

    def _undo(self, seat: int) -> None:
        self._match.undo(seat)
        self.undos += 1
        self._forget_undo()

    def _forget_undo(self) -> None:
        self.undo_asked, self.agreed = None, set()
