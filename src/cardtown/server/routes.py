"""Every page of the HTTP API: what it takes, what it answers, and what it does. OpenAPI is made from this list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request

from cardtown.bots.budgets import BUDGETS
from cardtown.bots.levels import BLIND
from cardtown.core import record, transcript
from cardtown.core.game import Game
from cardtown.core.words import languages, words

from . import VERSION, help
from . import messages as wire
from .going_on import go_on
from .people import CODE_LASTS
from .refusal import Refused
from .table import Table
from .town import Town
from .views import Seen, view
from .visitors import COOKIE, Door, Visitor


@dataclass
class Asked:
    """A request, understood."""

    town: Town
    door: Door
    request: Request
    visitor: Visitor
    body: Any = None

    @property
    def person(self) -> str:
        return self.visitor.person

    def word(self, name: str) -> str:
        return str(self.request.path_params[name])

    def game(self) -> Game:
        return self.town.game(self.word("game"))

    async def table(self) -> Table:
        table = await self.town.tables.get(self.word("table"))
        table.check_welcome(self.person)
        return table

    def number(self, name: str) -> int | None:
        asked = self.request.query_params.get(name)
        if asked is None:
            return None
        if not (asked.isascii() and asked.isdigit() and len(asked) < 6):
            raise Refused("malformed", f"{name} is a number")
        return int(asked)

    def check_keeping(self) -> None:
        """Is something more to be kept: a table, a code, a token, a name? Not too often."""
        self.town.keeping.check(self.person, self.visitor.address)

    async def finished(self) -> Table:
        """A table whose match is over and is played again to be looked at, which takes long: not too often."""
        self.town.replaying.check(self.person, self.visitor.address)
        table = await self.table()
        help.finished(table)
        return table

    def seat(self, table: Table) -> int | None:
        """The seat that is asked about; none: what spectators see."""
        seat = self.number("seat")
        if seat is not None:
            table.check_seat(seat)
        return seat


@dataclass(frozen=True)
class Route:
    """A page: its path and method, what it takes and answers."""

    method: str
    path: str
    act: Callable[[Asked], Awaitable[Any]]
    answer: Any
    body: type[Struct] | None = None
    status: int = 200
    queries: tuple[str, ...] = ()
    media: str = "application/json"

    @property
    def summary(self) -> str:
        return (self.act.__doc__ or "").strip()


ROUTES: list[Route] = []


def route(method: str, path: str, answer: Any, **more: Any) -> Callable[[Any], Any]:
    def add(act: Callable[[Asked], Awaitable[Any]]) -> Callable[[Asked], Awaitable[Any]]:
        ROUTES.append(Route(method, path, act, answer, **more))
        return act

    return add


@route("GET", "/healthz", wire.Health)
async def health(asked: Asked) -> wire.Health:
    """Is the server well? It reads from its store to know."""
    await asked.town.store.get("person", "")
    return wire.Health("ok", VERSION)


@route("GET", "/metrics", str, media="text/plain")
async def metrics(asked: Asked) -> bytes:
    """Numbers to watch, as Prometheus reads them."""
    return asked.town.metrics.text()


# Games


def file_of(game: Game, name: str) -> str:
    """A file of the game's folder that it need not have."""
    file = game.folder / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


def parties(game: Game) -> tuple[wire.Party, ...]:
    """How many may choose, each with as few options as that needs."""
    found: dict[int, wire.Party] = {}
    for seats in game.seats:
        one_option = [
            {option.name: value} for option in game.options if option.applies(seats) for value in option.values
        ]
        for options in [{}, *one_option]:
            players = game.choosing(seats, game.complete(options, seats))
            found.setdefault(players, wire.Party(players, seats, options))
    return tuple(found[players] for players in sorted(found))


