"""The example bot plays every game through the API, as another process with a token."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cardtown.core.game import Game
from cardtown.games import games
from tests.server.serving import Guest, serving

BOT = Path(__file__).parent.parent.parent / "examples" / "bot.py"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_the_example_bot_plays_every_game(game: Game, tmp_path: Path) -> None:
    seats = game.seats[0] if game.seats[0] > 1 else 2
    options = {"goal": "one-round"} if game.id == "egocentric" else {}
    with serving(tmp_path / "town") as server:
        owner = Guest(server.url)
        token = owner.post("/api/me/tokens", {"label": "example"})["token"]
        table = Guest(server.url).open(game.id, ["open", *["random"] * (seats - 1)], options=options)
        played = subprocess.run(
            [sys.executable, str(BOT), f"{server.url}/api/tables/{table}", "--token", token],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert played.returncode == 0, played.stderr
        assert "'reason': 'rules'" in played.stdout
        (mine,) = owner.get("/api/me/tables")
        assert mine["table"] == table
        assert mine["stage"] == "over"


def test_the_example_bot_is_short() -> None:
    assert len(BOT.read_text(encoding="utf-8").splitlines()) < 60
