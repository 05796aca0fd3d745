"""Whole matches over real sockets, by people and bots, through a real server process."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from cardtown.core import record, transcript
from cardtown.core.game import Game
from cardtown.games import games
from tests.server.serving import Chair, Guest, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("town"), "--grace", "2") as server:
        yield server


SHORTEST: dict[str, dict[str, Any]] = {"hollywood": {"carpet": 3}, "egocentric": {"goal": "one-round"}}
"""Options with which a match is over soonest."""


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
async def test_a_full_table_of_people_and_bots_plays_to_the_end(server: Server, game: Game, tmp_path: Path) -> None:
    seats = max(seats for seats in game.seats if seats <= 4)
    people = [Guest(server.url) for _ in range(max(1, seats - 1))]
    wished = ["me", *["open"] * (len(people) - 1), *["easy"] * (seats - len(people))]
    table = people[0].open(game.id, wished, options=SHORTEST.get(game.id, {}))
    dice = random.Random(game.id)
    async with AsyncExitStack() as stack:
        chairs = [await stack.enter_async_context(person.at(table)) for person in people]
        spectator = await stack.enter_async_context(Guest(server.url).at(table))
        for seat, chair in enumerate(chairs[1:], 1):
            await chair.do("sit", seat=seat)
        made = await asyncio.gather(*(chair.play(lambda step: dice.randrange(63)) for chair in chairs))
        await spectator.until(lambda: spectator.is_over)
        assert all(made)
        results = [chair.view["result"] for chair in (*chairs, spectator)]
        assert all(result == results[0] for result in results)
        assert results[0]["reason"] == "rules"
    found = people[0].get(f"/api/tables/{table}/record")
    assert record.verify(found, games()).outcome is not None
    assert found["commitment"] == spectator.view["commitment"]
    replayed = transcript.replay(people[0].get(f"/api/tables/{table}/transcript"), games())
    assert list(replayed.outcome.scores if replayed.outcome else ()) == results[0]["scores"]


async def test_what_is_as_it_was_is_only_named(server: Server) -> None:
    people = [Guest(server.url) for _ in range(2)]
    table = people[0].open("hollywood", ["me", "open"])
    async with people[0].at(table) as mia, people[1].at(table) as noa:
        await noa.do("sit", seat=1)
        await asyncio.gather(*(chair.until_stage("playing") for chair in (mia, noa)))
        acting, waiting = (mia, noa) if mia.choices else (noa, mia)
        whole = acting.view["board"]
        await acting.choose()
        await waiting.until_number(acting.view["number"])
        zones = json.loads(next(frame for frame in reversed(acting.frames) if '"is":"view"' in frame))["board"]["zones"]
        named = [zone for zone in zones if isinstance(zone, str)]
        assert {"carpet", "suits"} <= set(named)
        assert all(isinstance(zone, str) or zone not in whole["zones"] for zone in zones)
        before = waiting.view
        await waiting.do("resync")
        again = json.loads(next(frame for frame in reversed(waiting.frames) if '"is":"view"' in frame))
        assert again["board"] == waiting.view["board"] == before["board"]
        await acting.do("say", text="hello")
        assert json.loads(acting.frames[-1])["board"]["sheet"] is None


async def test_two_people_choose_at_the_same_instant(server: Server) -> None:
    """Secret offers of Gossip: neither makes the other stale, and nobody sees what was offered before all have."""
    people = [Guest(server.url) for _ in range(3)]
    table = people[0].open("gossip", ["me", "open", "open"])
    async with AsyncExitStack() as stack:
        chairs = [await stack.enter_async_context(person.at(table)) for person in people]
        await chairs[1].do("sit", seat=1)
        await chairs[2].do("sit", seat=2)
        for chair in chairs:
            await chair.until_stage("playing")
        for _ in range(4):
            offering = [chair for chair in chairs if chair.choices]
            assert len(offering) == 2
            number = max(chair.view["number"] for chair in chairs)
            answers = await asyncio.gather(*(chair.choose() for chair in offering))
            assert [answer["is"] for answer in answers] == ["done", "done"]
            lead = next(chair for chair in chairs if chair not in offering)
            await lead.until_number(number + 2)
            await lead.choose()  # to keep the turn's card
            number = lead.view["number"]
            for chair in chairs:
                await chair.until_number(number)


async def test_reconnecting_at_any_moment_shows_the_same(server: Server) -> None:
    person = Guest(server.url)
    table = person.open("hollywood", ["me", "random"], options={"carpet": 3})
    while True:
        async with person.at(table) as one, person.at(table) as other:
            await one.until(lambda: one.choices or one.is_over)
            await other.until(lambda: other.view["number"] == one.view["number"])
            fresh = {"lines": other.view["lines"], "first_line": other.view["first_line"]}
            assert other.view == {**one.view, **fresh}
            assert one.lines == other.lines
            if one.is_over:
                break
            await one.play(most=7)
    assert one.view["result"]["reason"] == "rules"


async def start(server: Server, stack: AsyncExitStack, game: str, people: int, *bots: str, **more: Any) -> list[Chair]:
    """So many people at a table that has begun."""
    guests = [Guest(server.url) for _ in range(people)]
    table = guests[0].open(game, ["me", *["open"] * (people - 1), *bots], **more)
    chairs = [await stack.enter_async_context(guest.at(table)) for guest in guests]
    for seat, chair in enumerate(chairs[1:], 1):
        await chair.do("sit", seat=seat)
    for chair in chairs:
        await chair.until_stage("playing")
    return chairs


def to_act(chairs: list[Chair]) -> tuple[Chair, list[Chair]]:
    """Who must choose, and the others."""
    acting = next(chair for chair in chairs if chair.choices)
    return acting, [chair for chair in chairs if chair is not acting]


async def settle(chairs: list[Chair]) -> None:
    """Wait until all see the newest."""
    number = max(chair.view["number"] for chair in chairs)
    for chair in chairs:
        await chair.until_number(number)


async def test_undo_is_free_while_nobody_has_learnt_anything(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "gossip", 3)
        acting = next(chair for chair in chairs if chair.choices)
        before = acting.view["board"]
        await acting.choose(2)
        assert acting.view["undo"]["mine"] == "free"
        await acting.do("undo")
        assert acting.view["board"] == before
        assert acting.lines == [line for line in acting.lines if line]


async def test_undo_of_what_was_revealed_needs_the_others_consent(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        while chairs[0].view["board"]["progress"]["key"] == chairs[1].view["board"]["progress"]["key"]:
            acting, (other,) = to_act(chairs)
            await acting.choose()
            await settle(chairs)
            if acting.view["undo"]["mine"] == "ask":
                break
        before, lines = acting.view, list(acting.lines)
        await acting.do("undo")
        await other.until(lambda: other.view["undo"]["waits_for_me"])
        refused = await acting.ask("answer-undo", agrees=True)
        assert refused["why"] == "nothing-asked"
        await other.do("answer-undo", agrees=False)
        await acting.until(lambda: acting.view["undo"]["asked_by"] is None)
        assert acting.view["board"] == before["board"]
        await acting.do("undo")
        await other.until(lambda: other.view["undo"]["waits_for_me"])
        await other.do("answer-undo", agrees=True)
        await acting.until(lambda: acting.view["board"] != before["board"])
        assert len(acting.lines) < len(lines)
        stale = await acting.ask("choose", decision=before["decision"] or "0.0", choice=0)
        assert stale["why"] == "stale"
        await acting.play(most=1)
        assert acting.lines[: len(lines)] == lines, "the same choice brings the same chance again"


async def test_against_bots_alone_undo_needs_nobody(server: Server) -> None:
    person = Guest(server.url)
    async with person.at(person.open("hollywood", ["me", "random"])) as chair:
        await chair.play(most=6)
        await chair.until(lambda: chair.choices)
        step = chair.view["decision"]
        await chair.do("undo")
        await chair.until(lambda: chair.choices and chair.view["decision"] != step)
        await chair.play(most=3)


async def test_who_stays_away_is_replaced_and_may_come_back(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        acting, (other,) = to_act(chairs)
        seat = acting.view["me"]
        await acting.socket.close()
        await other.until(lambda: not other.presence["seats"][seat])
        await other.until(lambda: other.view["seats"][seat]["stand_in"])
        await other.until(lambda: other.choices)
        async with acting.guest.at(acting.table) as back:
            assert back.view["seats"][seat]["stand_in"] == "medium"
            await other.choose()
            refused = await back.ask("undo")
            assert refused["why"] == "away"
            await back.do("come-back")
            assert back.view["seats"][seat]["stand_in"] is None
            refused = await back.ask("come-back")
            assert refused["why"] == "not-away"
            others = asyncio.create_task(other.play())
            await back.play(most=5)
            others.cancel()


async def test_a_clock_that_runs_out_brings_a_bot(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2, clock={"kind": "move", "seconds": 2})
        acting, (other,) = to_act(chairs)
        seat = acting.view["me"]
        assert acting.view["clock"]["since"][seat] is not None
        await other.until(lambda: other.view["seats"][seat]["stand_in"])
        await acting.do("come-back")


async def test_resigning_ends_a_match_of_two_and_brings_a_bot_to_larger_ones(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2)
        await one.do("resign")
        await other.until(lambda: other.is_over)
        assert other.view["result"]["reason"] == "resignation"
        assert other.view["result"]["winners"] == [1]
        assert one.guest.ask("GET", f"/api/tables/{one.table}/transcript").status == 409
        found = one.guest.get(f"/api/tables/{one.table}/record")
        assert record.verify(found, games()).outcome is not None
        chairs = await start(server, stack, "crimson", 2, "random")
        await chairs[0].do("resign")
        assert (await chairs[0].ask("resign"))["why"] == "over"
        await chairs[1].play()
        assert chairs[1].view["result"]["reason"] == "rules"


async def test_a_rematch_has_the_same_seats_and_takes_the_spectators_along(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2, is_listed=True)
        spectator = await stack.enter_async_context(Guest(server.url).at(one.table))
        assert (await one.ask("rematch"))["why"] == "not-over"
        await other.do("resign")
        await one.do("rematch")
        await other.until(lambda: other.view["wants_rematch"] == [0])
        assert other.view["rematch"] is None
        await other.do("rematch")
        await spectator.until(lambda: spectator.view["rematch"])
        again = [await stack.enter_async_context(chair.guest.at(spectator.view["rematch"])) for chair in (one, other)]
        assert [chair.view["me"] for chair in again] == [0, 1]
        await again[0].until_stage("playing")
        assert again[0].view["commitment"] != one.view["commitment"]
        assert again[0].view["seats"][0]["rating"] > again[0].view["seats"][1]["rating"], "listed matches are rated"


async def test_a_rematch_goes_on_over_the_same_socket(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = chairs = await start(server, stack, "hollywood", 2)
        spectator = await stack.enter_async_context(Guest(server.url).at(one.table))
        assert (await one.ask("follow"))["why"] == "no-such-table"
        await one.do("say", text="good game")
        await other.do("resign")
        for chair in chairs:
            await chair.do("rematch")
        await spectator.until(lambda: spectator.view["rematch"])
        again = spectator.view["rematch"]
        await one.do("follow")
        assert (one.view["table"], one.view["me"], one.said) == (again, 0, [])
        await one.until_stage("playing")
        there = {"is": "presence", "seats": [False, True], "watchers": 1}
        await spectator.until(lambda: spectator.presence == there)
        for chair in (spectator, other):
            await chair.do("follow")
            assert chair.view["table"] == again
        here = {"is": "presence", "seats": [True, True], "watchers": 1}
        for chair in (*chairs, spectator):
            await chair.until(lambda: chair.presence == here)  # noqa: B023
        assert (await one.ask("follow"))["why"] == "no-such-table", "it is a table like any other"
        assert (await spectator.ask("resign"))["why"] == "not-your-seat"
        await asyncio.gather(one.play(), other.play(), spectator.until(lambda: spectator.is_over))
        assert one.view["table"] == again
        assert one.view["result"] == spectator.view["result"]
    assert one.guest.get(f"/api/tables/{again}")["result"] == one.view["result"]


async def test_what_is_known_about_a_table_is_told_once(server: Server) -> None:
    async with AsyncExitStack() as stack:
        one, other = await start(server, stack, "hollywood", 2)
        await one.do("resync")
        before, seen = one.view, len(one.frames)
        await asyncio.gather(one.play(most=3), other.play(most=3))
        assert all('"commitment"' not in frame and '"seats":[{' not in frame for frame in one.frames[seen:])
        assert (one.view["commitment"], one.view["seats"]) == (before["commitment"], before["seats"])
        other.guest.ask("PATCH", "/api/me", {"name": "Somebody Else"})
        await other.do("say", text="I have a new name")
        await one.until(lambda: one.view["seats"][1]["name"] == "Somebody Else")


async def test_who_sits_down_is_there(server: Server) -> None:
    host, guest = Guest(server.url), Guest(server.url)
    table = host.open("hollywood", ["me", "open"])
    async with host.at(table) as first, guest.at(table) as second:
        await first.until(lambda: first.presence["watchers"] == 1)
        await second.do("sit", seat=1)
        there = {"is": "presence", "seats": [True, True], "watchers": 0}
        await first.until(lambda: first.presence == there)
        await second.until(lambda: second.presence == there)


async def test_spectators_see_no_hand_and_change_nothing(server: Server) -> None:
    async with AsyncExitStack() as stack:
        chairs = await start(server, stack, "hollywood", 2)
        spectator = await stack.enter_async_context(Guest(server.url).at(chairs[0].table))
        shown = json.dumps([zone for zone in spectator.view["board"]["zones"] if zone["kind"] == "fan"])
        assert '"face":null' in shown.replace(" ", "")
        assert not spectator.choices
        decision = spectator.view["decision"]
        for ask in (
            {"do": "choose", "decision": decision, "choice": 0},
            {"do": "undo"},
            {"do": "resign"},
            {"do": "hint", "decision": decision},
            {"do": "why-not", "thing": "C6"},
            {"do": "rematch"},
        ):
            assert (await spectator.ask(str(ask.pop("do")), **ask))["why"] == "not-your-seat"
        assert (await spectator.ask("close"))["why"] == "not-host"
        assert spectator.view["number"] == chairs[0].view["number"]


async def test_a_match_of_bots_plays_by_itself(server: Server) -> None:
    person = Guest(server.url)
    async with person.at(person.open("hinode", ["random"] * 4, is_listed=True)) as chair:
        await chair.until(lambda: chair.is_over)
        assert chair.view["result"]["reason"] == "rules"


async def test_many_may_talk_at_a_table_for_the_first_time_at_once(server: Server) -> None:
    """Whoever is shown the table while names are looked up sees those too who came meanwhile."""
    host = Guest(server.url)
    table = host.open("hollywood", ["me", "open"], is_listed=True)
    async with AsyncExitStack() as stack:
        chairs = [await stack.enter_async_context(Guest(server.url).at(table)) for _ in range(12)]
        answers = await asyncio.gather(*(chair.ask("say", text="hello") for chair in chairs))
        assert all(answer["is"] == "done" for answer in answers)
        for chair in chairs:
            await chair.until(lambda: len(chair.said) == len(chairs))  # noqa: B023
