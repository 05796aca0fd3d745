"""Compiled thinking, ready as soon as it can be and never in the way.

Compiling takes half a minute, so it is done once per machine, by a process of its own that fills the cache of compiled
code. A thread waits for it and loads what it made; until then bots think in plain Python.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from cardtown.core.game import Game
from cardtown.core.state import Grid, Record, State
from cardtown.games import find

from .search import exact, tree
from .search.exact import SLOTS, Ahead
from .search.tree import Tree

try:
    import fcntl
except ModuleNotFoundError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

READY = "search is compiled"
"""The file in the folder of compiled code that says so, and from which files."""

COMPILING = "compiling"
"""The file that whoever compiles holds a lock on."""


@dataclass
class Code:
    """The functions that bots think with, for one game, and the room that they think in."""

    tree: SimpleNamespace
    exact: SimpleNamespace
    is_compiled: bool

    def states(self, s: State, n: int) -> Any:
        """So many slots for states, of which the first holds this one."""
        if not self.is_compiled:
            return [s, *[None] * (n - 1)]
        states = np.zeros(n, type(s).dtype)
        s.pack(states[0])
        return states

    def words(self, states: Any) -> Any:
        """The memory of the slots as words."""
        return states.view(np.int64).reshape(len(states), -1) if self.is_compiled else None

    def record(self, kind: type[Record]) -> Any:
        return np.zeros(1, kind.dtype)[0] if self.is_compiled else kind()

    def grid(self, rows: int, columns: int) -> Any:
        return np.zeros((rows, columns), np.int64) if self.is_compiled else Grid(rows, columns)


def plain_code(game: Game) -> Code:
    return Code(game.plain(tree), game.plain(exact), is_compiled=False)


@dataclass
class Readiness:
    """How far a game is."""

    plain: Code
    compiled: Code | None = None
    done: threading.Event = field(default_factory=threading.Event)


_known: WeakKeyDictionary[Game, Readiness] = WeakKeyDictionary()
_lock = threading.Lock()


def code_of(game: Game) -> Code:
    """The best code there is for a game now. The first call for a game sees to it that compiled code will be."""
    with _lock:
        ready = _known.get(game)
        if ready is None:
            ready = _known[game] = Readiness(plain_code(game))
            threading.Thread(target=make_ready, args=(game, ready), daemon=True).start()
            soon = is_compiled(game)
        else:
            soon = False
    if soon:
        ready.done.wait()
    return ready.compiled or ready.plain


def wait_for(game: Game) -> Code:
    """The compiled code of a game, however long it takes to compile."""
    code_of(game)
    _known[game].done.wait()
    return _known[game].compiled or _known[game].plain


def is_compiled(game: Game) -> bool:
    """Does compiled code lie in the cache, made from the very files that are here?"""
    try:
        return (game.compiled_folder(tree) / READY).read_text(encoding="utf-8") == made_from(game)
    except FileNotFoundError:
        return False


def made_from(game: Game) -> str:
    return "\n".join(game.compiled_from(module) for module in (tree, exact))


def make_ready(game: Game, ready: Readiness) -> None:
    """Have the code compiled, if it is not, and load it. Should either fail, plain Python goes on."""
    try:
        if not is_compiled(game):
            compile_apart(game)
        ready.compiled = load(game)
    except (OSError, subprocess.CalledProcessError) as error:
        log.info("bots think in plain Python: compiling %s failed (%s)", game.id, error)
    finally:
        ready.done.set()


def compile_apart(game: Game) -> None:
    """Compile in another process. It lives on when this one ends: what it makes serves the next."""
    what = json.dumps({"game": game.id, "components": game.own_parts})
    subprocess.run(
        [sys.executable, "-m", __name__],
        input=what.encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
    )


def load(game: Game) -> Code:
    """Compiled code, from the cache where it lies there."""
    code = Code(game.compiled(tree), game.compiled(exact), True)
    s = game.blank(game.seats[0], game.complete({}, game.seats[0]))
    game.rules.start(s)
    states, t, a = code.states(s, SLOTS), code.record(Tree), code.record(Ahead)
    code.tree.search(states, t, 0, 0)
    code.tree.expect(states, t, 0, 0, 0, code.grid(1, 2), 0)
    code.exact.list_worlds(states, code.words(states), a, 0, 0)
    code.exact.look_ahead(states, a, 0, 0, 0)
    return code


def compile_here(game: Game) -> None:
    """Fill the cache."""
    load(game)
    (game.compiled_folder(tree) / READY).write_text(made_from(game), encoding="utf-8")


def main() -> None:
    """What the other process does."""
    what = json.load(sys.stdin)
    game = find(what["game"])
    if what["components"]:
        game = game.with_components(what["components"], "components")
    with only_one(game.compiled_folder(tree)):
        if not is_compiled(game):
            compile_here(game)


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Wait while another process compiles into a folder, where the system can tell."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / COMPILING).open("w") as file:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main()
