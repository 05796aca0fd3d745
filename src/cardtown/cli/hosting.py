"""What hosts decide with the same words at several commands: how much there may be, and how long it is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from platformdirs import user_data_path

from cardtown.server.bounds import Bounds
from cardtown.server.keeping import Keep

LIMITS = {
    "tables": "Tables in the whole town that are not over.",
    "tables_each": "The same, opened by one person.",
    "sockets": "Sockets of one process.",
    "sockets_each": "Sockets of one person.",
    "sockets_address": "Sockets from one address elsewhere.",
    "thoughts": "Bots' thoughts that wait; with more nobody gets a hint, a review or a new bot.",
    "rows": "Rows in the log of one table.",
    "said": "Lines of chat at one table.",
}


class Number(click.FloatRange):
    """One that can be counted with: click takes `nan` and `inf` for some."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a valid float range.", param, ctx)
        return found


def place(data: Path | None, database: str | None) -> Path | str:
    """Where a town is kept by these options. A folder that is named counts more than a database of the environment."""
    if data is not None and database is not None:
        if click.get_current_context().get_parameter_source("database") is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("a town is kept in a folder (--data) or in a database (--database), not in both")
        return data
    return database or data or user_data_path("cardtown")


def kept_there(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say where a town is kept: `where`, a folder or the address of a database.

    What is wrong there is said in one line.
    """

    @wraps(command)
    def run(*args: Any, data: Path | None, database: str | None, **options: Any) -> Any:
        from cardtown.server.identity import IdentityError
        from cardtown.server.store import StoreError
        from cardtown.server.stores import check_address

        where = place(data, database)
        try:
            if isinstance(where, str):
                check_address(where)
            return command(*args, where=where, **options)
        except (StoreError, IdentityError) as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"{error.filename or where}: {error.strerror or error}") from None

    for add in (
        click.option(
            "--database", metavar="URL", envvar="CARDTOWN_DATABASE", help="Database in which the town is kept."
        ),
        click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Folder in which it is kept."),
    ):
        run = add(run)
    return run


KEPT = {
    "chat": "Days after which what was said at tables that are over is forgotten.",
    "unstarted": "Days after which tables are forgotten at which nothing was ever played.",
    "finished": "Days after which tables that are over are forgotten.",
}


def keeps(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say how long what is over is kept: `keep`."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        given = {name: options.pop(f"keep_{name}") for name in KEPT}
        return command(*args, keep=Keep(**given), **options)

    found = run
    for name, help in reversed(KEPT.items()):
        days = click.option(f"--keep-{name}", type=Number(0), metavar="DAYS", help=f"{help} Else never.")
        found = days(found)
    return found


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say how much there may be: `bounds`."""

    @wraps(command)
    def run(*args: Any, slow_after: float, **options: Any) -> Any:
        given = {name: options.pop(f"most_{name}") for name in LIMITS}
        return command(*args, bounds=Bounds(**given, slow=slow_after), **options)

    found = click.option(
        "--slow-after",
        type=Number(0.1),
        default=Bounds.slow,
        show_default=True,
        help="Seconds after which somebody who does not read is disconnected.",
    )(run)
    for field in reversed(fields(Bounds)):
        if field.name in LIMITS:
            name = field.name.replace("_", "-")
            found = click.option(
                f"--most-{name}",
                type=click.IntRange(1),
                default=field.default,
                show_default=True,
                help=LIMITS[field.name],
            )(found)
    return found
