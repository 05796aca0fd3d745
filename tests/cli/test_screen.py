"""The table's whole vocabulary can be drawn, in any room, and everything drawn can be touched."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console
from rich.style import Style

from cardtown.bots.advice import Advice, Advised, Expected
from cardtown.cli.terminal.blocks import Block
from cardtown.cli.terminal.drawing import Artist, Touch
from cardtown.cli.terminal.pages import BAR, Reading, bar, headline, hint_page
from cardtown.cli.terminal.screen import describe, draw_buttons, draw_hand, draw_table, things_in_order
from cardtown.core.game import Game
from cardtown.core.table import (
    Button,
    Card,
    Cell,
    Choice,
    Face,
    FaceName,
    Row,
    SeatName,
    Sheet,
    Table,
    Text,
    Token,
    Zone,
    backs,
    text,
)

NAMES = ["You", "random 1", "random 2", "random 3"]
SUITS = "RBY"
LOOK: dict[str, Any] = {
    "theme": {"felt": "#f3ead8", "paper": "#fffdf5", "ink": "#1d2a4a", "accents": ["#d8412f"]},
    "suit": {s: {"letter": s, "glyph": g, "colour": "#a01020"} for s, g in zip(SUITS, "♦≈◊", strict=True)},
    "token": {"r": {"glyph": "■", "colour": "#a01020"}, "b": {"glyph": "■", "colour": "#1030a0"}},
}


def said(message: Text, names: list[str]) -> str:
    """Words as they would be in a file: the key, then the arguments."""
    found = [names[a.seat] if isinstance(a, SeatName) else getattr(a, "face", a) for a in message.args.values()]
    return " ".join([message.key, *map(str, found)])


FACES = {f"{s}{n}": Face(str(n), s, text("card", suit=s, n=n), {"shields": n % 3}) for s in SUITS for n in range(1, 14)}
FACES["hero"] = Face("hero", None, text("hero"))
GAME = cast(
    Game, SimpleNamespace(look=LOOK, show=SimpleNamespace(faces=lambda: FACES), words=SimpleNamespace(say=said))
)


def card(face: str, **more: Any) -> Card:
    return Card(face, face, **more)


def a_table() -> Table:
    """Every kind of zone and thing, four seats, a board of twelve areas."""
    cells = tuple(Cell(f"area{i}", text("area", n=i + 1), SUITS[i % 3]) for i in range(12))
    cubes = [Token(f"cube{i}", "cube", "rb"[i % 2], count=1 + i % 2, at=i) for i in range(12)]
    markers = [Token(f"marker{i}", "marker", "b", owner=i, at=5) for i in range(4)]
    zones = [
        Zone("areas", "board", text("areas"), things=(*cubes, *markers), cells=cells, columns=4),
        Zone("bonus", "pile", text("bonus"), things=(card("R1"),), count=1),
        Zone("deck", "pile", text("deck"), count=3),
        Zone("trick", "row", text("trick"), things=(card("R13"), Card("offer", None, down=True))),
        Zone("gone", "row", text("gone")),
        Zone("left", "counter", text("left"), count=7),
        Zone("hand0", "fan", text("hand"), owner=0, things=(*(card(f"B{n}") for n in range(1, 10)), card("hero"))),
        Zone("mine", "stack", text("mine"), owner=0, things=(card("Y2", down=True), card("Y3", known=True))),
        Zone("chips", "row", text("chips"), owner=0, things=(Token("chip", "chip", "gold", down=True),)),
    ]
    for seat in (1, 2, 3):
        hidden = (card(f"Y{seat + 6}", known=True), *backs(f"hand{seat}", 8))
        zones.append(Zone(f"hand{seat}", "fan", text("hand"), owner=seat, things=hidden))
        zones.append(
            Zone(f"purse{seat}", "row", text("purse"), owner=seat, things=(Token(f"p{seat}", "cube", "r", 3),))
        )
    return Table(
        game="none",
        seat=0,
        seats=4,
        places=4,
        acting=(0, 2),
        progress=text("progress"),
        prompt=text("prompt"),
        zones=tuple(zones),
        buttons=(Button("pass", text("pass")),),
        choices=(Choice(0, ("hero", "area4"), text("go"), "go"),),
        sheet=Sheet((Row(text("row"), (1, None, 2, -3)),), (1, 0, 2, -3)),
        ending=None,
    )


def artist(**touch: Any) -> Artist:
    made = Artist(GAME, NAMES)
    made.touch = Touch(**touch)
    return made


def touched(block: Block) -> set[str]:
    """The things that a click can find."""
    spans = [span.style for line in block.lines for span in line.spans]
    return {style.meta["thing"] for style in spans if isinstance(style, Style) and "thing" in style.meta}


def plain(block: Block) -> str:
    return "\n".join(line.plain for line in block.lines)


@pytest.mark.parametrize(("width", "height"), [(78, 24), (78, 12), (118, 40), (58, 20)])
def test_everything_on_the_table_is_drawn_within_the_width_and_can_be_clicked(width: int, height: int) -> None:
    table, drawer = a_table(), artist(keys={"area3": "1", "trick": "2", "pass": "3"})
    parts = [
        draw_table(drawer, table, width, height),
        draw_hand(drawer, table, width, large=False),
        draw_buttons(drawer, table, width),
    ]
    assert all(part.width <= width for part in parts)
    found = set().union(*map(touched, parts))
    assert set(things_in_order(table)) - found <= {"hand0"}


def test_more_room_is_used() -> None:
    table = a_table()
    assert draw_table(artist(), table, 118, 60).height == 60
    assert draw_hand(artist(), table, 118, large=True).height > draw_hand(artist(), table, 118, large=False).height


def test_a_hand_too_wide_for_boxes_is_drawn_as_words() -> None:
    drawn = draw_hand(artist(), a_table(), 30, large=False)
    assert drawn.width <= 30
    assert "♦R1" not in plain(drawn)
    assert "≈B9" in plain(drawn)


def test_colour_never_stands_alone() -> None:
    shown = plain(draw_table(artist(), a_table(), 118, 40))
    assert "■R×3" in shown  # two tokens share the glyph: their letters tell them apart
    assert "■B" in shown
    assert "■BY" in shown  # whose marker it is
    assert "■B3" in shown


def test_what_can_be_touched_shows_its_key_and_what_is_in_focus_stands_out() -> None:
    drawer = artist(keys={"hero": "1", "area3": "2", "area4": "3"}, focus="area4", taken=("B1",))
    shown = plain(draw_table(drawer, a_table(), 118, 40))
    assert "[2 " in shown
    assert "▶3 " in shown
    hand = plain(draw_hand(drawer, a_table(), 118, large=False))
    assert "╔" in hand
    assert "─1─" in hand


def test_face_down_and_known_cards_are_marked_and_explained() -> None:
    shown = plain(draw_table(artist(), a_table(), 118, 40))
    assert "↓◊Y2" in shown
    assert "*◊Y3" in shown
    assert "* seen by all" in shown
    assert "↓ face down" in shown


def test_who_must_choose_has_an_arrow() -> None:
    shown = plain(draw_table(artist(), a_table(), 78, 24))
    assert "▶ You" in shown
    assert "▶ random 2" in shown
    assert "▶ random 1" not in shown


def test_things_are_described_in_words() -> None:
    table, drawer = a_table(), artist()
    assert describe(drawer, table, "Y2") == "mine: card Y 2, face down"
    assert describe(drawer, table, "marker3") == "areas: b of random 3"
    assert describe(drawer, table, "area4") == "areas: area 5"
    assert describe(drawer, table, "hand1.0") == "hand: a face-down card"
    assert describe(drawer, table, "pass") == "pass"


def test_cards_in_messages_are_drawn_as_cards() -> None:
    message = artist().say(text("played", seat=SeatName(1), card=FaceName("R13")))
    assert message.plain == "played random 1 ♦R13"
    assert any(str(span.style).startswith("bold #a01020") for span in message.spans)


def advised(number: int, win: float = 0.5, tries: int = 100, **more: Any) -> Advised:
    face = f"{SUITS[number % 3]}{number // 3 + 1}"
    choice = more.get("choice", Choice(number, (face,), text("play", card=FaceName(face)), f"play {face}"))
    return Advised(choice, win, more.get("low", win - 0.034), more.get("high", win + 0.034), -number / 4, tries)


def read(page: Reading, width: int = 74) -> str:
    """A page as it stands on a small terminal, beside a bar for scrolling."""
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(cast(Any, page.shown))
    return captured.get()


def test_a_hint_lists_all_choices_in_their_order_with_the_best_one_marked() -> None:
    choices = [advised(number, win=0.9 - number / 50) for number in range(39)]
    lines = [line for line in read(hint_page(artist(), Advice(tuple(choices), (), False))).splitlines() if "%" in line]
    assert len(lines) == 39
    assert max(map(len, lines)) <= 74
    assert ["▶" in line for line in lines] == [True, *[False] * 38]
    assert "play ♦R1 " in lines[0]
    assert "90 % ± 4" in lines[0]
    assert "86 % ± 4" in lines[2]
    assert lines[0].rstrip().endswith(" 0.0")
    assert lines[2].rstrip().endswith("−0.5")


def test_a_label_too_long_for_a_small_terminal_leaves_the_numbers_in_sight() -> None:
    long = Choice(0, ("R1",), text("a very long label " * 5), "R1")
    shown = read(hint_page(artist(), Advice((advised(0, choice=long), advised(1)), (), False)))
    assert shown.count("50 % ± 4") == 2
    assert shown.count("very long label") == 5


def test_choices_with_the_same_label_are_told_apart_by_their_notation() -> None:
    same = [Choice(number, (f"R{number}",), text("give"), f"give R{number}") for number in (1, 2)]
    choices = (*(advised(choice.number, choice=choice) for choice in same), advised(3))
    shown = read(hint_page(artist(), Advice(choices, (), False)))
    assert "give (give R1)" in shown
    assert "give (give R2)" in shown
    assert "(play" not in shown


def test_a_hint_tells_who_is_expected_to_do_what() -> None:
    best, answer = advised(0), advised(1)
    line = (Expected(0, best.choice), Expected(2, answer.choice))
    assert "You: play ♦R1 → random 2: play ≈B1" in read(hint_page(artist(), Advice((best, answer), line, False)))
    other_way = (Expected(0, answer.choice), Expected(2, best.choice))
    assert "→" not in read(hint_page(artist(), Advice((best, answer), other_way, False)))


def test_a_hint_says_how_sure_it_is() -> None:
    tried = Advice((advised(0, tries=1200), advised(1, tries=34)), (), False)
    assert "1,234 games were tried" in read(hint_page(artist(), tried))
    exactly = advised(0, win=1.0, low=1.0, high=1.0, tries=1)
    shown = read(hint_page(artist(), Advice((exactly,), (Expected(0, exactly.choice),), True)))
    assert "This is certain" in shown
    assert "nothing is left to chance" in shown
    assert "100 %" in shown
    assert "±" not in shown
    of_three = advised(0, win=1 / 3, low=1 / 3, high=1 / 3, tries=3)
    assert "(3 ways)" in read(hint_page(artist(), Advice((of_three,), (), True)))


def test_a_bar_grows_by_eighths() -> None:
    assert bar(0) == ""
    assert bar(1) == "█" * BAR
    assert bar(1 / BAR / 8) == "▏"
    assert bar(2.5 / BAR) == "██▌"


def test_the_end_says_who_wins() -> None:
    assert headline([1], NAMES) == "random 1 wins"
    assert headline([0], NAMES) == "You win"
    assert headline([0], ["Ann", "random 1"]) == "Ann wins"
    assert headline([1, 3], NAMES) == "random 1 and random 3 win"
    assert headline([], NAMES) == "Nobody wins"
