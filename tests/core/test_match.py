"""A match refuses what is illegal without a trace, undoes, and its record proves itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardtown.core import record, transcript
from cardtown.core.chance import Secret, Seeded
from cardtown.core.game import Game
from cardtown.core.match import (
    IllegalChoice,
    Match,
    MatchError,
    MatchOver,
    NothingToUndo,
    NotYourTurn,
)
from cardtown.core.record import FalseRecord, RecordError
from cardtown.games import games
from cardtown.games.hollywood import GAME

SECRET = bytes(range(32))


def new_match(seed: int = 1) -> Match:
    return Match(GAME, 2, {}, Seeded(seed, 0))


def finished(secret: bytes = SECRET) -> Match:
    """A whole match by first choices, with an undo and a change of seats on the way."""
    match = Match(GAME, 2, {"carpet": 5}, Secret(secret))
    match.sit(0, "Ann")
    while match.outcome is None:
        seat = match.acting[0]
        match.choose(seat, match.legal(seat)[0])
        if len(match.log) == 9:
            match.undo(seat)
    return match


def everything(match: Match) -> tuple[Any, ...]:
    return (
        match.state.packed(),
        list(match.log),
        list(match.events),
        list(match.told),
        list(match.choices),
        match.outcome,
        match.table(0),
        match.table(1),
    )


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    match = new_match()
    seat = match.acting[0]
    before = everything(match)
    for choice in (-1, 63, 10**30, *(set(range(28)) - set(match.legal(seat)))):
        with pytest.raises(IllegalChoice, match="possible are"):
            match.choose(seat, choice)
    with pytest.raises(IllegalChoice, match="possible are play"):
        match.choose_move(seat, "play Z9")
    for other in (1 - seat, 2, -1):
        with pytest.raises(NotYourTurn, match="to act"):
            match.choose(other, match.legal(seat)[0])
    with pytest.raises(NothingToUndo):
        match.undo(seat)
    assert everything(match) == before


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_a_choice_with_its_number_is_the_same_as_without(game: Game) -> None:
    dice = Random(1)
    seats = max(game.seats)
    by_notation, by_number, by_wrong_number = (Match(game, seats, {}, Secret(SECRET)) for _ in range(3))
    while by_notation.outcome is None and len(by_notation.choices) < 400:
        seat = dice.choice(by_notation.acting)
        move, choice = dice.choice(list(by_notation.moves(seat).items()))
        by_notation.choose_move(seat, move)
        by_number.choose_move(seat, move, choice)
        by_wrong_number.choose_move(seat, move, dice.randrange(-1, 64))
        if len(by_notation.log) == 20:
            for match in (by_notation, by_number, by_wrong_number):
                match.undo(seat)
    assert everything(by_number) == everything(by_wrong_number) == everything(by_notation)


def test_a_number_does_not_make_a_choice_legal() -> None:
    match = new_match()
    seat = match.acting[0]
    before = everything(match)
    for choice in range(64):
        with pytest.raises(IllegalChoice, match="possible are play"):
            match.choose_move(seat, "play Z9", choice)
    illegal = next(choice for choice in range(28) if choice not in match.legal(seat))
    with pytest.raises(IllegalChoice):
        match.choose_move(seat, GAME.show.move(match.state, illegal), illegal)
    assert everything(match) == before


def test_nothing_can_be_chosen_when_it_is_over() -> None:
    match = finished()
    before = everything(match)
    with pytest.raises(MatchOver):
        match.choose(0, 0)
    with pytest.raises(MatchOver):
        match.choose_move(0, "play C1")
    with pytest.raises(MatchOver):
        match.resign(0)
    assert everything(match) == before


def test_undo_brings_back_the_state_before_the_seats_last_choice() -> None:
    match = new_match()
    seat = match.acting[0]
    before = match.state.packed(), match.table(0), match.table(1), list(match.events)
    match.choose(seat, match.legal(seat)[0])
    match.choose(1 - seat, match.legal(1 - seat)[0])
    assert match.revealed_since(0)
    match.undo(seat)
    assert (match.state.packed(), match.table(0), match.table(1), match.events) == before
    assert match.log[-1] == {"undo": seat}


def test_a_step_done_again_brings_the_same_chance() -> None:
    match = Match(GAME, 2, {}, Secret(SECRET))
    while not (match.state.acting and len(match.choices) == 28):
        seat = match.acting[0]
        match.choose(seat, match.legal(seat)[-1])
    after = match.state.packed()
    seat, choice = match.choices[-1]
    match.undo(seat)
    match.choose(seat, choice)
    assert match.state.packed() == after


def test_what_was_chosen_in_another_match_stays_and_what_follows_is_new() -> None:
    old = finished()
    match = Match(GAME, 2, {}, Secret(b"new", known=[(3, SECRET)]), begun=3)
    for seat, choice in old.choices[:3]:
        match.choose(seat, choice)
    before = match.state.packed()
    for seat in (0, 1):
        with pytest.raises(NothingToUndo):
            match.undo(seat)
    seat = match.acting[0]
    match.choose(seat, match.legal(seat)[0])
    match.undo(seat)
    assert match.state.packed() == before
    while match.outcome is None:
        seat = match.acting[0]
        match.choose(seat, match.legal(seat)[0])
    found = record.write(match, b"new", [(3, SECRET)])
    assert record.verify(found, games()).begun == 3
    with pytest.raises(FalseRecord, match="log row"):
        record.verify({**found, "known": []}, games())
    without_undo = [*found["log"][:3], *found["log"][5:]]
    with pytest.raises(FalseRecord, match="some are missing"):
        record.verify({**found, "log": without_undo, "known": [*found["known"], [10**6, found["secret"]]]}, games())


def test_who_resigns_loses_to_the_one_who_stays() -> None:
    match = new_match()
    match.resign(1)
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("resignation", (0,))
    assert match.acting == ()
    with pytest.raises(MatchOver):
        match.choose(0, 0)
    with pytest.raises(MatchOver):
        match.undo(0)
    with pytest.raises(ValueError, match="played to its end"):
        transcript.write(match)


def test_there_are_only_so_many_seats() -> None:
    match = new_match()
    with pytest.raises(MatchError, match="0–1"):
        match.sit(2, "Zoe")
    with pytest.raises(MatchError):
        match.resign(7)


def test_a_record_proves_itself() -> None:
    found = json.loads(json.dumps(record.write(finished(), SECRET)))
    again = record.verify(found, games())
    assert again.outcome == finished().outcome
    assert {"undo": found["log"][9]["undo"]} in found["log"]


def test_a_record_of_a_match_that_goes_on_is_not_written() -> None:
    with pytest.raises(MatchError, match="not before"):
        record.write(new_match(), SECRET)


def tampered(**changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(record.write(finished(), SECRET))), **changes}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"secret": bytes(32).hex()}, "not the one that was committed"),
        ({"secret": "zz"}, "hexadecimal"),
        ({"commitment": "0" * 64}, "not the one that was committed"),
        ({"outcome": {"reason": "rules", "winners": [0, 1], "scores": [1, 1]}}, "the outcome is"),
        ({"options": {"carpet": 7}}, "carpet can't be 7"),
        ({"options": {"speed": 1}}, "has no option"),
        ({"seats": 3}, "can't be played by 3"),
        ({"game": "chess"}, "unknown game"),
        ({"known": 5}, "are a list"),
        ({"known": [5]}, "pairs of a step and a secret"),
        ({"known": [[5, "zz"]]}, "hexadecimal"),
        ({"known": [[5, "ab" * 65]]}, "at most 64 bytes"),
        ({"log": []}, "ends before the match is over"),
        ({"log": [{"seat": 0, "move": "play Z1"}]}, "log row 1"),
        ({"log": [{"fold": 0}]}, "is no row of a log"),
    ],
)
def test_a_record_that_was_changed_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(FalseRecord, match=reason):
        record.verify(tampered(**changes), games())


def test_a_record_that_was_changed_with_its_secret_does_not_replay() -> None:
    other = b"another secret that deals other cards"
    with pytest.raises(FalseRecord, match="log row"):
        record.verify(tampered(secret=other.hex(), commitment=record.commitment(other)), games())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "cardtown-record/1"}', '{"format": "cardtown/1"}'])
def test_a_file_that_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(text)
    with pytest.raises(RecordError, match=r"match\.json: is not"):
        record.read(file)


def test_serving_and_playing_compile_nothing() -> None:
    code = (
        "import sys; from cardtown.bots import ask; from cardtown.bots.levels import make_bot; "
        "from cardtown.games import find; "
        "from cardtown.core.match import Match; from cardtown.core.chance import Secret; "
        "game = find('hollywood'); match = Match(game, 2, {}, Secret(b'x')); bot = make_bot('random', game, 1)\n"
        "while not match.outcome: seat = match.acting[0]; match.choose(seat, ask(bot, game, match.state, seat, 1))\n"
        "match.table(0); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
