"""A town: its tables, people and bots together, whoever asks and by whatever way."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import nullcontext
from contextvars import Context
from dataclasses import dataclass
from typing import Any

import msgspec

from cardtown.bots.readiness import wait_for
from cardtown.core.chance import Source
from cardtown.core.game import Game, GameError, Options

from . import ratings
from .bot_turns import AGAIN_AFTER, BotTurns
from .bounds import USUAL, Bounds
from .care import Care
from .course import by_secret
from .elsewhere import Elsewhere
from .keeping import Ended, Keep, ended_note, forget_old, hosted_note
from .limits import Both, Limit, Measure
from .messages import MyTable, NewTable, OpenTable
from .metrics import Metrics
from .people import People, rating_notes
from .presence import Attendance, Watch
from .ratings import Rating
from .refusal import Refused
from .room import Room
from .rows import ITSELF, NOBODY, Opened, Player
from .store import Note, Store, StoreError
from .table import Table, check_bot_name
from .tables import NoSuchTable, Tables, new_name
from .thinkers import Thinkers
from .views import Named

log = logging.getLogger(__name__)

TALK = Measure(5, 0.5)
"""How often one person may talk."""

MUCH, MUCH_THERE = Measure(30, 0.5), Measure(300, 5.0)
"""What is kept, or takes long to work out: for one person, and for all people of one address."""

PAGES_THERE, GUESS = Measure(1_000, 50.0), Measure(10, 0.1)
"""Pages asked for, and codes guessed, from one address."""

FOR_EVER = Keep()
FORGET_EVERY = 3600.0
"""Seconds between two looks for what is too old to be kept."""

MOST_LISTED = 100
MOST_MINE = 100
SECRET_BYTES = 32


@dataclass(frozen=True)
class Settings:
    """What a host may decide: seconds that bots take to answer and that people may be away; threads that think."""

    pause: float = 0.7
    grace: float = 90.0
    threads: int = max(1, (os.cpu_count() or 2) - 1)
    hosts: frozenset[str] | None = None
    """The names by which the server may be called; None: any."""

    bounds: Bounds = USUAL
    keep: Keep = FOR_EVER


class Played(msgspec.Struct, frozen=True):
    """A finished table as it is kept for one who sat there; names are not: they may change, or go."""

    table: MyTable
    players: tuple[Player, ...]


class Town:
    """Everything that a server process knows."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        settings: Settings,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        chance: Callable[[Opened], Source] = by_secret,
        new_name: Callable[[], str] = new_name,
        new_secret: Callable[[], bytes] = lambda: secrets.token_bytes(SECRET_BYTES),
    ) -> None:
        self.store = store
        self.games = games
        self.settings = settings
        self.now = now
        self.new_secret = new_secret
        self.people = People(store, now)
        self.tables = Tables(store, games, now, chance, new_name, settings.bounds)
        self.thinkers = Thinkers(settings.threads)
        self.bots = BotTurns(self.tables, self.people, self.thinkers, settings.pause)
        self.care = Care(store, self.tables, self._see_to)
        self.attendance = Attendance(now, store.attend)
        self.watch = Watch(self.tables, self.attendance, settings.grace, self.care.has, steady)
        self.metrics = Metrics(self.tables, self.thinkers)
        self.room = Room(settings.bounds, store, self.thinkers, steady)
        self.talk = Limit(TALK, steady)
        self.guessing = Limit(GUESS, steady)
        self.keeping = Both(MUCH, MUCH_THERE, steady)
        self.replaying = Both(MUCH, MUCH_THERE, steady)
        self.pages = Limit(PAGES_THERE, steady)
        self.ending: set[tuple[str, str]] = set()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.tables.told_all.append(self._look)
        self.tables.told_found.append(self._found)

    async def start(self) -> None:
        """Go on where the last process ended, whatever became of it."""
        await self.store.listen(Elsewhere(self.tables, self.people, self.attendance, self.care))
        self.do(self.watch.run())
        self.do(self.care.run())
        if not self.settings.keep.is_for_ever:
            self.do(self._forget())
        threading.Thread(target=self._learn_to_think, daemon=True).start()  # nobody waits for it to end

    def _learn_to_think(self) -> None:
        """Have every game's bots compiled, one after another, before somebody waits for them."""
        for game in self.games.values():
            wait_for(game)

    async def _forget(self) -> None:
        """Forget what is too old, again and again: any process may, and what one has done the others need not."""
        while True:
            try:
                await self.forget_old()
            except StoreError as error:
                log.warning("what is too old can't be forgotten now: %s", error)
            except Exception:
                log.exception("what is too old can't be forgotten")
            await asyncio.sleep(FORGET_EVERY)

    async def forget_old(self) -> None:
        async with self.store.alone("forget"):
            for what, name in await forget_old(self.store, self.settings.keep, self.now()):
                self.metrics.forgotten.labels(what).inc()
                if name in self.tables.kept:
                    await self._find(name, anew=True)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.bots.stop()
        self.thinkers.stop()
        await self.store.close()

    def do(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside what goes on. Who begins it may hold a lock of the store: that is not its own."""
        task = asyncio.create_task(work, context=Context())
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("something failed in the background", exc_info=task.exception())

    def _found(self, table: Table) -> None:
        """A table was read from disk: whoever changed it last may have died before all was done that follows."""
        self._look(table)
        self.do(self._start_if_full(table))

    def _see_to(self, table: Table) -> None:
        """This process begins to see to a table: whoever did it before may not have noticed who is late."""
        self.watch.doubt(table)
        self._look(table)

    def _look(self, table: Table) -> None:
        """What a table, as it is now, asks of the server."""
        self.watch.look(table)
        if is_ready(table):
            self._end("start", table.name, self._start_later)
        if not table.is_under_way:
            self.care.is_done(table.name)
        elif self.care.wants(table.name):
            self.bots.look(table)
            if table.is_over and not table.is_finished:
                self._end("finish", table.name, self._finish)
            if table.all_want_rematch and table.rematch is None:
                self._end("rematch", table.name, self._rematch)

    def _end(self, what: str, name: str, act: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Do what follows from the beginning or the end of a match, unless it is being done."""

        async def end() -> None:
            try:
                while True:
                    try:
                        return await act(name)
                    except StoreError as error:
                        log.warning("the %s of a match can't be written; it is tried again: %s", what, error)
                    await asyncio.sleep(AGAIN_AFTER)
            finally:
                self.ending.discard((what, name))

        if (what, name) not in self.ending:
            self.ending.add((what, name))
            self.do(end())

    # Tables

    def game(self, name: str) -> Game:
        if name not in self.games:
            raise Refused("no-such-game", f"there is no game {name!r}; games are {', '.join(self.games)}")
        return self.games[name]

    async def open(self, person: str, wish: NewTable) -> Table:
        """Open a table as somebody wishes."""
        game = self.game(wish.game)
        if wish.clock.kind != "none" and not wish.clock.seconds:
            raise Refused("malformed", "a clock needs seconds")
        if wish.seats.count("me") > 1:
            raise Refused("malformed", "you can sit in one seat only")
        seats, options = fitting(game, wish)
        players = tuple(wished_player(wished, person) for wished in wish.seats)
        players += (ITSELF,) * (seats - len(players))
        opened = Opened(
            game=game.id,
            rules=game.rules_hash,
            seats=seats,
            options=options,
            players=players,
            host=person,
            secret=self.new_secret().hex(),
            is_listed=wish.is_listed,
            may_hint=wish.may_hint,
            clock=wish.clock,
        )
        await self.check_room(person, players)
        return await self.open_as(opened)

    async def check_room(self, person: str, players: Sequence[Player]) -> None:
        """May somebody open a table at which these play?"""
        if any(player.bot for player in players):
            self.room.check_thought()
        await self.room.check_table(person)

    async def open_as(self, opened: Opened) -> Table:
        """Its match begins at once if nobody is waited for."""
        opened = msgspec.structs.replace(opened, begins=is_full(opened.players))
        table = await self.tables.open(opened, lambda name: opening_notes(opened, name, self.now()))
        self._look(table)
        return table

    async def sit(self, name: str, person: str, seat: int) -> Table:
        """Somebody sits down; the match begins when all seats are taken."""
        note = seat_note(person, name)
        table = await self.tables.add(name, lambda now: now.check_sit(person, seat), lambda now: [note])
        return await self._start_if_full(table)

    async def seat_bot(self, name: str, host: str, seat: int, bot: str | None) -> Table:
        if bot is not None:
            self.room.check_thought()
        table = await self.tables.add(name, lambda now: now.check_seat_bot(host, seat, bot))
        return await self._start_if_full(table)

    async def leave(self, name: str, person: str) -> Table:
        note = seat_note(person, name, None)
        return await self.tables.add(name, lambda now: now.check_leave(person), lambda now: [note])

    async def remove(self, name: str, host: str, who: str) -> Table:
        """The host sends somebody away."""
        return await self.tables.add(
            name,
            lambda now: now.check_remove(host, now.person_called(who)),
            lambda now: [seat_note(now.person_called(who), name, None)],
        )

    async def say(self, name: str, person: str, text: str) -> Table:
        """Whatever is said at a table that is over is kept as long as if it had been over since then."""
        self.talk.check(person)
        return await self.tables.add(
            name,
            lambda now: now.check_say(person, text),
            lambda now: [ended_note(name, Ended(self.now()))] if now.is_finished else [],
        )

    async def _start_if_full(self, table: Table) -> Table:
        """If it can't be written now, it is later: whoever sat down last did so, and must not be told otherwise."""
        if not is_ready(table):
            return table
        try:
            await self._start(table.name)
        except StoreError as error:
            log.warning("a match can't begin yet: %s", error)
            self._end("start", table.name, self._start_later)
        return self.tables.kept.get(table.name, table)

    async def _start_later(self, name: str) -> None:
        """Whoever filled a table begins its match, unless they died or could not write it."""
        await asyncio.sleep(AGAIN_AFTER)
        table = await self._find(name)
        if table and is_ready(table):
            await self._start(name)

    async def _start(self, name: str) -> None:
        try:
            await self.tables.add(name, Table.check_start, lambda now: [Note("playing", name, b"")])
        except Refused as refused:
            log.debug("a match was begun by another process: %s", refused.why)

    async def _finish(self, name: str) -> None:
        """Note what follows from the end of a match, once; what changes ratings of a game one after another."""
        table = await self.tables.read(name)
        alone = self.store.alone(f"rating/{table.opened.game}") if is_rated(table) else nullcontext()
        async with alone:
            notes = [
                Note("playing", name, None),
                Note("listed", name, None),
                hosted_note(table.opened.host, name, None),
                ended_note(name, Ended(self.now())),
                *await self._ratings_after(table),
            ]
            for person in table.people:
                if (await self.people.get(person)).is_gone:  # nothing more is kept about them
                    notes = [note for note in notes if note.body is None or not note.name.startswith(f"{person}/")]
                    continue
                mine = msgspec.structs.replace(await self.my_table(table, person), players=())
                played = Played(mine, tuple(table.players))
                notes.append(seat_note(person, name, msgspec.json.encode(played)))
            try:
                await self.tables.add(name, Table.check_finish, lambda now: notes)
            except Refused as refused:
                log.debug("a match was finished by another process: %s", refused.why)

    async def _ratings_after(self, table: Table) -> list[Note]:
        outcome = table.match.outcome if table.match else None
        if outcome is None or not is_rated(table):
            return []
        people = list(table.people)
        game = table.opened.game
        before = [await self.people.rating(person, game) or Rating() for person in people]
        places = ratings.places(outcome.winners, [table.people[person] for person in people])
        return rating_notes(people, game, ratings.rate(before, places))

    async def _rematch(self, name: str) -> None:
        """Open the same table again; who sat there sits there again. It begins when it is noted where it is found."""
        table = await self.tables.read(name)
        opened = msgspec.structs.replace(
            table.opened, secret=self.new_secret().hex(), players=tuple(table.players), begins=False
        )
        made = await self.tables.open(opened)
        notes = opening_notes(opened, made.name, self.now())
        try:
            await self.tables.add(name, lambda now: now.check_rematched(made.name), lambda now: notes)
        except Refused as refused:
            log.debug("a rematch was made by another process, or before: %s", refused.why)
            found = (await self.tables.read(name)).rematch
            if found is None:
                return
            made = await self.tables.read(found)
        await self._start_if_full(made)

    # Lists

    def named_already(self, table: Table) -> Named | None:
        """The names of all who sit or talked at a table, and how they are rated, if nothing has to be read for it."""
        known, rated = self.people.known, table.rated
        if rated is None or not (table.people.keys() <= known.keys() and known.keys() >= table.talkers):
            return None
        return Named(known.__getitem__, rated)

    async def named(self, table: Table) -> Named:
        """The same, read if it must be; meanwhile others may come."""
        while (named := self.named_already(table)) is None:
            if table.rated is None:
                length, rated = table.length, await self._rated(table)
                if table.length == length:
                    table.rated = rated
            for person in [*table.people, *table.talkers]:
                await self.people.get(person)
        return named

    async def _rated(self, table: Table) -> dict[str, int]:
        if not table.opened.is_listed:
            return {}
        found = {person: await self.people.rating(person, table.opened.game) for person in list(table.people)}
        return {person: rating.shown for person, rating in found.items() if rating}

    async def names(self, players: Sequence[Player]) -> tuple[str, ...]:
        """The names of those who sit at a table, seat by seat."""
        return tuple(
            [(await self.people.get(player.person)).name if player.person else player.bot or "" for player in players]
        )

    async def my_table(self, table: Table, person: str) -> MyTable:
        outcome = table.match.outcome if table.match else None
        return MyTable(
            table.name,
            table.opened.game,
            table.stage,
            await self.names(table.players),
            table.people.get(person) in table.peoples_turns(),
            table.at,
            outcome.winners if outcome else (),
        )

    async def tables_of(self, person: str) -> list[MyTable]:
        """Where somebody sits or sat: first where it is their turn, then what was changed last."""
        found = []
        for note in await self.store.notes("seat", f"{person}/"):
            if note.body:
                played = msgspec.json.decode(note.body, type=Played)
                found.append(msgspec.structs.replace(played.table, players=await self.names(played.players)))
            else:
                table = await self._find(note.name.rpartition("/")[2])
                if table and person in table.people:
                    found.append(await self.my_table(table, person))
        found.sort(key=lambda mine: (not mine.is_my_turn, mine.stage not in ("open", "playing"), -mine.at))
        return found[:MOST_MINE]

    async def _find(self, name: str, anew: bool = False) -> Table | None:
        """A table, perhaps read again; None if it was forgotten meanwhile."""
        try:
            return await (self.tables.get if anew else self.tables.read)(name)
        except NoSuchTable:
            return None

    async def lobby(self) -> list[OpenTable]:
        """The tables that everybody may join or watch, those with free seats first."""
        found = []
        for note in (await self.store.notes("listed"))[:MOST_LISTED]:
            table = await self._find(note.name)
            if table and not table.is_over:
                opened = table.opened
                free = sum(player.is_nobody for player in table.players)
                players = await self.names(table.players)
                found.append(
                    OpenTable(table.name, opened.game, opened.options, table.stage, players, free, opened.clock)
                )
        found.sort(key=lambda table: table.free == 0)
        return found


def fitting(game: Game, wish: NewTable) -> tuple[int, Options]:
    """How many seats there are, and the options, so that those who choose are as many as is wished."""
    possible: list[int] = []
    problem = ""
    for seats in sorted(game.seats, key=lambda seats: seats != len(wish.seats)):
        try:
            options = game.complete(wish.options, seats)
        except GameError as error:
            problem = str(error)
            continue
        if game.choosing(seats, options) == len(wish.seats):
            return seats, options
        possible.append(game.choosing(seats, options))
    if possible:
        listed = ", ".join(map(str, sorted(possible)))
        raise Refused(
            "malformed", f"{game.id} with these options can't be played by {len(wish.seats)}, but by {listed}"
        )
    raise Refused("malformed", problem)


def is_full(players: Sequence[Player]) -> bool:
    return not any(player.is_nobody for player in players)


def is_ready(table: Table) -> bool:
    """Can its match begin?"""
    return table.stage == "open" and is_full(table.players)


def is_rated(table: Table) -> bool:
    """Listed tables at which several people play count for their ratings."""
    has_outcome = table.match is not None and table.match.outcome is not None
    return has_outcome and table.opened.is_listed and len(table.people) > 1


def wished_player(wished: str, person: str) -> Player:
    if wished == "me":
        return Player(person=person)
    return NOBODY if wished == "open" else Player(bot=check_bot_name(wished))


def opening_notes(opened: Opened, table: str, now: float) -> list[Note]:
    """Where a new table is found: among those that are played, in the lobby, by its host, by those who sit there."""
    found = [hosted_note(opened.host, table, now)]
    if opened.begins:
        found.append(Note("playing", table, b""))
    if opened.is_listed:
        found.append(Note("listed", table, b""))
    return [*found, *(seat_note(player.person, table) for player in opened.players if player.person)]


def seat_note(person: str, table: str, body: bytes | None = b"") -> Note:
    """Where somebody sits; with a body, what came of it; None: no more."""
    return Note("seat", f"{person}/{table}", body)
