"""The ladder: baselines whose ratings stay, and what they say of others."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from cardtown.core.game import Game, GameError
from cardtown.games import find
from cardtown.lab import ladder as lab
from cardtown.lab.jobs import Processes, Threads
from cardtown.lab.rating import BETA, DOUBT, MEAN, rate_newcomer, rate_together
from cardtown.lab.standings import Lineup, Played
from cardtown.lab.tournament import play_deals
from tests.conftest import Tally

TRUE = {"weak": 19.0, "middling": 25.0, "strong": 31.0}


def games_by_the_model(lineups: Sequence[Lineup], ratings: dict[str, float], n: int, seed: int = 1) -> list[Played]:
    """Games that go as the model says."""
    dice = random.Random(seed)
    played = []
    for deal in range(n):
        lineup = lineups[deal % len(lineups)]
        worth = [math.exp(ratings[bot] / (BETA * math.sqrt(len(lineup)))) for bot in lineup]
        (winner,) = dice.choices(range(len(lineup)), worth)
        played.append(Played(deal, lineup, (winner,), (0,) * len(lineup)))
    return played


PAIRS: list[Lineup] = [("weak", "middling"), ("middling", "strong"), ("strong", "weak"), ("weak", "middling", "strong")]


def test_ratings_are_found_again_in_games_that_follow_them() -> None:
    found = rate_together(games_by_the_model(PAIRS, TRUE, 3000), list(TRUE))
    for bot, rating in TRUE.items():
        assert found[bot].low < rating < found[bot].high
        assert found[bot].high - found[bot].low < 2
    assert sum(rating.rating for rating in found.values()) / 3 == pytest.approx(MEAN)


def test_ratings_do_not_depend_on_the_order_of_games() -> None:
    played = games_by_the_model(PAIRS, TRUE, 200)
    one, other = rate_together(played, list(TRUE)), rate_together(played[::-1], list(TRUE))
    for bot in TRUE:
        assert one[bot] == pytest.approx(other[bot])


def test_a_newcomers_range_holds_its_rating_as_often_as_promised() -> None:
    held = 0
    lineups: list[Lineup] = [("new", bot) for bot in TRUE] + [("new", bot, bot) for bot in TRUE]
    for seed in range(200):
        true = 17.0 + seed % 17
        found = rate_newcomer(games_by_the_model(lineups, {**TRUE, "new": true}, 60, seed), "new", TRUE)
        held += found.low < true < found.high
        assert found.low < found.rating < found.high
    assert 180 <= held <= 198  # 95 % of them, give or take


def test_who_always_wins_gets_a_high_rating_and_a_wide_range() -> None:
    played = [Played(deal, ("new", "middling"), (0,), (1, 0)) for deal in range(40)]
    found = rate_newcomer(played, "new", TRUE)
    assert found.rating > TRUE["strong"]
    assert found.high - found.low > DOUBT


def test_more_games_make_it_surer_unless_they_are_of_one_deal() -> None:
    few, many = (games_by_the_model([("new", "middling")], {**TRUE, "new": 27.0}, n) for n in (50, 200))
    alike = [replace_deal(game, number // 4) for number, game in enumerate(sorted(many, key=lambda game: game.winners))]
    widths = [found.high - found.low for found in (rate_newcomer(games, "new", TRUE) for games in (few, many, alike))]
    assert widths[1] < 0.6 * widths[0]
    assert widths[2] > 1.5 * widths[1]


def replace_deal(game: Played, deal: int) -> Played:
    return game._replace(deal=deal)


def test_nothing_is_learnt_from_games_that_nobody_won() -> None:
    found = rate_newcomer([Played(0, ("new", "middling"), (), (0, 0))], "new", TRUE)
    assert found.rating == pytest.approx(MEAN, abs=0.1)
    assert found.high - found.low > 3 * DOUBT


def test_every_game_has_a_ladder(game: Game) -> None:
    ladder = lab.read(game)
    assert {rung.bot for rung in ladder.rungs} == set(lab.BASELINES)
    assert [rung.rating for rung in ladder.rungs] == sorted((rung.rating for rung in ladder.rungs), reverse=True)
    assert ladder.rungs[-1].bot == "random"
    assert all(rung.low < rung.rating < rung.high for rung in ladder.rungs)
    assert ladder.table == lab.table_of(game)


def test_the_first_deal_goes_as_it_did_when_the_ladder_was_made(game: Game, soak: int, tally: Tally) -> None:
    """Else the bots play otherwise than they did, and `make ladder` must rate them anew."""
    ladder = lab.read(game)
    longest = 200 if soak == 1 else 10_000
    seats = game.choosing(ladder.seats, ladder.options)
    for met in ladder.meetings:
        if max(lab.BASELINES[met.bot], lab.BASELINES[met.others]) <= longest:
            deal = lab.among(met.bot, met.others, seats), 0
            played = play_deals(ladder.table, [deal], ladder.seed, workers=Threads(1))
            assert [list(one.winners) for one in played] == met.first, f"{met.bot} among {met.others}"
            tally(f"{game.id}, games of baselines played again", len(played))


def test_a_known_bot_is_found_where_it_stands(soak: int, tally: Tally) -> None:
    ladder = lab.read(find("hollywood"))
    longest = 1_000 if soak == 1 else 10_000
    quick = replace(ladder, rungs=tuple(rung for rung in ladder.rungs if lab.BASELINES[rung.bot] <= longest))
    climbs = [lab.climb(quick, "medium", 80 * soak, seed=1, workers=workers) for workers in (Processes(2), Threads(1))]
    assert climbs[0] == climbs[1]
    found = climbs[0].rating
    assert found.low <= ladder.ratings["medium"] <= found.high
    assert "medium" not in [against.bot for against in climbs[0].against]
    best = max(climbs[0].against, key=lambda against: against.win_rate)
    assert best.bot == "random"
    tally("games of medium against the others", climbs[0].games)


def test_freezing_again_gives_the_same_ladder() -> None:
    bots = {"random": 0, "easy": 40}
    one, other = (lab.freeze(find("egocentric"), workers=workers, bots=bots) for workers in (Processes(2), Threads(1)))
    assert one == other
    assert one.rungs[0].bot == "easy"


def test_a_ladder_for_other_rules_is_refused() -> None:
    parts = find("hollywood").parts
    other = find("hollywood").with_components({**parts, "carpet": {**parts["carpet"], "spaces": 6}}, "mine.toml")
    with pytest.raises(GameError, match=r"the ladder of hollywood is for other rules or components.*make ladder"):
        lab.read(other)
