"""The rules as CUDA kernels: they compile where there is no GPU. What they do there is measured on one (`docs/lab`)."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from cardtown.core.game import Game, GameError
from cardtown.games import find
from cardtown.lab.gpu.compiling import KERNELS, compile_kernels, kernel_folder
from cardtown.lab.gpu.device import DeviceGames, words_of

IS_SOAK = int(os.environ.get("CARDTOWN_SOAK", "1")) > 1
needs_compiler = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="Numba for CUDA is not here")


@needs_compiler
@pytest.mark.parametrize("name", ["hollywood", *(["crimson", "egocentric", "gossip", "hinode"] if IS_SOAK else [])])
def test_every_kernel_compiles_without_a_gpu(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTOWN_CACHE", str(tmp_path))
    folder = compile_kernels(find(name))
    assert folder.parent == tmp_path
    assert {file.name for file in folder.iterdir()} == {f"{kernel}.ptx" for kernel in KERNELS}
    for kernel in KERNELS:
        code = (folder / f"{kernel}.ptx").read_text(encoding="utf-8")
        assert f".visible .entry {kernel}(" in code
        assert ".target sm_90" in code
    made = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    compile_kernels(find(name))
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == made


def test_kernels_of_other_rules_lie_elsewhere() -> None:
    game = find("hollywood")
    parts = {**game.parts, "carpet": {**game.parts["carpet"], "spaces": 3}}
    assert kernel_folder(game) != kernel_folder(game.with_components(parts, "test"))
    assert kernel_folder(game) != kernel_folder(game, (8, 0))


def test_an_array_goes_to_a_kernel_as_numbers() -> None:
    class Data:
        ptr = 4096

    class Array:
        size, itemsize, shape, strides, data = 6, 8, (2, 3), (24, 8), Data()

    assert [int(word) for word in words_of((Array(), 7))] == [0, 0, 6, 8, 4096, 2, 3, 24, 8, 7]


def test_without_a_gpu_it_says_so(game: Game) -> None:
    if importlib.util.find_spec("cupy") is not None:
        pytest.skip("there may be one here")
    with pytest.raises(GameError, match="CuPy"):
        DeviceGames(game, 4)
