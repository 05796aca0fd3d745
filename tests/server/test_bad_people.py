"""Bad input and bad people: each gets a typed error or a close with a code, and the table stays as it was."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, get_args

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cardtown.server.app import HEADERS, LONGEST_BODY
from cardtown.server.identity import KEY_FILE, YEAR, Signer
from cardtown.server.messages import LONGEST_NAME, LONGEST_TEXT
from cardtown.server.people import FORMER_GUEST
from cardtown.server.process import LONGEST_MESSAGE, STORE_FILE, LinesOfJson
from cardtown.server.refusal import Why
from cardtown.server.routes import ROUTES
from cardtown.server.store import Row
from cardtown.server.stores import open_store
from tests.server.outside import ask_store, location, signing_key_of
from tests.server.serving import IN_POSTGRESQL, Answer, Chair, Guest, Server, Wire, serving
from tests.server.test_play import settle, start, to_act

GARBLED = ("Invalid HTTP request received.", "Invalid UTF-8 sequence received from client.")
"""What the log may say of people who speak neither HTTP nor UTF-8."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town"), "--grace", "600") as server:
        yield server
        check_log(server.stop())


def check_log(log: str) -> None:
    """Whatever people did, it was no failure of the server, and none of it is in the log."""
    for line in log.splitlines():
        assert not line or json.loads(line)["message"] in GARBLED, line


def tell_nothing(server: Server, text: str) -> None:
    """No stack trace, and no place in the sources or on the disk."""
    for word in ("Traceback", 'File "', ".py", str(server.data), "site-packages", "sqlite"):
        assert word not in text


def in_store(server: Server, question: str, *values: object) -> list[Any]:
    """What the store on the disk says, whatever the server does."""
    return ask_store(server.data, question, *values)


def log_of(server: Server, table: str) -> list[Any]:
    return in_store(server, 'SELECT number, body FROM log WHERE "table" = ? ORDER BY number', table)


@asynccontextmanager
async def unchanged(server: Server, chair: Chair) -> AsyncIterator[None]:
    """Whatever happens meanwhile, the table's log and what is seen of it stay as they are, and its secret is one."""
    before, number = log_of(server, chair.table), chair.view["number"]
    yield
    assert log_of(server, chair.table) == before
    seen = chair.guest.get(f"/api/tables/{chair.table}")
    assert seen["number"] == number
    secret = json.loads(before[0][1])["secret"]
    assert not any(secret in text for text in (*chair.frames, json.dumps(seen)))


def typed(server: Server, answer: Wire) -> str:
    """Why a request over a socket was refused; that tells nothing which is nobody's business."""
    assert answer["is"] == "refused", answer
    assert answer["why"] in get_args(Why)
    assert answer["why"] != "internal"
    assert answer["message"]
    tell_nothing(server, answer["message"])
    return str(answer["why"])


def refused(server: Server, answer: Answer) -> tuple[int, str]:
    """The status and the reason of a refusal by HTTP."""
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json.keys() == {"why", "message"}
    return answer.status, typed(server, {"is": "refused", **answer.json})


async def answer_to(chair: Chair, frame: str | bytes, id: int = 0) -> Wire:
    """Send a frame as it is; the answer with that id."""
    await chair.socket.send(frame)
    await chair.until(lambda: id in chair.answers or chair.closed is not None)
    assert chair.closed is None
    return chair.answers.pop(id)


# Over the socket


@pytest.mark.parametrize(
    ("frame", "id"),
    [
        ("hello", 0),
        ("", 0),
        (b"", 0),
        (b"\x00\xff\xfe", 0),
        ('{"do": "ping", "id": 4', 0),
        ('{"do": "ping", "id": 4} and more', 0),
        ("[]", 0),
        ("17", 0),
        ("null", 0),
        ('"ping"', 0),
        ("[" * 9_000, 0),
        ('{"id": 5, "do": ' + "[" * 9_000, 0),
        ('{"id": 5}', 5),
        ('{"do": "dance", "id": 5}', 5),
        ('{"do": ["ping"], "id": 5}', 5),
        ('{"do": "ping", "id": 5, "more": 1}', 5),
        ('{"do": "ping", "id": -1}', 0),
        ('{"do": "ping", "id": 2147483648}', 0),
        ('{"do": "ping", "id": "5"}', 0),
        ('{"do": "sit", "id": 5}', 5),
        ('{"do": "sit", "id": 5, "seat": "1"}', 5),
        ('{"do": "sit", "id": 5, "seat": 6}', 5),
        ('{"do": "choose", "id": 5, "decision": "0.0", "choice": 1.5}', 5),
        ('{"do": "choose", "id": 5, "decision": "0.0", "choice": true}', 5),
        ('{"do": "choose", "id": 5, "decision": "0.0", "choice": 63}', 5),
        ('{"do": "choose", "id": 5, "decision": 0.0, "choice": 0}', 5),
        ('{"do": "choose", "id": 5, "decision": "0.0", "choice": 0, "seat": 1}', 5),
        (json.dumps({"do": "hint", "id": 5, "decision": "0" * 41}), 5),
        ('{"do": "say", "id": 5, "text": "\\ud800"}', 0),
        ('{"do": "answer-undo", "id": 5, "agrees": "yes"}', 5),
    ],
)
async def test_what_is_no_request_is_refused_and_the_socket_survives(
    server: Server, frame: str | bytes, id: int
) -> None:
    guest = Guest(server.url)
    async with guest.at(guest.open("hollywood", ["me", "open"])) as chair, unchanged(server, chair):
        answer = await answer_to(chair, frame, id)
        assert typed(server, answer) == "malformed"
        assert (await chair.ask("ping"))["is"] == "pong"


