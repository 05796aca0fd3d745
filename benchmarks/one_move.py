"""The program whose first move is timed: a bot moves, it says so, and stays until the code for the next is compiled."""

from __future__ import annotations

import sys

from cardtown.bots import ask
from cardtown.bots.levels import make_bot
from cardtown.bots.readiness import wait_for
from cardtown.core.chance import Secret
from cardtown.core.match import Match
from cardtown.games import find

SEED = 1
SECRET = b"the same deal in every process"


def main(name: str, seats: int, bot_name: str) -> None:
    game = find(name)
    bot = make_bot(bot_name, game, SEED)
    match = Match(game, seats, {}, Secret(SECRET))
    seat = match.acting[0]
    while len(match.legal(seat)) == 1:
        match.choose(seat, match.legal(seat)[0])
        seat = match.acting[0]
    try:
        match.choose(seat, ask(bot, game, match.state, seat, SEED))
        print("moved", flush=True)
    finally:
        code = wait_for(game)
    if not code.is_compiled:
        sys.exit(f"{name} could not be compiled")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
