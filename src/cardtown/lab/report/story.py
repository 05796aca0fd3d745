"""What happened in games, and to whom: told lines, kinds of moves and cards, and how often who had them went on to win.

Games that were played compiled tell nothing; here their moves are made once more in plain Python, before a witness.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cardtown.core.cards import members
from cardtown.core.chance import seed_stream
from cardtown.core.game import Game
from cardtown.core.state import State
from cardtown.core.story import ALL, Told
from cardtown.core.table import Card, SeatName, Text, Zone

from ..table import Table
from .measuring import Figure, ratio
from .sample import Course

Happened = dict[str, Counter[int]]
"""How often each thing happened to each seat in one game; seat NOBODY where it is nobody's."""

NOBODY = -1
TALLIES = ("lines", "kinds", "held", "used", "held_alike", "used_alike")


@dataclass
class Tally:
    """One thing over many games: in how many it happened, how often, and for each of them how much of it was won."""

    games: int = 0
    times: int = 0
    won: list[tuple[float, float]] = field(default_factory=list)

    def add(self, seats: Counter[int], course: Course) -> None:
        self.games += 1
        self.times += seats.total()
        mine = {seat: n for seat, n in seats.items() if seat != NOBODY}
        if mine:
            won = sum(n * course.played.share(seat) for seat, n in mine.items())
            self.won.append((won, float(sum(mine.values()))))

    def merge(self, other: Tally) -> None:
        self.games += other.games
        self.times += other.times
        self.won += other.won

    @property
    def win_rate(self) -> Figure:
        """Of all the times that it happened to somebody, how often that seat went on to win."""
        return ratio(self.won)


class Move(NamedTuple):
    """A kind of move in one game: how often it was possible, and made."""

    possible: int
    made: int


@dataclass
class Story:
    """What the games of a sample tell."""

    games: int = 0
    lines: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    kinds: defaultdict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    held: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    used: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    held_alike: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    used_alike: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """The same for cards that differ in their suit alone, under the name of the first of them."""
    chosen: defaultdict[int, list[Move]] = field(default_factory=lambda: defaultdict(list))
    labels: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """The labels that choices of each kind bear."""
    endings: set[str] = field(default_factory=set)
    """The lines that end a game: they say who won and tell nothing of why."""

    def merge(self, other: Story) -> None:
        self.games += other.games
        for name in TALLIES:
            mine, others = getattr(self, name), getattr(other, name)
            for key, tally in others.items():
                mine[key].merge(tally)
        for kind, moves in other.chosen.items():
            self.chosen[kind] += moves
        for kind, labels in other.labels.items():
            self.labels[kind] += labels
        self.endings |= other.endings


class Witness:
    """Watches one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lines: Happened = defaultdict(Counter)
        self.kinds: dict[int, Counter[int]] = defaultdict(Counter)
        self.held: Happened = defaultdict(Counter)
        self.used: Happened = defaultdict(Counter)
        self.held_alike: Happened = {}
        self.used_alike: Happened = {}
        self.possible: Counter[int] = Counter()
        self.labels: dict[int, Counter[str]] = defaultdict(Counter)
        self.hands: dict[int, Counter[str]] = defaultdict(Counter)
        self.last = ""

    def watch(self, s: State, seat: int, choice: int) -> None:
        """Look at a seat's table before it makes its choice."""
        show, rules = self.game.show, self.game.rules
        zones = show.zones(s, seat)
        hand = Counter(hand_faces(zones, seat))
        for face, n in (hand - self.hands[seat]).items():
            self.held[face][seat] += n
        self.hands[seat] = hand
        faces = {thing.id: thing.face for zone in zones for thing in zone.things if isinstance(thing, Card)}
        for thing in show.path(s, seat, choice):
            if faces.get(thing):
                self.used[str(faces[thing])][seat] += 1
        self.possible.update({rules.kind(s, other) for other in members(rules.legal(s, seat))})
        kind = int(rules.kind(s, choice))
        self.kinds[kind][seat] += 1
        self.labels[kind][show.label(s, choice).key] += 1

    def listen(self, told: Iterable[Told]) -> None:
        """Hear what everybody is told; what only some are told has a line for all beside it."""
        for entry in told:
            if entry.to == ALL:
                line = self.game.show.line(entry.event, entry.args)
                self.lines[line.key][subject(line)] += 1
                self.last = line.key


def hand_faces(zones: Sequence[Zone], seat: int) -> list[str]:
    """The faces in a seat's own hand."""
    hands = [zone for zone in zones if zone.kind == "fan" and zone.owner == seat]
    return [thing.face for zone in hands for thing in zone.things if isinstance(thing, Card) and thing.face]


def alike(game: Game) -> dict[str, str]:
    """Of each face the first that is like it but for its suit: in their titles only a word that has its own differs."""
    first: dict[object, str] = {}
    found = {}
    for name, face in game.show.faces().items():
        own = tuple(sorted((key, str(arg)) for key, arg in face.title.args.items() if not isinstance(arg, Text)))
        found[name] = first.setdefault((face.title.key, own), name)
    return found


def together(happened: Happened, first: dict[str, str]) -> Happened:
    """What happened to cards, counted for those that are alike."""
    found: Happened = defaultdict(Counter)
    for face, seats in happened.items():
        found[first.get(face, face)] += seats
    return found


def subject(line: Text) -> int:
    """The seat that a line is about: the one that it names as `seat`, else the first."""
    named = [line.args["seat"]] if "seat" in line.args else list(line.args.values())
    return next((arg.seat for arg in named if isinstance(arg, SeatName)), NOBODY)


def retell(game: Game, table: Table, course: Course, seed: int) -> Witness:
    """Make the moves of a game once more, and watch."""
    s = game.blank(table.seats, table.options)
    seed_stream(s.rng, seed, course.played.deal)
    journal = s.journal = []
    game.rules.start(s)
    witness = Witness(game)
    for move in course.moves.tolist():
        seat, choice = move >> 6, move & 63
        witness.watch(s, seat, choice)
        game.rules.play(s, seat, choice)
        witness.listen(entry for entry in journal if isinstance(entry, Told))
        journal.clear()
    return witness


def tell_story(game: Game, table: Table, courses: Sequence[Course], seed: int) -> Story:
    """What these games tell."""
    story, first = Story(), alike(game)
    for course in courses:
        witness = retell(game, table, course, seed)
        story.games += 1
        story.endings.add(witness.last)
        witness.held_alike = together(witness.held, first)
        witness.used_alike = together(witness.used, first)
        for name in TALLIES:
            tallies = getattr(story, name)
            for key, seats in getattr(witness, name).items():
                tallies[key].add(seats, course)
        for kind, n in witness.possible.items():
            story.chosen[int(kind)].append(Move(n, witness.kinds[kind].total()))
        for kind, labels in witness.labels.items():
            story.labels[kind] += labels
    return story
