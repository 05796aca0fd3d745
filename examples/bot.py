"""A bot in another process: sits down at a table by its link and plays any game through the socket API.

    python examples/bot.py http://127.0.0.1:8450/api/tables/NAME --token town_…

It chooses at random. A better one looks at `board` (what its seat sees) and at `choices` (each with its `move`).
"""

import argparse
import json
import random

from websockets.sync.client import ClientConnection, connect


def play(socket: ClientConnection) -> dict:
    """Sit down and choose whenever there is something to choose; the last view."""
    answered = None
    for frame in socket:
        message = json.loads(frame)
        if message["is"] == "refused" and message["why"] not in ("stale", "not-your-turn", "seat-taken"):
            raise SystemExit(f"{message['why']}: {message['message']}")
        if message["is"] != "view":
            continue
        if message["stage"] in ("over", "closed"):
            return message
        if message["stage"] == "open" and message["me"] is None:
            free = [seat for seat, player in enumerate(message["seats"]) if player["kind"] == "open"]
            if free:
                socket.send(json.dumps({"do": "sit", "seat": free[0]}))
        elif message["board"] and message["board"]["choices"] and message["decision"] != answered:
            answered = message["decision"]  # a choice answers a decision; the same one is not answered twice
            choice = random.choice(message["board"]["choices"])
            socket.send(json.dumps({"do": "choose", "decision": answered, "choice": choice["number"]}))
    raise SystemExit("the server closed the connection")


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays at a table through the socket API.")
    parser.add_argument("table", help="address of the table: http://HOST/api/tables/NAME")
    parser.add_argument("--token", required=True, help="a token from your profile")
    given = parser.parse_args()
    address = given.table.replace("http", "ws", 1) + "/socket"
    with connect(address, additional_headers={"Authorization": f"Bearer {given.token}"}) as socket:
        print("result:", play(socket)["result"])


if __name__ == "__main__":
    main()
