"""Inputs to try a server with: made from the types of its messages, altered, damaged, or anything at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

DEEP = 20_000
"""Brackets within brackets: more than anybody's stack can take."""


@dataclass(frozen=True)
class Known:
    """Stands for something that is really there when it is sent, such as the present decision: the n-th of its kind."""

    what: str
    n: int


Find = Callable[[Known], Any]
NUMBERS = st.integers(0, 62)
TEXTS = st.text(max_size=90)


def known(what: str) -> st.SearchStrategy[Known]:
    return st.builds(Known, st.just(what), NUMBERS)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
"""Whatever JSON can say, and numbers that it can't."""


@dataclass(frozen=True)
class Input:
    """What is sent: a value as JSON, or bytes; in the middle of it some may be cut out and others put in."""

    value: Any
    at: int = 0
    cut: int = 0
    put: bytes = b""
    is_as_meant: bool = False
    """It is of the type that is wanted there."""

    def encode(self, find: Find) -> bytes:
        data = self.value if isinstance(self.value, bytes) else json.dumps(self.value, default=find).encode()
        at = self.at % (len(data) + 1)
        return data[:at] + self.put + data[at + self.cut :]


def mostly(usual: st.SearchStrategy[Any], odd: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Three times out of four the one, else the other."""
    return st.integers(0, 3).flatmap(lambda n: odd if n == 3 else usual)


def of_type(kind: inspect.Type, likely: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Values of a type as it is sent; a field for which there are likely values mostly has those."""
    match kind:
        case inspect.Metadata():
            return of_type(kind.type, likely)
        case inspect.IntType():
            return st.integers(kind.ge, kind.le if kind.lt is None else kind.lt - 1)
        case inspect.StrType():
            return st.text(min_size=kind.min_length or 0, max_size=90 if kind.max_length is None else kind.max_length)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([of_type(each, likely) for each in kind.types])
        case inspect.VarTupleType():
            return st.lists(of_type(kind.item_type, likely), min_size=kind.min_length or 0, max_size=kind.max_length)
        case inspect.DictType():
            return st.dictionaries(of_type(kind.key_type, likely), of_type(kind.value_type, likely), max_size=3)
        case inspect.StructType():
            fields = {each.encode_name: each for each in kind.fields}
            values = {name: of_type(each.type, likely) for name, each in fields.items()}
            values |= {name: mostly(likely[name], values[name]) for name in values.keys() & likely.keys()}
            tag = {kind.tag_field: st.just(kind.tag)} if kind.tag_field else {}
            return st.fixed_dictionaries(
                {**tag, **{name: value for name, value in values.items() if fields[name].required}},
                optional={name: value for name, value in values.items() if not fields[name].required},
            )
    raise TypeError(f"no values are known for {kind}")


@st.composite
def altered(draw: st.DrawFn, objects: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """An object with one field left out, changed or added."""
    found = dict(draw(objects))
    if draw(st.booleans()) and found:
        del found[draw(st.sampled_from(sorted(found)))]
    if draw(st.booleans()):
        found[draw(st.sampled_from(sorted(found)) | TEXTS if found else TEXTS)] = draw(VALUES)
    return found


def inputs(wanted: Any, likely: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Input]:
    """What may be sent where something of a type is wanted: mostly that, or nearly."""
    meant = of_type(inspect.type_info(wanted), likely)
    as_meant = st.builds(Input, meant, is_as_meant=st.just(True))
    damaged = st.builds(replace, as_meant, at=st.integers(0, 500), cut=st.integers(0, 5), put=st.binary(max_size=3))
    opening = st.sampled_from([b"[", b'{"id":1,"x":[', b'{"do":[', b'{"clock":{"x":['])
    deep = st.builds(lambda begin, n: begin + b"[" * n, opening, st.integers(1, DEEP // 2))
    nearly = st.builds(Input, altered(meant)) | damaged.map(lambda one: replace(one, is_as_meant=False))
    return mostly(as_meant, nearly | st.builds(Input, VALUES | st.binary(max_size=60) | deep))
