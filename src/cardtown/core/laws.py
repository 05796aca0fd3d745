"""The laws that every game must keep, whatever its rules.

Each law is a function that raises `LawBroken`. `check_game` plays one game in plain Python and holds every law that
can be seen on the way against every state; `check_twins` and `check_transcript` look at whole games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from . import play
from .cards import members
from .chance import ChanceError, Script, Seeded, Source, any_of, below, seed_stream
from .game import Game, Options
from .match import Chosen, Match
from .play import Player
from .state import MAX_CHOICES, Dice, State
from .story import Drawn, Entry, Told
from .table import faces_in, faces_named
from .transcript import FalseTranscript, replay, write

SWAPS = 4
"""Pairs of deals to compare per seat and game."""

CLOSELY = 24
SELDOM = 12
"""The dear laws are held against so many states from the start, and then against one in so many."""

GUESSES = 5
"""Every so many steps the guesses of plain Python and compiled code are compared."""

LIMIT = 20_000
"""No game takes so many decisions, even by chance."""


class LawBroken(AssertionError):
    """A game broke a law."""

    def __init__(self, law: str, what: str) -> None:
        super().__init__(f"{law}: {what}")
        self.law = law


def players_of(player: Player, seats: int) -> int:
    """The same player in every seat, as `core.play` wants it."""
    return sum(player << (4 * seat) for seat in range(seats))


def combinations(game: Game) -> Iterator[tuple[int, Options]]:
    """Every number of seats with every choice of options."""
    for seats in game.seats:
        chosen: list[Options] = [{}]
        for option in game.options:
            if option.applies(seats):
                chosen = [{**others, option.name: value} for others in chosen for value in option.values]
        for options in chosen:
            yield seats, options


def check_game(game: Game, seats: int, options: Options, player: Player, seed: int, number: int) -> Match:
    """Play one game and hold the laws against the states on the way: some against all of them, the dear ones for the
    seats in turn and, when a game gets long, now and then."""
    bound = game.plain(play)
    match = Match(game, seats, options, Seeded(seed, 2 * number))
    dice = Dice()
    seed_stream(dice.rng, seed, 2 * number + 1)
    witness = match.state.journal = Witness(game, match.state)
    census = game.show.census(match.state)
    for step in range(LIMIT):
        s = match.state
        only_who_acts_may_choose(game, s)
        cards_are_conserved(game, s, census)
        sealed_choices_commute(game, s, dice)
        watcher = (step + number) % seats
        closely = step < CLOSELY or step % SELDOM == number % SELDOM or match.outcome is not None
        if closely:
            redeal_changes_nothing_that_is_known(game, s, watcher, seed + step)
            redeal_forgets_the_truth(game, s, watcher, seed + step)
            witness.watch(watcher)
        if match.outcome:
            alike_deals_give_alike_guesses(match, watcher, dice)
            return match
        seat = play.seat_to_act(s)
        heard = len(match.told)
        choice = bound.choose(players_of(player, seats), s, seat, dice)
        if closely:
            legal_choices_can_be_told_and_touched(game, s, seat)
        match.choose(seat, choice)
        if closely:
            witness.look()
            lines_tell_only_what_is_seen(game, match.told[heard:], watcher, witness.seen)
    raise LawBroken("random games end", f"not after {LIMIT} decisions")


def only_who_acts_may_choose(game: Game, s: State) -> None:
    for seat in range(s.seats):
        choices = game.rules.legal(s, seat)
        if bool(choices) != bool(s.acting >> seat & 1):
            raise LawBroken("only seats to act have choices", f"seat {seat}, acting {s.acting:b}, legal {choices:b}")
        if not 0 <= choices < 1 << MAX_CHOICES:
            raise LawBroken("a decision has at most 63 choices", f"seat {seat}, legal {choices:b}")


def cards_are_conserved(game: Game, s: State, census: list[int]) -> None:
    found = game.show.census(s)
    if found != census:
        lost = [card for card in census if card not in found]
        raise LawBroken("cards are conserved", f"{len(found)} of {len(census)} cards, missing {lost}")


def legal_choices_can_be_told_and_touched(game: Game, s: State, seat: int) -> None:
    """Every legal choice has a notation and a path of its own, over things that are on the table."""
    table = game.table(s, seat, game.show.sheet(s, []))
    moves = [choice.move for choice in table.choices]
    paths = [choice.path for choice in table.choices]
    if len(set(moves)) < len(moves) or len(set(paths)) < len(paths):
        raise LawBroken("choices differ", f"moves {moves}, paths {paths}")
    things = {thing.id for zone in table.zones for thing in zone.things}
    things |= {zone.id for zone in table.zones} | {cell.id for zone in table.zones for cell in zone.cells}
    things |= {button.id for button in table.buttons}
    for path in paths:
        if not path or not set(path) <= things:
            raise LawBroken("choices can be touched", f"path {path} is not on the table of seat {seat}")
        refused = game.show.why_not(s, seat, path[0])
        if refused:
            raise LawBroken("what is legal is not refused", f"{path[0]} for seat {seat}: {refused.clause}")


def redeal_changes_nothing_that_is_known(game: Game, s: State, seat: int, seed: int) -> None:
    other = game.redealt(s, seat, seed)
    if game.table(s, seat, game.show.sheet(s, [])) != game.table(other, seat, game.show.sheet(other, [])):
        raise LawBroken("redeal keeps the table", f"seat {seat} sees another table")
    if game.rules.legal(s, seat) != game.rules.legal(other, seat):
        raise LawBroken("redeal keeps the choices", f"seat {seat} has other choices")
    if game.show.census(s) != game.show.census(other):
        raise LawBroken("redeal keeps the cards", f"for seat {seat} there are other cards")


def redeal_forgets_the_truth(game: Game, s: State, seat: int, seed: int) -> None:
    """Byte for byte, a guess made from a guess is the guess made from the truth."""
    once = game.redealt(s, seat, seed)
    twice = game.redealt(game.redealt(s, seat, seed + 1), seat, seed)
    if once.packed() != twice.packed():
        raise LawBroken("redeal forgets the truth", f"seat {seat} still finds it: {differing(once, twice)}")


def alike_deals_give_alike_guesses(match: Match, watcher: int, dice: Dice) -> int:
    """Two deals that look alike to a seat, while they do, lead it to the same guesses, byte for byte.

    The deals are the match's own and the same with two cards swapped; the number of guesses that were compared.
    """
    drawn = chance_of(match)
    first = next(i for i, event in enumerate(match.events) if isinstance(event, Chosen))
    orders = [i for i, event in enumerate(drawn[:first]) if event.order]
    compared = 0
    for _ in range(SWAPS):
        swapped = with_two_swapped(drawn, orders[below(dice.rng, len(orders))], dice)
        if swapped != drawn:
            compared += _compare_guesses(match, watcher, drawn, swapped)
    return compared


def _compare_guesses(match: Match, watcher: int, one: list[Drawn], other: list[Drawn]) -> int:
    game = match.game
    compared = 0
    for pair in side_by_side(match, one, other):
        if not all(s.acting for s in pair) or not _look_alike(game, pair, watcher):
            break  # when it is over nobody guesses any more
        guesses = [game.redealt(s, watcher, compared) for s in pair]
        if guesses[0].packed() != guesses[1].packed():
            raise LawBroken("redeal forgets the truth", f"seat {watcher} still finds it: {differing(*guesses)}")
        compared += 1
    return compared


def chance_of(match: Match) -> list[Drawn]:
    """All that chance brought in a match."""
    return [event for event in match.events if isinstance(event, Drawn)]


def with_two_swapped(drawn: Sequence[Drawn], at: int, dice: Dice) -> list[Drawn]:
    """The same chance, but in the shuffle at that place two cards lie the other way round."""
    order = list(drawn[at].order or ())
    i, j = below(dice.rng, len(order)), below(dice.rng, len(order))
    order[i], order[j] = order[j], order[i]
    return [*drawn[:at], Drawn(drawn[at].kind, tuple(order), None), *drawn[at + 1 :]]


def side_by_side(match: Match, *deals: Sequence[Drawn]) -> Iterator[list[State]]:
    """Make a match's choices with other chance: the states before each choice and at the end, while all can go on."""
    rules = match.game.rules
    states = [_blank_with(match, Script(expecting(drawn))) for drawn in deals]
    with suppress(ChanceError):  # what chance brought later can't have come in the other deal
        for s in states:
            rules.start(s)
        for seat, choice in match.choices:
            yield states
            if not all(rules.legal(s, seat) >> choice & 1 for s in states):
                return
            for s in states:
                rules.play(s, seat, choice)
        yield states


