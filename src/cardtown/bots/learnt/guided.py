"""The same search, guided by a network: which choices to look at first, and how a position stands.

Where the search without a guide plays on at random, this one asks the network for each seat's share of the win. The
choices of a position new to the tree are looked at as likely as the network says.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

from cardtown.bots.search.tree import DEPTH, KEY, LIMIT, ROOT, TOTAL, VISITS, WORLD, Tree, entry_key, find, has_entry
from cardtown.bots.search.worth import ONE, win_share, worth
from cardtown.core.cards import bit, is_single, lowest
from cardtown.core.chance import rand32, seed_stream
from cardtown.core.play import seat_to_act
from cardtown.core.rulebook import legal, observe, play, redeal
from cardtown.core.state import MAX_CHOICES, State
from cardtown.core.worlds import copy_state, mixed

LIKELY = 3
"""The column of an entry that says how likely the network finds its choice; 0 if it was not asked yet."""

EXPLORE = 1.5


class Net(NamedTuple):
    """A network's weights, and room to think with them."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    policy: Any
    policy_bias: Any
    value: Any
    value_bias: Any
    known: Any
    one: Any
    two: Any
    odds: Any
    shares: Any


def search_guided(states: Any, t: Tree, net: Net, seat: int, iterations: int) -> None:
    """Think about the state in slot ROOT for so many iterations more."""
    for _ in range(iterations):
        iterate_guided(states, t, net, seat)


def iterate_guided(states: Any, t: Tree, net: Net, me: int) -> None:
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
    asked = -1
    while s.acting and decisions < LIMIT:
        seat = me if decisions == 0 else seat_to_act(s)
        choices = legal(s, seat)
        if is_single(choices):
            choice = lowest(choices)
        else:
            if is_new(t, key, seat, choices):
                ask(net, s, seat, choices)
                note_odds(t, net, key, seat, choices)
                if decisions > 0:
                    asked = seat
                    break
            if depth == DEPTH:
                break
            choice = select_guided(t, key, seat, choices)
            t.path[depth] = t.looked_up[choice]
            t.chose[depth] = seat
            depth += 1
        if decisions == 0:
            first = choice
        waiting = s.acting & ~bit(seat)
        play(s, seat, choice)
        decisions += 1
        secret = mixed(secret, entry_key(key, seat, choice))
        if not waiting or s.acting != waiting:
            key = secret
            secret = 0
    for i in range(depth):
        if t.entries[t.path[i], KEY] != 0:
            t.entries[t.path[i], VISITS] += 1
            t.entries[t.path[i], TOTAL] += prospect(net, s, t.chose[i], asked)
    t.visits[first] += 1
    t.totals[first] += prospect(net, s, me, asked)
    t.wins[first] += win_share(s, me) if asked < 0 else prospect(net, s, me, asked)
    t.points[first] += s.score[me]


def prospect(net: Net, s: State, seat: int, asked: int) -> int:
    """What a seat may expect: what it got, if the game is over, else what the network told who it was asked for."""
    if asked < 0:
        return worth(s, seat)
    return int(net.shares[(seat - asked) % len(net.shares)] * ONE)


def is_new(t: Tree, key: int, seat: int, choices: int) -> bool:
    """Has the network not been asked about any of these choices?"""
    while choices:
        if t.entries[find(t, entry_key(key, seat, lowest(choices))), LIKELY]:
            return False
        choices &= choices - 1
    return True


def note_odds(t: Tree, net: Net, key: int, seat: int, choices: int) -> None:
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        made = entry_key(key, seat, choice)
        at = find(t, made)
        if has_entry(t, at, made):
            t.entries[at, LIKELY] = 1 + int(net.odds[choice] * ONE)


def select_guided(t: Tree, key: int, seat: int, choices: int) -> int:
    """The choice that served the seat best, or that is likely good and was tried too seldom to know."""
    visits = 0
    total = 0
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        at = find(t, entry_key(key, seat, choice))
        t.looked_up[choice] = at
        visits += t.entries[at, VISITS]
        total += t.entries[at, TOTAL]
    usual = total / visits if visits else 0.0
    urge = EXPLORE * sqrt(visits + 1.0)
    most = -1.0
    best = 0
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        at = t.looked_up[choice]
        n = t.entries[at, VISITS]
        value = (t.entries[at, TOTAL] / n if n else usual) + urge * t.entries[at, LIKELY] / (1 + n)
        if value > most:
            most = value
            best = choice
    return best


def ask(net: Net, s: State, seat: int, choices: int) -> None:
    """Ask the network how likely each choice is, and which share of the win each place has, from `seat` on."""
    for i in range(len(net.known)):
        net.known[i] = 0
    observe(s, seat, net.known)
    for j in range(len(net.one)):
        net.one[j] = net.first_bias[j]
    for i in range(len(net.known)):
        if net.known[i] != 0:
            for j in range(len(net.one)):
                net.one[j] += net.known[i] * net.first[i, j]
    apply(net.one, net.second, net.second_bias, net.two)
    apply(net.two, net.policy, net.policy_bias, net.odds)
    apply(net.two, net.value, net.value_bias, net.shares)
    for choice in range(MAX_CHOICES):
        if not choices & bit(choice):
            net.odds[choice] = -1e9
    soften(net.odds)
    soften(net.shares)


def apply(x: Any, weight: Any, bias: Any, y: Any) -> None:
    """One layer: only what is positive goes in."""
    for j in range(len(y)):
        y[j] = bias[j]
    for i in range(len(x)):
        if x[i] > 0:
            for j in range(len(y)):
                y[j] += x[i] * weight[i, j]


def soften(x: Any) -> None:
    """Weights become shares of one."""
    most = x[0]
    for i in range(len(x)):
        most = max(most, x[i])
    total = 0.0
    for i in range(len(x)):
        x[i] = exp(x[i] - most)
        total += x[i]
    for i in range(len(x)):
        x[i] /= total
