"""Egocentric World: megacities shed their pride, card by card, and the least egocentric one wins."""

from cardtown.core.game import Game, Option

from .state import GOAL

GAME = Game(
    id="egocentric",
    package=__name__,
    title="Egocentric World",
    seats=(1, 2, 3, 4, 5, 6),
    minutes=20,
    clauses=("EGO", 29),
    options=(
        Option("goal", {GOAL: GOAL, "one-round": 0}, GOAL),
        Option("difficulty", {1: 1, 2: 2, 3: 3}, 2, applies=lambda seats: seats == 1),
    ),
)
