"""Whatever is sent to the server is answered; what is refused changes nothing; the server lives on."""

from __future__ import annotations

import http.client
import json
import os
import socket
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import count
from typing import Any, get_args
from urllib.parse import quote, urlencode

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from cardtown.core.game import Game
from cardtown.games import games
from cardtown.server import messages as wire
from cardtown.server.app import HEADERS, LONGEST_BODY
from cardtown.server.connection import REMOVED
from cardtown.server.openapi import openapi
from cardtown.server.refusal import Why
from cardtown.server.routes import ROUTES, Route
from tests.conftest import Tally
from tests.server.inputs import NUMBERS, TEXTS, Input, Known, inputs, known, mostly
from tests.server.outside import Outside, reading
from tests.server.serving import PATIENCE, Guest, Server, Wire, serving, whole

SOAK = int(os.environ.get("CARDTOWN_SOAK", "1"))
ANY_PACE = settings(deadline=None, suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
WHY = set(get_args(Why)) - {"internal"}
GARBLED = ("Invalid HTTP request received.", "ASGI callable returned without completing handshake.")
"""What the log may say of those who speak no HTTP, or leave in the middle of a handshake."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town"), "--grace", "3600") as server:
        yield server
        assert server.process.poll() is None
        for line in server.stop().split("\n"):
            assert not line or json.loads(line)["message"] in GARBLED, line


# Messages


class Sitter:
    """A socket at a table over which one thing at a time is asked for."""

    def __init__(self, guest: Guest, table: str, stack: ExitStack) -> None:
        self.guest = guest
        url = f"{guest.url.replace('http', 'ws')}/api/tables/{table}/socket"
        self.socket = stack.enter_context(
            connect(url, additional_headers=guest.headers, max_size=None, compression=None)
        )
        self.view: Wire = {}
        while not self.view:
            self._receive()

    def _receive(self) -> Wire:
        message: Wire = json.loads(self.socket.recv(timeout=PATIENCE))
        if message["is"] == "view":
            self.view = whole(message, self.view)
        return message

    def send(self, data: str | bytes) -> Wire:
        """Send something; what is answered."""
        self.socket.send(data)
        while True:
            message = self._receive()
            if message["is"] == "view" and message["done"]:
                (id,) = message["done"]
                return {"is": "done", "id": id}
            if message["is"] not in ("view", "presence"):
                return message

    def do(self, request: str, **more: Any) -> None:
        answer = self.send(json.dumps({"do": request, "id": 1, **more}))
        assert answer["is"] == "done", answer

    def until_number(self, number: int) -> None:
        while self.view["number"] < number:
            self._receive()

    def is_well(self) -> bool:
        """Is the socket as it should be: answered, or closed because the host has sent them away?"""
        try:
            return bool(self.send('{"do": "ping", "id": 7}')["is"] == "pong")
        except ConnectionClosed as closed:
            return closed.rcvd is not None and closed.rcvd.code == REMOVED

    @property
    def choices(self) -> list[Wire]:
        board = self.view["board"]
        return board["choices"] if board and self.view["stage"] == "playing" else []

    def find(self, asked: Known) -> Any:
        """Something that is there now; or, where there is nothing of the kind, what might have been."""
        board = self.view["board"] or {"zones": []}
        there: dict[str, Sequence[Any]] = {
            "decision": [self.view["decision"] or "0.0"],
            "choice": [choice["number"] for choice in self.choices] or [0],
            "who": [each["who"] for each in (*self.view["seats"], *self.view["said"]) if each["who"]] or ["nobody"],
            "thing": [thing["id"] for zone in board["zones"] for thing in zone.get("things", [])] or ["C6"],
        }
        return there[asked.what][asked.n % len(there[asked.what])]


LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "decision": known("decision"),
    "choice": known("choice"),
    "who": known("who"),
    "thing": known("thing"),
    "seat": st.integers(0, 3),
    "bot": st.sampled_from(["random", "easy", "hard:300ms", "hard:999999ms", "itself", ""]),
    "text": st.sampled_from(["hello", "a\nb", "\u202e", " "]),
}
ROLES = ("host", "player", "spectator", "host of another table")
STAGES = ("open", "playing", "playing", "ended")
FRAMES = st.tuples(inputs(wire.AnyRequest, LIKELY), st.booleans())
"""What is sent, and whether as text if it is one."""


class Scene:
    """A table at some stage, with all its people, and one of them, or somebody else, who will send anything."""

    def __init__(self, server: Server, game: Game, role: str, stage: str, may_hint: bool, stack: ExitStack) -> None:
        seats = max(2, game.seats[0])
        people = [Guest(server.url) for _ in range(seats)]
        self.table = people[0].open(game.id, ["me", *["open"] * (seats - 1)], may_hint=may_hint)
        self.store = stack.enter_context(reading(server.data))
        self.sitters = [Sitter(people[0], self.table, stack)]
        for seat, person in enumerate(people[1:], 1):
            person.get("/api/me")
            self.sitters.append(Sitter(person, self.table, stack))
            if stage != "open" or seat < seats - 1:
                self.sitters[-1].do("sit", seat=seat)
        match role:
            case "host":
                self.sender = self.sitters[0]
            case "player":
                self.sender = self.sitters[1]
            case _:
                guest = Guest(server.url)
                guest.get("/api/me")
                if role == "host of another table":
                    guest.open(game.id, ["me", *["open"] * (seats - 1)])
                self.sender = Sitter(guest, self.table, stack)
        self.settle()

    def settle(self) -> None:
        """Everybody sees the newest."""
        ((number,),) = self.store('SELECT count(*) FROM log WHERE "table" = ?', self.table)
        for sitter in (*self.sitters, self.sender):
            sitter.until_number(number)

    def play(self, places: Sequence[int]) -> None:
        """Some choices by those whose turn it is."""
        for place in places:
            acting = next((sitter for sitter in self.sitters if sitter.choices), None)
            if acting is None:
                return
            choice = acting.choices[place % len(acting.choices)]
            acting.do("choose", decision=acting.view["decision"], choice=choice["number"])
            self.settle()

    def end(self) -> None:
        """Two players can end a match by giving up; with more it is closed."""
        if self.sender.view["stage"] == "over":
            return  # it was played to its end
        if len(self.sitters) == 2:
            self.sitters[1].do("resign")
        else:
            self.sitters[0].do("close")
        self.settle()

    def changes(self) -> list[bytes]:
        """The table's log without what the server adds by itself: that the end is noted, a rematch, choices of bots."""
        found, bots = [], set()
        for (body,) in self.store('SELECT body FROM log WHERE "table" = ? ORDER BY number', self.table):
            row = json.loads(body)
            if row["type"] == "resigned" or (row["type"] == "sat" and row["player"].get("bot")):
                bots.add(row["seat"])
            if row["type"] not in ("finished", "rematched") and not (row["type"] == "chose" and row["seat"] in bots):
                found.append(body)
        return found

    def send(self, sent: Input, as_text: bool) -> str:
        """Send something and hold the answer against what was sent; what kind of answer it was."""
        data = sent.encode(self.sender.find)
        before = self.changes()
        answer = self.sender.send(text_or_bytes(data) if as_text else data)
        assert answer["is"] in ("done", "refused", "pong", "hinted", "explained")
        if sent.is_as_meant:
            assert answer["id"] == sent.value.get("id", 0)
        if answer["is"] == "refused":
            assert answer["why"] in WHY, answer
            # The sockets are new, so only talk is limited: that goes by person.
            assert answer["why"] != "too-often" or b'"say"' in data
            assert answer["message"]
        if answer["is"] != "done":
            assert self.changes() == before, answer
        return str(answer["why"] if answer["is"] == "refused" else answer["is"])


def text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_every_message_is_answered_and_what_is_refused_changes_nothing(
    server: Server, game: Game, soak: int, tally: Tally
) -> None:
    answers: Counter[str] = Counter()

    @settings(ANY_PACE, max_examples=5 * soak)
    @given(
        role=st.sampled_from(ROLES),
        stage=st.sampled_from(STAGES),
        may_hint=st.sampled_from([False] * 7 + [True]),  # a hint takes its time
        places=st.lists(st.integers(0, 62), max_size=12),
        frames=st.lists(FRAMES, min_size=15, max_size=45),
    )
    def one(role: str, stage: str, may_hint: bool, places: list[int], frames: list[tuple[Input, bool]]) -> None:
        note(f"{role}, {stage}, {may_hint=}, {places=}, {frames=}")  # schemathesis hides what Hypothesis tells
        with ExitStack() as stack:
            scene = Scene(server, game, role, stage, may_hint, stack)
            scene.play(places)
            if stage == "ended":
                scene.end()
            for frame, as_text in frames:
                answers[scene.send(frame, as_text)] += 1
            assert scene.sender.send('{"do": "ping", "id": 7}')["is"] == "pong", "the socket survives"
            for sitter in scene.sitters:
                assert sitter.is_well(), "and so do those of the others"

    one()
    assert answers["malformed"] < 0.8 * answers.total(), "most of it would prove little"
    tally(f"{game.id}, messages", answers.total())


# Pages


@dataclass
class Things:
    """What is there to be asked for, and whoever asks."""

    guest: Guest
    there: dict[str, Sequence[str]]
    address: str
    """As a proxy tells it; codes may be guessed only now and then from each."""

    def find(self, asked: Known) -> str:
        return self.there[asked.what][asked.n % len(self.there[asked.what])]


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    """A table whose match is over, after few choices: to judge many takes its time."""
    with ExitStack() as stack:
        scene = Scene(server, games()["hollywood"], "spectator", "ended", False, stack)
        scene.play([0, 0])
        scene.end()
        return scene.table


@pytest.fixture(scope="module")
def there(server: Server, finished: str) -> Things:
    return things(server, finished)


ADDRESSES = count()


def things(server: Server, finished: str) -> Things:
    """A new guest with a table and a token."""
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "open"])
    token = guest.post("/api/me/tokens", {"label": "mine"})
    origin = f"127.0.0.1:{server.port}"
    return Things(
        guest,
        {
            "table": [table, finished, "nowhere"],
            "game": [*games(), "chess"],
            "language": ["en", "de"],
            "token": [token["id"], "0" * 12],
            "player": ["me", "open", "random", "easy", "hard:99999999", "itself"],
            "code": ["ABCDEFGHJK", "abc"],
            "Host": [origin, f"localhost:{server.port}", "elsewhere.example", "[", "[::1]"],
            "Origin": [f"http://{origin}", "http://elsewhere.example", "null", "http://[", "//"],
            "Cookie": [guest.headers["Cookie"], guest.headers["Cookie"][:-1], "cardtown=a.1.b", 'cardtown="\\777"'],
            "Authorization": [f"Bearer {token['token']}", "Bearer town_x", "Basic YTpi", "Bearer"],
        },
        str(ip_address("10.0.0.0") + next(ADDRESSES)),
    )


