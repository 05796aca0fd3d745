"""Words for texts: a file per language in a game's folder, `words/en.toml`, and the town's own beside this module.

A message is a string with `{names}` of arguments, or a table of strings `one` and `other` between which the argument
`n` decides. Where a card's title is too long for a sentence, `<key>_short` names it there. `help.en.md` explains the
rules; each of its paragraphs ends with the clauses it tells, as `{HOL-06}`.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .table import Arg, FaceName, SeatName, Text

CLAUSES = re.compile(r"\{([A-Z]{3}-\d\d(?: [A-Z]{3}-\d\d)*)\}")


class Words:
    """The words of one game in one language."""

    def __init__(self, folder: Path, language: str = "en") -> None:
        file = folder / "words" / f"{language}.toml"
        self.messages: dict[str, str | dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))
        self.help = (folder / "words" / f"help.{language}.md").read_text(encoding="utf-8")

    def say(self, message: Text, names: Sequence[str]) -> str:
        """The message in words; `names` are the seats' names."""
        found = self.messages[message.key]
        if isinstance(found, dict):
            found = found["one" if message.args["n"] == 1 else "other"]
        return found.format_map({name: self._arg(arg, names) for name, arg in message.args.items()})

    def _arg(self, arg: Arg, names: Sequence[str]) -> str:
        match arg:
            case Text():
                return self.say(arg, names)
            case SeatName(seat):
                return names[seat]
            case FaceName(face):
                return face
        return str(arg)

    def clause(self, clause: str) -> str:
        """The paragraph of the help that tells a clause."""
        for paragraph in self.help.split("\n\n"):
            if any(clause in found.split() for found in CLAUSES.findall(paragraph)):
                return CLAUSES.sub("", paragraph).strip()
        raise KeyError(clause)

    def clauses(self) -> list[str]:
        """The clauses that the help tells, in its order."""
        return [clause for found in CLAUSES.findall(self.help) for clause in found.split()]

    def arguments(self, key: str) -> set[str]:
        """The arguments that a message's words use."""
        found = self.messages[key]
        forms = found.values() if isinstance(found, dict) else [found]
        return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


def languages(folder: Path) -> tuple[str, ...]:
    """The languages that a game is told in: those with messages and help."""
    files = sorted((folder / "words").glob("*.toml"))
    return tuple(file.stem for file in files if file.with_name(f"help.{file.stem}.md").exists())


@cache
def words(folder: Path, language: str = "en") -> Words:
    return Words(folder, language)
