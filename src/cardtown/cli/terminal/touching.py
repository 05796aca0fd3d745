"""A choice is a path of things to touch: each touch narrows the choices."""

from __future__ import annotations

from collections.abc import Sequence

from cardtown.core.table import Choice

KEYS = (
    "123456789" + "".join(c for c in "abcdefghijklmnopqrstuvwxyz" if c not in "hlnqsu") + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)
"""The keys that touch things, in the order in which they are given out: the commands' own letters are left out."""


class Fingers:
    """What has been touched so far of the paths of the choices."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.choices = choices
        self.taken: tuple[str, ...] = ()

    def possible(self) -> list[Choice]:
        return [choice for choice in self.choices if choice.path[: len(self.taken)] == self.taken]

    def touchable(self) -> set[str]:
        """What comes next on some path; the last thing again, where a path already ends with it."""
        return {
            choice.path[len(self.taken)] if choice.path != self.taken else self.taken[-1] for choice in self.possible()
        }

    def beginnings(self) -> set[str]:
        """What can be touched first."""
        return {choice.path[0] for choice in self.choices}

    def touch(self, thing: str) -> Choice | None:
        """Touch one of these; the choice, once only one is left and its whole path was touched."""
        again = [choice for choice in self.possible() if choice.path == self.taken and thing == self.taken[-1]]
        if again:
            return again[0]
        self.taken += (thing,)
        left = self.possible()
        return left[0] if len(left) == 1 and left[0].path == self.taken else None

    def would_be(self, thing: str) -> list[Choice]:
        """The choices that would be left."""
        path = (*self.taken, thing)
        return [choice for choice in self.choices if choice.path[: len(path)] == path]
