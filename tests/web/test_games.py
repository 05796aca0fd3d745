"""Every game, played by two people in their browsers from the lobby to the end screen."""

from __future__ import annotations

import asyncio

import pytest

from cardtown.games import find
from tests.conftest import Tally
from tests.server.serving import Guest, Server
from tests.web.browsing import DESK, PHONE
from tests.web.conftest import Coming

pytestmark = pytest.mark.asyncio(loop_scope="session")


SHORTEST = {"hollywood": ["3"], "egocentric": ["one-round"]}
"""The options with which a game takes the fewest choices."""


def fewest(server: Server, game: str) -> int:
    """How many must play at least, if two of them are people."""
    [info] = [each for each in Guest(server.url).get("/api/games") if each["id"] == game]
    return min(party["players"] for party in info["parties"] if party["players"] > 1)


async def test_two_people_play_from_the_lobby_to_the_end(
    server: Server, visitor: Coming, game: str, soak: int, tally: Tally
) -> None:
    """One sits at a desk, the other has a phone; in a soak both have phones and see everything move."""
    players = fewest(server, game)
    host = await visitor(PHONE if soak > 1 else DESK, moves=soak > 1)
    friend = await visitor(PHONE, moves=soak > 1)
    await host.opens()
    link = await host.invites(find(game).title, players, bots=players - 2, options=SHORTEST.get(game, []))
    await friend.goes_to(link)
    await friend.sits_down()
    made = await asyncio.gather(host.plays_to_the_end(), friend.plays_to_the_end())
    assert min(made) > 1
    assert len(await host.dialog().locator(".podium li").all()) >= players
    tally("choices made by touching in whole games", sum(made))
    tally("whole games of two people in browsers", 1)
