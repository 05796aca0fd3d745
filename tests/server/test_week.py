"""A week of simulated time: tables stay open while the server is ended and started again every few hours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from cardtown.games import find
from cardtown.server.identity import Signer
from cardtown.server.messages import NewTable
from cardtown.server.refusal import Refused
from cardtown.server.rows import Chose, Clock
from cardtown.server.sqlite import STORE_FILE
from cardtown.server.stores import open_store
from cardtown.server.table import Table
from cardtown.server.town import MUCH, Settings, Town
from tests.server.postgres import cluster

MINUTE, HOUR, DAY = 60.0, 3600.0, 24 * 3600.0
MONDAY = 1_767_571_200.0
LONG = NewTable(game="hollywood", seats=("me", "open"), options={"carpet": 6})
"""No match is over before each has made 28 choices."""


@dataclass
class Week:
    """A town at a time that is told, which lives as often as it is started."""

    where: str | Path
    now: float = MONDAY

    @asynccontextmanager
    async def day(self) -> AsyncIterator[Town]:
        """One life of the server."""
        town = Town(
            await open_store(self.where),
            {"hollywood": find("hollywood")},
            Settings(pause=0.0, grace=90.0, threads=1),
            now=lambda: self.now,
            steady=lambda: self.now,
        )
        await town.start()
        try:
            yield town
        finally:
            await town.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def week(request: pytest.FixtureRequest, tmp_path: Path) -> Week:
    return Week(cluster().new_database() if request.param == "postgresql" else tmp_path / STORE_FILE)


def choose_first(table: Table) -> Chose:
    (seat, *_) = table.peoples_turns()
    return table.check_own_choice(seat, table.decision, table.playing().legal(seat)[0])


async def settle(town: Town, name: str) -> Table:
    """Wait until this server sees to a table, and people are asked."""
    async with asyncio.timeout(60):
        while not ((table := await town.tables.get(name)).peoples_turns() and town.care.has(name)):
            await asyncio.sleep(0.01)
    return table


async def test_tables_go_on_for_a_week_with_a_restart_every_few_hours(week: Week) -> None:
    """One choice in six hours at each, with no clock or days for a move or the game; against a bot one in twelve."""
    clocks = {"none": 0, "move": 2 * 24 * 3600, "game": 6 * 24 * 3600}
    async with week.day() as town:
        names = {}
        for kind, seconds in clocks.items():
            wish = msgspec.structs.replace(LONG, clock=Clock(kind, seconds))  # type: ignore[arg-type]
            names[kind] = (await town.open("mia", wish)).name
            await town.sit(names[kind], "noa", 1)
        names["bot"] = (await town.open("mia", msgspec.structs.replace(LONG, seats=("me", "easy")))).name
    spent = [0.0, 0.0]
    for visit in range(28):
        week.now += 5 * HOUR
        async with week.day() as town:
            for name in names.values():
                await settle(town, name)
            week.now += HOUR
            await town.watch.tick()  # whoever was late would be replaced
            for kind, name in names.items():
                table = await settle(town, name)
                assert not table.standing_in, kind
                (seat, *_) = table.peoples_turns()
                if kind == "game":
                    assert table.time_left(seat, week.now) == 6 * DAY - spent[seat] - 6 * HOUR
                    spent[seat] += 6 * HOUR
                if kind != "bot" or visit % 2:
                    await town.tables.add(name, choose_first)
    assert week.now == MONDAY + 7 * DAY
    async with week.day() as town:
        for kind, name in names.items():
            table = await settle(town, name)
            assert table.match is not None
            made = [who for who, _ in table.match.choices if table.players[who].person]
            assert len(made) == (14 if kind == "bot" else 28)
            assert table.spent[:2] == spent or kind != "game"


async def test_a_clock_that_ran_out_while_the_server_was_down_is_not_lost_before_a_grace(week: Week) -> None:
    async with week.day() as town:
        wish = NewTable(game="hollywood", seats=("me", "open"), clock=Clock("move", 24 * 3600))
        name = (await town.open("mia", wish)).name
        table = await town.sit(name, "noa", 1)
        (seat,) = table.peoples_turns()
    week.now += 7 * DAY
    async with week.day() as town:
        await settle(town, name)
        week.now += 89
        await town.watch.tick()
        assert not (await town.tables.get(name)).standing_in
        week.now += 1
        await town.watch.tick()
        assert seat in (await town.tables.get(name)).standing_in


async def test_nobody_is_late_for_a_table_at_which_nobody_waits_however_long_it_takes(week: Week) -> None:
    async with week.day() as town:
        name = (await town.open("mia", NewTable(game="hollywood", seats=("me", "open")))).name
        table = await town.sit(name, "noa", 1)
        (seat,) = table.peoples_turns()
        other = next(person for person, where in table.people.items() if where != seat)
    for _ in range(7):
        week.now += DAY
        async with week.day() as town:
            await settle(town, name)
            week.now += HOUR
            await town.watch.tick()
            assert not (await town.tables.get(name)).standing_in
    async with week.day() as town:
        await settle(town, name)
        town.attendance.arrive(name, other, lambda: None)
        for wait, is_replaced in ((89, False), (1, True)):
            week.now += wait
            await town.watch.tick()
            assert bool((await town.tables.get(name)).standing_in) == is_replaced


async def test_codes_limits_and_cookies_follow_the_same_time(week: Week) -> None:
    signer = Signer(b"k" * 32)
    word = signer.sign("mia", week.now)
    async with week.day() as town:
        codes = [await town.people.make_code("mia") for _ in range(2)]
        assert sum(town.keeping.by_person.take("mia") for _ in range(2 * MUCH.at_once)) == MUCH.at_once
        week.now += DAY
        assert sum(town.keeping.by_person.take("mia") for _ in range(2 * MUCH.at_once)) == MUCH.at_once
        week.now -= HOUR  # somebody sets the clock right
        assert not town.keeping.by_person.take("mia")
        week.now += HOUR - DAY + 9 * MINUTE
    async with week.day() as town:
        assert await town.people.by_code(codes[0]) == "mia"
        week.now += 2 * MINUTE
        with pytest.raises(Refused, match="too old"):
            await town.people.by_code(codes[1])
    assert signer.read(word, week.now + 7 * DAY) == "mia"
    assert signer.read(word, week.now + 366 * DAY) is None
