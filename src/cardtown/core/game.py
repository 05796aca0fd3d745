"""What a game provides, on one page.

A game is a folder: `rules.py` (its `State` and the functions of `core.rulebook`), `table.py` (the functions of `Show`
below), `components.toml`, `look.toml` and `words/`; `observation.py` if programs shall learn it. Its `__init__.py`
says `GAME = Game(…)`.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol, cast

import numpy as np

from . import bind, observing, play
from .cards import members
from .components import Parts, components, fingerprint, import_with, read, replaced
from .observing import Part
from .state import State
from .story import Told
from .table import Button, Choice, Ending, Face, Line, Sheet, Table, Text, WhyNot, Zone
from .words import Words, languages, words

AnyState = State
Value = int | str
Options = dict[str, Value]


class GameError(ValueError):
    """A game can't be played like this: says what was wrong and what would be right."""


@dataclass(frozen=True)
class Option:
    """A rule that can be chosen. `values` maps what people write to the number in the state's field of that name."""

    name: str
    values: Mapping[Value, int]
    default: Value
    applies: Callable[[int], bool] = lambda seats: True


@dataclass(frozen=True)
class Chance:
    """How a chance event is written: its name, and the notation of every number that it may bring."""

    name: str
    notation: Sequence[Value]


class Rules(Protocol):
    """`rules.py`, as plain Python: see `core.rulebook` for what each function must do."""

    State: type[AnyState]
    start: Callable[[AnyState], None]
    legal: Callable[[AnyState, int], int]
    play: Callable[[AnyState, int, int], None]
    kind: Callable[[AnyState, int], int]
    redeal: Callable[[AnyState, int], None]


