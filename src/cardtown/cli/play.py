"""`cardtown play`: a game in the terminal against bots."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import click

from cardtown.core.game import GameError

from .choosing import SEEDS, bots_for, chooses_game, says_language, setup


@click.command("play")
@chooses_game
@click.option(
    "--bots",
    default="medium",
    show_default=True,
    metavar="NAME,…",
    help="Who plays the other seats: random, easy, medium, hard, or hard for a time or tries (hard:500ms, hard:20000).",
)
@click.option("--seed", type=SEEDS, metavar="N", help="Deal the same games again.")
@click.option("--name", "person", metavar="NAME", help="What you are called (default: your login name).")
@says_language
@click.option("--record", metavar="FILE", help="Write the record of the game that ended last to FILE.")
def command(
    name: str,
    seats: int | None,
    option: tuple[str, ...],
    components: str | None,
    bots: str,
    seed: int | None,
    person: str | None,
    language: str,
    record: str | None,
) -> None:
    """Play a game here: you sit in seat 0, bots in the others."""
    chosen = setup(name, seats, option, components)
    others = other_bots(bots, chosen.choosing)
    words = chosen.game.words_in(language)
    file = None if record is None else writable(Path(record))
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise GameError("cardtown play needs a terminal; without one, `cardtown simulate` plays games by themselves")

    from .terminal.app import Seating, Terminal

    Terminal(Seating(chosen, person or login_name(), others, seed, file, words=words)).run()


def login_name() -> str:
    """What the machine calls who sits before it."""
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError):
        return "Player"


def other_bots(names: str, seats: int) -> list[str]:
    """The bots of the seats from 1 on: one name for all of them, or one for each."""
    given, others = names.count(",") + 1, seats - 1
    if given not in (1, others):
        one_each = f", or {others} names" if others > 1 else ""
        raise GameError(
            f"--bots names {given} bots, but you sit in seat 0 of {seats} and bots play the other {others}; "
            f"give one name{one_each}"
        )
    return bots_for(names, others)


def writable(file: Path) -> Path:
    """Make sure that a file can be written at the end, and leave it as it is."""
    existed = file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        raise GameError(f"{file}: can't be written ({error.strerror})") from None
    if not existed:
        file.unlink()
    return file
