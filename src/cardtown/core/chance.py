"""Chance: one seam with three sources.

Rules ask for chance by `shuffle`, `pick` and `pick_counted` only, and name what they ask for. Compiled, all draw from
the seeded stream in the state. In plain Python the state's source answers: that stream, the script of a transcript, or
a secret that nobody knows before the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from hashlib import blake2b
from typing import Protocol

from .cards import count, nth
from .state import State
from .story import Drawn

M32 = 0xFFFFFFFF

Stream = MutableSequence[int]
"""Four numbers that a stream of chance goes on from: sfc32 kept in 64 bits runs alike in Python, LLVM and CUDA."""


def seed_stream(r: Stream, seed: int, number: int) -> None:
    """Start the stream that belongs to `seed` and `number`: each pair has its own."""
    r[0] = seed & M32
    r[1] = (seed >> 32) & M32
    r[2] = number & M32
    r[3] = (1 + (number >> 32)) & M32
    for _ in range(12):
        rand32(r)


def rand32(r: Stream) -> int:
    """The next 32 random bits."""
    b = r[1]
    c = r[2]
    out = (r[0] + b + r[3]) & M32
    r[3] = (r[3] + 1) & M32
    r[0] = b ^ (b >> 9)
    r[1] = (c + (c << 3)) & M32
    r[2] = ((((c << 21) | (c >> 11)) & M32) + out) & M32
    return out


def below(r: Stream, n: int) -> int:
    """A random number from 0 to n - 1."""
    return (rand32(r) * n) >> 32


def any_of(r: Stream, cards: int) -> int:
    """A random card of the set."""
    return nth(cards, below(r, count(cards)))


def mix(r: Stream, cards: MutableSequence[int], start: int, n: int) -> None:
    """Put `cards[start]` to `cards[n - 1]` into random order."""
    for i in range(n - 1, start, -1):
        j = start + below(r, i + 1 - start)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def shuffle(s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
    """Shuffle the first `n` of `cards`: the first is the top, the next to be drawn."""
    s.chance.shuffle(s, kind, cards, n)
    if s.journal is not None:
        s.journal.append(Drawn(int(kind), tuple(cards[:n]), None))


def pick(s: State, kind: int, among: int) -> int:
    """Pick one of a set (of seats, of cards) at random."""
    value = s.chance.pick(s, kind, among)
    if s.journal is not None:
        s.journal.append(Drawn(int(kind), None, value))
    return value


def pick_counted(s: State, kind: int, counts: Sequence[int], n: int) -> int:
    """Pick one of many cards of which `counts` tells how many there are of each value 0 to n - 1."""
    value = s.chance.pick_counted(s, kind, counts, n)
    if s.journal is not None:
        s.journal.append(Drawn(int(kind), None, value))
    return value


def counted(counts: Sequence[int], n: int, ticket: int) -> int:
    """The value that card number `ticket` has, where the cards lie in order of their values."""
    for value in range(n):
        ticket -= counts[value]
        if ticket < 0:
            return value
    return -1


def total(counts: Sequence[int], n: int) -> int:
    """How many cards there are of the values 0 to n - 1."""
    cards = 0
    for value in range(n):
        cards += counts[value]
    return cards


def shuffle_by_stream(s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
    """`shuffle` as it is compiled."""
    mix(s.rng, cards, 0, n)


def pick_by_stream(s: State, kind: int, among: int) -> int:
    """`pick` as it is compiled."""
    return any_of(s.rng, among)


def pick_counted_by_stream(s: State, kind: int, counts: Sequence[int], n: int) -> int:
    """`pick_counted` as it is compiled."""
    return counted(counts, n, below(s.rng, total(counts, n)))


class Source(Protocol):
    """Where a plain-Python state gets its chance from."""

    def begin(self, s: State, step: int) -> None:
        """A match sets up (step 0) or makes its choice number `step`."""

    def shuffle(self, s: State, kind: int, cards: MutableSequence[int], n: int) -> None: ...

    def pick(self, s: State, kind: int, among: int) -> int: ...

    def pick_counted(self, s: State, kind: int, counts: Sequence[int], n: int) -> int: ...


class InState:
    """The stream inside the state, as it stands there."""

    def begin(self, s: State, step: int) -> None:
        pass

    def shuffle(self, s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
        shuffle_by_stream(s, kind, cards, n)

    def pick(self, s: State, kind: int, among: int) -> int:
        return pick_by_stream(s, kind, among)

    def pick_counted(self, s: State, kind: int, counts: Sequence[int], n: int) -> int:
        return pick_counted_by_stream(s, kind, counts, n)


IN_STATE = InState()


class Seeded(InState):
    """The stream inside the state, seeded when a match sets up."""

    def __init__(self, seed: int, number: int) -> None:
        self.seed = seed
        self.number = number

    def begin(self, s: State, step: int) -> None:
        if step == 0:
            seed_stream(s.rng, self.seed, self.number)


class ChanceError(Exception):
    """What a script says can't have come out."""


class Script:
    """What a transcript says came out. `expect` gives the order or value of the next chance event of a kind."""

    def __init__(self, expect: Callable[[int, bool], tuple[int, ...]]) -> None:
        self.expect = expect

    def begin(self, s: State, step: int) -> None:
        pass

    def shuffle(self, s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
        order = self.expect(kind, True)
        if sorted(order) != sorted(cards[:n]):
            raise ChanceError("the order is not one of exactly the cards that are shuffled")
        cards[:n] = order

    def pick(self, s: State, kind: int, among: int) -> int:
        (value,) = self.expect(kind, False)
        if not among >> value & 1:
            raise ChanceError("the value is not one that could be picked")
        return value

    def pick_counted(self, s: State, kind: int, counts: Sequence[int], n: int) -> int:
        return self.pick(s, kind, sum(1 << value for value in range(n) if counts[value] > 0))


LONGEST_SECRET = blake2b.MAX_KEY_SIZE


class Secret:
    """Chance from a secret, the step of the match and a counter within the step.

    Nothing seen so far helps to predict what comes, and a step that is undone and done again brings the same. A match
    that goes on from another has its first steps by secrets that are `known`, each of them up to a step.
    """

    def __init__(self, secret: bytes, known: Sequence[tuple[int, bytes]] = ()) -> None:
        self.secret = secret
        self.known = known

    def begin(self, s: State, step: int) -> None:
        secret = next((known for last, known in self.known if step <= last), self.secret)
        self.numbers = self._numbers(secret, step)

    def _numbers(self, secret: bytes, step: int) -> Iterator[int]:
        for counter in range(1 << 32):
            text = step.to_bytes(4, "big") + counter.to_bytes(4, "big")
            yield int.from_bytes(blake2b(text, key=secret, digest_size=16).digest(), "big")

    def _below(self, n: int) -> int:
        # 128 bits: what the remainder favours is beyond measuring.
        return next(self.numbers) % n

    def shuffle(self, s: State, kind: int, cards: MutableSequence[int], n: int) -> None:
        for i in range(n - 1, 0, -1):
            j = self._below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def pick(self, s: State, kind: int, among: int) -> int:
        return nth(among, self._below(count(among)))

    def pick_counted(self, s: State, kind: int, counts: Sequence[int], n: int) -> int:
        return counted(counts, n, self._below(total(counts, n)))
