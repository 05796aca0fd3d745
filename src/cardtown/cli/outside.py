"""A table server for one guest: a bot that is a program of its own, in any language, plays bots of the ladder."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import uvicorn

from cardtown.bots import readiness
from cardtown.core.game import Game, GameError
from cardtown.lab.standings import Lineup, Played
from cardtown.lab.table import Table as Setup
from cardtown.server.app import make_app
from cardtown.server.identity import KEY_BYTES, Signer, new_person
from cardtown.server.process import LOOPBACK, STORE_FILE, config_for
from cardtown.server.rows import Opened, Player
from cardtown.server.sqlite import SqliteStore
from cardtown.server.table import Table
from cardtown.server.town import SECRET_BYTES, Settings, Town
from cardtown.server.visitors import Door

OUTSIDE = "outside"
"""What the guest is called in line-ups."""

NEVER = float("inf")


@dataclass(frozen=True)
class Welcome:
    """What the outside bot must know."""

    address: str
    token: str
    tables: tuple[str, ...]


class Server(uvicorn.Server):
    """One that leaves Ctrl+C to others."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def host(
    setup: Setup,
    lineups: Sequence[Lineup],
    listening: socket,
    welcome: Callable[[Welcome], None],
    tick: Callable[[int], None],
    command: Sequence[str] | None = None,
) -> list[Played]:
    """Open a table for each line-up and follow all to their end, or to Ctrl+C; the games that have ended.

    The bot plays as a guest whose token it is told; or `command` is run for each table, with the table and the token in
    place of {table} and {token}.
    """
    game = setup.open()
    readiness.wait_for(game)  # until it is compiled, bots of the server think otherwise
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_host(game, setup, lineups, listening, Path(folder), welcome, tick, command))


async def _host(
    game: Game,
    setup: Setup,
    lineups: Sequence[Lineup],
    listening: socket,
    folder: Path,
    welcome: Callable[[Welcome], None],
    tick: Callable[[int], None],
    command: Sequence[str] | None,
) -> list[Played]:
    settings = Settings(pause=0.0, grace=NEVER, threads=os.cpu_count() or 1, hosts=LOOPBACK)
    town = Town(SqliteStore(folder / STORE_FILE), {game.id: game}, settings)
    server = Server(config_for(make_app(town, Door(town, Signer(secrets.token_bytes(KEY_BYTES))))))
    serving = asyncio.create_task(server.serve([listening]))
    guest = new_person()
    opened = [opening(game, setup, lineup, guest) for lineup in lineups]
    _, token = await town.people.make_token(guest, OUTSIDE)
    follow = Following(lineups, tick)
    town.tables.told_all.append(follow.look)
    follow.names = [(await town.open_as(each)).name for each in opened]
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    tables = tuple(f"{address}/api/tables/{name}" for name in follow.names)
    stop = asyncio.Event()
    with suppress(NotImplementedError):  # on Windows Ctrl+C ends all at once
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    welcome(Welcome(address, token, tables))
    waits = [asyncio.create_task(follow.all_over.wait()), asyncio.create_task(stop.wait()), serving]
    if command is not None:
        waits.append(asyncio.create_task(run_all(command, token, tables, follow)))
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        server.should_exit = True
        for task in waits:
            if task is not serving:
                task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
    return [follow.played[i] for i in sorted(follow.played)]


def opening(game: Game, setup: Setup, lineup: Lineup, guest: str) -> Opened:
    """A table of nobody's own: the guest can neither close it nor ask for hints."""
    return Opened(
        game=game.id,
        rules=game.rules_hash,
        seats=setup.seats,
        options=setup.options,
        players=tuple(Player(person=guest) if name == OUTSIDE else Player(bot=name) for name in lineup),
        host=new_person(),
        secret=secrets.token_bytes(SECRET_BYTES).hex(),
        may_hint=False,
    )


class Following:
    """Sees the tables come to their ends."""

    def __init__(self, lineups: Sequence[Lineup], tick: Callable[[int], None]) -> None:
        self.lineups = lineups
        self.tick = tick
        self.names: list[str] = []
        self.played: dict[int, Played] = {}
        self.all_over = asyncio.Event()

    def look(self, table: Table) -> None:
        if not table.is_over or table.name not in self.names:
            return
        number = self.names.index(table.name)
        if number not in self.played:
            self.played[number] = result(number, self.lineups[number], table)
            self.tick(1)
        if len(self.played) == len(self.lineups):
            self.all_over.set()


def result(number: int, lineup: Lineup, table: Table) -> Played:
    """What came of a match. Who gave up, or took a choice back to make another, has lost it to all others."""
    assert table.match is not None
    assert table.match.outcome is not None
    seat = lineup.index(OUTSIDE)
    _, winners, scores = table.match.outcome
    if seat in table.match.resigned or table.undos:
        winners = tuple(other for other in range(len(lineup)) if other != seat)
    return Played(number, lineup, winners, scores)


async def run_all(command: Sequence[str], token: str, tables: Sequence[str], follow: Following) -> None:
    """Run the bot's command for every table, as many at a time as there are cores."""
    waiting = list(range(len(tables)))

    async def run_some() -> None:
        while waiting:
            number = waiting.pop(0)
            words = [word.replace("{table}", tables[number]).replace("{token}", token) for word in command]
            code, said = await run(words)
            if number not in follow.played:
                waiting.clear()
                last = f": {said.splitlines()[-1]}" if said else ""
                raise GameError(f"the bot ended with exit code {code} before its match was over{last}")

    for failure in await asyncio.gather(*(run_some() for _ in range(os.cpu_count() or 1)), return_exceptions=True):
        if failure is not None:
            raise failure
    await follow.all_over.wait()


async def run(words: Sequence[str]) -> tuple[int | None, str]:
    """Run a command to its end: its exit code, and what it complained of."""
    try:
        bot = await asyncio.create_subprocess_exec(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise GameError(f"{words[0]}: can't be run ({error.strerror})") from None
    try:
        _, said = await bot.communicate()
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
    return bot.returncode, said.decode(errors="replace").strip()
