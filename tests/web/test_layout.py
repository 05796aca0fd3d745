"""Where things are: nothing is cut off, covered or too small to be hit, in the fullest states that a game comes to."""

from __future__ import annotations

import pytest

from cardtown.games import find
from tests.conftest import Tally
from tests.server.serving import Guest, Server
from tests.web.browsing import DESK, PHONE, Visitor
from tests.web.conftest import Coming
from tests.web.states import finished_table, fullest_tables

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def check(person: Visitor, where: str) -> None:
    for size in (PHONE, DESK):
        await person.page.set_viewport_size(size)
        await person.until("width => innerWidth === width", size["width"])
        await person.settles()
        wrong = await person.page.evaluate("() => eyes.misplaced()")
        assert not wrong, "\n".join([f"{where}, {size['width']}:", *wrong])


async def test_the_fullest_tables(server: Server, visitor: Coming, game: str, soak: int, tally: Tally) -> None:
    """As many seats as there can be, late in the match, with the largest hands, and the most to touch."""
    guest = Guest(server.url)
    seats = find(game).seats[-1]
    tables = await fullest_tables(guest, game, ["me", *["random"] * (seats - 1)], matches=soak)
    person = await visitor(PHONE)
    await person.becomes(guest)
    for measure, table in tables.items():
        await person.page.set_viewport_size(PHONE)
        await person.goes_to(f"/t/{table}")
        await person.until_turn()
        if await person.button("help.skip").count():
            await person.button("help.skip").click()
        await check(person, f"{game}, most {measure}")
    tally("full tables looked at", len(tables))


async def test_the_pages_around_the_table(server: Server, visitor: Coming) -> None:
    guest = Guest(server.url)
    table = await finished_table(guest, "hollywood", ["me", "easy"], carpet=3)
    waiting = guest.open("egocentric", ["me", *["open"] * 5])
    person = await visitor(PHONE)
    await person.becomes(guest)
    await person.opens()
    await person.page.get_by_role("article").first.wait_for()
    await check(person, "town")
    await person.opens("/me")
    await person.button("me.code.make").wait_for()
    await check(person, "me")
    await person.goes_to(f"/t/{waiting}")
    await check(person, "waiting room")
    await person.goes_to(f"/t/{table}")
    await person.sees_the_end()
    await check(person, "end")
    await person.opens(f"/t/{table}/review")
    await person.page.get_by_role("slider").wait_for()
    await check(person, "review")


async def test_twice_as_large(server: Server, visitor: Coming, game: str) -> None:
    """A browser that shows everything twice as large has half as much room; a match can be played all the same."""
    person = await visitor({"width": DESK["width"] // 2, "height": DESK["height"] // 2})
    await person.opens()
    await person.plays_now(find(game).title)
    await person.chooses(2)
    assert await person.page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth")
