"""What people do at a table besides choosing: asking, taking back, talking, watching, leaving and coming back."""

from __future__ import annotations

import re

import pytest

from cardtown.games import find
from tests.server.serving import Chair, Guest, Server
from tests.web.browsing import DESK, PHONE, Visitor, words
from tests.web.cable import cable_to
from tests.web.conftest import Coming

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_from_the_first_page_to_the_first_choice_in_three_touches(
    server: Server, visitor: Coming, game: str
) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find(game).title)
    await person.until_turn()
    for spot in await person.glowing():
        person.touches = 1
        await person.touches_at(spot)
        await person.touches_something(is_resolute=True)
        await person.settles()
        if await person.made():
            break
        await person.presses("Escape")  # this is one of the things that take longer
    assert await person.made() == 1, await person.tells()
    assert person.touches <= 3


async def begin(server: Server, visitor: Coming, game: str, **more: object) -> tuple[Visitor, Visitor]:
    """Two people at a table for two, who have not chosen anything; the first is to act."""
    host, friend = await visitor(DESK, **more), await visitor(PHONE, **more)
    await host.opens()
    link = await host.invites(find(game).title, 2)
    await friend.goes_to(link)
    await friend.sits_down()
    await host.until("() => document.querySelector('[data-stage=playing] .seat') !== null")
    await friend.until("() => document.querySelector('[data-stage=playing] .seat') !== null")
    return (host, friend) if await host.page.evaluate("() => eyes.isMyTurn()") else (friend, host)


async def hand_of(person: Visitor) -> list[str]:
    return sorted(await person.page.locator(".hand [data-thing]").evaluate_all("all => all.map(e => e.dataset.thing)"))


async def test_a_choice_that_others_saw_is_taken_back_when_they_agree(server: Server, visitor: Coming) -> None:
    person, other = await begin(server, visitor, "hollywood")
    hand: list[str] = []
    while not await person.button("table.askUndo").count():  # the first choices of a round may be hidden from the other
        assert not await person.page.evaluate("() => eyes.isOver()"), await person.tells()
        if await person.page.evaluate("() => eyes.isMyTurn()"):
            hand = await hand_of(person)
            await person.chooses()
        elif await other.page.evaluate("() => eyes.isMyTurn()"):
            await other.chooses()
    await person.button("table.askUndo").click()
    await person.page.get_by_text(words("table.undoWaits")).wait_for()
    await other.button("table.refuse").click()
    await person.page.get_by_text(words("table.undoWaits")).wait_for(state="detached")
    await person.button("table.askUndo").click()
    await other.button("table.agree").click()
    await person.until("() => eyes.isMyTurn()")
    assert await hand_of(person) == hand


async def test_a_choice_that_nobody_saw_is_taken_back_at_once(server: Server, visitor: Coming) -> None:
    host = Guest(server.url)
    friend = Guest(server.url)
    table = host.open("gossip", ["me", "open", "open"])
    third = Guest(server.url)
    async with friend.at(table) as chair, third.at(table) as last:
        await chair.do("sit", seat=1)
        await last.do("sit", seat=2)
        person = await visitor(DESK)
        await person.becomes(host)
        await person.goes_to(f"/t/{table}")

        async def others_choose() -> None:
            for each in (chair, last):
                if each.choices:
                    await each.choose()

        for _ in range(12):
            await person.until("() => eyes.isMyTurn() || document.querySelector('.seat.acts:not(.mine)') !== null")
            if await person.page.evaluate("() => eyes.isMyTurn()"):
                before = await hand_of(person)
                await person.chooses()
                await person.page.get_by_role("button", name=re.compile(r"\(U\)"), disabled=False).wait_for()
                if await person.button("table.undo").count():
                    break
            await others_choose()
        await person.presses("u")
        await person.until("() => eyes.isMyTurn()")
        assert await hand_of(person) == before


