"""What was measured, as tables: on the terminal and in `docs/benchmarks.md`."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from . import client, first_move, gpu, search, vector
from .chart import chart
from .client import Clients
from .engine import ENGINE, ONE_THREAD, PLAIN, TWO_THREADS, Played
from .first_move import FirstMove
from .load import Loads
from .measure import Rates, Subject
from .overrun import BOTS, Overruns
from .search import Searched
from .start_up import COMMAND, StartUp
from .workers import Costs, Side

HEADLINE = "hollywood"
ONE = Subject(ENGINE, HEADLINE, ONE_THREAD)
TWO = Subject(ENGINE, HEADLINE, TWO_THREADS)
SLOW = Subject(ENGINE, HEADLINE, PLAIN)
HEARTS = Subject("OpenSpiel", "hearts", "documented loop")
UNO = Subject("RLCard", "uno", "env.run")
RAW_UNO = Subject("RLCard", "uno", "raw game")
RATIOS = ((ONE, HEARTS, 200), (ONE, UNO, 1000), (ONE, RAW_UNO, 400), (TWO, ONE, 1.7), (SLOW, HEARTS, 0.5))
EVERY_GAME = 50
STATE_BYTES = 512
SECONDS = 2.0
SEARCH = Subject(ENGINE, HEADLINE, search.ONE_THREAD)
SEARCH_RATIO, THREADS_RATIO = 8, 1.7
FIRST_MOVE = FirstMove(first=3.0, second=1.5)
OVERRUN_SHARE, OVERRUN_SECONDS = 0.2, 0.05  # of the time to think, and at least
SERVER = Subject(ENGINE, "hollywood", "SQLite")
WORKERS_RATIO, TABLES_RATIO = 1.25, (0.9, 1.1)
SERVER_RATIO = {"memory": 1, "flatfile": 2}
LONGEST_BLOCK = 50  # ms
TOUCHABLE, SCRIPT_KB, LONGEST_FRAME = 1.5, 150, 200  # seconds, kB, ms
VECTOR_RATE = 10e6  # decisions/s on one core
GPU_RATE, GPU_HEADLINE = 0.5e9, 3e9
PACKAGES = ("numpy", "numba", "open_spiel", "rlcard", "pgx", "jax", "pettingzoo")
ROOT = Path(__file__).parents[1]


class Results(NamedTuple):
    rates: Rates
    vectors: Rates
    played: dict[str, Played]
    start_up: StartUp
    searches: Rates
    searched: dict[str, Searched]
    first_moves: dict[str, FirstMove]
    overruns: Overruns
    loads: Loads
    costs: Costs
    clients: Clients
    method: str


class Target(NamedTuple):
    """Something promised, and what came out."""

    promise: str
    measured: str
    is_met: bool


class Sheet(NamedTuple):
    """A table before it is drawn; the first `texts` columns are words, the others numbers."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    texts: int


def targets(results: Results) -> list[Target]:
    found = []
    for ours, other, least in RATIOS:
        ratio = results.rates[ours] / results.rates[other]
        found.append(Target(f"{ours.way} ≥ {least:,} × {other}", f"{number(ratio)} ×", ratio >= least))
    for name, played in results.played.items():
        ratio = results.rates[Subject(ENGINE, name, ONE_THREAD)] / results.rates[HEARTS]
        found.append(
            Target(f"{name}, {ONE_THREAD} ≥ {EVERY_GAME} × {HEARTS}", f"{number(ratio)} ×", ratio >= EVERY_GAME)
        )
        size = played.state_bytes
        found.append(Target(f"{name}, state ≤ {STATE_BYTES} bytes", f"{size}", size <= STATE_BYTES))
    second = results.start_up.second
    promise = f"a second process's `{' '.join(COMMAND)}` ends within {SECONDS:g} s"
    found.append(Target(promise, f"{second:.2f} s", second <= SECONDS))
    found += vector_targets(results)
    found += [*search_targets(results), *first_move_targets(results), *overrun_targets(results)]
    found += [*server_targets(results.loads), *worker_targets(results.costs)]
    return [*found, *client_targets(results.clients)]


def vector_targets(results: Results) -> list[Target]:
    found = []
    for name in results.played:
        rate = results.vectors[Subject(ENGINE, name, vector.STEP)]
        promise = f"{name}, {vector.STEP} ≥ {number(VECTOR_RATE)} decisions/s"
        found.append(Target(promise, number(rate), rate >= VECTOR_RATE))
    kept = gpu.read()
    for name, device in kept["games"].items() if kept else ():
        least = GPU_HEADLINE if name == HEADLINE else GPU_RATE
        promise = f"{name} on one {kept['device'] if kept else ''} ≥ {number(least)} decisions/s"
        found.append(Target(promise, number(device["whole_games"]), device["whole_games"] >= least))
    return found


