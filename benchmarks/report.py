"""What was measured, as tables: on the terminal and in `docs/benchmarks.md`."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from .chart import chart
from .engine import ENGINE, ONE_THREAD, PLAIN, TWO_THREADS, Played
from .measure import Rates, Subject
from .start_up import COMMAND, StartUp

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
PACKAGES = ("numpy", "numba", "open_spiel", "rlcard")
ROOT = Path(__file__).parents[1]


class Results(NamedTuple):
    rates: Rates
    played: dict[str, Played]
    start_up: StartUp
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
    return [*found, Target(promise, f"{second:.2f} s", second <= SECONDS)]


def sheets(results: Results) -> list[Sheet]:
    return [target_sheet(results), engine_sheet(results), others_sheet(results)]


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
        f"The first process, which also compiles, took {results.start_up.first:.1f} s.",
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
