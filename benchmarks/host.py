"""A server that the fault programme can do anything to."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.mortal import Mortal
from tests.server.serving import wait_for

STARTS_WITHIN = ENDS_WITHIN = 60.0
AGAIN_AFTER = 0.1
LAST_WORDS = 1_000
WHY_NOT = "cardtown: "
"""How the line begins in which a server says why it can't start."""

EXPECTED_ERRORS = frozenset({"StoreError"})
"""What a server may complain of in its log while it can't reach its store."""


class Host(Mortal):
    """A server that can be killed, stopped and started again, with a clock that can be set."""

    def __init__(self, folder: Path, name: str, bug: str, *options: str) -> None:
        self.name = name
        self.clock = folder / f"{name}.clock"
        self.set_clock(0)
        self.busy = asyncio.Lock()
        super().__init__(folder / name, ("-m", "benchmarks.planted", str(self.clock), bug), *options)

    def restart(self) -> None:
        """Again and again until it listens, as a service is: its database may be starting, too."""
        end = time.monotonic() + STARTS_WITHIN
        self.launch(self.port)
        while not self.is_listening():
            assert time.monotonic() < end, self.log.read_text(encoding="utf-8")[-LAST_WORDS:]
            self.process.communicate()
            time.sleep(AGAIN_AFTER)
            self.launch(self.port)

    def stop(self) -> str:
        """End it as a service is: SIGINT is ignored by all that a shell starts in the background."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} was told to end, and goes on for {ENDS_WITHIN:g} s") from None
        return self.log.read_text(encoding="utf-8")

    def pids(self) -> list[int]:
        """The processes that serve: those that it has started, or itself."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in found.split()] or [self.process.pid]

    def die(self) -> None:
        """All of it, as when the machine fails."""
        for pid in {*self.pids(), self.process.pid}:
            os.kill(pid, signal.SIGKILL)
        self.kill()

    def lose_first(self) -> None:
        """Only the process that started the others, which must end then."""
        left = self.pids()
        self.kill()
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))

    def set_clock(self, ahead: int) -> None:
        self.ahead = ahead
        new = self.clock.with_suffix(".new")
        new.write_text(str(ahead), encoding="ascii")
        new.rename(self.clock)

    def errors(self) -> Iterator[dict[str, object]]:
        """What it logged and should not."""
        for line in filter(None, self.log.read_text(encoding="utf-8").splitlines()):
            if line.startswith(WHY_NOT):
                continue
            try:
                found = json.loads(line)
            except ValueError:
                yield {"message": line}
                continue
            if found["level"] == "error" and found.get("error") not in EXPECTED_ERRORS:
                del found["at"]
                yield found


@contextmanager
def ending() -> Iterator[list[Host]]:
    """Servers, of which none is left behind."""
    hosts: list[Host] = []
    try:
        yield hosts
    finally:
        for host in hosts:
            if host.process.poll() is None:
                host.die()
