"""A table as it follows from its log."""

from __future__ import annotations

from typing import Any

import pytest

from cardtown.games import games
from cardtown.server.refusal import Refused
from cardtown.server.rows import (
    NOBODY,
    AnsweredUndo,
    AskedUndo,
    Body,
    CameBack,
    Chose,
    Closed,
    Opened,
    Player,
    Resigned,
    Sat,
    Started,
    TakenOver,
    Undone,
    decode,
    encode,
)
from cardtown.server.table import Table

MIA, NOA, KAI = (Player(person=name) for name in ("mia", "noa", "kai"))
EASY = Player(bot="easy")


def opened(game: str = "hollywood", players: tuple[Player, ...] = (MIA, NOA), **more: Any) -> Opened:
    made = games()[game]
    options = made.complete({}, len(players))
    return Opened(game, made.rules_hash, len(players), options, players, "mia", "ab" * 32, **more)


class Log:
    """A table and the log it comes from."""

    def __init__(self, first: Opened) -> None:
        self.bodies: list[Body] = [first]
        self.table = Table("t", first, games())

    def add(self, body: Body) -> None:
        self.bodies.append(body)
        self.table.apply(body)

    def start(self) -> Log:
        self.add(self.table.check_start())
        return self

    def choose(self, seat: int, place: int = 0) -> None:
        table = self.table
        assert table.match is not None
        self.add(table.check_choice(seat, table.decision, table.match.legal(seat)[place]))

    def choose_on(self, n: int) -> None:
        for _ in range(n):
            assert self.table.match is not None
            self.choose(self.table.match.acting[0])

    def replayed(self) -> Table:
        """The same table from what would lie on disk."""
        first = decode(encode(self.bodies[0]))
        assert isinstance(first, Opened)
        table = Table("t", first, games())
        for body in self.bodies[1:]:
            table.apply(decode(encode(body)))
        return table


def acting(log: Log) -> int:
    assert log.table.match is not None
    return log.table.match.acting[0]


def why(found: pytest.ExceptionInfo[Refused]) -> str:
    assert str(found.value)
    return found.value.why


def assert_same(one: Table, other: Table) -> None:
    assert (one.length, one.players, one.standing_in, one.undos, one.undo_asked, one.agreed, one.is_closed) == (
        other.length,
        other.players,
        other.standing_in,
        other.undos,
        other.undo_asked,
        other.agreed,
        other.is_closed,
    )
    if one.match is None or other.match is None:
        assert one.match is other.match
    else:
        assert one.match.state.packed() == other.match.state.packed()
        assert [one.match.table(seat) for seat in range(one.match.seats)] == [
            other.match.table(seat) for seat in range(other.match.seats)
        ]


# Seats


def test_seats_are_taken_left_and_given_to_bots() -> None:
    log = Log(opened(players=(MIA, NOBODY)))
    log.add(log.table.check_sit("noa", 1))
    assert log.table.people == {"mia": 0, "noa": 1}
    log.add(log.table.check_leave("noa"))
    log.add(log.table.check_seat_bot("mia", 1, "hard:500ms"))
    assert log.table.bot_of(1) == "hard:500ms"
    log.add(log.table.check_seat_bot("mia", 1, None))
    assert log.table.players == [MIA, NOBODY]


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda table: table.check_sit("noa", 0), "seat-taken"),
        (lambda table: table.check_sit("noa", 2), "no-such-seat"),
        (lambda table: table.check_sit("noa", -1), "no-such-seat"),
        (lambda table: table.check_sit("mia", 1), "already-seated"),
        (lambda table: table.check_leave("noa"), "not-your-seat"),
        (lambda table: table.check_seat_bot("noa", 1, "easy"), "not-host"),
        (lambda table: table.check_seat_bot("mia", 0, "easy"), "seat-taken"),
        (lambda table: table.check_seat_bot("mia", 5, "easy"), "no-such-seat"),
        (lambda table: table.check_seat_bot("mia", 1, "clever"), "malformed"),
        (lambda table: table.check_start(), "not-full"),
        (lambda table: table.check_choice(0, "0.0", 1), "not-started"),
        (lambda table: table.check_undo(0), "not-started"),
        (lambda table: table.check_resign(0), "not-started"),
        (lambda table: table.check_close("noa"), "not-host"),
    ],
)
def test_what_can_t_be_done_before_the_match_is_refused(act: Any, reason: str) -> None:
    log = Log(opened(players=(MIA, NOBODY)))
    with pytest.raises(Refused) as found:
        act(log.table)
    assert why(found) == reason


