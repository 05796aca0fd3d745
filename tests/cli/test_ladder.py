"""`cardtown ladder`, as it is typed, and bots of other processes that play through real sockets."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.sync.client import connect

from cardtown.games import find
from tests.cli.test_commands import CARDTOWN, cardtown
from tests.server.serving import Guest

BOT = Path(__file__).parent.parent.parent / "examples" / "bot.py"


def test_it_shows_the_ladder() -> None:
    done = cardtown("ladder", "hollywood")
    assert done.returncode == 0, done.stderr
    rungs = [line.split()[0] for line in done.stdout.splitlines()[3:]]
    found = json.loads(cardtown("ladder", "hollywood", "--json").stdout)
    assert rungs == [rung["bot"] for rung in found["rungs"]]
    assert rungs[-1] == "random"


def test_it_rates_a_bot_of_the_town() -> None:
    args = ("ladder", "egocentric", "--bot", "wander", "--games", "20")
    done = cardtown(*args, "--processes", "2", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["low"] < found["rating"] < found["high"]
    assert found["games"] == sum(against["games"] for against in found["against"]) == 24
    assert f"wander is rated {found['rating']:.1f}" in cardtown(*args, "--threads", "1").stdout


def test_a_program_that_is_run_for_each_table_is_rated() -> None:
    command = f"{sys.executable} {BOT} {{table}} --token {{token}}"
    done = cardtown("ladder", "egocentric", "--run", command, "--games", "12", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["games"] == 12
    assert found["rating"] < 25
    assert {against["bot"] for against in found["against"]} >= {"random", "hard:10000"}


def test_a_program_that_connects_by_itself_is_rated() -> None:
    """It finds its tables with its token, plays one and resigns another; after Ctrl+C these two count."""
    command = [CARDTOWN, "ladder", "egocentric", "--listen", "--games", "12", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ladder:
        assert ladder.stdout is not None
        told = json.loads(ladder.stdout.readline())
        mine = {table["table"] for table in Guest(told["address"], told["token"]).get("/api/me/tables")}
        assert {f"{told['address']}/api/tables/{name}" for name in mine} == set(told["tables"])
        first, second, *_ = told["tables"]
        subprocess.run([sys.executable, str(BOT), first, "--token", told["token"]], check=True, capture_output=True)
        with connect(
            second.replace("http", "ws", 1) + "/socket", additional_headers={"Authorization": f"Bearer {told['token']}"}
        ) as socket:
            socket.send(json.dumps({"do": "resign"}))
            while json.loads(socket.recv()).get("stage") != "over":
                pass
        ladder.send_signal(signal.SIGINT)
        found = json.loads(ladder.stdout.readline())
    assert ladder.returncode == 0
    assert found["games"] == 2
    assert [against["games"] for against in found["against"]] == [2]
    assert found["against"][0]["win_rate"] <= 0.5
    assert found["low"] < found["rating"] < found["high"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chess"], "there is no game 'chess'"),
        (["hollywood", "--bot", "clever"], "there is no bot 'clever'"),
        (["hollywood", "--bot", "easy", "--listen"], "of --bot, --listen and --run only one can be given"),
        (["hollywood", "--bot", "easy", "--threads", "1", "--processes", "2"], "only one can be given"),
        (["hollywood", "--run", "/no/such/bot {table}", "--games", "1"], "/no/such/bot: can't be run"),
        (["hollywood", "--run", "'", "--games", "1"], "--run can't be understood: No closing quotation"),
        (["hollywood", "--run", "", "--games", "1"], "--run names no command"),
        (["hollywood", "--run", "false", "--games", "1"], "the bot ended with exit code 1 before its match was over"),
    ],
)
def test_wrong_input_is_answered_in_one_line(args: list[str], message: str) -> None:
    done = cardtown("ladder", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_ladder_for_other_rules_is_refused(tmp_path: Path) -> None:
    """A game in a folder of one's own whose rules were changed after its ladder was made."""
    folder = tmp_path / "mywood"
    shutil.copytree(find("hollywood").folder, folder)
    game, rules = folder / "__init__.py", folder / "rules.py"
    game.write_text(game.read_text(encoding="utf-8").replace('"hollywood"', '"mywood"'), encoding="utf-8")
    rules.write_text(rules.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    env = {**os.environ, "CARDTOWN_GAMES": str(tmp_path)}
    done = subprocess.run([CARDTOWN, "ladder", "mywood"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is for other rules or components: nothing can be compared; make ladder" in done.stderr
    (folder / "ladder.json").unlink()
    done = subprocess.run([CARDTOWN, "ladder", "mywood"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "mywood has no ladder" in done.stderr