def search_targets(results: Results) -> list[Target]:
    """The search is compared with the faster of the others."""
    best = max(others_searches(results), key=others_searches(results).__getitem__)
    ratio = results.searches[SEARCH] / results.searches[best]
    found = [Target(f"{SEARCH.way} ≥ {SEARCH_RATIO} × {best}", f"{number(ratio)} ×", ratio >= SEARCH_RATIO)]
    for name in results.played:
        one, two = (results.searches[Subject(ENGINE, name, way)] for way in (search.ONE_THREAD, search.TWO_THREADS))
        promise = f"{name}, {search.TWO_THREADS} ≥ {THREADS_RATIO} × {search.ONE_THREAD}"
        found.append(Target(promise, f"{number(two / one)} ×", two / one >= THREADS_RATIO))
    return found


def first_move_targets(results: Results) -> list[Target]:
    found = []
    for name, took in results.first_moves.items():
        for process, seconds, most in zip(FirstMove._fields, took, FIRST_MOVE, strict=True):
            promise = f"{name}, `{first_move.BOT}` moves in a {process} process within {most:g} s and its thinking"
            found.append(Target(promise, f"{seconds:.2f} s", seconds <= most))
    return found


def overrun_targets(results: Results) -> list[Target]:
    found = []
    for (name, bot), overrun in results.overruns.items():
        most = max(OVERRUN_SHARE * BOTS[bot], OVERRUN_SECONDS)
        promise = f"{name}, `{bot}` on busy cores never thinks {1000 * most:g} ms too long"
        found.append(Target(promise, f"{milliseconds(overrun.longest)} ms", overrun.longest < most))
    return found


def server_targets(loads: Loads) -> list[Target]:
    found = []
    for (subject, tables), load in loads.items():
        ours = loads[SERVER, tables]
        if subject != SERVER:
            least = SERVER_RATIO[subject.way]
            ratio = ours.rate / load.rate
            promise = f"server with {tables:,} tables ≥ {least} × {subject}"
            found.append(Target(promise, f"{number(ratio)} ×", ratio >= least))
            promise = f"server with {tables:,} tables, p99 of its pushes ≤ {subject}"
            found.append(Target(promise, f"{number(ours.p99)} ≤ {number(load.p99)} ms", ours.p99 <= load.p99))
        elif load.block is not None:
            promise = f"server with {tables:,} tables never blocks for {LONGEST_BLOCK} ms"
            found.append(Target(promise, f"{number(load.block)} ms", load.block < LONGEST_BLOCK))
    return found


def worker_targets(costs: Costs) -> list[Target]:
    """What a choice costs with two workers, and with many tables, which must be the same as with the fewest."""
    found = []
    fewest = min(side.tables for side in costs)
    for side, cost in costs.items():
        workers, tables, apart = side
        if apart:
            continue
        if workers > 1:
            ratio = cost.over(costs[Side(1, tables)])
            promise = f"a choice with {workers} workers and {tables:,} tables costs ≤ {WORKERS_RATIO:g} × that with one"
            found.append(Target(promise, f"{number(ratio)} ×", ratio <= WORKERS_RATIO))
        if tables > fewest:
            ratio = cost.over(costs[Side(workers, fewest)])
            least, most = TABLES_RATIO
            promise = (
                f"a choice with {tables:,} tables costs {least:g} to {most:g} × that with {fewest} (workers: {workers})"
            )
            found.append(Target(promise, f"{number(ratio)} ×", least <= ratio <= most))
    return found


def client_targets(clients: Clients) -> list[Target]:
    """On a processor as it is; a slower one is measured, but nothing is promised."""
    found = []
    slowed = {way.name for way in client.WAYS if way.slower > 1}
    for (game, way), seen in clients.items():
        if way in slowed:
            continue
        promise = f"{game} in a browser, {way}: can be touched within {TOUCHABLE:g} s"
        found.append(Target(promise, f"{seen.cold:.2f} s", seen.cold <= TOUCHABLE))
        promise = f"{game} in a browser, {way}: first load ≤ {SCRIPT_KB} kB of JavaScript (gzip)"
        kilobytes = seen.script_bytes / 1000
        found.append(Target(promise, f"{number(kilobytes)} kB", kilobytes <= SCRIPT_KB))
        promise = f"{game} in a browser, {way}: no frame over {LONGEST_FRAME} ms while a trick is played"
        found.append(Target(promise, f"{number(seen.trick_frame)} ms", seen.trick_frame <= LONGEST_FRAME))
    return found


