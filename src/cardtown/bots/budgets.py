"""How long each bot thinks about a choice."""

from __future__ import annotations

import re

from .thinking import Budget

BUDGETS = {"easy": Budget(iterations=40), "medium": Budget(iterations=200), "hard": Budget(seconds=0.1)}

NAMED_BUDGET = re.compile(r"hard:(?:(?P<ms>[1-9][0-9]{0,5})ms|(?P<iterations>[1-9][0-9]{0,7}))")


def budget_of(bot: str) -> Budget | None:
    """How long the bot of that name thinks; none if it is not one that does."""
    found = NAMED_BUDGET.fullmatch(bot)
    if found is None:
        return BUDGETS.get(bot)
    if found["ms"]:
        return Budget(seconds=int(found["ms"]) / 1000)
    return Budget(iterations=int(found["iterations"]))
