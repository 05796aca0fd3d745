"""The browser client, as it was built into the package: one page for all addresses of its own, and its files."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route as Page

FOLDER = Path(__file__).parent.parent / "web"
PAGES = ("/", "/t/{table}", "/t/{table}/review", "/me")
FILES = ("icon.svg", "icon-maskable.svg", "icon-turn.svg", "manifest.webmanifest", "service-worker.js")
"""Files beside the page whose names never change."""

ASSET = re.compile(r"[\w-]+(\.[\w-]+)+", re.ASCII)
MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
COMPRESSED = {"br": ".br", "gzip": ".gz"}
"""Ways in which the build has compressed files already, the best first."""

NOT_BUILT = """<!doctype html><html lang=en><meta charset=utf-8><title>Cardtown</title><h1>Cardtown</h1>
<p>The table server is running, but the browser client has not been built. <code>make play</code> builds it.
<p>Programs find what they need in <a href=/openapi.json>/openapi.json</a>."""


def pages(folder: Path = FOLDER) -> list[Page]:
    """The client's pages and files; what they are is looked up when they are asked for."""

    async def page(request: Request) -> Response:
        if not (folder / "index.html").exists():
            return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-cache"})
        return await answer(request, folder / "index.html", "no-cache")

    async def file(request: Request) -> Response:
        return await answer(request, folder / request.url.path.removeprefix("/"), "no-cache")

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if not ASSET.fullmatch(name):
            raise HTTPException(404)
        return await answer(request, folder / "assets" / name, "public, max-age=31536000, immutable")

    return [
        *(Page(path, page) for path in PAGES),
        *(Page(f"/{name}", file) for name in FILES),
        Page("/assets/{name}", asset),
    ]


async def answer(request: Request, file: Path, caching: str) -> Response:
    """A file, compressed if the browser likes that; nothing if the browser has it already."""
    media = MEDIA.get(file.suffix)
    found = await asyncio.to_thread(read, file, request.headers.get("accept-encoding", "")) if media else None
    if found is None:
        raise HTTPException(404)
    content, encoding = found
    headers = {
        "cache-control": caching,
        "etag": f'"{hashlib.sha256(content).hexdigest()[:20]}"',
        "vary": "accept-encoding",
    }
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if encoding:
        headers["content-encoding"] = encoding
    return Response(content, headers=headers, media_type=media)


def read(file: Path, accepted: str) -> tuple[bytes, str | None] | None:
    """What a file holds and how that is compressed; None if there is no such file."""
    liked = {part.partition(";")[0].strip() for part in accepted.split(",")}
    for encoding, suffix in COMPRESSED.items():
        compressed = file.with_name(file.name + suffix)
        if encoding in liked and compressed.is_file():
            return compressed.read_bytes(), encoding
    return (file.read_bytes(), None) if file.is_file() else None
