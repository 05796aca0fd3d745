"""`cardtown restore`: a town as it was when it was backed up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from cardtown.cli.hosting import kept_there


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@kept_there
def command(file: Path, where: str | Path) -> None:
    """Write the town of a backup into a folder or database in which there is none.

    It does not matter in which of the two it was kept before.
    """
    from cardtown.server import backup
    from cardtown.server.copies import write_town

    try:
        tables = backup.check(file)  # before anything changes
        asyncio.run(write_town(where, backup.read(file)))
    except backup.BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{tables:,} {'table' if tables == 1 else 'tables'} and all people are back.")
