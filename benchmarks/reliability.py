"""The fault programme at full counts on both stores, and with every planted bug; writes the figures of
docs/reliability.md. `make soak faults` runs it."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from tests.soak import commit

from .besieged import PATIENCE
from .faults import CALM, STORES, Result, besiege, show
from .planted import BUGS, NONE

PAGE = Path(__file__).parent.parent / "docs" / "reliability.md"
CHAPTER = "## Figures"


class Planted(NamedTuple):
    """A bug, where it is planted, how it is looked for, and what it must be found by, if there is one."""

    bug: str
    store: str
    games: int
    faults: int
    sign: str
    patience: float = PATIENCE

    def is_told(self, result: Result) -> bool:
        """Does the result say what it should?"""
        return result.passed if self.bug == NONE else any(self.sign in finding for finding in result.found.faulty)


PLANTED = (
    Planted("early", "sqlite", 60, 30, ""),  # it shows in many ways
    Planted("early", "postgres", 60, 30, ""),
    Planted("disorder", "sqlite", 40, 0, "showed another said"),
    Planted("disorder", "postgres", 40, 0, "showed another said"),
    Planted("unsaid", "postgres", 40, 0, "had seen the same"),
    Planted("unasked", "postgres", 40, 0, "stands still", 20.0),
    Planted(NONE, "postgres", 40, 0, ""),
)


def main() -> int:
    console = Console()
    results = []
    for store in STORES:
        with console.status(store) as status:
            results.append(asyncio.run(besiege(store, tell=status.update, calm=CALM)))
        show(console, results[-1])
        tally(results[-1])
    found = []
    for bug, store, games, faults, _, patience in PLANTED:
        with console.status(f"{store}: {bug}"):
            found.append(asyncio.run(besiege(store, games, faults, bug=bug, patience=patience)))
        show(console, found[-1])
    write(results, found)
    is_told = all(planted.is_told(result) for planted, result in zip(PLANTED, found, strict=True))
    return 0 if is_told and all(result.passed for result in results) else 1


def tally(result: Result) -> None:
    """For the report of `make soak`."""
    file = os.environ.get("CARDTOWN_TALLY")
    if file:
        found = result.found
        counts = {"games": found.games.total(), "faults": found.faults.total(), **found.counted}
        with Path(file).open("a", encoding="utf-8") as out:
            out.writelines(f"{result.store}, {what}\t{n}\n" for what, n in counts.items())


def write(results: Sequence[Result], found: Sequence[Result]) -> None:
    """The last chapter of the page; what stands above it is left as it is."""
    lines = [
        PAGE.read_text(encoding="utf-8").partition(CHAPTER)[0] + CHAPTER,
        "",
        f"Written by `make soak faults`, at commit {commit()}. Machine: {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}; people, servers and PostgreSQL share it.",
        "",
        *figures(results),
        "",
        "Bugs that were planted in the servers:",
        "",
        "| planted | store | found |",
        "|---|---|---|",
        *(
            f"| {what(planted.bug)} | {planted.store} | {first(result)} |"
            for planted, result in zip(PLANTED, found, strict=True)
        ),
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")


def what(bug: str) -> str:
    """In words."""
    return "Nothing." if bug == NONE else " ".join((BUGS[bug].__doc__ or "").split())


def first(result: Result) -> str:
    """What showed it first."""
    return f"yes: {result.found.faulty[0]}" if result.found.faulty else "no: everything went on as it should"


def figures(results: Sequence[Result]) -> Iterator[str]:
    yield f"| | {' | '.join(result.store for result in results)} |"
    yield f"|---|{'---|' * len(results)}"
    for kind in ("games", "faults", "counted"):
        counters = [getattr(result.found, kind) for result in results]
        if kind != "counted":
            yield f"| **{kind}** | {' | '.join(f'**{counter.total():,}**' for counter in counters)} |"
        for what in dict.fromkeys(what for counter in counters for what in sorted(counter)):
            yield f"| {what} | {' | '.join(f'{counter[what]:,}' if what in counter else '' for counter in counters)} |"
    yield f"| seconds | {' | '.join(f'{result.seconds:,.0f}' for result in results)} |"
    yield f"| **found** | {' | '.join(f'**{len(result.found.faulty)}**' for result in results)} |"


if __name__ == "__main__":
    sys.exit(main())
