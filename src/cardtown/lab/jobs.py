"""Work that falls into numbered pieces, done by threads, by processes or by a Dask cluster with the same call.

A piece brings along all that its result depends on, its seed above all. So the results are the same whoever works and
however many they are, and a piece over which a worker died is simply done again.

    with_two = list(in_order(count_wins, pieces, Processes(2)))
    assert with_two == list(in_order(count_wins, pieces, Cluster("tcp://10.0.0.1:8786")))
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cardtown.core.game import GameError

if TYPE_CHECKING:
    from distributed import Client

P = TypeVar("P")
R = TypeVar("R")

MOST_DEATHS = 3
"""So often in a row workers may die without one more piece done: then a piece is what kills them."""

PATIENCE = 10.0
"""Seconds within which a cluster must answer."""


class Workers(Protocol):
    """Whoever does the pieces."""

    def each(self, work: Callable[[P], R], pieces: Sequence[P]) -> Iterator[tuple[int, R]]:
        """Do all pieces: the number and the result of each, as they are done.

        Other processes import `work` by its name: it is a function of a module, or a partial of one.
        """


def in_order(
    work: Callable[[P], R], pieces: Sequence[P], workers: Workers, tick: Callable[[R], None] = lambda result: None
) -> Iterator[R]:
    """Do all pieces: their results in the order of the pieces; `tick` is told each as soon as it is there."""
    early: dict[int, R] = {}
    wanted = 0
    for number, result in workers.each(work, pieces):
        tick(result)
        early[number] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


@dataclass(frozen=True)
class Threads:
    """So many threads of this process, for work that lets others run; none given: one for each core."""

    n: int | None = None

    def each(self, work: Callable[[P], R], pieces: Sequence[P]) -> Iterator[tuple[int, R]]:
        pool = ThreadPoolExecutor(at_most(self.n, len(pieces)))
        try:
            waiting = {pool.submit(work, piece): number for number, piece in enumerate(pieces)}
            for done in as_completed(set(waiting)):
                yield waiting.pop(done), done.result()
        finally:
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Processes:
    """So many processes of this machine; none given: one for each core. One that dies takes the others with it: all are
    started anew, and do what is still missing."""

    n: int | None = None

    def each(self, work: Callable[[P], R], pieces: Sequence[P]) -> Iterator[tuple[int, R]]:
        missing = dict(enumerate(pieces))
        deaths = 0
        while missing:
            before = len(missing)
            for number, result in self._try(work, dict(missing)):
                del missing[number]
                yield number, result
            deaths = deaths + 1 if len(missing) == before else 0
            if deaths == MOST_DEATHS:
                raise GameError(f"piece {min(missing)} or one that follows it kills the process that does it")

    def _try(self, work: Callable[[P], R], pieces: dict[int, P]) -> Iterator[tuple[int, R]]:
        """What can be done before one of them dies."""
        pool = ProcessPoolExecutor(at_most(self.n, len(pieces)), get_context("spawn"))
        waiting: dict[Future[R], int] = {}
        try:
            for number, piece in pieces.items():
                waiting[pool.submit(work, piece)] = number
        except BrokenProcessPool:
            pass  # one died already; what was done before is not lost
        try:
            for done in as_completed(set(waiting)):
                number = waiting.pop(done)
                if not isinstance(done.exception(), BrokenProcessPool):
                    yield number, done.result()
        finally:
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask scheduler; it hands the pieces of one that dies to another."""

    address: str

    def each(self, work: Callable[[P], R], pieces: Sequence[P]) -> Iterator[tuple[int, R]]:
        with connected(self.address) as client:
            from distributed import KilledWorker
            from distributed import as_completed as as_done
            from distributed.comm.core import CommClosedError

            futures: dict[Any, int] = {
                future: number for number, future in enumerate(client.map(work, pieces, pure=False))
            }
            try:
                for future, result in as_done(list(futures), with_results=True):
                    yield futures.pop(future), result
            except KilledWorker as error:
                raise GameError(f"a piece kills the workers of the cluster that do it ({error.task})") from None
            except (CancelledError, CommClosedError, TimeoutError):
                raise GameError(f"the Dask cluster at {self.address} does not answer any more") from None
            finally:
                client.cancel(list(futures))


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A connection to a Dask scheduler that has workers."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise GameError("a cluster needs Dask: install cardtown[lab]") from None
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError):  # nobody there, or no address at all
        raise GameError(f"no Dask scheduler answers at {address!r}; an address is like tcp://127.0.0.1:8786") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise GameError(f"the Dask cluster at {address} has no workers: start some with dask worker") from None
        yield client


def at_most(n: int | None, pieces: int) -> int:
    """How many work: no more than there are pieces."""
    return max(1, min(n or os.cpu_count() or 1, pieces))
