"""Bags of cards, against the same things done with a Counter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from cardtown.core.bags import any_in, lay_out, many, one, one_fewer_of_each, size, values, values_twice
from cardtown.core.cards import members
from cardtown.core.chance import seed_stream
from tests.exactness import assert_equally_often

counters = st.dictionaries(st.integers(0, 14), st.integers(1, 15)).map(Counter)


def bag_of(cards: Counter[int]) -> int:
    return sum(n * one(value) for value, n in cards.items())


@given(counters)
def test_a_bag_tells_how_many_cards_of_which_values_it_holds(cards: Counter[int]) -> None:
    bag = bag_of(cards)
    assert {value: many(bag, value) for value in range(15)} == {value: cards[value] for value in range(15)}
    assert members(values(bag)) == sorted(cards)
    assert members(values_twice(bag)) == sorted(value for value, n in cards.items() if n > 1)
    assert size(bag) == cards.total()


@given(counters)
def test_one_of_each_value_can_be_taken_away(cards: Counter[int]) -> None:
    assert one_fewer_of_each(bag_of(cards)) == bag_of(cards - Counter(cards.keys()))


@given(counters)
def test_the_cards_are_laid_out_in_order(cards: Counter[int]) -> None:
    laid = [99] * 256
    n = lay_out(bag_of(cards), laid)
    assert laid[:n] == sorted(cards.elements())
    assert laid[n:] == [99] * (256 - n)


def test_every_card_of_a_bag_comes_equally_often() -> None:
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, 2)
    found: Counter[Hashable] = Counter()
    met: Counter[int] = Counter()
    for _ in range(6000):
        value = any_in(stream, bag_of(Counter({0: 1, 3: 2, 14: 3})))
        met[value] += 1
        found[value, met[value] % {0: 1, 3: 2, 14: 3}[value]] += 1  # equal cards take turns
    assert_equally_often(found, {(0, 0), (3, 0), (3, 1), (14, 0), (14, 1), (14, 2)})