def sheets(results: Results) -> list[Sheet]:
    return [
        target_sheet(results),
        engine_sheet(results),
        others_sheet(results),
        vector_sheet(results),
        *gpu_sheets(),
        search_sheet(results),
        others_search_sheet(results),
        first_move_sheet(results),
        overrun_sheet(results),
        server_sheet(results.loads),
        worker_sheet(results.costs),
        client_sheet(results.clients),
    ]


def target_sheet(results: Results) -> Sheet:
    rows = [(t.promise, "yes" if t.is_met else "NO", t.measured) for t in targets(results)]
    return Sheet(f"Targets (our game: {HEADLINE}, where none is named)", ("target", "met", "measured"), rows, 2)


def engine_sheet(results: Results) -> Sheet:
    rows = []
    for name, played in results.played.items():
        one, two, plain = (results.rates[Subject(ENGINE, name, way)] for way in (ONE_THREAD, TWO_THREADS, PLAIN))
        cells = (played.seats, played.state_bytes, one, two, two / one, plain, one / results.rates[HEARTS])
        rows.append((name, *map(number, cells)))
    header = ("game", "seats", "state, bytes", ONE_THREAD, TWO_THREADS, "2 ÷ 1", PLAIN, "1 thread ÷ hearts")
    return Sheet(f"{ENGINE}, decisions/s", header, rows, 1)


def others_sheet(results: Results) -> Sheet:
    rates = results.rates
    rows = [
        (*subject, number(rate), number(rates[ONE] / rate), number(rates[SLOW] / rate))
        for subject, rate in rates.items()
        if subject.engine != ENGINE
    ]
    header = ("engine", "game", "way", "decisions/s", f"our {ONE_THREAD} ÷ it", f"our {PLAIN} ÷ it")
    return Sheet("Others", header, rows, 3)


def vector_sheet(results: Results) -> Sheet:
    rows = [(*subject, number(rate)) for subject, rate in results.vectors.items()]
    title = f"{vector.SIDE_BY_SIDE:,} games side by side (PettingZoo: one), decisions/s"
    return Sheet(title, ("engine", "game", "way", "decisions/s"), rows, 3)


def gpu_sheets() -> list[Sheet]:
    """What was found where there was a GPU, if anything."""
    kept = gpu.read()
    if kept is None:
        return []
    rows = [
        (
            name,
            *map(number, (d["seats"], d["whole_games"], d["steps"], d["steps_observed"], d["observation"])),
        )
        for name, d in kept["games"].items()
    ]
    header = ("game", "seats", "whole games", "steps", "steps with observations", "numbers in these")
    title = f"On one {kept['device']}, decisions/s (`python -m benchmarks.gpu docs/gpu.json`)"
    return [Sheet(title, header, rows, 1)]


def search_sheet(results: Results) -> Sheet:
    rows = []
    best = max(others_searches(results).values())
    ways = (search.ONE_THREAD, search.TWO_THREADS)
    for name in results.played:
        one, two = (results.searches[Subject(ENGINE, name, way)] for way in ways)
        rows.append((name, *map(number, (*results.searched[name], one, two, two / one, one / best))))
    header = ("game", "seats", "decisions to the end", *ways, "2 ÷ 1", "1 thread ÷ fastest other")
    return Sheet(f"{ENGINE}'s search, iterations/s", header, rows, 1)


def others_search_sheet(results: Results) -> Sheet:
    ours = results.searches[SEARCH]
    rows = [
        (*subject, *map(number, (*results.searched[subject.game], rate, ours / rate)))
        for subject, rate in others_searches(results).items()
    ]
    header = ("engine", "game", "way", "seats", "decisions to the end", "simulations/s", f"our {SEARCH.way} ÷ it")
    return Sheet("Others' searches", header, rows, 3)


def others_searches(results: Results) -> Rates:
    return {subject: rate for subject, rate in results.searches.items() if subject.engine != ENGINE}


def first_move_sheet(results: Results) -> Sheet:
    rows = [(name, *(f"{seconds:.2f}" for seconds in took)) for name, took in results.first_moves.items()]
    header = ("game", "first process (compiles beside it)", "second process")
    title = f"First move of `{first_move.BOT}`: seconds from the process's start, less {first_move.THINKING:g} to think"
    return Sheet(title, header, rows, 1)


