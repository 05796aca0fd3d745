"""Random games on a GPU: whole games, and steps of many side by side. `python -m benchmarks.gpu FILE` needs one.

What it finds is kept in a file, from which `make bench` takes it: most machines that measure the rest have no GPU.
The first games are played in plain Python too, and must be the same.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from cardtown.core import play
from cardtown.core.game import Game
from cardtown.core.state import Dice
from cardtown.games import games
from cardtown.lab.gpu.device import DeviceGames, array_library, play_on_device
from cardtown.lab.simulate import LIMIT

KEPT = Path(__file__).parents[1] / "docs" / "gpu.json"
WHOLE, SIDE_BY_SIDE = 1 << 22, 1 << 20
STEPS, ROUNDS = 50, 3
CHECKED = 20


class Device(NamedTuple):
    """Decisions per second of one game."""

    seats: int
    whole_games: float
    steps: float
    steps_observed: float
    observation: int


def seats_of(game: Game) -> int:
    """As many as four, where the game can be played so."""
    return max(seats for seats in game.seats if seats <= 4)


def measure(game: Game) -> Device:
    cupy = array_library()
    seats = seats_of(game)
    options = game.complete({}, seats)
    check(game, seats)
    whole = []
    for seed in range(ROUNDS + 1):
        begun = perf_counter()
        decisions, _, _ = play_on_device(game, WHOLE, seats, options, 0, seed)
        cupy.cuda.Device().synchronize()
        took = perf_counter() - begun
        whole.append(int(decisions.sum()) / took)
    games = DeviceGames(game, SIDE_BY_SIDE, seats)
    return Device(seats, median(whole[1:]), steps(games, False), steps(games, True), game.observation_length)


def steps(games: DeviceGames, observes: bool) -> float:
    rates = []
    for _ in range(ROUNDS + 1):
        begun = perf_counter()
        for _ in range(STEPS):
            if observes:
                games.observe()
            games.step(games.sample())
        games.check()
        rates.append(STEPS * len(games) / (perf_counter() - begun))
    return median(rates[1:])


def check(game: Game, seats: int) -> None:
    """The GPU plays the very games that plain Python plays."""
    options = game.complete({}, seats)
    decisions, winners, scores = (array.get() for array in play_on_device(game, CHECKED, seats, options, 0, 1))
    code, dice = game.plain(play), Dice()
    for number in range(CHECKED):
        s = game.blank(seats, options)
        code.begin(s, dice, 1, number)
        assert decisions[number] == code.play_out(s, 0, dice, LIMIT)
        assert winners[number] == s.winners
        assert scores[number].tolist() == s.score[: s.places]


def read() -> dict[str, Any] | None:
    """What was found where there was a GPU."""
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None


def main() -> None:
    cupy = array_library()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    found = {}
    for game in games().values():
        found[game.id] = measure(game)._asdict()
        print(game.id, found[game.id], flush=True)
    Path(sys.argv[1]).write_text(json.dumps({"device": name, "games": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
