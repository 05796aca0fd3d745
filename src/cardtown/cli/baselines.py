"""`make ladder`: lets the baselines of every game play each other and freezes their ratings in the game's folder."""

from __future__ import annotations

import sys
import time

from cardtown.games import find, games
from cardtown.lab.ladder import freeze, plan_to_freeze, write

from .progress import progress


def main(names: list[str]) -> None:
    """Of the games that are named, or of all."""
    for game in [find(name) for name in names] or list(games().values()):
        began = time.perf_counter()
        with progress(sum(len(lineup) for lineup, _ in plan_to_freeze(game))) as tick:
            ladder = freeze(game, tick)
        write(game, ladder)
        print(f"{game.id}: {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
