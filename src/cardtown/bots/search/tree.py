"""Information-set Monte Carlo tree search, once for all games and for any number of seats.

Every iteration guesses what the searching seat can't know, all possibilities being equally likely; descends the tree,
in which each seat chooses what served it well; adds one choice; plays on at random; and keeps what came of it.

A node is the choices made since the root, so the tree needs no links: each tried choice is an entry of a hash table,
found by a key mixed from those choices. Guesses differ in which choices are possible; only those compete.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from cardtown.core.cards import bit, is_single, lowest
from cardtown.core.chance import any_of, rand32, seed_stream
from cardtown.core.play import redeal_from, seat_to_act
from cardtown.core.rulebook import legal, play, redeal, sensible
from cardtown.core.state import MAX_CHOICES, Record, grid, number, numbers
from cardtown.core.worlds import copy_state, mixed

from .worth import ONE, win_share, worth

ROOT, WORLD = 0, 1
"""The slots of the state that is thought about, and of the guess that is played on."""

ENTRIES = 1 << 19
DEPTH = 64
LIMIT = 5_000
"""Decisions after which an iteration is given up: nobody has won then."""

EXPLORE = 0.5 * ONE
OFTEN = 20
"""From so many visits on a choice is worth telling."""

KEY, VISITS, TOTAL = 0, 1, 2


class Tree(Record):
    """What one search remembers; what came to the searching seat is kept by its first choice."""

    rng = numbers(4, 64)
    sees_all = number(64)  # for tests alone: how well would it play if it saw every card?
    entries = grid(ENTRIES, 4, 64)  # key, visits and total worth to the one who chose
    room = number(64)  # how many entries there may be, a power of two
    used = number(64)
    looked_up = numbers(MAX_CHOICES, 64)  # where the entries of the choices are that are being compared
    path = numbers(DEPTH, 64)
    chose = numbers(DEPTH)
    visits = numbers(MAX_CHOICES, 64)
    totals = numbers(MAX_CHOICES, 64)
    wins = numbers(MAX_CHOICES, 64)
    points = numbers(MAX_CHOICES, 64)


def search(states: Any, t: Tree, seat: int, iterations: int) -> None:
    """Think about the state in slot ROOT for so many iterations more."""
    for _ in range(iterations):
        iterate(states, t, seat)


def iterate(states: Any, t: Tree, me: int) -> None:
    copy_state(states, WORLD, ROOT)
    s = states[WORLD]
    seed_stream(s.rng, rand32(t.rng), rand32(t.rng))
    if not t.sees_all:
        redeal(s, me)
    key = 0
    secret = 0
    depth = 0
    first = -1
    decisions = 0
    growing = True
    while s.acting and decisions < LIMIT:
        seat = me if decisions == 0 else seat_to_act(s)
        choices = legal(s, seat)
        if not growing:
            choice = any_of(t.rng, sensible(s, seat, choices))
        elif is_single(choices):
            choice = lowest(choices)
        else:
            choice = select(t, key, seat, choices)
            made = entry_key(key, seat, choice)
            at = t.looked_up[choice]
            growing = t.entries[at, VISITS] > 0 and depth + 1 < DEPTH
            if has_entry(t, at, made):
                t.path[depth] = at
                t.chose[depth] = seat
                depth += 1
        if decisions == 0:
            first = choice
        waiting = s.acting & ~bit(seat)
        play(s, seat, choice)
        decisions += 1
        if growing:
            secret = mixed(secret, entry_key(key, seat, choice))
            if not waiting or s.acting != waiting:  # else others choose at the same time, not knowing this choice
                key = secret
                secret = 0
    for i in range(depth):
        t.entries[t.path[i], VISITS] += 1
        t.entries[t.path[i], TOTAL] += worth(s, t.chose[i])
    t.visits[first] += 1
    t.totals[first] += worth(s, me)
    t.wins[first] += win_share(s, me)
    t.points[first] += s.score[me]


def entry_key(key: int, seat: int, choice: int) -> int:
    return mixed(key, MAX_CHOICES * seat + choice)


def find(t: Tree, key: int) -> int:
    """Where the entry with this key is, or would be."""
    at = (key >> 8) & (t.room - 1)
    while t.entries[at, KEY] != 0 and t.entries[at, KEY] != key:
        at = (at + 1) & (t.room - 1)
    return at


def has_entry(t: Tree, at: int, key: int) -> bool:
    """Is there an entry, now if not before? Some of the room stays free, so that entries are found quickly."""
    if t.entries[at, KEY] == 0 and 4 * t.used < 3 * t.room:
        t.entries[at, KEY] = key
        t.used += 1
    return t.entries[at, KEY] == key


def select(t: Tree, key: int, seat: int, choices: int) -> int:
    """A choice not tried yet; else the one that served the seat best, or was tried too seldom to know."""
    untried = 0
    visits = 0
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        at = find(t, entry_key(key, seat, choice))
        t.looked_up[choice] = at
        n = t.entries[at, VISITS]
        visits += n
        if n == 0:
            untried |= bit(choice)
    if untried:
        return any_of(t.rng, untried)
    urge = EXPLORE * sqrt(log(float(visits)))
    most = -1.0
    best = 0
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        at = t.looked_up[choice]
        n = t.entries[at, VISITS]
        value = t.entries[at, TOTAL] / n + urge / sqrt(float(n))
        if value > most:
            most = value
            best = choice
    return best


def expect(states: Any, t: Tree, me: int, seed: int, number: int, line: Any, most: int) -> int:
    """Write into `line` what is tried most from the root on in one guess, as long as it was tried often.

    Each row is a seat and its choice, `most` at most; the number of rows. The guess is the one of `redeal_from`.
    """
    copy_state(states, WORLD, ROOT)
    s = states[WORLD]
    redeal_from(s, me, seed, number)
    key = 0
    secret = 0
    n = 0
    while s.acting and n < most:
        seat = me if n == 0 else seat_to_act(s)
        choice = favourite(t, key, seat, legal(s, seat))
        if choice < 0:
            break
        line[n, 0] = seat
        line[n, 1] = choice
        waiting = s.acting & ~bit(seat)
        play(s, seat, choice)
        n += 1
        secret = mixed(secret, entry_key(key, seat, choice))
        if not waiting or s.acting != waiting:
            key = secret
            secret = 0
    return n


def favourite(t: Tree, key: int, seat: int, choices: int) -> int:
    """The choice that was tried most, or -1 if all were tried too seldom to tell."""
    if is_single(choices):
        return lowest(choices)
    most = OFTEN
    best = -1
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        n = t.entries[find(t, entry_key(key, seat, choice)), VISITS]
        if n >= most:
            most = n + 1
            best = choice
    return best
