"""Tournaments: bots play the same deals from every seat, so that luck cancels out and skill is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

from cardtown.bots import ask, readiness
from cardtown.bots.learnt.bot import make_player
from cardtown.bots.levels import BLIND
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game, scores, winners
from cardtown.core.play import seat_to_act
from cardtown.core.state import State

from .jobs import Processes, Workers, in_order
from .simulate import LIMIT
from .standings import Lineup, Played, Tournament, standings
from .table import Table

MANY = 64
"""More seats and rotations than any table has: keeps the seeds of bots apart."""

Player = Callable[[State, int, int], int]
"""What a seat chooses in a state; the last number tells decisions apart."""

Sit = Callable[[str, Game, int], Player]


def seat_bot(name: str, game: Game, seed: int) -> Player:
    """Let a bot play a seat, from what that seat knows."""
    bot = make_player(name, game, seed)
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
    workers: Workers | None = None,
    sit: Sit = seat_bot,
) -> Tournament:
    """Play at least `games` games: as many deals as that takes, each from every seat."""
    meeting = lineups(bots, table.open().choosing(table.seats, table.options))
    each = sum(len(rotations(lineup)) for lineup in meeting)
    deals = [(lineup, deal) for deal in range(-(-games // each)) for lineup in meeting]
    played = play_deals(table, deals, seed, tick, workers, sit)
    return Tournament(played, standings(played, list(dict.fromkeys(bots))))


def play_deals(
    table: Table,
    deals: Sequence[tuple[Lineup, int]],
    seed: int,
    tick: Callable[[int], None] = lambda n: None,
    workers: Workers | None = None,
    sit: Sit = seat_bot,
) -> tuple[Played, ...]:
    """Let those of each line-up play its deal from every seat; unless told otherwise, with a process for each core."""
    thinks = any(bot not in BLIND for lineup, _ in deals for bot in lineup)
    if thinks:
        readiness.wait_for(table.open())  # compiled once, before many processes want it
    work = partial(play_deal, table.fixed(), thinks, seed, sit)
    done = in_order(work, deals, workers or Processes(), lambda games: tick(len(games)))
    return tuple(game for games in done for game in games)


def games_of(table: Table, bots: Sequence[str], games: int) -> int:
    """How many games `hold` plays."""
    each = sum(len(rotations(lineup)) for lineup in lineups(bots, table.open().choosing(table.seats, table.options)))
    return -(-games // each) * each


def play_deal(table: Table, thinks: bool, seed: int, sit: Sit, piece: tuple[Lineup, int]) -> list[Played]:
    """A piece of a tournament: one deal from every seat."""
    lineup, deal = piece
    game = table.open()
    if thinks:
        readiness.wait_for(game)
    return [play_one(game, table, seated, deal, turn, seed, sit) for turn, seated in enumerate(rotations(lineup))]


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
