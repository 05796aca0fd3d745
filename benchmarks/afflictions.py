"""The faults that come over a town: each takes its time, and in the end everything could go on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

from .besieged import Fault, Town
from .host import Host
from .keeping import InDatabase, InFile, Keeping
from .relay import Cable

ALONE, AMONG_OTHERS = 0.5, (2.0, 9.0)
"""Seconds that a process stands still at most; others believe it dead after five."""

EFFECT = 5.0
"""Seconds within which a full disk is noticed by somebody, if anybody writes."""


async def kill(town: Town) -> None:
    """A server dies and is started again a little later; or only one of its processes, which it sees to itself."""
    host = a_host(town)
    async with host.busy:
        pids = host.pids()
        how = town.dice.choice(("all", "first", "one", "one", "one")) if len(pids) > 1 else "all"
        if how == "one":
            with suppress(ProcessLookupError):  # it was killed a moment ago
                os.kill(town.dice.choice(pids), signal.SIGKILL)
            return
        await asyncio.to_thread(host.die if how == "all" else host.lose_first)
        await town.a_little_later()
        await asyncio.to_thread(host.restart)


async def pause(town: Town) -> None:
    """A process stands still for a while, and goes on as if nothing had happened; the others may think it dead."""
    host = a_host(town)
    async with host.busy:
        pid = town.dice.choice(host.pids())
        with suppress(ProcessLookupError):  # it was, or is, killed
            os.kill(pid, signal.SIGSTOP)
            longest = ALONE if len(town.hosts) == 1 else town.dice.choice(AMONG_OTHERS)
            await asyncio.sleep(town.dice.uniform(0.1, longest))
            os.kill(pid, signal.SIGCONT)


async def cut(town: Town) -> None:
    """Connections break: one, some or all; at once, or while nothing comes through any more in one direction."""
    cables = sorted(town.relay.cables, key=id)
    some = town.dice.choice((1, 1, town.dice.randrange(1, 6), len(cables)))
    chosen = town.dice.sample(cables, min(some, len(cables)))
    for cable in chosen:
        lose(cable, town.dice)
    await asyncio.sleep(town.dice.choice((0.0, 0.02, 0.3)))
    town.relay.cut(chosen)
    town.found.counted["connections that broke"] += len(chosen)


def lose(cable: Cable, dice: random.Random) -> None:
    what = dice.choice(("nothing", "requests", "answers"))
    cable.swallows_requests = what == "requests"
    cable.swallows_answers = what == "answers"


async def jump(town: Town) -> None:
    """A clock jumps, forth or back."""
    host = a_host(town)
    host.set_clock(town.dice.choice([ahead for ahead in town.keeping.jumps if ahead != host.ahead]))


async def fill_disk(town: Town) -> None:
    """Nothing can be written any more, until somebody makes room; the server may die meanwhile."""
    keeping = town.keeping
    assert isinstance(keeping, InFile)
    host = a_host(town)
    async with host.busy:
        await asyncio.to_thread(keeping.fill)
        before = sum(town.refused[why] for why in ("internal", "busy"))
        try:
            async with asyncio.timeout(EFFECT):
                await town.until(lambda: sum(town.refused[why] for why in ("internal", "busy")) > before)
            town.found.counted["times that somebody met the full disk"] += 1
        except TimeoutError:
            pass
        await asyncio.sleep(town.dice.random() * 0.5)
        dies = town.dice.random() < 0.3
        if dies:
            host.die()
        keeping.make_room()
        if dies:
            await asyncio.to_thread(host.restart)


async def restart_database(town: Town) -> None:
    """PostgreSQL crashes and recovers."""
    assert isinstance(town.keeping, InDatabase)
    await town.keeping.restart()


async def hang_up(town: Town) -> None:
    """PostgreSQL ends all connections."""
    assert isinstance(town.keeping, InDatabase)
    await town.keeping.hang_up()


def a_host(town: Town) -> Host:
    """One to which nothing happens now, if there is one."""
    return min(town.hosts, key=lambda host: (host.busy.locked(), town.dice.random()))


EVERYWHERE: Mapping[str, tuple[Fault, int]] = {
    "servers killed": (kill, 5),
    "servers stopped and resumed": (pause, 4),
    "connections cut": (cut, 12),
    "clocks jumped": (jump, 4),
}
"""The kinds of faults, and how often each comes beside the others."""

DISK: Mapping[str, tuple[Fault, int]] = {"disk full": (fill_disk, 4)}
DATABASE: Mapping[str, tuple[Fault, int]] = {
    "PostgreSQL crashed and restarted": (restart_database, 3),
    "connections to PostgreSQL ended": (hang_up, 3),
}


def kinds_of(keeping: Keeping) -> Mapping[str, tuple[Fault, int]]:
    """What may happen to a town that is kept like this."""
    if isinstance(keeping, InDatabase):
        return {**EVERYWHERE, **DATABASE}
    has_disk = isinstance(keeping, InFile) and keeping.has_disk
    return {**EVERYWHERE, **DISK} if has_disk else EVERYWHERE


def plan(kinds: Mapping[str, tuple[Fault, int]], faults: int, dice: random.Random) -> Sequence[tuple[str, Fault]]:
    """So many faults, of all kinds, in any order."""
    most = max(share for _, share in kinds.values())
    shares = [(name, fault) for i in range(most) for name, (fault, share) in kinds.items() if i < share]
    found = [shares[number % len(shares)] for number in range(faults)]
    dice.shuffle(found)
    return found
