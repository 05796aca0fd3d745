"""What deploy/ holds can be used: units verify, files are what they name, and their command lines run."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.server.postgres import cluster
from tests.server.serving import Guest

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
INSTALLED = "/opt/cardtown/bin/cardtown"
CARDTOWN = str(Path(sys.executable).parent / "cardtown")


def unit(name: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((DEPLOY / name).read_text(encoding="utf-8"))
    return {section: dict(parser[section]) for section in parser.sections()}


def environment(found: str, folder: Path) -> dict[str, str]:
    """What a unit or an image sets, with other folders."""
    return {name: value.replace("/var/", f"{folder}/var/") for name, value in re.findall(r"(\w+)=(/var\S*)", found)}


def serve_once(words: Sequence[str], env: Mapping[str, str]) -> None:
    """Run a server by a command line, but on a free port of this machine; it answers, and ends when told."""
    words = [*(word.replace("0.0.0.0", "127.0.0.1") for word in words), "--port", "0"]
    with subprocess.Popen(words, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        try:
            assert line.startswith("Cardtown is open at "), line
            assert Guest(line.split()[4]).get("/healthz")["status"] == "ok"
        finally:
            server.send_signal(signal.SIGTERM)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    files = [*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")]
    assert len(files) == 3
    for file in files:
        text = file.read_text(encoding="utf-8")
        (tmp_path / file.name).write_text(text.replace(INSTALLED, CARDTOWN), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / file.name) for file in files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert str(tmp_path) not in done.stdout + done.stderr, done.stderr
    assert done.returncode == 0, done.stderr


def test_what_the_units_run_serves_a_town_and_backs_it_up(tmp_path: Path) -> None:
    service, backup = unit("cardtown.service")["Service"], unit("cardtown-backup.service")["Service"]
    env = environment(service["Environment"], tmp_path)
    assert env == environment(backup["Environment"], tmp_path)
    assert env.keys() == {"XDG_DATA_HOME", "CARDTOWN_CACHE"}
    env["CARDTOWN_CACHE"] = os.environ.get("CARDTOWN_CACHE", "")
    program, *words = shlex.split(service["ExecStart"])
    assert program == INSTALLED
    serve_once([CARDTOWN, *words], env)
    assert (tmp_path / "var" / "lib" / service["StateDirectory"] / "town.sqlite").exists(), "where systemd keeps it"
    state = backup["StateDirectory"].split()
    assert state == ["cardtown-backups", service["StateDirectory"]]
    there = tmp_path / "var" / "lib" / state[0]
    private = tmp_path / "private"
    private.mkdir()
    there.symlink_to(private)  # as systemd does it for users who are made when they are needed
    old, older = there / "town-1", there / "town-2"
    for file, days in ((old, 29), (older, 32)):
        file.touch()
        os.utime(file, times=(time.time() - days * 24 * 3600,) * 2)
    for command in (backup["ExecStart"].replace("%%", "%").replace(INSTALLED, CARDTOWN), backup["ExecStartPost"]):
        run_once(command.replace("/var/", f"{tmp_path}/var/"), env)
    assert old.exists()
    assert not older.exists()
    old.unlink()
    (file,) = there.glob("town-*")
    assert re.fullmatch(r"town-\d{4}-\d\d-\d\d-\d{6}", file.name)


def run_once(command: str, env: Mapping[str, str]) -> None:
    words = shlex.split(command)
    done = subprocess.run(words, env={**os.environ, **env}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


def dockerfile(instruction: str) -> list[str]:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(rf"^{instruction} (.*)$", text, re.MULTILINE)


def test_the_compose_file_names_only_what_is_there() -> None:
    found = compose()
    services, volumes = found["services"], found["volumes"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= services.keys()
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in volumes or (DEPLOY / source).is_file(), source
    build = services["town"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    (upstream,) = re.findall(r"reverse_proxy (\w+):(\d+)", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))
    assert upstream[0] in services
    assert [upstream[1]] == dockerfile("EXPOSE")
    for volume in services["town"]["volumes"]:
        assert volume.rpartition(":")[2] in json.loads(dockerfile("VOLUME")[0])
    assert "ports" not in services["town"], "only the web server reaches it"
    assert "ports" not in services["database"]


def test_the_image_is_made_of_all_that_the_package_needs() -> None:
    kept = [
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    ]
    assert all((ROOT / name).exists() for name in kept)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for named in ("README.md", "LICENSE", "build_web.py", "src", "web"):
        assert named in project
        assert named in kept


def test_what_the_compose_file_runs_serves_a_town_with_workers(tmp_path: Path) -> None:
    town = compose()["services"]["town"]
    pattern = r"postgresql://cardtown:\$\{CARDTOWN_PASSWORD:\?[^}]+\}@(\w+)/cardtown"
    address = re.fullmatch(pattern, town["environment"]["CARDTOWN_DATABASE"])
    assert address
    assert address[1] in compose()["services"]
    (entry,) = (json.loads(found) for found in dockerfile("ENTRYPOINT"))
    assert entry == ["cardtown"]
    serve_once([CARDTOWN, *town["command"]], {"CARDTOWN_DATABASE": cluster().new_database()})


def test_what_the_compose_file_says_of_backups_is_true(tmp_path: Path) -> None:
    """But for Docker: what runs in the container."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    scripts = [script.replace("/tmp/", f"{tmp_path}/") for script in re.findall(r"-c '([^']+)'", text)]
    before, after = cluster().new_database(), cluster().new_database()
    serve_once([CARDTOWN, "serve", "--port", "0"], {"CARDTOWN_DATABASE": before})

    def run(script: str, database: str, given: bytes = b"") -> bytes:
        env = {"CARDTOWN_DATABASE": database, "PATH": f"{Path(CARDTOWN).parent}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-c", script], input=given, env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        (tmp_path / "town").unlink(missing_ok=True)
        return done.stdout

    back_up, restore = scripts
    backup = run(back_up, before)
    assert b"all people are back" in run(restore, after, backup)
    assert run(back_up, after) == backup


def test_what_the_image_runs_serves_a_town(tmp_path: Path) -> None:
    (command,) = (json.loads(found) for found in dockerfile("CMD"))
    env = environment(" ".join(dockerfile("ENV")), tmp_path)
    env["CARDTOWN_CACHE"] = os.environ.get("CARDTOWN_CACHE", "")
    serve_once([CARDTOWN, *command], env)
    assert (tmp_path / "var" / "lib" / "cardtown" / "town.sqlite").exists()
