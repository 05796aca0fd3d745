"""Going on from a step of a finished match, against bots, at a table of one's own."""

from __future__ import annotations

from .help import finished
from .messages import GoOn
from .refusal import Refused
from .rows import ITSELF, Beginning, Opened, Player
from .table import Table, check_bot_name
from .town import Town


async def go_on(town: Town, table: Table, person: str, wish: GoOn) -> Table:
    """Open a table that begins with the first choices of a match and goes on by a secret of its own."""
    finished(table)
    bot = Player(bot=check_bot_name(wish.bot))
    beginning, acting = begin(table, wish.step)
    seat = table.people.get(person, acting[0]) if wish.seat is None else wish.seat
    if seat >= choosing(table):
        raise Refused("no-such-seat", f"nobody can sit in seat {seat}; seats are 0 to {choosing(table) - 1}")
    players = [bot] * choosing(table) + [ITSELF] * (table.opened.seats - choosing(table))
    players[seat] = Player(person=person)
    await town.check_room(person, players)
    return await town.open_as(
        Opened(
            game=table.opened.game,
            rules=table.game.rules_hash,
            seats=table.opened.seats,
            options=table.opened.options,
            players=tuple(players),
            host=person,
            secret=town.new_secret().hex(),
            components=table.opened.components,
            beginning=beginning,
        )
    )


def choosing(table: Table) -> int:
    """How many seats choose; for the others the rules do."""
    return finished(table).choosing


def begin(table: Table, steps: int) -> tuple[Beginning, tuple[int, ...]]:
    """The first choices of a finished match, and the seats that had to choose then."""
    made = finished(table).choices
    if steps > len(made):
        raise Refused("no-such-step", f"there is no step {steps}; steps are 0 to {len(made)}")
    match = table.new_match()
    moves = []
    for seat, choice in made[:steps]:
        moves.append((seat, table.game.show.move(match.state, choice)))
        match.choose(seat, choice)
    if match.outcome is not None:
        raise Refused("over", "the match is over there: choose an earlier step")
    secrets = []
    for last, secret in (*table.opened.beginning.secrets, (steps, table.opened.secret)):
        secrets.append((min(last, steps), secret))
        if last >= steps:
            break
    return Beginning(tuple(moves), tuple(secrets)), match.acting
