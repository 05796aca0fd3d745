"""One socket at one table, or at one after another: requests come in, views and answers go out.

What goes out is coalesced: who reads slowly gets the newest view, never a queue of old ones.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress

import msgspec
from starlette.types import Receive, Send

from . import messages as wire
from .help import hint
from .limits import Allowance, Measure
from .refusal import Refused
from .sockets import TOO_OFTEN, Socket
from .store import StoreError, Unsure
from .table import Table
from .tables import NoSuchTable
from .town import Town
from .views import Named, Seen, view

log = logging.getLogger(__name__)

ALLOWED = Measure(60, 30)
"""Requests that one socket may send."""

TOLERATED = Measure(200, 10)
"""Requests beyond that which are only refused; after more of them the socket is closed."""

MOST_WAITING = 100
"""Answers that wait to be sent; until somebody reads them no more requests are taken from them."""

REMOVED, NO_TABLE, TOO_MANY, FAILED, FULL = 4003, 4004, 4010, 1011, 1013


class Connection:
    """Somebody who watches or plays at a table."""

    def __init__(self, town: Town, socket: Socket, receive: Receive, send: Send, person: str) -> None:
        self.town = town
        self.socket = socket
        self.loop = asyncio.get_running_loop()
        self.receive = receive
        self.send = send
        self.person = person
        self.answers: deque[bytes] = deque()
        self.done: list[int] = []
        self.is_due = False
        self.must_wait = asyncio.Event()
        self.failure: Exception | None = None
        self.has_answered = asyncio.Event()
        self.allowed = Allowance(ALLOWED)
        self.tolerated = Allowance(TOLERATED)
        self.asked: set[asyncio.Task[None]] = set()
        self.is_serving = False
        self.is_ending = False

    def _come_to(self, table: str) -> None:
        """Be at a table, of which nothing has been sent yet."""
        self.name = table
        self.seen = Seen()
        self.has_view = True
        self.has_presence = True
        self.people: dict[str, int] | None = None
        self.changed_at: float | None = None
        self.end_watch = self.town.tables.watch(table, self._changed)
        self.town.attendance.arrive(table, self.person, self._came_or_went)
        self._write_soon()

    def _go_away(self) -> None:
        self.end_watch()
        self.town.attendance.leave(self.name, self.person, self._came_or_went)

    async def run(self, table: str) -> None:
        """Serve until one of the two ends it."""
        self._come_to(table)
        self.town.metrics.connections.inc()
        reading, writing = asyncio.create_task(self._read()), asyncio.create_task(self._wait_to_write())
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._go_away()
            self.town.metrics.connections.dec()
            self.is_ending = True
            for task in (writing, *self.asked):
                task.cancel()
            if not self.is_serving:  # else what was begun is ended: what is on disk must be told to the others
                reading.cancel()
            for done in await asyncio.gather(reading, writing, *self.asked, return_exceptions=True):
                if isinstance(done, Exception) and not isinstance(done, RuntimeError | OSError):
                    log.error("a connection failed", exc_info=done)
                    await self._close(FAILED, "something went wrong here")

    async def _close(self, code: int, reason: str) -> None:
        with suppress(RuntimeError, OSError):
            await self.send({"type": "websocket.close", "code": code, "reason": reason})

    # Out

    def _changed(self, table: Table) -> None:
        self.has_view = True
        if self.changed_at is None:
            self.changed_at = time.perf_counter()
        self._write_soon()

    def _came_or_went(self) -> None:
        self.has_presence = True
        self._write_soon()

    def _answer(self, message: wire.AnyMessage) -> None:
        self.answers.append(wire.encode(message))
        self._write_soon()

    def _write_soon(self) -> None:
        if not self.is_due:
            self.is_due = True
            self.loop.call_soon(self._write)

    def _write(self) -> None:
        """Send what there is, if it can be sent at once; else somebody waits until it can."""
        self.is_due = False
        table = self.town.tables.known(self.name)
        named = self.town.named_already(table) if table is not None else None
        if table is None or named is None or self.person in table.removed or not self.socket.writable.is_set():
            self.must_wait.set()
        elif not self.is_ending:
            try:
                self._send_all(table, named)
            except Exception as error:
                self.failure = error
                self.must_wait.set()

    async def _wait_to_write(self) -> None:
        """Ends with the connection. Who does not read is waited for; after a while they are sent away (sockets.py)."""
        while True:
            await self.must_wait.wait()
            self.must_wait.clear()
            if self.failure is not None:
                raise self.failure
            try:
                table = await self.town.tables.read(self.name)
            except NoSuchTable as error:  # it was forgotten while somebody looked at it
                await self._close(NO_TABLE, str(error))
                return
            if self.person in table.removed:
                await self._close(REMOVED, "the host has sent you away from this table")
                return
            await self.town.named(table)
            await self.socket.writable.wait()
            self._write_soon()

    def _send_all(self, table: Table, named: Named) -> None:
        if self.has_view:
            self.has_view, changed_at, self.changed_at = False, self.changed_at, None
            done, self.done = self.done, []
            self.socket.write(wire.encode(view(table, self.person, named, self.seen, done)))
            if changed_at is not None:
                self.town.metrics.pushed(time.perf_counter() - changed_at)
        if self.has_presence or self.people is not table.people:  # who is there sits down and stands up, too
            self.has_presence, self.people = False, table.people
            self.socket.write(wire.encode(self.town.attendance.of(table)))
        while self.answers:
            self.socket.write(self.answers.popleft())
        self.has_answered.set()

    # In

    async def _read(self) -> None:
        while True:
            if len(self.answers) >= MOST_WAITING:
                self.has_answered.clear()
                await self.has_answered.wait()
            received = await self.receive()
            if received["type"] == "websocket.disconnect":
                return
            text = received.get("text")
            data = text.encode() if text is not None else received.get("bytes") or b""
            now = self.loop.time()
            if not self.allowed.take(now):
                if not self.tolerated.take(now):
                    await self._close(TOO_OFTEN, "you ask too often")
                    return
                self._refuse(id_of(data), Refused("too-often", "that was too often; wait a moment"))
                await asyncio.sleep(0)  # lets the answers go out, however fast requests come in
                continue
            try:
                request = wire.decode_request(data)
            except wire.UNREADABLE as error:
                self._refuse(id_of(data), Refused("malformed", f"this can't be read: {error}"))
                continue
            if isinstance(request, wire.Hint):  # thinking takes its time; meanwhile other requests are served
                task = asyncio.create_task(self._serve(request))
                self.asked.add(task)
                task.add_done_callback(self.asked.discard)
            else:
                self.is_serving = True
                await self._serve(request)
                self.is_serving = False
                if self.is_ending:
                    return

    def _refuse(self, id: int, refused: Refused) -> None:
        self.town.metrics.refused.labels(refused.why).inc()
        self._answer(wire.Refused(id, refused.why, str(refused)))

    async def _serve(self, request: wire.AnyRequest) -> None:
        try:
            answer = await self._carry_out(request)
            if answer is None:
                self.done.append(request.id)
                self.has_view = True
                self._write_soon()
            else:
                self._answer(answer)
        except Refused as refused:
            self._refuse(request.id, refused)
        except Unsure as error:  # neither done nor refused may be said
            log.warning("somebody is sent away; whether they were heard they see when they are back: %s", error)
            self.is_ending = True
            await self._close(FAILED, "whether this was kept is seen when you are back")
        except StoreError as error:
            log.warning("a request can't be written: %s", error)
            self._refuse(request.id, Refused("busy", "nothing can be kept just now; ask again in a moment"))
        except Exception:
            log.exception("a request failed")
            self._refuse(request.id, Refused("internal", "something went wrong here; nothing has changed"))

    async def _carry_out(self, request: wire.AnyRequest) -> wire.AnyMessage | None:
        """The answer; None if the view shows what was done."""
        town, name, person = self.town, self.name, self.person
        add = town.tables.add
        match request:
            case wire.Choose(decision=decision, choice=choice):
                await add(name, lambda now: now.check_own_choice(now.seat_of(person), decision, choice))
            case wire.Sit(seat=seat):
                await town.sit(name, person, seat)
            case wire.Leave():
                await town.leave(name, person)
            case wire.SeatBot(seat=seat, bot=bot):
                await town.seat_bot(name, person, seat, bot)
            case wire.Remove(who=who):
                await town.remove(name, person, who)
            case wire.Mute(who=who, muted=muted):
                await add(name, lambda now: now.check_mute(person, now.person_called(who), muted))
            case wire.Undo():
                await add(name, lambda now: now.check_undo(now.seat_of(person)))
            case wire.AnswerUndo(agrees=agrees):
                await add(name, lambda now: now.check_answer(now.seat_of(person), agrees))
            case wire.Resign():
                await add(name, lambda now: now.check_resign(now.seat_of(person)))
            case wire.ComeBack():
                await add(name, lambda now: now.check_come_back(now.seat_of(person)))
            case wire.Rematch():
                await add(name, lambda now: now.check_want_rematch(now.seat_of(person)))
            case wire.Follow():
                followed = (await town.tables.read(name)).check_follow()
                (await town.tables.read(followed)).check_welcome(person)
                if not self.is_ending:
                    self._go_away()
                    self._come_to(followed)
            case wire.Close():
                await add(name, lambda now: now.check_close(person))
            case wire.Say(text=text):
                await town.say(name, person, text)
            case wire.Hint(decision=decision):
                return await hint(town, await town.tables.read(name), person, decision, request.id)
            case wire.AskWhyNot(thing=thing):
                return explain(await town.tables.read(name), person, thing, request.id)
            case wire.Resync():
                await town.tables.get(name)
                self.seen, self.has_presence = Seen(), True
            case wire.Ping():
                return wire.Pong(request.id, town.now())
        return None


def explain(table: Table, person: str, thing: str, id: int) -> wire.Explained:
    """Why a thing can't be touched, from what the seat knows."""
    seat = table.seat_of(person)
    known = table.game.redealt(table.playing().state, seat, 0)
    return wire.Explained(id, thing, table.game.show.why_not(known, seat, thing))


class OnlyId(msgspec.Struct):
    id: wire.Id = 0


def id_of(data: bytes) -> int:
    """The id of a request that can't be served, so that its sender knows which it was; 0 if even that is missing."""
    try:
        return msgspec.json.decode(data, type=OnlyId).id
    except wire.UNREADABLE:
        return 0
