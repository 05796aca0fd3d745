"""Measure everything, show it, write `docs/benchmarks.md`; fails if a target is missed."""

from __future__ import annotations

import sys

from rich.console import Console

from . import client, engine, open_spiel_loop, open_spiel_search, overrun, report, rlcard_loop, search, vector, workers
from .first_move import measure_first_moves
from .measure import Loops, Subject, measure
from .server import ROUNDS as SERVER_ROUNDS
from .server import measure_servers
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
    f"that we found are no target, but are in the table of the others: OpenSpiel's {open_spiel_loop.TIGHT} and, one "
    f"call per game, its {open_spiel_loop.BOTS}; RLCard's {rlcard_loop.BLIND} (kept from making what players see).\n\n"
    f"Games side by side choose at random among what is legal, {vector.SIDE_BY_SIDE:,} at a time, and those that end "
    "begin anew; ours have four seats, or as many as there can be below that, and take one thread (with one seat each "
    "decision is followed by the turns of three Citybots, which are not counted), pgx the cores that XLA takes, "
    "PettingZoo plays one game as its documentation does.\n\n"
    f"Searches take turns in the same way. Each thinks about {search.POSITIONS} positions, from the middle of random "
    f"games, for {search.ITERATIONS:,} iterations each, each time with a new tree; an iteration guesses what is hidden "
    f"and ends with one game played on at random. OpenSpiel's {open_spiel_search.WAY} is told to do the same: one "
    "rollout per simulation, as many guesses as simulations. Its nodes are information states, as neither game has "
    "observation strings.\n\n"
    "First moves are made by new processes, with a compile cache that is empty for the first one. Thinking too long is "
    f"measured with {overrun.MOVES} moves from a whole random game, while as many other processes run as there are "
    "cores; in turn with the bot a loop only looks at the clock for as long, which shows what the machine adds.\n\n"
    "Servers are played at by two scripted people per table, over sockets of their own, who choose as soon as they "
    "may. A choice counts when the other one has been pushed the state that shows it; each server is a process of its "
    "own, begins anew for every measurement, and is played at when it rests; they take turns, and of each figure the "
    f"median of {SERVER_ROUNDS} counts. Tables begin one after another, and where a match ends another table goes on "
    "in its place, so that as many are played at all the time. Ours keeps every choice on disk before it answers, with "
    "`hollywood`; boardgame.io's own server plays a game of as many cards and choices with `playerView`, in memory or "
    "with its FlatFile storage.\n\n"
    f"Workers that share PostgreSQL are played at in the same way, but {workers.PER_SECOND:,} times in a second, at "
    "one table after another, so that only the number of tables or workers differs. Tables begin at different points "
    "of their matches, and matches that end are played again. Two workers are one server with two, at one address; two "
    "apart are two servers with one each, as on two hosts, and the people of every second table come by different "
    f"ones. All are open at the same time and take turns in a random order: {workers.ROUNDS} times {workers.SECONDS:g} "
    "s each, from rest to rest. What is counted is the time that all processes of the servers and of PostgreSQL "
    "compute; how many times as much it is, is compared round by round.\n\n"
    f"In the browser (Chromium without a window or a graphics card) a table is opened {client.OPENINGS} times with an "
    "empty cache and each time once more, of which the medians count: from the beginning of the navigation until "
    f"something glows that a finger can reach. Then {client.CHOICES} choices are made by touching, against bots, and "
    "everything that happens is watched to its end, at the usual speed."
)


def main() -> int:
    console = Console()
    with console.status("Starting a process that simulates, twice …"):
        start_up = measure_start_up()
    with console.status("Starting a process that makes a bot's first move, twice …"):
        first_moves = measure_first_moves()
    subjects = engine.subjects() | open_spiel_loop.subjects() | rlcard_loop.subjects()
    rates = measure(subjects, SECONDS, ROUNDS)
    vectors = measure(vector.subjects(), SECONDS, ROUNDS)
    searches = measure(search_subjects(), SECONDS, ROUNDS)
    with console.status("Thinking while every core is busy …"):
        overruns = overrun.measure_overruns()
    loads = measure_servers(console)
    costs = workers.measure_workers(console)
    clients = client.measure_clients(console)
    searched = search.searched() | open_spiel_search.searched()
    results = report.Results(
        *(rates, vectors, engine.played(), start_up, searches, searched, first_moves, overruns),
        *(loads, costs, clients, METHOD),
    )
    report.show(console, results)
    report.write(report.ROOT / "docs", results)
    return 0 if all(target.is_met for target in report.targets(results)) else 1


def search_subjects() -> dict[Subject, Loops]:
    ours = search.subjects(search.compiled_code, search.ITERATIONS)
    return ours | open_spiel_search.subjects(search.ITERATIONS)


if __name__ == "__main__":
    sys.exit(main())
