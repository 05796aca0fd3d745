"""A real browser and people in it, who play by what they see: they touch what glows on the table, and know no game.

Nobody here speaks to the server but through the page. What goes over the page's socket is only overheard.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, async_playwright
from playwright.async_api import TimeoutError as TooLong

from tests.server.serving import Guest

ROOT = Path(__file__).parent.parent.parent
SOURCES = ROOT / "web" / "src"
PICTURES = Path(tempfile.gettempdir()) / "cardtown-web"
"""Where a failed test leaves what could be seen."""

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}
PATIENCE = 30_000  # milliseconds
WORDS: dict[str, Any] = json.loads((SOURCES / "words" / "en.json").read_text(encoding="utf-8"))
JAPANESE: dict[str, Any] = json.loads((SOURCES / "words" / "ja.json").read_text(encoding="utf-8"))

STILL = """async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const brief = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 5000);
    await Promise.allSettled(brief.map((each) => each.finished));
}"""
EYES = (Path(__file__).parent / "eyes.js").read_text(encoding="utf-8")


def words(key: str, **args: object) -> str:
    """What the interface says in English."""
    found = WORDS[key]
    if isinstance(found, dict):
        found = found["one" if args.get("n") == 1 else "other"]
    return re.sub(r"\{(\w+)\}", lambda match: str(args[match[1]]), found)


class Spot(NamedTuple):
    """Something that can be touched: where it can be hit, and what it is."""

    what: str
    x: float
    y: float


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "the tests need the browser Chromium: `make test` installs it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            await browser.close()


class Visitor:
    """Somebody with a browser of their own, who does one thing after another."""

    def __init__(self, context: BrowserContext, url: str, seed: int = 0) -> None:
        self.context = context
        self.url = url
        self.dice = random.Random(seed)
        self.problems: list[str] = []
        self.touches = 0
        self.has_touch = False

    @classmethod
    async def comes(
        cls, browser: Browser, url: str, size: ViewportSize = DESK, *, moves: bool = False, seed: int = 0, **more: Any
    ) -> Visitor:
        """A new person; things move on their screen only if they like that."""
        is_phone = size["width"] < 600
        context = await browser.new_context(
            viewport=size,
            has_touch=is_phone,
            reduced_motion="no-preference" if moves else "reduce",
            locale="en-GB",
            permissions=["clipboard-read", "clipboard-write"],
            **more,
        )
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(EYES)
        visitor = cls(context, url, seed)
        visitor.has_touch = is_phone
        visitor.listen(await context.new_page())
        return visitor

    def listen(self, page: Page) -> None:
        """Look at a page from now on, and remember what goes wrong on it."""
        self.page = page
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self.hears)

    def hears(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.problems.append(f"console: {said.text}")

    async def chosen(self) -> list[str]:
        """The decisions that this page has answered, each as often as it did."""
        return list(
            await self.page.evaluate(
                "() => eyes.sent.filter((each) => each.do === 'choose').map((each) => each.decision)"
            )
        )

    async def made(self) -> int:
        """How many choices this page has made."""
        return int(await self.page.evaluate("() => eyes.made()"))

    async def another_tab(self) -> Visitor:
        """The same person in one more tab."""
        other = Visitor(self.context, self.url, self.dice.randrange(1000))
        other.has_touch = self.has_touch
        other.listen(await self.context.new_page())
        return other

    async def becomes(self, guest: Guest) -> None:
        """Be somebody who has been here before."""
        name, _, value = guest.headers["Cookie"].partition("=")
        await self.context.add_cookies([{"name": name, "value": value, "url": self.url}])

    # Looking

    async def opens(self, path: str = "/") -> None:
        await self.page.goto(path if path.startswith("http") else self.url + path)

    def button(self, key: str, **args: object) -> Locator:
        return self.page.get_by_role("button", name=words(key, **args), exact=True)

    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    async def sees(self, key: str, **args: object) -> None:
        await self.page.get_by_text(words(key, **args), exact=True).first.wait_for()

    async def until(self, condition: str, argument: object = None) -> None:
        """Wait until something is so, told in JavaScript."""
        try:
            await self.page.wait_for_function(condition, arg=argument)
        except TooLong as late:
            raise AssertionError(f"waited too long until {condition}; {await self.tells()}") from late

    async def settles(self) -> None:
        """Wait until fonts are there and nothing changes its place or colour any more."""
        await self.page.evaluate(STILL)

    async def tells(self) -> str:
        """What can be seen now, in words."""
        seen = await self.page.evaluate("() => eyes.seen()")
        return f"at {self.page.url} there is {json.dumps(seen, ensure_ascii=False)}"

    async def takes_picture(self, name: str) -> Path:
        PICTURES.mkdir(exist_ok=True)
        path = PICTURES / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}.png"
        await self.page.screenshot(path=path)
        return path

    # The way to a table

    def district(self, title: str) -> Locator:
        return self.page.get_by_role("article", name=title, exact=True)

    async def plays_now(self, title: str) -> None:
        await self.touches_element(self.district(title).get_by_role("button", name=re.compile(words("town.play"))))
        await self.is_at_table()

    async def invites(self, title: str, players: int, bots: int = 0, options: Iterable[str] = ()) -> str:
        """Open a table for friends, with the weakest bots in the last seats and some options; its link."""
        await self.touches_element(self.district(title).get_by_role("button", name=words("town.friends"), exact=True))
        many = self.dialog().get_by_role("group", name=words("new.players"))
        if await many.count():
            await many.get_by_role("radio", name=str(players), exact=True).check()
        for place in range(players - bots, players):
            await self.dialog().get_by_label(words("new.seat", n=place + 1), exact=True).select_option("easy")
        for value in options:
            await self.dialog().locator(f'select:has(option[value="{value}"])').select_option(value)
        await self.dialog().get_by_role("button", name=words("new.open"), exact=True).click()
        await self.sees("new.opened")
        link = await self.dialog().get_by_label(words("link.label"), exact=True).input_value()
        await self.dialog().get_by_role("button", name=words("new.enter"), exact=True).click()
        await self.is_at_table()
        return link

    async def sits_down(self) -> None:
        await self.touches_element(self.button("table.sit").first)

    async def is_at_table(self) -> None:
        await self.page.locator("[data-stage]").wait_for()

    async def goes_to(self, link: str) -> None:
        await self.opens(link)
        await self.is_at_table()

    # Playing

    async def touches_element(self, element: Locator) -> None:
        self.touches += 1
        await (element.tap() if self.has_touch else element.click())

    async def touches_at(self, spot: Spot) -> None:
        self.touches += 1
        if self.has_touch:
            await self.page.touchscreen.tap(spot.x, spot.y)
        else:
            await self.page.mouse.click(spot.x, spot.y)

    async def until_turn_or_end(self) -> bool:
        """Wait until there is something to choose, or the match is over: then False."""
        await self.until("() => eyes.isMyTurn() || eyes.isOver()")
        return bool(await self.page.evaluate("() => eyes.isMyTurn()"))

    async def until_turn(self) -> None:
        assert await self.until_turn_or_end(), await self.tells()

    async def glowing(self) -> list[Spot]:
        """What can be touched to go on, where a finger reaches it."""
        return [Spot(*each) for each in await self.page.evaluate("() => eyes.glowing()")]

    async def touches_something(self, is_resolute: bool = False) -> None:
        """Touch anything that leads on; what was lifted is touched again to do it, or now and then given up."""
        lifted = [Spot(*each) for each in await self.page.evaluate("() => eyes.lifted()")]
        spots = await self.glowing()
        if lifted and (not spots or is_resolute or self.dice.random() < 0.8):
            await self.touches_at(self.dice.choice(lifted))
        elif spots:
            await self.touches_at(self.dice.choice(spots))
        elif await self.page.evaluate("() => eyes.isCovered()"):
            await self.clears_the_table()

    async def clears_the_table(self) -> None:
        """Put away what lies over the table: a dialog, or the tour's bubble."""
        if await self.dialog().count():
            await self.page.keyboard.press("Escape")
        elif await self.button("help.skip").count():
            await self.touches_element(self.button("help.skip"))
        else:
            await self.page.mouse.wheel(0, 400)

    async def chooses(self, how_often: int = 1) -> None:
        """Make so many choices, each when it is my turn."""
        enough = await self.made() + how_often
        while await self.is_left_to_choose(enough):
            await self.touches_something()
        assert await self.made() == enough, await self.tells()

    async def is_left_to_choose(self, enough: int) -> bool:
        """Wait until it is my turn, unless enough choices have been made or the match is over: then False."""
        await self.until("enough => eyes.made() >= enough || eyes.isMyTurn() || eyes.isOver()", enough)
        return bool(await self.page.evaluate("enough => eyes.made() < enough && eyes.isMyTurn()", enough))

    async def touches_thing(self, thing: str) -> None:
        """Touch a card or piece wherever it can be hit, whether that leads on or not."""
        where = 'thing => eyes.hitPoint(document.querySelector(`[data-thing="${thing}"]`))'
        await self.touches_at(Spot(thing, *await self.page.evaluate(where, thing)))

    async def guest(self) -> Guest:
        """The same person without a browser."""
        [cookie] = await self.context.cookies(self.url)
        guest = Guest(self.url)
        guest.headers["Cookie"] = f"{cookie['name']}={cookie['value']}"
        return guest

    async def plays_to_the_end(self, touching: int | None = None) -> int:
        """Play until the end screen is there; how many choices were made here.

        Of them only so many are made by touching; then the same person goes on elsewhere while this page looks on.
        """
        while (touching is None or await self.made() < touching) and await self.until_turn_or_end():
            await self.touches_something()
        if touching is not None:
            async with (await self.guest()).at(self.page.url.rpartition("/")[2]) as chair:
                await chair.play(lambda _: self.dice.randrange(63))  # the first choice again and again may lead nowhere
        await self.sees_the_end()
        decisions = await self.chosen()
        assert len(decisions) == len(set(decisions)), "nothing is answered twice"
        return len(decisions)

    async def sees_the_end(self) -> None:
        await self.dialog().get_by_role("button", name=words("table.rematch"), exact=True).wait_for()

    async def closes_dialog(self) -> None:
        await self.touches_element(self.dialog().get_by_role("button", name=words("close"), exact=True))
        await self.until("() => document.querySelector('dialog') === null")

    async def log(self) -> list[str]:
        """The lines of the log, which is at the side or one touch away."""
        if not await self.page.locator("ol.log").count():
            await self.touches_element(self.button("table.logScoreChat"))
            lines = await self.page.locator("ol.log li").all_inner_texts()
            await self.closes_dialog()
            return lines
        return await self.page.locator("ol.log li").all_inner_texts()

    # By keys alone

    async def presses(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def tabs_to(self, element: Locator, most: int = 80) -> None:
        """Press Tab until something has the focus."""
        await element.wait_for()
        for _ in range(most):
            if await element.evaluate("element => element === document.activeElement"):
                return
            await self.presses("Tab")
        raise AssertionError(f"Tab does not lead to {element}; {await self.tells()}")

    async def presses_something(self) -> None:
        """Go to something that glows by arrows or Tab, and press it; now and then choose by number."""
        if self.dice.random() < 0.1:
            await self.presses("1")
            return
        for _ in range(40):
            if await self.page.evaluate("() => eyes.isLive(document.activeElement)"):
                await self.presses(self.dice.choice(["Enter", "Space"]))
                return
            if not await self.page.evaluate("() => eyes.isMyTurn()"):
                return
            await self.presses(self.dice.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Tab"]))

    async def chooses_by_keys(self, how_often: int) -> int:
        """Make so many choices, or all until the end, by keys alone; how many it were. The focus always comes back."""
        made = await self.made()
        while await self.is_left_to_choose(made + how_often):
            await self.presses_something()
            await self.until("() => document.activeElement !== document.body")
        return await self.made() - made
