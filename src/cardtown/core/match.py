"""One game being played: it refuses what is illegal, keeps the log, and knows the state as the replay of that log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from .cards import bit, members
from .chance import Source
from .game import Game, Options, Value, scores, winners
from .state import State
from .story import ALL, Drawn, Told
from .table import Line, Sheet, Table


class MatchError(ValueError):
    """A match refuses something; nothing has changed."""


class NotYourTurn(MatchError):
    """This seat has nothing to choose now."""


class IllegalChoice(MatchError):
    """This seat may choose now, but not this."""


class MatchOver(MatchError):
    """The match has ended."""


class NothingToUndo(MatchError):
    """This seat has made no choice that could be taken back."""


class Outcome(NamedTuple):
    """How a match ended."""

    reason: Literal["rules", "resignation"]
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class Chosen(Struct, frozen=True, gc=False):
    """A choice as the transcript writes it."""

    seat: int
    legal: tuple[str, ...]
    move: str


class Reader:
    """Whom lines are told to, seat or spectator, and those that were found so far."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.lines: list[Told] = []
        self.read = 0

    def lines_of(self, told: list[Told]) -> list[Told]:
        """The lines for this reader, of all that was told."""
        if self.read < len(told):
            self.lines += [line for line in told[self.read :] if line.is_for(self.seat)]
            self.read = len(told)
        return self.lines


Event = Chosen | Drawn
LogRow = dict[str, Value]


