"""The table on the terminal's screen: table, hand, buttons, prompt and log, each in its place."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from cardtown.core.table import Table

from .blocks import Block
from .drawing import Artist, Touch
from .screen import describe, draw_buttons, draw_hand, draw_table, things_in_order
from .touching import KEYS, Fingers

HINTS = "←→⏎ touch  esc back  tab look  h hint  u undo  s score  l log  ? rules  q quit"
HINTS_AT_THE_END = "n new game  s score  l log  u undo  ? rules  q quit"
WIDE = 110
"""From this width on the log stands at the right."""

LOG_WIDTH = 40


class TableView(Screen[None]):
    """Shows what it holds: a table, what of it is touched and looked at, a notice, and the log."""

    DEFAULT_CSS = """
    TableView {
        #bar, #hints { height: 1; padding: 0 1; }
        #middle { layout: vertical; height: 1fr; }
        #play { height: 1fr; }
        #scroll { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
        #hand, #buttons { height: auto; padding: 0 1; }
        #prompt { height: auto; min-height: 1; padding: 0 1; }
        #table, #lines { height: auto; }
        #log { border-top: solid $secondary; padding: 0 1; scrollbar-size-vertical: 0; }
        &.wide #middle { layout: horizontal; }
        &.wide #log { width: 40; border-top: none; border-left: solid $secondary; }
    }
    """

    heading: str
    artist: Artist
    seen: Table
    fingers: Fingers
    focus_on: str | None = None
    notice: Text | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="bar")
        with Container(id="middle"):
            with Vertical(id="play"):
                with VerticalScroll(id="scroll", can_focus=False):
                    yield Static(id="table")
                yield Static(id="hand")
                yield Static(id="buttons")
                yield Static(id="prompt")
            with VerticalScroll(id="log", can_focus=False):
                yield Static(id="lines")
        yield Static(id="hints")

    def on_resize(self) -> None:
        self.redraw()

    def log_lines(self) -> list[Text]:
        """The log so far; its first line is never wrapped."""
        raise NotImplementedError

    def hints(self) -> str:
        """Which keys do what."""
        return HINTS_AT_THE_END if self.seen.ending else HINTS

    @property
    def is_wide(self) -> bool:
        """Is there room for the log at the right?"""
        return self.size.width >= WIDE

    @property
    def log_height(self) -> int:
        """The lines that the log takes from the table, with the rule above it."""
        return 0 if self.is_wide else 5 + max(self.size.height - 26, 0) // 4

    def touchable_in_order(self) -> list[str]:
        touchable = self.fingers.touchable()
        return [thing for thing in things_in_order(self.seen) if thing in touchable]

    def redraw(self) -> None:
        if not self.is_mounted:
            return
        artist, table = self.artist, self.seen
        order = self.touchable_in_order()
        artist.touch = Touch(dict(zip(order, KEYS.ljust(len(order)), strict=False)), self.focus_on, self.fingers.taken)
        self.set_class(self.is_wide, "wide")
        width = self.size.width - (LOG_WIDTH if self.is_wide else 0) - 3  # the edges, and where a bar may stand
        hand = draw_hand(artist, table, width, large=self.size.height >= 34)
        buttons = draw_buttons(artist, table, width)
        prompt = self.prompt_line()
        used = 2 + hand.height + buttons.height + self.log_height + (1 if prompt.cell_len <= width else 2)
        drawn = draw_table(artist, table, width, self.size.height - used)
        self.show(
            "#bar", Text.assemble((self.heading, f"bold {artist.paint.accent}"), "  ", artist.say(table.progress))
        )
        self.show("#table", drawn.text())
        for selector, block in (("#hand", hand), ("#buttons", buttons)):
            self.show(selector, block.text())
            self.query_one(selector).display = block.height > 0
        self.show("#prompt", prompt)
        self.show("#hints", Text(self.hints(), artist.paint.dim))
        self.draw_log()
        self.keep_in_sight(drawn)

    def show(self, selector: str, text: Text) -> None:
        self.query_one(selector, Static).update(text)

    def prompt_line(self) -> Text:
        """A notice, or what is asked for, what was touched already, and what the thing in focus would do."""
        accent = f"bold {self.artist.paint.accent}"
        if self.notice is not None:
            notice = self.notice.copy()
            notice.stylize_before(accent)
            return notice
        line = self.artist.say(self.seen.prompt)
        line.stylize_before("bold")
        for thing in self.fingers.taken:
            line.append(f" › {describe(self.artist, self.seen, thing)}")
        if self.focus_on:
            line.append("  ▸ ", accent).append_text(self.focus_label(self.focus_on))
        return line

    def focus_label(self, thing: str) -> Text:
        left = self.fingers.would_be(thing)
        if len(left) == 1:
            return self.artist.say(left[0].label)
        return Text(describe(self.artist, self.seen, thing) + (" …" if left else ""))

    def draw_log(self) -> None:
        log = self.query_one("#log", VerticalScroll)
        log.styles.height = self.log_height or "1fr"
        lines = self.log_lines()
        lines[0].truncate(LOG_WIDTH - 4 if self.is_wide else self.size.width - 2, overflow="ellipsis")
        self.show("#lines", Text("\n").join(lines))
        self.call_after_refresh(log.scroll_end, animate=False)

    def keep_in_sight(self, drawn: Block) -> None:
        """Scroll a table that is larger than its room to what is in focus."""
        row = drawn.row_of(self.focus_on)
        if row is not None:
            scroll = self.query_one("#scroll", VerticalScroll)
            if not scroll.scroll_y <= row < scroll.scroll_y + scroll.size.height:
                scroll.scroll_to(y=max(row - 2, 0), animate=False)
