"""Why something can't be done: a reason for programs, and words for people."""

from __future__ import annotations

from typing import Literal

Why = Literal[
    "no-such-seat",
    "no-such-step",
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


class Refused(Exception):
    """What somebody asked for can't be done; nothing has changed."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why
