"""What a host can watch: how many tables, connections and choices, how fast pushes are, how long the bots' queue is."""

from __future__ import annotations

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from .tables import Tables
from .thinkers import Thinkers

NAP = 0.01
PUSH_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The numbers of one process, in the words of Prometheus."""

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self.registry = CollectorRegistry()
        self.choices = Counter("cardtown_choices", "Choices that were made and are on disk", registry=self.registry)
        self.refused = Counter(
            "cardtown_refused", "Requests that were refused, by the reason", ["why"], registry=self.registry
        )
        self.connections = Gauge("cardtown_connections", "Open sockets", registry=self.registry)
        self.push = Histogram(
            "cardtown_push_seconds",
            "From a change on disk to the view that was sent",
            buckets=PUSH_BUCKETS,
            registry=self.registry,
        )
        self.block = Gauge(
            "cardtown_loop_block_seconds", "The longest time that the event loop stood still", registry=self.registry
        )
        kept = Gauge("cardtown_tables", "Tables in memory", registry=self.registry)
        kept.set_function(lambda: len(tables.kept))
        queue = Gauge("cardtown_bot_queue", "Thoughts that wait or are being thought", registry=self.registry)
        queue.set_function(lambda: thinkers.waiting)

    async def feel_blocks(self) -> None:
        """Notice when the event loop stands still: a short sleep takes longer then."""
        longest = 0.0
        while True:
            began = time.perf_counter()
            await asyncio.sleep(NAP)
            longest = max(longest, time.perf_counter() - began - NAP)
            self.block.set(longest)

    def text(self) -> bytes:
        return generate_latest(self.registry)
