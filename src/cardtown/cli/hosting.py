"""What hosts decide with the same words at several commands: how much there may be, and how long it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any

import click

from cardtown.server.bounds import Bounds

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


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say how much there may be: `bounds`."""

    @wraps(command)
    def run(*args: Any, slow_after: float, **options: Any) -> Any:
        given = {name: options.pop(f"most_{name}") for name in LIMITS}
        return command(*args, bounds=Bounds(**given, slow=slow_after), **options)

    found = click.option(
        "--slow-after",
        type=click.FloatRange(0.1),
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
