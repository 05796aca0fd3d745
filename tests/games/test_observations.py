"""What observations tell, game by game, on positions changed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cardtown.core import laws, play
from cardtown.core.bags import one
from cardtown.core.cards import bit
from cardtown.core.chance import Seeded
from cardtown.core.game import Game
from cardtown.core.match import Match
from cardtown.core.observing import places
from cardtown.core.observing_laws import observation
from cardtown.core.play import Player
from cardtown.core.state import Dice
from cardtown.games import crimson, egocentric, games, gossip, hinode, hollywood
from cardtown.games.egocentric.state import Way


def begun(game: Game, seats: int, **options: Any) -> Any:
    return Match(game, seats, options, Seeded(1, 0)).state


def seen(game: Game, s: Any, seat: int) -> dict[str, list[int]]:
    """What a seat is told, part by part."""
    row = observation(game, s, seat)
    at = places(game.observation)
    return {part.name: row[start : start + part.length] for part, start in zip(game.observation, at, strict=True)}


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in games().values()])
def test_no_part_is_always_empty(game: Game) -> None:
    """In games of all kinds, every part says something at some time."""
    filled: set[str] = set()
    dice = Dice()
    code = game.plain(play)
    for seats, options in laws.combinations(game):
        for player in Player:
            s = game.blank(seats, game.complete(options, seats))
            code.begin(s, dice, 8, 0)
            for step in range(500):
                filled |= {name for name, numbers in seen(game, s, step % seats).items() if any(numbers)}
                if not s.acting:
                    break
                seat = play.seat_to_act(s)
                game.rules.play(s, seat, code.choose(laws.players_of(player, seats), s, seat, dice))
    assert [part.name for part in game.observation if part.name not in filled] == []


def test_the_pawn_is_on_my_side_or_on_the_others() -> None:
    s = begun(hollywood.GAME, 2)
    s.pawn = 2
    assert [seen(hollywood.GAME, s, seat)["pawn"] for seat in range(2)] == [[2], [-2]]


def test_the_private_deck_is_told_to_its_owner_alone_the_top_with_the_highest_number() -> None:
    s = begun(hollywood.GAME, 2)
    s.pawn, s.private_n = -1, 2
    s.private[:2] = [5, 9]
    mine, others = (seen(hollywood.GAME, s, seat) for seat in range(2))
    assert (mine["inferior"], mine["private"][5], mine["private"][9]) == ([1], 1, 2)
    assert (others["inferior"], any(others["private"]), others["private_n"]) == ([-1], False, [2])


def test_other_hands_are_told_clockwise_from_me() -> None:
    s = begun(crimson.GAME, 3)
    s.known[0], s.known[1] = crimson.rules.ONE[4], crimson.rules.ONE[7]
    others = seen(crimson.GAME, s, 2)["others"]
    assert [at for at, n in enumerate(others) if n] == [4, crimson.rules.KINDS + 7]


def test_a_card_on_the_villains_side_counts_negative_and_has_a_placer() -> None:
    s = begun(crimson.GAME, 4)
    s.placed[0], s.placed[1], s.total[0], s.total[1] = 1, 1, 3, 5
    s.rows[0, 0] = crimson.rules.PLACEMENTS * 3 + 2 * 2
    s.rows[0, 1] = crimson.rules.PLACEMENTS * 0 + 4 * 2 + 1
    told = seen(crimson.GAME, s, 3)
    assert told["rows"][:3] == [3, -5, 0]
    assert (told["placers"][:5], told["placers"][5:10]) == ([1, 0, 0, 0, 0], [0, 1, 0, 0, 0])
    assert told["totals"][:2] == [3, 5]


def test_what_i_decided_about_my_power_card_is_told_to_me_alone() -> None:
    s = begun(crimson.GAME, 3)
    s.phase, s.acting, s.row = crimson.rules.Phase.POWER, bit(2), 1
    s.sealed[0], s.sealed[1] = crimson.rules.YES, 1 - crimson.rules.YES
    assert [seen(crimson.GAME, s, seat)["decision"] for seat in range(3)] == [[1], [-1], [0]]


def test_an_offer_of_another_is_told_when_it_is_revealed() -> None:
    s = begun(gossip.GAME, 4)
    s.lead, s.shown, s.acting = 0, 1, bit(0)
    s.sealed[:4] = [gossip.rules.NONE, 7, 8, 9]
    told = seen(gossip.GAME, s, 3)
    assert told["offered"] == [1, 0, 1, 1, 0]
    assert [at for at, n in enumerate(told["offer"]) if n] == [9]
    assert [at for at, n in enumerate(told["others_offers"]) if n] == [gossip.rules.GOSSIP + 7]


def test_chips_of_others_are_told_when_the_game_is_over() -> None:
    s = begun(gossip.GAME, 3)
    s.chips_of[1], s.chips_of[gossip.rules.VUNSHUN] = 0b1, 0b10
    told = seen(gossip.GAME, s, 0)
    assert (sum(told["chips"]), told["all_chips"]) == (0, [0, 1, 0, 0, 0, 1])
    s.acting = 0
    assert sum(seen(gossip.GAME, s, 0)["chips"]) == 2


def test_choices_that_name_seats_come_with_my_number() -> None:
    s = begun(egocentric.GAME, 4)
    assert not any(seen(egocentric.GAME, s, 2)["my_number"])
    s.phase = egocentric.state.Phase.SWAP
    assert seen(egocentric.GAME, s, 2)["my_number"] == [0, 0, 1, 0, 0, 0]


def test_i_am_told_what_others_know_of_my_hand() -> None:
    s = begun(egocentric.GAME, 3)
    s.certain[1, 2] = one(12)
    assert seen(egocentric.GAME, s, 2)["told"][:24] == [0] * 23 + [1]
    assert not any(seen(egocentric.GAME, s, 0)["told"] + seen(egocentric.GAME, s, 0)["known"])


@pytest.mark.parametrize(("way", "known"), [(Way.FREELY, [1, 0]), (Way.RANDOM, [0, 0]), (Way.NAMED, [1, 1])])
def test_the_first_card_of_an_exchange_is_told_to_who_knows_it(way: Way, known: list[int]) -> None:
    s = begun(egocentric.GAME, 3)
    s.phase, s.active, s.way[0], s.chosen[0] = egocentric.state.Phase.SECOND_CARD, 1, way, 6
    told = [seen(egocentric.GAME, s, seat) for seat in (1, 2)]
    assert [row["chosen"][5] for row in told] == known
    assert [row["way"].index(1) for row in told] == [way - 1, way - 1]


def test_a_card_that_was_drawn_is_told_to_who_drew_it() -> None:
    s = begun(egocentric.GAME, 2)
    s.active, s.drawn = 1, 4
    mine, others = seen(egocentric.GAME, s, 1), seen(egocentric.GAME, s, 0)
    assert (mine["looking"], mine["drawn"][3]) == ([1], 1)
    assert (others["looking"], any(others["drawn"])) == ([1], False)


def test_nobody_is_told_the_hand_of_a_substitute() -> None:
    s = begun(hinode.GAME, 4, players=2)
    assert [sum(seen(hinode.GAME, s, seat)["hand"]) for seat in range(4)] == [9, 9, 0, 0]
    assert seen(hinode.GAME, s, 1)["players"] == [1, 0, 0, 1]


def test_markers_are_told_by_area_and_seat() -> None:
    s = begun(hinode.GAME, 4)
    s.place[0, 2], s.place[1, 2] = 3, 1
    told = seen(hinode.GAME, s, 2)
    assert [at for at, n in enumerate(told["first"]) if n] == [2 * 4 + 1]
    assert [at for at, n in enumerate(told["second"]) if n] == [2 * 4 + 3]