def _blank_with(match: Match, chance: Source) -> State:
    s = match.game.blank(match.seats, match.options)
    s.chance = chance
    s.journal = []
    return s


def expecting(drawn: Iterable[Drawn]) -> Callable[[int, bool], tuple[int, ...]]:
    """What a script expects where chance brings this, one after another."""
    script = iter(drawn)

    def expect(kind: int, whole_order: bool) -> tuple[int, ...]:
        event = next(script, None)
        if event is None or event.kind != kind:
            raise ChanceError("the other deal goes on in another way")
        return event.order or (event.value or 0,)

    return expect


def _look_alike(game: Game, pair: Sequence[State], watcher: int) -> bool:
    heard = [[line for line in s.journal or [] if isinstance(line, Told) and line.is_for(watcher)] for s in pair]
    tables = [game.table(s, watcher, game.show.sheet(s, [])) for s in pair]
    return heard[0] == heard[1] and tables[0] == tables[1]


def _same(a: object, b: object) -> bool:
    return getattr(a, "cells", a) == getattr(b, "cells", b)


def sealed_choices_commute(game: Game, s: State, dice: Dice) -> None:
    """Choices that are made at the same time lead to the same state in whatever order they come."""
    if not s.acting & (s.acting - 1):
        return
    seats = members(s.acting)
    chosen = {seat: any_of(dice.rng, game.rules.legal(s, seat)) for seat in seats}
    ends = []
    for order in (seats, seats[::-1]):
        other = s.copy()
        for seat in order:
            game.rules.play(other, seat, chosen[seat])
        ends.append(other.packed())
    if ends[0] != ends[1]:
        raise LawBroken("sealed choices commute", f"{chosen}")


