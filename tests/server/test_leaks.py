"""Nothing that is hidden from somebody reaches their connection; and leaks of every kind would be found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardtown.bots.thinking import Budget
from cardtown.core import laws
from cardtown.core.cards import bit, members
from cardtown.core.game import Game
from cardtown.core.match import Match
from cardtown.core.play import Player
from cardtown.core.story import ALL, tell
from cardtown.core.table import Card, WhyNot, Zone, text
from cardtown.games import games, gossip, hollywood
from cardtown.games.gossip import table as gossip_table
from cardtown.games.hollywood.rules import Event, State
from cardtown.games.hollywood.table import NAMES
from cardtown.server import connection, help
from cardtown.server.limits import Measure
from cardtown.server.messages import Explained
from cardtown.server.refusal import Refused
from cardtown.server.rows import Chose
from cardtown.server.table import Table
from tests.conftest import Tally
from tests.server.leaks import Leak, Performance, check_frames, check_views, open_hall, play_by_itself

GAMES = 2
MOST_PLANTED = 8
"""A planted leak is found in one of so many games."""


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guests may ask as often as they like, and what hints say does not hang on how fast the machine is."""
    monkeypatch.setattr(connection, "ALLOWED", Measure(60, 1e6))
    monkeypatch.setattr(help, "HINT", Budget(iterations=30))


def play_on_some_table(game: Game, number: int) -> Match:
    """Game after game, the tables of every kind take turns."""
    tables = list(laws.combinations(game))
    seats, options = tables[(5 * number - 2) % len(tables)]
    return play_by_itself(game, seats, options, Player(number % 2), 5, number)


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
async def test_what_somebody_is_sent_hangs_on_nothing_that_is_hidden_from_them(
    game: Game, tmp_path: Path, soak: int, tally: Tally
) -> None:
    async with open_hall() as hall:
        for number in range(GAMES * soak):
            played, compared = await check_frames(hall, play_on_some_table(game, number), tmp_path, number)
            tally(f"{game.id}, games", 1)
            tally(f"{game.id}, the same with two cards swapped", len(played) - 1)
            tally(f"{game.id}, frames compared", compared)
            tally(f"{game.id}, views built from guesses", check_views(played[0]))


async def test_all_kinds_of_things_are_asked_and_answered_on_the_way(tmp_path: Path) -> None:
    async with open_hall() as hall:
        one = Performance(play_by_itself(games()["gossip"], 4, {}, Player.RANDOM, 5, 0), ["RV"])
        await one.run(hall, tmp_path)
    found = [json.loads(frame) for chair in one.chairs.values() for frame in chair.frames]
    kinds = {message["is"] for message in found if isinstance(message, dict) and "is" in message}
    assert kinds == {"view", "presence", "explained", "hinted", "pong", "refused"}
    whys = {message["why"] for message in found if isinstance(message, dict) and isinstance(message.get("why"), str)}
    assert whys >= {"illegal", "stale", "not-your-turn", "not-your-seat", "malformed", "not-away", "not-over"}
    views = [message for message in found if isinstance(message, dict) and message.get("is") == "view"]
    assert any(view["said"] for view in views)
    assert any(view["undo"]["waits_for_me"] for view in views)
    assert views[-1]["decision"] is None or views[-1]["decision"][0] > "0", "something was taken back"


# Planted leaks


async def swaps_leak(game: Game, folder: Path) -> None:
    """The check by swapping cards, on a few games; it must raise Leak."""
    async with open_hall() as hall:
        for number in range(MOST_PLANTED):
            await check_frames(hall, play_on_some_table(game, number), folder, number)


def faulty(**changed: Callable[..., Any]) -> Game:
    """Hollywood Sensation with some of its functions replaced."""
    return replace(hollywood.GAME, changed=changed)


def with_other_hands(show: Callable[[State, int], tuple[Card, ...]]) -> Callable[..., tuple[Zone, ...]]:
    """The zones of Hollywood Sensation, but hands of others are shown in another way."""

    def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
        hands = {f"hand{seat}": seat for seat in range(2) if seat != watcher}
        return tuple(
            msgspec.structs.replace(zone, things=show(s, hands[zone.id])) if zone.id in hands else zone
            for zone in hollywood.table.zones(s, watcher)
        )

    return zones


async def test_a_log_line_that_tells_everybody_of_a_hidden_card_is_found(tmp_path: Path) -> None:
    def play(s: State, seat: int, choice: int) -> None:
        hollywood.rules.play(s, seat, choice)
        tell(s, ALL, Event.DEALT, s.hand[0])

    with pytest.raises(Leak, match="log_dealt"):
        await swaps_leak(faulty(play=play), tmp_path)


async def test_an_id_that_names_a_hidden_card_is_found(tmp_path: Path) -> None:
    def show(s: State, seat: int) -> tuple[Card, ...]:
        return tuple(Card(f"hand{seat}.{NAMES[card]}", None) for card in members(s.hand[seat]))

    with pytest.raises(Leak, match=r'"id":"hand\d\.[CMSH]'):
        await swaps_leak(faulty(zones=with_other_hands(show)), tmp_path)


async def test_hidden_cards_that_lie_in_order_among_open_ones_are_found(tmp_path: Path) -> None:
    def show(s: State, seat: int) -> tuple[Card, ...]:
        return tuple(
            Card(NAMES[card], NAMES[card], known=True) if s.seen[seat] & bit(card) else Card(f"hand{seat}.{i}", None)
            for i, card in enumerate(members(s.hand[seat]))
        )

    with pytest.raises(Leak, match=r'"id":"hand\d\.\d'):
        await swaps_leak(faulty(zones=with_other_hands(show)), tmp_path)


async def test_an_error_text_that_names_a_hidden_card_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check_choice(table: Table, seat: int, decision: str, number: int) -> Chose:
        match = table.playing()
        if seat not in match.acting:
            possible = ", ".join(move for other in match.acting for move in match.moves(other))
            raise Refused("not-your-turn", f"others choose now; possible are {possible}")
        return right(table, seat, decision, number)

    right = Table.check_choice
    monkeypatch.setattr(Table, "check_choice", check_choice)
    with pytest.raises(Leak, match="others choose now"):
        await swaps_leak(hollywood.GAME, tmp_path)


async def test_an_answer_from_what_is_not_known_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
        is_there = thing in [NAMES[card] for card in members(s.hand[1 - seat])]
        return WhyNot("HOL-20", text("why_other_hand")) if is_there else None

    def explain(table: Table, person: str, thing: str, id: int) -> Explained:
        seat = table.seat_of(person)
        return Explained(id, thing, table.game.show.why_not(table.playing().state, seat, thing))

    monkeypatch.setattr(connection, "explain", explain)
    with pytest.raises(Leak, match="why_other_hand"):
        await swaps_leak(faulty(why_not=why_not), tmp_path)


async def test_a_secret_choice_that_is_shown_before_all_have_chosen_is_found(tmp_path: Path) -> None:
    """No swap of cards shows this; but a view that is built from a guess differs."""

    def zones(s: gossip.rules.State, watcher: int | None) -> tuple[Zone, ...]:
        leak = Zone("leak", "row", text("zone_hand"), things=tuple(Card(f"leak.{card}", None) for card in s.sealed))
        return (*gossip_table.zones(s, watcher), leak)

    async with open_hall() as hall:
        one = Performance(play_on_some_table(replace(gossip.GAME, changed={"zones": zones}), 0), [])
        await one.run(hall, tmp_path)
    with pytest.raises(Leak, match="leak"):
        check_views(one)
