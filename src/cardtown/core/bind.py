"""Binding code to a game, as plain Python or compiled by Numba.

Rule modules, and code written once for all games, import nothing of Numba. Their functions are copied into a new
namespace in which every function of ours that they call is bound to its counterpart: the names of `rulebook` to the
game's own, and, when compiled, all of them to compiled ones. So both worlds live in one process.

Compiled code is kept per user, in a folder named by a hash of all sources that it is made from and of the components:
Numba by itself does not notice when a function that another file calls has changed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from . import cards, chance, rulebook, story, worlds

COMPILED_AS: dict[Any, Callable[..., Any]] = {
    cards.count: cards.count_bits,
    story.tell: story.tell_nothing,
    chance.shuffle: chance.shuffle_by_stream,
    chance.pick: chance.pick_by_stream,
    chance.pick_counted: chance.pick_counted_by_stream,
    worlds.copy_state: worlds.copy_record,
    worlds.fingerprint: worlds.fingerprint_of_words,
    worlds.mixed: worlds.mixed_words,
}
"""Functions whose compiled form is written apart: the journal and the sources of chance are Python's alone."""

MONTH = 30 * 24 * 3600
OURS = __name__.partition(".")[0]

_folder_lock = threading.Lock()
"""Numba has one folder for the whole process: of several threads that compile, one at a time may set it."""

_parse_lock = threading.Lock()
"""Python 3.11 fails when two threads parse at the same time."""


class Binding:
    """Copies of functions of ours, each bound to the copies of those it calls."""

    def __init__(self, rules: ModuleType, finish: Callable[[FunctionType], Any], swaps: dict[Any, Any]) -> None:
        self.rules = rules
        self.finish = finish
        self.swaps = swaps
        self.namespaces: dict[str, dict[str, Any]] = {}
        self.copies: dict[Any, Any] = {}

    def namespace(self, module: ModuleType) -> dict[str, Any]:
        """The module's names, with every function of ours replaced by its copy."""
        if module.__name__ in self.namespaces:
            return self.namespaces[module.__name__]
        names = self.namespaces[module.__name__] = dict(vars(module))
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__.partition(".")[0] == OURS:
                names[name] = self.copy(value)
        return names

    def copy(self, function: FunctionType) -> Any:
        if function.__module__ == rulebook.__name__:
            function = getattr(self.rules, function.__name__, function)
        function = self.swaps.get(function, function)
        if function not in self.copies:
            names = self.namespaces.get(function.__module__)
            if names is None:
                self.namespace(sys.modules[function.__module__])
                return self.copy(function)
            made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            made.__module__, made.__qualname__ = function.__module__, function.__qualname__
            self.copies[function] = self.finish(made)
        return self.copies[function]


def plain(module: ModuleType, rules: ModuleType) -> SimpleNamespace:
    """The functions of `module` for a game's rules, as plain Python."""
    return SimpleNamespace(**Binding(rules, lambda made: made, {}).namespace(module))


class Compiled:
    """The functions of any module for a game's rules, compiled by Numba when first called.

    Whatever is bound to the rules shares them: each is compiled once, and kept in the folder of its own module.
    `components` is a hash of the game's components.
    """

    def __init__(self, rules: ModuleType, components: str) -> None:
        from . import native

        self.rules = rules
        self.components = components
        self.binding = Binding(rules, self._finish, COMPILED_AS)
        if native.HAS_DEPOSIT:
            self.binding.copies[cards.nth] = native.nth_by_deposit
        self.folders: dict[str, Path] = {}

    def module(self, module: ModuleType) -> SimpleNamespace:
        import numba

        _announce(self._folder(module.__name__), self.rules)
        with _folder_lock:
            before = numba.config.CACHE_DIR
            try:
                names = self.binding.namespace(module)
            finally:
                numba.config.CACHE_DIR = before
            for folder in self.folders.values():
                folder.mkdir(parents=True, exist_ok=True)
                os.utime(folder)
            for namespace in self.binding.namespaces.values():
                tables_as_arrays(namespace)
        return SimpleNamespace(**names)

    def _folder(self, name: str) -> Path:
        if name not in self.folders:
            self.folders[name] = compiled_folder(sys.modules[name], self.rules, self.components)
        return self.folders[name]

    def _finish(self, made: FunctionType) -> Any:
        import numba

        folder = self._folder(made.__module__)
        made.__qualname__ = f"{folder.name}.{made.__qualname__}"
        numba.config.CACHE_DIR = str(folder)
        # Nothing of ours allocates, so references to arrays need not be counted: it took most of a step's time.
        return numba.njit(made, cache=True, nogil=True, forceinline=True, _nrt=False)


