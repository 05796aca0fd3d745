"""What refers to itself in circles is forgotten, but nobody waits for that at tables."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from cardtown.games import find
from cardtown.server import tidying
from cardtown.server.messages import NewTable
from cardtown.server.sqlite import STORE_FILE
from cardtown.server.stores import open_store
from cardtown.server.tidying import Tidying
from cardtown.server.town import Settings, Town
from cardtown.server.views import Seen, view
from tests.server.histories import NAMED
from tests.server.test_keeping import until
from tests.server.test_week import choose_first


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


class Circle:
    """Refers to itself, and holds so many bytes."""

    def __init__(self, size: int) -> None:
        self.it = self
        self.held = b"x" * size


async def test_circles_are_forgotten_once_much_more_is_used_and_little_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tidying, "LEAST", 1024)
    tidy = Tidying(asyncio.get_running_loop())
    small = weakref.ref(Circle(0))
    tidy.look()
    assert small()  # alone it is not worth to look through everything
    much = weakref.ref(Circle(int(tidy.used * (tidying.MUCH + tidying.TOO_MUCH) / 2)))
    compute(2 * tidying.QUIET * tidying.LOOK_EVERY)
    tidy.look()
    assert much()  # somebody would have to wait
    tidy.look()
    assert not much()
    assert not small()
    too_much = weakref.ref(Circle(int(tidy.used * 1.2 * tidying.TOO_MUCH)))
    compute(2 * tidying.QUIET * tidying.LOOK_EVERY)
    tidy.look()
    assert not too_much()


async def test_what_comes_to_it_is_put_on_large_pages_as_soon_as_it_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    async def count() -> None:
        nonlocal calls
        calls += 1

    tidy = Tidying(asyncio.get_running_loop())
    monkeypatch.setattr(tidy.large, "put_together", count)
    monkeypatch.setattr(tidy, "tidy", lambda: None)
    much, more = tidying.LEAST + 1024, tidying.APART + 1024
    for here, times in ((0, 0), (more, 0), (much, 1), (much, 1), (much + more, 2), (0, 2), (much, 3)):
        monkeypatch.setattr(tidy, "used_memory", lambda here=here: tidy.begun + here)
        tidy.look()
        await asyncio.sleep(0)
        assert calls == times


async def test_it_is_looked_again_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "LOOK_EVERY", 0.01)
    loop = asyncio.get_running_loop()
    errors: list[Any] = []
    loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))
    tidy = Tidying(loop)
    looks = 0

    def fail() -> int:
        nonlocal looks
        looks += 1
        raise OSError("too many open files")

    monkeypatch.setattr(tidy, "used_memory", fail)
    await until(lambda: looks >= 3)
    assert len(errors) == looks
    assert not gc.isenabled()


def compute(seconds: float) -> None:
    end = thread_time() + seconds
    while thread_time() < end:
        pass


async def test_what_goes_on_at_a_table_leaves_no_circles(tmp_path: Path) -> None:
    """However many matches are played there: what a match leaves is forgotten without looking for it."""
    store = await open_store(tmp_path / STORE_FILE)
    town = Town(store, {"hollywood": find("hollywood")}, Settings())
    try:
        await play(town)
        gc.collect()
        gc.disable()
        choices = sum([await play(town) for _ in range(3)])
        assert gc.collect() < choices
    finally:
        await store.close()


async def play(town: Town) -> int:
    """A match of two to its end, each of whom is sent what they see; how many choices it was."""
    name = (await town.open("mia", NewTable(game="hollywood", seats=("me", "open")))).name
    await town.sit(name, "noa", 1)
    people = {"mia": Seen(), "noa": Seen()}
    choices = 0
    while (table := await town.tables.get(name)).peoples_turns():
        for person, seen in people.items():
            assert view(table, person, NAMED, seen).board
        await town.tables.add(name, choose_first)
        choices += 1
    return choices