def test_seats_stay_as_they_are_once_the_match_has_begun() -> None:
    log = Log(opened()).start()
    for act in (
        lambda: log.table.check_sit("kai", 0),
        lambda: log.table.check_leave("mia"),
        lambda: log.table.check_start(),
    ):
        with pytest.raises(Refused) as found:
            act()
        assert why(found) == "already-started"


# Choices


def test_a_choice_answers_a_decision_and_only_once() -> None:
    log = Log(opened()).start()
    seat = acting(log)
    decision = log.table.decision
    assert log.table.match is not None
    number = log.table.match.legal(seat)[0]
    with pytest.raises(Refused) as found:
        log.table.check_choice(1 - seat, decision, number)
    assert why(found) == "not-your-turn"
    with pytest.raises(Refused) as found:
        log.table.check_choice(seat, decision, 62)
    assert why(found) == "illegal"
    log.add(log.table.check_choice(seat, decision, number))
    with pytest.raises(Refused) as found:
        log.table.check_choice(seat, decision, number)
    assert why(found) == "stale"


def test_another_s_sealed_choice_does_not_make_a_choice_stale() -> None:
    log = Log(opened("gossip", (MIA, NOA, KAI))).start()
    assert log.table.match is not None
    one, other = log.table.match.acting
    decision = log.table.decision
    log.choose(other)
    assert log.table.decision == decision
    log.add(log.table.check_choice(one, decision, log.table.match.legal(one)[0]))
    assert log.table.decision != decision


def test_after_an_undo_the_decision_is_another() -> None:
    log = Log(opened(players=(MIA, EASY))).start()
    while acting(log) != 0:
        log.choose_on(1)
    before = log.table.decision
    log.choose(0)
    log.add(log.table.check_undo(0))
    assert log.table.decision != before
    assert acting(log) == 0


@pytest.mark.parametrize("game", list(games()))
def test_the_same_log_gives_the_same_table(game: str) -> None:
    seats = 3 if game not in ("hollywood", "hinode") else games()[game].seats[0]
    players = (MIA, NOA, KAI, EASY)[:seats]
    log = Log(opened(game, players)).start()
    log.choose_on(9)
    assert_same(log.table, log.replayed())


# Undo


def test_who_has_only_bots_beside_them_takes_back_freely() -> None:
    log = Log(opened(players=(MIA, EASY))).start()
    log.choose_on(5)
    assert log.table.check_undo(0) == Undone(0)


def test_what_others_have_seen_is_taken_back_only_with_their_consent() -> None:
    log = Log(opened()).start()
    log.choose_on(3)
    assert log.table.match is not None
    made = len(log.table.match.choices)
    assert log.table.check_undo(0) == AskedUndo(0)
    log.add(AskedUndo(0))
    with pytest.raises(Refused) as found:
        log.table.check_answer(0, True)
    assert why(found) == "nothing-asked"
    log.add(log.table.check_answer(1, False))
    assert log.table.undo_asked is None
    assert len(log.table.match.choices) == made
    log.add(AskedUndo(0))
    log.add(log.table.check_answer(1, True))
    assert len(log.table.match.choices) < made
    assert_same(log.table, log.replayed())


def test_a_choice_that_comes_first_ends_the_asking() -> None:
    log = Log(opened()).start()
    log.choose_on(3)
    log.add(AskedUndo(0))
    log.choose_on(1)
    with pytest.raises(Refused) as found:
        log.table.check_answer(1, True)
    assert why(found) == "nothing-asked"


