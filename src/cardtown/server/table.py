"""A table as it follows from its log: who sits there, the match, and what may be added next.

Nothing here waits, stores or sends: `check_…` says which row would follow from what somebody asks for, or refuses, and
`apply` carries a row out. So every process that reads the same log has the same table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, assert_never

import msgspec

from cardtown.bots.levels import NAMED_BUDGET, check_bot
from cardtown.core.chance import Secret, Source
from cardtown.core.game import Game, GameError
from cardtown.core.match import Match, MatchError
from cardtown.core.record import commitment

from .rows import (
    NOBODY,
    AnsweredUndo,
    AskedUndo,
    Body,
    CameBack,
    Chose,
    Closed,
    Finished,
    Muted,
    Opened,
    Player,
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

Why = Literal[
    "no-such-seat",
    "not-your-seat",
    "seat-taken",
    "already-seated",
    "not-host",
    "not-full",
    "already-started",
    "not-started",
    "over",
    "not-your-turn",
    "stale",
    "illegal",
    "nothing-to-undo",
    "nothing-asked",
    "away",
    "not-away",
    "muted",
    "removed",
    "too-much",
    "nobody",
    "not-over",
    "no-hints",
    "malformed",
    "too-often",
    "too-large",
    "too-slow",
    "busy",
    "no-such-table",
    "no-such-game",
    "no-such-page",
    "wrong-method",
    "wrong-token",
    "wrong-origin",
    "internal",
]
"""Every reason for which something is refused; clients may show words of their own for each."""

MOST_SAID = 2_000
"""What can be said at one table."""

MOST_MS, MOST_ITERATIONS = 5_000, 50_000
"""How long a bot may think about one choice."""


class Refused(Exception):
    """What somebody asked for can't be done; nothing has changed."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why


def by_secret(opened: Opened) -> Source:
    """Where a table's chance comes from: its secret, which nobody sees before the match is over."""
    return Secret(bytes.fromhex(opened.secret))


@lru_cache(10_000)
def handle(table: str, person: str) -> str:
    """What others may call somebody by, at this table alone."""
    return hashlib.sha256(f"{table}/{person}".encode()).hexdigest()[:12]


def check_bot_name(name: str) -> str:
    """A bot that thinks no longer than others can wait for: all tables share the threads."""
    try:
        check_bot(name)
    except GameError as error:
        raise Refused("malformed", str(error)) from None
    asked = NAMED_BUDGET.fullmatch(name)
    if asked and (int(asked["ms"] or 0) > MOST_MS or int(asked["iterations"] or 0) > MOST_ITERATIONS):
        raise Refused("too-much", f"a bot may think for {MOST_MS}ms or {MOST_ITERATIONS} iterations here")
    return name


