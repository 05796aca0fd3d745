"""`cardtown rules`: how a game is played."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown

from cardtown.core.words import CLAUSES
from cardtown.games import find


@click.command("rules")
@click.argument("name", metavar="GAME")
def command(name: str) -> None:
    """Explain the rules of a game; each paragraph names its clauses."""
    text = CLAUSES.sub(lambda found: f"*{found[1]}*", find(name).words.help)
    console = Console()
    console.print(Markdown(text), width=min(console.width, 100))
