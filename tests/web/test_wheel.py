"""The wheel holds the whole client: installed where there is no Node, it serves everything."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.server.serving import Guest

ROOT = Path(__file__).parent.parent.parent
UV = Path(sys.executable).parent / "uv"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as for a release: from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([UV, "build", "--quiet", "--out-dir", folder, ROOT], check=True)
    [found] = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def url(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A town served from a new environment that has the wheel and what it needs, and no other programs on its path."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    subprocess.run(
        [UV, "pip", "install", "--quiet", "--python", folder / "bin" / "python", wheel], cwd=ROOT, check=True
    )
    server = subprocess.Popen(
        [folder / "bin" / "cardtown", "serve", "--port", "0", "--data", folder / "data"],
        env={"PATH": str(folder / "bin"), "HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    yield server.stdout.readline().split()[4]
    server.terminate()
    server.communicate(timeout=60)


def test_a_clean_install_serves_the_whole_client(wheel: Path, url: str) -> None:
    names = ZipFile(wheel).namelist()
    assert not [name for name in names if "node_modules" in name or name.endswith((".svelte", ".ts"))]
    built = {
        file.relative_to(ROOT / "src").as_posix() for file in (ROOT / "src/cardtown/web").rglob("*") if file.is_file()
    }
    assert built <= set(names)
    guest = Guest(url)
    page = guest.ask("GET", "/").content.decode()
    waiting, seen = re.findall(r'"(/[^"]+\.\w+)"', page), set()
    assert waiting
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = guest.ask("GET", path)
        assert answer.status == 200, path
        if path.endswith((".js", ".css")):
            text = answer.content.decode()
            waiting += [f"/{name}" for name in re.findall(r"assets/[\w.-]+\.(?:js|css|woff2|svg)", text)]
            waiting += [f"/assets/{name}" for name in re.findall(r'"\./([\w.-]+\.js)"', text)]
    assert {Path(path).suffix for path in seen} >= {".js", ".css", ".svg", ".webmanifest", ".woff2"}
    games = guest.get("/api/games")
    assert all(game["district"].startswith("<svg") and "ja" in game["languages"] for game in games)
