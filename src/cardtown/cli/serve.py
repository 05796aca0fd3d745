"""`cardtown serve`: host tables for people and bots."""

from __future__ import annotations

import asyncio
import re
import threading
import webbrowser
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from cardtown.cli.hosting import Number, keeps, limits, place
from cardtown.server.bounds import Bounds
from cardtown.server.keeping import Keep
from cardtown.server.town import Settings

HOST, PORT = "127.0.0.1", 8450
NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def as_asked_for(ctx: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as browsers ask for them."""
    found = []
    for name in names:
        try:
            found.append(name.encode("idna").decode().lower())
        except UnicodeError:
            found.append("")
        if not NAME.fullmatch(found[-1]):
            raise click.BadParameter(f"{name!r} is no name of a server, like cards.example.org")
    return tuple(found)


@click.command("serve")
@click.option("--host", default=HOST, show_default=True, help="Address to listen on; 0.0.0.0 for every network.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free one.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    callback=as_asked_for,
    help="Name under which people elsewhere reach it through a web server; may be given again.",
)
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Folder of everything that is kept.")
@click.option(
    "--database",
    metavar="URL",
    envvar="CARDTOWN_DATABASE",
    help="Keep everything in PostgreSQL instead: postgresql://user:password@host/name. "
    "The variable CARDTOWN_DATABASE says the same and is not seen by others.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that serve; more than one need a database.",
)
@click.option(
    "--pause",
    type=Number(0, 60),
    default=Settings.pause,
    show_default=True,
    help="Seconds after which bots answer.",
)
@click.option(
    "--grace",
    type=Number(0),
    default=Settings.grace,
    show_default=True,
    help="Seconds that somebody may be away while others wait, before a bot takes over.",
)
@keeps
@limits
@click.option("--open", "opens", is_flag=True, help="Open the town in the browser.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    data: Path | None,
    database: str | None,
    workers: int,
    pause: float,
    grace: float,
    bounds: Bounds,
    keep: Keep,
    opens: bool,
) -> None:
    """Host tables: people join them in the browser, programs through the API."""
    from cardtown.server.identity import IdentityError
    from cardtown.server.process import CantListen, listen, serve
    from cardtown.server.store import StoreError
    from cardtown.server.stores import check_address, set_up
    from cardtown.server.workers import serve_together

    where = place(data, database)
    if workers > 1 and isinstance(where, Path):
        raise click.UsageError("several workers need what they can share: --database postgresql://user@host/name")
    try:
        shown = where if isinstance(where, Path) else check_address(where)
        listening = listen(host, port)
        address = f"http://{host if ':' not in host else f'[{host}]'}:{listening.getsockname()[1]}"

        def when_open() -> None:
            click.echo(f"Cardtown is open at {address} (data in {shown}); Ctrl+C closes it.")
            if opens:  # some browsers come back only when they are closed
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        settings = Settings(pause=pause, grace=grace, bounds=bounds, keep=keep)
        if workers == 1:
            serve(listening, where, settings, names, when_open)
        else:
            asyncio.run(set_up(where))  # said here, not by each of them
            settings = replace(settings, threads=max(1, settings.threads // workers))
            serve_together(workers, partial(serve, listening, where, settings, names), when_open)
    except (CantListen, IdentityError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{shown}: {error.strerror}") from None
