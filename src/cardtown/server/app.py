"""The server as an ASGI application: pages, sockets, who may ask, and what every answer carries."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route as Page
from starlette.routing import Router, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from . import client
from . import messages as wire
from .colleagues import Colleagues
from .connection import FULL, NO_TABLE, REMOVED, TOO_MANY, Connection
from .openapi import openapi
from .refusal import Refused, Why
from .routes import ROUTES, Asked, Route, encode_answer
from .sockets import SOCKET, STATE, Manners
from .store import StoreError, Unsure
from .town import Town
from .visitors import Door, Visitor, address_of

log = logging.getLogger(__name__)

LONGEST_BODY = 64 * 1024
LONG = 4 * 1024
STATUS: dict[Why, int] = {
    "malformed": 400,
    "wrong-token": 401,
    "wrong-origin": 403,
    "removed": 403,
    "not-host": 403,
    "no-such-table": 404,
    "no-such-game": 404,
    "no-such-page": 404,
    "no-such-seat": 404,
    "no-such-step": 404,
    "nobody": 404,
    "wrong-method": 405,
    "too-large": 413,
    "too-often": 429,
    "internal": 500,
    "busy": 503,
}
CONFLICT = 409
"""What is refused for any other reason may be possible at another time."""

CLOSED_FOR: dict[Why, int] = {"wrong-token": 4001, "removed": REMOVED, "too-much": TOO_MANY, "busy": FULL}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


def make_app(town: Town, door: Door, colleagues: Colleagues | None = None) -> ASGIApp:
    """The application that serves a town."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[dict[str, Manners]]:
        await town.start()
        yield {STATE: Manners(town.settings.bounds, town.metrics, colleagues)}
        await town.stop()

    async def document(request: Request) -> Response:
        return Response(described, media_type="application/json")

    described = msgspec.json.encode(openapi(ROUTES))
    by_path: defaultdict[str, dict[str, Route]] = defaultdict(dict)
    for route in ROUTES:
        by_path[route.path][route.method] = route
    app = Starlette(
        routes=[
            *client.pages(),
            Page("/openapi.json", document),
            *(
                Page(path, page(town, door, routes), methods=list(routes), name=path)
                for path, routes in by_path.items()
            ),
        ],
        lifespan=life,
        exception_handlers={HTTPException: not_served, Exception: failed},
    )
    app.router.redirect_slashes = False  # it would lead to whatever host the request names
    pages = GZipMiddleware(app, LONG, compresslevel=4)  # a replay shrinks to a thirtieth
    sockets = Router([WebSocketRoute("/api/tables/{table}/socket", Sockets(town, door))])
    return by_kind(with_headers(by_name(pages, door)), sockets)


def page(town: Town, door: Door, routes: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    """Serves the routes of one path."""

    async def serve(request: Request) -> Response:
        route = routes["GET" if request.method == "HEAD" else request.method]
        try:
            return await answer(town, door, route, request)
        except Refused as refused:
            town.metrics.refused.labels(refused.why).inc()
            return refusal(refused)
        except StoreError as error:
            log.warning("a page can't be served: %s", error)
            town.metrics.refused.labels("busy").inc()
            return refusal(out_of_order(error))

    return serve


def out_of_order(error: StoreError) -> Refused:
    """What is told while the store can't be read or written."""
    if isinstance(error, Unsure):
        return Refused("busy", "whether this was kept is not known; look before you ask again")
    return Refused("busy", "nothing can be read or kept just now; ask again in a moment")


async def answer(town: Town, door: Door, route: Route, request: Request) -> Response:
    is_api = route.path.startswith("/api/")
    if is_api:
        door.check_origin(request)
        town.pages.check_address(address_of(request))
    visitor = await door.visitor(request) if is_api else Visitor("", "")
    asked = Asked(town, door, request, visitor)
    if route.body:
        try:
            asked.body = msgspec.json.decode(await body_of(request), type=route.body)
        except wire.UNREADABLE as error:
            raise Refused("malformed", f"this can't be read: {error}") from None
    found = await route.act(asked)
    content = b"" if found is None else encode_answer(found)
    response = Response(content, route.status, media_type=None if found is None else route.media)
    response.headers["cache-control"] = "no-store"
    if asked.visitor.cookie:
        response.headers["set-cookie"] = asked.visitor.cookie
    return response


async def body_of(request: Request) -> bytes:
    found = bytearray()
    try:
        async for part in request.stream():
            found += part
            if len(found) > LONGEST_BODY:
                raise Refused("too-large", f"a request may have {LONGEST_BODY} bytes")
    except ClientDisconnect:
        raise Refused("malformed", "the request was not sent to its end") from None
    return bytes(found)


def refusal(refused: Refused) -> Response:
    body = msgspec.json.encode(wire.Error(refused.why, str(refused)))
    return Response(body, STATUS.get(refused.why, CONFLICT), media_type="application/json")


async def not_served(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why: Why = "wrong-method" if error.status_code == STATUS["wrong-method"] else "no-such-page"
    response = refusal(Refused(why, "there is no such page; /openapi.json lists all"))
    response.headers.update(error.headers or {})
    return response


async def failed(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return refusal(Refused("internal", "something went wrong here"))


class Sockets:
    """Lets people watch and play at tables."""

    def __init__(self, town: Town, door: Door) -> None:
        self.town = town
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        websocket = WebSocket(scope, receive, send)
        try:
            self.door.check_name(websocket)
            self.door.check_origin(websocket)
        except Refused:
            await websocket.close()  # before it is accepted: the handshake is answered by 403
            return
        try:
            visitor = await self.door.visitor(websocket)
            with self.town.room.socket(visitor.person, visitor.address):
                await self._serve(websocket, visitor, receive, send)
        except (Refused, StoreError) as error:
            refused = error if isinstance(error, Refused) else out_of_order(error)
            self.town.metrics.refused.labels(refused.why).inc()
            with suppress(WebSocketDisconnect, RuntimeError):  # they may be gone already
                await websocket.accept()
                await websocket.send_text(wire.encode(wire.Refused(0, refused.why, str(refused))).decode())
                await websocket.close(CLOSED_FOR.get(refused.why, NO_TABLE), refused.why)

    async def _serve(self, websocket: WebSocket, visitor: Visitor, receive: Receive, send: Send) -> None:
        table = await self.town.tables.read_anew(websocket.path_params["table"])
        table.check_welcome(visitor.person)
        headers = [(b"set-cookie", visitor.cookie.encode())] if visitor.cookie else []
        await websocket.accept(headers=headers)
        socket = websocket.scope["state"][SOCKET]
        await Connection(self.town, socket, receive, send, visitor.person).run(table.name)


def with_headers(app: ASGIApp) -> ASGIApp:
    """Adds to every answer what keeps browsers from doing more than we ask of them."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve


def by_name(app: ASGIApp, door: Door) -> ASGIApp:
    """Answers only to the names that the server has."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                door.check_name(HTTPConnection(scope))
            except Refused as refused:
                door.town.metrics.refused.labels(refused.why).inc()
                return await refusal(refused)(scope, receive, send)
        return await app(scope, receive, send)

    return serve


def by_kind(pages: ASGIApp, sockets: ASGIApp) -> ASGIApp:
    """Sockets go past all that is there for pages: it would cost something for every message."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await (sockets if scope["type"] == "websocket" else pages)(scope, receive, send)

    return serve
