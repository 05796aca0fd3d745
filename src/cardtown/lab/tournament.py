"""Tournaments: bots play the same deals from every seat, so that luck cancels out and skill is left."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations
from multiprocessing import get_context
from typing import NamedTuple

from cardtown.bots import ask, readiness
from cardtown.bots.levels import BLIND, make_bot
from cardtown.core.chance import seed_stream
from cardtown.core.components import Parts
from cardtown.core.game import Game, Options, scores, winners
from cardtown.core.play import seat_to_act
from cardtown.core.state import State
from cardtown.games import find

from .standings import Lineup, Played, Tournament, standings

LIMIT = 20_000
"""Decisions after which a game is given up; nobody has won it then."""

MANY = 64
"""More seats and rotations than any table has: keeps the seeds of bots apart."""


class Table(NamedTuple):
    """What is played; a game is named by its id and components, so that any process can find it."""

    game: str
    parts: Parts | None
    seats: int
    options: Options

    def open(self) -> Game:
        game = find(self.game)
        return game.with_components(self.parts, "components") if self.parts else game


Player = Callable[[State, int, int], int]
"""What a seat chooses in a state; the last number tells decisions apart."""

Sit = Callable[[str, Game, int], Player]


def seat_bot(name: str, game: Game, seed: int) -> Player:
    """Let a bot play a seat, from what that seat knows."""
    bot = make_bot(name, game, seed)
    return lambda s, seat, decision: ask(bot, game, s, seat, seed + decision)


def lineups(bots: Sequence[str], seats: int) -> list[Lineup]:
    """Who meets whom: all, the last bot filling the seats that are left; or, of too many, every choice of some."""
    if len(bots) <= seats:
        return [(*bots, *[bots[-1]] * (seats - len(bots)))]
    return sorted(set(combinations(bots, seats)))


def rotations(lineup: Lineup) -> list[Lineup]:
    """The same bots in every seat, round the table; each seating once."""
    return list(dict.fromkeys((*lineup[i:], *lineup[:i]) for i in range(len(lineup))))


def hold(
    table: Table,
    bots: Sequence[str],
    games: int,
    seed: int,
    tick: Callable[[int], None] = lambda n: None,
    processes: int | None = None,
    sit: Sit = seat_bot,
) -> Tournament:
    """Play at least `games` games: as many deals as that takes, each from every seat."""
    game = table.open()
    meeting = lineups(bots, game.choosing(table.seats, table.options))
    each = sum(len(rotations(lineup)) for lineup in meeting)
    jobs = [(lineup, deal) for deal in range(-(-games // each)) for lineup in meeting]
    thinks = any(bot not in BLIND for bot in bots)
    if thinks:
        readiness.wait_for(game)  # compiled once, before many processes want it
    workers = min(processes or os.cpu_count() or 1, len(jobs))
    played: dict[int, list[Played]] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), _open, (table, thinks)) as pool:
        waiting = {pool.submit(_play_deal, table, *job, seed, sit): number for number, job in enumerate(jobs)}
        for done in as_completed(waiting):
            played[waiting[done]] = done.result()
            tick(len(done.result()))
    every = tuple(game for number in sorted(played) for game in played[number])
    return Tournament(every, standings(every, list(dict.fromkeys(bots))))


def games_of(table: Table, bots: Sequence[str], games: int) -> int:
    """How many games `hold` plays."""
    each = sum(len(rotations(lineup)) for lineup in lineups(bots, table.open().choosing(table.seats, table.options)))
    return -(-games // each) * each


_game: Game | None = None


def _open(table: Table, thinks: bool) -> None:
    """What each process does first."""
    global _game
    _game = table.open()
    if thinks:
        readiness.wait_for(_game)


def _play_deal(table: Table, lineup: Lineup, deal: int, seed: int, sit: Sit) -> list[Played]:
    assert _game is not None
    return [play_one(_game, table, seated, deal, turn, seed, sit) for turn, seated in enumerate(rotations(lineup))]


def play_one(game: Game, table: Table, lineup: Lineup, deal: int, turn: int, seed: int, sit: Sit) -> Played:
    """One game from its deal to its end."""
    s = game.blank(table.seats, table.options)
    seed_stream(s.rng, seed, deal)
    game.rules.start(s)
    seeds = [((deal * MANY + turn) * MANY + seat) ^ (seed << 20) for seat in range(len(lineup))]
    players = [sit(name, game, seeds[seat]) for seat, name in enumerate(lineup)]
    decisions = 0
    while s.acting and decisions < LIMIT:
        seat = seat_to_act(s)
        game.rules.play(s, seat, players[seat](s, seat, decisions))
        decisions += 1
    return Played(deal, lineup, winners(s), scores(s))
