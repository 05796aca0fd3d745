"""What is read over the table: rules, log, score sheet, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from cardtown.core.table import Ending, Sheet
from cardtown.core.words import CLAUSES

from .drawing import Artist


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
        if event.key in ("escape", "enter") or (event.character and event.character in "?slqnu"):
            event.stop()
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
    return f"{listed} {'wins' if len(winners) == 1 and listed != names[0] else 'win'}"


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