@pytest.mark.parametrize("end", [Resigned(0), Resigned(1), Resigned(2), Closed()])
def test_when_somebody_gave_up_or_the_table_is_closed_nobody_is_asked_to_take_back_any_more(end: Body) -> None:
    log = Log(opened("crimson", (MIA, NOA, KAI))).start()
    log.choose_on(4)
    log.add(AskedUndo(0))
    log.add(end)
    for seat in (1, 2):
        with pytest.raises(Refused) as found:
            log.table.check_answer(seat, True)
        assert why(found) == "nothing-asked"


def test_what_is_noted_as_finished_is_not_taken_back() -> None:
    log = Log(opened(players=(MIA, NOA))).start()
    while log.table.stage == "playing":
        log.choose(acting(log))
    assert log.table.match is not None
    last = log.table.match.choices[-1][0]
    log.add(log.table.check_undo(last))
    log.add(log.table.check_finish())
    with pytest.raises(Refused) as found:
        log.table.check_answer(1 - last, True)
    assert why(found) == "nothing-asked"


def test_a_sealed_choice_is_taken_back_freely_while_nobody_else_has_chosen() -> None:
    log = Log(opened("gossip", (MIA, NOA, KAI))).start()
    assert log.table.match is not None
    one, other = log.table.match.acting
    log.choose(one)
    assert log.table.check_undo(one) == Undone(one)
    log.choose(other)
    assert log.table.check_undo(one) == AskedUndo(one)


def test_with_nothing_chosen_nothing_is_taken_back() -> None:
    log = Log(opened()).start()
    with pytest.raises(Refused) as found:
        log.table.check_undo(1 - acting(log))
    assert why(found) == "nothing-to-undo"


# Leaving


def test_who_is_away_is_played_for_and_may_come_back() -> None:
    log = Log(opened()).start()
    with pytest.raises(Refused) as found:
        log.table.check_come_back(1)
    assert why(found) == "not-away"
    log.add(TakenOver(1, "hard"))
    assert log.table.bot_of(1) == "hard"
    log.add(log.table.check_come_back(1))
    assert log.table.bot_of(1) is None


def test_of_two_who_gives_up_ends_the_match() -> None:
    log = Log(opened()).start()
    log.add(log.table.check_resign(0))
    assert log.table.is_over
    for act in (
        lambda: log.table.check_choice(1, log.table.decision, 0),
        lambda: log.table.check_resign(1),
        lambda: log.table.check_undo(1),
        lambda: log.table.check_close("mia"),
    ):
        with pytest.raises(Refused) as found:
            act()
        assert why(found) == "over"


def test_of_three_who_gives_up_is_played_for_and_can_t_come_back() -> None:
    log = Log(opened("gossip", (MIA, NOA, KAI))).start()
    log.add(log.table.check_resign(0))
    assert not log.table.is_over
    assert log.table.bot_of(0) == "medium"
    with pytest.raises(Refused) as found:
        log.table.check_come_back(0)
    assert why(found) == "not-away"
    with pytest.raises(Refused) as found:
        log.table.check_resign(0)
    assert why(found) == "over"


def test_the_host_closes_a_table() -> None:
    log = Log(opened(players=(MIA, NOBODY)))
    log.add(log.table.check_close("mia"))
    assert log.table.is_over
    with pytest.raises(Refused) as found:
        log.table.check_sit("noa", 1)
    assert why(found) == "over"


@pytest.mark.parametrize(
    "body",
    [
        opened(),
        Sat(1, EASY),
        Started(),
        Chose(0, "play C1", 4),
        AskedUndo(1),
        AnsweredUndo(0, True),
        Undone(1),
        Resigned(0),
        TakenOver(1, "hard"),
        CameBack(1),
        Closed(),
    ],
)
def test_every_row_can_be_written_and_read(body: Body) -> None:
    assert decode(encode(body)) == body
