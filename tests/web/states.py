"""Tables as they are late in a match, reached quickly through the API, for a browser to look at."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.server.serving import Guest, Wire


async def finished_table(guest: Guest, game: str, seats: Sequence[str], seed: int = 0, **options: int | str) -> str:
    """A match that the guest has played to its end, by any choices; the table's name."""
    dice = random.Random(seed)
    table = guest.open(game, seats, options=options)
    async with guest.at(table) as chair:
        await chair.play(lambda _: dice.randrange(63))
    return table


def things(board: Wire) -> int:
    """How much lies on a table where it is seen: all but what is in piles."""
    return sum(len(zone.get("things", [])) for zone in board["zones"] if zone["kind"] != "pile")


def in_hand(board: Wire) -> int:
    """How many cards the largest hand has that its owner sees."""
    own = [zone for zone in board["zones"] if zone["kind"] == "fan" and zone.get("owner") == board["seat"]]
    return max((len(zone.get("things", [])) for zone in own), default=0)


def live(board: Wire) -> int:
    """How many things can be touched first."""
    return len({choice["path"][0] for choice in board["choices"]})


FULL = {"things": things, "hand": in_hand, "choices": live}


async def fullest_tables(
    guest: Guest, game: str, seats: Sequence[str], matches: int = 2, **options: int | str
) -> dict[str, str]:
    """Tables where the guest is to act and as much is there as ever was in some matches, by each measure."""
    best: dict[str, tuple[int, str, int]] = {}
    for seed in range(matches):
        table = await finished_table(guest, game, seats, seed, **options)
        steps: list[dict[str, Any]] = guest.get(f"/api/tables/{table}/replay?seat=0")["steps"]
        for number, step in enumerate(steps):
            if 0 not in step["board"]["acting"]:
                continue
            for name, measure in FULL.items():
                found = measure(step["board"])
                if found > best.get(name, (0, "", 0))[0]:
                    best[name] = (found, table, number)
    return {
        name: guest.post(f"/api/tables/{table}/continue", {"step": number, "seat": 0, "bot": "random"})["table"]
        for name, (_, table, number) in best.items()
    }
