"""Decisions per second, or iterations of a search, of many subjects in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter
from typing import NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Subject(NamedTuple):
    """Whose speed is measured."""

    engine: str
    game: str
    way: str

    def __str__(self) -> str:
        return f"{self.engine} {self.game}, {self.way}"


Loop = Callable[[], int]
"""Plays some random games from the deal to the end, or searches; the number of decisions or iterations made."""

Loops = tuple[Loop, ...]
"""One per thread."""

Rates = dict[Subject, float]


def measure(subjects: Mapping[Subject, Loops], seconds: float, rounds: int) -> Rates:
    """The median rate of each; they take turns, so that whatever else the machine does slows all alike."""
    found: dict[Subject, list[float]] = {subject: [] for subject in subjects}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task("", total=(rounds + 1) * len(subjects))
        for number in range(rounds + 1):
            for subject, loops in subjects.items():
                if number == 0:
                    progress.update(task, description=f"Warming up: {subject}")
                    rate(loops, 0)
                else:
                    progress.update(task, description=f"Round {number} of {rounds}: {subject}")
                    found[subject].append(rate(loops, seconds))
                progress.advance(task)
    return {subject: median(rates) for subject, rates in found.items()}


def rate(loops: Loops, seconds: float) -> float:
    """What the loops count per second of wall time; what was begun is done to its end."""
    begun = perf_counter()

    def repeat(loop: Loop) -> int:
        done = loop()
        while perf_counter() - begun < seconds:
            done += loop()
        return done

    if len(loops) == 1:
        done = repeat(loops[0])
    else:
        with ThreadPoolExecutor(len(loops)) as pool:
            done = sum(pool.map(repeat, loops))
    return done / (perf_counter() - begun)
