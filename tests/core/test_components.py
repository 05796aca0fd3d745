"""Components can be replaced; a bad file is refused with file, key and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardtown.core import transcript
from cardtown.core.chance import Seeded
from cardtown.core.components import ComponentsError
from cardtown.core.match import Match
from cardtown.games import games
from cardtown.games.hollywood import GAME

SHIPPED = (GAME.folder / "components.toml").read_text(encoding="utf-8")


def other(tmp_path: Path, old: str, new: str) -> Path:
    assert old in SHIPPED
    file = tmp_path / "mine.toml"
    file.write_text(SHIPPED.replace(old, new), encoding="utf-8")
    return file


def test_every_table_says_whether_it_is_printed_or_reconstructed() -> None:
    for game in games().values():
        for table in game.parts.values():
            assert table["source"] in ("printed", "reconstructed")


def test_other_components_take_effect_beside_the_shipped_ones(tmp_path: Path) -> None:
    longer = GAME.with_components_file(other(tmp_path, "spaces = 4", "spaces = 6"))
    assert longer.complete({}, 2) == {"carpet": 6}
    assert GAME.complete({}, 2) == {"carpet": 4}
    assert longer.rules_hash != GAME.rules_hash
    assert GAME.with_components_file(other(tmp_path, "spaces = 4", "spaces = 4")) is GAME


def test_a_transcript_carries_other_components_and_replays_with_them(tmp_path: Path) -> None:
    longer = GAME.with_components_file(other(tmp_path, "spaces = 4", "spaces = 6"))
    match = Match(longer, 2, {}, Seeded(1, 0))
    while match.outcome is None:
        match.choose(match.acting[0], match.legal(match.acting[0])[0])
    found = transcript.write(match)
    assert found["components"]["carpet"]["spaces"] == 6
    assert transcript.replay(found, games()).game is longer


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("spaces = 4", "spaces = 9", "carpet.spaces: must be from 3 to 6, not 9"),
        ("spaces = 4", 'spaces = "four"', "carpet.spaces: must be a whole number, not 'four'"),
        ("spaces = 4", "spaces = true", "carpet.spaces: must be a whole number, not True"),
        ("spaces = 4", "", "carpet.spaces: this key is missing"),
        ("spaces = 4", "spaces = 4\ncolour = 1", "carpet.colour: unknown key; known are source, spaces"),
        ("[carpet]", "[rug]", r"\[carpet\]: this table is missing"),
        ("[carpet]", "[rug]\n[carpet]", r"\[rug\]: unknown table; known are"),
        ("ranks = 7", "ranks = 8", "cards.ranks: the rulebook gives ranks 1 to 7"),
        ("hand = 6", "hand = 7", "cards.hand: the rulebook deals six"),
        ("most = 3", "most = 4", "rounds.most: the rulebook plays at most three"),
        ("[1, 1, -1, -1]", "[1, 1, 1, 1]", "fame.majority: the rulebook gives"),
        ("[1, 1, -1, -1]", "[1, 1, -1]", "fame.majority: must have 4 entries, not 3"),
        ('["C", "M", "S", "H"]', '["C", "M", "S", 5]', r"cards.suits\[3\]: must be a text, not 5"),
        ('source = "reconstructed"', 'source = "guessed"', "carpet.source: must be one of printed, reconstructed"),
        ("[carpet]", "[carpet", "is not a TOML file"),
    ],
)
def test_a_bad_file_is_refused(old: str, new: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match=rf"mine\.toml: {reason}"):
        GAME.with_components_file(other(tmp_path, old, new))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match=r"none\.toml: can't be read \(No such file"):
        GAME.with_components_file(tmp_path / "none.toml")
