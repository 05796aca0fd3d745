"""Chance is fair, repeatable where it should be, and can't be predicted where it must not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import permutations

import pytest

from cardtown.core.cards import bit, count, count_bits, lowest, members, next_clockwise, nth
from cardtown.core.chance import (
    ChanceError,
    Script,
    Secret,
    Seeded,
    Source,
    any_of,
    below,
    pick,
    pick_counted,
    rand32,
    seed_stream,
    shuffle,
)
from cardtown.core.state import State
from cardtown.core.story import Drawn
from tests.exactness import assert_equally_often


def test_masks_count_and_find_their_cards() -> None:
    cards = bit(3) | bit(17) | bit(62)
    assert members(cards) == [3, 17, 62]
    assert [nth(cards, n) for n in range(3)] == [3, 17, 62]
    assert (count(cards), lowest(cards)) == (3, 3)
    for mask in (0, 1, cards, (1 << 63) - 1, 0x5555555555555555):
        assert count_bits(mask) & 0xFF == count(mask)
    assert [next_clockwise(0b1010, start) for start in range(4)] == [1, 1, 3, 3]
    assert next_clockwise(0b0010, 3) == 1


def test_streams_of_different_seeds_and_numbers_differ() -> None:
    firsts = set()
    for seed in (0, 1, 2**40):
        for number in range(50):
            r = [0, 0, 0, 0]
            seed_stream(r, seed, number)
            firsts.add(tuple(rand32(r) for _ in range(3)))
    assert len(firsts) == 150


def test_numbers_below_a_bound_come_equally_often() -> None:
    r = [0, 0, 0, 0]
    seed_stream(r, 5, 5)
    found: Counter[Hashable] = Counter(below(r, 7) for _ in range(70_000))
    assert_equally_often(found, set(range(7)))
    found = Counter(any_of(r, 0b1011000) for _ in range(30_000))
    assert_equally_often(found, {3, 4, 6})


SOURCES = [pytest.param(Seeded(3, 4), id="seeded"), pytest.param(Secret(b"secret"), id="secret")]


@pytest.mark.parametrize("source", SOURCES)
def test_every_order_and_every_pick_is_equally_likely(source: Source) -> None:
    s = State()
    s.chance = source
    source.begin(s, 0)
    orders: Counter[Hashable] = Counter()
    picks: Counter[Hashable] = Counter()
    values: Counter[Hashable] = Counter()
    for _ in range(12_000):
        cards = [0, 1, 2, 3]
        shuffle(s, 0, cards, 4)
        orders[tuple(cards)] += 1
        picks[pick(s, 0, 0b1101)] += 1
        values[pick_counted(s, 0, [0, 3, 0, 1], 4)] += 1
    assert_equally_often(orders, set(permutations(range(4))))
    assert_equally_often(picks, {0, 2, 3})
    assert set(values) == {1, 3}
    assert 2.8 < values[1] / values[3] < 3.2


def test_a_secret_gives_the_same_chance_to_the_same_step_and_another_to_others() -> None:
    def order(secret: bytes, step: int) -> list[int]:
        s = State()
        s.chance = Secret(secret)
        s.chance.begin(s, step)
        cards = list(range(30))
        shuffle(s, 0, cards, 30)
        return cards

    assert order(b"one", 3) == order(b"one", 3)
    assert order(b"one", 3) != order(b"one", 4)
    assert order(b"one", 3) != order(b"two", 3)


def test_chance_is_told_to_the_journal_and_to_nobody_else() -> None:
    s = State()
    s.journal = []
    cards = [5, 6, 7]
    shuffle(s, 2, cards, 3)
    value = pick(s, 1, 0b11)
    assert s.journal == [Drawn(2, tuple(cards), None), Drawn(1, None, value)]


def test_a_script_must_be_possible() -> None:
    s = State()
    s.chance = Script(lambda kind, whole: (2, 1) if whole else (1,))
    cards = [1, 2]
    shuffle(s, 0, cards, 2)
    assert cards == [2, 1]
    assert pick(s, 0, 0b10) == 1
    assert pick_counted(s, 0, [0, 1], 2) == 1
    with pytest.raises(ChanceError):
        shuffle(s, 0, [1, 3], 2)
    with pytest.raises(ChanceError):
        pick(s, 0, 0b101)
    with pytest.raises(ChanceError):
        pick_counted(s, 0, [1, 0], 2)
