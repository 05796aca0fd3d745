"""A town whose server dies again and again, and people who play there as if nothing happened.

They play at several tables at once, come back whenever the server does, ask again where they were cut off, and remember
everything. After every death what is on disk is compared with that (see histories.py).
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cardtown.server.process import STORE_FILE
from tests.server.histories import Auditor, History, Kept, Wire, read_dead_store
from tests.server.serving import Chair, Guest, Server, wait_for

LONGEST_WAIT = 180.0
"""Seconds after which a table that does not go on is stuck."""

A_MOMENT = 0.1
"""How long to wait when told that something was asked for too often."""


EXPECTED = {"stale", "not-your-turn", "over", "nothing-to-undo", "nothing-asked", "too-often"}
"""Why something may be refused that seemed possible: another was quicker."""


class Gone(Exception):
    """The connection is lost."""


LOST = (Gone, ConnectionClosed, InvalidHandshake, HTTPException, OSError)
"""What happens to those who are connected, or try to be, while the server dies."""

CUT = 1006
"""How a socket ends that nobody closed."""

COMMAND = ("-m", "cardtown")


def person_of(guest: Guest) -> str:
    """The name that the town has for a guest: the first word of what is signed in the cookie."""
    guest.get("/api/me")
    return guest.headers["Cookie"].partition("=")[2].partition(".")[0]


class Mortal(Server):
    """A server that can be started by another command, to plant faults in it."""

    def __init__(self, data: Path, command: Sequence[str], *options: str) -> None:
        self.command = command
        super().__init__(data, *options)


class RememberedChair(Chair):
    """A chair of which everything is remembered that happens there."""

    def __init__(self, guest: Guest, table: str, history: History, tell: Callable[[], None]) -> None:
        super().__init__(guest, table)
        self.history = history
        self.tell = tell

    async def _take(self, frame: str) -> None:
        before, answered = self.view, set(self.answers)
        await super()._take(frame)
        if self.view is not before:
            whole = {"done": [], "lines": list(self.lines), "first_line": 0, "said": list(self.said), "first_said": 0}
            self.history.be_shown({**self.view, **whole})
        for id in self.answers.keys() - answered:
            self.history.be_answered(self.answers[id])
        self.tell()

    async def until(self, is_so: Callable[[], object]) -> None:
        """Waits without an end but that of the connection: somebody else may be thinking, or the server starting."""
        async with self.news:
            await self.news.wait_for(lambda: self.closed is not None or bool(is_so()))
        if self.closed is not None and not is_so():
            assert self.closed == CUT, f"the server closed the socket: {self.closed}"
            raise Gone


class Player:
    """Somebody who plays at a party's tables, comes back after every death, and asks for one thing at a time."""

    def __init__(self, party: Party, seat: int) -> None:
        self.party = party
        self.town = party.town
        self.dice = random.Random(self.town.dice.random())
        self.seat = seat
        self.guest = Guest(self.town.server.url)
        self.person = person_of(self.guest)
        self.history: History | None = None
        self.chair: RememberedChair | None = None

    async def play(self, table: str) -> str | None:
        """Play to the end, whatever comes between; the table of the rematch."""
        history = self.history = History(self.person, table)
        self.town.histories.append(history)
        while True:
            await self.town.up.wait()
            try:
                async with RememberedChair(self.guest, table, history, self.town.happened.set) as chair:
                    self.chair = chair
                    await self._play_on(chair, history)
                    history.is_closed = True
                    return chair.view["rematch"] or None
            except LOST:
                continue
            finally:
                self.chair = None

    async def _play_on(self, chair: RememberedChair, history: History) -> None:
        await chair.until(lambda: chair.view)
        left = history.come_back(chair.view["number"])
        # Whether it was made can be seen: if it was, nothing is to be chosen or another decision is asked. Some do not
        # look and just ask again: this must not count twice.
        if left and left["do"] == "choose" and (self._can_choose(chair, left) or self.dice.random() < 0.5):
            await self._ask(chair, history, left)
        while True:
            await chair.until(lambda: self._has_something_to_do(chair))
            await self.town.gate.wait()
            if not self._has_something_to_do(chair):
                continue
            request = self._wish(chair)
            if request is None:
                return
            seen = chair.view["number"]
            why = await self._ask(chair, history, request)
            if why == "too-often":
                await asyncio.sleep(A_MOMENT)
            elif why is not None:
                await chair.until(lambda: chair.view["number"] > seen)  # noqa: B023

    def _can_choose(self, chair: Chair, request: Wire) -> bool:
        numbers = [choice["number"] for choice in chair.choices]
        return chair.view["decision"] == request["decision"] and request["choice"] in numbers

    def _has_something_to_do(self, chair: Chair) -> bool:
        view = chair.view
        match view["stage"]:
            case "open":
                return view["me"] is None
            case "playing":
                return bool(chair.choices or view["undo"]["waits_for_me"])
            case _:
                is_asked = self.party.plays_again(chair.table) and self.seat in view["wants_rematch"]
                return not is_asked or view["rematch"] is not None

    def _wish(self, chair: Chair) -> Wire | None:
        """What to do now; None: leave."""
        view, dice, party = chair.view, self.dice, self.party
        if view["stage"] == "open":
            return {"do": "sit", "seat": self.seat}
        if view["stage"] == "over":
            is_leaving = view["rematch"] is not None or not party.plays_again(chair.table)
            return None if is_leaving else {"do": "rematch"}
        if view["undo"]["waits_for_me"]:
            return {"do": "answer-undo", "agrees": dice.random() < 0.5}
        if party.is_hasty and self.town.is_in_haste:
            return {"do": "resign"}
        if party.is_chatty and dice.random() < 0.1:
            return {"do": "say", "text": f"{dice.random()}"}
        if party.is_fickle and view["undo"]["mine"] and dice.random() < 0.1:
            return {"do": "undo"}
        return {"do": "choose", "decision": view["decision"], "choice": dice.choice(chair.choices)["number"]}

    async def _ask(self, chair: RememberedChair, history: History, request: Wire) -> str | None:
        """Ask for something; why it was refused, if it was."""
        history.ask(request, chair.view["number"])
        id = await chair.send(**request)
        self.town.sent[request["do"]] += 1
        self.town.happened.set()
        await chair.until(lambda: id in chair.answers)
        answer = chair.answers.pop(id)
        if answer["is"] == "done":
            await chair.until(lambda: chair.view["number"] >= answer["number"])
            return None
        assert answer["why"] in EXPECTED, answer
        return str(answer["why"])

    @property
    def waits_for_bots(self) -> bool:
        """Do only bots think now?"""
        chair = self.chair
        if len(self.party.players) > 1 or chair is None or not chair.view:
            return False
        return chair.view["stage"] == "playing" and not chair.choices


