"""Plots as inline SVG: small, readable on a phone, in the page's own colours whether it is light or dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from .measuring import Figure

WIDTH = 360
LABEL = 118
"""The room for the names at the left."""

ROW = 24


class Bar(NamedTuple):
    """A named figure of a plot."""

    name: str
    figure: Figure


def svg(height: float, says: str, inside: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(says)}">'
        f"<title>{escape(says)}</title>{''.join(inside)}</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def clipped(name: str, room: float) -> str:
    """As much of a name as fits."""
    most = int(room / 6.1)
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def intervals(bars: Sequence[Bar], fair: float | None, written: Callable[[float], str], says: str) -> str:
    """A dot for each figure with a line for its interval, and one line through all for what would be fair."""
    lows = [bar.figure.low for bar in bars] + ([fair] if fair is not None else [])
    highs = [bar.figure.high for bar in bars] + ([fair] if fair is not None else [])
    low, high = min(lows), max(highs)
    pad = (high - low) * 0.06 or abs(high) * 0.06 or 1.0
    low, high = low - pad, high + pad
    left, right, top = LABEL + 6, WIDTH - 16, 8
    bottom = top + ROW * len(bars)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    parts = [line(left, bottom, right, bottom, "axis")]
    for tick in ticks(low, high, 4):
        parts += [line(x(tick), top, x(tick), bottom, "grid"), text(x(tick), bottom + 14, written(tick), "middle")]
    if fair is not None:
        parts.append(line(x(fair), top - 4, x(fair), bottom, "fair"))
    for row, bar in enumerate(bars):
        y = top + ROW * (row + 0.5)
        parts += [
            text(LABEL, y + 4, clipped(bar.name, LABEL), "end", "name"),
            line(x(bar.figure.low), y, x(bar.figure.high), y, "range"),
            f'<circle cx="{x(bar.figure.value):.1f}" cy="{y:.1f}" r="4.5" class="dot"/>',
        ]
    return svg(bottom + 22, says, parts)


def columns(heights: Sequence[tuple[str, float]], says: str, named: int = 8) -> str:
    """Columns side by side; some of their names stand below."""
    top, bottom, left, right = 8, 128, 8, WIDTH - 8
    most = max((height for _, height in heights), default=0) or 1
    wide = (right - left) / max(len(heights), 1)
    every = max(1, math.ceil(len(heights) / named))
    parts = [line(left, bottom, right, bottom, "axis")]
    for i, (name, height) in enumerate(heights):
        tall = height / most * (bottom - top)
        parts.append(
            f'<rect x="{left + i * wide + wide * 0.08:.1f}" y="{bottom - tall:.1f}" width="{wide * 0.84:.1f}" '
            f'height="{tall:.1f}" class="bar"/>'
        )
        if i % every == 0:
            parts.append(text(left + (i + 0.5) * wide, bottom + 15, name, "middle"))
    return svg(bottom + 22, says, parts)


def stacks(rows: Sequence[tuple[str, Sequence[float]]], says: str) -> str:
    """A bar for each row, cut into shares of the whole."""
    left, right, top = LABEL - 30, WIDTH - 8, 6
    parts = []
    for row, (name, shares) in enumerate(rows):
        y = top + row * 38
        parts.append(text(left - 6, y + 20, clipped(name, left - 6), "end", "name"))
        at = float(left)
        for i, share in enumerate(shares):
            wide = share * (right - left)
            parts.append(f'<rect x="{at:.1f}" y="{y}" width="{wide:.1f}" height="30" class="part{i}"/>')
            if share >= 0.09:
                parts.append(text(at + wide / 2, y + 20, f"{share:.0%}", "middle", f"on{i}"))
            at += wide
    return svg(top + 38 * len(rows), says, parts)


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers between two others."""
    raw = (high - low) / about
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * k for k in (1, 2, 2.5, 5, 10) if size * k >= raw)
    first = math.ceil(low / step)
    return [step * i for i in range(first, math.floor(high / step) + 1)]


def binned(values: Sequence[int], most: int = 24) -> list[tuple[str, float]]:
    """How often low to high values came, in at most so many columns, named by their lowest value."""
    low, high = min(values), max(values)
    size = max(1, math.ceil((high - low + 1) / most))
    counts = [0] * ((high - low) // size + 1)
    for value in values:
        counts[(value - low) // size] += 1
    return [(str(low + i * size).replace("-", "−"), n) for i, n in enumerate(counts)]
