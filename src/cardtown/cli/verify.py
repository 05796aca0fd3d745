"""`cardtown verify`: prove that a match was dealt and played as its record says."""

from __future__ import annotations

from pathlib import Path

import click

from cardtown.core import record
from cardtown.core.record import FalseRecord
from cardtown.games import games


@click.command("verify")
@click.argument("file", metavar="FILE")
def command(file: str) -> int:
    """Verify the record of a finished match: its commitment, its secret and every row of its log."""
    from cardtown.cli import fail

    found = record.read(Path(file))
    try:
        match = record.verify(found, games())
    except FalseRecord as error:
        fail(f"{file}: {error}", code=1)
    rules = "" if found["rules"] == match.game.rules_hash else " It was played by other rules, and agrees with these."
    begun = (
        f" It goes on from another match: its deal and its first {match.begun} choices were known before."
        if "known" in found
        else ""
    )
    click.echo(
        f"Verified: {match.game.title}, {len(match.log)} rows; the secret is the one committed to at the start, "
        f"and the log leads to the outcome.{begun}{rules}"
    )
    return 0
