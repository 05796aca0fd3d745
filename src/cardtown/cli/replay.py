"""`cardtown replay`: verify transcripts, or watch one of their games as a seat saw it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardtown.cli.terminal.watch import Moment, Watching
from cardtown.core import transcript
from cardtown.core.game import GameError
from cardtown.core.match import Match
from cardtown.core.transcript import FalseTranscript
from cardtown.games import games


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--game", "wanted", type=click.IntRange(1), metavar="K", help="Show game K of the file, step by step.")
@click.option("--seat", type=click.IntRange(0), metavar="S", help="Show it as seat S saw it; else as a spectator.")
def command(file: str, wanted: int | None, seat: int | None) -> int:
    """Verify every game of a file of transcripts by the rules."""
    from cardtown.cli import fail

    if seat is not None and wanted is None:
        raise click.UsageError("--seat goes with --game, which says what game to show")
    shown: tuple[Watcher, Match] | None = None
    number = 0
    for number, found in transcript.read(Path(file)):
        watch = Watcher(seat) if number == wanted else None
        try:
            match = transcript.replay(found, games(), watch)
        except FalseTranscript as error:
            fail(f"{file}: game {number}: {error}", code=1)
        if watch:
            shown = watch, match
    if wanted is None:
        click.echo(f"{number} {'game' if number == 1 else 'games'} verified.")
    elif shown is None:
        raise GameError(f"{file} holds {number} games; there is no game {wanted}")
    else:
        shown[0].show(shown[1])
    return 0


class Watcher:
    """Keeps what one watcher saw at every step of a match."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.moments: list[Moment] = []

    def __call__(self, match: Match) -> None:
        if self.seat is not None and self.seat >= match.seats:
            raise GameError(f"there is no seat {self.seat}; seats are 0–{match.seats - 1}")
        self.moments.append(Moment(match.table(self.seat), len(match.told_to(self.seat))))

    def show(self, match: Match) -> None:
        """The whole game step by step: on the table in a terminal, else in words."""
        names = [f"Seat {place}" for place in range(match.state.places)]
        if sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty():
            Watching(match.game, names, self.moments, match.lines(self.seat)).run()
            return
        say = match.game.words.say
        lines = match.lines(self.seat)
        heard = 0
        for number, (table, told) in enumerate(self.moments):
            click.echo(f"{number:>4}  {say(table.progress, names)}")
            for line in lines[heard:told]:
                click.echo(f"      {say(line.text, names)}")
            heard = told
        click.echo()
        for row in table.sheet.rows:
            points = " ".join("    ·" if point is None else f"{point:>+5}" for point in row.points)
            click.echo(f"{say(row.title, names):<32}{points}  {say(row.why, names) if row.why else ''}")
        assert table.ending is not None
        click.echo(say(table.ending.reason, names))
