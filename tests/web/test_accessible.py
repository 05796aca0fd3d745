"""What axe says of every page and phase, in light and dark, on a phone and at a desk: nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cardtown.games import find
from tests.server.serving import Guest, Server
from tests.web.browsing import DESK, PHONE, ROOT, Visitor, words
from tests.web.conftest import Coming
from tests.web.states import finished_table

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


async def violations(person: Visitor) -> list[str]:
    """What is wrong with what can be seen now."""
    if not await person.page.evaluate("() => 'axe' in globalThis"):
        await person.page.add_script_tag(path=AXE)
    await person.settles()
    found: dict[str, Any] = await person.page.evaluate("rules => axe.run(document, rules)", RULES)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


Check = Callable[[Visitor, str], Awaitable[None]]


@pytest.fixture
def check(soak: int) -> Check:
    """The same page in both schemes and at both sizes: all four ways in a soak, else each page in another one."""
    ways = [(DESK, "dark"), (PHONE, "light"), (DESK, "light"), (PHONE, "dark")]

    async def check(person: Visitor, where: str) -> None:
        for size, scheme in ways if soak > 1 else [ways[len(where) % len(ways)]]:
            await person.page.set_viewport_size(size)
            await person.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            await person.until("scheme => document.documentElement.dataset.scheme === scheme", scheme)
            wrong = await violations(person)
            assert not wrong, "\n".join([f"{where}, {scheme}, {size['width']}:", *wrong])

    return check


async def test_the_town_and_its_dialogs(server: Server, visitor: Coming, check: Check) -> None:
    person = await visitor(bypass_csp=True)
    await person.opens()
    await person.district("Gossip and the City").wait_for()
    await check(person, "town")
    await person.district("Gossip and the City").get_by_role("button", name="With friends").click()
    await check(person, "new table")
    await person.dialog().locator("button.primary").click()
    await person.sees("new.opened")
    await check(person, "link")


async def test_my_page(server: Server, visitor: Coming, check: Check) -> None:
    person = await visitor(bypass_csp=True)
    await person.opens("/me")
    await person.button("me.code.make").click()
    await person.page.locator(".code").wait_for()
    await check(person, "me")
    await person.button("me.delete").click()
    await check(person, "deleting")


async def test_the_waiting_room(server: Server, visitor: Coming, check: Check) -> None:
    host, friend = Guest(server.url), await visitor(bypass_csp=True)
    table = host.open("gossip", ["me", "open", "open"])
    await friend.goes_to(f"/t/{table}")
    await check(friend, "invited")
    person = await visitor(bypass_csp=True)
    await person.becomes(host)
    await person.goes_to(f"/t/{table}")
    await check(person, "waiting")


async def test_a_table_that_is_played_at(server: Server, visitor: Coming, check: Check, game: str) -> None:
    person = await visitor(bypass_csp=True)
    await person.opens()
    await person.plays_now(find(game).title)
    await person.until_turn()
    await check(person, "tour and first choice")
    await person.chooses(2)
    await person.until_turn_or_end()
    while await person.button("help.skip").count():
        await person.button("help.skip").click()
    await check(person, "my turn")


async def test_the_panels_of_a_table(server: Server, visitor: Coming, check: Check) -> None:
    person = await visitor(PHONE, bypass_csp=True)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    await person.button("help.skip").click()
    for key in ("table.settings", "table.rules", "table.logScoreChat"):
        await person.page.set_viewport_size(PHONE)
        await person.button(key).click()
        await check(person, key)
        await person.closes_dialog()
    await person.button("table.hint").click()
    await person.dialog().locator(".bars").wait_for()
    await check(person, "hint")
    await person.closes_dialog()
    await person.page.get_by_role("button", name="in words").click()
    await check(person, "choices in words")


async def test_the_turn_of_another(server: Server, visitor: Coming, check: Check) -> None:
    host, friend, watcher = Guest(server.url), Guest(server.url), await visitor(bypass_csp=True)
    table = host.open("hollywood", ["me", "open"])
    async with friend.at(table) as chair, host.at(table) as first:
        await chair.do("sit", seat=1)
        await first.until(lambda: first.choices or chair.choices)
        waiting = host if not first.choices else friend
        person = await visitor(bypass_csp=True)
        await person.becomes(waiting)
        await person.goes_to(f"/t/{table}")
        await person.page.locator(".hand").wait_for()
        await check(person, "another's turn")
        await watcher.goes_to(f"/t/{table}")
        await check(watcher, "watching")


async def test_the_end_and_the_review(server: Server, visitor: Coming, check: Check) -> None:
    guest = Guest(server.url)
    table = await finished_table(guest, "hollywood", ["me", "easy"], carpet=3)
    person = await visitor(bypass_csp=True)
    await person.becomes(guest)
    await person.goes_to(f"/t/{table}")
    await person.sees_the_end()
    await check(person, "end")
    await person.dialog().get_by_role("link", name="Review").click()
    await person.page.get_by_role("region", name=words("review.board")).wait_for()
    await check(person, "review")