@cache
def info(game: Game) -> dict[str, Any]:
    found = {language: words(game.folder, language).messages for language in languages(game.folder)}
    sizes = parties(game)
    options = tuple(
        wire.OptionInfo(
            option.name,
            tuple(option.values),
            option.default,
            tuple(seats for seats in game.seats if option.applies(seats)),
        )
        for option in game.options
    )
    return {
        "id": game.id,
        "title": game.title,
        "titles": {language: str(messages.get("title", game.title)) for language, messages in found.items()},
        "pitches": {language: str(messages.get("pitch", "")) for language, messages in found.items()},
        "languages": tuple(found),
        "seats": game.seats,
        "parties": sizes,
        "is_solo": sizes[0].players == 1,
        "minutes": game.minutes,
        "options": options,
        "bots": (*BLIND, *BUDGETS),
        "theme": game.look["theme"],
        "district": file_of(game, "district.svg"),
    }


@route("GET", "/api/games", list[wire.GameInfo])
async def list_games(asked: Asked) -> list[wire.GameInfo]:
    """The games of the town."""
    return [wire.GameInfo(**info(game)) for game in asked.town.games.values()]


@route("GET", "/api/games/{game}", wire.GameDetail)
async def show_game(asked: Asked) -> wire.GameDetail:
    """A game with its cards and its look."""
    game = asked.game()
    return wire.GameDetail(
        **info(game),
        clauses=tuple(game.clause_ids()),
        faces=dict(game.show.faces()),
        look=game.look,
        guide=game.guide,
    )


@route("GET", "/api/games/{game}/words/{language}", wire.GameWords)
async def show_words(asked: Asked) -> wire.GameWords:
    """A game's texts in a language."""
    game, language = asked.game(), asked.word("language")
    if language not in languages(game.folder):
        known = ", ".join(languages(game.folder))
        raise Refused("no-such-page", f"there are no words in {language!r}; languages are {known}")
    found = words(game.folder, language)
    return wire.GameWords(language, found.messages, found.help)


# People


async def profile_of(asked: Asked) -> wire.Profile:
    person = await asked.town.people.get(asked.person)
    ratings = await asked.town.people.ratings(asked.person)
    return wire.Profile(person.name, person.plays_forced, {game: rating.shown for game, rating in ratings.items()})


@route("GET", "/api/me", wire.Profile)
async def show_me(asked: Asked) -> wire.Profile:
    """Who I am here."""
    return await profile_of(asked)


@route("PATCH", "/api/me", wire.Profile, body=wire.NewProfile)
async def change_me(asked: Asked) -> wire.Profile:
    """Change my name or what I prefer."""
    asked.check_keeping()
    await asked.town.people.change(asked.person, asked.body.name, asked.body.plays_forced)
    return await profile_of(asked)


@route("DELETE", "/api/me", None, status=204)
async def delete_me(asked: Asked) -> None:
    """Delete my data: my name, preferences, ratings and tokens go; games that others played too stay."""
    asked.check_keeping()
    await asked.town.people.delete(asked.person)
    asked.visitor = replace(asked.visitor, cookie=f"{COOKIE}=; Path=/; Max-Age=0")


@route("POST", "/api/me/code", wire.Code, status=201)
async def make_code(asked: Asked) -> wire.Code:
    """A code that brings me to a second device."""
    asked.check_keeping()
    return wire.Code(await asked.town.people.make_code(asked.person), CODE_LASTS)


@route("POST", "/api/identity", wire.Profile, body=wire.GivenCode)
async def use_code(asked: Asked) -> wire.Profile:
    """Be, on this device, the person who made the code."""
    asked.town.guessing.check(asked.visitor.address)
    person = await asked.town.people.by_code(asked.body.code)
    asked.visitor = asked.door.welcome(asked.request, person)
    return await profile_of(asked)


@route("GET", "/api/me/tokens", list[wire.AccessToken])
async def list_tokens(asked: Asked) -> list[wire.AccessToken]:
    """My tokens for programs."""
    return [wire.AccessToken(name, label) for name, label in await asked.town.people.tokens(asked.person)]