class Witness(list[Entry]):
    """A journal that looks at one seat's table whenever the seat is told of a card that it has not seen there yet."""

    def __init__(self, game: Game, s: State) -> None:
        self.game = game
        self.s = s
        self.watch(0)

    def watch(self, watcher: int) -> None:
        """From here on look over the shoulder of this seat."""
        self.watcher = watcher
        self.seen: set[str] = set()
        self.look()

    def look(self) -> None:
        self.seen |= faces_in(self.game.show.zones(self.s, self.watcher))

    def append(self, entry: Entry) -> None:
        super().append(entry)
        if isinstance(entry, Told) and entry.is_for(self.watcher):
            named = faces_named(self.game.show.line(entry.event, entry.args))
            if not named <= self.seen:
                self.look()


def lines_tell_only_what_is_seen(game: Game, told: Sequence[Told], watcher: int, seen: set[str]) -> None:
    """A log line names only cards that its reader saw on the table at some moment of the same move."""
    for line in told:
        if line.is_for(watcher):
            named = faces_named(game.show.line(line.event, line.args))
            if not named <= seen:
                raise LawBroken("log lines do not leak", f"seat {watcher} reads of {sorted(named - seen)}")


def check_twins(game: Game, seats: int, options: Options, player: Player, seed: int, first: int, n: int) -> None:
    """Plain Python and compiled code go through the same states, byte for byte."""
    fast = game.compiled(play)
    slow = game.plain(play)
    blank = game.blank_record(seats, game.complete(options, seats))
    dice = np.zeros(1, Dice.dtype)
    states = np.zeros(LIMIT, blank.dtype)
    players = players_of(player, seats)
    for number in range(first, first + n):
        kept = fast.trace_game(blank, dice, players, seed, number, states)
        s = game.blank(seats, game.complete(options, seats))
        plain_dice = Dice()
        slow.begin(s, plain_dice, seed, number)
        for step in range(kept):
            where = f"game {number}, step {step}"
            if not is_twin(s, states[step]):
                raise LawBroken("twins agree", f"{where}: {differing(s, type(s).unpacked(states[step]))}")
            if step % GUESSES == number % GUESSES:
                fast.redeal_from(states[step], step % seats, seed, step)
                if not is_twin(game.redealt(s, step % seats, seed, step), states[step]):
                    raise LawBroken("twins agree", f"{where}: they guess differently for seat {step % seats}")
            if s.acting:
                seat = play.seat_to_act(s)
                game.rules.play(s, seat, slow.choose(players, s, seat, plain_dice))


def is_twin(s: State, record: np.void) -> bool:
    """Is the record what the plain state says, byte for byte?"""
    try:
        return s.packed() == record.tobytes()
    except OverflowError:
        return False


def differing(s: State, other: State) -> str:
    fields = [name for name in type(s).fields if not _same(getattr(s, name), getattr(other, name))]
    return f"they differ in {', '.join(fields)}"


def check_transcript(match: Match) -> None:
    """A transcript replays to the same end."""
    try:
        again = replay(write(match), {match.game.id: match.game})
    except FalseTranscript as error:
        raise LawBroken("transcripts replay", str(error)) from None
    if again.outcome != match.outcome or again.events != match.events:
        raise LawBroken("transcripts replay", "to another end")
