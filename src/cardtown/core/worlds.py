"""Several states side by side in numbered slots, as thinking ahead needs them: copying one, and telling two apart.

Compiled, the slots are an array of records, and `words` is the same memory as 64-bit words.
"""

from __future__ import annotations

from typing import Any

CHANCE_WORDS = 4
"""Every record begins with its stream of chance: four words that are no part of the game's position."""

PRIME = 0x9E3779B97F4A7C15 - (1 << 64)
SHIFT = 29


def copy_state(states: Any, to: int, of: int) -> None:
    """Put a copy of the state in slot `of` into slot `to`."""
    states[to] = states[of].copy()


def copy_record(states: Any, to: int, of: int) -> None:
    """`copy_state` as it is compiled."""
    states[to] = states[of]


def fingerprint(states: Any, words: Any, slot: int) -> int:
    """A number that two states share only if they are the same but for their streams of chance."""
    return hash(states[slot].packed()[8 * CHANCE_WORDS :])


def fingerprint_of_words(states: Any, words: Any, slot: int) -> int:
    """`fingerprint` as it is compiled."""
    key = 0
    for i in range(CHANCE_WORDS, words.shape[1]):
        key = mixed_words(key, words[slot, i])
    return key


def mixed(key: int, number: int) -> int:
    """A key of its own for each pair of a key and a number; never 0."""
    return hash((key, number)) or 1


def mixed_words(key: int, number: int) -> int:
    """`mixed` as it is compiled."""
    key = (key ^ (number + 1)) * PRIME
    return (key ^ (key >> SHIFT)) | 1
