"""Games that play themselves, written once for all games: the two simplest players, one game, many games.

Everything here runs bound to a game (`game.plain(play)`, `game.compiled(play)`): the same source, the same games.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from enum import IntEnum
from typing import Any

from .cards import bit, count, lowest, next_clockwise
from .chance import any_of, below, seed_stream
from .rulebook import ENDING, kind, legal, play, redeal, start
from .state import Dice, State


class Player(IntEnum):
    """Who chooses in games that play themselves."""

    RANDOM = 0
    WANDER = 1


ENDS_SELDOM = 100
"""Who wanders ends a game by choice once in so many times that it could."""


def choose(players: int, s: State, seat: int, dice: Dice) -> int:
    """A choice of `seat`; `players` holds four bits per seat that say who plays it."""
    if players >> (4 * seat) & 15 == Player.RANDOM:
        return any_of(dice.rng, legal(s, seat))
    return wander(s, legal(s, seat), dice)


def wander(s: State, choices: int, dice: Dice) -> int:
    """First a kind of move, then a move of that kind: this reaches rules that uniform play never does."""
    kinds = 0
    rest = choices
    while rest:
        kinds |= bit(kind(s, lowest(rest)))
        rest &= rest - 1
    if kinds & bit(ENDING) and count(kinds) > 1 and below(dice.rng, ENDS_SELDOM) > 0:
        kinds &= ~bit(ENDING)
    wanted = any_of(dice.rng, kinds)
    rest = choices
    while rest:
        if kind(s, lowest(rest)) != wanted:
            choices &= ~bit(lowest(rest))
        rest &= rest - 1
    return any_of(dice.rng, choices)


def seat_to_act(s: State) -> int:
    """Who chooses next; of several, the one that is written first."""
    return next_clockwise(s.acting, s.first)


def begin(s: State, dice: Dice, seed: int, number: int) -> None:
    """Start game `number` of those that belong to `seed`: its deal, and the stream that the players choose with."""
    seed_stream(s.rng, seed, 2 * number)
    seed_stream(dice.rng, seed, 2 * number + 1)
    start(s)


def play_out(s: State, players: int, dice: Dice, limit: int) -> int:
    """Play on to the end, or for `limit` decisions; the number of decisions made."""
    n = 0
    while s.acting and n < limit:
        seat = seat_to_act(s)
        play(s, seat, choose(players, s, seat, dice))
        n += 1
    return n


def play_games(
    blank: Any,
    dice: Any,
    players: int,
    seed: int,
    first: int,
    limit: int,
    decisions: MutableSequence[int],
    ends: Any,
) -> None:
    """Play the games numbered from `first` on, one in each entry of `ends`, which keeps its last state."""
    for i in range(len(ends)):
        ends[i] = blank[0]
        begin(ends[i], dice[0], seed, first + i)
        decisions[i] = play_out(ends[i], players, dice[0], limit)


def trace_game(blank: Any, dice: Any, players: int, seed: int, number: int, states: Any) -> int:
    """Play one game and keep every state that it goes through; the number of states kept."""
    states[0] = blank[0]
    begin(states[0], dice[0], seed, number)
    n = 1
    while states[n - 1].acting and n < len(states):
        states[n] = states[n - 1]
        seat = seat_to_act(states[n])
        play(states[n], seat, choose(players, states[n], seat, dice[0]))
        n += 1
    return n


def redeal_from(s: State, seat: int, seed: int, number: int) -> None:
    """Make `s` one of the worlds that `seat` can't tell from the true one; `seed` and `number` say which."""
    seed_stream(s.rng, seed, number)
    redeal(s, seat)
