"""The record of a finished match: from its secret and its log everything else follows and can be verified."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .chance import LONGEST_SECRET, Secret
from .components import ComponentsError
from .game import Game, GameError
from .match import Match, MatchError

FORMAT = "cardtown-record/1"
KEYS = ("format", "game", "rules", "seats", "options", "commitment", "secret", "log", "outcome")

Record = dict[str, Any]
Known = Sequence[tuple[int, bytes]]
"""Secrets, each with the step up to which it decides chance."""


class RecordError(ValueError):
    """A file that can't be read as the record of a match."""


class FalseRecord(ValueError):
    """A record that was read and is not true."""


def commitment(secret: bytes) -> str:
    """What is shown when a match starts, so that its secret can't be changed later."""
    return hashlib.sha256(secret).hexdigest()


def write(match: Match, secret: bytes, known: Known = ()) -> Record:
    """The record of a match that is over; before that its secret must not be shown.

    `known` are the secrets by which the match was begun that this one goes on from.
    """
    if match.outcome is None:
        raise MatchError("a match's secret is shown when it is over, not before")
    parts = match.game.own_parts
    return {
        "format": FORMAT,
        "game": match.game.id,
        "rules": match.game.rules_hash,
        **({"components": parts} if parts else {}),
        "seats": match.seats,
        "options": match.options,
        "commitment": commitment(secret),
        "secret": secret.hex(),
        **({"known": [[last, begun.hex()] for last, begun in known]} if known else {}),
        "log": match.log,
        "outcome": _outcome(match),
    }


def read(file: Path) -> Record:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{file}: can't be read ({error.strerror})") from None
    except ValueError:
        raise RecordError(f"{file}: is not the record of a match (not JSON)") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RecordError(f"{file}: is not the record of a match (no format {FORMAT!r})")
    for key in KEYS:
        if key not in found:
            raise RecordError(f"{file}: is not a whole record of a match ({key!r} is missing)")
    return found


def verify(found: Record, games: Mapping[str, Game]) -> Match:
    """Prove a record: the secret is the one that was committed to, and the log leads to the outcome."""
    if found["game"] not in games:
        raise FalseRecord(f"unknown game {found['game']!r}; known are {', '.join(games)}")
    secret = _secret(found["secret"])
    if commitment(secret) != found["commitment"]:
        raise FalseRecord("the secret is not the one that was committed to when the match started")
    match = _start(found, games[found["game"]], secret)
    if not isinstance(found["log"], list):
        raise FalseRecord("the log must be a list")
    for number, row in enumerate(found["log"], 1):
        try:
            _carry_out(match, row)
        except MatchError as error:
            rules = "" if found["rules"] == match.game.rules_hash else " (the match was played by other rules)"
            raise FalseRecord(f"log row {number}: {error}{rules}") from None
    if match.outcome is None:
        raise FalseRecord("the log ends before the match is over")
    if match.begun > len(match.choices):
        raise FalseRecord("of the choices that were known before some are missing")
    if found["outcome"] != _outcome(match):
        raise FalseRecord(f"the outcome is {json.dumps(_outcome(match))}, not {json.dumps(found['outcome'])}")
    return match


def _start(found: Record, game: Game, secret: bytes) -> Match:
    try:
        if "components" in found:
            game = game.with_components(found["components"], "components")
        if type(found["seats"]) is not int or not isinstance(found["options"], dict):
            raise FalseRecord("seats must be a number and options an object")
        if not isinstance(found.get("known", []), list):
            raise FalseRecord("known secrets are a list")
        known = _known(found)
        begun = max((last for last, _ in known), default=0)
        return Match(game, found["seats"], found["options"], Secret(secret, known), begun)
    except (GameError, ComponentsError) as error:
        raise FalseRecord(str(error)) from None


def _secret(written: Any) -> bytes:
    try:
        secret = bytes.fromhex(written)
    except (TypeError, ValueError):
        raise FalseRecord("the secret is not written in hexadecimal digits") from None
    if len(secret) > LONGEST_SECRET:
        raise FalseRecord(f"a secret has at most {LONGEST_SECRET} bytes")
    return secret


def _known(found: Record) -> list[tuple[int, bytes]]:
    known = []
    for pair in found.get("known", []):
        match pair:
            case [int(last), written]:
                known.append((last, _secret(written)))
            case _:
                raise FalseRecord("known secrets are pairs of a step and a secret")
    return known


def _carry_out(match: Match, row: Any) -> None:
    match row:
        case {"seat": int(seat), "move": str(move)}:
            match.choose_move(seat, move)
        case {"undo": int(seat)}:
            match.undo(seat)
        case {"resign": int(seat)}:
            match.resign(seat)
        case {"sit": int(seat), "player": str(player)}:
            match.sit(seat, player)
        case _:
            raise MatchError(f"{row!r} is no row of a log")


def _outcome(match: Match) -> dict[str, Any]:
    outcome = match.outcome
    if outcome is None:
        raise MatchError("the match is not over")
    return {
        "reason": outcome.reason,
        "winners": list(outcome.winners),
        "scores": list(outcome.scores),
    }
