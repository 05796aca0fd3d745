"""Games in which chance is a player: nothing is drawn unseen, and what a seat knows is all that it is told."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest

from cardtown.core.game import Game, GameError
from cardtown.lab.unfolding import CHANCE, OVER, Decided, Draw, Position, Undecided, knowledge, setting


def begun(game: Game, seats: int | None = None) -> Position:
    return setting(game.id, "", seats or max(game.seats), ()).beginning


def onwards(position: Position, rng: np.random.Generator) -> Position:
    if position.draw:
        return position.after(int(rng.choice(position.draw.left)))
    return position.after(int(rng.choice(position.legal())))


def dealt(game: Game, rng: np.random.Generator, decisions: int = 0) -> Position:
    """After the set-up and some random decisions."""
    position = begun(game)
    while position.who == CHANCE or (decisions and position.who != OVER):
        decisions -= position.who != CHANCE
        position = onwards(position, rng)
    return position


def test_cards_are_drawn_one_by_one_as_often_as_there_are_of_them() -> None:
    draw = Draw(kind=0, left=(3, 3, 5, 8), taken=(), n=4)
    assert draw.outcomes() == [(3, 0.5), (5, 0.25), (8, 0.25)]
    draw = draw.with_card(3).with_card(8)
    assert (draw.left, draw.taken, draw.is_decided) == ((3, 5), (3, 8), False)
    assert draw.with_card(5).is_decided
    assert draw.with_card(5).order == (3, 8, 5, 3)


def test_what_is_left_alike_is_not_drawn() -> None:
    assert Draw(0, (2, 2, 2), (7,), 4).is_decided
    assert Draw(0, (2, 2, 2), (7,), 4).order == (7, 2, 2, 2)


def test_a_pick_is_one_card() -> None:
    with pytest.raises(Undecided) as asked:
        Decided([]).pick_counted(None, 1, [2, 0, 1], 3)  # type: ignore[arg-type]
    assert asked.value.draw == Draw(1, (0, 0, 2), (), 1)
    assert Decided([(2,)]).pick(None, 1, 0b110) == 2  # type: ignore[arg-type]


def test_all_deals_are_equally_likely() -> None:
    """Hollywood's suits: four cards in any order, before the deck."""
    from cardtown.games import find

    position = begun(find("hollywood"))
    paths = [(position, 1.0)]
    for _ in range(3):
        paths = [
            (at.after(card), odds * p) for at, odds in paths for card, p in (at.draw.outcomes() if at.draw else [])
        ]
    assert len(paths) == 24
    assert {round(odds, 12) for _, odds in paths} == {round(1 / 24, 12)}
    assert len({at.step.decided for at, _ in paths if at.step}) == 24


def test_whole_games_end_and_the_win_is_shared(game: Game) -> None:
    rng = np.random.default_rng(1)
    position = dealt(game, rng, decisions=10_000)
    assert position.who == OVER
    assert sum(position.returns()) == pytest.approx(0)
    assert position.returns() == [
        share - position.setting.fair
        for share in np.array([position.state.winners >> seat & 1 for seat in range(position.setting.choosing)])
        / position.state.winners.bit_count()
    ]


def test_a_position_never_changes(game: Game) -> None:
    rng = np.random.default_rng(2)
    position = dealt(game, rng, decisions=5)
    before = pickle.dumps(position)
    for choice in position.legal():
        position.after(choice)
    assert pickle.dumps(position) == before


def test_a_position_that_was_written_down_is_the_same(game: Game) -> None:
    rng = np.random.default_rng(3)
    position = begun(game)
    for number in range(150):
        if position.who == OVER:
            break
        if number % 10 == 0:
            again = pickle.loads(pickle.dumps(position))
            assert again.state.packed() == position.state.packed()
            assert (again.who, again.draw, again.step) == (position.who, position.draw, position.step)
            assert [again.known_to(seat) for seat in range(2)] == [position.known_to(seat) for seat in range(2)]
        position = onwards(position, rng)


def test_a_guess_is_like_the_truth_to_who_guesses(game: Game) -> None:
    rng = np.random.default_rng(4)
    position = dealt(game, rng)
    seats = position.setting.choosing
    for number in range(60):
        if position.who == OVER:
            break
        if position.who != CHANCE:
            seat = number % seats
            guess = position.guessed_by(seat, number)
            assert guess.known_to(seat) == position.known_to(seat)
            assert guess.who == position.who
            again = guess.guessed_by(seat, number + 1)
            assert again.known_to(seat) == position.known_to(seat)
        position = onwards(position, rng)


def test_a_guess_keeps_nothing_of_what_others_were_told(game: Game) -> None:
    """Guesses that give another seat the same cards leave it with the same knowledge, whatever the truth was."""
    rng = np.random.default_rng(5)
    position = dealt(game, rng, decisions=8)
    if position.who in (OVER, CHANCE) or position.setting.choosing < 2:
        pytest.skip("nobody else to be guessed")
    seat = position.who
    other = (seat + 1) % position.setting.choosing
    guess = position.guessed_by(seat, 1)
    from_a_guess = position.guessed_by(seat, 2).guessed_by(seat, 1)
    assert guess.known_to(other) == from_a_guess.known_to(other)
    assert guess.known_to(other) == knowledge(game, guess.state, other)


def test_what_a_seat_is_told_is_all_that_it_knows(game: Game) -> None:
    """Where two games told a seat the same until it chooses, it knows the same."""
    known: dict[tuple[int, str], str] = {}
    met: Counter[tuple[int, str]] = Counter()
    for seed in range(30):
        rng = np.random.default_rng(6)
        position = dealt(game, rng)
        other = np.random.default_rng(seed)
        for seat in range(position.setting.choosing):
            at = position.guessed_by(seat, seed)
            for _ in range(12):
                if at.who in (OVER, CHANCE):
                    break
                choices = at.legal()
                at = at.after(choices[0] if at.who == seat else int(other.choice(choices)))
                key = seat, at.known_to(seat)
                met[key] += 1
                if at.who == seat:
                    knows = knowledge(game, at.state, seat)
                    assert known.setdefault(key, knows) == knows
    assert max(met.values()) > 1


def test_bad_settings_are_refused() -> None:
    with pytest.raises(GameError, match="has no option 'size'"):
        setting("hollywood", "", 2, ("size=3",))