async def test_a_hint_shows_bars_and_lifts_what_is_picked(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find("egocentric").title)
    await person.until_turn()
    await person.clears_the_table()
    await person.button("table.hint").click()
    bars = person.dialog().locator(".bars button")
    await bars.first.wait_for()
    assert await person.dialog().locator(".bars .fill").count() == await bars.count()
    await bars.first.click()
    await person.dialog().wait_for(state="detached")
    assert await person.made() == 0
    assert await person.page.locator(".touched, .acts [data-choice]").count()


async def dead_card(server: Server, guest: Guest, table: str) -> str:
    """Play at a table until some card of the hand can't be played; which one."""
    async with guest.at(table) as chair:
        while True:
            await chair.until(lambda: chair.choices or chair.is_over)
            assert not chair.is_over, "in a whole match somebody must follow suit"
            hand = next(zone for zone in chair.view["board"]["zones"] if zone["id"] == "hand0")
            live = {choice["path"][0] for choice in chair.choices}
            dead = [thing["id"] for thing in hand["things"] if thing["id"] not in live]
            if dead and chair.view["board"]["prompt"]["key"] != "prompt_discard":
                return str(dead[0])
            await chair.choose()


async def test_a_dead_card_says_why_it_cannot_be_played(server: Server, visitor: Coming) -> None:
    guest = Guest(server.url)
    table = guest.open("hollywood", ["me", "random"])
    dead = await dead_card(server, guest, table)
    person = await visitor(PHONE)
    await person.becomes(guest)
    await person.goes_to(f"/t/{table}")
    await person.until_turn()
    await person.clears_the_table()
    await person.touches_thing(dead)
    await person.page.locator("[role=status] .quiet, .why .quiet").first.wait_for()
    assert await person.made() == 0
    await person.button("help.rule").click()
    await person.dialog().get_by_role("heading", name=words("help.title"), exact=True).wait_for()


