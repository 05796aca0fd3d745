"""`cardtown serve`: host tables for people and bots."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

import click
from platformdirs import user_data_path

from cardtown.cli.hosting import limits
from cardtown.server.bounds import Bounds
from cardtown.server.town import Settings

HOST, PORT = "127.0.0.1", 8450


@click.command("serve")
@click.option("--host", default=HOST, show_default=True, help="Address to listen on; 0.0.0.0 for every network.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free one.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Name under which people elsewhere reach it through a web server; may be given again.",
)
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Folder of everything that is kept.")
@click.option(
    "--pause",
    type=click.FloatRange(0, 60),
    default=Settings.pause,
    show_default=True,
    help="Seconds after which bots answer.",
)
@click.option(
    "--grace",
    type=click.FloatRange(0),
    default=Settings.grace,
    show_default=True,
    help="Seconds that somebody may be away while others wait, before a bot takes over.",
)
@limits
@click.option("--open", "opens", is_flag=True, help="Open the town in the browser.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    data: Path | None,
    pause: float,
    grace: float,
    bounds: Bounds,
    opens: bool,
) -> None:
    """Host tables: people join them in the browser, programs through the API."""
    from cardtown.server.identity import IdentityError
    from cardtown.server.process import CantListen, listen, serve
    from cardtown.server.store import StoreError

    folder = data or user_data_path("cardtown")
    try:
        listening = listen(host, port)
        address = f"http://{host if ':' not in host else f'[{host}]'}:{listening.getsockname()[1]}"

        def when_open() -> None:
            click.echo(f"Cardtown is open at {address} (data in {folder}); Ctrl+C closes it.")
            if opens:  # some browsers come back only when they are closed
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        serve(listening, folder, Settings(pause=pause, grace=grace, bounds=bounds), names, when_open)
    except (CantListen, IdentityError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{folder}: {error.strerror}") from None
