"""What may follow at a table: `check_…` says which row would follow from what somebody asks for, or refuses."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from cardtown.bots.budgets import budget_of
from cardtown.bots.levels import check_bot
from cardtown.core.game import GameError
from cardtown.core.match import Match

from .course import STAND_IN, Course
from .refusal import Refused
from .rows import (
    NOBODY,
    AnsweredUndo,
    AskedUndo,
    CameBack,
    Chose,
    Closed,
    Finished,
    Muted,
    Player,
    Rematched,
    Removed,
    Resigned,
    Said,
    Sat,
    Started,
    TakenOver,
    Undone,
    WantsRematch,
)

MOST_MS, MOST_ITERATIONS = 5_000, 50_000
"""How long a bot may think about one choice."""


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
    budget = budget_of(name)
    if budget and (budget.seconds * 1000 > MOST_MS or budget.iterations > MOST_ITERATIONS):
        raise Refused("too-much", f"a bot may think for {MOST_MS}ms or {MOST_ITERATIONS} iterations here")
    return name


class Table(Course):
    """A table that can be asked for something."""

    def playing(self) -> Match:
        """The match, if it is being played."""
        if self.match is None:
            raise Refused("not-started", "the match has not begun: not all seats are taken")
        if self.is_over:
            raise Refused("over", "the match is over")
        return self.match

    def seat_of(self, person: str) -> int:
        """Where somebody sits."""
        if person not in self.people:
            raise Refused("not-your-seat", "you have no seat at this table")
        return self.people[person]

    def person_called(self, who: str) -> str:
        """The person of that handle among those who sit here, or talked, or were sent away."""
        for person in {*self.people, *self.talkers, *self.muted, *self.removed}:
            if handle(self.name, person) == who:
                return person
        raise Refused("nobody", "there is nobody of that name at this table")

    def check_open(self) -> None:
        """Can people still come and go?"""
        if self.match is not None:
            raise Refused("already-started", "the match has begun: seats can't be changed any more")
        if self.is_closed:
            raise Refused("over", "the table is closed")

    def check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.players):
            raise Refused("no-such-seat", f"there is no seat {seat}; seats are 0 to {len(self.players) - 1}")

    def check_welcome(self, person: str) -> None:
        if person in self.removed:
            raise Refused("removed", "the host has sent you away from this table")

    def check_host(self, person: str) -> None:
        if person != self.opened.host:
            raise Refused("not-host", "only the host of the table may do this")

    def check_sit(self, person: str, seat: int) -> Sat:
        self.check_open()
        self.check_welcome(person)
        self.check_seat(seat)
        if person in self.people:
            raise Refused("already-seated", f"you sit in seat {self.people[person]} already")
        if not self.players[seat].is_nobody:
            raise Refused("seat-taken", f"seat {seat} is taken")
        return Sat(seat, Player(person=person))

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

    def check_asked(self, seat: int, decision: str) -> Match:
        """Is this what is to be decided now, and by this seat?"""
        match = self.playing()
        if decision != self.decision:
            raise Refused("stale", f"this answers decision {decision}; now it is {self.decision}")
        if seat not in match.acting:
            raise Refused("not-your-turn", "you have nothing to choose now")
        return match

    def check_choice(self, seat: int, decision: str, number: int) -> Chose:
        """A choice that answers a decision."""
        match = self.check_asked(seat, decision)
        if number not in match.legal(seat):
            possible = ", ".join(match.moves(seat))
            raise Refused("illegal", f"that can't be chosen now; possible are {possible}")
        return Chose(seat, match.game.show.move(match.state, number), number)

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
        is_alone = last == len(match.choices) - 1 or all(who == seat for who, _ in match.choices[last:])
        is_free = (is_alone and not match.revealed_since(last)) or not self.others_to_ask(seat)
        return Undone(seat) if is_free else AskedUndo(seat)

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

    def check_follow(self) -> str:
        """The table at which it goes on."""
        if self.rematch is None:
            raise Refused("no-such-table", "there is no rematch of this table yet")
        return self.rematch

    def check_finish(self) -> Finished:
        if not self.is_over or self.is_finished:
            raise Refused("over", "this is noted already, or the match is not over")
        return Finished()

    def check_close(self, person: str) -> Closed:
        self.check_host(person)
        if self.is_over:
            raise Refused("over", "the table is closed or its match is over")
        return Closed()
