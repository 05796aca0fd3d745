"""The terminal game, played as people play it: keys and clicks, on a small terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from cardtown.bots import ask, thinking
from cardtown.bots.advice import Advice, advise
from cardtown.bots.readiness import Code
from cardtown.bots.search import exact, tree
from cardtown.bots.thinking import Budget
from cardtown.cli.choosing import setup
from cardtown.cli.play import other_bots, writable
from cardtown.cli.terminal import app as terminal
from cardtown.cli.terminal.app import Seating, TableScreen, Terminal
from cardtown.cli.terminal.pages import Reading
from cardtown.cli.terminal.touching import KEYS, Fingers
from cardtown.cli.terminal.view import HINTS, HINTS_AT_THE_END
from cardtown.core import record
from cardtown.core.game import Game, GameError
from cardtown.core.record import commitment, verify
from cardtown.core.table import Choice, text
from cardtown.games import games

CARDTOWN = str(Path(sys.executable).parent / "cardtown")
SMALL = (80, 24)
BRIEFLY = Budget(iterations=200)


@cache
def plain_code(game: Game) -> Code:
    return Code(game.plain(tree), game.plain(exact), is_compiled=False)


@pytest.fixture(autouse=True)
def _thinking_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing compiled: these tests think too little for it."""
    for module in (thinking, terminal):
        monkeypatch.setattr(module, "code_of", plain_code)


