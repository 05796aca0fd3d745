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

TOUCHED = 10
"""Choices that each makes by touching in a quick run."""


def parties(server: Server, game: str) -> list[int]:
    """How many can play together, the fewest first."""
    [info] = [each for each in Guest(server.url).get("/api/games") if each["id"] == game]
    return sorted(party["players"] for party in info["parties"] if party["players"] > 1)


async def test_two_people_play_from_the_lobby_to_the_end(
    server: Server, visitor: Coming, game: str, soak: int, tally: Tally
) -> None:
    """One sits at a desk, the other has a phone; in a soak both have phones and see everything move.

    A quick run touches only at the beginning: the rest is chosen over sockets, and seen in the browsers.
    """
    many = parties(server, game)
    touching = None if soak > 1 else TOUCHED
    for match in range(soak):
        players = many[match % len(many)]
        host = await visitor(PHONE if soak > 1 else DESK, moves=soak > 1)
        friend = await visitor(PHONE, moves=soak > 1)
        await host.opens()
        options = SHORTEST.get(game, []) if soak == 1 else []
        link = await host.invites(find(game).title, players, bots=players - 2, options=options)
        await friend.goes_to(link)
        await friend.sits_down()
        made = await asyncio.gather(*(person.plays_to_the_end(touching) for person in (host, friend)))
        assert min(made) > 0
        for person in (host, friend):
            assert await person.dialog().locator(".podium li").count() >= players
            assert person.problems == []
            await person.page.goto("about:blank")
        tally("choices made by touching in whole games", sum(made))
        tally("whole games of two people in browsers", 1)
