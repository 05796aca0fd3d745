"""Measure everything, show it, write `docs/benchmarks.md`; fails if a target is missed."""

from __future__ import annotations

import sys

from rich.console import Console

from . import engine, open_spiel_loop, report, rlcard_loop
from .measure import measure
from .start_up import measure_start_up

SECONDS = 2.0
ROUNDS = 3
METHOD = (
    f"Random games are played from the deal to the end in one process, all subjects taking turns: {ROUNDS} rounds of "
    f"{SECONDS:g} s each, of which the median counts. Only decisions of players are counted, not chance; the games "
    "differ, so decisions are compared, never whole games.\n\n"
    f"The targets compare with OpenSpiel as its own example drives it ({open_spiel_loop.DOCUMENTED}: NumPy samples "
    f"chance by its probabilities), with RLCard's environment as its documentation does ({rlcard_loop.RUN} with its "
    f"random agents) and with `game.step` of its raw game, which returns what the next player sees. The fastest ways "
    f"that we found are no target, but are in the last table too: OpenSpiel's {open_spiel_loop.TIGHT} and, one call "
    f"per game, its {open_spiel_loop.BOTS}; RLCard's {rlcard_loop.BLIND} (kept from making what players see)."
)


def main() -> int:
    console = Console()
    with console.status("Starting a process that simulates, twice …"):
        start_up = measure_start_up()
    subjects = engine.subjects() | open_spiel_loop.subjects() | rlcard_loop.subjects()
    rates = measure(subjects, SECONDS, ROUNDS)
    results = report.Results(rates, engine.played(), start_up, METHOD)
    report.show(console, results)
    report.write(report.ROOT / "docs", results)
    return 0 if all(target.is_met for target in report.targets(results)) else 1


if __name__ == "__main__":
    sys.exit(main())