class Table:
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
        self.standing_in: dict[int, str] = {}  # the bots that play for people who are away or gave up
        self.match: Match | None = None
        self.undos = 0
        self.undo_asked: int | None = None
        self.agreed: set[int] = set()
        self.spent = [0.0] * opened.seats
        self.since: dict[int, float] = {}  # from when on a seat has been waited for
        self.said: list[tuple[float, Said]] = []
        self.muted: set[str] = set()
        self.removed: set[str] = set()
        self.wants_rematch: set[int] = set()
        self.rematch: str | None = None
        self.is_closed = False
        self.is_finished = False
        self.boards: dict[int | None, msgspec.Raw] = {}  # what watchers are sent, until something changes

    # What it is like now

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
    def people(self) -> dict[str, int]:
        """The people who sit here, and where."""
        return {player.person: seat for seat, player in enumerate(self.players) if player.person is not None}

    def seat_of(self, person: str) -> int:
        """Where somebody sits."""
        if person not in self.people:
            raise Refused("not-your-seat", "you have no seat at this table")
        return self.people[person]

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

    def person_called(self, who: str) -> str:
        """The person of that handle among those who sit here, or talked, or were sent away."""
        talked = {said.person for _, said in self.said}
        for person in {*self.people, *talked, *self.muted, *self.removed}:
            if handle(self.name, person) == who:
                return person
        raise Refused("nobody", "there is nobody of that name at this table")

    def playing(self) -> Match:
        """The match, if it is being played."""
        if self.match is None:
            raise Refused("not-started", "the match has not begun: not all seats are taken")
        if self.is_over:
            raise Refused("over", "the match is over")
        return self.match

    def check_open(self) -> None:
        """Can people still come and go?"""
        if self.match is not None:
            raise Refused("already-started", "the match has begun: seats can't be changed any more")
        if self.is_closed:
            raise Refused("over", "the table is closed")

    def check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.players):
            raise Refused("no-such-seat", f"there is no seat {seat}; seats are 0 to {len(self.players) - 1}")

    # What may follow

    def check_sit(self, person: str, seat: int) -> Sat:
        self.check_open()
        self.check_welcome(person)
        self.check_seat(seat)
        if person in self.people:
            raise Refused("already-seated", f"you sit in seat {self.people[person]} already")
        if not self.players[seat].is_nobody:
            raise Refused("seat-taken", f"seat {seat} is taken")
        return Sat(seat, Player(person=person))

    def check_welcome(self, person: str) -> None:
        if person in self.removed:
            raise Refused("removed", "the host has sent you away from this table")

    def check_leave(self, person: str) -> Sat:
        self.check_open()
        return Sat(self.seat_of(person), NOBODY)

    def check_seat_bot(self, person: str, seat: int, bot: str | None) -> Sat:
        """The host puts a bot into a seat that nobody has, or takes one out."""
        self.check_open()
        self.check_host(person)
        self.check_seat(seat)
        if self.players[seat].person is not None:
            raise Refused("seat-taken", f"seat {seat} is taken by a person, who can be removed")
        if bot is None:
            return Sat(seat, NOBODY)
        return Sat(seat, Player(bot=check_bot_name(bot)))

    def check_host(self, person: str) -> None:
        if person != self.opened.host:
            raise Refused("not-host", "only the host of the table may do this")

    def check_remove(self, person: str, other: str) -> Removed:
        self.check_host(person)
        if other == person:
            raise Refused("illegal", "the host can't be removed; leave the seat or close the table")
        if self.match is not None and other in self.people:
            raise Refused("already-started", "the match has begun: those who play stay")
        return Removed(other)

    def check_mute(self, person: str, other: str, is_muted: bool) -> Muted:
        self.check_host(person)
        if other == person:
            raise Refused("illegal", "the host can't be muted")
        return Muted(other, is_muted)

    def check_say(self, person: str, text: str) -> Said:
        self.check_welcome(person)
        if person in self.muted:
            raise Refused("muted", "the host has muted you at this table")
        if len(self.said) >= MOST_SAID:
            raise Refused("too-much", "too much has been said at this table already")
        if not text.strip() or not all(letter.isprintable() for letter in text):
            raise Refused("malformed", "say something in one line of printable letters")
        return Said(person, text.strip())

    def check_start(self) -> Started:
        """The match begins by itself as soon as all seats are taken."""
        self.check_open()
        free = [seat for seat, player in enumerate(self.players) if player.is_nobody]
        if free:
            raise Refused("not-full", f"seat {free[0]} is still free")
        return Started()

    def check_choice(self, seat: int, decision: str, number: int) -> Chose:
        """A choice that answers a decision."""
        match = self.playing()
        if decision != self.decision:
            raise Refused("stale", f"this answers decision {decision}; now it is {self.decision}")
        if seat not in match.acting:
            raise Refused("not-your-turn", "you have nothing to choose now")
        if number not in match.legal(seat):
            possible = ", ".join(match.moves(seat))
            raise Refused("illegal", f"that can't be chosen now; possible are {possible}")
        return Chose(seat, match.game.show.move(match.state, number))

    def check_own_choice(self, seat: int, decision: str, number: int) -> Chose:
        """The same by the person who sits there."""
        if self.match is not None and seat in self.standing_in and not self.is_over:
            raise Refused("away", "a bot plays for you; come back first")
        return self.check_choice(seat, decision, number)

    def check_undo(self, seat: int) -> Undone | AskedUndo:
        """Taken back at once while nobody has learnt anything or acted since; else the other people are asked."""
        match = self.match
        if match is None or self.is_closed or match.resigned or self.is_finished:
            self.playing()
            raise Refused("over", "the match is over, or somebody gave up: nothing can be taken back any more")
        if seat in self.standing_in:
            raise Refused("away", "a bot plays for you; come back first")
        last = match.last_choice_of(seat)
        if last is None:
            raise Refused("nothing-to-undo", "you have not chosen anything yet")
        alone = all(who == seat for who, _ in match.choices[last:])
        others = self.others_to_ask(seat)
        return Undone(seat) if (alone and not match.revealed_since(last)) or not others else AskedUndo(seat)

    def others_to_ask(self, seat: int) -> set[int]:
        """The other seats that people play themselves."""
        return {other for other in self.people.values() if other != seat and other not in self.standing_in}

    def check_answer(self, seat: int, agrees: bool) -> AnsweredUndo:
        if self.undo_asked is None or seat not in self.others_to_ask(self.undo_asked):
            raise Refused("nothing-asked", "nobody asks you to take a choice back")
        return AnsweredUndo(seat, agrees)

    def check_resign(self, seat: int) -> Resigned:
        match = self.playing()
        if seat in match.resigned:
            raise Refused("over", "you have given up already")
        return Resigned(seat)

    def check_take_over(self, seat: int, decision: str) -> TakenOver:
        """A bot plays on for a person who has kept the others waiting for too long."""
        self.playing()
        if decision != self.decision or seat not in self.peoples_turns():
            raise Refused("stale", "nobody is waited for any more")
        return TakenOver(seat, STAND_IN)

    def check_come_back(self, seat: int) -> CameBack:
        match = self.playing()
        if seat not in self.standing_in or seat in match.resigned:
            raise Refused("not-away", "nobody plays for you")
        return CameBack(seat)

    def check_want_rematch(self, seat: int) -> WantsRematch:
        if self.match is None or not self.is_over:
            raise Refused("not-over", "the match is not over yet")
        if self.rematch is not None or seat in self.wants_rematch:
            raise Refused("over", "you have asked for it already")
        return WantsRematch(seat)

    def check_rematched(self, table: str) -> Rematched:
        if self.rematch is not None or not self.all_want_rematch:
            raise Refused("over", "it is made already")
        return Rematched(table)

    @property
    def all_want_rematch(self) -> bool:
        """Do all people who played to the end want to play again?"""
        return bool(self.wants_rematch) and self.wants_rematch >= set(self.people.values()) - set(self.standing_in)

    def check_finish(self) -> Finished:
        if not self.is_over or self.is_finished:
            raise Refused("over", "this is noted already, or the match is not over")
        return Finished()

    def check_close(self, person: str) -> Closed:
        self.check_host(person)
        if self.is_over:
            raise Refused("over", "the table is closed or its match is over")
        return Closed()

    # What happens

    def apply(self, body: Body, at: float = 0.0) -> None:
        """Carry out the next row of the log, written at that time."""
        self._carry_out(body, at)
        self.length += 1
        self.at = at
        self.last = body
        self.boards.clear()
        self._run_clocks(body, at)

    def _carry_out(self, body: Body, at: float) -> None:
        match body:
            case Sat(seat, player):
                self.players[seat] = player
            case Started():
                opened = self.opened
                self.match = Match(self.game, opened.seats, opened.options, self.chance(opened))
            case Chose(seat, move):
                self._match.choose_move(seat, move)
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
            case Muted(person, is_muted):
                (self.muted.add if is_muted else self.muted.discard)(person)
            case Said():
                self.said.append((at, body))
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
            case Opened():
                raise MatchError("a table is opened once")
            case _:
                assert_never(body)

    def _run_clocks(self, body: Body, at: float) -> None:
        """Stop the clocks of those who need not choose any more, and start those of others."""
        waited_for = set(self.match.acting) if self.match is not None and not self.is_over else set()
        answered = {body.seat} if isinstance(body, Chose) else set()
        for seat in set(self.since) - (waited_for - answered):
            self.spent[seat] += max(0.0, at - self.since.pop(seat))
        for seat in waited_for - set(self.since):
            self.since[seat] = at

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


STAND_IN = "medium"
"""The bot that plays on for somebody."""
