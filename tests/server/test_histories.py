"""The auditor of histories.py finds every kind of fault that is planted in a log or in what people remember."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import msgspec
import pytest

from cardtown.games import games
from cardtown.server.course import STAND_IN
from cardtown.server.messages import encode as encode_message
from cardtown.server.ratings import Rating, rate
from cardtown.server.rows import Body, Chose, Resigned, Said, Started, TakenOver, encode
from cardtown.server.store import Row
from cardtown.server.table import Table
from cardtown.server.views import Seen, view
from tests.server.histories import NAMED, Asked, Auditor, Disagreement, Eyes, History, Kept, Picture, audit, delays
from tests.server.serving import Wire
from tests.server.test_table import opened


class Story:
    """A short match of two, as it lies on disk and as both remember it."""

    def __init__(self) -> None:
        first = opened(is_listed=True)
        self.table = Table("t", first, games())
        self.kept = Kept({"t": [Row(0, 0.0, encode(first))]}, {"playing": {"t": b""}})
        self.histories = {person: History(person, "t") for person in self.table.people}
        self.add(self.table.check_start())
        for _ in range(6):
            self.choose()
        self.ask("mia", {"do": "say", "text": "hello"}, Said("mia", "hello"))
        self.ask("noa", {"do": "say", "text": "cut off"}, Said("noa", "cut off"), is_answered=False)
        self.histories["noa"].come_back(self.table.length)
        self.histories["noa"].ask({"do": "resign"}, self.table.length)

    @property
    def log(self) -> list[Row]:
        return self.kept.logs["t"]

    def add(self, body: Body) -> None:
        self.log.append(Row(self.table.length, 0.0, encode(body)))
        self.table.apply(body)
        for history in self.histories.values():
            history.be_shown(self.table.length, self.picture(history.person))

    def picture(self, person: str) -> Picture:
        return Eyes().see(encode_message(view(self.table, person, NAMED, Seen())))

    def ask(self, person: str, request: Wire, body: Body, is_answered: bool = True) -> None:
        self.histories[person].ask(request, self.table.length)
        self.add(body)
        if is_answered:
            self.histories[person].be_answered({"is": "done", "number": self.table.length})

    def choose(self) -> None:
        table = self.table
        match = table.playing()
        seat, *_ = match.acting
        choice = match.legal(seat)[0]
        person = table.players[seat].person
        assert person is not None
        request = {"do": "choose", "decision": table.decision, "choice": choice}
        self.ask(person, request, table.check_choice(seat, table.decision, choice))

    def last_choice(self) -> Asked:
        """The last that was asked for by whoever chose last."""
        made = [asked for history in self.histories.values() for asked in history.asked]
        return max((asked for asked in made if asked.request["do"] == "choose"), key=lambda asked: asked.seen)

    def put(self, number: int, body: Body) -> None:
        """Plant a row; at the end, or in the place of another."""
        self.log[number : number + 1] = [Row(number, 0.0, encode(body))]


def test_a_true_story_agrees() -> None:
    story, auditor = Story(), Auditor()
    auditor.examine(story.kept, story.histories.values())
    auditor.examine(story.kept, story.histories.values())
    assert auditor.audited["t"].counted == {
        "requests acknowledged": 7,
        "requests cut off, on disk": 1,
        "requests cut off, not on disk": 1,
        "rows of logs": 10,
    }


def lose_what_was_acknowledged(story: Story) -> None:
    del story.log[-2:]


def forget_the_table(story: Story) -> None:
    del story.kept.logs["t"]


def lose_a_row_in_between(story: Story) -> None:
    del story.log[4]


def make_another_choice(story: Story) -> None:
    table = Table("t", opened(is_listed=True), games())
    table.apply(table.check_start())
    (seat,) = table.playing().acting
    story.put(2, Chose(seat, list(table.playing().moves(seat))[1]))


def double_what_was_acknowledged(story: Story) -> None:
    story.put(story.table.length, Said("mia", "hello"))


def double_what_was_cut_off(story: Story) -> None:
    story.histories["noa"].asked[-2].until = None
    story.put(story.table.length, Said("noa", "cut off"))


def invent_a_choice(story: Story) -> None:
    (seat,) = story.table.playing().acting
    story.put(story.table.length, Chose(seat, next(iter(story.table.playing().moves(seat)))))


def invent_an_acknowledgement(story: Story) -> None:
    story.histories["noa"].be_answered({"is": "done", "number": story.table.length})


def acknowledge_before_it_is_there(story: Story) -> None:
    story.last_choice().until = story.last_choice().seen


def do_what_was_refused(story: Story) -> None:
    story.last_choice().answer = "refused"


def choose_out_of_turn(story: Story) -> None:
    (seat,) = story.table.playing().acting
    story.put(story.table.length, Chose(1 - seat, next(iter(story.table.playing().moves(seat)))))


def act_for_somebody_else(story: Story) -> None:
    story.put(story.table.length, Said("kai", "hello"))


def start_again(story: Story) -> None:
    story.put(story.table.length, Started())


def show_another_card(story: Story) -> None:
    picture = story.histories["mia"].shown[5][0]
    board = picture["board"]
    picture["board"] = {**board, "zones": board["zones"][:-1]}


def show_less_than_before(story: Story) -> None:
    story.histories["mia"].be_shown(5, story.histories["mia"].shown[5][0])


def show_more_than_there_is(story: Story) -> None:
    story.histories["mia"].be_shown(story.table.length + 1, story.picture("mia"))


def show_what_was_said_in_another_order(story: Story) -> None:
    picture = story.histories["mia"].shown[10][0]
    picture["said"] = picture["said"][::-1]


def replace_somebody(story: Story) -> None:
    (seat,) = story.table.playing().acting
    story.put(story.table.length, story.table.check_take_over(seat, story.table.decision))


def answer_what_nobody_asked(story: Story) -> None:
    story.histories["mia"].be_answered({"is": "done", "number": 9})


def forget_that_it_is_being_played(story: Story) -> None:
    del story.kept.notes["playing"]["t"]


def rate_what_is_not_over(story: Story) -> None:
    story.kept.notes["rating"] = {"mia/hollywood": msgspec.json.encode(Rating())}


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (lose_what_was_acknowledged, "'hello'} was acknowledged before row 9 and is missing"),
        (forget_the_table, "what was on disk before has changed or is gone"),
        (lose_a_row_in_between, "not numbered one by one"),
        (make_another_choice, "nobody asked for it"),
        (double_what_was_acknowledged, "nobody asked for it"),
        (double_what_was_cut_off, "is doubled; it is in row 9 already"),
        (invent_a_choice, "nobody asked for it"),
        (invent_an_acknowledgement, "'resign'} was acknowledged before row 10 and is missing"),
        (acknowledge_before_it_is_there, "nobody asked for it"),
        (do_what_was_refused, "or it was refused"),
        (choose_out_of_turn, "nobody asked for it"),
        (act_for_somebody_else, "by kai, who was never there"),
        (start_again, "does not follow from what was before: the match has begun"),
        (show_another_card, "view 5 showed another board"),
        (show_less_than_before, "view 5 came after 10"),
        (show_more_than_there_is, "was shown 11 rows; there are 10"),
        (show_what_was_said_in_another_order, "view 10 showed another said"),
        (replace_somebody, "nobody asks for TakenOver"),
        (answer_what_nobody_asked, "was answered without having asked"),
        (forget_that_it_is_being_played, "are being played; noted are"),
        (rate_what_is_not_over, "lead to ratings {}; noted are {'mia/hollywood'"),
    ],
)
def test_a_planted_fault_is_found(plant: Callable[[Story], None], found: str) -> None:
    story = Story()
    plant(story)
    with pytest.raises(Disagreement) as disagreement:
        Auditor().examine(story.kept, story.histories.values())
    assert found in str(disagreement.value)


def test_delays_are_counted_from_who_saw_it_first_but_not_where_somebody_came() -> None:
    mia, noa = History("mia", "t"), History("noa", "t")
    mia.shown_at = {1: 0.0, 2: 10.0, 3: 20.0, 4: 30.0}
    noa.shown_at = {2: 15.0, 3: 19.5, 4: 30.25}
    assert list(delays([mia, noa])) == [0.5, 0.25]


def test_who_was_cut_off_may_ask_again_and_either_may_be_what_is_there() -> None:
    """The first one comes in late: after its sender was back and asked again."""
    story = Story()
    noa = story.histories["noa"]
    noa.come_back(story.table.length, is_certain=False)
    story.ask("noa", {"do": "resign"}, Resigned(1))
    story.add(story.table.check_finish())
    audited = audit("t", story.log, list(story.histories.values()))
    assert audited.counted["requests acknowledged"] == 8
    assert audited.counted["requests cut off, not on disk"] == 1


def test_where_clocks_may_run_out_somebody_may_be_replaced_whose_turn_it_is() -> None:
    story = Story()
    replace_somebody(story)
    histories = list(story.histories.values())
    audit("t", story.log, histories, may_replace=True)
    (seat,) = story.table.playing().acting
    story.put(story.table.length, TakenOver(1 - seat, STAND_IN))
    with pytest.raises(Disagreement, match="nobody is waited for any more"):
        audit("t", story.log, histories, may_replace=True)


def test_a_row_that_changes_afterwards_is_found() -> None:
    story, auditor = Story(), Auditor()
    auditor.examine(story.kept, story.histories.values())
    story.kept = Kept({"t": [*story.log[:-1], Row(9, 1.0, story.log[-1].body)]}, story.kept.notes)
    with pytest.raises(Disagreement, match="has changed or is gone"):
        auditor.examine(story.kept, story.histories.values())


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_match_that_is_not_rated_once_is_found(times: int) -> None:
    story = Story()
    story.add(Resigned(1))
    story.add(story.table.check_finish())
    story.kept.notes["playing"].clear()
    rated = [Rating(), Rating()]
    for _ in range(times):
        rated = rate(rated, [0, 1])
    names = ("mia/hollywood", "noa/hollywood") if times else ()
    story.kept.notes["rating"] = {name: msgspec.json.encode(rating) for name, rating in zip(names, rated, strict=False)}
    with nullcontext() if times == 1 else pytest.raises(Disagreement, match="lead to ratings"):
        Auditor().examine(story.kept, story.histories.values())