class Show(Protocol):
    """`table.py`: how a game is written and shown. A watcher is a seat, or None for a spectator."""

    CHANCES: Mapping[int, Chance]
    REVEALS: frozenset[int]
    """The events by which somebody learns something."""

    SCORING: frozenset[int]
    """The events from which, together with the state, the score sheet is made."""

    def move(self, s: State, choice: int) -> str:
        """The notation of a choice."""

    def zones(self, s: State, watcher: int | None) -> tuple[Zone, ...]: ...

    def buttons(self, s: State, watcher: int | None) -> tuple[Button, ...]: ...

    def path(self, s: State, seat: int, choice: int) -> tuple[str, ...]:
        """The things to touch for a choice."""

    def label(self, s: State, choice: int) -> Text: ...

    def prompt(self, s: State, watcher: int | None) -> Text: ...

    def progress(self, s: State) -> Text: ...

    def line(self, event: int, args: tuple[int, ...]) -> Text:
        """What the log says of an event."""

    def sheet(self, s: State, told: Sequence[Told]) -> Sheet:
        """The score so far; `told` is what everybody was told of the events in SCORING."""

    def ending(self, s: State) -> Text:
        """Why the game ended as it did, in one sentence."""

    def why_not(self, s: State, seat: int, thing: str) -> WhyNot | None:
        """The clause that forbids touching a thing, or None if it may be touched or nothing is known of it."""

    def census(self, s: State) -> list[int]:
        """Every card there is, wherever it lies, in order: no act of the rules changes this."""

    def faces(self) -> dict[str, Face]:
        """Every face that a card can show."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the town knows it."""

    id: str
    package: str
    title: str
    seats: tuple[int, ...]
    minutes: int
    clauses: tuple[str, int]
    options: tuple[Option, ...] = ()
    choosing: Callable[[int, Options], int] = lambda seats, options: seats
    """How many of the seats choose, from seat 0 on; the others play by themselves."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Functions to use in place of the game's own: how tests plant faults."""
    _bound: dict[tuple[str, str], SimpleNamespace] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def folder(self) -> Path:
        return Path(str(sys.modules[self.package].__file__)).parent

    def _module(self, name: str) -> Any:
        module = importlib.import_module(f"{self.package}.{name}")
        changed = {key: value for key, value in self.changed.items() if hasattr(module, key)}
        return SimpleNamespace(**{**vars(module), **changed}) if changed else module

    @cached_property
    def rules(self) -> Rules:
        return cast(Rules, self._module("rules"))

    @cached_property
    def observation(self) -> tuple[Part, ...]:
        """What a seat knows as numbers: the parts, one after another."""
        return cast(tuple[Part, ...], self._module("observation").PARTS) if self._has_observation else ()

    @property
    def observation_length(self) -> int:
        return sum(part.length for part in self.observation)

    def observed(self, s: State, seat: int) -> Any:
        """What a seat knows, as those numbers."""
        row = np.zeros(self.observation_length, np.int8)
        self.plain(observing).observe(s, seat, row)
        return row

    @property
    def _has_observation(self) -> bool:
        return (self.folder / "observation.py").exists()

    @cached_property
    def rulebook(self) -> ModuleType:
        """All that the game provides of `core.rulebook`, in one place."""
        if not self._has_observation:
            return cast(ModuleType, self.rules)
        observe = self._module("observation").observe
        return cast(ModuleType, SimpleNamespace(**{**vars(self.rules), "observe": observe}))

    @cached_property
    def show(self) -> Show:
        return cast(Show, self._module("table"))

    @property
    def words(self) -> Words:
        return words(self.folder)

    def words_in(self, language: str) -> Words:
        known = languages(self.folder)
        if language not in known:
            raise GameError(f"{self.title} has no words in {language!r}; its languages are {', '.join(known)}")
        return words(self.folder, language)

    @cached_property
    def look(self) -> dict[str, Any]:
        """Theme and art: what the clients draw from."""
        return tomllib.loads((self.folder / "look.toml").read_text(encoding="utf-8"))

    @cached_property
    def guide(self) -> dict[str, Any]:
        """The clause of what is asked, by its prompt, and the steps of a tour of the table; a game may do without."""
        file = self.folder / "guide.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @property
    def parts(self) -> Parts:
        return components(self.package)

    @property
    def own_parts(self) -> Parts | None:
        """The components, if they are not the shipped ones."""
        return replaced(self.package)

    def clause_ids(self) -> list[str]:
        prefix, n = self.clauses
        return [f"{prefix}-{i:02}" for i in range(1, n + 1)]

    @cached_property
    def rules_hash(self) -> str:
        """Changes whenever the rules or the components change."""
        files = sorted(file for file in self.folder.glob("*.py") if file.name not in ("table.py", "observation.py"))
        texts = [file.read_text(encoding="utf-8") for file in files]
        return hashlib.sha256("\0".join([*texts, fingerprint(self.parts)]).encode()).hexdigest()[:16]

    def with_components(self, parts: Parts, file: str) -> Game:
        """The same game with other components."""
        return cast(Game, import_with(self.package, parts, file).GAME)

    def with_components_file(self, file: Path) -> Game:
        return self.with_components(read(file), str(file))

    def plain(self, module: ModuleType) -> SimpleNamespace:
        """Code that is written for all games, bound to this one as plain Python."""
        return self._bind("plain", module, lambda: bind.plain(module, self.rulebook))

    def compiled(self, module: ModuleType) -> SimpleNamespace:
        """The same, compiled."""
        return self._bind("compiled", module, lambda: self._compiled.module(module))

    @cached_property
    def _compiled(self) -> bind.Compiled:
        return bind.Compiled(self.rulebook, fingerprint(self.parts))

    def compiled_folder(self, module: ModuleType) -> Path:
        """Where that code is kept."""
        return bind.compiled_folder(module, self.rulebook, fingerprint(self.parts))

    def compiled_from(self, module: ModuleType) -> str:
        """What the files are like that it is made from."""
        return bind.stamps(module, self.rulebook)

    def _bind(self, way: str, module: ModuleType, make: Callable[[], SimpleNamespace]) -> SimpleNamespace:
        key = way, module.__name__
        if key not in self._bound:
            self._bound[key] = make()
        return self._bound[key]

    def redealt(self, s: State, seat: int, seed: int, number: int = 0) -> State:
        """A world that `seat` can't tell from the true one; `seed` and `number` say which."""
        guess = s.copy()
        self.plain(play).redeal_from(guess, seat, seed, number)
        return guess

    def check_seats(self, seats: int | None) -> int:
        """The number of seats, or the smallest possible one if none was asked for."""
        if seats is None:
            return self.seats[0]
        if seats not in self.seats:
            raise GameError(f"{self.id} can't be played by {seats}; possible are {_listed(self.seats)}")
        return seats

    def complete(self, options: Mapping[str, Value], seats: int) -> Options:
        """The options given, checked, and the defaults of those that apply."""
        known = {option.name: option for option in self.options if option.applies(seats)}
        for name, value in options.items():
            if name not in known:
                which = f"known are {', '.join(known)}" if known else "there are none"
                raise GameError(f"{self.id} with {seats} seats has no option {name!r}; {which}")
            if type(value) is bool or value not in known[name].values:
                possible = _listed(tuple(known[name].values))
                raise GameError(f"option {name} can't be {value!r}; possible are {possible}")
        return {name: options.get(name, option.default) for name, option in known.items()}

    def parse_options(self, pairs: Sequence[str]) -> Options:
        """Options written as `name=value`."""
        found: Options = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise GameError(f"an option is written name=value, not {pair!r}")
            found[name] = int(value) if value.isascii() and value.isdigit() else value
        return found

    def blank(self, seats: int, options: Options) -> State:
        """A state from which `start` can start."""
        s = self.rules.State()
        s.seats = s.places = seats
        for option in self.options:
            setattr(s, option.name, option.values[options.get(option.name, option.default)])
        return s

    def blank_record(self, seats: int, options: Options) -> Any:
        """The same for compiled code: an array of one record."""
        made = np.zeros(1, self.rules.State.dtype)
        self.blank(seats, options).pack(made[0])
        return made

    def table(self, s: State, watcher: int | None, sheet: Sheet) -> Table:
        """All that a watcher sees."""
        show = self.show
        legal = 0 if watcher is None else self.rules.legal(s, watcher)
        over = s.acting == 0
        return Table(
            game=self.id,
            seat=watcher,
            seats=s.seats,
            places=s.places,
            acting=tuple(members(s.acting)),
            progress=show.progress(s),
            prompt=show.prompt(s, watcher),
            zones=show.zones(s, watcher),
            buttons=show.buttons(s, watcher),
            choices=tuple([self.choice(s, watcher or 0, c) for c in members(legal)]),
            sheet=sheet,
            ending=Ending(winners(s), scores(s), show.ending(s)) if over else None,
        )

    def detail(self, s: State) -> dict[str, Any]:
        """What the result of a finished game holds beyond scores and winners, if the game's `table.py` tells any."""
        told = getattr(self.show, "detail", None)
        return cast(dict[str, Any], told(s)) if told else {}

    def choice(self, s: State, seat: int, number: int) -> Choice:
        show = self.show
        return Choice(number, show.path(s, seat, number), show.label(s, number), show.move(s, number))

    def lines(self, told: Sequence[Told]) -> list[Line]:
        return [line(self, told.event, told.args) for told in told]


@lru_cache(20_000)  # all who watch read the same lines
def line(game: Game, event: int, args: tuple[int, ...]) -> Line:
    return Line(game.show.line(event, args), event in game.show.REVEALS)


def winners(s: State) -> tuple[int, ...]:
    return tuple(members(s.winners))


def scores(s: State) -> tuple[int, ...]:
    return tuple(s.score[: s.places])


def _listed(values: Sequence[Value]) -> str:
    if (
        len(values) > 2
        and all(isinstance(v, int) for v in values)
        and values == tuple(range(int(values[0]), int(values[-1]) + 1))
    ):
        return f"{values[0]}–{values[-1]}"
    return ", ".join(str(value) for value in values)