def compiled_folder(module: ModuleType, rules: ModuleType, components: str) -> Path:
    """Where the compiled code is kept."""
    import numba

    sources = [file.read_text(encoding="utf-8") for file in source_files(module, rules)]
    # Checked and unchecked code must never meet in one folder: a warm cache would check nothing.
    flags = (numba.__version__, sys.version, str(numba.config.BOUNDSCHECK))
    label = hashlib.sha256("\0".join((*sources, components, *flags)).encode()).hexdigest()[:16]
    return cache_folder() / label


def source_files(module: ModuleType, rules: ModuleType) -> list[Path]:
    """The files that decide what the compiled code does: of its modules, of all of ours that they import, and ours."""
    walk = Binding(rules, lambda made: made, COMPILED_AS)
    walk.namespace(module)
    found: set[str] = set()
    waiting = set(walk.namespaces)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= set(imports(sys.modules[name])) - found
    here = Path(__file__)
    return sorted({here, here.with_name("native.py"), *(Path(str(sys.modules[name].__file__)) for name in found)})


def imports(module: ModuleType) -> Iterator[str]:
    """The modules of ours from which a module takes names."""
    with _parse_lock:
        named = names_taken(str(module.__file__), str(module.__package__))
    return (name for name in named if name in sys.modules)


@cache  # every game is made from many of the same files
def names_taken(file: str, package: str) -> list[str]:
    """All of ours that a file imports: modules, and what is in them."""
    found = []
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            found += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return [name for name in found if name.partition(".")[0] == OURS]


def stamps(module: ModuleType, rules: ModuleType) -> str:
    """Size and time of those files. Numba compiles anew where they differ, even if not a letter has changed."""
    found = [(file, file.stat()) for file in source_files(module, rules)]
    return "\n".join(f"{file} {stat.st_mtime_ns} {stat.st_size}" for file, stat in found)


def tables_as_arrays(namespace: dict[str, Any]) -> None:
    """Tables of numbers become arrays: a compiled tuple is looked up by a chain of comparisons."""
    namespace.update({name: _as_array(value) for name, value in namespace.items() if type(value) is tuple})


def _as_array(value: tuple[Any, ...]) -> Any:
    flat = value[0] if value and isinstance(value[0], tuple) else value
    return np.array(value, np.int64) if flat and all(type(item) is int for item in flat) else value


def cache_folder() -> Path:
    """Where compiled code is kept: `CARDTOWN_CACHE`, or the user's cache folder."""
    import platformdirs

    return Path(os.environ.get("CARDTOWN_CACHE") or platformdirs.user_cache_dir("cardtown"))


def _announce(folder: Path, rules: ModuleType) -> None:
    """Say that compiling will take a moment, if it will; forget code that was not used for a month."""
    if folder.exists():
        return
    game = rules.__name__.split(".")[-2]
    print(f"Compiling {game} for this machine: some seconds, the first time only …", file=sys.stderr, flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.parent.iterdir():
        if other.is_dir() and other.stat().st_mtime < time.time() - MONTH:
            shutil.rmtree(other, ignore_errors=True)
