"""How well people play, from the matches that they played against each other."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

_model = PlackettLuce()
SCALE, MIDDLE = 40, 1_000
"""How a rating is shown: a newcomer has MIDDLE less what is not known of them yet."""


class Rating(Struct, frozen=True):
    """What is thought of somebody's play, and how surely."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    matches: int = 0

    @property
    def shown(self) -> int:
        """One number: as good as this person is almost surely."""
        return round(MIDDLE + SCALE * (self.mu - 3 * self.sigma))


def rate(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a match; place 0 is the best, equal places are shared."""
    teams = [[_model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(team[0].mu, team[0].sigma, rating.matches + 1) for team, rating in zip(after, before, strict=True)]


def places(winners: Sequence[int], seats: Sequence[int]) -> list[int]:
    """Who won and who did not, among these seats: by what the rules call a win, not by points."""
    return [0 if seat in winners else 1 for seat in seats]
