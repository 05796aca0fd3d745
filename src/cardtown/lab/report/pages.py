"""The report as one HTML page that needs nothing else: it can be mailed, kept, and read on a phone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from .measuring import Figure

NOTHING = "–"
PERCENT = "\N{NO-BREAK SPACE}%"


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


Cell = str | Html
Written = Callable[[float], str]


class Section(NamedTuple):
    """A part of the page."""

    id: str
    title: str
    inside: Sequence[str]


def page(title: str, lead: Iterable[str], sections: Sequence[Section], foot: str) -> str:
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    links = "".join(f'<li><a href="#{part.id}">{escape(part.title)}</a></li>' for part in sections)
    body = "\n".join(
        f'<section id="{part.id}" aria-labelledby="{part.id}-title">'
        f'<h2 id="{part.id}-title">{escape(part.title)}</h2>\n{chr(10).join(part.inside)}\n</section>'
        for part in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{chr(10).join(lead)}
<nav aria-label="Parts of this report"><ul>{links}</ul></nav>
{body}
<footer>{foot}</footer>
</main>
</body>
</html>
"""


def markup(cell: Cell) -> str:
    return cell if isinstance(cell, Html) else escape(cell)


def paragraph(words: Cell, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<p{named}>{markup(words)}</p>"


def listed(items: Iterable[Cell]) -> str:
    return f"<ul>{''.join(f'<li>{markup(item)}</li>' for item in items)}</ul>"


def table(name: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table whose first column names the rows. It scrolls by itself where it is wider than the page."""
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = "".join(
        f'<tr><th scope="row">{markup(row[0])}</th>{"".join(f"<td>{markup(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(name)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def figure(plot: str, caption: str) -> str:
    return f"<figure>{plot}<figcaption>{escape(caption)}</figcaption></figure>"


def pair(left: str, right: str) -> str:
    """Side by side where there is room."""
    return f'<div class="pair"><div>{left}</div><div>{right}</div></div>'


def folded(summary: str, inside: str) -> str:
    """What can be unfolded."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def span(low: float, high: float) -> str:
    """From one figure to another, never on two lines."""
    return f"{short(low)} – {short(high)}".replace(" ", "\N{NO-BREAK SPACE}")


def rounded(value: float) -> float:
    """To one decimal; never less than nothing by less than that."""
    return round(value, 1) + 0.0


def signed(words: str) -> str:
    return words.replace("-", "−")


def percent(value: float) -> str:
    return NOTHING if math.isnan(value) else signed(f"{rounded(100 * value):.1f}{PERCENT}")


def points(value: float) -> str:
    """A difference of two shares, in percentage points."""
    return NOTHING if math.isnan(value) else signed(f"{rounded(100 * value):+.1f}")


def plain(value: float) -> str:
    if math.isnan(value):
        return NOTHING
    return signed(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}")


def short(value: float) -> str:
    """A figure under a plot."""
    return signed(f"{value:g}")


def short_percent(value: float) -> str:
    return signed(f"{round(100 * value, 2):g}{PERCENT}")


def short_points(value: float) -> str:
    return short(round(100 * value, 2))


def with_range(found: Figure, written: Written = percent) -> Html:
    """A figure and, softly, its interval."""
    if math.isnan(found.value):
        return Html(NOTHING)
    low, high = (written(end).removesuffix(PERCENT) for end in (found.low, found.high))
    return Html(f'{written(found.value)} <span class="range">({low} to {high})</span>')


def tinted(cell: Html, direction: int) -> Html:
    """A figure that clearly lies above or below what would be fair: told by a sign too, not by colour alone."""
    if direction == 0:
        return cell
    sign, kind = ("▲", "up") if direction > 0 else ("▼", "down")
    said = "above" if direction > 0 else "below"
    return Html(f'<span class="{kind}" role="img" aria-label="{said}">{sign}</span> {cell}')
