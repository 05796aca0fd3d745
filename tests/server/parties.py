"""People who play as if nothing happened, whatever becomes of the server and of their sockets.

They play at several tables at once, come back whenever they can, ask again where they were cut off, and remember
everything (see histories.py).
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.histories import Eyes, History
from tests.server.serving import Chair, Guest, Wire

A_MOMENT = 0.1
"""How long to wait when told that something was asked for too often, or can't be done just now."""

EXPECTED = {"stale", "not-your-turn", "over", "nothing-to-undo", "nothing-asked", "away", "not-away", "already-seated"}
"""Why something may be refused that seemed possible: another was quicker, or what they asked for themselves before they
were cut off."""

LATER = {"too-often", "busy"}
"""Why something may be refused that will be possible in a moment."""


class Gone(Exception):
    """The connection is lost."""


LOST = (Gone, ConnectionClosed, InvalidHandshake, HTTPException, OSError)
"""What happens to those who are connected, or try to be, while the server dies."""

CUT = 1006
"""How a socket ends that nobody closed."""

NOT_ASKED = 0
"""The id of what a server says before it sends somebody away."""

TOO_OFTEN, FAILS = 429, 500
"""From the latter status on it is the server that can't, not the guest who may not."""


def person_of(guest: Guest) -> str:
    """The name that the town has for a guest: the first word of what is signed in the cookie."""
    guest.get("/api/me")
    return guest.headers["Cookie"].partition("=")[2].partition(".")[0]


def served(guest: Guest, method: str, path: str, body: Any = None) -> Any:
    """What comes of a request, if the server is able to serve it now."""
    answer = guest.ask(method, path, body)
    if answer.status == TOO_OFTEN or answer.status >= FAILS:
        raise Gone
    assert answer.status in (200, 201), answer.content
    return answer.json


class Company:
    """All who play in a town, and what they share."""

    may_end = frozenset({CUT})
    """How sockets may end."""

    is_certain = True
    """Is somebody who comes back shown all that can still become of what they asked for before?"""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.url = ""
        self.parties: list[Party] = []
        self.histories: list[History] = []
        self.up = asyncio.Event()
        self.up.set()
        self.gate = asyncio.Event()  # closed: nobody asks for anything new
        self.gate.set()
        self.happened = asyncio.Event()
        self.sent: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.is_in_haste = False
        self.is_closing = False

    @property
    def players(self) -> list[Player]:
        return [player for party in self.parties for player in party.players]

    def all_left(self, table: str) -> None:
        """A table has been played at to its end, and all have left it."""

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

    async def at_a_beginning_or_an_end(self) -> None:
        """Somebody gives up, wants a rematch, opens a table or sits down: more than one thing follows from it."""
        self.is_in_haste = True
        await self.until_sent(1, self.dice.choice(("resign", "rematch", "open", "sit")))
        self.is_in_haste = False
        await self.a_little_later()


class RememberedChair(Chair):
    """A chair of which everything is remembered that happens there."""

    def __init__(self, guest: Guest, table: str, history: History, company: Company) -> None:
        super().__init__(guest, table)
        self.history = history
        self.company = company
        self.eyes = Eyes()

    async def _take(self, frame: str) -> None:
        before, answered = self.view, set(self.answers)
        await super()._take(frame)
        if self.view is not before:
            self.history.be_shown(self.view["number"], self.eyes.see(frame.encode()))
        for id in self.answers.keys() - answered - {NOT_ASKED}:
            self.history.be_answered(self.answers[id])
        self.company.happened.set()

    async def until(self, is_so: Callable[[], object]) -> None:
        """Waits without an end but that of the connection: somebody else may be thinking, or the server starting."""
        async with self.news:
            await self.news.wait_for(lambda: self.closed is not None or bool(is_so()))
        if self.closed is not None and not is_so():
            assert self.closed in self.company.may_end, f"the server closed the socket: {self.closed}"
            raise Gone