async def test_who_clicks_too_often_sends_once(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    await person.clears_the_table()
    while not await person.made():
        await person.until_turn()
        [spot, *_] = await person.glowing()
        await person.page.mouse.click(spot.x, spot.y, click_count=6, delay=0)
        await person.settles()
    decisions = await person.chosen()
    assert len(decisions) == len(set(decisions))


async def test_a_card_is_dragged_onto_the_table(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    await person.clears_the_table()
    [spot, *_] = await person.glowing()
    felt = await person.page.get_by_role("region", name=words("table.felt")).bounding_box()
    assert felt
    await person.page.mouse.move(spot.x, spot.y)
    await person.page.mouse.down()
    await person.page.mouse.move(felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] / 2, steps=6)
    await person.page.mouse.up()
    await person.until("() => document.querySelectorAll('.log li').length > 0")
    await person.until('id => !document.querySelector(`.hand [data-thing="${id}"]`)', spot.what)
    assert await person.made() == 1


async def test_who_wishes_it_is_asked_again_before_a_choice(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    await person.clears_the_table()
    await person.button("table.settings").click()
    await person.dialog().get_by_text(words("settings.confirmChoices")).click()
    await person.closes_dialog()
    await person.presses("1")
    await person.page.get_by_role("button", name=words("table.sure")).wait_for()
    assert await person.made() == 0
    await person.page.get_by_role("button", name=words("table.sure")).tap()
    await person.until("() => document.querySelector('.acts [data-choice]') === null")
    assert await person.made() == 1


async def test_people_talk(server: Server, visitor: Coming) -> None:
    person, other = await begin(server, visitor, "hollywood")
    desk, phone = (person, other) if person.page.viewport_size == DESK else (other, person)
    await desk.page.get_by_label(words("table.say")).fill("Good evening <b>all</b>")
    await desk.presses("Enter")
    await phone.button("table.logScoreChat").click()
    await phone.dialog().get_by_text("Good evening <b>all</b>").wait_for()
    await phone.dialog().get_by_label(words("table.say")).fill("こんばんは")
    await phone.dialog().get_by_role("button", name=words("table.send"), exact=True).tap()
    await desk.page.get_by_text("こんばんは").wait_for()


async def test_the_same_person_in_two_tabs(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    other = await person.another_tab()
    await other.goes_to(person.page.url)
    await other.clears_the_table()
    await other.until_turn()
    lines = len(await person.log())
    await other.chooses(2)
    await person.until("lines => document.querySelectorAll('.log li').length > lines", lines)
    await person.chooses(1)
    await other.until_turn()
    await person.until_turn()
    lines = len(await person.log())
    await other.until("lines => document.querySelectorAll('.log li').length >= lines", lines)
    assert other.problems == []
    assert await other.log() == await person.log()


def secrets(chair: Chair) -> set[str]:
    """The cards of a person's own hands that nobody else has seen."""
    zones = [zone for zone in chair.view["board"]["zones"] if zone.get("owner") == chair.view["me"]]
    return {
        thing["id"]
        for zone in zones
        for thing in zone.get("things", [])
        if zone["kind"] == "fan" and thing["is"] == "card" and thing["face"] and not thing.get("known")
    }


async def test_a_spectator_sees_no_hand(server: Server, visitor: Coming, game: str) -> None:
    guest = Guest(server.url)
    seats = find(game).seats[-1]
    table = guest.open(game, ["me", *["random"] * (seats - 1)])
    async with guest.at(table) as chair:
        await chair.play(most=3)
        await chair.until(lambda: chair.choices or chair.is_over)
        while not (hidden := secrets(chair)):  # a hand may be empty, or all of it known, for a while
            assert await chair.play(most=1)
            await chair.until(lambda: chair.choices or chair.is_over)
        watcher = await visitor(DESK)
        await watcher.goes_to(f"/t/{table}")
        await watcher.sees("table.watching")
        shown = set(await watcher.page.locator("[data-thing]").evaluate_all("all => all.map(e => e.dataset.thing)"))
        assert shown
        assert not hidden & shown
        assert await watcher.page.locator(".hand, [data-stop].glow, [data-button]").count() == 0
        names = await watcher.page.locator('.zone.fan [role="img"]').evaluate_all("all => all.map(e => e.ariaLabel)")
        seen = {
            thing["face"]
            for zone in Guest(server.url).get(f"/api/tables/{table}")["board"]["zones"]
            for thing in zone.get("things", [])
            if thing["is"] == "card"
        }
        assert seen or set(names) == {words("table.back")}


async def test_the_cable_is_cut_and_mended(server: Server, visitor: Coming, browser: object) -> None:
    """What was chosen just before is sent once; what happened meanwhile is there afterwards."""
    async with cable_to(server.port) as (cable, url):
        person = await visitor(DESK)
        person.url = url
        await person.opens()
        await person.plays_now(find("hollywood").title)
        await person.until_turn()
        await person.clears_the_table()
        await person.chooses(2)
        await person.until_turn()
        before = len(await person.log())
        cable.is_deaf = True
        await person.chooses(1)
        cable.cut()
        await person.sees("table.lost")
        cable.mend()
        await person.page.get_by_text(words("table.lost")).wait_for(state="detached")
        await person.until("lines => document.querySelectorAll('.log li').length > lines", before)
        await person.chooses(1)
        decisions = await person.chosen()
        assert len(decisions) == len(set(decisions))
        await person.page.goto("about:blank")  # the cable goes with this block: nobody shall miss it
        person.problems = [each for each in person.problems if "ERR_" not in each and "WebSocket" not in each]


async def test_giving_up_ends_a_match_of_two(server: Server, visitor: Coming) -> None:
    person, other = await begin(server, visitor, "hollywood")
    await person.clears_the_table()
    await person.button("table.settings").click()
    await person.dialog().get_by_role("button", name=words("table.resign"), exact=True).click()
    await person.dialog().get_by_role("button", name=words("table.resign"), exact=True).click()
    await other.sees_the_end()
    await other.sees("table.byResignation")
    await other.sees("table.youWon")
    await person.sees_the_end()
    await person.dialog().get_by_role("button", name=words("table.rematch"), exact=True).click()
    await other.dialog().get_by_role("button", name=words("table.rematch"), exact=True).click()
    await person.until("() => document.querySelector('[data-stage=playing]') !== null")
    await other.until("() => document.querySelector('[data-stage=playing]') !== null")
    assert person.page.url == other.page.url
