"""Going on from a step of a finished match, by a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardtown.core import record
from cardtown.games import games
from tests.server.serving import Guest, Server, serving

STEP = 9


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town")) as server:
        yield server


async def play_to_the_end(person: Guest, table: str) -> None:
    async with person.at(table) as chair:
        await chair.play()


def refusal(person: Guest, table: str, **body: Any) -> tuple[int, str]:
    answer = person.ask("POST", f"/api/tables/{table}/continue", body)
    return answer.status, answer.json["why"]


async def test_a_finished_match_goes_on_from_any_step_against_bots(server: Server, tmp_path: Path) -> None:
    person, other = Guest(server.url), Guest(server.url)
    old = person.open("hollywood", ["me", "random"], options={"carpet": 3})
    assert refusal(person, old, step=0) == (409, "not-over")
    await play_to_the_end(person, old)
    replay = person.get(f"/api/tables/{old}/replay?seat=1")["steps"]
    table = other.post(f"/api/tables/{old}/continue", {"step": STEP, "seat": 1, "bot": "random"})["table"]
    async with other.at(table) as chair:
        assert chair.view["begun"] == STEP
        assert not chair.view["is_listed"]
        assert [seat["kind"] for seat in chair.view["seats"]] == ["bot", "person"]
        began = [line for step in replay[: STEP + 1] for line in step["lines"]]
        assert chair.lines[: len(began)] == began
        assert (await chair.ask("undo"))["why"] == "nothing-to-undo"
        await chair.until(lambda: chair.choices)
        await chair.choose()
        await chair.until(lambda: chair.choices)
        await chair.do("undo")
        assert chair.lines[: len(began)] == began
        assert (await chair.ask("undo"))["why"] == "nothing-to-undo"
        server.kill()
        server.restart()
    async with other.at(table) as chair:
        assert chair.lines[: len(began)] == began
        await chair.play()
        await chair.do("rematch")
        await chair.until(lambda: chair.view["rematch"])
        once_more = other.get(f"/api/tables/{chair.view['rematch']}")
        assert once_more["begun"] == STEP
        assert once_more["commitment"] != chair.view["commitment"]
    again = other.get(f"/api/tables/{table}/replay?seat=1")["steps"]
    assert again[: STEP + 1] == replay[: STEP + 1]
    assert again != replay
    review = other.get(f"/api/tables/{table}/review?seat=1")
    assert all(decision["step"] >= STEP for decision in review["choices"])
    assert all(mine["table"] != table for mine in person.get("/api/me/tables"))
    assert other.get("/api/lobby") == []

    found = other.get(f"/api/tables/{table}/record")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(found))
    verified = subprocess.run([sys.executable, "-m", "cardtown", "verify", str(file)], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stderr
    assert f"first {STEP} choices were known before" in verified.stdout
    with pytest.raises(record.FalseRecord):
        record.verify({**found, "known": [[STEP, found["secret"]]]}, games())
    with pytest.raises(record.FalseRecord):
        record.verify({**found, "known": [STEP]}, games())
    file.write_text(json.dumps(other.get(f"/api/tables/{table}/transcript")))
    replayed = subprocess.run([sys.executable, "-m", "cardtown", "replay", str(file)], capture_output=True, text=True)
    assert replayed.returncode == 0, replayed.stderr


async def test_what_goes_on_from_a_match_that_went_on_knows_all_their_secrets(server: Server) -> None:
    person = Guest(server.url)
    first = person.open("gossip", ["me", "random", "random"])
    await play_to_the_end(person, first)
    second = person.post(f"/api/tables/{first}/continue", {"step": 4, "bot": "random"})["table"]
    await play_to_the_end(person, second)
    for step, secrets in ((0, 1), (4, 1), (7, 2)):
        third = person.post(f"/api/tables/{second}/continue", {"step": step, "bot": "random"})["table"]
        await play_to_the_end(person, third)
        replays = [person.get(f"/api/tables/{table}/replay?seat=0")["steps"] for table in (second, third)]
        assert replays[1][: step + 1] == replays[0][: step + 1]
        found = person.get(f"/api/tables/{third}/record")
        assert len(found["known"]) == secrets
        assert record.verify(found, games()).begun == step


async def test_only_steps_and_seats_that_are_there_can_be_gone_on_from(server: Server) -> None:
    person, other = Guest(server.url), Guest(server.url)
    table = person.open("egocentric", ["me", "random"])
    await play_to_the_end(person, table)
    last = len(person.get(f"/api/tables/{table}/replay")["steps"]) - 1
    assert refusal(person, table, step=last) == (409, "over")
    assert refusal(person, table, step=last + 1) == (404, "no-such-step")
    assert refusal(person, table, step=0, seat=2) == (404, "no-such-seat")
    assert refusal(person, table, step=-1) == (400, "malformed")
    assert refusal(person, table, step=0, bot="nobody") == (400, "malformed")
    assert refusal(person, table, step=0, bot="hard:60000ms") == (409, "too-much")
    assert refusal(person, "nowhere", step=0) == (404, "no-such-table")
    made = other.post(f"/api/tables/{table}/continue", {"step": 0})["table"]
    view = other.get(f"/api/tables/{made}")
    assert view["me"] in view["board"]["acting"], "who did not play there takes the seat whose turn it is"
    made = person.post(f"/api/tables/{table}/continue", {"step": 1})["table"]
    assert person.get(f"/api/tables/{made}")["me"] == 0, "who did takes their own"


async def test_a_match_that_was_given_up_goes_on_from_its_last_step(server: Server) -> None:
    person = Guest(server.url)
    old = person.open("hollywood", ["me", "random"])
    async with person.at(old) as chair:
        await chair.play(most=3)
        await chair.do("resign")
        steps = len(person.get(f"/api/tables/{old}/replay")["steps"]) - 1
    table = person.post(f"/api/tables/{old}/continue", {"step": steps, "bot": "random"})["table"]
    async with person.at(table) as chair:
        assert chair.view["begun"] == steps
        await chair.until(lambda: chair.choices)
