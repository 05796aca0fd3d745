"""The OpenAPI document of the HTTP API, made from the routes and the types that they take and answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from . import VERSION
from . import messages as wire
from .routes import Route

WORD = {"type": "string", "minLength": 1}
QUERIES = {
    "seat": {"type": "integer", "minimum": 0, "maximum": wire.MOST_SEATS - 1},
    "from": {"type": "integer", "minimum": 0, "maximum": wire.MOST_STEPS},
}


def openapi(routes: Sequence[Route]) -> dict[str, Any]:
    """The whole document."""
    types = [wire.Error, *(route.answer for route in routes if route.answer), *filter(None, (r.body for r in routes))]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    refs = dict(zip(map(str, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route, refs)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cardtown",
            "version": VERSION,
            "description": "Tables of card games. A table is played over its socket: see docs/protocol.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A program acts for who made the token."},
                "guest": {"type": "apiKey", "in": "cookie", "name": "cardtown"},
            },
        },
        "security": [{}, {"guest": []}, {"token": []}],
    }


def operation(route: Route, refs: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {str(route.status): {"description": "Done."}}
    if route.answer is not None:
        schema = refs[str(route.answer)]
        answers[str(route.status)]["content"] = {route.media: {"schema": schema}}
    error = {"application/json": {"schema": refs[str(wire.Error)]}}
    answers["default"] = {"description": "Refused; nothing has changed.", "content": error}
    found: dict[str, Any] = {
        "operationId": route.act.__name__,
        "summary": route.summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": WORD} for name in names(route.path)),
            *({"name": name, "in": "query", "required": False, "schema": QUERIES[name]} for name in route.queries),
        ],
        "responses": answers,
    }
    if route.body:
        content = {"application/json": {"schema": refs[str(route.body)]}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def names(path: str) -> list[str]:
    """The names that stand for words in a path."""
    return re.findall(r"{(\w+)}", path)
