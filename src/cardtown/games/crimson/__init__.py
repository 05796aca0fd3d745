"""Crimson Crush: citizens of five quarters side with hero or villain; those kept in hand are saved or captured."""

from cardtown.core.game import Game, Option

from .rules import Variant

GAME = Game(
    id="crimson",
    package=__name__,
    title="Crimson Crush",
    seats=(3, 4, 5),
    minutes=20,
    clauses=("CRU", 19),
    options=(Option("variant", {"standard": Variant.STANDARD, "one-action": Variant.ONE_ACTION}, "standard"),),
)
