"""What the report says of rules, moves and cards: how often each comes up, and how who had it fared."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from html import escape

from cardtown.core.game import Game
from cardtown.core.table import Arg, Text

from . import drawing
from .about_play import direction
from .drawing import Bar
from .measuring import Figure, fair_share, ratio
from .pages import (
    NOTHING,
    Html,
    Section,
    figure,
    folded,
    paragraph,
    percent,
    plain,
    short_percent,
    table,
    tinted,
    with_range,
)
from .story import Tally, alike
from .survey import Survey

ENOUGH = 30
"""A win rate is told only of what happened in so many games."""

NOTABLE = 0.01
"""Closer to fair than this nothing is marked, however sure it is."""

SHOWN = 8
"""So many cards are plotted at either end."""


def words_of(game: Game, key: str) -> Html:
    """A message of the game, its arguments named instead of filled in."""
    found = game.words.messages[key]
    message = found["other"] if isinstance(found, dict) else found
    return Html(re.sub(r"\{(\w+)\}", lambda arg: f"<i>{arg[1].replace('_', ' ')}</i>", escape(message)))


def face_of(game: Game, face: str) -> str:
    """A card's name."""
    return game.words.say(game.show.faces()[face].title, [])


def kind_of(game: Game, face: str) -> str:
    """The name of a card and of all that are like it but for their suit."""
    title = game.show.faces()[face].title
    named: dict[str, Arg] = {key: f"any {key}" if isinstance(arg, Text) else arg for key, arg in title.args.items()}
    return game.words.say(Text(title.key, named), [])


def win_rates(tallies: Mapping[str, Tally]) -> dict[str, Figure]:
    """The win rates of what happened often enough."""
    return {key: tally.win_rate for key, tally in tallies.items() if len(tally.won) >= ENOUGH}


def rated(found: Figure | None, fair: float, comparisons: int) -> Html:
    if found is None or math.isnan(found.value):
        return Html(NOTHING)
    far = abs(found.value - fair) >= NOTABLE
    return tinted(with_range(found), direction(found, fair, comparisons) if far else 0)


def rules(survey: Survey, game: Game) -> Section:
    story, fair = survey.story, fair_share(survey.main.equals)
    rates = win_rates({key: tally for key, tally in story.lines.items() if key not in story.endings})
    rows = [
        [
            words_of(game, key),
            percent(tally.games / story.games),
            plain(tally.times / story.games),
            rated(rates.get(key), fair, len(rates)),
        ]
        for key, tally in sorted(story.lines.items(), key=lambda item: (-item[1].games, -item[1].times, item[0]))
    ]
    unseen = [key for key in lines_known(game) if key not in story.lines]
    parts = [
        paragraph(
            "Every line that the whole table is told, with how often it is told. The last column: of all the times "
            f"that it was told of a seat, how often that seat went on to win; {percent(fair)} is fair. ▲ and ▼ mark "
            "what is further from fair than chance explains, all rows taken together, and by at least a point. It "
            "tells what goes together, not what causes what: who is ahead anyway may do other things."
        ),
        table("How often each rule matters", ["what happens", "games", "times per game", "then wins"], rows),
        kinds(survey, game, fair),
    ]
    if unseen:
        parts.append(
            paragraph(
                Html("Never told in these games: " + "; ".join(f"“{words_of(game, key)}”" for key in unseen) + ".")
            )
        )
    return Section("rules", "Rules: how often does each matter?", parts)


def lines_known(game: Game) -> list[str]:
    """The lines for the whole table that the game has words for."""
    private = re.compile(r"\b[Yy]ou(r)?\b")
    return [
        key
        for key, message in game.words.messages.items()
        if key.startswith("log_") and not private.search(message if isinstance(message, str) else message["other"])
    ]


