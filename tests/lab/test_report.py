"""The balance report: its games, its figures, and its pages."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from cardtown.core.chance import Seeded
from cardtown.core.game import Game, GameError
from cardtown.core.match import Match
from cardtown.core.story import ALL
from cardtown.games import find, games
from cardtown.lab.jobs import Processes, Threads
from cardtown.lab.report import luck, measuring
from cardtown.lab.report.about_play import direction, verdict
from cardtown.lab.report.comparing import MEASURES, Overview, overview, robustness
from cardtown.lab.report.luck import Squares, luck_and_skill, of_wins, shares, squares
from cardtown.lab.report.making import make_page
from cardtown.lab.report.measuring import Figure, differs, margin, mean, ratio
from cardtown.lab.report.reconstructions import can_play, matters, uncertain
from cardtown.lab.report.sample import Course, Sample, check_thinker, play_course, play_sample
from cardtown.lab.report.story import NOBODY, Tally, alike, tell_story
from cardtown.lab.report.survey import Request, check_bots, job_for, pieces, plan, survey, work_on
from cardtown.lab.report.thinker import Thinker
from cardtown.lab.report.variants import parse_vary, usual_variants, variants
from cardtown.lab.standings import Played
from cardtown.lab.table import Table
from cardtown.lab.tournament import lineups, play_one, rotations, seat_bot
from tests.lab.unfair import UNFAIR

BLIND = ("random", "wander")


def table_of(name: str, seats: int | None = None) -> Table:
    game = find(name)
    count = seats or game.seats[len(game.seats) // 2]
    return Table(name, None, count, game.complete({}, count))


def blind_games(name: str, deals: int, seed: int = 1) -> list[Course]:
    table = table_of(name)
    seats = find(name).choosing(table.seats, table.options)
    return play_sample(Sample(table, tuple(lineups(BLIND, seats)), 0, deals, seed), find(name))


# Games


@pytest.mark.parametrize("name", games())
def test_bots_choose_as_they_do_in_tournaments(name: str, soak: int) -> None:
    table, game = table_of(name), find(name)
    bots = ("hard:30", "easy", "wander", "random", "hard:60", "easy")
    lineup = bots[: game.choosing(table.seats, table.options)]
    thinker = Thinker(game)
    for deal in range(2 * soak):
        course = play_course(thinker, table, lineup, deal, 1, 7)
        assert course.played == play_one(game, table, lineup, deal, 1, 7, seat_bot)
        assert course.is_over
        assert len(course.moves) == len(course.options)


def test_every_deal_is_played_in_all_rotations_by_the_same_first_seat() -> None:
    for _, same in groupby(blind_games("gossip", 3), lambda course: course.played.deal):
        deal = list(same)
        assert [course.played.lineup for course in deal] == rotations(lineups(BLIND, 4)[0])
        assert len({course.first for course in deal}) == 1


def test_pieces_of_a_job_are_the_whole_job() -> None:
    job = job_for(Request(table_of("gossip"), BLIND, 37, 3), table_of("gossip"), 37, tells=True)
    parts = pieces(job)
    assert sum(part.games for part in parts) == job.games
    played = [course.played for part in parts for course in play_sample(part.equals, find("gossip"))]
    assert played == [course.played for course in play_sample(job.equals, find("gossip"))]


# Figures


def test_lengths_choices_and_ends_agree_with_a_recount() -> None:
    table, courses = table_of("hollywood"), blind_games("hollywood", 10)
    lengths, options, ties = [], [], 0
    for course in courses:
        match = Match(find("hollywood"), table.seats, table.options, Seeded(1, course.played.deal))
        first = match.acting[0]
        while not match.outcome:
            seat = match.acting[0]
            options.append(len(match.legal(seat)))
            match.choose(seat, int(course.moves[len(match.choices)]) & 63)
        lengths.append(len(match.choices))
        ties += len(match.outcome.winners) > 1
        assert (match.outcome.winners, match.outcome.scores) == (course.played.winners, course.played.scores)
        assert course.first == first
    assert measuring.lengths(courses).value == pytest.approx(np.mean(lengths))
    assert measuring.branching(courses).value == pytest.approx(np.mean(options))
    assert measuring.forced(courses).value == pytest.approx(options.count(1) / len(options))
    assert measuring.choices_offered(courses) == Counter(options)
    assert measuring.shared_wins(courses).value == ties / len(courses)
    assert sum(figure.value for figure in measuring.by_place(courses)) == pytest.approx(1)


@pytest.mark.parametrize("name", games())
def test_the_story_agrees_with_a_recount(name: str) -> None:
    table, game, courses = table_of(name), find(name), blind_games(name, 2)
    story = tell_story(game, table, courses, 1)
    lines: Counter[str] = Counter()
    kinds: Counter[int] = Counter()
    won = 0.0
    for course in courses:
        match = Match(game, table.seats, table.options, Seeded(1, course.played.deal))
        for move in course.moves.tolist():
            kinds[int(game.rules.kind(match.state, move & 63))] += 1
            won += course.played.share(move >> 6)
            match.choose(move >> 6, move & 63)
        lines += Counter(game.show.line(t.event, t.args).key for t in match.told if t.to == ALL)
    assert {key: tally.times for key, tally in story.lines.items()} == lines
    assert {kind: tally.times for kind, tally in story.kinds.items()} == kinds
    assert sum(a for tally in story.kinds.values() for a, _ in tally.won) == pytest.approx(won)
    for kind, moves in story.chosen.items():
        assert all(move.made <= move.possible for move in moves)
        assert sum(move.made for move in moves) == kinds[kind]
    assert story.held
    assert set(story.held) | set(story.used) <= set(game.show.faces())


def test_every_card_that_is_played_was_held() -> None:
    story = tell_story(find("hollywood"), table_of("hollywood"), blind_games("hollywood", 5), 1)
    assert len(story.used) == 28
    for face, used in story.used.items():
        assert 0 < used.times <= 2 * story.held[face].times


def test_cards_that_differ_in_their_suit_alone_are_counted_together() -> None:
    game = find("gossip")
    first = alike(game)
    assert {first[f"{colour}S"] for colour in "RBGYP"} == {"RS"}
    assert len(set(first.values())) == 12  # eleven cards and the initial one
    story = tell_story(game, table_of("gossip"), blind_games("gossip", 4), 1)
    shields = [story.used[f"{colour}S"] for colour in "RBGYP"]
    assert story.used_alike["RS"].times == sum(tally.times for tally in shields)
    assert sum(won for won, _ in story.used_alike["RS"].won) == pytest.approx(
        sum(won for tally in shields for won, _ in tally.won)
    )


def test_a_tally_counts_how_often_who_had_it_won() -> None:
    tally = Tally()
    won, lost = (Course(Played(0, ("a", "b"), (seat,), (0, 0)), 0, (), (), True) for seat in (0, 1))
    tally.add(Counter({0: 3, 1: 1}), won)
    tally.add(Counter({0: 2, NOBODY: 5}), lost)
    assert (tally.games, tally.times) == (2, 11)
    assert tally.win_rate.value == pytest.approx(3 / 6)


def test_games_of_one_deal_make_no_mean_surer() -> None:
    alone = mean(enumerate([1.0, 2.0, 3.0, 4.0] * 5))
    twice = mean((deal, value) for deal, value in enumerate([1.0, 2.0, 3.0, 4.0] * 5) for _ in range(2))
    assert alone == pytest.approx(twice)
    assert alone.value == 2.5
    assert alone.error == pytest.approx(np.std([1, 2, 3, 4] * 5, ddof=1) / math.sqrt(20))


def test_a_ratio_that_never_varies_is_certain() -> None:
    assert ratio([(1, 2), (2, 4), (3, 6)]) == pytest.approx((0.5, 0.5, 0.5))
    assert math.isnan(ratio([]).value)


@pytest.mark.parametrize(
    ("winners", "scores", "expected"),
    [((0,), (9, 4, 7), 2), ((2,), (9, 4, 1), 3), ((0, 1), (5, 5, 3), 2), ((), (1, 2, 3), None), ((0, 1), (4, 4), None)],
)
def test_a_margin_is_the_distance_to_the_nearest_other(
    winners: tuple[int, ...], scores: tuple[int, ...], expected: int | None
) -> None:
    assert margin(Played(0, ("a",) * len(scores), winners, scores)) == expected


def test_figures_differ_only_beyond_what_many_comparisons_explain() -> None:
    one, other = Figure(0.50, 0.45, 0.55), Figure(0.58, 0.53, 0.63)
    assert differs(one, other, 1)
    assert not differs(one, other, 20)
    assert not differs(one, Figure(math.nan, math.nan, math.nan), 1)


# A planted fault shows


def test_an_unfair_game_shows_its_seat_advantage() -> None:
    request = Request(table_of("hollywood"), BLIND, 240, 5)
    job = job_for(request, request.table, request.games, tells=False)
    for game, expected in ((UNFAIR, "clearly more"), (find("hollywood"), "no clear difference")):
        equals = work_on(game, job).equals
        first = measuring.by_place(equals)[0]
        assert verdict(first, measuring.fair_share(equals), 2) == expected
    first = measuring.by_place(work_on(UNFAIR, job).equals)[0]
    assert first.low < 0.75 < first.high


# Luck and skill


def planted(player: float, deal: float, seat: float, noise: float, deals: int = 400) -> Squares:
    """Results of four bots in four seats made of effects of known variance."""
    dice = np.random.default_rng(3)
    turns = np.array([[(place - turn) % 4 for place in range(4)] for turn in range(4)])
    who = np.broadcast_to(turns, (deals, 4, 4))
    levels = np.array([-1.5, -0.5, 0.5, 1.5]) / np.std([-1.5, -0.5, 0.5, 1.5])
    results = (
        player * levels[who]
        + deal * dice.standard_normal((deals, 1, 4))
        + seat * levels
        + noise * dice.standard_normal((deals, 4, 4))
    )
    return Squares(results, who)


@pytest.mark.parametrize(
    "effects", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 2, 0.5, 1.5), (2, 1, 1, 2)]
)
def test_shares_of_variance_are_those_that_were_planted(effects: tuple[float, float, float, float]) -> None:
    player, deal, seat, noise = (effect**2 / sum(each**2 for each in effects) for effect in effects)
    found = shares(planted(*effects))
    expected = {"player": player, "deal": deal, "seat": seat, "rest": noise}
    assert found == pytest.approx(expected, abs=0.04)
    assert sum(found.values()) == pytest.approx(1)


def test_intervals_of_shares_hold_the_truth() -> None:
    found = luck_and_skill(planted(1, 1, 0, 1), seed=1)
    for source in ("player", "deal", "rest"):
        assert found[source].low < 1 / 3 < found[source].high
        assert found[source].high - found[source].low < 0.1


def test_results_without_any_difference_are_explained_by_nothing() -> None:
    assert shares(Squares(np.ones((5, 2, 2)), np.zeros((5, 2, 2), int)))["rest"] == 1


def test_games_are_arranged_by_the_order_of_play() -> None:
    courses = blind_games("hollywood", 4)
    found = squares(courses, of_wins)
    assert found.results.shape == (4, 2, 2)
    for course, results, who in zip(courses, found.results.reshape(-1, 2), found.players.reshape(-1, 2), strict=True):
        assert results.tolist() == [course.played.share(course.seat(place)) for place in range(2)]
        assert [sorted(BLIND)[bot] for bot in who] == [course.played.lineup[course.seat(place)] for place in range(2)]
    assert luck.of_scores(courses[0], 1) == courses[0].played.scores[1]


# Variants and reconstructions


def test_everything_is_varied_a_little() -> None:
    game, table = find("egocentric"), table_of("egocentric", 4)
    found = variants(game, table, usual_variants(game, table))
    assert {each.table.seats for each in found if each.name == "seats"} == {*game.seats} - {4}
    assert [each.value for each in found if each.name == "goal"] == ["one-round"]
    assert next(each for each in found if each.value == 1).table.options == {"goal": 50, "difficulty": 2}
    assert table not in [each.table for each in found]


def test_what_to_vary_can_be_told() -> None:
    game, table = find("hollywood"), table_of("hollywood")
    found = variants(game, table, parse_vary(game, ["carpet=3,4,6"]))
    assert [(each.name, each.value, each.table.options) for each in found] == [
        ("carpet", 3, {"carpet": 3}),
        ("carpet", 6, {"carpet": 6}),
    ]


@pytest.mark.parametrize("name", games())
def test_changes_of_reconstructed_figures_are_mild_and_can_be_played(name: str) -> None:
    game = find(name)
    found = uncertain(game)
    reconstructed = {table for table, figures in game.parts.items() if figures["source"] == "reconstructed"}
    for change in found.changes:
        assert can_play(game, change.parts)
        assert [table for table in game.parts if change.parts[table] != game.parts[table]] == [
            re.split(r"[.,]", change.figure)[0]
        ]
    named = {re.split(r"[.,]", figure)[0] for figure in (*(c.figure for c in found.changes), *found.names)}
    assert named == reconstructed


def test_a_change_that_only_other_options_notice_makes_no_difference() -> None:
    game = find("hinode")
    skill = next(change for change in uncertain(game).changes if change.figure == "skills.kansai_rank")
    basic = table_of("hinode")
    assert not matters(game, basic, skill)
    assert matters(game, basic._replace(options=basic.options | {"rules": "advanced"}), skill)


def test_an_option_left_at_its_default_follows_the_components() -> None:
    request = Request(table_of("hollywood"), BLIND, 8, 0, {})
    assert [job.equals.table.options["carpet"] for _, job in plan(request).changes] == [5, 3]


def test_what_a_change_moves_is_not_robust() -> None:
    def all_at(value: float) -> Overview:
        return {measure.name: Figure(value, value - 0.01, value + 0.01) for measure in MEASURES}

    moved = all_at(0.5) | {"length": Figure(0.8, 0.79, 0.81)}
    found = {each.measure.name: each for each in robustness(all_at(0.5), [("one", all_at(0.505)), ("other", moved)])}
    assert found["length"].moved_by == ("other",)
    assert (found["length"].lowest, found["length"].highest) == (0.505, 0.8)
    assert [name for name, each in found.items() if not each.holds] == ["length"]


# Pages


def page_of(request: Request, game: Game) -> str:
    return make_page(survey(request, plan(request), workers=Threads(1)), game, "cardtown report …")


@pytest.mark.parametrize("name", games())
def test_every_game_has_a_page_that_needs_nothing_else(name: str) -> None:
    page = page_of(Request(table_of(name), BLIND, 12, 2), find(name))
    root = ET.fromstring(page.removeprefix("<!DOCTYPE html>"))
    assert "http" not in page
    assert "url(" not in page
    assert not [each for each in root.iter() if each.tag in ("script", "link", "img", "iframe")]
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(set(ids)) == len(ids)
    links = {str(each.get("href")).removeprefix("#") for each in root.iter("a")}
    assert links == {each.get("id") for each in root.iter("section")}
    plots = list(root.iter("svg"))
    assert plots
    for plot in plots:
        assert plot.get("role") == "img"
        assert plot.get("aria-label")
    for rows in root.iter("table"):
        width = len(rows.findall("thead/tr/th"))
        assert all(len(row) == width for row in rows.findall("tbody/tr"))
    assert "nan" not in "".join(root.itertext()).split()
    assert len(page.encode()) < 400_000


def test_the_page_tells_the_figures_that_were_counted() -> None:
    request = Request(table_of("gossip"), BLIND, 20, 4, {})
    found = survey(request, plan(request), workers=Threads(1))
    page = make_page(found, find("gossip"), "cardtown report …")
    main = overview(found.main, request)
    assert f"{np.mean([len(course.moves) for course in found.main.equals]):.1f} decisions a game" in page
    assert f"{100 * main['forced'].value:.1f}\N{NO-BREAK SPACE}% of the decisions are forced" in page
    assert len(found.main.equals) == 20
    assert len(found.main.duplicates) == 20
    assert "20 games with random in every seat" in page
    assert "5 deals in every rotation" in page


def test_the_same_seed_makes_the_same_page_whatever_the_workers() -> None:
    request = Request(table_of("hollywood"), BLIND, 16, 6)
    planned = plan(request)
    one, two = (
        make_page(survey(request, planned, workers=workers), find("hollywood"), "")
        for workers in (Threads(1), Processes(2))
    )
    assert one == two


def test_a_seat_that_plays_alone_has_no_order_of_play() -> None:
    request = Request(table_of("egocentric", 1), BLIND, 8, 2, {})
    found = survey(request, plan(request), workers=Threads(1))
    main = overview(found.main, request)
    assert math.isnan(main["first"].value)
    assert main["beside"].value == pytest.approx(np.mean([course.played.share(0) for course in found.main.equals]))
    assert "One seat chooses" in make_page(found, find("egocentric"), "")


# What can't be asked for


@pytest.mark.parametrize("bot", ["hard", "hard:50ms"])
def test_bots_that_think_by_the_clock_are_refused(bot: str) -> None:
    with pytest.raises(GameError, match=f"{bot} thinks by the clock"):
        check_thinker(bot)


def test_one_bot_alone_shows_no_skill() -> None:
    with pytest.raises(GameError, match="at least two different ones"):
        check_bots(["easy", "easy"])


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("carpet", "is written name=value,value, not 'carpet'"),
        ("carpet=", "is written name=value,value, not 'carpet='"),
        ("rug=3", "nothing to vary that is called 'rug'; there is seats, carpet"),
        ("carpet=3,9", "option carpet can't be 9; possible are 3–6"),
        ("seats=3", "hollywood can't be played by 3"),
        ("seats=two", "seats are counted: 'two' is no number"),
    ],
)
def test_what_can_not_be_varied_is_refused(wish: str, message: str) -> None:
    game = find("hollywood")
    with pytest.raises(GameError, match=re.escape(message)):
        variants(game, table_of("hollywood"), parse_vary(game, [wish]))


def test_a_clear_direction_needs_more_than_its_interval() -> None:
    assert direction(Figure(0.56, 0.51, 0.61), 0.5, 1) == 1
    assert direction(Figure(0.56, 0.51, 0.61), 0.5, 30) == 0
    assert direction(Figure(0.30, 0.25, 0.35), 0.5, 30) == -1


def test_the_docs_hold_a_report_of_every_game_and_a_word_about_it() -> None:
    docs = Path(__file__).parent.parent.parent / "docs" / "reports"
    readme = (docs / "README.md").read_text(encoding="utf-8")
    for game in games().values():
        page = (docs / f"{game.id}.html").read_text(encoding="utf-8")
        assert f"<h1>{game.title}: balance report</h1>" in page
        assert len(page.encode()) < 400_000
        assert f"({game.id}.html)" in readme
        assert f"### {game.title}\n" in readme
