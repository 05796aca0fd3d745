"""Looks for leaks: does anything that a connection is sent hang on cards that are hidden from it?

A game that played itself is played again over real sockets, by people in all seats and before a spectator, who also ask
and try this and that. Then it is played once more with two cards swapped. As long as a seat can't tell the two deals
apart (it guesses the same of both: `redeal`, which the laws hold to what the game's clauses say that a seat knows), all
frames that it gets must be the same, byte for byte. Clock, secret, names and people are the same each time.

Server and guests share one event loop and go in lock step: nobody sends anything before all have seen what came before.
So no view is skipped for a newer one, and frames come in the same order each time.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from cardtown.core import laws, play
from cardtown.core.chance import Script, Seeded, below, seed_stream
from cardtown.core.game import Game, Options
from cardtown.core.match import Chosen, Match
from cardtown.core.play import Player
from cardtown.core.state import Dice, State
from cardtown.core.story import Drawn
from cardtown.server.app import make_app
from cardtown.server.identity import Signer
from cardtown.server.messages import NewTable, encode
from cardtown.server.people import Person, given_name
from cardtown.server.process import config_for, listen
from cardtown.server.rows import Opened, decode
from cardtown.server.sockets import STATE, Manners
from cardtown.server.store import Row
from cardtown.server.stores import open_store
from cardtown.server.table import Table
from cardtown.server.town import Settings, Town
from cardtown.server.views import Named, Seen, view
from cardtown.server.visitors import COOKIE, Door
from tests.server.outside import location
from tests.server.serving import Chair, Guest, Wire, whole

Watcher = int | None
"""A seat, or None for the spectator."""

TABLE = "table"
VISITOR = "visitor"
PAGES = ("", "/record", "/transcript", "/replay?seat=0", "/review?seat=0")
TRIES = 12
ROUNDS = 20
"""So many swaps are tried at a time, and so many times, until there is one for every watcher."""

ASKS = 0.4
TAKES_BACK = 0.04
"""How often a watcher asks something between two choices, and how often a choice is taken back."""

TALKS_EVERY = 30
VISITED_EVERY = 25
"""So many choices apart somebody says something, and somebody else comes to watch."""


class Leak(AssertionError):
    """A connection was sent something that hangs on what is hidden from it."""


def play_by_itself(game: Game, seats: int, options: Options, player: Player, seed: int, number: int) -> Match:
    code = game.plain(play)
    match = Match(game, seats, options, Seeded(seed, 2 * number))
    dice = Dice()
    seed_stream(dice.rng, seed, 2 * number + 1)
    while match.outcome is None:
        seat = play.seat_to_act(match.state)
        match.choose(seat, code.choose(laws.players_of(player, seats), match.state, seat, dice))
    return match


def watchers(match: Match) -> list[Watcher]:
    return [*range(match.choosing), None]


# What can be swapped


@dataclass(frozen=True)
class Swap:
    """Other chance for the same choices, and after how many of these each watcher still can't tell (-1: it always can).

    `worth` counts for each watcher the choices before which that was so although somebody else could tell.
    """

    drawn: list[Drawn]
    until: dict[Watcher, int]
    worth: dict[Watcher, int]


def find_swaps(match: Match, seed: int) -> list[Swap]:
    """A few swaps that keep every watcher in the dark, for as long as possible."""
    dice = Dice()
    seed_stream(dice.rng, seed, 0)
    orders = [i for i, event in enumerate(laws.chance_of(match)) if event.order]
    found: list[Swap] = []
    waiting = watchers(match)
    for _ in range(ROUNDS):
        swaps = [try_swap(match, orders[below(dice.rng, len(orders))], dice) for _ in range(TRIES)]
        while any(swap.worth[watcher] for swap in swaps for watcher in waiting):
            best = max(swaps, key=lambda swap: sum(swap.worth[watcher] for watcher in waiting))
            waiting = [watcher for watcher in waiting if not best.worth[watcher]]
            found.append(best)
        if not waiting:
            return found
    raise AssertionError(f"nothing can be swapped that is hidden from {waiting}")


def try_swap(match: Match, at: int, dice: Dice) -> Swap:
    """Swap two cards in one of the match's shuffles."""
    drawn = laws.chance_of(match)
    swap = Swap(laws.with_two_swapped(drawn, at, dice), *(dict.fromkeys(watchers(match), n) for n in (-1, 0)))
    in_the_dark = set(range(match.choosing))
    deals = laws.side_by_side(match, drawn, swap.drawn)
    for made, pair in enumerate(islice(deals, next_shuffle(match, at))):
        in_the_dark = {seat for seat in in_the_dark if guesses_alike(match.game, pair, seat, made)}
        if not in_the_dark:
            break
        for watcher in (*in_the_dark, None):  # a spectator knows no more than anybody who plays
            swap.until[watcher] = made
            swap.worth[watcher] += len(in_the_dark) < match.choosing
    if match.choosing == 1 and not in_the_dark:  # nobody else ever holds the cards, but they come to light
        swap.worth.update({watcher: made + 1 for watcher, made in swap.until.items()})
    return swap


