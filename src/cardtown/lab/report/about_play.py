"""What the report says of play itself: seats, length, scores, choices, luck and skill."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ..standings import standings
from . import drawing, measuring
from .drawing import Bar
from .luck import SOURCES, luck_and_skill, of_scores, of_wins, squares
from .measuring import Figure, likely_reach
from .pages import Html, Section, figure, pair, paragraph, percent, plain, short_percent, span, table, with_range
from .sample import Course
from .survey import Survey

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SAYS = {
    "player": "who plays: the bots are not equally strong",
    "deal": "the cards and all other chance that came to the seat",
    "seat": "the place in the order of play",
    "rest": "how the choices of all fitted together, and what no single cause explains",
}


def direction(found: Figure, fair: float, comparisons: int) -> int:
    """Does a figure clearly lie above (1) or below (-1) what would be fair, even the luckiest of so many?"""
    off = found.value - fair
    return 0 if abs(off) <= likely_reach(comparisons) * found.error else 1 if off > 0 else -1


def verdict(found: Figure, fair: float, comparisons: int) -> str:
    return ("no clear difference", "clearly more", "clearly less")[direction(found, fair, comparisons)]


def seats(survey: Survey) -> Section:
    equals, duplicates = survey.main.equals, survey.main.duplicates
    places = measuring.places_of(equals)
    fair, shares = measuring.fair_share(equals), measuring.by_place(equals)
    title = "Seats: does it matter when you choose?"
    if len(places) == 1:
        found = f"One seat chooses; it wins {percent(shares[0].value)} of its games among equals."
        return Section("seats", title, [paragraph(found)])
    rows = [
        [
            f"chooses {ORDINALS[place]}",
            with_range(shares[place]),
            verdict(shares[place], fair, len(places)),
            with_range(among_bots),
        ]
        for place, among_bots in zip(places, measuring.by_place(duplicates), strict=True)
    ]
    bars = [Bar(f"chooses {ORDINALS[place]}", shares[place]) for place in places]
    says = "Share of wins by order of play: " + ", ".join(f"{bar.name} {percent(bar.figure.value)}" for bar in bars)
    plot = drawing.intervals(bars, fair, short_percent, f"{says}; fair would be {percent(fair)}.")
    heads = ["order of play", "wins among equals", "against fair", "wins on duplicate deals"]
    numbered = [
        [f"seat {seat}", with_range(found), verdict(found, fair, len(places))]
        for seat, found in enumerate(measuring.by_seat(equals))
    ]
    return Section(
        "seats",
        title,
        [
            paragraph(
                "The order of play counts from the seat that makes the first choice of the game, then clockwise. Fair "
                f"would be {percent(fair)} for each. Seats by their number show whether whatever decides who begins is "
                "fair."
            ),
            pair(
                figure(plot, f"Wins among equals, 95 % intervals; dashed: {percent(fair)}."),
                table("Wins by order of play", heads, rows)
                + table("Wins by seat number", ["seat", "wins among equals", "against fair"], numbered),
            ),
        ],
    )


def length(survey: Survey) -> Section:
    equals = survey.main.equals
    taken = [len(course.moves) for course in equals]
    low, middle, high = measuring.quantiles(taken)
    whole = measuring.lengths(equals)
    rows: list[list[str]] = [["whole game", with_range(whole, plain), span(low, high)]]
    for place, found in enumerate(measuring.decisions_by_place(equals)):
        seat = [measuring.decisions_of(c, c.seat(place)) for c in equals]
        shortest, _, longest = measuring.quantiles(seat)
        rows.append([f"chooses {ORDINALS[place]}", with_range(found, plain), span(shortest, longest)])
    plot = drawing.columns(
        drawing.binned(taken),
        f"Decisions per game: half of the games take at most {middle:g}, from {low:g} to {high:g}.",
    )
    told = ""
    cut = sum(not course.is_over for course in equals)
    if cut:
        told = f" {cut} games were given up unfinished."
    return Section(
        "length",
        "Length",
        [
            paragraph(f"A game among equals takes {plain(whole.value)} decisions; half take at most {middle:g}.{told}"),
            pair(
                figure(plot, "Games by their number of decisions."),
                table("Decisions per game", ["", "decisions", "nine of ten games"], rows),
            ),
        ],
    )


def scores(survey: Survey) -> Section:
    equals = survey.main.equals
    by_place = measuring.scores_by_place(equals)
    every = [score for place in by_place for score in place]
    margins = measuring.margins(equals)
    rows: list[list[str]] = []
    for place, found in enumerate(by_place):
        low, middle, high = measuring.quantiles(found)
        mean = measuring.mean(enumerate(found))
        spread = plain(measuring.deviation(found))
        rows.append(
            [
                f"chooses {ORDINALS[place]}",
                with_range(mean, plain),
                spread,
                plain(middle),
                span(low, high),
            ]
        )
    ends: list[list[str]] = [
        ["several winners", with_range(measuring.shared_wins(equals))],
        ["no winner", with_range(measuring.without_winner(equals))],
    ]
    if margins:
        low, middle, high = measuring.quantiles(margins)
        ends += [
            ["margin of the winner, mean", plain(fmean(margins))],
            ["margin, half of the games at most", plain(middle)],
            ["margin, nine of ten games", span(low, high)],
            ["won by one point or none", percent(sum(margin <= 1 for margin in margins) / len(margins))],
        ]
    left = [figure(drawing.columns(drawing.binned(every), "How often each final score came."), "Final scores.")]
    if margins:
        left.append(
            figure(
                drawing.columns(drawing.binned(margins), "How often the winner was ahead by how many points."),
                "Points between the winner and the nearest other.",
            )
        )
    right = table("Scores", ["", "mean score", "spread (s.d.)", "median", "nine of ten"], rows)
    right += table("How games end", ["how games end", "share or points"], ends)
    return Section("scores", "Scores, margins and ties", [pair("".join(left), right)])


def choices(survey: Survey) -> Section:
    equals = survey.main.equals
    offered = measuring.choices_offered(equals)
    total = offered.total()
    most = max(offered)
    plot = drawing.columns(
        [(str(n), offered[n]) for n in range(1, most + 1)], f"How many choices decisions offer, from 1 to {most}."
    )
    over_time = measuring.branching_over_time(equals)
    course = drawing.columns(
        [(f"{10 * i} %", mean) for i, mean in enumerate(over_time)],
        "Choices per decision from the beginning to the end: " + ", ".join(plain(mean) for mean in over_time) + ".",
        named=5,
    )
    rows: list[list[str]] = [
        ["choices per decision", with_range(measuring.branching(equals), plain)],
        ["one choice alone (forced)", with_range(measuring.forced(equals))],
        ["two to four", percent(sum(offered[n] for n in (2, 3, 4)) / total)],
        ["ten or more", percent(sum(times for n, times in offered.items() if n >= 10) / total)],
        ["most that was seen", str(most)],
        ["first tenth of the game", plain(over_time[0])],
        ["middle of the game", plain(over_time[5])],
        ["last tenth of the game", plain(over_time[9])],
    ]
    left = figure(plot, "Decisions by the number of choices that they offer.")
    left += figure(course, "Choices per decision in each tenth of the game.")
    return Section(
        "choices",
        "Choices",
        [pair(left, table("Choices", ["choices", "among equals"], rows))],
    )


def luck(survey: Survey) -> Section:
    games = survey.main.duplicates
    seed = survey.request.seed
    found = [
        ("who wins", luck_and_skill(squares(games, of_wins), seed)),
        ("the score", luck_and_skill(squares(games, of_scores), seed)),
    ]
    plot = drawing.stacks(
        [(name, [shares[source].value for source in SOURCES]) for name, shares in found],
        "; ".join(
            f"{name}: " + ", ".join(f"{source} {percent(shares[source].value)}" for source in SOURCES)
            for name, shares in found
        ),
    )
    rows = [
        [
            Html(f'<span class="key key{i}"></span>{source}<br/><small>{SAYS[source]}</small>'),
            *(with_range(shares[source]) for _, shares in found),
        ]
        for i, source in enumerate(SOURCES)
    ]
    win = found[0][1]
    meaning = (
        f"Of all that makes one seat win and another lose, the player explains {percent(win['player'].value)} and the "
        f"deal {percent(win['deal'].value)}: every deal was played with the bots in all rotations, so that what "
        "follows the cards is luck and what follows the bot is skill. The shares hold for these bots; players further "
        "apart would make skill look larger."
    )
    return Section(
        "luck",
        "Luck and skill",
        [
            paragraph(meaning),
            pair(
                figure(plot, "Share of the variance that each cause explains, on duplicate deals."),
                table("Variance explained", ["cause", "of who wins", "of the score"], rows),
            ),
            of_bots(games, survey.request.bots),
        ],
    )


def of_bots(games: Sequence[Course], bots: Sequence[str]) -> str:
    """How each bot did."""
    rows = [
        [
            result.bot,
            with_range(Figure(result.win_rate, result.low, result.high)),
            percent(result.fair),
            plain(result.score),
            str(result.games),
        ]
        for result in standings([course.played for course in games], list(dict.fromkeys(bots)))
    ]
    return table("How the bots did", ["bot", "wins per seat", "fair", "mean score", "times seated"], rows)
