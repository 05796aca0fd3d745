"""web/src/wire.ts, made from the types of the messages: `python -m cardtown.server.typescript FILE`."""

from __future__ import annotations

import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args

import msgspec

from cardtown.core.table import Card, Cell, Token, Zone

from . import messages as wire
from .refusal import Why
from .routes import ROUTES

BEGINNING = """\
// All that goes over the wire. Made from the types in src/cardtown/server/messages.py by `make docs`; don't edit.
"""
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def module() -> str:
    """The whole module."""
    requests, messages = get_args(wire.AnyRequest), get_args(wire.AnyMessage)
    over_http = [kind for route in ROUTES for kind in (route.answer, route.body) if kind not in (None, str)]
    _, components = msgspec.json.schema_components(
        [*requests, *messages, wire.Error, *over_http], ref_template="{name}"
    )
    sent = {kind.__name__ for kind in (*requests, *(route.body for route in ROUTES)) if kind}
    return "\n".join(
        [
            BEGINNING,
            *(declared(name, components[name], name in sent) for name in sorted(components)),
            alias("Request", [kind.__name__ for kind in requests]),
            alias("Message", [kind.__name__ for kind in messages]),
            alias("Thing", ["Card", "Token"]),
            alias("Why", [literal(why) for why in get_args(Why)]),
            defaults(),
        ]
    )


def defaults() -> str:
    """What is left out where it is as usual."""
    lines = [
        f"  {kind.__name__}: {{ {', '.join(f'{field}: {literal(value)}' for field, value in usual(kind).items())} }},"
        for kind in (Card, Cell, Token, Zone)
    ]
    return "\n".join(
        ["/** What is left out where it is as usual. */", "export const DEFAULTS = {", *lines, "} as const;", ""]
    )


def usual(kind: type[msgspec.Struct]) -> dict[str, Any]:
    assert kind.__struct_config__.omit_defaults
    count = len(kind.__struct_defaults__)
    return dict(zip(kind.__struct_fields__[-count:], kind.__struct_defaults__, strict=True))


def declared(name: str, schema: dict[str, Any], is_sent: bool) -> str:
    """A type. Of what is sent fields with defaults may be left out; what the server answers has those without one, or
    they are as before.
    """
    if "enum" in schema:
        return alias(name, [literal(value) for value in schema["enum"]])
    lines = [f"/** {line} */" if i == 0 else line for i, line in enumerate([described(schema)]) if line]
    lines.append(f"export interface {name} {{")
    for field, kind in schema.get("properties", {}).items():
        may_miss = field not in schema.get("required", ()) and (is_sent or "default" not in kind)
        lines.append(f"  {field}{'?' if may_miss else ''}: {type_of(kind)};")
    return "\n".join([*lines, "}", ""])


def described(schema: dict[str, Any]) -> str:
    return " ".join(cleandoc(schema.get("description", "")).split())


def alias(name: str, kinds: list[str]) -> str:
    one_line = f"export type {name} = {' | '.join(kinds)};"
    several = "\n".join([f"export type {name} =", *(f"  | {kind}" for kind in kinds)]) + ";"
    return (one_line if len(one_line) <= 120 else several) + "\n"


def literal(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def type_of(kind: dict[str, Any]) -> str:
    if "$ref" in kind:
        return str(kind["$ref"])
    if "const" in kind:
        return literal(kind["const"])
    if "enum" in kind:
        return " | ".join(literal(value) for value in kind["enum"])
    if "anyOf" in kind:
        return " | ".join(type_of(each) for each in kind["anyOf"])
    match kind.get("type"):
        case "array":
            item = type_of(kind.get("items", {}))
            return f"({item})[]" if "|" in item else f"{item}[]"
        case "object":
            return f"Record<string, {type_of(kind.get('additionalProperties') or {})}>"
        case str(plain):
            return PLAIN[plain]
    return "unknown"


def main() -> None:
    Path(sys.argv[1]).write_text(module(), encoding="utf-8")


if __name__ == "__main__":
    main()
