"""Bots' turns: whenever a table waits for a bot, it thinks and chooses. So do choices that people leave to the server.

An answer comes on the beat: a pause after the question, or two where thinking took longer than one. Whether there was
anything to think about can't be read from the time.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from functools import partial
from hashlib import blake2b
from typing import Any

from cardtown.bots import ask
from cardtown.bots.levels import BLIND, make_bot
from cardtown.bots.readiness import code_of
from cardtown.core.game import Game
from cardtown.core.state import State

from .people import People
from .refusal import Refused
from .rows import Chose
from .store import StoreError
from .table import Table
from .tables import Tables
from .thinkers import Thinkers

log = logging.getLogger(__name__)

AGAIN_AFTER = 1.0
"""Seconds after which a turn is taken again that could not be written."""

BRIEF = "hard:300ms"
Turn = tuple[str, int, str]
"""A table, a seat and the decision that it must answer."""


class BotTurns:
    """Takes the turns of all bots at all tables that this process looks at."""

    def __init__(self, tables: Tables, people: People, thinkers: Thinkers, pause: float) -> None:
        self.tables = tables
        self.people = people
        self.thinkers = thinkers
        self.pause = pause
        self.taking: dict[Turn, asyncio.Task[None]] = {}
        self.has_stopped = False

    def look(self, table: Table) -> None:
        """See to it that everybody chooses for whom the server does."""
        for seat in table.bots_turns():
            self._take(table, seat, self._choose)
        for seat in table.peoples_turns():
            may_leave = self.people.may_leave_forced(table.players[seat].person)
            if may_leave and len(table.playing().legal(seat)) == 1:
                self._take(table, seat, self._choose_forced)

    def _take(self, table: Table, seat: int, act: Callable[[Table, int], Coroutine[Any, Any, None]]) -> None:
        """What is asked is read at once: before the task begins the table may have gone on."""
        turn = table.name, seat, table.decision
        if turn in self.taking or self.has_stopped:
            return
        task = asyncio.create_task(act(table, seat))
        self.taking[turn] = task
        task.add_done_callback(lambda done: self._taken(turn, done))

    def _taken(self, turn: Turn, task: asyncio.Task[None]) -> None:
        del self.taking[turn]
        failed = None if task.cancelled() else task.exception()
        if isinstance(failed, StoreError):
            log.warning("a bot's turn can't be written; it is taken again: %s", failed)
            asyncio.get_running_loop().call_later(AGAIN_AFTER, self._look_again, turn[0])
        elif failed is not None:
            log.error("a bot's turn failed", exc_info=failed)

    def _look_again(self, name: str) -> None:
        table = self.tables.kept.get(name)
        if table is not None:
            self.look(table)

    def _choose(self, table: Table, seat: int) -> Coroutine[Any, Any, None]:
        asked = asyncio.get_running_loop().time()
        name, decision, bot = table.name, table.decision, table.bot_of(seat)
        assert bot is not None
        s = table.playing().state.copy()
        work = partial(choice_of, bot, table.game, s, seat, seed_of(table, seat))

        async def choose() -> None:
            choice = await self.thinkers.think(name, work)
            await self._wait_for_beat(asked)

            def answer(now: Table) -> Chose:
                if now.bot_of(seat) is None:
                    raise Refused("stale", "the person is back")
                return now.check_choice(seat, decision, choice)

            await self._add(name, answer)

        return choose()

    def _choose_forced(self, table: Table, seat: int) -> Coroutine[Any, Any, None]:
        asked = asyncio.get_running_loop().time()
        name, decision, person = table.name, table.decision, table.players[seat].person
        (choice,) = table.playing().legal(seat)

        async def choose() -> None:
            if person is None or not (await self.people.get(person)).plays_forced:
                return
            await self._wait_for_beat(asked)
            await self._add(name, lambda now: now.check_own_choice(seat, decision, choice))

        return choose()

    async def _add(self, name: str, answer: Any) -> None:
        try:
            await self.tables.add(name, answer)
        except Refused as refused:
            log.debug("a bot came too late: %s", refused.why)

    async def _wait_for_beat(self, asked: float) -> None:
        await asyncio.sleep(until_beat(asyncio.get_running_loop().time() - asked, self.pause))

    async def stop(self) -> None:
        self.has_stopped = True  # other processes go on, and tables may still be followed here for a moment
        tasks = list(self.taking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def until_beat(gone: float, pause: float) -> float:
    """How long to wait for the next beat, if so much time has gone since the question."""
    return max(1, math.ceil(gone / pause)) * pause - gone if pause else 0.0


def seed_of(table: Table, seat: int) -> int:
    """What a bot's chance comes from: the table's secret, so that an undone turn is thought about in the same way."""
    said = f"bot/{seat}/{table.decision}".encode()
    return int.from_bytes(blake2b(said, key=bytes.fromhex(table.opened.secret), digest_size=7).digest())


def choice_of(bot: str, game: Game, s: State, seat: int, seed: int) -> int:
    """What a bot chooses. Until its code is compiled every thought is a short one: nobody should wait for Python."""
    if bot not in BLIND and not code_of(game).is_compiled:
        bot = BRIEF
    return ask(make_bot(bot, game, seed), game, s, seat, seed)
