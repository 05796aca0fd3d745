"""`cardtown games`: what can be played."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from cardtown.games import games


@click.command("games")
def command() -> None:
    """List the games with their seats and options."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("game", "title", "seats", "minutes", "options"):
        shown.add_column(title)
    for game in games().values():
        options = [
            f"{option.name}={'|'.join(str(value) for value in option.values)} (default {option.default})"
            for option in game.options
        ]
        seats = f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        shown.add_row(game.id, game.title, seats, str(game.minutes), "\n".join(options))
    Console().print(shown)
