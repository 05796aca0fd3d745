"""Hollywood Sensation: two film stars fight for the lead in fourteen tricks a round."""

from cardtown.core.game import Game, Option

from .rules import CARPET, LONGEST_CARPET, SHORTEST_CARPET

GAME = Game(
    id="hollywood",
    package=__name__,
    title="Hollywood Sensation",
    seats=(2,),
    minutes=20,
    clauses=("HOL", 20),
    options=(Option("carpet", {n: n for n in range(SHORTEST_CARPET, LONGEST_CARPET + 1)}, CARPET),),
)
