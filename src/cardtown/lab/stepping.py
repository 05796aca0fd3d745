"""Many games side by side, each one decision further with every step: written once for all games.

Each function does for the game in slot `i` what a step does for all. Loops over slots call them here, and the threads
of a GPU in `lab.gpu`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cardtown.core.cards import bit, count
from cardtown.core.chance import any_of, seed_stream
from cardtown.core.play import seat_to_act
from cardtown.core.rulebook import legal, play, start
from cardtown.core.state import MAX_CHOICES, State

GOES_ON = 0
ENDED = 1
GIVEN_UP = 2


class Slots(NamedTuple):
    """Arrays with an entry for each slot; `blank` alone has one, from which every game starts."""

    blank: Any
    states: Any
    seeds: Any  # which deal it is, with
    numbers: Any  # the next game of a slot has the next number
    steps: Any  # decisions made in this game so far
    seats: Any  # who chooses next,
    masks: Any  # and what may be chosen
    ended: Any  # what the last step did to the game: it goes on, or it ended or was given up and the next has begun
    rewards: Any  # of the game that ended, per seat


ENTRIES = {
    "seeds": np.int64,
    "numbers": np.int64,
    "steps": np.int32,
    "seats": np.int8,
    "masks": np.int64,
    "ended": np.int8,
    "rewards": np.float32,
}
"""What the arrays hold besides states."""


def reward(s: State, seat: int) -> float:
    """What a seat has of the win."""
    return 1.0 / count(s.winners) if s.winners & bit(seat) else 0.0


def begin(slots: Slots, i: int) -> None:
    """Begin the game that belongs to the slot's seed and number."""
    slots.states[i] = slots.blank[0]
    seed_stream(slots.states[i].rng, slots.seeds[i], slots.numbers[i])
    start(slots.states[i])
    slots.steps[i] = 0
    ask(slots, i)


def ask(slots: Slots, i: int) -> None:
    """Note who chooses next, and what may be chosen."""
    seat = seat_to_act(slots.states[i])
    slots.seats[i] = seat
    slots.masks[i] = legal(slots.states[i], seat)


def step(slots: Slots, choice: int, limit: int, i: int) -> None:
    """Carry out a legal choice. Where that ends the game, or `limit` is reached, the next one begins."""
    if slots.ended[i]:
        slots.ended[i] = GOES_ON
        for seat in range(slots.rewards.shape[1]):
            slots.rewards[i, seat] = 0.0
    play(slots.states[i], slots.seats[i], choice)
    slots.steps[i] += 1
    if slots.states[i].acting and slots.steps[i] < limit:
        ask(slots, i)
        return
    slots.ended[i] = GIVEN_UP if slots.states[i].acting else ENDED
    if slots.ended[i] == ENDED:
        for seat in range(slots.rewards.shape[1]):
            slots.rewards[i, seat] = reward(slots.states[i], seat)
    slots.numbers[i] += 1
    begin(slots, i)


def begin_all(slots: Slots, first: int, end: int) -> None:
    for i in range(first, end):
        begin(slots, i)


def step_all(slots: Slots, choices: Any, limit: int, first: int, end: int) -> None:
    for i in range(first, end):
        step(slots, choices[i], limit, i)


def seed_all(streams: Any, seed: int) -> None:
    """A stream of chance of its own for every slot."""
    for i in range(len(streams)):
        seed_stream(streams[i], seed, i)


def choose_any(slots: Slots, streams: Any, choices: Any, first: int, end: int) -> None:
    """Choose at random in every slot."""
    for i in range(first, end):
        choices[i] = any_of(streams[i], slots.masks[i])


def first_illegal(slots: Slots, choices: Any) -> int:
    """The first slot whose choice is not legal, or -1."""
    for i in range(len(choices)):
        if choices[i] < 0 or choices[i] >= MAX_CHOICES or not slots.masks[i] >> choices[i] & 1:
            return i
    return -1


def unfold(masks: Any, rows: Any) -> None:
    """Each mask as a row of ones and zeros."""
    for i in range(len(masks)):
        for choice in range(rows.shape[1]):
            rows[i, choice] = masks[i] >> choice & 1
