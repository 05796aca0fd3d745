"""How bytes come and go: as uvicorn does it, but nobody holds on to a connection without reading or asking.

What waits to be sent to somebody who does not read is bounded: nothing more is added (see connection.py), and after a
while the connection is ended. Whoever comes back is sent the whole table.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from struct import pack
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.utils import apply_mask

from .bounds import Bounds
from .colleagues import Colleagues
from .limits import Allowance, Measure
from .metrics import Metrics
from .pulse import Pulse, Pulsing

TOO_OFTEN, TOO_SLOW = 4008, 4009
ASKED_WITHIN = 20.0
"""Seconds within which a request must be there from its first to its last byte."""

LAST_WORDS = 2.0
"""Seconds in which somebody may still read why the connection ends."""

READ_AHEAD = 8
"""Requests that may wait before no more are read: to stop reading and go on costs as much as to read."""

STATE, SOCKET = "connections", "socket"
"""What an application finds in its state: what connections share, and the one that it serves."""

FIN, TEXT, MASKED, SHORT, MASK = 0x80, 0x81, 0x80, 126, 4
PING, PONG = b"\x89\x00", b"\x8a\x80"
"""Without a text, and the answer, of which the mask is missing."""

FRAMES = Measure(400, 50)
"""What one socket may send beside short requests: longer ones, their parts, and what asks for nothing."""

PART = 4 * 1024
"""Bytes of that which are read before it is seen whether it was too much."""

BODY = (b"content-length", b"transfer-encoding")
SOCKET_OF_TABLE = re.compile(rb"/api/tables/([\w-]+)/socket(?:\?.*)?")


class Manners:
    """What connections share; they find it in the state of the application."""

    def __init__(self, bounds: Bounds, metrics: Metrics, colleagues: Colleagues | None = None) -> None:
        self.colleagues = colleagues
        self.slow = bounds.slow
        self.most = bounds.sockets + bounds.sockets // 10 + 100  # pages need some as well
        self.metrics = metrics
        self.sockets: set[Socket] = set()
        self.pulse = Pulse()
        self.coming: deque[Callable[[], None]] = deque()
        metrics.unsent.set_function(lambda: sum(each.transport.get_write_buffer_size() for each in self.sockets))

    def let_in(self, come: Callable[[], None]) -> None:
        """One after another, and between them everybody who plays has a turn: many may come back at once."""
        self.coming.append(come)
        if len(self.coming) == 1:
            asyncio.get_running_loop().call_soon(self._let_one_in)

    def _let_one_in(self) -> None:
        come = self.coming.popleft()
        if self.coming:
            asyncio.get_running_loop().call_soon(self._let_one_in)
        come()


class Inbox:
    """Requests for one reader, who waits for the next: what `asyncio.Queue` does for several."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.waiting: deque[Any] = deque()
        self.reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self.waiting.append(message)
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    async def get(self) -> Any:
        while not self.waiting:
            self.reader = self.loop.create_future()
            await self.reader
        return self.waiting.popleft()

    def empty(self) -> bool:
        return not self.waiting


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that ends when the other side does not read.

    What there is most of goes past all else: texts that are encoded already, and requests that came as a whole.
    """

    heard_at = 0.0
    asked_at = 0.0
    stuck: asyncio.TimerHandle | None = None
    ending: asyncio.TimerHandle | None = None
    is_between_frames = True
    is_heard = True
    """Nobody listens any more to who sends too much."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.place: set[Pulsing] = set()
        self.allowed = Allowance(FRAMES)

    @property
    def manners(self) -> Manners:
        found: Manners = self.app_state[STATE]
        return found

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.queue: Any = Inbox(self.loop)
        self.manners.sockets.add(self)

    def write(self, text: bytes) -> None:
        """Send a text; who writes looks first whether it is `writable`."""
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(head(len(text)) + text)

    def data_received(self, data: bytes) -> None:
        self.heard_at = self.loop.time()
        if not self.handshake_complete:
            self.is_between_frames &= not self.handshake_initiated  # frames may not come yet
        elif self.is_between_frames and self.conn.state is State.OPEN:
            data = self.take_texts(data)
            if not data:
                return
            self.is_between_frames = ends_with_frame(data)
        for at in range(0, len(data), PART):
            if self.transport.is_closing() or not self.is_heard:
                return
            super().data_received(data[at : at + PART])

    def handle_events(self) -> None:
        """Whatever is sent takes time to read, also if it asks for nothing."""
        if all(self.may_send() for _ in self.conn.events):
            super().handle_events()

    def may_send(self) -> bool:
        """May they send one more frame? If not they are sent away."""
        self.is_heard &= self.allowed.take(self.heard_at)
        if not self.is_heard:
            self.say_why(TOO_OFTEN, "you send too often")
            self.end_after(LAST_WORDS)
        return self.is_heard

    def take_texts(self, data: bytes) -> bytes:
        """Hand over the short texts with which this begins, and return what follows; who is there has been heard."""
        at = 0
        while len(data) - at > MASK + 1:
            begin = at + 2 + MASK
            if data.startswith(PONG, at):
                if not self.may_send():
                    return b""
                at = begin
                continue
            if data[at] != TEXT or not MASKED <= data[at + 1] < MASKED + SHORT:
                break
            end = begin + data[at + 1] - MASKED
            if end > len(data):
                break
            text = apply_mask(data[begin:end], data[at + 2 : begin])
            if not text.isascii():
                break
            if not self.close_sent:
                self.queue.put_nowait({"type": "websocket.receive", "bytes": text})
            at = end
        self.stop_reading()
        return data[at:]

    def stop_reading(self) -> None:
        if not self.read_paused and len(self.queue.waiting) > READ_AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    def start_keepalive(self) -> None:
        self.manners.pulse.add(self)

    def stop_keepalive(self) -> None:
        self.manners.pulse.remove(self)

    def ask(self) -> None:
        """Are you there? It is not numbered, and the answer is read as texts are."""
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(PING)

    def send_receive_event_to_app(self) -> None:
        """As uvicorn does it, which would stop reading after each request."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        self.stop_reading()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.stuck is None:
            self.stuck = self.loop.call_later(self.manners.slow, self.end_slow)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.stuck is not None:
            self.stuck.cancel()
            self.stuck = None

    def end_slow(self) -> None:
        self.manners.metrics.dropped.inc()
        self.say_why(TOO_SLOW, "you read too slowly")
        self.transport.close()
        self.end_after(LAST_WORDS)

    def say_why(self, code: int, why: str) -> None:
        """Say why it ends, for the case that they read it."""
        if not self.close_sent:
            self.close_sent = True
            self.conn.send_close(code, why)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def end_after(self, seconds: float) -> None:
        """End it then, whether or not the rest is read: to close alone would wait for that."""
        if self.ending is None and not self.disconnected:
            self.ending = self.loop.call_later(seconds, self.transport.abort)

    def handle_ping(self) -> None:
        """Who does not read is sent no pongs either: else any number of them would wait."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.end_after(LAST_WORDS)

    async def run_asgi(self) -> None:
        self.scope["state"][SOCKET] = self
        await super().run_asgi()
        self.end_after(self.close_timeout + LAST_WORDS)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self.stuck, self.ending):
            if timer is not None:
                timer.cancel()
        self.manners.sockets.discard(self)
        super().connection_lost(exc)


