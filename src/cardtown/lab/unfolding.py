"""Games in which chance is a player: every card that a shuffle brings is a move of its own.

Rules draw in the middle of a step. Here a step is carried out with what chance has decided so far; where that is not
enough, it is forgotten, chance decides one card more, and the step is carried out again. Positions never change, so
they can be shared by whoever looks ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cardtown.core.cards import members
from cardtown.core.game import Game, Options
from cardtown.core.play import seat_to_act
from cardtown.core.state import State
from cardtown.core.story import Entry, Told
from cardtown.games import find

from .simulate import places_of
from .stepping import reward

CHANCE = -1
OVER = -4
"""Who is to move where no seat is: OpenSpiel's numbers."""


class Setting:
    """What is played, by how many, with which options; `components` names a file if they are not the shipped ones."""

    def __init__(self, game_id: str, components: str, seats: int, options: tuple[str, ...]) -> None:
        self.named = game_id, components, seats, options
        found = find(game_id)
        self.game: Game = found.with_components_file(Path(components)) if components else found
        self.seats = self.game.check_seats(seats)
        self.options: Options = self.game.complete(self.game.parse_options(options), self.seats)
        self.choosing = self.game.choosing(self.seats, self.options)
        self.places = places_of(self.game, self.seats, self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        return setting, self.named

    @property
    def fair(self) -> float:
        """The share of the win that everybody would have if all were equal."""
        return 1 / self.places

    @property
    def is_zero_sum(self) -> bool:
        """Do the seats share all of the win? Not where something that plays by itself may win."""
        return self.choosing == self.places

    @cached_property
    def beginning(self) -> Position:
        """Before anything was drawn."""
        return Position(self, self.game.blank(self.seats, self.options), (), Step(None, 0, ())).carried_out(())

    def position_at(self, s: State) -> Position:
        """Where a game stands, with no past: nobody knows more than what can be known there."""
        return Position(self, s.copy(), (Glimpse(None, s.copy()),), None)


@cache
def setting(game_id: str, components: str, seats: int, options: tuple[str, ...]) -> Setting:
    return Setting(game_id, components, seats, options)


class Draw(NamedTuple):
    """What chance is deciding: it takes `n` of the cards that are left (in order), one after another."""

    kind: int
    left: tuple[int, ...]
    taken: tuple[int, ...]
    n: int

    @property
    def is_decided(self) -> bool:
        """Are all taken, or are those that are left all alike?"""
        return len(self.taken) == self.n or len(set(self.left)) == 1

    @property
    def order(self) -> tuple[int, ...]:
        return (*self.taken, *self.left)[: self.n]

    def outcomes(self) -> list[tuple[int, float]]:
        """What may come next, and how likely it is."""
        cards = len(self.left)
        return [(card, many / cards) for card, many in Counter(self.left).items()]

    def with_card(self, card: int) -> Draw:
        at = self.left.index(card)
        return Draw(self.kind, self.left[:at] + self.left[at + 1 :], (*self.taken, card), self.n)


class Undecided(Exception):
    """The rules draw, and chance has not decided yet."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw


class Decided:
    """A source of chance that brings what was decided, and asks when there is no more."""

    def __init__(self, orders: Sequence[tuple[int, ...]]) -> None:
        self.orders = iter(orders)

    def begin(self, s: State, step: int) -> None:
        pass

    def shuffle(self, s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
        cards[:n] = self._next(kind, cards[:n], n)

    def pick(self, s: State, kind: int, among: int) -> int:
        return self._next(kind, members(among), 1)[0]

    def pick_counted(self, s: State, kind: int, counts: Sequence[int], n: int) -> int:
        return self._next(kind, [value for value in range(n) for _ in range(counts[value])], 1)[0]

    def _next(self, kind: int, cards: Sequence[int], n: int) -> tuple[int, ...]:
        draw = Draw(int(kind), tuple(sorted(cards)), (), n)
        if draw.is_decided or not n:
            return draw.order
        order = next(self.orders, None)
        if order is None:
            raise Undecided(draw)
        return order


class Step(NamedTuple):
    """What is being carried out: a seat's choice, or the set-up (no seat); and what chance has decided for it."""

    seat: int | None
    choice: int
    decided: tuple[tuple[int, ...], ...]


class Heard(NamedTuple):
    """A choice that was made, or the set-up (no seat), and what was told of it."""

    seat: int | None
    choice: int
    told: tuple[Told, ...]


class Glimpse:
    """A state in place of what happened before: it was guessed by a seat, whose own past stands before it."""

    def __init__(self, guesser: int | None, state: State) -> None:
        self.guesser = guesser
        self.state = state
        self.known: dict[int, str] = {}

    def known_to(self, game: Game, seat: int) -> str:
        if seat not in self.known:
            self.known[seat] = knowledge(game, self.state, seat)
        return self.known[seat]


def knowledge(game: Game, s: State, seat: int) -> str:
    """A name for all that a seat knows: a guess from it, always the same one, keeps nothing else."""
    return blake2b(game.redealt(s, seat, 0).packed(), digest_size=16).hexdigest()


class Position:
    """Where a game stands, and how it came to be there. While a step is being carried out, chance is to decide."""

    __slots__ = ("draw", "past", "setting", "state", "step", "who")

    def __init__(
        self,
        setting: Setting,
        state: State,
        past: tuple[Heard | Glimpse, ...],
        step: Step | None,
        draw: Draw | None = None,
    ) -> None:
        self.setting = setting
        self.state = state
        self.past = past
        self.step = step
        self.draw = draw
        self.who = CHANCE if draw else seat_to_act(state) if state.acting else OVER

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        past = [(p.guesser, p.state.packed()) if isinstance(p, Glimpse) else p for p in self.past]
        return restored, (self.setting, self.state.packed(), past, self.step, self.draw)

    def legal(self) -> list[int]:
        """The choices of the seat that is to move."""
        return members(self.setting.game.rules.legal(self.state, self.who))

    def after(self, action: int) -> Position:
        """Where it stands when the seat has chosen so, or chance has brought this card."""
        if self.draw is None:
            return self._carry_out(Step(self.who, action, ()))
        assert self.step is not None
        draw = self.draw.with_card(action)
        if draw.is_decided:
            return self.carried_out((*self.step.decided, draw.order))
        return Position(self.setting, self.state, self.past, self.step, draw)

    def carried_out(self, decided: tuple[tuple[int, ...], ...]) -> Position:
        assert self.step is not None
        return self._carry_out(self.step._replace(decided=decided))

    def _carry_out(self, step: Step) -> Position:
        rules = self.setting.game.rules
        s = self.state.copy()
        s.chance = Decided(step.decided)
        journal: list[Entry] = []
        s.journal = journal
        try:
            if step.seat is None:
                rules.start(s)
            else:
                rules.play(s, step.seat, step.choice)
        except Undecided as asked:
            return Position(self.setting, self.state, self.past, step, asked.draw)
        s.journal = None
        told = tuple(entry for entry in journal if isinstance(entry, Told))
        return Position(self.setting, s, (*self.past, Heard(step.seat, step.choice, told)), None)

    def known_to(self, seat: int) -> str:
        """All that a seat was told and chose; where what came before is a guess, what it knew there."""
        found = []
        for heard in reversed(self.past):
            if isinstance(heard, Heard):
                found += [f"{t.event}:{','.join(map(str, t.args))}" for t in reversed(heard.told) if t.is_for(seat)]
                if heard.seat == seat:
                    found.append(f"chose:{heard.choice}")
            elif heard.guesser != seat:
                found.append(heard.known_to(self.setting.game, seat))
                break
        return " ".join(reversed(found))

    def guessed_by(self, seat: int, seed: int) -> Position:
        """The same as the seat knows it, with a guess in place of all else."""
        guess = self.setting.game.redealt(self.state, seat, seed)
        return Position(self.setting, guess, (*self.past, Glimpse(seat, guess)), None)

    def returns(self) -> list[float]:
        """What each seat has of the win beyond its fair share; nothing before the end."""
        if self.who != OVER:
            return [0.0] * self.setting.choosing
        return [reward(self.state, seat) - self.setting.fair for seat in range(self.setting.choosing)]


def restored(
    setting: Setting,
    state: bytes,
    past: Sequence[Heard | tuple[int | None, bytes]],
    step: Step | None,
    draw: Draw | None,
) -> Position:
    """A position from what was pickled of it."""
    full = tuple(p if isinstance(p, Heard) else Glimpse(p[0], unpacked(setting.game, p[1])) for p in past)
    return Position(setting, unpacked(setting.game, state), full, step, draw)


def unpacked(game: Game, packed: bytes) -> State:
    return game.rules.State.unpacked(np.frombuffer(packed, game.rules.State.dtype)[0])
