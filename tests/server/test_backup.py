"""A backup is all of a town at one moment, and becomes that town again wherever it is restored."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import stat
from contextlib import AsyncExitStack
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cardtown.cli import town
from cardtown.core.game import GameError
from cardtown.games import games
from cardtown.server import backup
from cardtown.server.copies import read_town
from cardtown.server.exporting import logs, match_of
from tests.conftest import Tally
from tests.server.parties import person_of
from tests.server.postgres import cluster
from tests.server.serving import Guest, Server, serving
from tests.server.test_play import SHORTEST, start

WISHES = [("hollywood", 2, ()), ("gossip", 3, ()), ("crimson", 2, ("random",)), ("hinode", 2, ("random", "easy"))]


def run(*words: str | Path) -> str:
    """What a command says; it must succeed."""
    done = CliRunner().invoke(town, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


def fail(*words: str | Path) -> str:
    """What a command complains of in one line."""
    error = CliRunner().invoke(town, [str(word) for word in words], standalone_mode=False).exception
    assert isinstance(error, click.ClickException | GameError), error
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def place(kind: str, folder: Path) -> tuple[str, str]:
    """The options that name an empty place for a town."""
    return ("--database", cluster().new_database()) if kind == "postgresql" else ("--data", str(folder))


def where(place: tuple[str, str]) -> str | Path:
    return place[1] if place[0] == "--database" else Path(place[1])


async def everything(town: str | Path) -> list[object]:
    return [entry async for entry in read_town(town)]


async def rows_of(town: str | Path) -> set[object]:
    return {entry async for entry in read_town(town) if entry.row}


async def play_on(server: Server, dice: random.Random, wishes: list[tuple[str, int, tuple[str, ...]]]) -> None:
    """One match after another, with some talk, for ever."""
    while True:
        game, people, bots = dice.choice(wishes)
        async with AsyncExitStack() as stack:
            chairs = await start(server, stack, game, people, *bots, options=SHORTEST.get(game, {}), is_listed=True)
            await chairs[0].ask("say", text=f"{dice.random()}")
            async with asyncio.TaskGroup() as group:
                for chair in chairs:
                    group.create_task(chair.play(lambda step: dice.randrange(63)))


async def replayed(town: str | Path) -> int:
    """How many tables a town has; every one of them replays."""
    tables = 0
    async for name, rows in logs(read_town(town)):
        assert [row.number for row in rows] == list(range(len(rows)))
        match_of(name, rows, games())
        tables += 1
    return tables


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
async def test_a_backup_taken_under_load_is_a_town_on_which_every_table_replays(
    tmp_path: Path, source: str, target: str, soak: int, tally: Tally
) -> None:
    there = place(source, tmp_path / "there")
    with serving(tmp_path / "there", "--grace", "600", *there) as server:
        mia = Guest(server.url)
        person = person_of(mia)
        waiting = mia.open("hollywood", ["me", "open"])
        players = [asyncio.create_task(play_on(server, random.Random(i), WISHES)) for i in range(4)]
        before = []
        for number in range(soak):
            await asyncio.sleep(1.0)
            before.append(await rows_of(where(there)))
            await asyncio.to_thread(run, "backup", tmp_path / f"town{number}.backup", *there)
        for player in players:
            assert not player.done(), "people played meanwhile"
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    after = await rows_of(where(there))
    tables = 0
    for number in range(soak):
        here = place(target, tmp_path / f"here{number}")
        file = tmp_path / f"town{number}.backup"
        said = await asyncio.to_thread(run, "restore", file, *here)
        count = await replayed(where(here))
        assert f"{count:,} tables" in said
        tables += count
        restored = await rows_of(where(here))
        assert restored == {entry for entry in backup.read(file) if entry.row}
        assert before[number] <= restored <= after
    assert tables > 4 * soak
    tally("backups taken under load and restored", soak)
    tally("tables replayed from them", tables)
    with serving(tmp_path / f"here{number}", *here) as again:
        mia.url = again.url
        assert person_of(mia) == person, "the key is the same, so everybody is known"
        async with mia.at(waiting) as chair:
            assert chair.view["me"] == 0


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small town in a folder: two matches played to their end, one given up, one not over."""
    folder = tmp_path_factory.mktemp("town")

    async def live(server: Server) -> None:
        async with AsyncExitStack() as stack:
            for game in ("hollywood", "gossip"):
                chairs = await start(server, stack, game, 3 if game == "gossip" else 2, options=SHORTEST.get(game, {}))
                await asyncio.gather(*(chair.play() for chair in chairs))
            chairs = await start(server, stack, "hollywood", 2)
            await chairs[0].do("resign")
            await start(server, stack, "hollywood", 2)

    with serving(folder, "--data", str(folder)) as server:
        asyncio.run(live(server))
        server.stop()
    return folder


