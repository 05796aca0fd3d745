"""The browser client: how soon a table can be touched, and whether anything stutters while it is played.

`python -m benchmarks.client` measures this part alone.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.async_api import Browser, ViewportSize
from rich.console import Console

from tests.server.serving import Guest, Server, serving
from tests.web.browsing import DESK, PHONE, Visitor, browsing

GAMES = ("hollywood", "hinode")
"""Games of tricks, with the fewest and with the most seats."""

OPENINGS = 5
CHOICES = 20
PAUSE = "0.3"
PROGRESS = "h1 .progress"

WATCHING = """
const watched = { frames: [], tasks: [], touchable: null };
let last = null;
function look(now) {
  if (watched.touchable === null && eyes.isMyTurn() && eyes.glowing().length) watched.touchable = performance.now();
  if (last !== null) watched.frames.push(now - last);
  last = now;
  requestAnimationFrame(look);
}
requestAnimationFrame(look);
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) watched.tasks.push(task.duration);
}).observe({ type: 'longtask' });
watched.anew = () => {
  const { frames, tasks } = watched;
  [watched.frames, watched.tasks, last] = [[], [], null];
  return { frames, tasks };
};
globalThis.watched = watched;
"""
"""Notes when something glows that a finger can reach, how long each frame was shown, and tasks of 50 ms and longer."""

SCRIPTS = """() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter(
  (path) => path.endsWith('.js'))"""


class Way(NamedTuple):
    """On what the client is looked at; `slower` is how many times the processor is slowed down."""

    name: str
    size: ViewportSize
    slower: int = 1


WAYS = (Way("desktop", DESK), Way("phone", PHONE), Way("phone, 4 × slower", PHONE, 4))


class Client(NamedTuple):
    """Seconds until a table can be touched, without and with a cache; its JavaScript as sent; the longest frames (ms)
    while one trick and while all choices are played, and how many tasks took 50 ms or longer."""

    cold: float
    warm: float
    script_bytes: int
    trick_frame: float
    frame: float
    long_tasks: int
    longest_task: float


Clients = dict[tuple[str, str], Client]
"""By game and way."""


async def measure_client(server: Server, browser: Browser, game: str, way: Way) -> Client:
    guest = Guest(server.url)
    table = await table_with_a_choice(guest, game)
    cold, warm = [], []
    for _ in range(OPENINGS):
        visitor = await comes(browser, server, guest, way)
        cold.append(await seconds_to_touch(visitor, table))
        warm.append(await seconds_to_touch(visitor, table))
        scripts = await visitor.page.evaluate(SCRIPTS)
        await visitor.context.close()
    sent = [guest.ask("GET", path, headers={"Accept-Encoding": "gzip"}).content for path in sorted(set(scripts))]
    visitor = await comes(browser, server, guest, way)
    await seconds_to_touch(visitor, table)
    await watched(visitor)
    await play_trick(visitor)
    trick_frame, tasks = await watched(visitor)
    while await visitor.is_left_to_choose(CHOICES):
        await choose(visitor)
    frame, more = await watched(visitor)
    await visitor.context.close()
    tasks += more
    return Client(
        median(cold),
        median(warm),
        sum(map(len, sent)),
        trick_frame,
        max(trick_frame, frame),
        len(tasks),
        max(tasks, default=0.0),
    )


async def table_with_a_choice(guest: Guest, game: str) -> str:
    """A new table against bots, as soon as it is the guest's turn."""
    [info] = [each for each in guest.get("/api/games") if each["id"] == game]
    seats = max(party["seats"] for party in info["parties"])
    table = guest.open(game, ["me", *["easy"] * (seats - 1)])
    async with guest.at(table) as chair:
        await chair.until(lambda: chair.choices)
    return table


async def comes(browser: Browser, server: Server, guest: Guest, way: Way) -> Visitor:
    """The guest with an empty cache, who has seen the tours and likes to see things move."""
    visitor = await Visitor.comes(browser, server.url, way.size, moves=True)
    await visitor.becomes(guest)
    await visitor.context.add_init_script(
        f"localStorage.setItem('cardtown', JSON.stringify({{seenTours: {list(GAMES)}}}))"
    )
    await visitor.context.add_init_script(WATCHING)
    if way.slower > 1:
        devtools = await visitor.context.new_cdp_session(visitor.page)
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": way.slower})
    return visitor


async def seconds_to_touch(visitor: Visitor, table: str) -> float:
    await visitor.opens(f"/t/{table}")
    await visitor.until("() => watched.touchable !== null")
    found: float = await visitor.page.evaluate("() => watched.touchable")
    return found / 1000


async def play_trick(visitor: Visitor) -> None:
    """Play until the table says that it is the next trick."""
    begun = await visitor.page.locator(PROGRESS).inner_text()
    while await visitor.page.locator(PROGRESS).inner_text() == begun:
        await choose(visitor)


async def choose(visitor: Visitor) -> None:
    """Make a choice and see all that follows from it."""
    made = await visitor.made()
    while await visitor.is_left_to_choose(made + 1):
        await visitor.touches_something()
    await visitor.until_turn_or_end()
    await visitor.until("() => document.querySelector('.travelling') === null")


async def watched(visitor: Visitor) -> tuple[float, list[float]]:
    """The longest frame since the last time, and the long tasks."""
    found: dict[str, Any] = await visitor.page.evaluate("() => watched.anew()")
    return max(found["frames"]), found["tasks"]


async def measure_all(console: Console) -> Clients:
    found = {}
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "town", "--pause", PAUSE) as server:
        async with browsing() as browser:
            for game in GAMES:
                for way in WAYS:
                    with console.status(f"In a browser: {game}, {way.name} …"):
                        found[game, way.name] = await measure_client(server, browser, game, way)
    return found


def measure_clients(console: Console) -> Clients:
    return asyncio.run(measure_all(console))


def main() -> int:
    from .report import client_sheet, markdown

    print(markdown(client_sheet(measure_clients(Console()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
