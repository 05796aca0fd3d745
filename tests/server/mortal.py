"""A town whose server dies again and again. After every death what is on disk is compared with what people remember."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cardtown.server.process import STORE_FILE
from cardtown.server.store import Row
from tests.server.histories import Auditor, Kept, read_dead_store
from tests.server.outside import ask_store, reading
from tests.server.parties import Company, Party
from tests.server.serving import IN_POSTGRESQL, Server, wait_for

LONGEST_WAIT = 180.0
"""Seconds after which a table that does not go on is stuck."""

COMMAND = ("-m", "cardtown")


class Mortal(Server):
    """A server that can be started by another command, to plant faults in it."""

    def __init__(self, data: Path, command: Sequence[str], *options: str) -> None:
        self.command = command
        super().__init__(data, *options)


class Town(Company):
    """A server that dies again and again, and the people who play there."""

    def __init__(self, folder: Path, seed: int, command: Sequence[str] = COMMAND) -> None:
        super().__init__(seed)
        self.server = Mortal(folder / "town", command, "--pause", "0", "--grace", "3600")
        self.starting: asyncio.Task[bool] | None = None
        self.start_took = 1.0
        self.url = self.server.url
        self.kills = 0
        self.auditor = Auditor()
        self.counted: Counter[str] = Counter()
        self.parties = [
            Party(self, "hollywood", 2, is_listed=True, options={"carpet": 3}, rematches=1.0, is_hasty=True),
            Party(self, "hollywood", 2, is_listed=True, options={"carpet": 3}, is_hasty=True, is_fickle=True),
            Party(self, "gossip", 3, is_chatty=True),
            Party(self, "crimson", 2, "random", is_listed=True, rematches=1.0, is_fickle=True),
            Party(self, "hinode", 1, "easy", "random", "easy", is_chatty=True, is_fickle=True),
            Party(self, "egocentric", 1, "medium", "easy"),
        ]

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
        kept = read_database(self.server.data) if IN_POSTGRESQL else read_dead_store(self.server.data / STORE_FILE)
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
        left = "SELECT count(*) FROM note WHERE kind = 'playing'"
        wait_for(lambda: ask_store(self.server.data, left) == [(0,)], LONGEST_WAIT)
        log = self.server.stop()
        kept = self.look_at_what_is_left()
        known = {history.table for history in self.histories}
        assert known == self.auditor.settled, "every table was played to its end"
        # Of a rematch that was being made at a death there may be a table that nobody was told of.
        assert all(len(rows) == 1 for name, rows in kept.logs.items() if name not in known)
        assert '"level": "error"' not in log, log


def read_database(data: Path) -> Kept:
    """All at one moment: what the dead server sent last may still be written."""
    kept = Kept({}, {})
    with reading(data) as ask:
        ask("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for name, *row in ask('SELECT "table", number, at, body FROM log ORDER BY "table", number'):
            kept.logs.setdefault(name, []).append(Row(*row))
        for kind, name, body in ask("SELECT kind, name, body FROM note"):
            kept.notes.setdefault(kind, {})[name] = body
    return kept


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
