"""What is read over the table: rules, log, score sheet, hint, and how the game ended."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from cardtown.bots.advice import Advice, Advised, Expected
from cardtown.core.table import Ending, Sheet
from cardtown.core.words import CLAUSES

from .drawing import Artist

BAR = 13
"""The room of a chance that is certain."""

EIGHTHS = " ▏▎▍▌▋▊▉"


class Reading(ModalScreen[str]):
    """A page. It closes by a key and says by which."""

    DEFAULT_CSS = """
    Reading {
        align: center middle;
        #page { width: 96; max-width: 100%; height: 100%; border: round $primary; padding: 0 1; }
        #page { background: $background; }
        #heading { color: $primary; text-style: bold; height: 1; }
        #body { height: 1fr; }
        #body Markdown { height: auto; padding: 0; margin: 0; background: $background; }
        #body MarkdownBlock > .em { color: $secondary; text-style: italic; }
        #closing { color: $secondary; height: 1; }
    }
    """

    def __init__(self, title: str, shown: RenderableType | Markdown, keys: str = "", at_end: bool = False) -> None:
        super().__init__()
        self.heading = title
        self.shown = shown
        self.keys = keys
        self.at_end = at_end
        self.is_closing = False

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Static(self.heading, id="heading", markup=False)
            with VerticalScroll(id="body"):
                yield self.shown if isinstance(self.shown, Markdown) else Static(self.shown)
            yield Static(f"↑↓ scroll  esc back  {self.keys}", id="closing", markup=False)

    def on_mount(self) -> None:
        body = self.query_one("#body", VerticalScroll)
        body.focus()
        if self.at_end:
            self.call_after_refresh(body.scroll_end, animate=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "enter") or (event.character and event.character in "?hslqnu"):
            event.stop()
            if not self.is_closing:  # a second key may come before the first has closed it
                self.is_closing = True
                self.dismiss(event.character or event.key)


def rules_page(text: str) -> Reading:
    """The rules; the clauses that a paragraph tells are made quiet."""
    return Reading("Rules", Markdown(CLAUSES.sub(lambda found: f"*{found[1]}*", text)))


def log_page(lines: Sequence[Text]) -> Reading:
    return Reading("Log", Text("\n").join(lines), at_end=True)


def score_page(artist: Artist, sheet: Sheet, ending: Ending | None) -> Reading:
    """The score sheet; at the end also who won and why."""
    if ending is None:
        return Reading("Score", score_sheet(artist, sheet))
    page = Grid.grid(padding=(0, 0, 1, 0))
    page.add_row(artist.say(ending.reason))
    page.add_row("   ".join(f"{artist.names[place]} {number(points)}" for place, points in enumerate(ending.scores)))
    page.add_row(score_sheet(artist, sheet))
    return Reading(headline(ending.winners, artist.names), page, "n new game  u undo  q quit")


def headline(winners: Sequence[int], names: Sequence[str]) -> str:
    if not winners:
        return "Nobody wins"
    listed = " and ".join(names[place] for place in winners)
    return f"{listed} {'win' if len(winners) > 1 or listed == 'You' else 'wins'}"


def score_sheet(artist: Artist, sheet: Sheet) -> RenderableType:
    """All rows with their reasons, and the totals."""
    grid = Grid(box=box.SIMPLE_HEAD, show_footer=True, header_style="bold", footer_style="bold", pad_edge=False)
    grid.add_column("", "Total")
    for place, total in enumerate(sheet.totals):
        grid.add_column(artist.names[place], number(total), justify="right")
    grid.add_column("why")
    for row in sheet.rows:
        grid.add_row(artist.say(row.title), *map(number, row.points), artist.say(row.why) if row.why else Text())
    return grid


def number(points: int | None) -> str:
    return "·" if points is None else str(points).replace("-", "−")


def hint_page(artist: Artist, advice: Advice) -> Reading:
    """What a bot thinks of each choice, the best first, how it expects the game to go on, and how sure it is."""
    page: list[RenderableType] = [choices_weighed(artist, advice)]
    if len(advice.line) > 1 and advice.line[0] == Expected(0, advice.choices[0].choice):
        page += [expected_line(artist, advice.line), Text()]
    return Reading("Hint", Group(*page, Text(how_sure(advice), artist.paint.dim)))


def choices_weighed(artist: Artist, advice: Advice) -> RenderableType:
    """All choices with the chance to win, drawn and in numbers, and the points to expect."""
    grid = Grid(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column("", no_wrap=True, style=artist.paint.accent)
    grid.add_column("")
    grid.add_column("chance to win", no_wrap=True, min_width=BAR, style=artist.paint.accent)
    grid.add_column("", no_wrap=True, justify="right")
    grid.add_column("points", no_wrap=True, justify="right")
    labels = [artist.plain(advised.choice.label) for advised in advice.choices]
    repeated = {label for label, times in Counter(labels).items() if times > 1}
    for place, (advised, plain) in enumerate(zip(advice.choices, labels, strict=True)):
        label = artist.say(advised.choice.label)
        if plain in repeated:
            label.append(f" ({advised.choice.move})", artist.paint.dim)
        points = f"{advised.points:z.1f}".replace("-", "−")
        best = place == 0
        row = ("▶" if best else "", label, bar(advised.win), chance(advised), points)
        grid.add_row(*row, style="bold" if best else "")
    return grid


def bar(share: float) -> str:
    """A share as a bar."""
    full, rest = divmod(round(share * BAR * 8), 8)
    return ("█" * full + EIGHTHS[rest]).rstrip()


def chance(advised: Advised) -> str:
    """The chance to win, and how far from it the truth may lie."""
    reach = math.ceil(50 * (advised.high - advised.low))
    return f"{100 * advised.win:.0f} %" + (f" ±{reach:2}" if reach else "")


def expected_line(artist: Artist, line: Sequence[Expected]) -> Text:
    """What each seat is expected to do, one after another."""
    steps = []
    for seat, choice in line:
        name = artist.names[seat] if seat else "You"
        steps.append(Text.assemble((f"{name}: ", artist.paint.dim), artist.say(choice.label)))
    return Text("Expected: ", "bold").append_text(Text(" → ").join(steps))


def how_sure(advice: Advice) -> str:
    if not advice.is_exact:
        games = sum(advised.tries for advised in advice.choices)
        return f"{games:,} games were tried; the chance likely lies within its ±."
    worlds = advice.choices[0].tries
    if worlds == 1:
        return "This is certain: every way to the end was seen, nothing is left to chance."
    return f"This is certain: every way to the end was seen, however the hidden cards lie ({worlds} ways)."