class Player:
    """Somebody who plays at a party's tables, comes back whenever they can, and asks for one thing at a time."""

    def __init__(self, party: Party, seat: int) -> None:
        self.party = party
        self.company = party.company
        self.dice = random.Random(self.company.dice.random())
        self.seat = seat
        self.guest = Guest(self.company.url)
        self.person = person_of(self.guest)
        self.history: History | None = None
        self.chair: RememberedChair | None = None

    async def play(self, table: str) -> str | None:
        """Play to the end, whatever comes between; the table of the rematch."""
        history = self.history = History(self.person, table)
        self.company.histories.append(history)
        while True:
            await self.company.up.wait()
            try:
                async with RememberedChair(self.guest, table, history, self.company) as chair:
                    self.chair = chair
                    await self._play_on(chair, history)
                    history.is_closed = True
                    return chair.view["rematch"] or None
            except LOST:
                await asyncio.sleep(A_MOMENT * self.dice.random())
            finally:
                self.chair = None

    async def _play_on(self, chair: RememberedChair, history: History) -> None:
        await chair.until(lambda: chair.view)
        left = history.come_back(chair.view["number"], self.company.is_certain)
        # Whether it was made can be seen: if it was, nothing is to be chosen or another decision is asked. Some do not
        # look and just ask again: this must not count twice.
        if left and left["do"] == "choose" and (self._can_choose(chair, left) or self.dice.random() < 0.5):
            await self._ask(chair, history, left)
        while True:
            await chair.until(lambda: self._has_something_to_do(chair))
            await self.company.gate.wait()
            if not self._has_something_to_do(chair):
                continue
            request = self._wish(chair)
            if request is None:
                return
            seen = chair.view["number"]
            why = await self._ask(chair, history, request)
            if why in LATER:
                await asyncio.sleep(A_MOMENT)
            elif why is not None:
                await chair.until(lambda: chair.view["number"] > seen)  # noqa: B023

    def _can_choose(self, chair: Chair, request: Wire) -> bool:
        numbers = [choice["number"] for choice in chair.choices]
        return chair.view["decision"] == request["decision"] and request["choice"] in numbers

    def _is_replaced(self, chair: Chair) -> bool:
        """Does a bot play for them, until they come back?"""
        view = chair.view
        if view["stage"] != "playing" or view["me"] is None:
            return False
        mine = view["seats"][view["me"]]
        return mine["stand_in"] is not None and not mine["has_resigned"]

    def _has_something_to_do(self, chair: Chair) -> bool:
        view = chair.view
        match view["stage"]:
            case "open":
                return view["me"] is None
            case "playing":
                return bool(chair.choices or view["undo"]["waits_for_me"] or self._is_replaced(chair))
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
        if self._is_replaced(chair):
            return {"do": "come-back"}
        if view["undo"]["waits_for_me"]:
            return {"do": "answer-undo", "agrees": dice.random() < 0.5}
        if party.is_hasty and self.company.is_in_haste:
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
        self.company.sent[request["do"]] += 1
        self.company.happened.set()
        await chair.until(lambda: id in chair.answers)
        answer = chair.answers.pop(id)
        if answer["is"] == "done":
            await chair.until(lambda: chair.view["number"] >= answer["number"])
            return None
        why = str(answer["why"])
        self.company.refused[why] += 1
        assert why in EXPECTED | LATER, answer
        return why

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
        company: Company,
        game: str,
        people: int,
        *bots: str,
        rematches: float = 0.0,
        is_hasty: bool = False,
        is_chatty: bool = False,
        is_fickle: bool = False,
        **more: Any,
    ) -> None:
        self.company = company
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
        if table not in self.again:
            self.again[table] = not self.company.is_closing and self.company.dice.random() < self.rematches
        return self.again[table]

    async def meet(self) -> None:
        """Play until the town closes."""
        table: str | None = None
        while table or not self.company.is_closing:
            table = table or await self._open()
            self.tables.append(table)
            follows = await asyncio.gather(*(player.play(table) for player in self.players))
            assert len(set(follows)) == 1
            self.company.all_left(table)
            table = follows[0]

    async def _open(self) -> str:
        """A new table; after a death perhaps the one that was opened before it, whose name had not come through."""
        guest = self.players[0].guest
        while True:
            await self.company.up.wait()
            try:
                mine = await asyncio.to_thread(served, guest, "GET", "/api/me/tables")
                new = [table["table"] for table in mine if table["table"] not in self.tables]
                if new:
                    assert len(new) == 1 or not self.company.is_certain, "a table was opened twice"
                    self.tables += new[1:]
                    return str(new[0])
                self.company.sent["open"] += 1
                self.company.happened.set()
                return str((await asyncio.to_thread(served, guest, "POST", "/api/tables", self.wish))["table"])
            except LOST:
                await asyncio.sleep(A_MOMENT)