OPTIONS = [option.name for game in games().values() for option in game.options]
LIKELY_IN_BODIES: dict[str, st.SearchStrategy[Any]] = {
    "game": known("game"),
    "seats": st.lists(known("player"), min_size=1, max_size=4),
    "options": st.dictionaries(st.sampled_from(OPTIONS), st.integers(0, 6) | st.sampled_from(["short", "one-round"])),
    "name": st.sampled_from(["Mia", "\u202e", "\u3164", "  "]),
    "label": st.sampled_from(["bot", "\0"]),
    "code": known("code"),
    "step": st.integers(0, 30),
    "seat": st.none() | st.integers(0, 2),
    "bot": known("player"),
}
LATIN = st.text([chr(n) for n in (*range(0x20, 0x7F), *range(0xA0, 0x100))], max_size=60)
HEADER_NAMES = ["Content-Type", "Accept", "Accept-Language", "Range", "If-None-Match", "X-Forwarded-Proto", "X-A"]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


@dataclass(frozen=True)
class Asking:
    """A request by HTTP; words of the path and values of headers may be things that are there."""

    method: str
    words: tuple[Any, ...]
    query: dict[str, str]
    headers: dict[str, Any]
    body: Input


@st.composite
def askings(draw: st.DrawFn) -> Asking:
    """Mostly a page that is there, as it should be asked for."""
    route: Route = draw(st.sampled_from(ROUTES))
    odd_method = st.sampled_from(METHODS) | st.text(string.ascii_uppercase, min_size=1)
    method = draw(mostly(st.just(route.method), odd_method))
    words = [
        draw(mostly(known(word[1:-1]), TEXTS)) if word.startswith("{") else word for word in route.path.split("/")[1:]
    ]
    if draw(st.integers(0, 9)) == 0:
        words = draw(st.lists(TEXTS | st.sampled_from(["api", "me", "tables", "..", ""]), max_size=5))
    query = draw(
        st.dictionaries(
            st.sampled_from(["seat", "from"]) | TEXTS, st.sampled_from(["0", "1", "2", "-1", "x"]) | TEXTS, max_size=2
        )
    )
    headers: dict[str, Any] = {"Cookie": Known("Cookie", 0)} if draw(st.booleans()) else {}
    odd_headers = st.lists(st.sampled_from(["Host", "Origin", "Cookie", "Authorization"]), min_size=1, max_size=2)
    for name in draw(mostly(st.just([]), odd_headers)):
        headers[name] = draw(mostly(known(name), LATIN))
    headers |= draw(st.dictionaries(st.sampled_from(HEADER_NAMES), LATIN, max_size=2))
    bodies = inputs(route.body, LIKELY_IN_BODIES) if route.body else st.builds(Input, st.binary(max_size=20))
    large = st.just(Input(b" " * (LONGEST_BODY + 1)))
    body = draw(bodies if draw(st.integers(0, 30)) else large)
    return Asking(method if method != "CONNECT" else "GET", tuple(words), query, headers, body)