@route("POST", "/api/me/tokens", wire.AccessToken, body=wire.NewToken, status=201)
async def make_token(asked: Asked) -> wire.AccessToken:
    """A token with which a program acts for me."""
    asked.check_keeping()
    name, token = await asked.town.people.make_token(asked.person, asked.body.label)
    return wire.AccessToken(name, asked.body.label, token)


@route("DELETE", "/api/me/tokens/{token}", None, status=204)
async def take_back_token(asked: Asked) -> None:
    """Take a token back."""
    await asked.town.people.take_back_token(asked.person, asked.word("token"))


# Tables


@route("GET", "/api/me/tables", list[wire.MyTable])
async def my_tables(asked: Asked) -> list[wire.MyTable]:
    """Where I play or played, first where it is my turn."""
    return await asked.town.tables_of(asked.person)


@route("GET", "/api/lobby", list[wire.OpenTable])
async def lobby(asked: Asked) -> list[wire.OpenTable]:
    """Tables that everybody may join or watch."""
    return await asked.town.lobby()


@route("POST", "/api/tables", wire.TableName, body=wire.NewTable, status=201)
async def open_table(asked: Asked) -> wire.TableName:
    """Open a table. When all seats are taken the match begins."""
    asked.check_keeping()
    return wire.TableName((await asked.town.open(asked.person, asked.body)).name)


@route("POST", "/api/tables/{table}/continue", wire.TableName, body=wire.GoOn, status=201)
async def continue_match(asked: Asked) -> wire.TableName:
    """Open a table of my own that goes on against bots from a step of a finished match."""
    asked.check_keeping()
    return wire.TableName((await go_on(asked.town, await asked.table(), asked.person, asked.body)).name)


@route("GET", "/api/tables/{table}", wire.View)
async def show_table(asked: Asked) -> wire.View:
    """The table as I see it, once; its socket tells of every change."""
    table = await asked.table()
    return view(table, asked.person, await asked.town.named(table), Seen())


@route("GET", "/api/tables/{table}/record", dict[str, Any])
async def show_record(asked: Asked) -> dict[str, Any]:
    """The record of a finished match, for `cardtown verify`."""
    table = await asked.table()
    opened = table.opened
    return record.write(help.finished(table), bytes.fromhex(opened.secret), opened.beginning.known)


@route("GET", "/api/tables/{table}/transcript", dict[str, Any])
async def show_transcript(asked: Asked) -> dict[str, Any]:
    """The transcript of a match that was played to its end, for `cardtown replay`."""
    match = help.finished(await asked.table())
    if match.outcome is None or match.outcome.reason != "rules":
        raise Refused("not-over", "the match was given up: only one that was played to its end has a transcript")
    return transcript.write(match)


@route("GET", "/api/tables/{table}/replay", wire.Replay, queries=("seat",))
async def show_replay(asked: Asked) -> wire.Replay:
    """A finished match step by step, as a seat saw it."""
    table = await asked.finished()
    return await asyncio.to_thread(help.replay, table, asked.seat(table))


@route("GET", "/api/tables/{table}/scores", wire.Scores)
async def show_scores(asked: Asked) -> wire.Scores:
    """The points after every choice of a finished match."""
    return await asyncio.to_thread(help.scores, await asked.finished())


@route("GET", "/api/tables/{table}/review", wire.Review, queries=("seat", "from"))
async def show_review(asked: Asked) -> wire.Review:
    """A finished match judged by the strong bot: the decisions of a seat (mine if none is said) from what it knew."""
    table = await asked.table()
    help.finished(table)
    seat = asked.seat(table)
    seat = table.seat_of(asked.person) if seat is None else seat
    return await help.review(asked.town, table, seat, asked.number("from") or 0)


def encode_answer(found: Any) -> bytes:
    return found if isinstance(found, bytes) else msgspec.json.encode(found)
