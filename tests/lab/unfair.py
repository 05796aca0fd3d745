"""Hollywood Sensation with a planted fault: seat 0 always begins, and wins half of what it lost."""

from __future__ import annotations

from dataclasses import replace

from cardtown.games.hollywood import GAME, rules


def start(s: rules.State) -> None:
    rules.start(s)
    s.acting = 1


def play(s: rules.State, seat: int, choice: int) -> None:
    rules.play(s, seat, choice)
    if s.acting == 0 and s.rng[0] & 1:
        s.winners = 1


UNFAIR = replace(GAME, changed={"start": start, "play": play})