class Played(NamedTuple):
    """A terminal game under way."""

    app: Terminal
    pilot: Pilot[None]
    table: TableScreen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what the terminal draws a moment later."""
        for _ in range(500):
            if holds():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"the screen never showed it:\n{screen_text(self.app)}")

    def text(self, selector: str) -> str:
        return str(self.table.query_one(selector, Static).render())

    def page(self) -> str:
        """What is to be read over the table."""
        assert isinstance(self.app.screen, Reading)
        return screen_text(self.app)

    async def hasten_to_the_end(self) -> None:
        """Let the match play on by itself."""
        match = self.table.match
        while match.acting:
            match.choose(match.acting[0], match.legal(match.acting[0])[0])
        self.table.go_on()
        await self.settle()


def screen_text(app: Terminal) -> str:
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)


@asynccontextmanager
async def playing(size: tuple[int, int] = SMALL, **more: Any) -> AsyncIterator[Played]:
    chosen = setup("hollywood", None, (), None)
    app = Terminal(Seating(chosen, "Ann", ["random"], **{"seed": 7, "pause": 0, "hint": BRIEFLY, **more}))
    async with app.run_test(size=size) as pilot:
        assert isinstance(app.screen, TableScreen)
        played = Played(app, pilot, app.screen)
        await played.settle()
        yield played


def where(app: Terminal, thing: str) -> tuple[int, int]:
    """A place on the screen where a thing is drawn."""
    for y in range(app.size.height):
        for x in range(app.size.width):
            if app.screen.get_style_at(x, y).meta.get("thing") == thing:
                return x, y
    raise AssertionError(f"{thing} is not on the screen")


async def test_a_game_is_played_in_japanese() -> None:
    async with playing(words=setup("hollywood", None, (), None).game.words_in("ja")) as played:
        shown = screen_text(played.app)
        assert "手札" in shown
        assert "ラウンド1/3" in shown
        await played.pilot.press("question_mark")
        await played.settle()
        assert "準備" in screen_text(played.app)


async def test_a_whole_game_is_played_by_keyboard_explained_at_the_end_and_its_record_verifies(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    async with playing(record=file) as played:
        for _ in range(200):
            if isinstance(played.app.screen, Reading):
                break
            await played.press("1")
        await played.until(lambda: "n new game" in played.page())
        page = played.page()
        assert "random 1 wins: the pawn reached the far end of the carpet, 4 spaces out." in page
        assert "Round 1 · coquettish" in page
        assert "(5 of 7): 1 fame" in page
        await played.press("escape")
        assert "The record is in" in played.text("#prompt")
    match = verify(record.read(file), games())
    assert match.outcome == played.table.match.outcome
    assert json.loads(file.read_text())["commitment"] == commitment(played.table.secret)


async def test_after_the_end_n_starts_another_game() -> None:
    async with playing() as played:
        await played.hasten_to_the_end()
        secret = played.table.secret
        await played.press("n")
        assert played.app.screen is played.table
        assert played.table.match.outcome is None
        assert played.table.secret != secret
        assert len(played.table.match.log) <= 1


async def test_after_the_end_u_takes_the_last_choice_back() -> None:
    async with playing() as played:
        await played.hasten_to_the_end()
        await played.press("u")
        assert played.table.match.acting == (0,)


async def test_after_the_end_q_quits_unasked() -> None:
    async with playing() as played:
        await played.hasten_to_the_end()
        await played.press("q")
        assert not played.app.is_running


async def test_a_record_that_cannot_be_written_any_more_is_told(tmp_path: Path) -> None:
    async with playing(record=tmp_path / "gone" / "game.json") as played:
        await played.hasten_to_the_end()
        await played.press("escape")
        assert "The record was not written" in played.text("#prompt")


async def test_arrows_move_over_what_can_be_played_and_enter_plays_it() -> None:
    async with playing() as played:
        hand = [choice.path[0] for choice in played.table.seen.choices]
        assert played.table.focus_on == hand[0]
        await played.press("right")
        assert played.table.focus_on == hand[1]
        assert "Play" in played.text("#prompt")
        await played.press("enter")
        assert played.table.match.log[1] == {"seat": 0, "move": f"play {hand[1]}"}


async def test_undo_restores_the_exact_state_and_the_same_chance_follows() -> None:
    async with playing() as played:
        await played.press("u")
        assert "nothing to take back" in played.text("#prompt")
        before = played.table.match.state.packed()
        lines = played.text("#lines")
        await played.press("1")
        after = played.table.match.state.packed()
        assert after != before
        await played.press("u")
        assert played.table.match.state.packed() == before
        assert played.text("#lines") == lines
        assert "Taken back" in played.text("#prompt")
        await played.press("1")
        assert played.table.match.state.packed() == after


async def test_a_card_that_cannot_be_played_says_which_rule_forbids_it() -> None:
    async with playing() as played:
        await played.press("1")
        assert [choice.move for choice in played.table.seen.choices] == ["play C6"]
        log = len(played.table.match.log)
        await played.pilot.click(offset=where(played.app, "S4"))
        await played.settle()
        assert played.text("#prompt") == "✗ You must follow coquettish: you hold ♥C6. (HOL-06)"
        await played.pilot.click(offset=where(played.app, "hand1.0"))
        await played.settle()
        assert "(HOL-20)" in played.text("#prompt")
        assert len(played.table.match.log) == log


async def test_tab_looks_at_everything_and_enter_asks_about_it() -> None:
    async with playing() as played:
        for _ in range(40):
            await played.press("tab")
            if played.table.focus_on == "pawn":
                break
        assert "right: pawn" in played.text("#prompt")
        await played.press("enter")
        assert "(HOL-15)" in played.text("#prompt")


async def test_a_click_on_a_card_plays_it() -> None:
    async with playing() as played:
        await played.pilot.click(offset=where(played.app, "H6"))
        await played.settle()
        assert {"seat": 0, "move": "play H6"} in played.table.match.log


async def test_the_rules_can_be_read_and_left_again() -> None:
    async with playing() as played:
        before = [played.text(part) for part in ("#table", "#hand", "#prompt", "#lines")]
        await played.press("?")
        await played.until(lambda: "Getting ready" in played.page() and "HOL-01" in played.page())
        assert "{HOL" not in played.page()
        await played.press("escape")
        assert played.app.screen is played.table
        assert [played.text(part) for part in ("#table", "#hand", "#prompt", "#lines")] == before


async def test_a_page_that_two_keys_close_at_once_is_closed_once() -> None:
    async with playing() as played:
        await played.press("l")
        page = played.app.screen
        for _ in range(3):
            page.post_message(events.Key("enter", "\r"))
        await played.settle()
        assert played.app.screen is played.table


async def test_log_and_score_can_be_read_at_any_time() -> None:
    async with playing() as played:
        await played.press("l")
        await played.until(lambda: commitment(played.table.secret) in played.page())
        assert "You are dealt ◉S1" in played.page()
        await played.press("escape", "s")
        await played.until(lambda: "Total" in played.page())


async def test_the_commitment_is_the_first_line_of_the_log() -> None:
    async with playing() as played:
        assert played.text("#lines").splitlines()[0] == f"Sealed deal: {commitment(played.table.secret)}"


async def test_quitting_a_running_game_is_asked_once() -> None:
    async with playing() as played:
        await played.press("q")
        assert "Quit this game?" in played.text("#prompt")
        await played.press("right", "q")
        assert played.app.is_running
        await played.press("q")
        assert not played.app.is_running


@pytest.mark.parametrize("size", [SMALL, (120, 40), (60, 18)])
async def test_hand_and_prompt_are_always_in_sight(size: tuple[int, int]) -> None:
    async with playing(size) as played:
        for _ in range(3):
            for choice in played.table.seen.choices:
                where(played.app, choice.path[0])
            assert "▸" in screen_text(played.app)
            await played.press("1")


async def test_lines_appear_one_by_one_and_a_key_skips_the_waiting() -> None:
    chosen = setup("hollywood", None, (), None)
    app = Terminal(Seating(chosen, "Ann", ["random"], seed=7, pause=60))
    async with app.run_test(size=SMALL) as pilot:
        table = app.screen
        assert isinstance(table, TableScreen)
        await pilot.pause()
        assert table.shown == 1
        await pilot.press("enter")  # skips, and touches nothing
        await app.workers.wait_for_complete()
        assert table.shown == len(table.match.lines(0))
        assert [row["seat"] for row in table.match.log] == [1]
        await pilot.press("1")
        await pilot.press("1")  # skips and plays at once: the bot answers once, not twice
        await pilot.press("x")
        await app.workers.wait_for_complete()
        assert table.match.acting == (0,)


async def test_the_same_seed_deals_the_same_game() -> None:
    async with playing() as one, playing() as other:
        assert one.table.match.state.packed() == other.table.match.state.packed()
    async with playing(seed=None) as one, playing(seed=None) as other:
        assert one.table.secret != other.table.secret


@pytest.mark.parametrize("hints", [HINTS, HINTS_AT_THE_END])
def test_the_keys_are_told_in_one_line_of_a_small_terminal(hints: str) -> None:
    assert len(hints) <= SMALL[0] - 2


def test_no_thing_is_given_the_key_of_a_command() -> None:
    commands = {key for key in f"{HINTS}  {HINTS_AT_THE_END}".split() if len(key) == 1}
    assert {"h", "u", "s", "l", "?", "q", "n"} <= commands
    assert not commands & set(KEYS)


async def test_a_hint_names_the_best_choice_and_leaves_the_focus_on_it() -> None:
    async with playing() as played:
        await played.press("h")
        await played.until(lambda: "games were tried" in played.page())
        listed = [line for line in played.page().splitlines() if "%" in line]
        assert len(listed) == len(played.table.seen.choices)
        assert [line for line in listed if "▶" in line] == listed[:1]
        best = next(choice for choice in played.table.seen.choices if f"{choice.path[0]} " in listed[0])
        await played.press("escape")
        assert played.app.screen is played.table
        assert played.table.focus_on == best.path[0]
        assert "Thinking" not in played.text("#prompt")


async def test_after_a_hint_what_was_touched_before_is_let_go() -> None:
    async with playing() as played:
        table = played.table
        first, other = table.seen.choices[:2]
        table.fingers.taken = (first.path[0],)
        table.point_at(other)
        assert not table.fingers.taken
        assert table.focus_on == other.path[0]


class Slow:
    """Thinking that ends when it is told to."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self.work = work
        self.begun = 0
        self.may_end = threading.Event()

    def __call__(self, *args: Any) -> Any:
        self.begun += 1
        self.may_end.wait()
        return self.work(*args)