async def test_a_text_frame_that_is_no_text_ends_the_socket(server: Server) -> None:
    guest = Guest(server.url)
    async with guest.at(guest.open("hollywood", ["me", "open"])) as chair, unchanged(server, chair):
        await chair.socket.send(b"\xff\xff", text=True)
        await chair.until(lambda: chair.closed is not None)
        assert chair.closed == 1007


@pytest.mark.parametrize("parts", [1, 3])
async def test_a_message_that_is_too_large_ends_the_socket_and_nothing_else(server: Server, parts: int) -> None:
    """In one frame or in several; one letter less is read."""
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    room = " " * (LONGEST_MESSAGE - len('{"do":"leave"}'))
    async with guest.at(table) as chair, unchanged(server, chair):
        assert typed(server, await answer_to(chair, "x" * LONGEST_MESSAGE)) == "malformed"
        whole = f'{{"do":"leave"{room} }}'
        at = len(whole) // parts
        message = [whole[:at], whole[at : 2 * at], whole[2 * at :]] if parts == 3 else whole
        await chair.socket.send(message)
        await chair.until(lambda: chair.closed is not None)
        assert chair.closed == 1009
    async with guest.at(table) as chair:
        await chair.do("leave")


async def test_who_asks_too_often_is_told_and_in_the_end_put_out(server: Server) -> None:
    async with AsyncExitStack() as stack:
        hasty, other = await start(server, stack, "hollywood", 2)
        await stack.enter_async_context(unchanged(server, other))
        ids = [await hasty.send("ping") for _ in range(240)]
        await hasty.until(lambda: hasty.answers.keys() >= set(ids))
        answers = [hasty.answers.pop(id) for id in ids]
        assert answers[0]["is"] == "pong"
        assert {typed(server, answer) for answer in answers if answer["is"] != "pong"} == {"too-often"}
        while (await hasty.ask("ping"))["is"] != "pong":
            await asyncio.sleep(0.05)  # the socket lives; who waits a moment, as it was told, is served again
        with suppress(ConnectionClosed):
            for _ in range(100_000):
                await hasty.send("undo")
        await hasty.until(lambda: hasty.closed is not None)
        assert hasty.closed == 4008
        assert (await other.ask("ping"))["is"] == "pong", "others don't notice"


