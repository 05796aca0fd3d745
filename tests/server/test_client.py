"""The browser client as the server serves it, and what its sources must keep to."""

from __future__ import annotations

import gzip
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardtown.core.game import Game
from cardtown.games import games
from cardtown.server import client
from cardtown.server.app import POLICY
from cardtown.server.typescript import module
from tests.server.serving import Answer, Guest, Server, serving

WEB = Path(__file__).parent.parent.parent / "web"
SOURCES = [file for file in (WEB / "src").rglob("*") if file.suffix in (".ts", ".svelte", ".css", ".js", ".json")]
PAGES = ["/", "/t/some-table", "/t/some-table/review", "/me"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert (client.FOLDER / "index.html").exists(), "the client has not been built: `make test` builds it"
    with serving(tmp_path_factory.mktemp("town")) as server:
        yield server


@pytest.fixture
def guest(server: Server) -> Guest:
    return Guest(server.url)


def assets(page: Answer) -> list[str]:
    return re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.content.decode())


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_the_client_is_its_one_page(guest: Guest, path: str) -> None:
    answer = guest.ask("GET", path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers.get("set-cookie") is None  # who only looks is nobody yet
    assert answer.content == (client.FOLDER / "index.html").read_bytes()


def test_the_page_has_no_code_or_style_of_its_own(guest: Guest) -> None:
    page = guest.ask("GET", "/").content.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert "<style" not in page
    assert " style=" not in page
    assert re.findall(r'(?:src|href)="(?!/)', page) == []


@pytest.mark.parametrize("name", client.FILES)
def test_files_beside_the_page_are_asked_for_again(guest: Guest, name: str) -> None:
    answer = guest.ask("GET", f"/{name}")
    assert answer.status == 200
    assert answer.headers["content-type"] == client.MEDIA[Path(name).suffix]
    assert answer.headers["cache-control"] == "no-cache"
    again = guest.ask("GET", f"/{name}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status, again.content) == (304, b"")


def test_the_manifest_names_icons_that_are_there(guest: Guest) -> None:
    manifest = guest.get("/manifest.webmanifest")
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        assert guest.ask("GET", icon["src"]).headers["content-type"] == icon["type"]


def test_assets_have_names_that_change_and_are_kept_for_ever(guest: Guest) -> None:
    found = assets(guest.ask("GET", "/"))
    assert {Path(path).suffix for path in found} == {".js", ".css"}
    for path in found:
        answer = guest.ask("GET", path)
        assert answer.status == 200
        assert answer.headers["content-type"] == client.MEDIA[Path(path).suffix]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-security-policy"] == POLICY


def test_every_built_file_is_served_as_what_it_is(guest: Guest) -> None:
    for suffix in (".woff2", ".css", ".js"):
        file = next((client.FOLDER / "assets").glob(f"*{suffix}"))
        assert guest.ask("GET", f"/assets/{file.name}").headers["content-type"] == client.MEDIA[suffix]
    kinds = {file.suffix for file in (client.FOLDER / "assets").iterdir()}
    assert kinds <= {*client.MEDIA, *client.COMPRESSED.values()}


@pytest.mark.parametrize("encoding", client.COMPRESSED)
def test_what_was_compressed_by_the_build_is_sent_so(guest: Guest, encoding: str) -> None:
    path = max(assets(guest.ask("GET", "/")), key=lambda path: (client.FOLDER / path[1:]).stat().st_size)
    plain, small = guest.ask("GET", path), guest.ask("GET", path, headers={"Accept-Encoding": f"{encoding};q=0.9"})
    assert plain.headers.get("content-encoding") is None
    assert small.headers["content-encoding"] == encoding
    assert small.headers["vary"] == "accept-encoding"
    assert len(small.content) < len(plain.content) / 2
    if encoding == "gzip":
        assert gzip.decompress(small.content) == plain.content


def test_the_first_load_is_small(guest: Guest) -> None:
    code = [path for path in assets(guest.ask("GET", "/")) if path.endswith(".js")]
    sizes = [len(guest.ask("GET", path, headers={"Accept-Encoding": "gzip"}).content) for path in code]
    assert sum(sizes) <= 150_000


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/t",
        "/t/",
        "/t/a/b",
        "/me/",
        "/index.html",
        "/assets/",
        "/assets/nothing.js",
        "/assets/index.html",
        "/assets/..",
        "/assets/../index.html",
        "/assets/..%2Findex.html",
        "/assets/%2e%2e/%2e%2e/server/client.py",
        "/assets/..%2f..%2fserver%2fclient.py",
        "/assets/..%5Cindex.html",
        "/assets/%00.js",
        "/assets//etc/passwd",
        "//etc/passwd",
        "/service-worker.js/..",
    ],
)
def test_nothing_else_is_served(server: Server, path: str) -> None:
    """Asked for as it is written: a client of HTTP would tidy the path up before."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.split(b" ", 2)[1] == b"404"
    assert POLICY.encode() in answer
    assert b"no-such-page" in answer


def test_pages_are_only_to_be_read(guest: Guest) -> None:
    for path in ("/", "/me", "/icon.svg"):
        assert guest.ask("HEAD", path).status == 200
        assert guest.ask("POST", path, {}).status == 405


async def test_without_a_built_client_the_page_says_so(tmp_path: Path) -> None:
    front, *_ = client.pages(tmp_path)
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await front.app({"type": "http", "method": "GET", "path": "/", "headers": []}, lambda: None, send)  # type: ignore[arg-type, return-value]
    assert sent[0]["status"] == 200
    assert b"has not been built" in bytes(sent[1]["body"])  # type: ignore[call-overload]


def test_the_wire_in_typescript_is_the_newest() -> None:
    assert (WEB / "src" / "wire.ts").read_text(encoding="utf-8") == module(), "run `make docs`"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_the_client_names_no_game(game: Game) -> None:
    names = {game.id, game.title, *game.title.split()} - {"World", "City", "Town", "Top", "of", "the", "and"}
    named = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names), re.IGNORECASE)
    for file in SOURCES:
        found = named.search(file.read_text(encoding="utf-8"))
        assert found is None, f"{file}: {found}"


def test_every_text_that_the_client_uses_is_in_the_catalogues() -> None:
    words = json.loads((WEB / "src" / "words" / "en.json").read_text(encoding="utf-8"))
    groups = {key.partition(".")[0] for key in words if "." in key}
    files = [file for file in SOURCES if file.suffix in (".ts", ".svelte") and not file.name.endswith(".test.ts")]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    asked = set(re.findall(r"'((?:" + "|".join(groups) + r")\.[\w.-]+)'", code))
    assert asked - words.keys() == set()
    begun = set(re.findall(r"\bt\(`([\w.-]+)\$\{", code))
    assert {prefix for prefix in begun if not any(key.startswith(prefix) for key in words)} == set()