def ask(server: Server, there: Things, asking: Asking) -> tuple[http.client.HTTPResponse, bytes]:
    def word(value: Any) -> str:
        return there.find(value) if isinstance(value, Known) else value

    target = "/" + "/".join(quote(word(value), safe="") for value in asking.words)
    if asking.query:
        target += "?" + urlencode(asking.query)
    body = asking.body.encode(there.find)
    usual = {"Host": there.there["Host"][0], "X-Forwarded-For": there.address, "Content-Length": str(len(body))}
    headers = {**usual, **asking.headers}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
        connection.putrequest(asking.method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, word(value))
        connection.endheaders(body)
        response = connection.getresponse()
        return response, response.read()


def kept(store: Outside) -> object:
    """How much of what people can change is kept: tables that were opened, and all that is theirs."""
    theirs = "SELECT count(*), sum(length(body)) FROM note WHERE kind IN ('person', 'token', 'token-of', 'code')"
    return store("SELECT count(*) FROM log WHERE number = 0"), store(theirs)


def test_every_page_answers_and_what_is_refused_changes_nothing(
    server: Server, finished: str, soak: int, tally: Tally
) -> None:
    answers: Counter[int] = Counter()

    @settings(ANY_PACE, max_examples=12 * soak)
    @given(st.lists(askings(), min_size=10, max_size=25))
    def one(asked: list[Asking]) -> None:
        there = things(server, finished)
        with reading(server.data) as store:
            before = kept(store)
            for asking in asked:
                note(repr(asking))
                response, content = ask(server, there, asking)
                answers[response.status] += 1
                assert response.status < 500
                for name, value in HEADERS:
                    assert response.getheader(name.decode()) == value.decode()
                before, earlier = kept(store), before
                if response.status >= 400:
                    assert before == earlier
                    assert response.getheader("Content-Type") == "application/json"
                    if asking.method != "HEAD":
                        error = json.loads(content)
                        assert error.keys() == {"why", "message"}
                        assert error["why"] in WHY
                else:
                    assert response.status in (200, 201, 204)

    one()
    assert Guest(server.url).get("/healthz")["status"] == "ok"
    assert answers[200] > 0.1 * answers.total(), "to be refused always would prove little"
    assert answers[429] < 0.1 * answers.total(), "and so would to be told to wait"
    tally("pages", answers.total())