async def test_only_one_hint_is_thought_about_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as played:
        slow = Slow(advise)
        monkeypatch.setattr(terminal, "advise", slow)
        await played.pilot.press("h")
        assert played.text("#prompt") == "Thinking …"
        await played.pilot.press("h")
        slow.may_end.set()
        await played.settle()
        assert slow.begun == 1
        await played.press("escape")
        assert played.app.screen is played.table


@pytest.mark.parametrize("key", ["1", "u"])
async def test_a_hint_is_dropped_when_the_table_has_moved_on(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    async with playing() as played:
        while len(played.table.seen.choices) == 1 or played.table.match.last_choice_of(0) is None:
            await played.press("1")
        slow = Slow(advise)
        monkeypatch.setattr(terminal, "advise", slow)
        await played.pilot.press("h")
        assert played.table.hinting
        await played.pilot.press(key)
        assert not played.table.hinting
        slow.may_end.set()
        await played.settle()
        assert played.app.screen is played.table
        assert "Thinking" not in played.text("#prompt")


async def test_a_hint_is_not_needed_for_the_only_choice() -> None:
    async with playing() as played:
        await played.press("1")
        await played.press("h")
        assert played.app.screen is played.table
        assert played.text("#prompt") == "There is only one choice: Play ♥C6"


async def test_there_is_no_hint_for_who_has_nothing_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as played:
        slow = Slow(ask)
        monkeypatch.setattr(terminal, "ask", slow)
        await played.pilot.press("1")
        await played.pilot.press("h")
        assert "when it is your turn" in played.text("#prompt")
        slow.may_end.set()
        await played.settle()
        await played.hasten_to_the_end()
        await played.press("escape", "h")
        assert played.app.screen is played.table
        assert "when it is your turn" in played.text("#prompt")


async def test_a_bot_that_thinks_longer_than_a_moment_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as played:
        slow = Slow(ask)
        monkeypatch.setattr(terminal, "ask", slow)
        await played.pilot.press("1")
        await played.until(lambda: played.text("#prompt") == "random 1 is thinking …")
        await played.pilot.press("x")
        assert played.text("#prompt") == "random 1 is thinking …"
        slow.may_end.set()
        await played.settle()
        assert "is thinking" not in played.text("#prompt")


def seatings() -> list[tuple[str, int]]:
    """Every game with as few and as many as can play."""
    return [(game.id, seats) for game in games().values() for seats in sorted({game.seats[0], game.seats[-1]})]


@pytest.mark.parametrize(("name", "seats"), seatings())
async def test_every_game_can_be_played_on_a_small_terminal(name: str, seats: int) -> None:
    dice = Random(1)
    app = Terminal(Seating(setup(name, seats, (), None), "Ann", ["random"] * (seats - 1), seed=1, pause=0))
    async with app.run_test(size=SMALL) as pilot:
        table = app.screen
        assert isinstance(table, TableScreen)
        for _ in range(25):
            await app.workers.wait_for_complete()
            if table.match.outcome:
                return
            keys = table.artist.touch.keys
            assert keys, "the player must choose, and there is nothing to touch"
            assert "▸" in str(table.query_one("#prompt", Static).render())
            await pilot.press(dice.choice([key for key in keys.values() if key != " "]))
        assert table.match.last_choice_of(0) is not None


@pytest.mark.parametrize("name", list(games()))
async def test_every_game_gives_hints_on_a_small_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def remembered(*args: Any) -> Advice:
        given.append(advise(*args))
        return given[-1]

    monkeypatch.setattr(terminal, "advise", remembered)
    chosen = setup(name, None, (), None)
    bots = ["random"] * (chosen.choosing - 1)
    app = Terminal(Seating(chosen, "Ann", bots, seed=1, pause=0, hint=BRIEFLY))
    async with app.run_test(size=SMALL) as pilot:
        table = app.screen
        assert isinstance(table, TableScreen)
        played = Played(app, pilot, table)
        await played.settle()
        while len(table.seen.choices) == 1:
            table.match.choose(0, table.seen.choices[0].number)
            table.go_on()
            await played.settle()
        await played.press("h")
        await played.until(lambda: "▶" in played.page())
        best, *others = (advised.choice for advised in given[0].choices)
        assert {choice.move for choice in (best, *others)} == {choice.move for choice in table.seen.choices}
        marked = next(line for line in played.page().splitlines() if "▶" in line)
        assert table.artist.say(best.label).plain in marked
        await played.press("h")
        assert isinstance(app.screen, TableScreen)
        assert table.focus_on == best.path[0]


def choices(*paths: tuple[str, ...]) -> list[Choice]:
    return [Choice(number, path, text("prompt_over"), "-".join(path)) for number, path in enumerate(paths)]


def test_touching_narrows_the_choices_until_one_is_left() -> None:
    fingers = Fingers(choices(("G1", "crush"), ("G1", "grip"), ("B2", "grip"), ("draw",)))
    assert fingers.touchable() == {"G1", "B2", "draw"}
    assert fingers.touch("G1") is None
    assert fingers.touchable() == {"crush", "grip"}
    made = fingers.touch("grip")
    assert made is not None
    assert made.number == 1


def test_one_choice_left_is_not_made_before_its_whole_path_was_touched() -> None:
    fingers = Fingers(choices(("B2", "grip"), ("draw",)))
    assert fingers.touch("B2") is None
    assert fingers.touch("grip") is not None


def test_a_path_that_others_go_on_from_ends_with_a_second_touch() -> None:
    fingers = Fingers(choices(("G1",), ("G1", "grip")))
    assert fingers.touch("G1") is None
    assert fingers.touchable() == {"G1", "grip"}
    made = fingers.touch("G1")
    assert made is not None
    assert made.number == 0


async def test_another_card_can_be_touched_instead() -> None:
    async with playing() as played:
        table = played.table
        first, other = (choice.path[0] for choice in table.seen.choices[:2])
        table.fingers = Fingers(choices((first, "deck"), (first, "suits"), (other, "deck")))
        table.touch(first)
        assert table.fingers.touchable() == {"deck", "suits"}
        table.touch(other)
        assert table.fingers.taken == (other,)
        await played.press("escape")
        assert not table.fingers.taken
        assert table.focus_on == other


def test_bots_are_named_once_for_all_or_once_for_each_other_seat() -> None:
    assert other_bots("wander", 4) == ["wander"] * 3
    assert other_bots("random,wander,random", 4) == ["random", "wander", "random"]
    assert other_bots("random", 1) == []
    with pytest.raises(GameError, match=r"names 4 bots, but you sit in seat 0 of 4.*give one name, or 3"):
        other_bots("random,random,random,random", 4)


def test_a_record_leaves_the_file_alone_until_the_end(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text("old")
    assert writable(file).read_text() == "old"
    assert not writable(tmp_path / "new.json").exists()


def cardtown(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CARDTOWN, "play", *args], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["hollywood"], "needs a terminal"),
        (["nowhere"], "there is no game 'nowhere'"),
        (["hollywood", "--seats", "3"], "can't be played by 3"),
        (["hollywood", "--bots", "genius"], "there is no bot 'genius'"),
        (["hollywood", "--bots", "random,random"], "give one name"),
        (["hollywood", "--option", "carpet=9"], "carpet"),
        (["hollywood", "--record", "/nowhere/at/all"], "can't be written"),
        (["hollywood", "--seed", "x"], "x"),
    ],
)
def test_wrong_input_is_answered_in_one_line_with_exit_code_2(args: list[str], said: str) -> None:
    done = cardtown(*args)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_only_thinking_needs_compiled_code() -> None:
    program = (
        "import asyncio, sys\n"
        "from cardtown.cli.choosing import setup\n"
        "from cardtown.cli.terminal import app as terminal\n"
        "from cardtown.cli.terminal.app import Seating, Terminal\n"
        "import cardtown.cli.play\n"
        "asked = []\n"
        "terminal.code_of = asked.append\n"
        "async def main():\n"
        "    app = Terminal(Seating(setup('hollywood', None, (), None), 'Ann', ['random'], seed=1, pause=0))\n"
        "    async with app.run_test() as pilot:\n"
        "        for _ in range(5):\n"
        "            await pilot.press('1')\n"
        "            await app.workers.wait_for_complete()\n"
        "asyncio.run(main())\n"
        "assert [game.id for game in asked] == ['hollywood']\n"
        "assert 'numba' not in sys.modules and 'llvmlite' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_nothing_that_goes_on_beside_it_keeps_the_terminal_from_closing() -> None:
    program = (
        "import asyncio, threading\n"
        "from cardtown.bots import readiness\n"
        "from cardtown.cli.choosing import setup\n"
        "from cardtown.cli.terminal import app as terminal\n"
        "from cardtown.cli.terminal.app import Seating, Terminal\n"
        "begun = threading.Semaphore(0)\n"
        "def endless(*_):\n"
        "    begun.release()\n"
        "    threading.Event().wait()\n"
        "readiness.is_compiled = lambda game: False\n"
        "readiness.compile_apart = endless\n"
        "terminal.ask = endless\n"
        "async def main():\n"
        "    app = Terminal(Seating(setup('hollywood', None, (), None), 'Ann', ['medium'], seed=7, pause=0))\n"
        "    async with app.run_test() as pilot:\n"
        "        for _ in range(2):\n"
        "            await asyncio.to_thread(begun.acquire)\n"
        "        await pilot.press('q', 'q')\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_on_a_terminal_the_game_starts_and_quits() -> None:
    master, slave = pty.openpty()
    game = subprocess.Popen([CARDTOWN, "play", "hollywood"], stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while b"Hollywood Sensation" not in shown:
        shown += os.read(master, 65536)
    os.write(master, b"q")
    while b"Quit this game?" not in shown:
        shown += os.read(master, 65536)
    os.write(master, b"q")
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        pass  # the terminal is gone with the game
    assert game.wait(10) == 0
    os.close(master)
