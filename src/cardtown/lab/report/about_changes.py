"""What the report says of other tables: variants of the game, and components that are not known for certain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from cardtown.core.game import Value

from . import drawing
from .comparing import MEASURES, Measure, Overview, Robust, overview, robustness
from .drawing import Bar
from .measuring import Figure, differs
from .pages import (
    Html,
    Section,
    figure,
    listed,
    paragraph,
    percent,
    plain,
    points,
    short,
    short_percent,
    short_points,
    table,
    with_range,
)
from .survey import Survey
from .variants import SEATS

EDGES = ("first", "last", "strength")
PLOTTED = ("length", "first", "skill")


def written(measure: Measure) -> Callable[[float], str]:
    if not measure.is_share:
        return plain
    return points if measure.name in EDGES else percent


def cell(measure: Measure, found: Figure, main: Figure, comparisons: int) -> Html:
    """A figure, marked where it differs from the main table's by more than chance explains."""
    shown = with_range(found, written(measure))
    if not differs(found, main, comparisons):
        return shown
    sign, said = ("▲", "higher") if found.value > main.value else ("▼", "lower")
    return Html(f'<b><span role="img" aria-label="{said}">{sign}</span> {shown}</b>')


def side_by_side(name: str, tables: Sequence[tuple[str, Overview]], main: Overview) -> str:
    """A row for each measure, a column for each table; ▲ and ▼ mark what differs from the main table."""
    measures = [measure for measure in MEASURES if any(tells(found[measure.name]) for _, found in tables)]
    comparisons = (len(tables) - 1) * len(measures)
    rows = [
        [each.says, *(cell(each, found[each.name], main[each.name], comparisons) for _, found in tables)]
        for each in measures
    ]
    return table(name, ["", *(label for label, _ in tables)], rows)


def tells(found: Figure) -> bool:
    """Is there anything but nothing to tell?"""
    return not math.isnan(found.value) and found.value != 0


def variants(survey: Survey, main: Overview) -> Section:
    request = survey.request
    names = list(dict.fromkeys(variant.name for variant, _ in survey.variants))
    parts = [
        paragraph(
            f"The same bots at other tables, {len_games(survey)} games each. ▲ and ▼ mark what differs from the table "
            "above by more than chance explains, all comparisons of a table taken together."
        )
    ]
    for name in names:
        found = [(variant, overview(group, request)) for variant, group in survey.variants if variant.name == name]
        here = survey.main.table.seats if name == SEATS else survey.main.table.options.get(name, "")
        values: list[tuple[Value, Overview]] = [(here, main), *((variant.value, each) for variant, each in found)]
        if all(isinstance(value, int) for value, _ in values):
            values.sort(key=lambda pair: int(pair[0]))
        tables = [(f"{name} {value}", each) for value, each in values]
        parts.append(f"<h3>{escape(name.capitalize())}</h3>")
        if name == SEATS:
            parts.append(paragraph("The first bot sits once at every table: with more seats it is one of more."))
        parts.append(side_by_side(f"Variants of {name}", tables, main))
        parts.append(plots(tables))
    if not names:
        parts = [paragraph("There is nothing to vary: one number of seats, and no options.")]
    return Section("variants", "Variants", parts)


def len_games(survey: Survey) -> str:
    sizes = {len(group.equals) for _, group in survey.variants}
    return " or ".join(f"{size:,} + {size:,}" for size in sorted(sizes))


def plots(rows: Sequence[tuple[str, Overview]]) -> str:
    """Length, the first seat's advantage and skill, side by side."""
    drawn = []
    for measure in MEASURES:
        bars = [Bar(label, found[measure.name]) for label, found in rows if not math.isnan(found[measure.name].value)]
        if measure.name in PLOTTED and len(bars) > 1:
            says = f"{measure.says}: " + ", ".join(f"{bar.name} {written(measure)(bar.figure.value)}" for bar in bars)
            fair = 0.0 if measure.name in EDGES else None
            ticks = short_points if measure.name in EDGES else short_percent if measure.is_share else short
            plot = drawing.intervals(bars, fair, ticks, f"{says}.")
            drawn.append(figure(plot, f"{measure.says}, 95 % intervals."))
    return f'<div class="trio">{"".join(drawn)}</div>'


def reconstructions(survey: Survey, main: Overview) -> tuple[Section, list[Robust]]:
    parts = []
    changed = [(f"{change.figure}: {change.how}", overview(group, survey.request)) for change, group in survey.changes]
    robust = robustness(main, changed)
    if survey.names:
        parts.append(
            paragraph(
                f"Only names or letters are reconstructed in {', '.join(survey.names)}: they change nothing in play."
            )
        )
    if survey.idle:
        parts.append(paragraph("These changes make no difference at this table, with these options:"))
        parts.append(listed(f"{change.figure}: {change.how}" for change in survey.idle))
    if not changed:
        lead = "So no" if parts else "No"
        parts.append(paragraph(f"{lead} figure of this report depends on a reconstruction."))
        return Section("reconstructions", "Reconstructed components", parts), robust
    parts.insert(
        0,
        paragraph(
            "Some printed figures are lost and were reconstructed. Each was changed a little, one at a time, and the "
            f"games were played again, {len(survey.changes[0][1].equals):,} among equals and about as many on "
            "duplicate deals for each change. A figure is robust if no change moves it by more than chance explains, "
            "all comparisons taken together; smaller effects than the table tells could not be seen."
        ),
    )
    rows = [
        [
            each.measure.says,
            with_range(each.figure, written(each.measure)),
            f"{written(each.measure)(each.lowest)} to {written(each.measure)(each.highest)}",
            written(each.measure)(each.seen_from).lstrip("+"),
            "robust" if each.holds else "depends",
            Html("<br/>".join(escape(name) for name in each.moved_by)) if each.moved_by else "–",
        ]
        for each in robust
    ]
    heads = ["figure", "as shipped", "with changes", "a change shows from", "verdict", "what moves it"]
    parts += [
        "<h3>What is robust to the reconstructions</h3>",
        table("What is robust to the reconstructions", heads, rows),
        "<h3>Change by change</h3>",
        side_by_side("Change by change", [("as shipped", main), *changed], main),
    ]
    return Section("reconstructions", "Reconstructed components", parts), robust