async def test_choices_out_of_turn_or_impossible_or_stale_are_refused(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        acting, (other,) = to_act(chairs)
        decision, number = acting.view["decision"], acting.choices[0]["number"]
        impossible = next(n for n in range(63) if n not in {choice["number"] for choice in acting.choices})
        async with unchanged(server, acting):
            answer = await other.ask("choose", decision=decision, choice=number)
            assert typed(server, answer) == "not-your-turn"
            answer = await acting.ask("choose", decision=decision, choice=impossible)
            assert typed(server, answer) == "illegal"
            for wrong in ("", "0.9999", "-1.0", "nonsense"):
                answer = await acting.ask("choose", decision=wrong, choice=number)
                assert typed(server, answer) == "stale"
        assert (await acting.choose())["is"] == "done"
        await settle(chairs)
        async with unchanged(server, acting):
            answer = await acting.ask("choose", decision=decision, choice=number)
            assert typed(server, answer) == "stale"


async def test_a_choice_that_is_sent_twice_is_made_once(server: Server) -> None:
    """The very same frame again: in a row without waiting, and once more later."""
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        acting, _ = to_act(chairs)
        frame = json.dumps(
            {"do": "choose", "id": 9, "decision": acting.view["decision"], "choice": acting.choices[0]["number"]}
        )
        length = len(log_of(server, acting.table))
        began = len(acting.frames)
        await acting.socket.send(frame)
        await acting.socket.send(frame)
        await acting.ask("ping")
        said = [json.loads(frame) for frame in acting.frames[began:]]
        assert [message["done"] for message in said if message["is"] == "view" and message["done"]] == [[9]]
        (answer,) = (message for message in said if message["is"] == "refused")
        assert answer["id"] == 9
        assert typed(server, answer) in ("stale", "not-your-turn")
        assert len(log_of(server, acting.table)) == length + 1
        acting.answers.clear()
        async with unchanged(server, acting):
            typed(server, await answer_to(acting, frame, 9))


async def test_a_sealed_choice_can_not_be_made_again_while_others_still_think(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "gossip", 3)
        offering = [chair for chair in chairs if chair.choices]
        decision, numbers = offering[0].view["decision"], [choice["number"] for choice in offering[0].choices]
        assert (await offering[0].choose())["is"] == "done"
        async with unchanged(server, offering[0]):
            for number in numbers[:3]:
                answer = await offering[0].ask("choose", decision=decision, choice=number)
                assert typed(server, answer) == "not-your-turn"
        assert (await offering[1].choose())["is"] == "done", "the decision is still the same for the other"


async def test_nobody_gets_anothers_seat(server: Server) -> None:
    one, other, third = (Guest(server.url) for _ in range(3))
    table = one.open("crimson", ["me", "open", "open"])
    async with one.at(table) as host, other.at(table) as chair, third.at(table) as late:
        await chair.do("sit", seat=1)
        async with unchanged(server, chair):
            assert typed(server, await late.ask("sit", seat=0)) == "seat-taken"
            assert typed(server, await late.ask("sit", seat=1)) == "seat-taken"
            assert typed(server, await late.ask("sit", seat=5)) == "no-such-seat"
            assert typed(server, await chair.ask("sit", seat=2)) == "already-seated"
            assert typed(server, await late.ask("leave")) == "not-your-seat"
            assert typed(server, await host.ask("seat-bot", seat=1, bot="easy")) == "seat-taken"
            assert typed(server, await host.ask("seat-bot", seat=2, bot="no such bot")) == "malformed"
            assert typed(server, await host.ask("seat-bot", seat=2, bot="hard:999999ms")) == "too-much"
            assert typed(server, await host.ask("seat-bot", seat=2, bot="itself")) == "malformed"
        await late.do("sit", seat=2)
        await settle([host, chair, late])
        async with unchanged(server, chair):
            assert typed(server, await late.ask("leave")) == "already-started"
            assert typed(server, await late.ask("sit", seat=1)) == "already-started"
            assert typed(server, await host.ask("seat-bot", seat=1, bot=None)) == "already-started"
            who = host.view["seats"][1]["who"]
            assert typed(server, await host.ask("remove", who=who)) == "already-started"


REQUESTS: Sequence[tuple[str, Wire]] = [
    ("choose", {"decision": "0.0", "choice": 0}),
    ("sit", {"seat": 0}),
    ("leave", {}),
    ("undo", {}),
    ("answer-undo", {"agrees": True}),
    ("resign", {}),
    ("come-back", {}),
    ("rematch", {}),
    ("hint", {"decision": "0.0"}),
    ("why-not", {"thing": "C6"}),
]
HOST_REQUESTS: Sequence[tuple[str, Wire]] = [
    ("seat-bot", {"seat": 0, "bot": "easy"}),
    ("seat-bot", {"seat": 0, "bot": None}),
    ("close", {}),
]


async def test_spectators_and_hosts_of_other_tables_change_nothing(server: Server) -> None:
    async with AsyncExitStack() as stack:
        host, player = await start(server, stack, "hollywood", 2)
        spectator, stranger = Guest(server.url), Guest(server.url)
        stranger.open("hollywood", ["me", "open"])
        who = host.view["seats"][1]["who"]
        for guest in (spectator, stranger):
            chair = await stack.enter_async_context(guest.at(host.table))
            assert not chair.view["is_host"]
            assert chair.view["me"] is None
            async with unchanged(server, chair):
                for do, more in REQUESTS:
                    why = typed(server, await chair.ask(do, **more))
                    assert why == ("already-started" if do in ("sit", "leave") else "not-your-seat")
                for do, more in [("remove", {"who": who}), ("mute", {"who": who}), *HOST_REQUESTS]:
                    why = typed(server, await chair.ask(do, **more))
                    assert why == ("already-started" if do == "seat-bot" else "not-host")
        async with unchanged(server, player):
            for do, more in [("remove", {"who": who}), ("mute", {"who": who}), ("close", {})]:
                assert typed(server, await player.ask(do, **more)) == "not-host"


async def test_a_table_that_is_not_there_is_said_so_and_the_socket_closed(server: Server) -> None:
    async with Guest(server.url).at("nowhere") as chair:
        await chair.until(lambda: chair.closed is not None)
        assert typed(server, chair.answers[0]) == "no-such-table"
        assert chair.closed == 4004


# Who they say they are


def cookie_of(guest: Guest) -> str:
    guest.get("/api/me")
    return guest.headers["Cookie"].partition("=")[2]


def false_cookies(server: Server, mine: str, others: str) -> dict[str, str]:
    """Words that look like those of somebody but are none."""
    person, until, seal = mine.split(".")
    key = signing_key_of(server.data)
    now = time.time()
    return {
        "changed": f"{person}.{until}.{seal[:-2]}{'AA' if seal[-2:] != 'AA' else 'BB'}",
        "swapped": f"{person}.{until}.{others.rpartition('.')[2]}",
        "prolonged": f"{person}.{int(until) + 1}.{seal}",
        "without a seal": f"{person}.{until}.",
        "signed elsewhere": Signer(b"k" * 32).sign(person, now),
        "expired": Signer(key).sign(person, now - YEAR - 1),
        "nonsense": "\xe9.\"'.\\",
    }


async def test_who_shows_a_false_cookie_is_a_new_guest(server: Server) -> None:
    victim, other = Guest(server.url), Guest(server.url)
    table = victim.open("hollywood", ["me", "open"])
    mine = cookie_of(victim)
    async with victim.at(table) as own:
        for what, word in false_cookies(server, mine, cookie_of(other)).items():
            forger = Guest(server.url)
            forger.headers["Cookie"] = f"cardtown={word}"
            async with forger.at(table) as chair, unchanged(server, own):
                assert chair.view["me"] is None, what
                assert not chair.view["is_host"]
                assert typed(server, await chair.ask("leave")) == "not-your-seat"
            answer = forger.ask("GET", "/api/me/tables")
            assert answer.json == []
            assert "Set-Cookie" in answer.headers, what
            assert cookie_of(forger) not in (word, mine)


def test_who_comes_now_and_then_is_known_for_ever(server: Server) -> None:
    guest = Guest(server.url)
    mine = cookie_of(guest)
    guest.get("/api/me")
    assert cookie_of(guest) == mine
    old = Signer(signing_key_of(server.data)).sign(mine.split(".")[0], time.time() - 0.6 * YEAR)
    guest.headers["Cookie"] = f"cardtown={old}"
    name = guest.get("/api/me")["name"]
    new = cookie_of(guest)
    assert new.split(".")[0] == mine.split(".")[0]
    assert int(new.split(".")[1]) >= int(mine.split(".")[1])
    assert guest.get("/api/me")["name"] == name


async def test_a_forged_token_opens_nothing(server: Server) -> None:
    victim = Guest(server.url)
    table = victim.open("hollywood", ["me", "open"])
    token = victim.post("/api/me/tokens", {"label": "my bot"})["token"]
    program = Guest(server.url, token)
    assert [mine["table"] for mine in program.get("/api/me/tables")] == [table]
    words = (token[:-1], f"{token}x", token.swapcase(), cookie_of(victim), "", "town_")
    for word in (*(f"Bearer {word}" for word in words), f"Basic {token}", token):
        forger = Guest(server.url)
        forger.headers["Authorization"] = word
        before = in_store(server, "SELECT count(*) FROM log")
        wish = {"game": "hollywood", "seats": ["me", "open"]}
        assert refused(server, forger.ask("POST", "/api/tables", wish)) == (401, "wrong-token")
        assert refused(server, forger.ask("GET", "/api/me")) == (401, "wrong-token")
        async with forger.at(table) as chair:
            await chair.until(lambda: chair.closed is not None)
            assert typed(server, chair.answers[0]) == "wrong-token"
            assert chair.closed == 4001
        assert in_store(server, "SELECT count(*) FROM log") == before
    disguised = Guest(server.url)
    disguised.headers["Cookie"] = f"cardtown={token}"
    assert disguised.get("/api/me/tables") == []


async def test_a_token_that_was_taken_back_stops_working(server: Server) -> None:
    person, thief = Guest(server.url), Guest(server.url)
    table = person.open("hollywood", ["me", "open"])
    made = person.post("/api/me/tokens", {"label": "my bot"})
    program = Guest(server.url, made["token"])
    async with program.at(table) as chair:
        assert chair.view["me"] == 0
    assert refused(server, thief.ask("DELETE", f"/api/me/tokens/{made['id']}")) == (404, "nobody")
    assert person.get("/api/me/tokens") == [{"id": made["id"], "label": "my bot", "token": None}]
    assert person.ask("DELETE", f"/api/me/tokens/{made['id']}").status == 204
    assert person.get("/api/me/tokens") == []
    assert refused(server, program.ask("GET", "/api/me")) == (401, "wrong-token")
    async with program.at(table) as chair:
        await chair.until(lambda: chair.closed is not None)
        assert chair.closed == 4001
    assert made["token"] not in repr(in_store(server, "SELECT name, body FROM note")), "only its fingerprint is kept"


FOREIGN = ["http://elsewhere.example", "null", "", "http://[", "http://localhost:1", "http://127.0.0.1.example"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_pages_of_other_sites_can_not_act_for_anybody(server: Server, origin: str) -> None:
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    before = in_store(server, "SELECT count(*) FROM log")
    for method, path, body in [
        ("GET", "/api/me", None),
        ("POST", "/api/tables", {"game": "hollywood", "seats": ["me", "open"]}),
        ("DELETE", "/api/me", None),
    ]:
        answer = guest.ask(method, path, body, {"Origin": origin})
        assert refused(server, answer) == (403, "wrong-origin")
        assert "Set-Cookie" not in answer.headers
    with pytest.raises(InvalidStatus) as caught:
        await connect(socket_url(server, table), additional_headers={**guest.headers, "Origin": origin})
    assert caught.value.response.status_code == 403
    assert in_store(server, "SELECT count(*) FROM log") == before
    assert guest.ask("GET", "/api/me", headers={"Origin": server.url}).status == 200
    async with connect(socket_url(server, table), additional_headers={**guest.headers, "Origin": server.url}):
        pass


def socket_url(server: Server, table: str) -> str:
    return f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket"


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.example", "[", "", "10.0.0.1"])
def test_on_loopback_the_server_answers_to_no_other_name(server: Server, host: str) -> None:
    """A page whose name somebody points here gets nothing, even though its Origin and Host agree."""
    guest = Guest(server.url)
    told = {"Host": f"{host}:{server.port}" if host.isalnum() else host, "Origin": f"http://{host}"}
    for path in ("/api/me", "/", "/metrics", "/healthz", "/openapi.json", "/icon.svg", "/nowhere"):
        assert refused(server, guest.ask("GET", path, headers=told)) == (403, "wrong-origin")
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        asked = f"GET /api/tables/x/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        raw.sendall(f"{asked}{key}\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    ("options", "names", "others"),
    [
        (("--host", "127.0.0.2"), ["127.0.0.2", "localhost"], ["elsewhere.example", "127.0.0.3"]),
        (("--name", "Cards.Example.org"), ["cards.example.org", "CARDS.example.org:80"], ["example.org"]),
        (("--name", "kärten.example"), ["xn--krten-gra.example"], ["karten.example"]),
        (("--host", "0.0.0.0", "--name", "cards.example.org"), ["cards.example.org", "127.0.0.1"], ["10.0.0.1"]),
        (("--host", "0.0.0.0"), ["cards.example.org", "10.0.0.1"], []),
    ],
)
def test_the_server_answers_to_the_names_that_it_was_given(
    tmp_path: Path, options: tuple[str, ...], names: list[str], others: list[str]
) -> None:
    with serving(tmp_path / "town", *options) as server:
        guest = Guest(f"http://{options[1] if options[1] == '127.0.0.2' else '127.0.0.1'}:{server.port}")
        for name in names:
            assert guest.ask("GET", "/api/me", headers={"Host": name}).status == 200, name
        for name in others:
            assert guest.ask("GET", "/api/me", headers={"Host": name}).status == 403, name


WITH_IPV6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::", marks=WITH_IPV6)])
def test_a_web_server_of_this_machine_is_believed(tmp_path: Path, host: str) -> None:
    with serving(tmp_path / "town", "--host", host) as server:
        told = {"X-Forwarded-Proto": "https", "Host": "localhost"}
        answer = Guest(f"http://127.0.0.1:{server.port}").ask("GET", "/api/me", headers=told)
        assert "; Secure" in answer.headers["Set-Cookie"]


# What they say


@pytest.mark.parametrize(
    "text",
    ["", " ", "x" * (LONGEST_TEXT + 1), "two\nlines", "bell\a", "nul\0", "\x1b[31mred", "turn \u202e around", "\u200b"],
)
async def test_what_can_not_be_shown_in_one_line_can_not_be_said(server: Server, text: str) -> None:
    guest = Guest(server.url)
    async with guest.at(guest.open("hollywood", ["me", "open"])) as chair, unchanged(server, chair):
        assert typed(server, await chair.ask("say", text=text)) == "malformed"
        assert chair.said == []


async def test_who_talks_too_often_must_wait_at_every_table(server: Server) -> None:
    guest, listener = Guest(server.url), Guest(server.url)
    tables = [guest.open("hollywood", ["me", "open"]) for _ in range(2)]
    async with guest.at(tables[0]) as one, guest.at(tables[1]) as two, listener.at(tables[0]) as other:
        answers = [await one.ask("say", text=f"{n}") for n in range(20)]
        heard = sum(answer["is"] == "done" for answer in answers)
        assert 5 <= heard < 20
        assert {typed(server, answer) for answer in answers if answer["is"] != "done"} == {"too-often"}
        assert len(log_of(server, one.table)) == 1 + heard
        async with unchanged(server, two):
            assert typed(server, await two.ask("say", text="here too")) == "too-often"
        await other.do("say", text="others may talk")


async def test_who_was_muted_is_not_heard_until_the_host_says_so(server: Server) -> None:
    host, guest = Guest(server.url), Guest(server.url)
    table = host.open("hollywood", ["me", "open"])
    async with host.at(table) as chair, guest.at(table) as loud:
        await loud.do("say", text="hello")
        await chair.until(lambda: chair.said)
        who = chair.said[0]["who"]
        await chair.do("mute", who=who)
        await loud.until(lambda: loud.view["is_muted"])
        async with unchanged(server, loud):
            assert typed(server, await loud.ask("say", text="hello?")) == "muted"
            assert typed(server, await loud.ask("mute", who=who, muted=False)) == "not-host"
            assert typed(server, await chair.ask("mute", who="nobody")) == "nobody"
            mine = chair.view["seats"][0]["who"]
            assert typed(server, await chair.ask("mute", who=mine)) == "illegal"
        await chair.do("mute", who=who, muted=False)
        await loud.do("say", text="thank you")


async def test_who_was_sent_away_can_not_come_back(server: Server) -> None:
    host, guest = Guest(server.url), Guest(server.url)
    table = host.open("hollywood", ["me", "open"])
    async with host.at(table) as chair:
        async with guest.at(table) as bad, guest.at(table) as same:
            await bad.do("sit", seat=1)
            await chair.until(lambda: chair.view["seats"][1]["who"])
            assert chair.view["stage"] == "playing"
        await chair.do("resign")
    table = host.open("hollywood", ["me", "open"])
    async with host.at(table) as chair:
        async with guest.at(table) as bad, guest.at(table) as same:
            await bad.do("say", text="I am bad")
            await chair.until(lambda: chair.said)
            who = chair.said[0]["who"]
            assert typed(server, await bad.ask("remove", who=who)) == "not-host"
            mine = chair.view["seats"][0]["who"]
            assert typed(server, await chair.ask("remove", who=mine)) == "illegal"
            await chair.do("remove", who=who)
            for socket_of_guest in (bad, same):
                await socket_of_guest.until(lambda at=socket_of_guest: at.closed is not None)  # type: ignore[misc]
                assert socket_of_guest.closed == 4003
        async with unchanged(server, chair):
            async with guest.at(table) as bad:
                await bad.until(lambda: bad.closed is not None)
                assert typed(server, bad.answers[0]) == "removed"
                assert bad.closed == 4003
                assert not bad.view
            assert refused(server, guest.ask("GET", f"/api/tables/{table}")) == (403, "removed")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * (LONGEST_NAME + 1),
        "\u202emia",
        "mia\u2066",
        "mi\u200ba",
        "\ufeffmia",
        "mi\u00ada",
        "mia\0",
        "mi\x1b[0ma",
        "\u3164",
        "\u2800",
        "...",
        "\U0001d160" * LONGEST_NAME,
        7,
        None,
    ],
)
def test_names_that_can_not_be_shown_are_refused(server: Server, name: object) -> None:
    guest = Guest(server.url)
    before = guest.get("/api/me")
    wrong = {"name": name} if name is not None else {"name": "mia", "is_admin": True}
    assert refused(server, guest.ask("PATCH", "/api/me", wrong)) == (400, "malformed")
    assert refused(server, guest.ask("POST", "/api/me/tokens", {"label": name})) == (400, "malformed")
    assert guest.get("/api/me") == before
    assert guest.get("/api/me/tokens") == []


