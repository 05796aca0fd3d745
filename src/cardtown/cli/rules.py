"""`cardtown rules`: how a game is played."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown

from cardtown.core.words import CLAUSES
from cardtown.games import find

from .choosing import says_language


@click.command("rules")
@click.argument("name", metavar="GAME")
@says_language
def command(name: str, language: str) -> None:
    """Explain the rules of a game; each paragraph names its clauses."""
    text = CLAUSES.sub(lambda found: f"*{found[1]}*", find(name).words_in(language).help)
    console = Console()
    console.print(Markdown(text), width=min(console.width, 100))
