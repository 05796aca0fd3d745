"""`cardtown backup`: everything that a town keeps, in one file, while it goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from cardtown.cli.hosting import kept_there


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@kept_there
def command(file: Path, where: str | Path) -> None:
    """Write all tables and people, and the key that signs, into a new FILE that only its owner can read.

    The server may run meanwhile. The file holds the hands of all matches: keep it as you keep the town itself.
    """
    from cardtown.server import backup
    from cardtown.server.copies import read_town

    try:
        asyncio.run(backup.write(file, read_town(where)))
        tables = backup.check(file)
    except backup.BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{tables:,} {'table' if tables == 1 else 'tables'} and all people are in {file}.")
