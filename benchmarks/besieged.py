"""A town in which faults come one after another while many people play there, and whose every table is audited.

People reach its servers through a relay (relay.py). Whenever all have left a table, its log is read from the store and
held against what each of them remembers; in the end all logs are read again, with what is noted beside them.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardtown.server.rows import Opened, decode
from cardtown.server.store import Row
from tests.server.histories import Disagreement, Ended, History, Kept, audit, check_ratings, delays
from tests.server.parties import CUT, Company, Party

from .host import Host
from .keeping import FINISHED, Keeping
from .relay import HOST, Relay

PATIENCE = 60.0
"""Seconds after which a table at which nothing happens stands still."""

AT_ALL = 3
"""So many times as long without the end of any game, and nobody comes to one any more."""

LATE, SOME = 0.25, 0.02
"""Where no fault comes, no such share of what people are shown comes so many seconds after others saw it."""

RECOVERED = 15.0
"""Seconds after the last fault: whoever is started again is there, and everybody has come back."""

BEAT = 1.0
FAILED, RESTARTS, FULL = 1011, 1012, 1013


@dataclass
class Settled:
    """A table that was audited when all had left it."""

    log: Sequence[Row]
    histories: Sequence[History]
    ended: Ended | None


@dataclass
class Findings:
    """What came out."""

    games: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    faulty: list[str] = field(default_factory=list)

    def add(self, what: str) -> None:
        self.faulty.append(what)


class Town(Company):
    """Servers over one store, the relay in front of them, and the people."""

    may_end = frozenset({CUT, FAILED, RESTARTS, FULL})
    is_certain = False

    def __init__(
        self,
        keeping: Keeping,
        hosts: Sequence[Host],
        relay: Relay,
        seed: int,
        tell: Callable[[str], None],
        patience: float = PATIENCE,
    ) -> None:
        super().__init__(seed)
        self.keeping = keeping
        self.hosts = hosts
        self.relay = relay
        self.tell = tell
        self.patience = patience
        self.url = f"http://{HOST}:{relay.port}"
        self.found = Findings()
        self.left: asyncio.Queue[tuple[str, float]] = asyncio.Queue()
        self.settled: dict[str, Settled] = {}
        self.delays: list[float] = []
        self.calm_at = 0.0
        self.played = 0

    def invite(self, parties: int) -> None:
        """So many parties come, of all kinds if there are enough."""
        kinds = [PARTIES[number % len(PARTIES)] for number in range(parties)]
        self.parties = [Party(self, *words, **more) for words, more in kinds]

    # What goes on

    async def live(self, games: int, faults: Sequence[tuple[str, Fault]], calm: int = 0) -> None:
        """Play so many games while the faults come, spread over them, then so many without; and audit everything."""
        if faults:
            self.calm_at = math.inf
        await asyncio.to_thread(self.invite, min(games, len(PARTIES)))
        try:
            async with asyncio.TaskGroup() as group:
                beside = [group.create_task(self._watch()), group.create_task(self._audit())]
                parties = [group.create_task(party.meet()) for party in self.parties]
                await self._suffer(group, games, faults)
                if faults and calm:
                    await self._rest(calm)
                self.is_closing = True
                await asyncio.wait(parties)
                await self.left.join()
                for task in beside:
                    task.cancel()
        except* Disagreement as group_of_them:
            for error in group_of_them.exceptions:
                self.found.add(str(error))
        except* AssertionError as group_of_them:
            for failure in group_of_them.exceptions:
                self.found.add(f"somebody met what must not be: {failure}")

    async def _suffer(self, group: asyncio.TaskGroup, games: int, faults: Sequence[tuple[str, Fault]]) -> None:
        coming: set[asyncio.Task[None]] = set()
        for number, (name, fault) in enumerate(faults):
            await self.until(lambda: self.played >= games * number / len(faults))  # noqa: B023
            try:
                async with asyncio.timeout(self.patience / 3):
                    await self._moment()
            except TimeoutError:
                self.is_in_haste = False  # everybody waits for a server that is down: then something else comes now
            coming.add(group.create_task(fault(self)))
            self.found.faults[name] += 1
            _, coming = await asyncio.wait(coming, timeout=0.01)
        await self.until(lambda: self.played >= games)
        if coming:
            await asyncio.wait(coming)

    async def _rest(self, games: int) -> None:
        """Nothing more happens, so everybody must be told in time again."""
        await asyncio.sleep(RECOVERED)
        self.calm_at = time.monotonic()
        enough = self.played + games
        await self.until(lambda: self.played >= enough)

    async def _moment(self) -> None:
        if self.dice.random() < 0.3:
            await self.at_a_beginning_or_an_end()
        else:
            await self.until_sent(self.dice.randrange(1, 20))
            await self.a_little_later()

    async def _watch(self) -> None:
        """Every table goes on, and games come to their ends."""
        last: dict[Party, tuple[object, float]] = {}
        played, played_at = 0, time.monotonic()
        while True:
            await asyncio.sleep(BEAT)
            found = self.found
            if self.played > played:
                played, played_at = self.played, time.monotonic()
            elif time.monotonic() - played_at > AT_ALL * self.patience:
                raise Disagreement(f"no game came to its end for {AT_ALL * self.patience:.0f} s, after {played}")
            self.tell(f"{self.played:,} games, {found.faults.total():,} faults, {len(found.faulty)} found")
            for party in self.parties:
                shown = [(player.history.table, player.history.newest) for player in party.players if player.history]
                before, since = last.get(party, ([], 0.0))
                if shown != before:
                    last[party] = shown, time.monotonic()
                elif shown and time.monotonic() - since > self.patience and party.tables[-1] not in self.settled:
                    rows = len(await self.keeping.log(shown[0][0]))
                    raise Disagreement(f"table {shown[0][0]} stands still: {rows} rows, shown were {shown}")

    # What is audited

    def all_left(self, table: str) -> None:
        self.played += 1
        self.happened.set()
        self.left.put_nowait((table, time.monotonic()))

    async def _audit(self) -> None:
        while True:
            table, since = await self.left.get()
            log = await self.keeping.log(table)
            if any(row.body == FINISHED for row in log):
                self._settle(table, log)
            elif time.monotonic() - since > self.patience:
                self.found.add(f"table {table}: it is over, and not noted as finished")
            else:
                self.left.put_nowait((table, since))
                await asyncio.sleep(BEAT / 10)
            self.left.task_done()

    def _settle(self, table: str, log: Sequence[Row]) -> None:
        mine = [history for history in self.histories if history.table == table]
        self.histories = [history for history in self.histories if history.table != table]
        if all(at >= self.calm_at for history in mine for at in history.shown_at.values()):
            self.delays += delays(mine)
        self.found.counted["views compared"] += sum(len(views) for each in mine for views in each.shown.values())
        ended = None
        try:
            found = audit(table, log, mine, may_replace=True)
            ended = found.ended
            self.found.counted += found.counted
        except Disagreement as error:
            self.found.add(str(error))
        opened = decode(log[0].body)
        assert isinstance(opened, Opened)
        self.found.games[opened.game] += 1
        self.settled[table] = Settled(log, mine, ended)

    async def close(self) -> None:
        """When all is noted that follows from the matches, end the servers and look at everything once more."""
        end = time.monotonic() + self.patience
        while not self.found.faulty and time.monotonic() < end:
            if not (await self.keeping.everything()).notes.get("playing"):
                break
            await asyncio.sleep(BEAT)
        for host in self.hosts:
            try:
                await asyncio.to_thread(host.stop)
            except AssertionError as error:
                self.found.add(str(error))
            for line, times in Counter(map(str, host.errors())).items():
                self.found.add(f"{host.name} logged {times} times: {line}")
        self.found.faulty += told_late(self.delays)
        self.found.counted["views that others had before, in calm"] = len(self.delays)
        self.found.counted[f"of these, {LATE:g} s before"] = late(self.delays)
        if not self.found.faulty:
            try:
                self._examine(await self.keeping.everything(), await self.keeping.ends())
            except Disagreement as error:
                self.found.add(str(error))

    def _examine(self, kept: Kept, ends: Mapping[str, float]) -> None:
        for table, settled in self.settled.items():
            log = kept.logs.get(table, [])
            if log[: len(settled.log)] != settled.log:
                raise Disagreement(f"table {table}: what was on disk has changed or is gone")
            if len(log) > len(settled.log):  # who was cut off may have been heard after all had left
                audit(table, log, settled.histories, may_replace=True)
        for table, log in kept.logs.items():
            # Of a table that was being opened when a fault came there may be a twin that nobody was told of.
            if table not in self.settled and len(log) != 1:
                raise Disagreement(f"table {table}: has {len(log)} rows, and nobody played there")
        if kept.notes.get("playing"):
            raise Disagreement(f"tables are noted as being played that are over: {list(kept.notes['playing'])}")
        ended = [each.ended._replace(at=ends[table]) for table, each in self.settled.items() if each.ended]
        check_ratings(kept, ended)
        self.found.counted["ratings compared"] = len(kept.notes.get("rating", {}))


def told_late(delays: Sequence[float]) -> Iterator[str]:
    """Says so if people were."""
    if late(delays) > SOME * len(delays):
        yield f"{late(delays):,} of {len(delays):,} views came {LATE:g} s after others had seen the same"


def late(delays: Sequence[float]) -> int:
    return sum(delay > LATE for delay in delays)


CLOCK = {"kind": "move", "seconds": 600}
SHORT = {"carpet": 3}
ROUND = {"goal": "one-round"}
PARTIES: Sequence[tuple[tuple[Any, ...], dict[str, Any]]] = (
    (("hollywood", 2), {"is_listed": True, "options": SHORT, "rematches": 0.9, "is_hasty": True}),
    (("gossip", 2, "random"), {"is_listed": True, "rematches": 0.5, "is_chatty": True, "clock": CLOCK}),
    (("crimson", 2, "random"), {"is_listed": True, "rematches": 0.9, "is_fickle": True}),
    (("hinode", 2), {"options": {"players": 2}, "rematches": 0.5, "is_fickle": True}),
    (("egocentric", 2, "easy"), {"options": ROUND, "rematches": 0.5, "is_listed": True}),
    (("hollywood", 2), {"options": SHORT, "is_hasty": True, "is_fickle": True, "clock": CLOCK}),
    (("gossip", 3), {"is_chatty": True, "rematches": 0.9}),
    (("crimson", 3), {"rematches": 0.5, "is_chatty": True}),
    (("hinode", 2, "random"), {"options": {"players": 3}, "rematches": 0.9, "is_listed": True}),
    (("egocentric", 3, "random"), {"options": ROUND, "rematches": 0.9, "is_fickle": True, "clock": CLOCK}),
    (("hollywood", 2), {"options": SHORT, "rematches": 0.5, "is_hasty": True, "is_chatty": True}),
    (("gossip", 2, "easy"), {"is_fickle": True, "rematches": 0.5}),
)
"""Who comes to play what: as many people, and bots. All games, in the shortest ways that they can be played."""

Fault = Callable[[Town], Coroutine[None, None, None]]
