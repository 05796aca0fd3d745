"""The notation of a whole game: everything that happened, so that another program can replay and judge it.

One JSON object per game and line. Reading one replays it by the rules: every chance event, every list of legal moves,
every move and the result must be what the rules say, or the transcript is judged false.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .chance import ChanceError, Script
from .components import ComponentsError
from .game import Game, GameError
from .match import Chosen, Match
from .story import Drawn

FORMAT = "cardtown/1"

Transcript = dict[str, Any]


class TranscriptError(ValueError):
    """A file that can't be read as transcripts."""


class FalseTranscript(ValueError):
    """A transcript that was read and is not true; `event` counts from 1, 0 is what stands outside the events."""

    def __init__(self, event: int, reason: str) -> None:
        super().__init__(f"event {event}: {reason}" if event else reason)
        self.event = event
        self.reason = reason


def write(match: Match) -> Transcript:
    """The transcript of a match that was played to its end."""
    outcome = match.outcome
    if outcome is None or outcome.reason != "rules":
        raise ValueError("only a game that was played to its end has a transcript")
    parts = match.game.own_parts
    detail = match.game.detail(match.state)
    return {
        "format": FORMAT,
        "game": match.game.id,
        "seats": match.seats,
        "options": match.options,
        **({"components": parts} if parts else {}),
        "events": [_write_event(match.game, event) for event in match.events],
        "result": {"scores": list(outcome.scores), "winners": list(outcome.winners), "detail": detail},
    }


def line_of(transcript: Transcript) -> str:
    """A transcript as one line of a file."""
    return json.dumps(transcript, separators=(",", ":"), ensure_ascii=False) + "\n"


def _write_event(game: Game, event: Chosen | Drawn) -> dict[str, Any]:
    if isinstance(event, Chosen):
        return {"seat": event.seat, "legal": list(event.legal), "move": event.move}
    chance = game.show.CHANCES[event.kind]
    if event.order is not None:
        return {"chance": chance.name, "order": [chance.notation[card] for card in event.order]}
    assert event.value is not None
    return {"chance": chance.name, "value": chance.notation[event.value]}


