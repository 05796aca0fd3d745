"""Transcripts: what is true replays, and whatever is changed in them is found."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardtown.bots.levels import BLIND
from cardtown.core import laws, transcript
from cardtown.core.game import Game
from cardtown.core.transcript import FalseTranscript, Transcript, TranscriptError
from cardtown.games import games
from cardtown.lab.simulate import narrate
from tests.conftest import Tally

GAMES = [pytest.param(game, id=game.id) for game in games().values()]
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -"


def written(game: Game, each: int) -> list[Transcript]:
    """Transcripts of games with every number of seats, option and bot, as they are read back from a file."""
    return [
        json.loads(transcript.line_of(transcript.write(match)))
        for seats, options in laws.combinations(game)
        for bot in BLIND
        for match in [narrate(game, seats, options, [bot] * seats, 5, number, laws.LIMIT) for number in range(each)]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_transcripts_of_all_combinations_verify(game: Game, soak: int, tally: Tally) -> None:
    found = written(game, soak)
    for each in found:
        transcript.replay(each, games())
    tally(f"{game.id}, transcripts verified", len(found))


def strings(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the texts and numbers lie in a JSON value."""
    if isinstance(value, dict):
        return [found for key in value for found in strings(value[key], (*path, key))]
    if isinstance(value, list):
        return [found for i, item in enumerate(value) for found in strings(item, (*path, i))]
    return [path]


def with_one_character_changed(found: Transcript, chance: random.Random) -> tuple[Transcript, int]:
    """The transcript with one character of an event or of the result changed, and the number of that event."""
    changed = copy.deepcopy(found)
    del changed["result"]["detail"]
    places = strings(changed["events"], ("events",)) + strings(changed["result"], ("result",))
    while True:
        path = chance.choice(places)
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        old = str(holder[path[-1]])
        at = chance.randrange(len(old))
        new = old[:at] + chance.choice(CHARACTERS) + old[at + 1 :]
        if isinstance(holder[path[-1]], int):
            try:
                if int(new) == holder[path[-1]] or str(int(new)) != new:
                    continue
            except ValueError:
                continue
        if new != old:
            holder[path[-1]] = int(new) if isinstance(holder[path[-1]], int) else new
            return changed, path[1] + 1 if path[0] == "events" else len(changed["events"])


@pytest.mark.parametrize("game", GAMES)
def test_one_changed_character_is_refused_with_the_number_of_the_event(game: Game, soak: int, tally: Tally) -> None:
    chance = random.Random(game.id)
    samples = written(game, 1)
    for _ in range(60 * soak):
        changed, event = with_one_character_changed(chance.choice(samples), chance)
        with pytest.raises(FalseTranscript) as caught:
            transcript.replay(changed, games())
        # A value picked by chance may be possible as such: then what follows gives it away.
        assert caught.value.event >= event
        assert f"event {caught.value.event}: " in str(caught.value)
    tally(f"{game.id}, changed transcripts refused", 60 * soak)


def sample() -> Transcript:
    file = Path(__file__).parent.parent / "samples" / "hollywood.jsonl"
    return json.loads(file.read_text().splitlines()[0])  # type: ignore[no-any-return]


def refused(change: Callable[[Transcript], object], reason: str) -> None:
    found = sample()
    change(found)
    with pytest.raises(FalseTranscript, match=reason):
        transcript.replay(found, games())


def test_what_stands_outside_the_events_is_checked() -> None:
    refused(lambda t: t.pop("format"), "'format' is missing")
    refused(lambda t: t.update(format="cardtown/2"), "not 'cardtown/1'")
    refused(lambda t: t.update(game="chess"), "unknown game 'chess'; known are")
    refused(lambda t: t.update(seats=3), "can't be played by 3")
    refused(lambda t: t.update(seats=True), "'seats' must be")
    refused(lambda t: t.update(options={"carpet": 9}), "possible are 3–6")
    refused(lambda t: t.update(options={"carpet": True}), "carpet can't be True")
    refused(lambda t: t.update(options={}), "missing: carpet")
    refused(lambda t: t.update(extra=1), "unknown key 'extra'")
    refused(lambda t: t.pop("result"), "'result' is missing")
    refused(lambda t: t["result"].update(scores=[True, False]), "scores are")
    refused(lambda t: t["result"].update(scores=[-3.0, 3.0]), "scores are")
    refused(lambda t: t["result"].update(more=1), "exactly the keys")
    refused(lambda t: t.update(components={"cards": {}}), "components: cards.source: this key is missing")


def test_events_have_exactly_their_keys_and_their_order() -> None:
    events = len(sample()["events"])
    refused(lambda t: t["events"].pop(), f"event {events}: the transcript ends")
    refused(lambda t: t["events"].append(t["events"][-1]), f"event {events + 1}: the game is over")
    refused(lambda t: t["events"].pop(0), "event 1: the chance 'suits' with its order must stand here")
    refused(lambda t: t["events"][0].update(seat=0), "event 1: the chance 'suits'")
    refused(lambda t: t["events"][3].update(chance="deck"), "event 4: an event has exactly the keys")
    refused(lambda t: t["events"].insert(3, 5), "event 4: an event is an object")
    refused(lambda t: t["events"][1].update(order="C1"), "event 2: an order is a list")
    refused(lambda t: t["events"][1]["order"].pop(), "event 2: the order is not one of exactly")
    refused(lambda t: t["events"][1]["order"].append(["C1"]), "event 2: 'deck' can't bring")
    refused(lambda t: t["events"][2].update(value=True), "event 3: 'leader' can't bring True")
    refused(lambda t: t["events"][2].update(value=2), "event 3: 'leader' can't bring 2")
    refused(lambda t: t["events"][3].update(seat=1.0), "event 4: seat 1 must choose here, not 1.0")
    refused(lambda t: t["events"][3]["legal"].reverse(), "event 4: the legal moves are")
    refused(lambda t: t["events"][3].update(move=["x"]), "event 4: .* is not among the legal moves")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no transcript"),
        ("\n\n", "holds no transcript"),
        ("nonsense\n", "line 1: not a JSON object"),
        ("[1]\n", "line 1: not a JSON object but list"),
        ('{"game": 1, "game": 2}\n', "a key stands twice"),
    ],
)
def test_a_file_that_holds_no_transcripts_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    with pytest.raises(TranscriptError, match=reason):
        list(transcript.read(file))


def test_a_file_that_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="No such file"):
        list(transcript.read(tmp_path / "none.jsonl"))
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(TranscriptError, match="UTF-8"):
        list(transcript.read(file))
