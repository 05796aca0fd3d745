"""`cardtown export`: the finished games of a town as transcripts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from cardtown.cli.choosing import file_to_write
from cardtown.cli.hosting import kept_there
from cardtown.games import games


@click.command("export")
@click.argument("file", metavar="FILE.jsonl")
@kept_there
def command(file: str, where: str | Path) -> None:
    """Write every match that was played to its end into a new FILE, which `cardtown replay` verifies."""
    from cardtown.server.copies import read_town
    from cardtown.server.exporting import export
    from cardtown.server.files import new_file

    target = file_to_write(file, (".jsonl",), "transcripts are written to a .jsonl file")
    try:
        with new_file(target) as out:
            found = asyncio.run(export(read_town(where), games(), out))
    except FileExistsError:
        raise click.ClickException(f"{file}: is there already; choose another name") from None
    written = found.pop("written", 0)
    others = ", ".join(f"{count:,} {what}" for what, count in sorted(found.items()))
    click.echo(f"{written:,} {'game' if written == 1 else 'games'} written{f'; left out: {others}' if others else ''}.")
