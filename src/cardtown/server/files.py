"""Files that only their owner can read, and that are there as a whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def new_file(file: Path) -> Iterator[IO[bytes]]:
    """Write a new file, which gets its name when it is whole and on disk; FileExistsError if there is one."""
    made = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.link(made, file)  # of several who make it at the same time one does
    finally:
        made.unlink(missing_ok=True)
