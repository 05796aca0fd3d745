"""docs/protocol.md, made from the types of the messages: `python -m cardtown.server.protocol FILE`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args

import msgspec

from . import messages as wire
from .connection import FAILED, FULL, NO_TABLE, REMOVED, TOO_MANY
from .refusal import Why
from .sockets import TOO_OFTEN, TOO_SLOW

BEGINNING = """\
# Playing through the API

Made from the types in `src/cardtown/server/messages.py` by `make docs`; don't edit.

Everything that people do in the browser a program can do too. `examples/bot.py` is a whole bot in less than 60 lines.
The pages under `/api` are described by `/openapi.json`; a table is played over its socket, as told here.

## Who you are

A first request gets a cookie (`cardtown`), signed, which makes you the same guest next time. A program shows a token
instead, which a guest makes with `POST /api/me/tokens`: `Authorization: Bearer town_…`. It acts as that guest.

## A table

`POST /api/tables` with `{"game": "hollywood", "seats": ["me", "open"]}` opens one and answers `{"table": NAME}`.
Whoever knows the name can come; listed tables are in `GET /api/lobby` too. When all seats are taken the match begins.

`GET /api/tables/NAME/socket` is a WebSocket. Messages are JSON texts of at most 16 KiB towards the server.

- On connecting, and whenever the table changes, you are sent a **view**: all that you may see of it, and your choices.
  Who reads slowly gets the newest view only. `lines` and `said` begin at `first_line` and `first_said`: what you have
  from there on is replaced. What was told about the table is left out as long as all of it is the same; of the
  board, zones that are as in the view before are only named by their ids, and the score sheet is null. The first view
  of a table on a socket has everything, and so has the next one after a `resync`.
- A **choice answers a decision**: send back the view's `decision` and the `number` of one of `board.choices`. Another's
  secret choice made at the same time does not make yours stale.
- Every request has an answer: what was asked for, `refused` with a reason, or a view that has the request's `id` among
  `done`: then it is on disk and will not be lost.
- Where the tables below say `else`, a field may be missing: then it is that.
- Texts are keys with arguments (`{"is": "text", "key": …, "args": …}`): the words are in
  `GET /api/games/GAME/words/en`.

```json
{"do": "choose", "id": 7, "decision": "0.12", "choice": 3}
```
"""

REQUESTS = "## What you may send"
MESSAGES = "## What you are sent"
PARTS = "## What these are made of"
REASONS = "## Why something is refused"
CODES = {
    4001: "the token is not known",
    REMOVED: "the host has sent you away from this table",
    NO_TABLE: "there is no such table",
    TOO_OFTEN: "you ask too often",
    TOO_SLOW: "you read too slowly; come back, and you are sent the whole table",
    TOO_MANY: "you, or all at your address, have too many sockets",
    1009: "a message was too long",
    FAILED: "something went wrong in the server, or you answered no ping",
    FULL: "there are too many sockets or tables; try again later",
}


def page() -> str:
    """The whole page."""
    requests, messages = get_args(wire.AnyRequest), get_args(wire.AnyMessage)
    _, components = msgspec.json.schema_components([*requests, *messages], ref_template="{name}")
    tops = {kind.__name__ for kind in (*requests, *messages)}
    return "\n".join(
        [
            BEGINNING,
            REQUESTS,
            "Each has an `id` of your choice (0 if you leave it out), which its answer carries.\n",
            *(chapter(components, kind, "do") for kind in requests),
            MESSAGES,
            "",
            *(chapter(components, kind, "is") for kind in messages),
            PARTS,
            "",
            *(described(name, components[name], ()) for name in sorted(components) if name not in tops),
            REASONS,
            "",
            ", ".join(f"`{why}`" for why in get_args(Why)) + ".\n",
            "The socket is closed with one of these codes:\n",
            *(f"- {code}: {reason}" for code, reason in CODES.items()),
            "",
        ]
    )


def chapter(components: dict[str, Any], kind: Any, tag: str) -> str:
    """A request or message with its fields."""
    return described(f'`"{tag}": "{kind.__struct_config__.tag}"`', components[kind.__name__], (tag, "id"))


def described(title: str, schema: dict[str, Any], hidden: Sequence[str]) -> str:
    lines = [f"### {title}", "", cleandoc(schema.get("description", "")), ""]
    if "enum" in schema:
        return "\n".join([*lines[:2], ", ".join(f"`{value}`" for value in schema["enum"]) + ".", ""])
    fields = {name: field for name, field in schema.get("properties", {}).items() if name not in hidden}
    if fields:
        needed = schema.get("required", ())
        lines += ["| field | type | |", "|---|---|---|"]
        for name, field in fields.items():
            note = "; ".join(filter(None, (field.get("description", ""), "" if name in needed else missing(field))))
            lines.append(f"| `{name}` | {type_of(field)} | {note} |")
        lines.append("")
    return "\n".join(line for i, line in enumerate(lines) if line or i == 0 or lines[i - 1])


def missing(field: dict[str, Any]) -> str:
    """What a field is where it is missing."""
    return f"else `{plain(field['default'])}`" if "default" in field else "else as before"


def plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def type_of(field: dict[str, Any]) -> str:
    """A type in a few words."""
    if "$ref" in field:
        return str(field["$ref"])
    if "const" in field:
        return f"`{plain(field['const'])}`"
    if "enum" in field:
        return " or ".join(f"`{plain(value)}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(type_of(each) for each in field["anyOf"])
    match field.get("type"):
        case "array":
            return f"list of {type_of(field.get('items', {}))}"
        case "object":
            return (
                f"object of {type_of(field['additionalProperties'])}" if "additionalProperties" in field else "object"
            )
        case "integer" | "number" | "string" | "boolean" | "null":
            return str(field["type"])
    return "anything"


def main() -> None:
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