def test_bytes_that_are_no_http_harm_nothing(server: Server, soak: int, tally: Tally) -> None:
    """Anything at all, or what begins like a request."""
    tried = 0
    heads = b"PATCH /api/me HTTP/1.1\r\nHost: localhost\r\n"
    begun = st.sampled_from(
        [
            b"",
            b"GET ",
            b"GET / HTTP/1.1\r\n",
            heads,
            heads + b"Content-Length: 20\r\n\r\n",
            heads + b"Transfer-Encoding: chunked\r\n\r\n",
            heads.replace(b"PATCH /api/me", b"GET /api/tables/x/socket")
            + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ]
    )

    @settings(ANY_PACE, max_examples=40 * soak)
    @given(begun, st.binary(max_size=200), st.booleans())
    def one(begin: bytes, more: bytes, ends: bool) -> None:
        nonlocal tried
        tried += 1
        note(repr((begin, more, ends)))
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as raw:
            raw.sendall(begin + more + b"\r\n\r\n" * ends)
            raw.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while part := raw.recv(65536):
                    answer += part
            except ConnectionResetError:
                pass  # the server did not wait for all of it
        assert answer[:9] in (b"", b"HTTP/1.1 ")
        assert answer[9:10] != b"5", answer

    one()
    assert Guest(server.url).get("/healthz")["status"] == "ok"
    tally("bytes instead of HTTP", tried)