class Party:
    """People who play one match after another, at tables of one kind."""

    def __init__(
        self,
        town: Town,
        game: str,
        people: int,
        *bots: str,
        rematches: bool = False,
        is_hasty: bool = False,
        is_chatty: bool = False,
        is_fickle: bool = False,
        **more: Any,
    ) -> None:
        self.town = town
        self.wish = {"game": game, "seats": ["me", *["open"] * (people - 1), *bots], **more}
        self.rematches = rematches
        self.is_hasty = is_hasty
        self.is_chatty = is_chatty
        self.is_fickle = is_fickle
        self.players = [Player(self, seat) for seat in range(people)]
        self.tables: list[str] = []
        self.again: dict[str, bool] = {}

    def plays_again(self, table: str) -> bool:
        """Is there a rematch after this table? Whoever comes to its end first decides for all."""
        return self.again.setdefault(table, self.rematches and not self.town.is_closing)

    async def meet(self) -> None:
        """Play until the town closes."""
        table: str | None = None
        while table or not self.town.is_closing:
            table = table or await self._open()
            self.tables.append(table)
            follows = await asyncio.gather(*(player.play(table) for player in self.players))
            assert len(set(follows)) == 1
            table = follows[0]

    async def _open(self) -> str:
        """A new table; after a death perhaps the one that was opened before it, whose name had not come through."""
        guest = self.players[0].guest
        while True:
            await self.town.up.wait()
            try:
                mine = await asyncio.to_thread(guest.get, "/api/me/tables")
                new = [table["table"] for table in mine if table["table"] not in self.tables]
                if new:
                    assert len(new) == 1, "a table was opened twice"
                    return str(new[0])
                self.town.sent["open"] += 1
                self.town.happened.set()
                return await asyncio.to_thread(partial(guest.open, **self.wish))
            except LOST:
                continue