def kinds(survey: Survey, game: Game, fair: float) -> str:
    """The kinds of moves: how often each can be made, is made, and by whom."""
    story = survey.story
    rates = {kind: tally.win_rate for kind, tally in story.kinds.items() if len(tally.won) >= ENOUGH}
    rows = []
    for kind, moves in sorted(story.chosen.items()):
        labels = [words_of(game, key) for key, _ in story.labels[kind].most_common(2)]
        taken = ratio((float(move.made), float(move.possible)) for move in moves)
        made = story.kinds[kind].times if kind in story.kinds else 0
        rows.append(
            [
                Html(" / ".join(labels)) if labels else Html(f"kind {kind}, never made"),
                plain(sum(move.possible for move in moves) / story.games),
                plain(made / story.games),
                with_range(taken),
                rated(rates.get(kind), fair, len(rates)),
            ]
        )
    heads = ["kind of move", "possible per game", "made per game", "made when possible", "then wins"]
    return "<h3>Kinds of moves</h3>" + table("Kinds of moves", heads, rows)


def cards(survey: Survey, game: Game) -> Section:
    story, fair = survey.story, fair_share(survey.main.equals)
    faces = list(game.show.faces())
    parts = [
        paragraph(
            "Of all the times that a seat came to hold a card, how often did it go on to win? And of all the times "
            f"that a choice touched the card? {percent(fair)} is fair. ▲ and ▼: further from fair than chance "
            "explains, all cards of a table taken together."
        )
    ]
    members = Counter(alike(game).values())
    if len(members) < len(faces):
        of_a_kind = {face: kind_of(game, face) if members[face] > 1 else face_of(game, face) for face in members}
        parts.append("<h3>Cards that differ in their suit alone, taken together</h3>")
        parts.append(card_table("Kinds of cards", of_a_kind, story.held_alike, story.used_alike, story.games, fair))
        parts.append("<h3>Each card by itself</h3>")
    named = {face: face_of(game, face) for face in faces}
    plots = [
        extremes(rates, title, fair, named) if len(rates) >= 2 else ""
        for title, rates in (("held in hand", win_rates(story.held)), ("used for a choice", win_rates(story.used)))
    ]
    parts.append(f'<div class="trio">{"".join(plots)}</div>')
    every = card_table("Cards", named, story.held, story.used, story.games, fair)
    parts.append(folded("All cards as a table", every))
    return Section("cards", "Cards: which ones go with winning?", parts)


def card_table(
    name: str, named: Mapping[str, str], held: Mapping[str, Tally], used: Mapping[str, Tally], games: int, fair: float
) -> str:
    """How often cards were held and used, and how who did so fared; those that never were are left out."""
    when_held, when_used = win_rates(held), win_rates(used)
    rows = [
        [
            label,
            per_game(held.get(face), games),
            rated(when_held.get(face), fair, len(when_held)),
            per_game(used.get(face), games),
            rated(when_used.get(face), fair, len(when_used)),
        ]
        for face, label in named.items()
        if face in held or face in used
    ]
    return table(name, ["card", "held per game", "wins when held", "used per game", "wins when used"], rows)


def per_game(tally: Tally | None, games: int) -> str:
    return plain(tally.times / games) if tally else NOTHING


def extremes(rates: Mapping[str, Figure], title: str, fair: float, named: Mapping[str, str]) -> str:
    """The cards whose holders win most, and least."""
    ranked = sorted(rates, key=lambda face: -rates[face].value)
    shown = ranked if len(ranked) <= 2 * SHOWN else [*ranked[:SHOWN], *ranked[-SHOWN:]]
    bars = [Bar(named[face], rates[face]) for face in shown]
    best, worst = ranked[0], ranked[-1]
    says = (
        f"Win rates by card {title}: most {named[best]} with {percent(rates[best].value)}, "
        f"least {named[worst]} with {percent(rates[worst].value)}; fair is {percent(fair)}."
    )
    which = "All cards" if len(shown) == len(ranked) else f"The {SHOWN} best and the {SHOWN} worst cards"
    return figure(drawing.intervals(bars, fair, short_percent, says), f"{which} {title}: then wins. 95 % intervals.")
