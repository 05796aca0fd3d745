"""A real Dask cluster of this machine, in processes of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """The address of its scheduler."""
    command = [sys.executable, "-m", "tests.lab.local_cluster", str(workers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def main(workers: int) -> None:
    """Say where the cluster is, and keep it until nobody wants it any more."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
