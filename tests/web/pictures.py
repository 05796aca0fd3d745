"""The pictures in docs/pictures: `make pictures` plays every game and shows it as people see it.

A match is played to its end over the socket, and goes on at the moments that are worth a picture: so each shows a real
table, and the fullest one that the match had. The deals differ from run to run.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.async_api import Browser

from cardtown.games import games
from tests.server.serving import Chair, Guest, Server, serving
from tests.web.browsing import DESK, PHONE, Visitor, browsing

SIZES = {"desk": DESK, "phone": PHONE}
NAMES = ("Mia", "Kenji", "Rosa", "Tom", "Aiko", "Lars")
QUALITY = 80
NOON, DUSK, NIGHT = (datetime(2026, 6, 1, hour) for hour in (12, 18, 22))
SETTLING = 400  # milliseconds


class Match(NamedTuple):
    """A match to be played: which zones make its table full, and which moves help or hinder that."""

    game: str
    seats: int
    fills: tuple[str, ...]
    likes: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()


MATCHES = (
    Match("hollywood", 2, ("won", "trick")),
    Match("crimson", 5, ("rows", "front")),
    Match("egocentric", 4, (), avoids=("stop", "match")),
    Match("gossip", 5, ("column", "down")),
    Match("hinode", 4, ("purse", "front", "trick")),
)
PUNISHED = ("take 11", "keep 11", "name", "swap", "use")
"""Moves that make hands grow, as exchanges fail."""

FULLER = {"egocentric": Match("egocentric", 6, ("hand",), PUNISHED, ("match", "pair", "stop", "cancel"))}
"""Matches only for the fullest table."""

LIKINGS = 120
"""So many choices of each are made by liking, the others by chance: else a match need not end."""


class Played(NamedTuple):
    """A finished match and who played it first, with the steps worth a picture."""

    table: str
    person: Guest
    middle: int
    fullest: int


async def play(server: Server, match: Match) -> Played:
    people = [guest(server, name) for name in NAMES[: match.seats]]
    table = people[0].open(match.game, ["me"] + ["open"] * (match.seats - 1))
    async with chairs(people, table) as sitting:
        for seat, chair in enumerate(sitting[1:], 1):
            await chair.do("sit", seat=seat)
        await asyncio.gather(*(play_seat(chair, match, seat) for seat, chair in enumerate(sitting)))
    steps = people[0].get(f"/api/tables/{table}/replay?seat=0")["steps"]
    mine = [number for number, step in enumerate(steps) if len(step["board"]["choices"]) > 1]
    middle = min(mine, key=lambda number: abs(number - len(steps) // 2))
    return Played(table, people[0], middle, max(mine, key=lambda number: fullness(steps[number]["board"], match.fills)))


def guest(server: Server, name: str) -> Guest:
    found = Guest(server.url)
    found.get("/api/me")
    found.ask("PATCH", "/api/me", {"name": name})
    return found


@asynccontextmanager
async def chairs(people: Sequence[Guest], table: str) -> AsyncIterator[list[Chair]]:
    sitting = [await person.at(table).__aenter__() for person in people]
    try:
        yield sitting
    finally:
        for chair in sitting:
            await chair.__aexit__()


async def play_seat(chair: Chair, match: Match, seat: int) -> None:
    dice = random.Random(seat)

    def pick(step: int) -> int:
        moves = [choice["move"] for choice in chair.choices]
        places = list(range(len(moves)))
        if step < LIKINGS:
            places = [place for place in places if not moves[place].startswith(match.avoids)] or places
            places = [place for place in range(len(moves)) if moves[place].startswith(match.likes)] or places
        return dice.choice(places)

    await chair.play(pick)


def fullness(board: dict[str, Any], fills: tuple[str, ...]) -> int:
    return sum(len(zone.get("things", [])) for zone in board["zones"] if zone["id"].startswith(fills))


class Photographer:
    """Opens the town in a browser as somebody, and keeps what is seen."""

    def __init__(self, browser: Browser, server: Server, folder: Path) -> None:
        self.browser = browser
        self.server = server
        self.folder = folder
        self.taken = 0

    @asynccontextmanager
    async def looking(self, person: Guest, size: str, hour: datetime = NOON, **likes: Any) -> AsyncIterator[Visitor]:
        """Somebody who has seen all tours and likes the pages like this."""
        visitor = await Visitor.comes(self.browser, self.server.url, SIZES[size])
        kept = json.dumps({"language": "en", "scheme": "light", "seenTours": list(games()), **likes})
        await visitor.context.add_init_script(f"localStorage.setItem('cardtown', {json.dumps(kept)})")
        await visitor.page.clock.set_fixed_time(hour)
        await visitor.becomes(person)
        yield visitor
        await visitor.context.close()

    async def take(self, visitor: Visitor, name: str) -> None:
        await visitor.page.evaluate("() => document.fonts.ready")
        await visitor.page.wait_for_timeout(SETTLING)
        image = Image.open(BytesIO(await visitor.page.screenshot(animations="disabled")))
        path = self.folder / f"{name}.webp"
        image.convert("RGB").save(path, quality=QUALITY, method=6)
        self.taken += path.stat().st_size
        print(f"{path.stat().st_size / 1000:5.0f} kB  {path}", flush=True)

    async def table(self, played: Played, step: int, name: str, *sizes: str, **likes: Any) -> None:
        """My turn at that step."""
        table = goes_on(played, step)
        for size in sizes or SIZES:
            async with self.looking(played.person, size, **likes) as visitor:
                await visitor.goes_to(f"/t/{table}")
                await visitor.until_turn()
                await self.take(visitor, f"{name}-{size}")

    async def hint(self, played: Played) -> None:
        table = goes_on(played, played.middle)
        for size in SIZES:
            async with self.looking(played.person, size) as visitor:
                await visitor.goes_to(f"/t/{table}")
                await visitor.until_turn()
                await visitor.touches_element(visitor.button("table.hint"))
                await visitor.page.locator(".hint").wait_for()
                await self.take(visitor, f"hint-{size}")

    async def review(self, played: Played) -> None:
        """Where a choice was not the best, as soon as the bot has found some."""
        for size in SIZES:
            async with self.looking(played.person, size) as visitor:
                await visitor.opens(f"/t/{played.table}/review")
                await visitor.page.locator("button.mistake").nth(2).click()
                await visitor.page.evaluate("() => scrollTo(0, 0)")
                await self.take(visitor, f"review-{size}")

    async def page(self, person: Guest, path: str, name: str, is_there: str, *sizes: str, **likes: Any) -> None:
        for size in sizes or SIZES:
            async with self.looking(person, size, **likes) as visitor:
                await visitor.opens(path)
                await visitor.page.locator(is_there).first.wait_for()
                await self.take(visitor, f"{name}-{size}")


def goes_on(played: Played, step: int) -> str:
    """A table that goes on from a step of a match, against bots."""
    found: str = played.person.post(f"/api/tables/{played.table}/continue", {"step": step, "seat": 0, "bot": "medium"})[
        "table"
    ]
    return found


async def take_all(server: Server, folder: Path) -> None:
    played = {match.game: await play(server, match) for match in MATCHES}
    async with browsing() as browser:
        photographer = Photographer(browser, server, folder)
        for game, each in played.items():
            await photographer.table(each, each.middle, game)
            full = await play(server, FULLER[game]) if game in FULLER else each
            await photographer.table(full, full.fullest, f"{game}-full")
        await photographer.table(played["crimson"], played["crimson"].middle, "dark-crimson", "desk", scheme="dark")
        await photographer.table(played["gossip"], played["gossip"].middle, "dark-gossip", "phone", scheme="dark")
        await photographer.table(played["hinode"], played["hinode"].middle, "dark-hinode", scheme="dark")
        await photographer.table(played["hinode"], played["hinode"].middle, "japanese-hinode", language="ja")
        await photographer.table(played["gossip"], played["gossip"].middle, "japanese-gossip", "phone", language="ja")
        await photographer.table(played["hollywood"], 0, "tour", seenTours=[])
        await photographer.hint(played["hollywood"])
        crimson, hollywood = played["crimson"], played["hollywood"]
        await photographer.page(crimson.person, f"/t/{crimson.table}", "ending", ".podium")
        await photographer.review(hollywood)
        person = townsman(server, played["gossip"])
        await photographer.page(person, "/", "town-day", "article")
        await photographer.page(person, "/", "town-night", "article", hour=NIGHT, scheme="dark")
        await photographer.page(person, "/", "town-japanese", "article", "phone", hour=DUSK, language="ja")
    print(f"{photographer.taken / 1e6:.1f} MB")


def townsman(server: Server, played: Played) -> Guest:
    """Somebody who has a game to go on with, while others wait at an open table."""
    goes_on(played, played.middle)
    host = guest(server, "Rosa")
    host.open("crimson", ["me", "open", "open", "medium"], is_listed=True)
    return played.person


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data) / "town") as server:
        asyncio.run(take_all(server, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
