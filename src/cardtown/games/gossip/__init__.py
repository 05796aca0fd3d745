"""Gossip and the City: reporters trade stories, and the one with the least cover has an accident."""

from cardtown.core.game import Game

from .rules import SEATS

GAME = Game(
    id="gossip",
    package=__name__,
    title="Gossip and the City",
    seats=SEATS,
    minutes=20,
    clauses=("GOS", 23),
)