def next_shuffle(match: Match, at: int) -> int | None:
    """With which choice the cards are shuffled anew; what that choice shows of the old deal nobody has to remember."""
    drawn = laws.chance_of(match)
    steps = [step for step, events in enumerate(by_step(match, drawn)) for _ in events]
    return next((steps[i] for i in range(at + 1, len(drawn)) if drawn[i].kind == drawn[at].kind), None)


def guesses_alike(game: Game, pair: Sequence[State], seat: int, seed: int) -> bool:
    one, other = (game.redealt(s, seat, seed).packed() for s in pair)
    return one == other


def by_step(match: Match, drawn: Sequence[Drawn]) -> list[list[Drawn]]:
    """What chance brings at the start and with every choice."""
    steps: list[list[Drawn]] = [[]]
    left = iter(drawn)
    for event in match.events:
        if isinstance(event, Chosen):
            steps.append([])
        else:
            steps[-1].append(next(left))
    return steps


class Again(Script):
    """Given chance, step by step: what is taken back comes again."""

    def __init__(self, match: Match, drawn: Sequence[Drawn]) -> None:
        self.steps = by_step(match, drawn)

    def begin(self, s: State, step: int) -> None:
        self.expect = laws.expecting(self.steps[step])


# Playing it over sockets


class Hall:
    """A real server for one town after another."""

    def __init__(self) -> None:
        self.listening = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.app: ASGIApp | None = None
        self.state: dict[str, Any] = {}

    def open(self, town: Town, signer: Signer) -> None:
        """From now on it serves this town."""
        self.app = make_app(town, Door(town, signer))
        self.state[STATE] = Manners(town.settings.bounds, town.metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            scope["state"].update(self.state)
            self.state = scope["state"]
            for done in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{done}.complete"})
            return
        assert self.app is not None
        await self.app(scope, receive, send)


@asynccontextmanager
async def open_hall() -> AsyncIterator[Hall]:
    hall = Hall()
    server = uvicorn.Server(config_for(hall))
    serving = asyncio.create_task(server.serve([hall.listening]))
    try:
        yield hall
    finally:
        server.should_exit = True
        await serving


class Performance:
    """A match that is played over sockets; with a swap, as far as that keeps somebody in the dark.

    It keeps every frame that each watcher gets, how many these were after so many choices, and the table's log.
    """

    def __init__(self, match: Match, cards: Sequence[str], swap: Swap | None = None) -> None:
        self.match = match
        self.cards = cards  # what people like to ask about
        self.drawn = swap.drawn if swap else laws.chance_of(match)
        self.until = swap.until if swap else dict.fromkeys(watchers(match), len(match.choices))
        self.now = 1_000_000.0
        self.chairs: dict[Watcher, Chair] = {}
        self.marks: list[dict[Watcher, int]] = []
        self.rows: list[Row] = []

    def frames(self, watcher: Watcher, made: int) -> list[str]:
        """What a watcher got before choice number `made`."""
        return self.chairs[watcher].frames[: self.marks[made][watcher]]

    async def run(self, hall: Hall, folder: Path) -> None:
        match = self.match
        folder.mkdir(exist_ok=True)
        town = Town(
            await open_store(location(folder)),
            {match.game.id: match.game},
            Settings(pause=0),
            now=lambda: self.now,
            chance=lambda opened: Again(match, self.drawn),
            new_name=lambda: TABLE,
            new_secret=lambda: bytes(32),
        )
        signer = Signer(bytes(32))
        hall.open(town, signer)
        self.guests = {person: Guest(hall.url) for person in (*map(person_of, watchers(match)), VISITOR)}
        for person, guest in self.guests.items():
            guest.headers["Cookie"] = f"{COOKIE}={signer.sign(person, self.now)}"
        async with AsyncExitStack() as stack:
            stack.push_async_callback(town.stop)
            town.do(town.care.run())
            await self._open(town)
            for watcher in watchers(match):
                self.chairs[watcher] = await stack.enter_async_context(self.guests[person_of(watcher)].at(TABLE))
                await self._until_there(len(self.chairs))
            await self._play()
            self.rows = await town.store.rows(TABLE)

    async def _open(self, town: Town) -> None:
        game, seats = self.match.game, ("me", *["open"] * (self.match.choosing - 1))
        may_hint = not game.changed  # bots have no compiled code for a game with a planted fault
        await town.open(person_of(0), NewTable(game.id, seats, self.match.options, may_hint=may_hint))
        for seat in range(1, self.match.choosing):
            await town.sit(TABLE, person_of(seat), seat)

    async def _until_there(self, n: int) -> None:
        """Wait until everybody knows that so many are there."""
        for chair in self.chairs.values():
            await chair.until(partial(is_there, chair, n))

    async def _play(self) -> None:
        last = max(self.until.values())
        for made in range(last + 1):
            await self._ask_around(made)
            if made % VISITED_EVERY == 0:
                await self._visit()
            self.marks.append({watcher: len(chair.frames) for watcher, chair in self.chairs.items()})
            if made < last:
                self.now += 1
                await self._choose(made)

    async def _ask_around(self, made: int) -> None:
        """Some ask something that changes nothing; but in another deal, nobody who can tell that it is another."""
        for watcher, chair in self.chairs.items():
            dice = random.Random(f"{made} {watcher}")
            if dice.random() < ASKS and made <= self.until[watcher]:
                do, more = question(chair, self.cards, dice)
                if do == "page":
                    page = await asyncio.to_thread(chair.guest.ask, "GET", more["path"])
                    chair.frames.append(page.content.decode())
                else:
                    await chair.ask(do, **more)

    async def _visit(self) -> None:
        """Somebody comes to watch and goes; what they were sent is as good as sent to the spectator."""
        async with self.guests[VISITOR].at(TABLE) as visitor:
            await self._until_there(len(self.chairs) + 1)
            await visitor.until(partial(is_there, visitor, len(self.chairs) + 1))
        await self._until_there(len(self.chairs))
        self.chairs[None].frames += visitor.frames

    async def _choose(self, made: int) -> None:
        seat, choice = self.match.choices[made]
        chair = self.chairs[seat]
        decision = chair.view["decision"]
        await self._do(chair, "choose", decision=decision, choice=choice)
        if chair.is_over:
            return
        if random.Random(f"undo {made}").random() < TAKES_BACK:
            await self._take_back(chair, agrees=bool(made % 3))
            if chair.view["decision"].split(".")[0] != decision.split(".")[0]:
                await self._do(chair, "choose", decision=chair.view["decision"], choice=choice)
        if made % TALKS_EVERY == 0:
            speaker = list(self.chairs.values())[made // TALKS_EVERY % len(self.chairs)]
            await self._do(speaker, "say", text=f"That was choice {made}.")

    async def _take_back(self, chair: Chair, agrees: bool) -> None:
        await self._do(chair, "undo")
        for other in self.chairs.values():
            if other.view["undo"]["waits_for_me"]:
                await self._do(other, "answer-undo", agrees=agrees)

    async def _do(self, chair: Chair, request: str, **more: Any) -> None:
        """Do something that changes the table; all see it."""
        answer = await chair.ask(request, **more)
        assert answer["is"] == "done", answer
        for other in self.chairs.values():
            await other.until_number(answer["number"] + chair.is_over)  # that it is over is noted in a row of its own


def person_of(watcher: Watcher) -> str:
    return "spectator" if watcher is None else f"seat{watcher}"


def is_there(chair: Chair, n: int) -> bool:
    there = chair.presence
    return bool(there) and sum(there["seats"]) + there["watchers"] == n


def question(chair: Chair, cards: Sequence[str], dice: random.Random) -> tuple[str, Wire]:
    """Something that changes nothing: it is explained, refused, or looked up."""
    board, decision = chair.view["board"], chair.view["decision"] or ""
    things = [thing["id"] for zone in board["zones"] for thing in zone.get("things", [])]
    zones = [zone["id"] for zone in board["zones"]]
    legal = {choice["number"] for choice in board["choices"]}
    illegal = dice.choice([number for number in range(63) if number not in legal])
    explained: list[tuple[str, Wire]] = [
        ("why-not", {"thing": thing}) for thing in (*cards, dice.choice(things + zones))
    ]
    not_chosen: list[tuple[str, Wire]] = [
        ("choose", {"decision": decision, "choice": illegal}),
        ("choose", {"decision": decision, "choice": illegal}),
        ("choose", {"decision": "9.9", "choice": illegal}),
        ("choose", {"decision": decision}),
    ]
    refused: list[tuple[str, Wire]] = [("answer-undo", {"agrees": True}), ("come-back", {}), ("sit", {"seat": 0})]
    looked_up: list[tuple[str, Wire]] = [
        ("hint", {"decision": decision}),
        ("resync", {}),
        ("ping", {}),
        ("page", {"path": f"/api/tables/{TABLE}{dice.choice(PAGES)}"}),
        ("page", {"path": "/api/me/tables"}),
    ]
    return dice.choice(dice.choice([explained, not_chosen, refused, looked_up]))


# What must be the same


async def check_frames(hall: Hall, match: Match, folder: Path, seed: int) -> tuple[list[Performance], int]:
    """Play a match, swap cards, play again and compare: all that was played, and how many frames were compared."""
    swaps = find_swaps(match, seed)
    cards = sorted({card for swap in swaps for card in swapped_cards(match, swap)})
    performances = [Performance(match, cards), *(Performance(match, cards, swap) for swap in swaps)]
    for number, performance in enumerate(performances):
        await performance.run(hall, folder / f"{seed}-{number}")
    one, *others = performances
    return performances, sum(compare(one, other) for other in others)


def swapped_cards(match: Match, swap: Swap) -> set[str]:
    """The cards that lie elsewhere, by their names."""
    names = match.game.show.CHANCES
    return {
        str(names[this.kind].notation[card])
        for this, that in zip(laws.chance_of(match), swap.drawn, strict=True)
        for card, other in zip(this.order or (), that.order or (), strict=True)
        if card != other
    }


def compare(one: Performance, other: Performance) -> int:
    """Who is kept in the dark gets the same frames; how many there were."""
    compared = 0
    for watcher, until in other.until.items():
        if until >= 0:
            frames = [performance.frames(watcher, until) for performance in (one, other)]
            for made, (this, that) in enumerate(zip(*frames, strict=False)):
                if this != that:
                    raise Leak(f"frame {made} of {person_of(watcher)}: {differing(this, that)}")
            if len(frames[0]) != len(frames[1]):
                raise Leak(f"{person_of(watcher)} got {len(frames[0])} and {len(frames[1])} frames")
            compared += len(frames[0])
    return compared


def differing(this: str, that: str) -> str:
    """Where two texts begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(this, that, strict=False)) if a != b), min(len(this), len(that)))
    return " or ".join(f"…{text[max(0, at - 120) : at + 120]}…" for text in (this, that))


def check_views(performance: Performance) -> int:
    """Every view is the one that is built where all that its watcher can't know was guessed; how many there were."""
    match, rows = performance.match, performance.rows
    opened = decode(rows[0].body)
    assert isinstance(opened, Opened)
    games = {match.game.id: match.game}
    table = Table(TABLE, opened, games, rows[0].at, lambda opened: Again(match, performance.drawn))
    named = Named(lambda person: Person(given_name(person)))
    views: list[tuple[int, Watcher, Wire]] = []
    for watcher, chair in performance.chairs.items():
        before: Wire = {}
        for frame in chair.frames:
            found = json.loads(frame)
            if isinstance(found, dict) and found.get("is") == "view":
                before = whole(found, before)
                views.append((before["number"], watcher, before))
    for number, watcher, found in sorted(views, key=lambda each: each[0]):
        while table.length < number:
            row = rows[table.length]
            table.apply(decode(row.body), row.at)
        seen = Seen(table.undos, found["first_line"], found["first_said"])
        built = encode(view(guessed(table, watcher, number), person_of(watcher), named, seen, found["done"])).decode()
        shown = encode(found).decode()
        if built != shown:
            raise Leak(f"view {number} of {person_of(watcher)} is not what it can know: {differing(shown, built)}")
    return len(views)


def guessed(table: Table, watcher: Watcher, seed: int) -> Table:
    """The same table, but what a watcher can't know is guessed, and of lines told to others it is known only that."""
    made, match = copy(table), copy(table.match)
    assert match is not None
    seat = seed % match.choosing if watcher is None else watcher
    match.state = table.game.redealt(match.state, seat, seed)
    match.told = [
        line if line.is_for(watcher) else msgspec.structs.replace(line, args=(0, 0, 0)) for line in match.told
    ]
    match.read_anew()
    made.match = match
    made.board = None
    return made
