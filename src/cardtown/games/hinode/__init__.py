"""Top of the Hinode Town: four gangs of cats fight for the alleys of an old town in nine tricks."""

from cardtown.core.game import Game, Option

from .parts import SEATS

GAME = Game(
    id="hinode",
    package=__name__,
    title="Top of the Hinode Town",
    seats=(SEATS,),
    minutes=40,
    clauses=("HIN", 30),
    options=(
        Option("players", {n: n for n in range(1, SEATS + 1)}, SEATS),
        Option("rules", {"basic": 0, "advanced": 1}, "basic"),
    ),
    choosing=lambda seats, options: int(options["players"]),
)