def test_any_handshake_is_accepted_or_refused_with_a_reason(
    server: Server, there: Things, soak: int, tally: Tally
) -> None:
    tried, statuses = 0, set()

    @settings(ANY_PACE, max_examples=20 * soak)
    @given(
        known("table") | TEXTS,
        st.dictionaries(st.sampled_from(["Origin", "Cookie", "Authorization"]), NUMBERS | LATIN, max_size=2),
    )
    def one(table: Known | str, headers: dict[str, int | str]) -> None:
        nonlocal tried
        tried += 1
        note(f"{table=}, {headers=}")
        name = there.find(table) if isinstance(table, Known) else table
        sent = {
            each: there.find(Known(each, value)) if isinstance(value, int) else value for each, value in headers.items()
        }
        url = f"{server.url.replace('http', 'ws')}/api/tables/{quote(name, safe='')}/socket"
        try:
            with connect(url, additional_headers=sent, compression=None) as socket:
                first = json.loads(socket.recv(timeout=PATIENCE))
                if first["is"] == "refused":
                    assert first["why"] in WHY
                    with pytest.raises(ConnectionClosed) as closed:
                        socket.recv(timeout=PATIENCE)
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code in (4001, 4003, 4004)
                else:
                    assert first["is"] == "view"
        except InvalidStatus as error:
            statuses.add(error.response.status_code)

    one()
    assert statuses <= {403}
    tally("handshakes", tried)


# The description


DESCRIPTION = json.loads(msgspec.json.encode(openapi(ROUTES)))
described = schemathesis.openapi.from_dict(DESCRIPTION)


def test_the_server_describes_itself(server: Server) -> None:
    """What the next test tries is what the server says of itself."""
    assert Guest(server.url).get("/openapi.json") == DESCRIPTION


@described.parametrize()
@settings(ANY_PACE, max_examples=10 * SOAK)
def test_every_page_does_what_openapi_says(
    server: Server, there: Things, tally: Tally, case: schemathesis.Case[Any]
) -> None:
    """As it is made up, and again with things that are really there in its path, so that it is not always refused."""
    # That a name can be shown or that a game has an option can't be said in a schema: what fits it may be refused.
    case.call_and_validate(server.url, excluded_checks=[positive_data_acceptance], timeout=PATIENCE)
    tally("pages by their description", 1)
    if case.path_parameters:
        for what in case.path_parameters:
            case.path_parameters[what] = there.find(Known(what, len(case.path_parameters[what])))
        # Now it fits where it did not before.
        case.call_and_validate(
            server.url,
            headers=there.guest.headers,
            excluded_checks=[positive_data_acceptance, negative_data_rejection],
            timeout=PATIENCE,
        )
        tally("pages by their description", 1)
