"""The fault programme, at a small count: see docs/reliability.md."""

from __future__ import annotations

import asyncio
import random

import pytest

from benchmarks import afflictions
from benchmarks.afflictions import EVERYWHERE, plan
from benchmarks.besieged import told_late
from benchmarks.faults import STORES, besiege
from benchmarks.relay import Relay

GAMES, FAULTS = 2, 6


@pytest.mark.parametrize("store", STORES)
async def test_whatever_happens_nothing_is_lost_or_doubled_and_every_table_is_played_to_its_end(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(afflictions, "AMONG_OTHERS", (1.0,))
    result = await besiege(store, GAMES, FAULTS)
    assert not result.found.faulty
    assert result.found.games.total() >= GAMES
    assert result.found.faults.total() == FAULTS
    assert result.found.counted["requests acknowledged"]
    assert result.found.counted["views compared"] > result.found.counted["requests acknowledged"]


@pytest.mark.parametrize(
    ("bug", "store", "games", "faults", "sign"),
    [
        ("early", "sqlite", 6, len(EVERYWHERE) + 2, ""),  # it shows in many ways
        ("disorder", "sqlite", 3, 0, "showed another said"),
        ("unsaid", "postgres", 3, 0, "came 0.25 s after others had seen the same"),
    ],
)
async def test_a_planted_bug_is_found(bug: str, store: str, games: int, faults: int, sign: str) -> None:
    result = await besiege(store, games, faults, bug=bug)
    assert sign in result.found.faulty[0]


def test_it_is_found_when_more_than_one_in_fifty_is_told_late() -> None:
    assert not list(told_late([0.01] * 49 + [0.3]))
    assert list(told_late([0.01] * 48 + [0.3] * 2)) == ["2 of 50 views came 0.25 s after others had seen the same"]


def test_every_kind_of_fault_comes_before_any_comes_twice() -> None:
    planned = plan(EVERYWHERE, len(EVERYWHERE), random.Random(0))
    assert {name for name, _ in planned} == set(EVERYWHERE)


async def test_a_relay_passes_on_everything_until_it_is_told_otherwise() -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(100):
                heard.put_nowait(piece)
                writer.write(piece)
        except ConnectionResetError:
            heard.put_nowait(b"reset")
        writer.transport.abort()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with Relay(random.Random(0), [server.sockets[0].getsockname()[1]]) as relay:
        reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
        writer.write(b"one")
        assert await reader.read(100) == await heard.get() == b"one"
        (cable,) = relay.cables
        cable.swallows_answers = True
        writer.write(b"two")
        assert await heard.get() == b"two"
        cable.swallows_requests = True
        writer.write(b"three")
        relay.cut([cable])
        with pytest.raises(ConnectionResetError):
            await reader.read(100)
        assert await heard.get() == b"reset"
        writer.transport.abort()
    server.close()
