"""A PostgreSQL server of the tests' own: Debian's, in a folder that is deleted, on a free port of this machine."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

START_WITHIN = 60.0
USER = "postgres"
AS_USER: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": ()} if os.geteuid() == 0 else {}
"""PostgreSQL does not let root run it."""


def binaries() -> Path:
    """The newest that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    assert found, "PostgreSQL is not installed; `make test` does it"
    return found[-1]


class Cluster:
    """A server and its databases. Without `fsync` nothing waits for the disk: only the machine's own end would harm."""

    def __init__(self, fsync: bool = False) -> None:
        self.fsync = fsync
        self.binaries = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="cardtown-postgresql-"))
        if AS_USER:
            shutil.chown(self.folder, USER, USER)
        self.run("initdb", "--no-sync", "--auth=trust", f"--username={USER}", "--locale=C.UTF-8", "-D", self.data)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.numbers = count()
        self.databases: dict[Path, str] = {}
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *options: object) -> None:
        command = [str(self.binaries / program), *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, **AS_USER)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        words = ["-D", str(self.data), "-p", str(self.port)]
        settings = (
            *("listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"),
            f"fsync={'on' if self.fsync else 'off'}",
        )
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [str(self.binaries / "postgres"), *words, *(word for setting in settings for word in ("-c", setting))],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **AS_USER,
            )
        ready = [str(self.binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        end = time.monotonic() + START_WITHIN
        while subprocess.run(ready, check=False).returncode:
            assert time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """At once; with SIGQUIT as in a crash: it recovers when it is started again."""
        self.process.send_signal(how)
        self.process.wait(60)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def database_of(self, folder: Path) -> str:
        """The address of the database that stands for a folder."""
        if folder not in self.databases:
            self.databases[folder] = self.new_database()
        return self.databases[folder]

    def new_database(self) -> str:
        """The address of an empty one."""
        name = f"town{next(self.numbers)}"
        self.run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", USER, name)
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"


@cache
def cluster() -> Cluster:
    """That of this process, started when somebody needs it."""
    made = Cluster()
    atexit.register(made.remove)
    return made