def test_a_name_is_kept_as_it_looks(server: Server) -> None:
    guest = Guest(server.url)
    for name, shown in [("  Mia   Ö. ", "Mia Ö."), ("Zoe\u0308", "Zoë"), ("木村", "木村"), ("<b>7</b>", "<b>7</b>")]:
        assert guest.ask("PATCH", "/api/me", {"name": name}).json["name"] == shown
        assert guest.get("/api/me")["name"] == shown


# Over HTTP


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api", "/api/me/", "/api/games/", "/api/tables/x/secret", "//", "/%2e%2e"]
)
def test_a_page_that_is_not_there_is_said_so(server: Server, path: str) -> None:
    assert refused(server, Guest(server.url).ask("GET", path)) == (404, "no-such-page")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/api/games/chess", "no-such-game"),
        ("/api/games/chess/words/en", "no-such-game"),
        ("/api/games/hollywood/words/..", "no-such-page"),
        ("/api/games/hollywood/words/tlh", "no-such-page"),
        ("/api/tables/nowhere", "no-such-table"),
        ("/api/tables/%00", "no-such-table"),
        ("/api/tables/%ED%A0%80/record", "no-such-table"),
    ],
)
def test_a_thing_that_is_not_there_is_said_so(server: Server, path: str, why: str) -> None:
    assert refused(server, Guest(server.url).ask("GET", path)) == (404, why)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/api/me", {"GET", "HEAD", "PATCH", "DELETE"}),
        ("GET", "/api/tables", {"POST"}),
        ("OPTIONS", "/api/lobby", {"GET", "HEAD"}),
        ("BREW", "/healthz", {"GET", "HEAD"}),
        ("DELETE", "/api/tables/x", {"GET", "HEAD"}),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(server: Server, method: str, path: str, allowed: set[str]) -> None:
    answer = Guest(server.url).ask(method, path)
    assert refused(server, answer) == (405, "wrong-method")
    assert set(answer.headers["Allow"].split(", ")) == allowed


