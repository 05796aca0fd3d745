"""The looks: everything that lies on a table has its own symbol, and can be told and read in light and dark."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from cardtown.core import laws
from cardtown.core.chance import Secret
from cardtown.core.game import Game
from cardtown.core.match import Match
from cardtown.core.table import Card, Table, Token
from cardtown.games import games

GAMES = [pytest.param(game, id=game.id) for game in games().values()]
FRAMES = {"deco", "comic", "glass", "press", "noren"}
WEAVES = {"fans", "dots", "grid", "columns", "waves"}
PATH = re.compile(r"M[MmLlHhVvCcSsQqTtAaZz0-9 .,-]+")
EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How colours look to people who see all of them or fewer, as matrices for linear red, green and blue."""


def tables(game: Game) -> Iterator[Table]:
    """What is seen of a random game of every kind, here and there."""
    dice = random.Random(6)
    for seats, options in laws.combinations(game):
        match = Match(game, seats, options, Secret(bytes(32)))
        while match.outcome is None:
            if dice.random() < 0.3:
                yield match.table(dice.choice([None, *range(seats)]))
            seat = dice.choice(match.acting)
            match.choose(seat, dice.choice(match.legal(seat)))
        yield match.table(None)


def linear(colour: str) -> tuple[float, float, float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(colour: str, other: str, eyes: str = "all") -> float:
    def luminance(colour: str) -> float:
        seen = (max(0.0, dot(row, linear(colour))) for row in EYES[eyes])
        return dot((0.2126, 0.7152, 0.0722), tuple(seen))

    def dot(row: Sequence[float], parts: Sequence[float]) -> float:
        return sum(weight * part for weight, part in zip(row, parts, strict=True))

    dark, light = sorted((luminance(colour), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def themes(game: Game) -> dict[str, dict[str, Any]]:
    light = game.look["theme"]
    return {"light": light, "dark": {**light, **light["dark"]}}


def on_felt(sign: dict[str, str], scheme: str) -> str:
    light = sign.get("on_felt", sign["colour"])
    return light if scheme == "light" else sign.get("on_felt_dark", light)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_lies_on_a_table_has_a_look(game: Game) -> None:
    look = game.look
    assert look["theme"]["frame"] in FRAMES
    assert look["theme"]["weave"] in WEAVES
    for name, face in game.show.faces().items():
        assert face.suit or name in look["face"]
        assert face.suit is None or {"letter", "path"} <= look["suit"][face.suit].keys()
        assert all("path" in look["mark"][mark] for mark in face.marks)
    for table in tables(game):
        for zone in table.zones:
            looks = [zone.look, *(cell.look for cell in zone.cells)]
            assert all(name is None or name in look["suit"] for name in looks)
            for thing in zone.things:
                match thing:
                    case Card():
                        assert thing.back in look["back"]
                    case Token():
                        assert "path" in look["token"][thing.look]


@pytest.mark.parametrize("game", GAMES)
def test_symbols_are_drawn_and_all_differ(game: Game) -> None:
    look = game.look
    for kind in ("suit", "mark", "token", "face"):
        signs = look.get(kind, {}).values()
        for sign in signs:
            assert PATH.fullmatch(sign["path"])
            assert PATH.fullmatch(sign.get("shade", sign["path"]))
        assert len({sign["path"] for sign in signs}) == len(signs)
    for back in look["back"].values():
        assert PATH.fullmatch(back["tile"])
        assert PATH.fullmatch(back["emblem"])
    # Where cards are told apart by number, the letter has to tell the suit.
    suits = {face.suit for face in game.show.faces().values() if face.suit and face.corner.isdigit()}
    assert len({look["suit"][suit]["letter"] for suit in suits}) == len(suits)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_texts_and_symbols_can_be_read(game: Game, scheme: str) -> None:
    theme = themes(game)[scheme]
    for text, behind in [
        ("ink", ["paper", "paper2"]),
        ("muted", ["paper", "paper2"]),
        ("prompt", ["felt", "felt2"]),
        ("quiet", ["felt", "felt2"]),
        ("panel_ink", ["panel"]),
    ]:
        for ground in behind:
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    assert contrast(theme["accents"][0], theme["felt"]) >= 3
    assert contrast(theme["accents"][0], theme["panel"]) >= 3
    for kind in ("suit", "mark", "token", "face"):
        for name, sign in game.look.get(kind, {}).items():
            assert contrast(sign["colour"], theme["paper"]) >= 3, (kind, name)
            assert "body" not in sign or contrast(sign["body"], theme["ink"]) >= 3
            for ground in ("felt", "felt2", "panel") if kind != "face" else ():
                assert contrast(on_felt(sign, scheme), theme[ground]) >= 3, (kind, name, ground)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("game", GAMES)
def test_symbols_stay_visible_to_eyes_that_see_fewer_colours(game: Game, eyes: str) -> None:
    """Symbols tell suits apart by their shape alone; for that they must stand out from the paper for everybody."""
    for theme in themes(game).values():
        for suit in game.look["suit"].values():
            assert contrast(suit["colour"], theme["paper"], eyes) >= 2.5, suit["symbol"]


@pytest.mark.parametrize("game", GAMES)
def test_a_district_is_drawn_in_layers_without_styles_of_its_own(game: Game) -> None:
    text = (game.folder / "district.svg").read_text(encoding="utf-8")
    assert len(text) < 16_000
    drawing = ET.fromstring(text)
    assert [group.get("class") for group in drawing] == ["back", "middle", "front"]
    parts = [part for part in drawing.iter() if part is not drawing]
    assert {part.tag.partition("}")[2] for part in parts} <= {"g", "path"}
    assert all(part.get("class") for part in parts)
    assert not any({"style", "fill", "id"} & set(part.keys()) for part in parts)
    assert any("alive" in str(part.get("class")).split() for part in parts)