def read(file: Path) -> Iterator[tuple[int, Transcript]]:
    """The transcripts of a file with their numbers, from 1 on."""
    try:
        with file.open(encoding="utf-8") as lines:
            number = 0
            for at, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                number += 1
                try:
                    found = json.loads(line, object_pairs_hook=_no_key_twice)
                except ValueError as error:
                    reason = error.msg if isinstance(error, json.JSONDecodeError) else error
                    raise TranscriptError(f"{file}: line {at}: not a JSON object ({reason})") from None
                if not isinstance(found, dict):
                    raise TranscriptError(f"{file}: line {at}: not a JSON object but {type(found).__name__}")
                yield number, found
    except OSError as error:
        raise TranscriptError(f"{file}: can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise TranscriptError(f"{file}: is not text in UTF-8") from None
    if not number:
        raise TranscriptError(f"{file}: holds no transcript")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def replay(transcript: Transcript, games: Mapping[str, Game], watch: Callable[[Match], None] | None = None) -> Match:
    """Replay a transcript by the rules; raises FalseTranscript where it departs from them.

    `watch` is called with the match after the set-up and after every choice.
    """
    return Replay(transcript, games, watch).match


class Replay:
    """One transcript on its way through the rules."""

    def __init__(
        self, transcript: Transcript, games: Mapping[str, Game], watch: Callable[[Match], None] | None
    ) -> None:
        self.at = 0
        self.transcript = transcript
        self.game = self._game(games)
        self.events: list[Any] = self._take(transcript, "events", list)
        seats = self._take(transcript, "seats", int)
        options = self._take(transcript, "options", dict)
        try:
            self.game.check_seats(seats)
            complete = self.game.complete(options, seats)
        except GameError as error:
            raise FalseTranscript(0, str(error)) from None
        missing = [name for name in complete if name not in options]
        if missing:
            raise FalseTranscript(0, f"options must name every option that applies; missing: {missing[0]}")
        try:
            self.match = Match(self.game, seats, options, Script(self._expect))
            self._watch(watch)
            while self.match.outcome is None:
                self._choice()
                self._watch(watch)
        except ChanceError as error:
            raise FalseTranscript(self.at, str(error)) from None
        if self.at < len(self.events):
            raise FalseTranscript(self.at + 1, "the game is over, but the transcript goes on")
        self._result()

    def _watch(self, watch: Callable[[Match], None] | None) -> None:
        if watch:
            watch(self.match)

    def _game(self, games: Mapping[str, Game]) -> Game:
        known = ("format", "game", "seats", "options", "components", "events", "result")
        for key in self.transcript:
            if key not in known:
                raise FalseTranscript(0, f"unknown key {key!r}; known are {', '.join(known)}")
        if self._take(self.transcript, "format", str) != FORMAT:
            raise FalseTranscript(0, f"format is {self.transcript['format']!r}, not {FORMAT!r}")
        name = self._take(self.transcript, "game", str)
        if name not in games:
            raise FalseTranscript(0, f"unknown game {name!r}; known are {', '.join(games)}")
        if "components" not in self.transcript:
            return games[name]
        try:
            return games[name].with_components(self._take(self.transcript, "components", dict), "components")
        except ComponentsError as error:
            raise FalseTranscript(0, str(error)) from None

    def _take(self, found: dict[str, Any], key: str, kind: type) -> Any:
        if key not in found:
            raise FalseTranscript(self.at, f"{key!r} is missing")
        if type(found[key]) is not kind:
            raise FalseTranscript(self.at, f"{key!r} must be of type {kind.__name__}, not {found[key]!r}")
        return found[key]

    def _next(self, wanted: str) -> dict[str, Any]:
        self.at += 1
        if self.at > len(self.events):
            raise FalseTranscript(self.at, f"the transcript ends where {wanted} must follow")
        event = self.events[self.at - 1]
        if not isinstance(event, dict):
            raise FalseTranscript(self.at, f"an event is an object, not {event!r}")
        return event

    def _expect(self, kind: int, whole_order: bool) -> tuple[int, ...]:
        chance = self.game.show.CHANCES[kind]
        key = "order" if whole_order else "value"
        event = self._next(f"the chance {chance.name!r}")
        if event.keys() != {"chance", key} or event["chance"] != chance.name:
            raise FalseTranscript(self.at, f"the chance {chance.name!r} with its {key} must stand here")
        written = event[key] if whole_order else [event[key]]
        if not isinstance(written, list):
            raise FalseTranscript(self.at, "an order is a list")
        numbers = {(type(name), name): number for number, name in enumerate(chance.notation)}
        for name in written:
            if not isinstance(name, int | str) or (type(name), name) not in numbers:
                raise FalseTranscript(self.at, f"{chance.name!r} can't bring {name!r}")
        return tuple(numbers[type(name), name] for name in written)

    def _choice(self) -> None:
        event = self._next("a move")
        if event.keys() != {"seat", "legal", "move"}:
            raise FalseTranscript(self.at, "an event has exactly the keys seat, legal and move here")
        seats = self.match.acting
        first = self.match.state.first
        seat = min(seats, key=lambda seat: (seat - first) % self.match.seats)
        if type(event["seat"]) is not int or event["seat"] != seat:
            raise FalseTranscript(self.at, f"seat {seat} must choose here, not {event['seat']!r}")
        moves = self.match.moves(seat)
        if event["legal"] != list(moves):
            raise FalseTranscript(self.at, f"the legal moves are {', '.join(moves)}")
        if not isinstance(event["move"], str) or event["move"] not in moves:
            raise FalseTranscript(self.at, f"{event['move']!r} is not among the legal moves {', '.join(moves)}")
        self.match.choose(seat, moves[event["move"]])

    def _result(self) -> None:
        result = self._take(self.transcript, "result", dict)
        outcome = self.match.outcome
        assert outcome is not None
        if result.keys() - {"detail"} != {"scores", "winners"}:
            raise FalseTranscript(self.at, "a result has exactly the keys scores, winners and detail")
        for key, true in (("scores", outcome.scores), ("winners", outcome.winners)):
            given = self._take(result, key, list)
            if given != list(true) or any(type(number) is not int for number in given):
                raise FalseTranscript(self.at, f"after it the result's {key} are {list(true)}, not {given}")
