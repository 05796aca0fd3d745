"""A game's components: the figures printed on its cards and boards, in `components.toml`.

Every table of the file says whether its figures are printed or reconstructed. Another set of components takes the
place of the shipped one by importing the game's folder once more, under a name of its own: both live side by side.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

Parts = dict[str, dict[str, Any]]

SOURCES = ("printed", "reconstructed")

_replaced: dict[str, Parts] = {}


class ComponentsError(ValueError):
    """A components file can't be used; says the file, the key and the reason."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")


def components(package: str) -> Parts:
    """The components that the game in `package` is to be played with."""
    return _replaced[package] if package in _replaced else shipped(package)


def shipped(package: str) -> Parts:
    """The components in the game's own folder."""
    folder = Path(str(sys.modules[package].__file__)).parent
    return tomllib.loads((folder / "components.toml").read_text(encoding="utf-8"))


def replaced(package: str) -> Parts | None:
    """The components that took the place of the shipped ones, if any did."""
    return _replaced.get(package)


def read(file: Path) -> Parts:
    """The tables of a components file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ComponentsError(str(file), "", f"can't be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentsError(str(file), "", f"is not a TOML file ({error})") from None


def fingerprint(parts: Parts) -> str:
    """A short hash that tells two sets of components apart."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def check_shape(parts: Parts, model: Parts, file: str) -> None:
    """Refuse a set that has not the same keys and kinds of values as the shipped one."""
    for table, figures in model.items():
        if not isinstance(parts.get(table), dict):
            raise ComponentsError(file, f"[{table}]", "this table is missing")
        for key, figure in figures.items():
            if key not in parts[table]:
                raise ComponentsError(file, f"{table}.{key}", "this key is missing")
            _check_value(parts[table][key], figure, file, f"{table}.{key}")
        for key in parts[table]:
            if key not in figures:
                raise ComponentsError(file, f"{table}.{key}", f"unknown key; known are {', '.join(figures)}")
        if parts[table]["source"] not in SOURCES:
            raise ComponentsError(file, f"{table}.source", f"must be one of {', '.join(SOURCES)}")
    for table in parts:
        if table not in model:
            raise ComponentsError(file, f"[{table}]", f"unknown table; known are {', '.join(model)}")


def _check_value(value: Any, model: Any, file: str, key: str) -> None:
    kinds = {int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "a table"}
    if type(value) is not type(model):
        raise ComponentsError(file, key, f"must be {kinds[type(model)]}, not {value!r}")
    if isinstance(model, list):
        if len(value) != len(model):
            raise ComponentsError(file, key, f"must have {len(model)} entries, not {len(value)}")
        for i, (item, like) in enumerate(zip(value, model, strict=True)):
            _check_value(item, like, file, f"{key}[{i}]")
    if isinstance(model, dict):
        if value.keys() != model.keys():
            raise ComponentsError(file, key, f"must have the keys {', '.join(model)}")
        for name, like in model.items():
            _check_value(value[name], like, file, f"{key}.{name}")


def import_with(package: str, parts: Parts, file: str) -> ModuleType:
    """Import the game's folder once more, played with these components."""
    model = shipped(package)
    check_shape(parts, model, file)
    if parts == model:
        return sys.modules[package]
    name = f"{package}_{fingerprint(parts)}"
    if name not in sys.modules:
        origin = str(sys.modules[package].__file__)
        spec = importlib.util.spec_from_file_location(
            name, origin, submodule_search_locations=[str(Path(origin).parent)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        _replaced[name] = parts
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
            importlib.import_module(f"{name}.rules")
        except Exception as error:
            for made in [made for made in sys.modules if made == name or made.startswith(f"{name}.")]:
                del sys.modules[made]
            del _replaced[name]
            if isinstance(error, BadFigure):
                raise ComponentsError(file, error.key, error.reason) from None
            raise
    return sys.modules[name]


class BadFigure(ValueError):
    """A figure that the rules can't be played with, or that the rulebook gives otherwise."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


def require(holds: bool, key: str, reason: str) -> None:
    """Refuse a figure unless the condition holds."""
    if not holds:
        raise BadFigure(key, reason)
