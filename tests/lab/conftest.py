"""What tests of the lab share."""

from __future__ import annotations

import pytest

from cardtown.core.game import Game
from cardtown.games import find, games


@pytest.fixture(params=[*games()])
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, one after another."""
    return find(request.param)
