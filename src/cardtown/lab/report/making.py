"""A whole report, from what was asked for to the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cardtown.core.game import Game

from . import about_changes, about_play, about_rules, measuring
from .about_play import ORDINALS, verdict
from .comparing import Overview, Robust, overview
from .pages import Html, Section, listed, page, paragraph, percent, plain, points
from .sample import iterations
from .survey import Survey


def make_page(survey: Survey, game: Game, command: str) -> str:
    """The report of a survey; `command` is what makes it again."""
    main = overview(survey.main, survey.request)
    reconstructed, robust = about_changes.reconstructions(survey, main)
    sections = [
        Section("short", "In short", [listed(in_short(survey, main, robust))]),
        about_play.seats(survey),
        about_play.length(survey),
        about_play.scores(survey),
        about_play.choices(survey),
        about_rules.rules(survey, game),
        about_rules.cards(survey, game),
        about_play.luck(survey),
        about_changes.variants(survey, main),
        reconstructed,
        Section("method", "How it was measured", [listed(method(survey))]),
    ]
    foot = f"<p>Made with <code>{escape(command)}</code>: the same command makes the same report.</p>"
    return page(f"{game.title}: balance report", [paragraph(who_played(survey), "lead")], sections, foot)


def who_played(survey: Survey) -> str:
    request, main = survey.request, survey.main
    options = "".join(f", {name} {value}" for name, value in request.table.options.items())
    seats = f"{request.table.seats} seat{'s' if request.table.seats > 1 else ''}"
    return (
        f"{seats}{options}. Among equals: {len(main.equals):,} games with {described(request.bots[0])} in every seat. "
        f"On duplicate deals: {len(main.duplicates):,} games of {' and '.join(map(described, request.bots))}, "
        f"{len({course.played.deal for course in main.duplicates}):,} deals in every rotation. Seed {request.seed}."
    )


def described(bot: str) -> str:
    """A bot by name, and how long it thinks."""
    if bot.startswith("hard:") or bot in ("random", "wander"):
        return bot
    return f"{bot} ({iterations(bot)} iterations a choice)"


def in_short(survey: Survey, main: Overview, robust: Sequence[Robust]) -> list[str]:
    """What the figures say, in sentences."""
    equals = survey.main.equals
    found = []
    places = measuring.places_of(equals)
    if len(places) > 1:
        fair, shares = measuring.fair_share(equals), measuring.by_place(equals)
        said = [
            f"who chooses {ORDINALS[place]} wins {percent(share.value)}, {verdict(share, fair, len(places))}"
            for place, share in enumerate(shares)
            if place in (0, places[-1]) or about_play.direction(share, fair, len(places))
        ]
        found.append(f"Seats (fair: {percent(fair)}): {'; '.join(said)}.")
    low, _, high = measuring.quantiles([len(course.moves) for course in equals])
    found += [
        f"Length: {plain(main['length'].value)} decisions a game, nine of ten games between {low:g} and {high:g}.",
        f"Choices: {plain(main['choices'].value)} at a decision on average; {percent(main['forced'].value)} of the "
        "decisions are forced.",
        f"Ties: {percent(main['shared'].value)} of the games have several winners, "
        f"{percent(main['nobody'].value)} none.",
        f"Skill: a seat of {survey.request.bots[0]} wins {points(main['strength'].value).lstrip('+')} percentage "
        f"points more than the average seat; the player explains {percent(main['skill'].value)} of who wins, the deal "
        f"{percent(main['luck'].value)}.",
    ]
    if robust:
        depending = [each.measure.says[0].lower() + each.measure.says[1:] for each in robust if not each.holds]
        which = f"; what depends on them: {', '.join(depending)}" if depending else ""
        found.append(
            f"Reconstructions: {sum(each.holds for each in robust)} of {len(robust)} figures are robust to "
            f"{len(survey.changes)} changes of reconstructed components{which}."
        )
    return found


def method(survey: Survey) -> list[Html]:
    return [
        Html(
            "Among equals every game has a new deal. On duplicate deals each deal is played with the bots in all "
            "rotations round the table, so that every bot gets every hand."
        ),
        Html(
            "Intervals are 95 % ones: Wilson's for shares of wins, widened where games share the luck of their deal; "
            "from the spread between deals for means; from drawing the deals anew 200 times for shares of variance."
        ),
        Html(
            "An edge is the share of wins above that of the average seat, in percentage points: of who chooses first "
            "or last among equals, of a seat of the first bot on duplicate deals."
        ),
        Html(
            "Shares of variance come from an analysis of variance of the result by player, deal (within the place) and "
            "place in the order of play, less what chance alone would seem to explain."
        ),
        Html(
            "Where many figures are compared, the bound is widened for all comparisons of the table (Bonferroni), so "
            "that nineteen of twenty tables without any true difference show no mark."
        ),
        Html("Bots are no people: what they never try says little, and what they do often may be a habit of theirs."),
    ]
