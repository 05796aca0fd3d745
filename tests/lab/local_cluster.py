"""A real Dask cluster of this machine, in processes of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Local(NamedTuple):
    """Where its scheduler listens, and the processes that work."""

    address: str
    pids: list[int]


@contextmanager
def local_cluster(workers: int) -> Iterator[Local]:
    command = [sys.executable, "-m", "tests.lab.local_cluster", str(workers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Local(**json.loads(process.stdout.readline()))
        process.communicate()


def main(workers: int) -> None:
    """Say where the cluster is, and keep it until nobody wants it any more."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        pids = [nanny.pid for nanny in cluster.workers.values()]
        print(json.dumps({"address": cluster.scheduler_address, "pids": pids}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