class Match:
    """A game, who chose what so far, and the state that follows from it.

    The first `begun` choices were made in another match, from which this one goes on: they are never taken back.
    """

    def __init__(self, game: Game, seats: int, options: Options, chance: Source, begun: int = 0) -> None:
        self.game = game
        self.seats = game.check_seats(seats)
        self.options = game.complete(options, seats)
        self.choosing = game.choosing(seats, self.options)
        self.chance = chance
        self.begun = begun
        self.acting: tuple[int, ...] = ()
        """The seats that must choose now."""
        self.outcome: Outcome | None = None
        """How the match ended, or None while it goes on."""
        self.log: list[LogRow] = []
        self.resigned: set[int] = set()
        self._restart()

    def _restart(self) -> None:
        self.state: State = self.game.blank(self.seats, self.options)
        self.state.chance = self.chance
        self.state.journal = []
        self._events: list[Event] = []
        self._is_listed = True  # for every choice all that were possible
        self.told: list[Told] = []
        self.read_anew()
        self.choices: list[tuple[int, int]] = []
        self._marks: list[int] = []
        self._open: int | None = None  # where the choices begin that are being made at the same time
        self.asked = 0  # how many choices were made before those that are to be made now
        self.chance.begin(self.state, 0)
        self.game.rules.start(self.state)
        self._collect()

    def read_anew(self) -> None:
        """Forget what was found in the lines that were told."""
        self._readers: dict[int | None, Reader] = {seat: Reader(seat) for seat in (None, *range(self.seats))}
        self._scored: list[Told] = []
        self._read = 0  # how many lines were looked at for those that score
        self._sheet: Sheet | None = None

    def _collect(self) -> None:
        """Take what the rules just told: chance to the events; lines are sorted when somebody reads them."""
        journal = self.state.journal or []
        for entry in journal:
            if isinstance(entry, Told):
                self.told.append(entry)
            else:
                self._events.append(entry)
        self._sheet = None
        journal.clear()
        self._settle()

    def _settle(self) -> None:
        """See who must choose now, or how it ended."""
        self.outcome = self._outcome()
        self._legal: dict[int, list[int]] = {}  # of those for whom somebody has asked, as in `_moves`
        self._moves: dict[int, dict[str, int]] = {}
        self.acting = () if self.outcome else tuple(members(self.state.acting))

    def _outcome(self) -> Outcome | None:
        if self.state.acting and not self.resigned:
            return None
        staying = tuple(seat for seat in range(self.choosing) if seat not in self.resigned)
        if self.resigned and len(staying) < 2:
            return Outcome("resignation", staying, scores(self.state))
        if self.state.acting == 0:
            return Outcome("rules", winners(self.state), scores(self.state))
        return None

    def legal(self, seat: int) -> list[int]:
        """The choices that a seat has now."""
        if seat not in self.acting:
            return []
        if seat not in self._legal:
            self._legal[seat] = members(self.game.rules.legal(self.state, seat))
        return self._legal[seat]

    def moves(self, seat: int) -> Mapping[str, int]:
        """The same by their notation."""
        if seat not in self._moves:
            self._moves[seat] = {self.game.show.move(self.state, choice): choice for choice in self.legal(seat)}
        return self._moves[seat]

    def choose(self, seat: int, choice: int) -> None:
        """Make a choice. An error leaves the match exactly as it was."""
        self._check_turn(seat)
        moves = self.moves(seat)
        for move, number in moves.items():
            if number == choice:
                self._choose(seat, choice, move)
                return
        possible = ", ".join(f"{number} ({move})" for move, number in moves.items())
        raise IllegalChoice(f"seat {seat} can't choose {choice!r} now; possible are {possible}")

    def choose_move(self, seat: int, move: str, choice: int | None = None) -> None:
        """Make a choice given by its notation. If `choice` is its number, the others need not be looked at."""
        self._check_turn(seat)
        if choice in self.legal(seat) and self.game.show.move(self.state, choice) == move:
            self._choose(seat, choice, move, lists=False)
            return
        moves = self.moves(seat)
        if move not in moves:
            raise IllegalChoice(f"seat {seat} can't {move!r} now; possible are {', '.join(moves)}")
        self._choose(seat, moves[move], move)

    def _choose(self, seat: int, choice: int, move: str, lists: bool = True) -> None:
        self._apply(seat, choice, move, lists)
        self.log.append({"seat": seat, "move": move})

    def _check_turn(self, seat: int) -> None:
        if self.outcome:
            raise MatchOver("the match is over: nothing can be chosen any more")
        if seat not in self.acting:
            turn = ", ".join(str(acting) for acting in self.acting)
            raise NotYourTurn(f"seat {seat!r} has nothing to choose now; to act: {turn}")

    def _apply(self, seat: int, choice: int, move: str, lists: bool = True) -> None:
        s = self.state
        self.choices.append((seat, choice))
        self._marks.append(len(self.told))
        if self._open is None:
            self._open = len(self._events)
        self._is_listed &= lists
        self._events.append(Chosen(seat, tuple(self.moves(seat)) if lists else (), move))
        if len(self._events) > self._open + 1:
            # Secret choices made at the same time are written clockwise, in whatever order they came.
            first = s.first
            together = [event for event in self._events[self._open :] if isinstance(event, Chosen)]
            together.sort(key=lambda made: (made.seat - first) % self.seats)
            self._events[self._open :] = together
        self.chance.begin(s, len(self.choices))
        waiting = s.acting & ~bit(seat)
        self.game.rules.play(s, seat, choice)
        if not waiting or s.acting != waiting:
            self._open = None
            self.asked = len(self.choices)
        self._collect()

    def last_choice_of(self, seat: int) -> int | None:
        """The number of the last choice that a seat made in this match."""
        for number in range(len(self.choices) - 1, self.begun - 1, -1):
            if self.choices[number][0] == seat:
                return number
        return None

    def revealed_since(self, number: int) -> bool:
        """Has anybody learnt anything since choice `number` was made, by it or by what followed?"""
        return not self.game.show.REVEALS.isdisjoint([line.event for line in self.told[self._marks[number] :]])

    def undo(self, seat: int) -> None:
        """Take back a seat's last choice and all that followed."""
        if self.resigned:
            raise MatchOver("the match is over: nothing can be taken back any more")
        number = self.last_choice_of(seat)
        if number is None:
            raise NothingToUndo(f"seat {seat} has made no choice yet")
        kept = self.choices[:number]
        self._restart()
        self._repeat(kept)
        self.log.append({"undo": seat})

    def _repeat(self, choices: Sequence[tuple[int, int]]) -> None:
        for seat, choice in choices:
            self._apply(seat, choice, self.game.show.move(self.state, choice))

    def resign(self, seat: int) -> None:
        """A seat gives up. When fewer than two stay the match is over; else somebody else must play for it."""
        if self.outcome:
            raise MatchOver("the match is over: nobody can resign any more")
        if not 0 <= seat < self.choosing or seat in self.resigned:
            raise MatchError(f"seat {seat!r} can't resign")
        self.resigned.add(seat)
        self.log.append({"resign": seat})
        self._settle()

    def sit(self, seat: int, player: str) -> None:
        """Note who plays a seat from here on."""
        if not 0 <= seat < self.seats:
            raise MatchError(f"there is no seat {seat!r}; seats are 0–{self.seats - 1}")
        self.log.append({"sit": seat, "player": player})

    @property
    def events(self) -> list[Event]:
        """All that happened, as the transcript writes it. What was possible is found by doing it all again, once."""
        if not self._is_listed:
            again = Match(self.game, self.seats, self.options, self.chance, self.begun)
            again._repeat(self.choices)
            self._events, self._is_listed = again._events, True
        return self._events

    def told_to(self, watcher: int | None) -> Sequence[Told]:
        return self._readers[watcher].lines_of(self.told)

    def lines(self, watcher: int | None) -> list[Line]:
        """The log as a watcher reads it."""
        return self.game.lines(self.told_to(watcher))

    def table(self, watcher: int | None) -> Table:
        """The table as a watcher sees it."""
        if self._sheet is None:
            scoring = self.game.show.SCORING
            self._scored += [line for line in self.told[self._read :] if line.event in scoring and line.to == ALL]
            self._read = len(self.told)
            self._sheet = self.game.show.sheet(self.state, self._scored)
        return self.game.table(self.state, watcher, self._sheet)