def test_a_town_moves_from_a_folder_to_a_database_and_back(kept: Path, tmp_path: Path) -> None:
    database = ("--database", cluster().new_database())
    run("backup", tmp_path / "first", "--data", kept)
    run("restore", tmp_path / "first", *database)
    run("backup", tmp_path / "second", *database)
    run("restore", tmp_path / "second", "--data", tmp_path / "back")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert asyncio.run(everything(tmp_path / "back")) == asyncio.run(everything(kept))
    for file in (tmp_path / "first", *(tmp_path / "back").iterdir()):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_nothing_is_overwritten(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "town"
    run("backup", file, "--data", kept)
    before = file.read_bytes()
    assert "is there already" in fail("backup", file, "--data", kept)
    assert file.read_bytes() == before
    assert "is there already" in fail("restore", file, "--data", kept)
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "signing-key").write_bytes(b"k" * 32)
    assert "is there already" in fail("restore", file, "--data", tmp_path / "key")
    assert [each.name for each in (tmp_path / "key").iterdir()] == ["signing-key"]
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "town.sqlite-wal").write_bytes(b"rows of another town")
    assert "town.sqlite-wal: is there already" in fail("restore", file, "--data", tmp_path / "left")
    database = ("--database", cluster().new_database())
    run("restore", file, *database)
    assert "holds a town already" in fail("restore", file, *database)


def test_a_file_that_is_damaged_cut_off_or_no_backup_changes_nothing(kept: Path, tmp_path: Path) -> None:
    good = tmp_path / "good"
    run("backup", good, "--data", kept)
    packed, plain = good.read_bytes(), gzip.decompress(good.read_bytes())
    middle = len(plain) // 2
    bad = {
        "cut off": packed[: len(packed) // 2],
        "cut off at its end": packed[:-1],
        "damaged": packed[:500] + bytes([packed[500] ^ 1]) + packed[501:],
        "changed and packed again": gzip.compress(plain[:middle] + bytes([plain[middle] ^ 1]) + plain[middle + 1 :]),
        "longer": gzip.compress(plain + b"x"),
        "without its end": gzip.compress(plain[:-44]),
        "no backup": gzip.compress(b"only words"),
        "not packed": b"only words",
        "empty": b"",
    }
    database = cluster().new_database()
    for what, content in bad.items():
        file = tmp_path / what
        file.write_bytes(content)
        for there in (("--data", tmp_path / "there"), ("--database", database)):
            assert re.search("damaged|cut off|no backup", fail("restore", file, *there)), what
        assert not (tmp_path / "there").exists(), what
    assert "can't be read" in fail("restore", tmp_path / "nowhere", "--data", tmp_path / "there")
    run("restore", good, "--database", database)


def test_a_folder_that_is_named_counts_more_than_a_database_of_the_environment(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDTOWN_DATABASE", cluster().new_database())
    assert "holds no town" in fail("backup", tmp_path / "empty")
    run("backup", tmp_path / "town", "--data", kept)
    run("restore", tmp_path / "town")
    run("backup", tmp_path / "again")
    assert (tmp_path / "town").read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://mia:sec/ret@127.0.0.1:1/town", "%2F"),
        ("postgresql://mia:sec#ret@127.0.0.1:1/town", "%23"),
        ("postgresql://mia:sec[ret@127.0.0.1:1/town", "can't be reached"),
        ("postgresql://mia@127.0.0.1:1/town?password=secret", "can't be reached"),
        ("mysql://mia:secret@127.0.0.1/town", "no address"),
    ],
)
def test_no_part_of_a_password_is_shown(tmp_path: Path, address: str, said: str) -> None:
    line = fail("backup", tmp_path / "town", "--database", address)
    assert said in line
    assert "127.0.0.1" in line
    assert not re.search("sec|ret", line)


def test_where_there_is_no_town_nothing_is_backed_up(tmp_path: Path) -> None:
    for words in (("backup", "file"), ("export", "file.jsonl")):
        file = tmp_path / words[1]
        assert "holds no town" in fail(words[0], file, "--data", tmp_path / "nowhere")
        assert "holds no town" in fail(words[0], file, "--database", cluster().new_database())
        assert "can't be reached" in fail(words[0], file, "--database", "postgresql://127.0.0.1:1/town")
        assert "no address" in fail(words[0], file, "--database", "mysql://somewhere")
        assert "not in both" in fail(words[0], file, "--database", "postgresql://host/town", "--data", tmp_path)
        assert not file.exists()
    assert list(tmp_path.iterdir()) == []


def test_finished_games_are_exported_as_transcripts_that_verify(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert run("export", file, "--data", kept) == "2 games written; left out: 1 given up, 1 not over.\n"
    assert run("replay", file) == "2 games verified.\n"
    assert "is there already" in fail("export", file, "--data", kept)
    assert ".jsonl" in fail("export", tmp_path / "games.txt", "--data", kept)