class Town:
    """A server that dies again and again, and the people who play there."""

    def __init__(self, folder: Path, seed: int, command: Sequence[str] = COMMAND) -> None:
        self.dice = random.Random(seed)
        self.server = Mortal(folder / "town", command, "--pause", "0", "--grace", "3600")
        self.starting: asyncio.Task[bool] | None = None
        self.start_took = 1.0
        self.up = asyncio.Event()
        self.up.set()
        self.gate = asyncio.Event()  # closed: nobody asks for anything new
        self.gate.set()
        self.happened = asyncio.Event()
        self.sent: Counter[str] = Counter()
        self.is_in_haste = False
        self.is_closing = False
        self.kills = 0
        self.histories: list[History] = []
        self.auditor = Auditor()
        self.counted: Counter[str] = Counter()
        self.parties = [
            Party(self, "hollywood", 2, is_listed=True, options={"carpet": 3}, rematches=True, is_hasty=True),
            Party(self, "hollywood", 2, is_listed=True, options={"carpet": 3}, is_hasty=True, is_fickle=True),
            Party(self, "gossip", 3, is_chatty=True),
            Party(self, "crimson", 2, "random", is_listed=True, rematches=True, is_fickle=True),
            Party(self, "hinode", 1, "easy", "random", "easy", is_chatty=True, is_fickle=True),
            Party(self, "egocentric", 1, "medium", "easy"),
        ]

    @property
    def players(self) -> list[Player]:
        return [player for party in self.parties for player in party.players]

    async def live(self, moments: Sequence[Moment]) -> None:
        """Be killed at each of these moments; then everybody plays to the end."""
        async with asyncio.TaskGroup() as group:
            parties = [group.create_task(party.meet()) for party in self.parties]
            for moment in moments:
                async with asyncio.timeout(LONGEST_WAIT):
                    await moment(self)
                await self.die()
                await self.rise()
            self.is_closing = True
            _, stuck = await asyncio.wait(parties, timeout=LONGEST_WAIT)
            wishes = [party.wish for party, task in zip(self.parties, parties, strict=True) if task in stuck]
            assert not stuck, f"these do not go on: {wishes}"

    async def die(self) -> None:
        self.up.clear()
        self.server.process.kill()
        if self.starting is not None:
            await self.starting
            self.starting = None
            self.up.clear()
        self.server.kill()
        self.kills += 1
        self.look_at_what_is_left()

    def begin_to_rise(self) -> None:
        """Start the server again, and let people come as soon as it listens."""

        async def start() -> bool:
            began = time.monotonic()
            listens = await asyncio.to_thread(self.server.is_listening)
            if listens:
                self.start_took = time.monotonic() - began
                self.up.set()
            return listens

        self.server.launch(self.server.port)
        self.starting = asyncio.create_task(start())

    async def rise(self) -> None:
        self.begin_to_rise()
        assert self.starting is not None
        listens = await self.starting
        assert listens, self.server.log.read_text()
        self.starting = None

    def look_at_what_is_left(self) -> Kept:
        kept = read_dead_store(self.server.data / STORE_FILE)
        self.auditor.examine(kept, self.histories)
        for name in {history.table for history in self.histories}:
            table = self.auditor.audited[name].table
            self.counted["matches over, not yet rated"] += table.is_over and not table.is_finished
            is_full = not any(player.is_nobody for player in table.players)
            self.counted["tables full, not yet begun"] += table.stage == "open" and is_full
            self.counted["rematches agreed, not yet made"] += table.all_want_rematch and table.rematch is None
        return kept

    def close(self) -> None:
        """End the server as Ctrl+C does, when it has noted all that follows from the matches: nothing is left open."""
        wait_for(lambda: not count_notes(self.server.data / STORE_FILE, "playing"), LONGEST_WAIT)
        log = self.server.stop()
        kept = self.look_at_what_is_left()
        known = {history.table for history in self.histories}
        assert known == self.auditor.settled, "every table was played to its end"
        # Of a rematch that was being made at a death there may be a table that nobody was told of.
        assert all(len(rows) == 1 for name, rows in kept.logs.items() if name not in known)
        assert '"level": "error"' not in log, log

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until what people did or saw makes it so."""
        while not is_so():
            self.happened.clear()
            await self.happened.wait()

    async def until_sent(self, more: int, *kinds: str) -> None:
        """Wait until so many more requests have been sent, of these kinds or of any."""

        def sent() -> int:
            return sum(n for kind, n in self.sent.items() if not kinds or kind in kinds)

        enough = sent() + more
        await self.until(lambda: sent() >= enough)

    async def a_little_later(self) -> None:
        """At once, or within the time that a request takes, or well after it."""
        await asyncio.sleep(self.dice.random() * self.dice.choice((0.0, 0.005, 0.05)))


def count_notes(file: Path, kind: str) -> int:
    """How many notes of a kind there are, while the server runs."""
    with closing(sqlite3.connect(file)) as db:
        (found,) = db.execute("SELECT count(*) FROM note WHERE kind = ?", (kind,)).fetchone()
    return int(found)


Moment = Callable[[Town], Awaitable[None]]
"""Waits until the server is to be killed."""


@contextmanager
def town_in(folder: Path, seed: int, command: Sequence[str] = COMMAND) -> Iterator[Town]:
    town = Town(folder, seed, command)
    try:
        yield town
    finally:
        if town.server.process.poll() is None:
            town.server.kill()
