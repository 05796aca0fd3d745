"""What a host can watch: how many tables, connections and choices, how fast pushes are, how long the bots' queue is."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from math import inf

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.utils import floatToGoString

from .tables import Tables
from .thinkers import Thinkers

NAP = 0.01
FELT_FOR = 300.0
"""Seconds after somebody asked: feeling blocks would be most of what a server computes that nobody plays on."""

PUSH_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The numbers of one process, in the words of Prometheus."""

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self.registry = CollectorRegistry()
        self.refused = Counter(
            "cardtown_refused", "Requests that were refused, by the reason", ["why"], registry=self.registry
        )
        self.connections = Gauge("cardtown_connections", "Open sockets", registry=self.registry)
        self.forgotten = Counter(
            "cardtown_forgotten", "What was too old to be kept, by its kind", ["what"], registry=self.registry
        )
        self.unsent = Gauge(
            "cardtown_unsent_bytes", "What waits in this process for people who do not read", registry=self.registry
        )
        self.dropped = Counter(
            "cardtown_slow_dropped", "Sockets that were ended because nobody read", registry=self.registry
        )
        self.turned_away = Counter(
            "cardtown_turned_away", "Connections that were ended at once: there were too many", registry=self.registry
        )
        self.block = Gauge(
            "cardtown_loop_block_seconds",
            f"The longest time that the event loop stood still in the {FELT_FOR:g} s after this was last asked for",
            registry=self.registry,
        )
        self.longest_block = 0.0
        self.felt_until = 0.0
        self.is_felt = False
        self.tables = tables
        self.pushes = [0] * (len(PUSH_BUCKETS) + 1)
        self.push_seconds = 0.0
        self.registry.register(self)
        kept = Gauge("cardtown_tables", "Tables in memory", registry=self.registry)
        kept.set_function(lambda: len(tables.kept))
        queue = Gauge("cardtown_bot_queue", "Thoughts that wait or are being thought", registry=self.registry)
        queue.set_function(lambda: thinkers.waiting)

    def pushed(self, seconds: float) -> None:
        """So long after a change a view was sent. Counted without a lock, as are choices: all else is rare."""
        self.pushes[bisect_left(PUSH_BUCKETS, seconds)] += 1
        self.push_seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """What is counted here, whenever Prometheus asks."""
        yield CounterMetricFamily(
            "cardtown_choices", "Choices that were made here and are on disk", value=self.tables.choices
        )
        buckets = zip(map(floatToGoString, (*PUSH_BUCKETS, inf)), accumulate(self.pushes), strict=True)
        yield HistogramMetricFamily(
            "cardtown_push_seconds",
            "From a change on disk to the view that was sent",
            buckets=list(buckets),
            sum_value=self.push_seconds,
        )

    def _feel_blocks(self, due: float) -> None:
        """Notice when the event loop stands still: what is due in a moment comes later then."""
        now = time.perf_counter()
        self.longest_block = max(self.longest_block, now - due)
        self.is_felt = now < self.felt_until
        if self.is_felt:
            asyncio.get_running_loop().call_later(NAP, self._feel_blocks, now + NAP)

    def text(self) -> bytes:
        """All numbers; the longest block is that since they were last asked for, if that is not too long ago."""
        self.block.set(self.longest_block)
        now = time.perf_counter()
        self.longest_block, self.felt_until = 0.0, now + FELT_FOR
        if not self.is_felt:
            self._feel_blocks(now)
        return generate_latest(self.registry)
