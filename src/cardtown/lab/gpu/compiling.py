"""A game's rules as CUDA kernels, one game per thread. Compiling them needs Numba for CUDA, but no GPU.

The kernels are kept as PTX, in a folder named by a hash of all that they are made from, so whoever runs them needs
neither Numba nor a compiler: only CuPy, and a GPU (`device.py`).
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from cardtown.core import bind, cards, observing, play
from cardtown.core.components import fingerprint
from cardtown.core.game import Game, GameError
from cardtown.core.state import MAX_CHOICES, Dice

from .. import stepping
from ..stepping import ENTRIES, Slots

ARCHITECTURE = (9, 0)
"""The GPUs that code is made for, unless asked otherwise: these and newer ones can run it."""

KERNELS = ("play_games", "begin_games", "step_games", "look_at_games", "choose_any", "unfold")


def kernel_folder(game: Game, architecture: tuple[int, int] = ARCHITECTURE) -> Path:
    """Where a game's kernels are kept."""
    modules = (observing, play, stepping)
    files = {Path(__file__), *(file for module in modules for file in bind.source_files(module, game.rulebook))}
    texts = [file.read_text(encoding="utf-8") for file in sorted(files)]
    label = hashlib.sha256("\0".join((*texts, fingerprint(game.parts), str(architecture))).encode()).hexdigest()[:16]
    return bind.cache_folder() / f"gpu-{game.id}-{label}"


def compile_kernels(game: Game, architecture: tuple[int, int] = ARCHITECTURE) -> Path:
    """Make a game's kernels, unless they are there; the folder that they are in, each in a file of its own."""
    folder = kernel_folder(game, architecture)
    missing = [name for name in KERNELS if not (folder / f"{name}.ptx").exists()]
    if missing:
        print(f"Compiling {game.id} for the GPU: a minute, the first time only …", file=sys.stderr, flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        with compiler(architecture) as cuda:
            kernels = make_kernels(game, cuda)
            for name in missing:
                code, _ = cuda.compile_ptx(*kernels[name], cc=architecture)
                made = folder / f"{name}.ptx.new"
                made.write_text(renamed(code, name), encoding="utf-8")
                made.rename(folder / f"{name}.ptx")
    return folder


@contextmanager
def compiler(architecture: tuple[int, int]) -> Iterator[Any]:
    """Numba for CUDA, which wants to know what GPU it compiles for even where there is none."""
    try:
        from numba import cuda
        from numba.cuda import dispatcher
    except ImportError:
        raise GameError("compiling for a GPU needs Numba for CUDA: pip install 'cardtown[gpu]'") from None
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=architecture)
    try:
        yield cuda
    finally:
        dispatcher.get_current_device = asked


def renamed(code: str, name: str) -> str:
    """PTX whose entry has a name that can be written down."""
    (mangled,) = re.findall(r"\.entry (\w+)\(", code)
    return code.replace(mangled, name)


def make_kernels(game: Game, cuda: Any) -> dict[str, tuple[Callable[..., None], Any]]:
    """The kernels, as functions to compile, and the types of what they take."""
    from numba import from_dtype, types

    device = cuda.jit(device=True)
    binding = bind.Binding(game.rulebook, device, bind.COMPILED_AS)
    word = np.int64
    binding.copies[cards.count_bits] = device(lambda cards: word(cuda.popc(word(cards))))
    binding.copies[cards.lowest] = device(lambda cards: word(cuda.ffs(word(cards))) - 1)
    steps, plays = SimpleNamespace(**binding.namespace(stepping)), SimpleNamespace(**binding.namespace(play))
    for namespace in binding.namespaces.values():
        bind.tables_as_arrays(namespace)
    begin, play_out = plays.begin, plays.play_out
    begin_slot, step, any_of = steps.begin, steps.step, steps.any_of
    observe_one = binding.namespace(observing)["observe_one"]
    state, dice = from_dtype(game.rules.State.dtype), from_dtype(Dice.dtype)

    # A state that only one thread looks at lies in its local memory, where neighbours' words lie side by side.
    def play_games(blank, players, seed, first, limit, decisions, winners, scores):  # type: ignore[no-untyped-def]
        mine = cuda.local.array(1, state)
        chance = cuda.local.array(1, dice)
        i = cuda.grid(1)
        if i < len(decisions):
            mine[0] = blank[0]
            begin(mine[0], chance[0], seed, first + i)
            decisions[i] = play_out(mine[0], players, chance[0], limit)
            winners[i] = -1 if mine[0].acting else mine[0].winners
            for place in range(scores.shape[1]):
                scores[i, place] = mine[0].score[place]

    def begin_games(slots):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(slots.masks):
            begin_slot(slots, i)

    def step_games(slots, choices, limit, wrong):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(slots.masks):
            if 0 <= choices[i] < MAX_CHOICES and slots.masks[i] >> choices[i] & 1:
                step(slots, choices[i], limit, i)
            else:
                wrong[0] = i + 1

    def look_at_games(slots, x):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(slots.masks):
            observe_one(slots.states, slots.seats, x, i)

    def choose_any(masks, streams, choices):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(masks):
            choices[i] = any_of(streams[i], masks[i])

    def unfold(masks, rows):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(masks):
            for choice in range(rows.shape[1]):
                rows[i, choice] = masks[i] >> choice & 1

    def array(kind: Any, dimensions: int = 1) -> Any:
        return types.Array(kind, dimensions, "C")

    word, states = types.int64, array(state)
    entries = [array(from_dtype(np.dtype(kind)), 2 if name == "rewards" else 1) for name, kind in ENTRIES.items()]
    slots = types.NamedTuple((states, states, *entries), Slots)
    return {
        "play_games": (
            play_games,
            types.void(states, word, word, word, word, array(types.int32), array(types.int8), array(types.int16, 2)),
        ),
        "begin_games": (begin_games, types.void(slots)),
        "step_games": (step_games, types.void(slots, array(word), word, array(word))),
        "look_at_games": (look_at_games, types.void(slots, array(types.int8, 2))),
        "choose_any": (choose_any, types.void(array(word), array(word, 2), array(word))),
        "unfold": (unfold, types.void(array(word), array(types.int8, 2))),
    }
