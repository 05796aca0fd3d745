"""The laws, on every game found, with every number of seats and every option."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardtown.cli.pages import observations_page, page
from cardtown.core import laws, observing_laws, transcript
from cardtown.core.chance import Secret
from cardtown.core.game import Game, Options
from cardtown.core.match import Match
from cardtown.core.play import Player
from cardtown.core.table import text
from cardtown.core.words import CLAUSES, languages
from cardtown.games import games
from tests.conftest import Tally

HERE = Path(__file__).parent
TABLES = [
    pytest.param(game, seats, options, player, id=f"{game.id}-{seats}-{options}-{player.name.lower()}")
    for game in games().values()
    for seats, options in laws.combinations(game)
    for player in Player
]
TOLD = [
    pytest.param(game, language, id=f"{game.id}-{language}")
    for game in games().values()
    for language in languages(game.folder)
]
GAMES = [pytest.param(game, id=game.id) for game in games().values()]
KEPT_TWICE = {
    "crimson": ("rows", "placed"),  # how many cards of a row count
    "gossip": ("face_up", "initial", "chips"),  # the Vunshun, and what is left over, follow from the rest
    "hinode": ("marked", "taken"),  # follow from who has which place
}


@pytest.mark.parametrize(("game", "seats", "options", "player"), TABLES)
def test_the_laws_hold_and_transcripts_replay(
    game: Game, seats: int, options: Options, player: Player, soak: int, tally: Tally
) -> None:
    games = 2 * soak if soak > 1 else 1
    for number in range(games):
        match = laws.check_game(game, seats, options, player, seed=7, number=number)
        laws.check_transcript(match)
    tally(f"{game.id}, games of {player.name.lower()}", games)


@pytest.mark.parametrize(("game", "seats", "options", "player"), TABLES)
def test_plain_python_and_compiled_code_go_through_the_same_states(
    game: Game, seats: int, options: Options, player: Player, soak: int, tally: Tally
) -> None:
    laws.check_twins(game, seats, options, player, seed=3, first=0, n=10 * soak)
    tally(f"{game.id}, games of {player.name.lower()}", 10 * soak)


@pytest.mark.parametrize("game", GAMES)
def test_observations_tell_a_seat_all_that_it_knows_and_nothing_else(game: Game, soak: int, tally: Tally) -> None:
    for number in range(soak):
        alike = observing_laws.check_observations(game, seed=5, number=number)
        changed = observing_laws.check_observed_fields(game, 5, number, KEPT_TWICE.get(game.id, ()))
        assert min(alike, changed) > 50
        tally(f"{game.id}, positions that looked alike", alike)
        tally(f"{game.id}, changes that were seen", changed)


@pytest.mark.parametrize(("game", "seats", "options", "player"), TABLES)
def test_plain_python_and_compiled_code_observe_the_same(
    game: Game, seats: int, options: Options, player: Player, soak: int, tally: Tally
) -> None:
    observing_laws.check_observing_twins(game, seats, options, player, seed=3, first=0, n=2 * soak)
    tally(f"{game.id}, games of {player.name.lower()}", 2 * soak)


@pytest.mark.parametrize("game", GAMES if "CARDTOWN_SOAK" in os.environ else GAMES[-1:])
def test_games_reach_every_line_and_branch_of_the_rules(game: Game, tmp_path: Path, soak: int) -> None:
    """Counting lines makes games slow: a quick run does it for one game."""
    settings = [f"--data-file={tmp_path / 'reached'}", f"--rcfile={HERE / 'games' / 'coverage.ini'}"]
    coverage = [sys.executable, "-m", "coverage"]
    played = subprocess.run(
        [*coverage, "run", *settings, "-m", "tests.reach", game.id, str(40 * soak)], cwd=HERE.parent, check=False
    )
    assert played.returncode == 0
    only = f"--include=*/games/{game.id}/*"
    report = [*coverage, "report", *settings, only]
    done = subprocess.run(report, cwd=HERE.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test_that_names_it(game: Game) -> None:
    tests = (HERE / "games" / f"test_{game.id}.py").read_text(encoding="utf-8")
    named = {
        clause for marks in re.findall(r"mark\.rule\(([^)]*)\)", tests) for clause in re.findall(r'"([^"]+)"', marks)
    }
    assert named == set(game.clause_ids())


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_the_help_tells_every_clause(game: Game, language: str) -> None:
    words = game.words_in(language)
    assert sorted(words.clauses()) == game.clause_ids()
    for clause in game.clause_ids():
        assert words.clause(clause)


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_language_tells_the_same(game: Game, language: str) -> None:
    """Japanese says everything that English says, of the same things, in the same paragraphs."""
    words = game.words_in(language)
    assert words.messages.keys() == game.words.messages.keys()
    for key in words.messages:
        assert words.arguments(key) == game.words.arguments(key), key
    told = [[CLAUSES.findall(paragraph) for paragraph in each.help.split("\n\n")] for each in (words, game.words)]
    assert told[0] == told[1]


@pytest.mark.parametrize("game", GAMES)
def test_the_town_speaks_of_the_game_and_its_options(game: Game) -> None:
    messages = game.words.messages
    assert messages["title"] == game.title
    assert messages["pitch"]
    for option in game.options:
        assert f"option_{option.name}" in messages
        for value in option.values:
            assert isinstance(value, int) or f"option_{option.name}_{value}" in messages


@pytest.mark.parametrize("game", GAMES)
def test_the_guide_speaks_of_what_there_is(game: Game) -> None:
    """Whatever is asked has its clause, and a tour points only at what is on the table of a new match."""
    asked = {key for key in game.words.messages if key.startswith(("prompt_", "wait_"))}
    assert game.guide["clause"].keys() == asked
    assert set(game.guide["clause"].values()) <= set(game.clause_ids())
    tour = game.guide["tour"]
    assert 5 <= len(tour) <= 8
    assert [step["text"] for step in tour] == [key for key in game.words.messages if key.startswith("tour_")]
    assert {step["prompt"] for step in tour if "prompt" in step} <= asked
    table = Match(game, max(game.seats), {}, Secret(bytes(32))).table(0)
    zones = {re.sub(r"\d.*", "", zone.id) for zone in table.zones}
    assert {step["at"] for step in tour} <= zones | {"hand", "prompt", "seats"}


@pytest.mark.parametrize("game", GAMES)
def test_the_page_in_the_docs_is_fresh(game: Game) -> None:
    file = HERE.parent / "docs" / "games" / f"{game.id}.md"
    assert file.read_text(encoding="utf-8") == page(game), "stale: run `make docs`"
    assert set(re.findall(r"^- ([A-Z]{3}-\d\d): ", page(game), re.MULTILINE)) <= set(game.clause_ids())


def test_the_page_of_observations_is_fresh() -> None:
    file = HERE.parent / "docs" / "lab" / "observations.md"
    assert file.read_text(encoding="utf-8") == observations_page(games().values()), "stale: run `make docs`"


@pytest.mark.parametrize("game", GAMES)
def test_the_sample_games_replay_without_a_difference(game: Game) -> None:
    for _, sample in transcript.read(HERE / "samples" / f"{game.id}.jsonl"):
        transcript.replay(sample, games())


@pytest.mark.parametrize("game", GAMES)
def test_what_a_row_of_the_score_sheet_names_lies_on_the_table(game: Game) -> None:
    """Whoever watches; and at the end there is something to be shown."""
    named = 0

    def look(match: Match) -> None:
        nonlocal named
        for watcher in (None, *range(match.seats)):
            table = match.table(watcher)
            lying = {zone.id for zone in table.zones}
            lying |= {each.id for zone in table.zones for each in (*zone.things, *zone.cells)}
            for row in table.sheet.rows:
                assert lying.issuperset(row.things), row
                named += len(row.things)

    for _, sample in [*transcript.read(HERE / "samples" / f"{game.id}.jsonl")][::5]:
        match = transcript.replay(sample, games(), look)
        assert any(row.things for row in match.table(None).sheet.rows)
    assert named > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_state_is_small(game: Game) -> None:
    assert game.rules.State.dtype.itemsize <= 512


@pytest.mark.parametrize("game", GAMES)
def test_every_suit_and_token_on_the_table_has_a_look(game: Game) -> None:
    for face in game.show.faces().values():
        assert face.suit is None or face.suit in game.look["suit"]
    assert {"felt", "paper", "ink", "accents", "display", "back"} <= game.look["theme"].keys()
    for language in languages(game.folder):
        assert {f"token_{look}" for look in game.look.get("token", {})} <= game.words_in(language).messages.keys()


@pytest.mark.parametrize(("game", "seats", "options", "player"), TABLES)
def test_every_text_has_its_words(game: Game, seats: int, options: Options, player: Player) -> None:
    """Everything that a game can say, said: at every decision for every watcher, and at the end."""
    names = [f"seat {place}" for place in range(6)]
    told = [game.words_in(language) for language in languages(game.folder)]

    def look(match: Any) -> None:
        for watcher in (None, *range(seats)):
            table = match.table(watcher)
            texts = [table.prompt, table.progress, *(choice.label for choice in table.choices)]
            texts += [zone.title for zone in table.zones]
            texts += [cell.title for zone in table.zones for cell in zone.cells]
            texts += [button.label for button in table.buttons]
            texts += [row.title for row in table.sheet.rows] + [row.why for row in table.sheet.rows if row.why]
            texts += [table.ending.reason] if table.ending else []
            texts += [line.text for line in match.lines(watcher)[-5:]]
            if watcher is not None:
                things = [thing.id for zone in table.zones for thing in zone.things]
                refused = [game.show.why_not(match.state, watcher, thing) for thing in things]
                texts += [why.text for why in refused if why]
                assert {why.clause for why in refused if why} <= set(game.clause_ids())
            for said in texts:
                assert all(words.say(said, names) for words in told)

    match = laws.check_game(game, seats, options, player, seed=1, number=0)
    transcript.replay(transcript.write(match), games(), look)
    for face in game.show.faces().values():
        assert all(words.say(face.title, names) for words in told)
    if match.state.places > game.choosing(seats, match.options):  # somebody plays by itself, under a name of the game's
        assert all("2" in words.say(text("seat_itself", n=2), names) for words in told)