WISHES: Sequence[tuple[Any, int, str]] = [
    (b"", 400, "malformed"),
    (b"no json", 400, "malformed"),
    (b"\xff\xfe", 400, "malformed"),
    (b'{"game": "hollywood", "seats": ["me", "open"]', 400, "malformed"),
    (b'{"game": "hollywood", "seats": ["me", "open"], "clock": {"x": ' + b"[" * 60_000, 400, "malformed"),
    ([], 400, "malformed"),
    ({"game": "hollywood"}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open"], "admin": True}, 400, "malformed"),
    ({"game": "hollywood", "seats": []}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me"] * 7}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "me"]}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open", "open"]}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "grandmaster"]}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "hard:99999999"]}, 409, "too-much"),
    ({"game": "hollywood", "seats": ["me", "open"], "options": {"carpet": 99}}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open"], "options": {"speed": 1}}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open"], "options": {"carpet": 10**30}}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open"], "clock": {"kind": "move"}}, 400, "malformed"),
    ({"game": "hollywood", "seats": ["me", "open"], "clock": {"kind": "move", "seconds": -1}}, 400, "malformed"),
    ({"game": "chess", "seats": ["me", "open"]}, 404, "no-such-game"),
    ({"game": "../hollywood", "seats": ["me", "open"]}, 404, "no-such-game"),
    (b" " * (LONGEST_BODY + 1), 413, "too-large"),
]


