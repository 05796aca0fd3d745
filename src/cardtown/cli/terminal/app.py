"""A game in the terminal: one person in seat 0, bots in the other seats."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import Screen
from textual.worker import Worker

from cardtown.bots import ask
from cardtown.bots.advice import advise
from cardtown.bots.levels import make_bot
from cardtown.bots.readiness import code_of
from cardtown.bots.thinking import Budget
from cardtown.core.chance import Secret
from cardtown.core.match import Match
from cardtown.core.record import commitment, write
from cardtown.core.table import Choice, text
from cardtown.core.words import Words

from ..choosing import Setup
from .aside import aside
from .drawing import Artist, theme_of
from .pages import Reading, hint_page, log_page, rules_page, score_page
from .screen import things_in_order
from .touching import Fingers
from .view import TableView

ME = 0
PAUSE = 0.3
"""Seconds between two lines of the log."""

MOMENT = 0.3
"""Who thinks for more seconds than this is said to."""

HINT = Budget(seconds=1)
"""How long a hint is thought about."""

THREADS = min(4, os.cpu_count() or 1)
"""How many a bot may think with."""

MOVES = {
    "left": (-1, False),
    "right": (1, False),
    "up": (-1, False),
    "down": (1, False),
    "tab": (1, True),
    "shift+tab": (-1, True),
}
"""How keys move the focus: the step, and whether over all things or over those that can be touched."""


@dataclass(frozen=True)
class Seating:
    """What is played, by whom and against whom. `bots` are those of the seats from 1 on."""

    setup: Setup
    name: str
    bots: Sequence[str]
    seed: int | None = None
    record: Path | None = None
    pause: float = PAUSE
    hint: Budget = HINT
    words: Words | None = None

    def names(self, places: int) -> list[str]:
        """The names of all places; a game names what plays by itself."""
        bots = [f"{name} {seat}" for seat, name in enumerate(self.bots, 1)]
        words = self.words or self.setup.game.words
        robots = [words.say(text("seat_itself", n=n), []) for n in range(1, places - len(bots))]
        return [self.name, *bots, *robots]

    def secret(self, number: int) -> bytes:
        """What game `number` is dealt from: the same seed deals the same games."""
        if self.seed is None:
            return secrets.token_bytes(32)
        return blake2b(f"{self.seed}/{number}".encode(), digest_size=32).digest()


class TableScreen(TableView):
    """A match being played."""

    def __init__(self, seating: Seating) -> None:
        super().__init__()
        self.seating = seating
        self.heading = seating.setup.game.title
        self.number = 0
        self.bot_seed = secrets.randbits(48) if seating.seed is None else seating.seed
        self.hurry = asyncio.Event()
        self.telling = False
        self.leaving = False
        self.thinking: str | None = None
        self.hinting: Worker[None] | None = None
        self.deal()

    def deal(self) -> None:
        """Start the next match."""
        self.number += 1
        self.secret = self.seating.secret(self.number)
        game, seats, options = self.seating.setup
        self.match = Match(game, seats, options, Secret(self.secret))
        self.artist = Artist(game, self.seating.names(self.match.state.places), self.seating.words)
        self.fingers = Fingers(())
        self.seen = self.match.table(ME)
        self.shown = 0

    def on_mount(self) -> None:
        self.go_on()

    # What happens

    def go_on(self) -> None:
        """Show the table as it is now; tell what is new, let the bots play, until it is up to the player."""
        self.drop_hint()
        self.fingers = Fingers(())
        self.look_again()
        self.run_worker(self.carry_on(), group="story", exclusive=True)

    async def carry_on(self) -> None:
        self.telling = True
        self.hurry.clear()
        while True:
            await self.tell()
            seat = next((seat for seat in self.match.acting if seat != ME), None)
            if seat is None:
                break
            self.match.choose(seat, await self.bot_choice(seat))
            self.look_again()
        self.telling = False
        if self.match.outcome:
            self.finish()

    async def tell(self) -> None:
        """Let the new lines of the log appear one by one, or all at once for who is in a hurry."""
        lines = len(self.match.lines(ME))
        while self.shown < lines:
            at_once = self.hurry.is_set() or not self.seating.pause
            self.shown = lines if at_once else self.shown + 1
            self.draw_log()
            if not at_once:
                # Not wait_for: it may swallow the cancelling of this worker when a key both skips and chooses.
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.seating.pause):
                        await self.hurry.wait()

    async def bot_choice(self, seat: int) -> int:
        """What a bot chooses, thought out beside the terminal's own work; a step done again brings the same."""
        game, s, seed = self.match.game, self.match.state.copy(), self.seed()
        bot = make_bot(self.seating.bots[seat - 1], game, seed, THREADS)
        later = asyncio.get_running_loop().call_later(MOMENT, self.say_who_thinks, seat)
        try:
            return await aside(lambda: ask(bot, game, s, seat, seed))
        finally:
            later.cancel()
            self.thinking = None

    def seed(self) -> int:
        """What a bot's luck is made of, another at each step."""
        return self.bot_seed + len(self.match.choices)

    def say_who_thinks(self, seat: int) -> None:
        self.thinking = self.artist.names[seat]
        self.redraw()

    def look_again(self) -> None:
        """The table has changed. What was touched stays touched if the player still chooses among the same."""
        self.seen = self.match.table(ME)
        if self.seen.choices != self.fingers.choices:
            self.fingers = Fingers(self.seen.choices)
            self.focus_first()
        self.redraw()

    def finish(self) -> None:
        """The match is over: keep its record, say who won and why."""
        file = self.seating.record
        if file:
            try:
                file.write_text(json.dumps(write(self.match, self.secret), indent=1), encoding="utf-8")
                self.notice = Text(f"The record is in {file}.")
            except OSError as error:
                self.notice = Text(f"The record was not written: {file}: {error.strerror}.")
        self.redraw()
        self.read_score()

    def log_lines(self) -> list[Text]:
        sealed = Text(f"Sealed deal: {commitment(self.secret)}", self.artist.paint.dim)
        return [sealed, *(self.artist.say(line.text) for line in self.match.lines(ME)[: self.shown])]

    def prompt_line(self) -> Text:
        """As ever, or who thinks, while there is nothing for the player to do but wait."""
        thinks = "Thinking …" if self.hinting else f"{self.thinking} is thinking …"
        if self.notice is None and (self.hinting or (self.thinking and ME not in self.seen.acting)):
            return Text(thinks, f"bold {self.artist.paint.accent}")
        return super().prompt_line()

    # What the player does

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        skips = self.telling and not self.hurry.is_set()
        self.hurry.set()
        self.notice = None
        leaving, self.leaving = self.leaving, False
        if event.key in MOVES:
            self.move_focus(*MOVES[event.key])
        elif event.key in ("enter", "space"):
            if self.focus_on and not skips:
                self.touch(self.focus_on)
        elif event.key in ("escape", "backspace"):
            self.let_go()
        elif event.character == "q":
            self.leave(leaving)
        elif event.character:
            self.command(event.character)
        self.redraw()

    def command(self, character: str) -> None:
        match character:
            case "?":
                self.read(rules_page(self.artist.words.help))
            case "s":
                self.read_score()
            case "l":
                self.read(log_page(self.log_lines()))
            case "h":
                self.hint()
            case "u":
                self.undo()
            case "n":
                self.new_game()
            case _:
                for thing, key in self.artist.touch.keys.items():
                    if key == character:
                        self.touch(thing)
                        return

    def on_click(self, event: events.Click) -> None:
        self.hurry.set()
        self.notice = None
        self.leaving = False
        thing = event.style.meta.get("thing")
        if thing is not None:
            self.touch(thing)
        self.redraw()

    def touch(self, thing: str) -> None:
        """Touch a thing: narrows the choices, makes one, or says why nothing comes of it."""
        if thing not in self.fingers.touchable():
            if thing not in self.fingers.beginnings():
                self.focus_on = thing
                self.refuse(thing)
                return
            self.fingers.taken = ()
        choice = self.fingers.touch(thing)
        if choice is None:
            self.focus_first()
            return
        self.match.choose(ME, choice.number)
        self.go_on()

    def refuse(self, thing: str) -> None:
        why = self.match.game.show.why_not(self.match.state, ME, thing)
        if why is not None:
            self.notice = Text("✗ ").append_text(self.artist.say(why.text)).append(f" ({why.clause})")
        elif self.fingers.taken:
            self.notice = Text("✗ That does not go together with what you touched; esc lets go of it.")
        else:
            self.notice = Text("✗ Nothing can be done with that now.")

    def let_go(self) -> None:
        """Untouch the last thing."""
        if self.fingers.taken:
            self.focus_on = self.fingers.taken[-1]
            self.fingers.taken = self.fingers.taken[:-1]

    def move_focus(self, step: int, over_all: bool) -> None:
        """Look at the next thing: of those that can be touched, or of all."""
        order = things_in_order(self.seen) if over_all else self.touchable_in_order()
        if self.focus_on in order:
            self.focus_on = order[(order.index(self.focus_on) + step) % len(order)]
        elif order:
            self.focus_on = order[0 if step > 0 else -1]

    def focus_first(self) -> None:
        self.focus_on = next(iter(self.touchable_in_order()), None)

    def undo(self) -> None:
        if self.match.last_choice_of(ME) is None:
            self.notice = Text("There is nothing to take back yet.")
            return
        self.match.undo(ME)
        self.shown = min(self.shown, len(self.match.lines(ME)))
        self.notice = Text("Taken back. Choose again.")
        self.go_on()

    def hint(self) -> None:
        """Have a bot think about the player's choices, from what the player knows."""
        if ME not in self.match.acting:
            self.notice = Text("There is nothing for you to choose now; a hint can be had when it is your turn.")
        elif len(self.seen.choices) == 1:
            self.notice = Text("There is only one choice: ").append_text(self.artist.say(self.seen.choices[0].label))
        elif not self.hinting:
            self.hinting = self.run_worker(self.give_hint(), group="hint")

    async def give_hint(self) -> None:
        game, s, budget, seed = self.match.game, self.match.state.copy(), self.seating.hint, self.seed()
        advice = await aside(lambda: advise(game, s, ME, budget, seed, THREADS))
        self.hinting = None
        self.redraw()
        best = advice.choices[0].choice
        self.app.push_screen(hint_page(self.artist, advice), lambda _: self.point_at(best))

    def drop_hint(self) -> None:
        """The table has moved on: what is being thought about is past."""
        if self.hinting:
            self.hinting.cancel()
            self.hinting = None

    def point_at(self, choice: Choice) -> None:
        """Let go of all, and look at what has to be touched first for a choice."""
        self.fingers.taken = ()
        if choice.path[0] in self.fingers.touchable():
            self.focus_on = choice.path[0]
        self.redraw()

    def new_game(self) -> None:
        if self.match.outcome:
            self.deal()
            self.go_on()
        else:
            self.notice = Text("A new game can start when this one is over; q quits it.")

    def leave(self, asked: bool) -> None:
        """Quit; ask once while a game is running."""
        if self.match.outcome or asked:
            self.app.exit()
            return
        self.leaving = True
        self.notice = Text("Quit this game? q again quits it, any other key goes on.")

    def read_score(self) -> None:
        self.read(score_page(self.artist, self.seen.sheet, self.seen.ending))

    def read(self, page: Reading) -> None:
        self.app.push_screen(page, self.closed)

    def closed(self, key: str | None) -> None:
        """A page was closed by a key; at the end of a game some keys go on at once."""
        if not self.match.outcome or not key:
            return
        if key == "q":
            self.leave(True)
        elif key in "nu":
            self.notice = None
            self.command(key)
            self.redraw()


class Terminal(App[None]):
    """What `cardtown play` runs."""

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, seating: Seating) -> None:
        super().__init__()
        self.seating = seating
        self.register_theme(theme_of(seating.setup.game))
        self.theme = seating.setup.game.id

    def on_ready(self) -> None:
        """The table is on the screen: now see to it that bots soon think with compiled code."""
        threading.Thread(target=code_of, args=(self.seating.setup.game,), daemon=True).start()

    def get_default_screen(self) -> Screen[None]:
        return TableScreen(self.seating)
