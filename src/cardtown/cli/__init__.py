"""The command line: one module per command. Wrong input is answered in one line, with exit code 2 and no traceback."""

from __future__ import annotations

import importlib
import sys
from typing import NoReturn

import click

from cardtown.core.components import ComponentsError
from cardtown.core.game import GameError
from cardtown.core.record import RecordError
from cardtown.core.transcript import TranscriptError

COMMANDS = (
    "serve",
    "games",
    "rules",
    "play",
    "simulate",
    "tournament",
    "train",
    "ladder",
    "report",
    "replay",
    "verify",
    "backup",
    "restore",
    "export",
    "forget",
)
WRONG_INPUT = (GameError, ComponentsError, TranscriptError, RecordError)


class Town(click.Group):
    """Finds a command in the module of its name, and imports no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{name}").command
        return command


@click.group(cls=Town, no_args_is_help=False, invoke_without_command=True)
@click.pass_context
def town(ctx: click.Context) -> None:
    """Cardtown: card games about cities, for players, designers and researchers."""
    if ctx.invoked_subcommand is None:
        from cardtown.cli.serve import command

        with command.make_context("serve", ["--open"], parent=ctx) as serve:
            command.invoke(serve)


def main() -> None:
    """What `cardtown` runs."""
    try:
        sys.exit(town.main(standalone_mode=False) or 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        message = error.format_message()  # which calls a number by the name of click's own class for it
        fail(message.replace("valid integer range", "whole number").replace("valid float range", "number"))
    except WRONG_INPUT as error:
        fail(str(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def fail(message: str, code: int = 2) -> NoReturn:
    """Say in one line what was wrong."""
    click.echo(f"cardtown: {' '.join(message.split())}", err=True)
    sys.exit(code)
