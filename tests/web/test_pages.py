"""The pages around the table: the town, how it is shown, ways back, tables that are gone, the review."""

from __future__ import annotations

import re

import pytest

from cardtown.games import find
from tests.server.serving import Guest, Server
from tests.web.browsing import DESK, JAPANESE, PHONE, words
from tests.web.conftest import Coming
from tests.web.states import finished_table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_everything_is_said_in_japanese_and_back(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.district(find("hollywood").title).wait_for()
    await person.page.get_by_role("button", name="日本語").click()
    await person.until("() => document.documentElement.lang === 'ja'")
    await person.page.get_by_role("button", name=JAPANESE["town.friends"], exact=True).first.wait_for()
    assert await person.button("town.friends").count() == 0
    await person.page.get_by_role("button", name=re.compile(JAPANESE["town.play"])).first.click()
    await person.until_turn()
    prompt = await person.page.locator("[data-prompt]").inner_text()
    assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", prompt), prompt
    await person.page.reload()
    await person.until_turn()
    assert await person.page.locator("[data-prompt]").inner_text() == prompt
    await person.page.get_by_role("button", name=JAPANESE["table.settings"], exact=True).click()
    await person.dialog().get_by_label(JAPANESE["settings.language"]).select_option("en")
    await person.until("() => document.documentElement.lang === 'en'")
    await person.closes_dialog()
    assert not re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", await person.page.locator("[data-prompt]").inner_text())


async def test_light_and_dark(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE, color_scheme="light")
    await person.opens("/me")
    await person.until("() => document.documentElement.dataset.scheme === 'light'")
    colour = "() => getComputedStyle(document.body).backgroundColor"
    light = await person.page.evaluate(colour)
    await person.page.get_by_role("radio", name=words("me.scheme.dark"), exact=True).check()
    await person.until("() => document.documentElement.dataset.scheme === 'dark'")
    await person.settles()
    assert await person.page.evaluate(colour) != light
    await person.page.reload()
    await person.until("() => document.documentElement.dataset.scheme === 'dark'")
    await person.page.get_by_role("radio", name=words("me.scheme.system"), exact=True).check()
    await person.until("() => document.documentElement.dataset.scheme === 'light'")


async def test_who_i_am_stays(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens("/me")
    await person.page.get_by_label(words("me.name"), exact=True).fill("Mia")
    await person.button("me.save").click()
    await person.button("me.save").and_(person.page.locator(":disabled")).wait_for()
    await person.page.get_by_role("link", name=words("me.back"), exact=True).click()
    await person.page.get_by_role("link", name="Mia").wait_for()


async def test_back_and_forward(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    table = person.page.url
    await person.page.go_back()
    await person.district(find("hollywood").title).wait_for()
    assert "●" not in await person.page.title()
    await person.page.get_by_role("link", name=re.compile(words("town.continue"))).wait_for()
    await person.page.go_forward()
    await person.until_turn()
    assert person.page.url == table
    assert "●" in await person.page.title()
    await person.chooses()
    await person.page.go_back()
    await person.page.get_by_role("link", name=re.compile(words("town.continue"))).click()
    await person.until_turn()
    assert person.page.url == table


async def test_a_table_that_never_was(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens("/t/nothing-here")
    await person.sees("refused.no-such-table")
    await person.page.get_by_role("link", name=words("table.toTown")).tap()
    await person.district(find("gossip").title).wait_for()
    person.problems = [each for each in person.problems if "404" not in each]


async def test_a_table_that_was_closed(server: Server, visitor: Coming) -> None:
    host, friend = await visitor(DESK), await visitor(PHONE)
    await host.opens()
    link = await host.invites(find("hollywood").title, 2)
    await friend.goes_to(link)
    await friend.button("table.sit").wait_for()
    await host.button("table.close").click()
    await host.district(find("hollywood").title).wait_for()
    await friend.sees("table.closed")
    await friend.page.reload()
    await friend.sees("table.closed")


async def test_an_open_table_is_found_in_the_town(server: Server, visitor: Coming) -> None:
    host = Guest(server.url)
    table = host.open("hollywood", ["me", "open"], is_listed=True)
    person = await visitor(PHONE)
    await person.opens()
    await person.page.locator(f'a[href="/t/{table}"]').click()
    await person.sits_down()
    await person.until("() => document.querySelector('[data-stage=playing]') !== null")


async def test_the_tour_is_shown_once(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find("gossip").title)
    await person.button("help.next").tap()
    await person.button("help.skip").tap()
    await person.button("help.skip").wait_for(state="detached")
    await person.opens()
    await person.plays_now(find("gossip").title)
    await person.until_turn()
    assert await person.button("help.skip").count() == 0
    await person.button("table.rules").tap()
    await person.button("help.tourAgain").click()
    await person.button("help.skip").wait_for()


async def test_rules_are_searched(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.button("table.rules").tap()
    await person.sees("help.now")
    paragraphs = person.dialog().locator(".rules p, .rules li")
    many = await paragraphs.count()
    await person.dialog().get_by_role("searchbox").fill("pawn")
    await person.dialog().locator("mark").first.wait_for()
    assert 0 < await paragraphs.count() < many
    await person.dialog().get_by_role("searchbox").fill("zzzz")
    await person.sees("help.nothing")


async def test_rematch_in_one_touch(server: Server, visitor: Coming) -> None:
    guest = Guest(server.url)
    table = await finished_table(guest, "egocentric", ["me", "easy"], goal="one-round")
    person = await visitor(PHONE)
    await person.becomes(guest)
    await person.goes_to(f"/t/{table}")
    await person.sees_the_end()
    await person.dialog().get_by_role("button", name=words("table.rematch"), exact=True).tap()
    await person.until("table => !location.pathname.endsWith(table)", table)
    await person.until_turn()


async def test_a_match_is_reviewed_and_continued(server: Server, visitor: Coming) -> None:
    guest = Guest(server.url)
    table = await finished_table(guest, "egocentric", ["me", "easy"], goal="one-round")
    last = len(guest.get(f"/api/tables/{table}/replay")["steps"]) - 1
    person = await visitor(DESK)
    await person.becomes(guest)
    await person.goes_to(f"/t/{table}")
    await person.sees_the_end()
    await person.dialog().get_by_role("link", name=words("table.review"), exact=True).click()
    slider = person.page.get_by_role("slider", name=words("review.step"))
    await slider.wait_for()
    assert await slider.input_value() == "0"
    boards = set()
    for step in range(1, last + 1):
        await person.button("review.next").click()
        assert await slider.input_value() == str(step)
        boards.add(await person.page.get_by_role("region", name=words("review.board")).inner_html())
    assert len(boards) > last / 2
    await slider.focus()
    await person.presses("Home", "ArrowRight")
    assert await slider.input_value() == "1"
    await person.page.locator(".mistakes").or_(person.page.get_by_text(words("review.flawless"))).first.wait_for()
    await person.button("review.first").click()
    await person.button("review.continue").click()
    await person.dialog().get_by_role("button", name=words("review.go"), exact=True).click()
    await person.until_turn()
    assert table not in person.page.url
    await person.chooses()