def overrun_sheet(results: Results) -> Sheet:
    rows = [(*which, *map(milliseconds, overrun)) for which, overrun in results.overruns.items()]
    header = ("game", "bot", "median", "longest", "clock alone, median", "clock alone, longest")
    return Sheet("Thinking too long on busy cores, ms", header, rows, 2)


def server_sheet(loads: Loads) -> Sheet:
    rows = []
    for (subject, tables), load in loads.items():
        block = "–" if load.block is None else number(load.block)
        cells = (tables, load.rate, load.p50, load.p99, load.table_kib, load.server_cpu / load.seconds, load.own_share)
        rows.append((*subject, *map(number, cells), block, number(loads[SERVER, tables].rate / load.rate)))
    header = (
        *("server", "game", "way", "tables", "choices/s", "push p50, ms", "push p99, ms", "KiB per table"),
        *("cores used", "cores used by the people", "longest block, ms", f"our {SERVER.way} ÷ it"),
    )
    return Sheet("Servers", header, rows, 3)


def worker_sheet(costs: Costs) -> Sheet:
    rows = []
    for side, cost in costs.items():
        workers, tables, apart = side
        computed = map(median, (cost.servers, cost.postgresql, cost.totals))
        cells = (tables, cost.rate, cost.p50, cost.p99, *computed, cost.over(costs[Side(1, tables)]))
        rows.append((f"{workers}{' apart' if apart else ''}", *map(number, cells), f"{cost.busiest:.0%}"))
    header = (
        *("workers", "tables", "choices/s", "push p50, ms", "push p99, ms", "servers, ms of a core per choice"),
        *("PostgreSQL, ms", "together, ms", "÷ one worker", "done by the busiest"),
    )
    return Sheet("Workers that share PostgreSQL", header, rows, 1)


def client_sheet(clients: Clients) -> Sheet:
    rows = []
    for which, seen in clients.items():
        cells = (seen.script_bytes / 1000, seen.trick_frame, seen.frame, seen.long_tasks, seen.longest_task)
        rows.append((*which, f"{seen.cold:.2f}", f"{seen.warm:.2f}", *map(number, cells)))
    header = (
        *("game", "screen", "can be touched after, s", "with a cache, s", "JavaScript, kB (gzip)"),
        *("longest frame of a trick, ms", f"of {client.CHOICES} choices, ms", "tasks ≥ 50 ms", "longest task, ms"),
    )
    return Sheet("In the browser", header, rows, 2)


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"


def number(value: float) -> str:
    """Three digits that mean something; whole numbers as they are."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def show(console: Console, results: Results) -> None:
    for sheet in sheets(results):
        table = Table(title=sheet.title, title_justify="left", header_style="bold")
        for i, title in enumerate(sheet.header):
            table.add_column(title, justify="left" if i < sheet.texts else "right")
        for row in sheet.rows:
            table.add_row(*row, style="red" if "NO" in row else None)
        console.print(table)


def write(folder: Path, results: Results) -> None:
    """`benchmarks.md` and the chart that it shows."""
    parts = [
        "# Benchmarks",
        "Written by `make bench`: do not edit.",
        machine(),
        results.method,
        "![Decisions per second, on a logarithmic scale](benchmarks.svg)",
        *(f"## {sheet.title}\n\n{markdown(sheet)}" for sheet in sheets(results)),
        f"The first process of `{COMMAND[0]}`, which also compiles, took {results.start_up.first:.1f} s.",
    ]
    (folder / "benchmarks.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    shown = {str(s): rate for s, rate in results.rates.items() if s.engine != ENGINE or s.game == HEADLINE}
    (folder / "benchmarks.svg").write_text(chart(shown, ENGINE, number), encoding="utf-8")


def markdown(sheet: Sheet) -> str:
    rule = [":--" if i < sheet.texts else "--:" for i in range(len(sheet.header))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (sheet.header, rule, *sheet.rows))


def machine() -> str:
    """Where, with what and when."""
    facts = [f"{cpu()}, {os.cpu_count()} cores", f"Python {platform.python_version()}"]
    facts += [f"{name} {found}" for name, found in versions(PACKAGES)]
    return f"{' · '.join([*facts, f'{date.today():%Y-%m-%d}', f'commit {commit()}'])}."


def cpu() -> str:
    """The processor's model."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def versions(packages: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for name in packages:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found


def commit() -> str:
    """The commit that was measured, and whether the code differs from it."""
    head = git("rev-parse", "--short", "HEAD")
    return head + (" with changes" if git("status", "--porcelain", "--", "src", "benchmarks") else "")


def git(*args: str) -> str:
    return subprocess.run(("git", *args), cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