@pytest.mark.parametrize(("wish", "status", "why"), WISHES)
def test_a_table_that_can_not_be_is_not_opened(server: Server, wish: Any, status: int, why: str) -> None:
    guest = Guest(server.url)
    before = in_store(server, "SELECT count(*) FROM log")
    assert refused(server, guest.ask("POST", "/api/tables", wish)) == (status, why)
    assert guest.get("/api/me/tables") == []
    assert in_store(server, "SELECT count(*) FROM log") == before


def test_who_opens_tables_or_guesses_codes_too_often_must_wait(server: Server) -> None:
    guest = Guest(server.url)
    guest.get("/api/me")
    answers = [guest.ask("POST", "/api/tables", {"game": "chess", "seats": ["me"]}) for _ in range(60)]
    assert refused(server, answers[0]) == (404, "no-such-game")
    assert refused(server, answers[-1]) == (429, "too-often")
    # Guesses are counted by address; that of a browser behind a proxy on this machine is told by the proxy.
    proxied = {"X-Forwarded-For": "192.0.2.7"}
    answers = [Guest(server.url).ask("POST", "/api/identity", {"code": "A" * 10}, proxied) for _ in range(15)]
    assert refused(server, answers[0]) == (404, "nobody")
    assert refused(server, answers[-1]) == (429, "too-often")


def test_a_request_that_breaks_off_or_is_no_http_harms_nobody(server: Server) -> None:
    heads = "PATCH /api/me HTTP/1.1\r\nHost: localhost\r\n"
    for sent in [
        "nonsense\r\n\r\n",
        f"{heads}Content-Length: 100\r\n\r\nshort",
        f"{heads}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        f"{heads}Content-Length: -1\r\n\r\n",
    ]:
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(sent.encode())
    assert Guest(server.url).get("/healthz")["status"] == "ok"


