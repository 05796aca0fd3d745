"""`cardtown forget`: forget what is too old to be kept, now."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

import click

from cardtown.cli.hosting import keeps, kept_there
from cardtown.server.keeping import Keep, What, forget_old

WHAT: dict[What, str] = {"chat": "tables' chat", "unstarted": "tables never played at", "finished": "finished tables"}


@click.command("forget")
@kept_there
@keeps
def command(where: str | Path, keep: Keep) -> None:
    """Forget what is older than it is to be kept. The server may run, and does the same if it has the same options."""
    if keep.is_for_ever:
        raise click.UsageError("say what is to be forgotten: --keep-chat, --keep-unstarted or --keep-finished DAYS")
    found = Counter(what for what, _ in asyncio.run(forget(where, keep)))
    said = ", ".join(f"{found[what]:,} {words}" for what, words in WHAT.items() if found[what])
    click.echo(f"Forgotten: {said or 'nothing'}.")


async def forget(where: str | Path, keep: Keep) -> list[tuple[What, str]]:
    from cardtown.server.copies import check_town
    from cardtown.server.sqlite import STORE_FILE
    from cardtown.server.stores import open_store

    await check_town(where)
    store = await open_store(where / STORE_FILE if isinstance(where, Path) else where)
    try:
        async with store.alone("forget"):
            return await forget_old(store, keep, time.time())
    finally:
        await store.close()
