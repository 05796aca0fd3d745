"""Games in the memory of a GPU: CuPy launches the kernels that `compiling` makes.

    games = DeviceGames(find("hollywood"), 1 << 16)
    games.step(policy(torch.from_dlpack(games.observe()), torch.from_dlpack(games.legal())))

All arrays stay on the GPU. PyTorch, JAX and CuPy take them, and give theirs, by DLPack without a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from cardtown.core.game import Game, GameError, Options, Value
from cardtown.core.state import MAX_CHOICES

from ..simulate import LIMIT, places_of
from ..vector import Arrays, new_slots
from .compiling import KERNELS, compile_kernels

BLOCK = 128
"""Threads that run together."""


def array_library() -> Any:
    """CuPy, where there is a GPU for it."""
    try:
        import cupy
    except ImportError:
        raise GameError("games on a GPU need CuPy: pip install 'cardtown[gpu]'") from None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        raise GameError("there is no GPU here that CUDA can use; cardtown.lab.vector does the same without") from None
    return cupy


class Kernels:
    """A game's kernels, ready to be launched."""

    def __init__(self, game: Game) -> None:
        self.cupy = array_library()
        folder: Path = compile_kernels(game)
        self.functions = {
            name: self.cupy.RawModule(path=str(folder / f"{name}.ptx")).get_function(name) for name in KERNELS
        }

    def launch(self, name: str, n: int, *args: Any) -> None:
        """Run a kernel with one thread for each of `n` games."""
        flat = tuple(word for arg in args for word in words_of(arg))
        self.functions[name]((-(-n // BLOCK),), (BLOCK,), flat)


@cache
def kernels_of(game: Game) -> Kernels:
    """A game's kernels, loaded once."""
    return Kernels(game)


class Records:
    """An array of a game's records in the GPU's memory, of which only kernels know what is inside."""

    def __init__(self, cupy: Any, records: Any) -> None:
        self.shape = records.shape
        self.itemsize = records.dtype.itemsize
        self.strides = (self.itemsize,)
        self.size = len(records)
        self.dtype = records.dtype
        self.bytes = cupy.asarray(records.view(np.uint8))
        self.data = self.bytes.data

    def __len__(self) -> int:
        return self.size

    def get(self) -> Any:
        """A copy of the records in the computer's own memory."""
        return self.bytes.get().view(self.dtype)


def words_of(arg: Any) -> list[Any]:
    """An argument as a kernel takes it: an array is its size, its place, its shape and its strides."""
    if isinstance(arg, tuple):
        return [word for each in arg for word in words_of(each)]
    if isinstance(arg, int):
        return [np.int64(arg)]
    numbers = (0, 0, arg.size, arg.itemsize, arg.data.ptr, *arg.shape, *arg.strides)
    return [np.int64(number) for number in numbers]


class DeviceGames(Arrays):
    """`n` games of one kind on the GPU, each waiting for one choice: as `lab.vector.Vector`, but nothing comes back."""

    def __init__(
        self,
        game: Game,
        n: int,
        seats: int | None = None,
        options: Mapping[str, Value] | None = None,
        seed: int = 0,
        limit: int = LIMIT,
    ) -> None:
        self.kernels = kernels_of(game)
        cupy = self.kernels.cupy
        self.table_seats = game.check_seats(seats)
        complete = game.complete(options or {}, self.table_seats)
        self.limit = limit
        self.slots = new_slots(game, n, self.table_seats, complete, cupy.zeros, partial(Records, cupy))
        self.observations = cupy.zeros((n, game.observation_length), np.int8)
        self.rows = cupy.zeros((n, MAX_CHOICES), np.int8)
        self.choices = cupy.zeros(n, np.int64)
        self.streams = cupy.random.default_rng(seed).integers(0, 1 << 32, (n, 4), np.int64)
        self.wrong = cupy.zeros(1, np.int64)
        self.reset(cupy.arange(seed, seed + n))

    def reset(self, seeds: Any) -> None:
        """Begin anew: the games of a slot are those of its seed, numbered from 0."""
        slots = self.slots
        slots.seeds[:] = self.kernels.cupy.asarray(seeds)
        for rest in (slots.numbers, slots.ended, slots.rewards, self.wrong):
            rest.fill(0)
        self.kernels.launch("begin_games", len(self), slots)

    def step(self, choices: Any) -> None:
        """Carry out one choice in each game. One that is not legal changes nothing there, and `check` will tell."""
        chosen = self.kernels.cupy.from_dlpack(choices)
        if chosen.shape != (len(self),) or chosen.dtype != np.int64 or not chosen.flags.c_contiguous:
            raise GameError(
                f"choices must be {len(self)} whole numbers of 64 bits, not {chosen.shape} of {chosen.dtype}"
            )
        self.kernels.launch("step_games", len(self), self.slots, chosen, self.limit, self.wrong)

    def check(self) -> None:
        """Wait for the GPU, and say if a choice since the last reset was not legal."""
        wrong = int(self.wrong[0])
        if wrong:
            raise GameError(f"a choice in game {wrong - 1} was not legal: see masks[{wrong - 1}]")

    def observe(self) -> Any:
        """What the seat that chooses next knows, a row of numbers for each game."""
        self.kernels.launch("look_at_games", len(self), self.slots, self.observations)
        return self.observations

    def legal(self) -> Any:
        """What may be chosen, a row of ones and zeros for each game."""
        self.kernels.launch("unfold", len(self), self.slots.masks, self.rows)
        return self.rows

    def sample(self) -> Any:
        """A random legal choice for each game."""
        self.kernels.launch("choose_any", len(self), self.slots.masks, self.streams, self.choices)
        return self.choices


def play_on_device(
    game: Game, n: int, seats: int, options: Options, players: int, seed: int, limit: int = LIMIT
) -> tuple[Any, Any, Any]:
    """Play the first `n` games of a seed as `lab.simulate` does: decisions, winners (-1: given up) and scores."""
    kernels = kernels_of(game)
    cupy = kernels.cupy
    blank = new_slots(game, 0, seats, options, cupy.zeros, partial(Records, cupy)).blank
    decisions, winners = cupy.zeros(n, np.int32), cupy.zeros(n, np.int8)
    scores = cupy.zeros((n, places_of(game, seats, options)), np.int16)
    kernels.launch("play_games", n, blank, players, seed, 0, limit, decisions, winners, scores)
    return decisions, winners, scores
