"""A game that was played, watched step by step as one watcher saw it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import Screen

from cardtown.core.game import Game
from cardtown.core.table import Line, Table

from .drawing import Artist, theme_of
from .pages import log_page, rules_page, score_page
from .touching import Fingers
from .view import TableView

HINTS = "←→ step  home/end  s score  l log  ? rules  q quit"
STEPS = {"left": -1, "up": -1, "pageup": -10, "right": 1, "down": 1, "space": 1, "enter": 1, "pagedown": 10}


class Moment(NamedTuple):
    """What the watcher saw after a choice, and how much of the log was told by then."""

    table: Table
    told: int


class WatchScreen(TableView):
    """One moment of the game at a time."""

    def __init__(self, game: Game, names: Sequence[str], moments: Sequence[Moment], lines: Sequence[Line]) -> None:
        super().__init__()
        self.game = game
        self.heading = game.title
        self.artist = Artist(game, names)
        self.moments = moments
        self.lines = lines
        self.fingers = Fingers(())
        self.go(0)

    def go(self, number: int) -> None:
        """Show the table as it was at a moment."""
        self.number = min(max(number, 0), len(self.moments) - 1)
        self.seen = self.moments[self.number].table
        self.notice = Text(f"Step {self.number} of {len(self.moments) - 1}: ").append_text(
            self.artist.say(self.seen.prompt)
        )

    def hints(self) -> str:
        return HINTS

    def log_lines(self) -> list[Text]:
        told = self.lines[: self.moments[self.number].told]
        return [Text("The game so far", self.artist.paint.dim), *(self.artist.say(line.text) for line in told)]

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        last = len(self.moments) - 1
        match event.key:
            case "home":
                self.go(0)
            case "end":
                self.go(last)
            case "q" | "escape":
                self.app.exit()
            case "s":
                self.app.push_screen(score_page(self.artist, self.seen.sheet, self.seen.ending))
            case "l":
                self.app.push_screen(log_page(self.log_lines()))
            case "question_mark":
                self.app.push_screen(rules_page(self.game.words.help))
            case key if key in STEPS:
                self.go(self.number + STEPS[key])
        self.redraw()


class Watching(App[None]):
    """What `cardtown replay --game` runs in a terminal."""

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, game: Game, names: Sequence[str], moments: Sequence[Moment], lines: Sequence[Line]) -> None:
        super().__init__()
        self.watched = (game, names, moments, lines)
        self.register_theme(theme_of(game))
        self.theme = game.id

    def get_default_screen(self) -> Screen[None]:
        return WatchScreen(*self.watched)
