"""Hints, explanations, reviews, replays and records, by a real server."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from benchmarks.cardtown_server import longest_block
from cardtown.server.bot_turns import until_beat
from tests.server.serving import Guest, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town")) as server:
        yield server


async def test_a_hint_judges_all_choices_of_the_seat(server: Server) -> None:
    person = Guest(server.url)
    async with person.at(person.open("gossip", ["me", "random", "random"])) as chair:
        await chair.until(lambda: chair.choices)
        hint = await chair.ask("hint", decision=chair.view["decision"])
        assert hint["is"] == "hinted"
        assert {each["choice"]["move"] for each in hint["choices"]} == {choice["move"] for choice in chair.choices}
        assert all(0 <= each["low"] <= each["win"] <= each["high"] <= 1 for each in hint["choices"])
        assert hint["line"][0]["seat"] == chair.view["me"]
        stale = await chair.ask("hint", decision="9.9")
        assert stale["why"] == "stale"


async def test_where_hints_are_not_allowed_there_are_none(server: Server) -> None:
    person = Guest(server.url)
    async with person.at(person.open("hollywood", ["me", "random"], may_hint=False)) as chair:
        await chair.until(lambda: chair.choices)
        assert (await chair.ask("hint", decision=chair.view["decision"]))["why"] == "no-hints"


async def test_a_dead_card_is_explained_by_its_clause(server: Server) -> None:
    person = Guest(server.url)
    async with person.at(person.open("hollywood", ["me", "random"])) as chair:
        while True:
            await chair.until(lambda: chair.choices or chair.is_over)
            hand = next(zone for zone in chair.view["board"]["zones"] if zone["id"] == "hand0")
            live = {choice["path"][0] for choice in chair.choices}
            dead = [thing["id"] for thing in hand["things"] if thing["id"] not in live]
            assert not chair.is_over, "in a whole match somebody must follow suit"
            if dead:
                break
            await chair.choose()
        answer = await chair.ask("why-not", thing=dead[0])
        assert answer["why"]["clause"] == "HOL-06"
        answer = await chair.ask("why-not", thing=next(iter(live)))
        assert answer["why"] is None


async def test_only_choices_that_are_none_are_made_for_who_wishes_it(server: Server) -> None:
    """The last cards of a round of Hollywood are forced: who wishes it is asked for fewer choices."""
    asked = []
    for plays_forced in (False, True):
        person = Guest(server.url)
        person.ask("PATCH", "/api/me", {"plays_forced": plays_forced})
        async with person.at(person.open("hollywood", ["me", "random"], options={"carpet": 3})) as chair:
            sizes = []
            while True:
                await chair.until(lambda: chair.choices or chair.is_over)
                if chair.is_over:
                    break
                sizes.append(len(chair.choices))
                if plays_forced and sizes[-1] == 1:
                    await chair.until_next_decision()
                else:
                    await chair.choose()
            assert 1 in sizes
            asked.append(chair.view["result"]["reason"])
    assert asked == ["rules", "rules"]


def test_an_answer_comes_on_the_beat_however_long_thinking_took() -> None:
    assert until_beat(0.0, 0.7) == pytest.approx(0.7)
    assert until_beat(0.1, 0.7) == pytest.approx(0.6)
    assert until_beat(0.8, 0.7) == pytest.approx(0.6)
    assert until_beat(3.0, 0.0) == 0


async def test_a_finished_match_can_be_reviewed_replayed_and_verified(server: Server, tmp_path: Path) -> None:
    person, other = Guest(server.url), Guest(server.url)
    table = person.open("hollywood", ["me", "easy"], options={"carpet": 3})
    async with person.at(table) as chair:
        await chair.until(lambda: chair.choices)
        for page in ("record", "transcript", "replay", "review", "scores"):
            answer = person.ask("GET", f"/api/tables/{table}/{page}")
            assert (answer.status, answer.json["why"]) == (409, "not-over")
        made = await chair.play()
        lines, last = chair.lines, chair.view
    review = person.get(f"/api/tables/{table}/review")
    judged = list(review["choices"])
    while len(judged) < review["of"]:
        more = person.get(f"/api/tables/{table}/review?from={len(judged)}")["choices"]
        assert more, "every answer brings something"
        judged += more
    assert 0 < len(judged) <= made
    for decision in judged:
        moves = [each["choice"]["move"] for each in decision["choices"]]
        assert decision["chosen"]["move"] in moves
        assert 0 <= decision["lost"] <= 1
    assert person.get(f"/api/tables/{table}/review")["choices"] == judged, "what was judged once is kept"
    assert person.get(f"/api/tables/{table}/review?from={len(judged)}")["choices"] == []
    assert person.ask("GET", f"/api/tables/{table}/review?from=x").json["why"] == "malformed"
    assert other.ask("GET", f"/api/tables/{table}/review").json["why"] == "not-your-seat"
    assert len(other.get(f"/api/tables/{table}/review?seat=1")["choices"]) > 0
    assert other.ask("GET", f"/api/tables/{table}/review?seat=7").json["why"] == "no-such-seat"
    replay = person.get(f"/api/tables/{table}/replay?seat=0")
    assert [line for step in replay["steps"] for line in step["lines"]] == lines
    assert replay["steps"][-1]["board"] == last["board"]
    totals = person.get(f"/api/tables/{table}/scores")["totals"]
    assert totals == [step["board"]["sheet"]["totals"] for step in replay["steps"]]
    spectators = other.get(f"/api/tables/{table}/replay")
    assert spectators["steps"][0]["board"]["seat"] is None
    file = tmp_path / "record.json"
    file.write_text(json.dumps(person.get(f"/api/tables/{table}/record")))
    verified = subprocess.run([sys.executable, "-m", "cardtown", "verify", str(file)], capture_output=True, text=True)
    assert verified.returncode == 0
    assert verified.stdout.startswith("Verified: Hollywood Sensation")
    file.write_text(json.dumps(person.get(f"/api/tables/{table}/transcript")))
    replayed = subprocess.run([sys.executable, "-m", "cardtown", "replay", str(file)], capture_output=True, text=True)
    assert replayed.returncode == 0, replayed.stderr


def test_numbers_are_there_to_watch(server: Server) -> None:
    found = Guest(server.url).ask("GET", "/metrics").content.decode()
    for name in ("tables", "connections", "choices_total", "push_seconds_count", "bot_queue", "loop_block_seconds"):
        assert f"\ncardtown_{name} " in found
    assert Guest(server.url).get("/healthz")["status"] == "ok"


def test_a_server_that_stands_still_is_noticed_once_somebody_watches(server: Server) -> None:
    longest_block(server.port)
    assert longest_block(server.port) < 1.0
    server.process.send_signal(signal.SIGSTOP)
    sleep(1.2)
    server.process.send_signal(signal.SIGCONT)
    assert longest_block(server.port) > 1.0
    assert longest_block(server.port) < 1.0
