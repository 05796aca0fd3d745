"""Exact play: where nothing is hidden any more, or few worlds are possible, every way to the end is looked at.

It looks ahead only while nothing is left to chance and the seats choose one after another.
"""

from __future__ import annotations

from typing import Any

from cardtown.core.cards import is_single, lowest
from cardtown.core.play import redeal_from
from cardtown.core.rulebook import legal, play
from cardtown.core.state import MAX_CHOICES, MAX_SEATS, Record, grid, masks, number, numbers
from cardtown.core.worlds import copy_state, fingerprint

from .worth import ONE, win_share, worth

ROOT = 0
MOST_WORLDS = 8
GUESSES = 100
"""So many guesses miss one of eight worlds, all equally likely, once in half a million times."""

STACK = MOST_WORLDS + 1
DEPTH = 40
SLOTS = STACK + DEPTH + 1
"""The state that is thought about, the worlds it may be, and one state for every choice ahead."""

WIN, POINTS = MAX_SEATS, MAX_SEATS + 1
"""Where the searching seat's share of a win and its points stand behind the worth to each seat."""


class Ahead(Record):
    """What looking ahead remembers, level by level; `found` is the end that each first choice leads to."""

    looked = number(64)  # how many choices were made
    keys = numbers(MOST_WORLDS, 64)
    left = masks(DEPTH)  # choices still to be looked at
    seat = numbers(DEPTH)  # who chooses
    choice = numbers(DEPTH)  # what is being looked at
    best = grid(DEPTH + 1, MAX_SEATS + 2, 64)  # the best end for the one who chooses, worth -1 while there is none
    found = grid(MAX_CHOICES, MAX_SEATS + 2, 64)


def list_worlds(states: Any, words: Any, a: Ahead, me: int, seed: int) -> int:
    """Put every world that `me` thinks possible into the slots after ROOT; their number, or 0 if they are many."""
    n = 0
    for guess in range(GUESSES):
        if n == MOST_WORLDS:
            return 0
        copy_state(states, 1 + n, ROOT)
        redeal_from(states[1 + n], me, seed, guess)
        a.keys[n] = fingerprint(states, words, 1 + n)
        known = 0
        while a.keys[known] != a.keys[n]:
            known += 1
        n += known == n
    return n


def look_ahead(states: Any, a: Ahead, me: int, world: int, limit: int) -> bool:
    """Follow every way from a world to the end. False if chance comes in, or it takes more than `limit` choices."""
    copy_state(states, STACK, 1 + world)
    if not is_single(states[STACK].acting):
        return False
    depth = 0
    enter(states, a, depth)
    while depth >= 0:
        if a.left[depth] == 0 or is_settled(states, a, depth):
            depth -= 1
            if depth >= 0:
                hand_up(a, depth)
            continue
        choice = lowest(a.left[depth])
        a.left[depth] &= a.left[depth] - 1
        a.choice[depth] = choice
        below = STACK + depth + 1
        copy_state(states, below, below - 1)
        play(states[below], a.seat[depth], choice)
        a.looked += 1
        chance_came = states[below].rng[3] != states[below - 1].rng[3]  # every draw counts this up
        if chance_came or a.looked > limit:
            return False
        if states[below].acting == 0:
            end_here(states, a, depth + 1, me)
            hand_up(a, depth)
        elif depth + 1 == DEPTH or not is_single(states[below].acting):
            return False
        else:
            depth += 1
            enter(states, a, depth)
    return True


def enter(states: Any, a: Ahead, depth: int) -> None:
    s = states[STACK + depth]
    a.seat[depth] = lowest(s.acting)
    a.left[depth] = legal(s, lowest(s.acting))
    a.best[depth, a.seat[depth]] = -1


def end_here(states: Any, a: Ahead, depth: int, me: int) -> None:
    s = states[STACK + depth]
    for seat in range(s.seats):
        a.best[depth, seat] = worth(s, seat)
    a.best[depth, WIN] = win_share(s, me)
    a.best[depth, POINTS] = s.score[me]


def hand_up(a: Ahead, depth: int) -> None:
    """A choice has been looked at to the end: keep it if it is better for the one who chooses."""
    seat = a.seat[depth]
    if depth == 0:
        for i in range(MAX_SEATS + 2):
            a.found[a.choice[0], i] = a.best[1, i]
    elif a.best[depth + 1, seat] > a.best[depth, seat]:
        for i in range(MAX_SEATS + 2):
            a.best[depth, i] = a.best[depth + 1, i]


def is_settled(states: Any, a: Ahead, depth: int) -> bool:
    """Of two opponents, would the other never let it come to this, having something better above?"""
    s = states[STACK]
    if s.places != 2 or s.seats != 2:
        return False
    seat = a.seat[depth]
    for above in range(1, depth):
        if a.seat[above] != seat and a.best[above, 1 - seat] >= ONE - a.best[depth, seat]:
            return True
    return False
