"""The record and its plain-Python twin come from one declaration."""

from __future__ import annotations

import numpy as np
import pytest

from cardtown.core import state
from cardtown.core.state import grid, mask, masks, number, numbers


class Small(state.State):
    hand = masks(2)
    all_cards = mask()
    pawn = number()
    deck = numbers(3, 16)
    known = grid(2, 3)


def filled() -> Small:
    s = Small()
    s.hand[1] = 1 << 62
    s.all_cards = 5
    s.pawn = -7
    s.deck[2] = -300
    s.known[1, 2] = 9
    s.known[0, 1] = -1
    return s


def test_a_twin_starts_with_zeros_everywhere() -> None:
    assert Small().packed() == bytes(Small.dtype.itemsize)


def test_the_record_is_aligned_and_has_the_same_fields() -> None:
    assert Small.dtype.isalignedstruct
    assert list(Small.dtype.names or ()) == list(Small.fields)
    assert Small.dtype["known"].shape == (2, 3)


def test_packing_and_unpacking_bring_the_same_state_back() -> None:
    record = np.zeros(1, Small.dtype)
    filled().pack(record[0])
    again = Small.unpacked(record[0])
    assert again.packed() == filled().packed()
    assert (again.known[1, 2], again.known[0, 1], again.deck, again.pawn) == (9, -1, [0, 0, -300], -7)


def test_a_copy_has_a_life_of_its_own() -> None:
    s = filled()
    other = s.copy()
    other.hand[0] = 1
    other.known[0, 0] = 1
    assert s.packed() == filled().packed() != other.packed()


def test_a_value_too_large_for_its_field_is_refused() -> None:
    s = filled()
    s.pawn = 128
    with pytest.raises(OverflowError):
        s.packed()


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(AttributeError):
        Small().pawm = 1  # type: ignore[attr-defined]


def test_a_name_that_numpy_needs_is_refused() -> None:
    with pytest.raises(TypeError, match="can't be named 'round'"):
        type("Bad", (state.State,), {"round": number()})
