"""`cardtown report`: is a game balanced? One page with figures and plots."""

from __future__ import annotations

import click

from cardtown.core.game import GameError
from cardtown.games import find

from .choosing import SEEDS, chooses_game, chooses_workers, file_to_write, setup, workers
from .progress import progress


@click.command("report")
@chooses_game
@click.option("--bots", metavar="NAME,…", help="Who plays, the better player first (default: hard:200,easy).")
@click.option(
    "--games", type=click.IntRange(1), metavar="N", help="Games of each kind at the main table (default: 600)."
)
@click.option("--vary", multiple=True, metavar="K=V,…", help="Compare values of an option, or of seats (default: all).")
@click.option("--seed", type=SEEDS, default=0, metavar="N", help="Which games: the same seed, the same report.")
@chooses_workers
@click.option("--out", metavar="FILE", help="Write the page to FILE (default: GAME-report.html).")
def command(
    name: str,
    seats: int | None,
    option: tuple[str, ...],
    components: str | None,
    bots: str | None,
    games: int | None,
    vary: tuple[str, ...],
    seed: int,
    threads: int | None,
    processes: int | None,
    cluster: str | None,
    out: str | None,
) -> None:
    """Measure a game's balance, and write one page about it.

    Seats, length, scores, choices, rules, cards, luck and skill; what variants change, and what depends on components
    that had to be reconstructed. Without --seats the middle of the possible numbers of seats is taken.
    """
    file = file_to_write(out or f"{name}-report.html", (".html",), "--out writes an .html file")
    every = find(name).seats
    chosen = setup(name, seats or every[len(every) // 2], option, components)

    from cardtown.lab.report.making import make_page
    from cardtown.lab.report.survey import USUAL_BOTS, USUAL_GAMES, Request, check_bots, plan, survey
    from cardtown.lab.report.variants import parse_vary

    request = Request(
        chosen.table,
        check_bots(bots.split(",") if bots else USUAL_BOTS),
        games or USUAL_GAMES,
        seed,
        parse_vary(chosen.game, vary) if vary else None,
    )
    given = workers(threads, processes, cluster)
    planned = plan(request)
    with progress(planned.games) as tick:
        found = survey(request, planned, tick, given)
    typed = typed_again(name, chosen.seats, option, components, request.bots, request.games, vary, seed)
    try:
        file.write_text(make_page(found, chosen.game, typed), encoding="utf-8")
    except OSError as error:
        raise GameError(f"{file}: can't be written ({error.strerror})") from None
    click.echo(f"{file}: {planned.games:,} games")


def typed_again(
    name: str,
    seats: int,
    option: tuple[str, ...],
    components: str | None,
    bots: tuple[str, ...],
    games: int,
    vary: tuple[str, ...],
    seed: int,
) -> str:
    """The command that makes the same report."""
    words = [f"cardtown report {name} --seats {seats}"]
    words += [f"--option {pair}" for pair in option]
    words += [f"--components {components}"] if components else []
    words += [f"--bots {','.join(bots)} --games {games}"]
    words += [f"--vary {wish}" for wish in vary]
    return " ".join([*words, f"--seed {seed}"])