def ends_with_frame(data: bytes) -> bool:
    """Does this, which begins with a frame, end where one ends, and are none of them parts of a message?"""
    at = 0
    while at + 2 <= len(data) and data[at] & FIN:
        length, begin = data[at + 1] & ~MASKED, at + 2 + (MASK if data[at + 1] & MASKED else 0)
        if length >= SHORT:
            more = 2 if length == SHORT else 8
            length, begin = int.from_bytes(data[at + 2 : at + 2 + more]), begin + more
        at = begin + length
    return at == len(data)


def head(length: int) -> bytes:
    """What comes before a text of so many bytes, which is a frame of its own (RFC 6455, 5.2)."""
    if length < SHORT:
        return bytes((TEXT, length))
    return pack("!BBH", TEXT, SHORT, length) if length <= 0xFFFF else pack("!BBQ", TEXT, SHORT + 1, length)


class Page(H11Protocol):
    """A connection for pages that ends when a request does not come, or there are too many connections.

    Of uvicorn's two ways the one that answers no request by itself, without our headers.
    """

    hurry: asyncio.TimerHandle | None = None
    stuck: asyncio.TimerHandle | None = None
    becomes_socket = False
    asked = b""
    """The request that a colleague read before the connection was handed over to this worker, who keeps it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        manners: Manners = self.app_state[STATE]
        if len(self.connections) > manners.most:
            manners.metrics.turned_away.inc()
            transport.abort()
            return
        self.look()
        if self.asked:  # what comes after it may be there already, and is about to be read
            self.data_received(self.asked)

    def data_received(self, data: bytes) -> None:
        if self.becomes_socket:  # nothing can be said there before it is one
            self.transport.abort()
            return
        super().data_received(data)
        if not self.becomes_socket:
            self.look()

    def look(self) -> None:
        """A request is waited for, or is there as a whole, or was none."""
        if self.transport.is_closing():
            self.end_unless_read()
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED, h11.SWITCHED_PROTOCOL, h11.ERROR)
        if is_whole:
            self.no_hurry()
        elif self.hurry is None and not self.transport.is_closing():
            self.hurry = self.loop.call_later(ASKED_WITHIN, self.transport.abort)

    def no_hurry(self) -> None:
        if self.hurry is not None:
            self.hurry.cancel()
            self.hurry = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.no_hurry()  # uvicorn itself ends it when no other request follows
        if self.transport.is_closing():
            self.end_unless_read()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.end_unless_read()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.end_unless_read()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self.is_read()

    def end_unless_read(self) -> None:
        """What they do not read is not kept for ever; nor does a connection end while something waits to be read."""
        if self.stuck is None:
            self.stuck = self.loop.call_later(self.app_state[STATE].slow, self.end_slow)

    def is_read(self) -> None:
        if self.stuck is not None:
            self.stuck.cancel()
            self.stuck = None

    def end_slow(self) -> None:
        self.app_state[STATE].metrics.dropped.inc()
        self.transport.abort()

    def shutdown(self) -> None:
        if self.becomes_socket:  # it waits for its turn, of which uvicorn knows nothing
            self.transport.abort()
        else:
            super().shutdown()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if self.transport.get_write_buffer_size():  # of who does not read what they have asked for
            self.transport.abort()
            return
        self.no_hurry()
        self.is_read()
        if any(name in BODY and value != b"0" for name, value in event.headers):
            self.send_400_response("A socket is asked for without a body.")
            return
        self.becomes_socket = True
        if self.is_handed_over(event):
            self.transport.abort()  # of what is left here
            return
        come = super().handle_websocket_upgrade
        self.app_state[STATE].let_in(lambda: None if self.transport.is_closing() else come(event))

    def is_handed_over(self, event: h11.Request) -> bool:
        """Does the table for which they come belong to another worker, and has that one taken them?"""
        colleagues = self.app_state[STATE].colleagues
        asked = SOCKET_OF_TABLE.fullmatch(event.target)
        if colleagues is None or self.asked or asked is None:
            return False
        lines = [b"%s %s HTTP/1.1" % (event.method, event.target)]
        lines += [b"%s: %s" % header for header in event.headers]
        request = b"\r\n".join([*lines, b"", b""])
        connection = self.transport.get_extra_info("socket").fileno()
        return bool(colleagues.hand_over(asked[1].decode(), request, connection))

    def connection_lost(self, exc: Exception | None) -> None:
        self.no_hurry()
        self.is_read()
        super().connection_lost(exc)