async def test_a_match_is_not_looked_into_before_its_end(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        acting, _ = to_act(chairs)
        await acting.choose()
        for guest in (chairs[0].guest, Guest(server.url)):
            for page in ("record", "transcript", "replay", "replay?seat=1", "scores", "review", "review?seat=1"):
                assert refused(server, guest.ask("GET", f"/api/tables/{acting.table}/{page}")) == (409, "not-over")
            answer = guest.ask("POST", f"/api/tables/{acting.table}/continue", {"step": 0, "seat": 0})
            assert refused(server, answer) == (409, "not-over")


async def test_a_seat_that_is_asked_about_must_be_one(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2)
        await one.do("resign")
        await other.until(lambda: other.is_over)
        for seat, found in [
            ("x", (400, "malformed")),
            ("-1", (400, "malformed")),
            ("%D9%A1", (400, "malformed")),
            ("", (400, "malformed")),
            ("2", (404, "no-such-seat")),
            ("99", (404, "no-such-seat")),
        ]:
            for page in ("replay", "review"):
                answer = one.guest.ask("GET", f"/api/tables/{one.table}/{page}?seat={seat}")
                assert refused(server, answer) == found
        answer = Guest(server.url).ask("GET", f"/api/tables/{one.table}/review")
        assert refused(server, answer) == (409, "not-your-seat")


# What every answer carries, and what it does not


def test_every_answer_has_the_headers_that_keep_browsers_strict(server: Server) -> None:
    guest = Guest(server.url)
    words = {"table": guest.open("hollywood", ["me", "open"]), "game": "hollywood", "language": "en", "token": "x"}
    asked = [(route.method, route.path.format(**words)) for route in ROUTES if route.path != "/api/me"]
    for method, path in [*asked, ("GET", "/"), ("GET", "/openapi.json"), ("GET", "/nowhere"), ("BREW", "/healthz")]:
        answer = guest.ask(method, path)
        for name, value in HEADERS:
            assert answer.headers.get_all(name.decode()) == [value.decode()], (method, path)
        assert "Server" not in answer.headers
        assert path == "/metrics" or str(server.data) not in answer.content.decode()
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy


def test_no_script_can_read_the_cookie_and_no_other_site_can_send_it(server: Server) -> None:
    made = Guest(server.url).ask("GET", "/api/me").headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(made)
    assert "Secure" not in made
    proxied = Guest(server.url).ask("GET", "/api/me", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in proxied.headers["Set-Cookie"].split("; ")


@pytest.mark.skipif(IN_POSTGRESQL, reason="there are no files")
def test_only_the_owner_can_read_what_is_kept(server: Server) -> None:
    for file in server.data.iterdir():  # the key, and the store with the secrets of all tables
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


async def test_when_the_server_itself_fails_nobody_is_told_how(tmp_path: Path) -> None:
    """A row that no Cardtown wrote stands in the store: its table can't be read, and all others can."""
    with serving(tmp_path / "town") as server:
        guest = Guest(server.url)
        guest.open("hollywood", ["me", "open"])
        store = await open_store(location(server.data))
        assert await store.append("broken", Row(0, 0.0, b'{"type": "secret-word"}'))
        await store.close()
        answer = guest.ask("GET", "/api/tables/broken")
        assert answer.status == 500
        assert answer.json == {"why": "internal", "message": "something went wrong here"}
        assert {name.decode() for name, _ in HEADERS} <= {name.lower() for name in answer.headers}
        with pytest.raises(InvalidStatus) as caught:
            await connect(socket_url(server, "broken"), additional_headers=guest.headers)
        tell_nothing(server, (caught.value.response.body or b"").decode())
        assert guest.open("hollywood", ["me", "open"])
        lines = [json.loads(line) for line in server.stop().split("\n") if line]
        assert {line["level"] for line in lines} == {"error"}
        assert "secret-word" not in repr(lines)


def test_the_log_says_where_something_failed_but_not_with_which_values() -> None:
    try:
        raise ValueError("the hidden card is C6")
    except ValueError:
        record = logging.LogRecord("cardtown", logging.ERROR, "", 1, "a page failed", (), sys.exc_info())
    line = LinesOfJson().format(record)
    assert "C6" not in line
    assert json.loads(line)["error"] == "ValueError"


# What is theirs


async def give_up(loser: Chair, winner: Chair) -> None:
    """Resign, and wait until what follows from the end is noted too: that is a second row."""
    number = loser.view["number"]
    await loser.do("resign")
    await winner.until_number(number + 2)


async def test_who_deletes_their_data_leaves_games_but_no_name(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2, is_listed=True)
        leaver, stayer = one.guest, other.guest
        leaver.ask("PATCH", "/api/me", {"name": "Mia Unforgettable"})
        token = leaver.post("/api/me/tokens", {"label": "my bot"})["token"]
        code = leaver.post("/api/me/code")["code"]
        await one.do("say", text="good game")
        await give_up(one, other)
        assert stayer.get("/api/me/tables")[0]["players"][0] == "Mia Unforgettable"
        assert leaver.get("/api/me")["ratings"].keys() == {"hollywood"}
        before = dict(leaver.headers)
        answer = leaver.ask("DELETE", "/api/me")
        assert answer.status == 204
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
        leaver.headers = before
        again = leaver.get("/api/me")
        assert again["name"] not in ("Mia Unforgettable", FORMER_GUEST), "whoever shows the old cookie is somebody new"
        assert again["ratings"] == {}
        assert leaver.get("/api/me/tables") == []
        assert refused(server, Guest(server.url, token).ask("GET", "/api/me")) == (401, "wrong-token")
        assert refused(server, stayer.ask("POST", "/api/identity", {"code": code})) == (404, "nobody")
        seen = stayer.get(f"/api/tables/{one.table}")
        assert seen["seats"][0]["name"] == FORMER_GUEST
        assert seen["said"][0]["name"] == FORMER_GUEST
        (mine,) = stayer.get("/api/me/tables")
        assert mine["players"][0] == FORMER_GUEST
        assert mine["winners"] == [1]
        assert stayer.get(f"/api/tables/{one.table}/record")["commitment"] == seen["commitment"]
        kept = repr(in_store(server, "SELECT body FROM log UNION ALL SELECT body FROM note"))
        assert "Unforgettable" not in kept


async def test_a_code_brings_somebody_to_a_second_device_once(server: Server) -> None:
    first = Guest(server.url)
    first.ask("PATCH", "/api/me", {"name": "Noa"})
    table = first.open("hollywood", ["me", "open"])
    code = first.post("/api/me/code")["code"]
    proxied = {"X-Forwarded-For": "192.0.2.8"}
    devices = [Guest(server.url) for _ in range(6)]
    given = {"code": f" {code.lower()} "}
    answers = await asyncio.gather(
        *(asyncio.to_thread(device.ask, "POST", "/api/identity", given, proxied) for device in devices)
    )
    assert sorted(answer.status for answer in answers) == [200] + [404] * 5
    second = devices[[answer.status for answer in answers].index(200)]
    assert second.get("/api/me")["name"] == "Noa"
    async with second.at(table) as chair:
        assert chair.view["me"] == 0
    assert code not in repr(in_store(server, "SELECT name, body FROM note"))


async def test_my_tables_begin_where_it_is_my_turn_and_listed_matches_are_rated(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2, is_listed=True)
        winner, loser = other.guest, one.guest
        listed = [each["table"] for each in loser.get("/api/lobby")]
        assert one.table in listed
        waiting = loser.open("hollywood", ["me", "open"])
        assert waiting not in [each["table"] for each in winner.get("/api/lobby")]
        acting, _ = to_act([one, other])
        mine = acting.guest.get("/api/me/tables")
        assert mine[0]["table"] == one.table
        assert [each["is_my_turn"] for each in mine] == [True] + [False] * (len(mine) - 1)
        await give_up(one, other)
        assert one.table not in [each["table"] for each in winner.get("/api/lobby")]
        assert [each["table"] for each in loser.get("/api/me/tables")] == [waiting, one.table]
        assert winner.get("/api/me/tables")[0]["winners"] == [1]
        rated = [guest.get("/api/me")["ratings"]["hollywood"] for guest in (winner, loser)]
        assert rated[0] > rated[1]
        private = loser.open("hollywood", ["me", "open"])
        async with loser.at(private) as host, winner.at(private) as guest:
            await guest.do("sit", seat=1)
            await give_up(guest, host)
        assert [each.get("/api/me")["ratings"]["hollywood"] for each in (winner, loser)] == rated


# Where it can't be served


def serve_in_vain(*options: str) -> str:
    """`cardtown serve` where it can't; the one line that it says."""
    done = subprocess.run(
        [sys.executable, "-m", "cardtown", "serve", *options], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("cardtown: ")
    return line


def test_a_port_that_is_used_already_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert port in serve_in_vain("--port", port, "--data", str(tmp_path / "town"))
    assert not (tmp_path / "town").exists()


@pytest.mark.skipif(IN_POSTGRESQL, reason="there any number may serve")
def test_a_town_in_a_folder_is_served_by_one_and_after_its_death_by_another(tmp_path: Path) -> None:
    with serving(tmp_path / "town") as server:
        assert "is open already" in serve_in_vain("--port", "0", "--data", str(tmp_path / "town"))
        server.kill()
        server.restart()
        assert Guest(server.url).get("/healthz")["status"] == "ok"


def test_an_address_that_is_not_ours_is_said_so(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "..", "x" * 64):
        assert host in serve_in_vain("--host", host, "--port", "0", "--data", str(tmp_path / "town"))
    assert not (tmp_path / "town").exists()


def test_a_data_folder_that_can_not_be_written_is_said_so(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert "file" in serve_in_vain("--port", "0", "--data", str(file))
    assert "town" in serve_in_vain("--port", "0", "--data", str(file / "town"))
    assert "xxx" in serve_in_vain("--port", "0", "--data", str(tmp_path / ("x" * 300)))
    if os.geteuid():  # root may write everywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        assert "locked" in serve_in_vain("--port", "0", "--data", str(tmp_path / "locked"))


def test_a_store_that_is_broken_or_newer_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / STORE_FILE
    words = b"no store at all, only words, and more than a few of them"
    file.write_bytes(words)
    assert STORE_FILE in serve_in_vain("--port", "0", "--data", str(tmp_path))
    assert file.read_bytes() == words
    file.unlink()
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA user_version = 99")
    assert "newer Cardtown" in serve_in_vain("--port", "0", "--data", str(tmp_path))
    with closing(sqlite3.connect(file)) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (99,)
        assert store.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / KEY_FILE
    file.write_bytes(b"k" * 32)
    file.chmod(0o644)
    assert "chmod 600" in serve_in_vain("--port", "0", "--data", str(tmp_path))
