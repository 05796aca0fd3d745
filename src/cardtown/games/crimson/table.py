"""Crimson Crush: its notation, and its table in the town's vocabulary.

A card's id tells equal cards apart by who has it: `G1@2#1` is the first G1 that seat 2 placed or else holds. So a card
keeps its id when it goes from a hand into a row, and no other seat's moves change the ids in one's own hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardtown.core.cards import bit, lowest, members
from cardtown.core.game import Chance as ChanceNotation
from cardtown.core.story import Told
from cardtown.core.table import (
    Button,
    Card,
    Cell,
    Face,
    FaceName,
    Row,
    SeatName,
    Sheet,
    Text,
    Thing,
    Token,
    WhyNot,
    Zone,
    backs,
    text,
)

from .rules import (
    CARDS,
    CLOSED_ROWS,
    COLOUR,
    COLOUR_CARDS,
    COLOURS,
    CRUSH,
    DRAW,
    HAND,
    KINDS,
    PARTS,
    PLACEMENTS,
    ROW,
    SEATS,
    SIDE,
    VALUE,
    YES,
    Chance,
    Event,
    Phase,
    State,
    Variant,
    cards_in_row,
    copies,
    legal,
)

LETTERS: list[str] = PARTS["colours"]["letters"] + PARTS["lost_colours"]["letters"]
NAMES = [f"{LETTERS[COLOUR[card]]}{VALUE[card]}" for card in range(KINDS)]
SIDES = ["crush", "grip"]
CHANCES = {
    Chance.START: ChanceNotation("start", range(SEATS)),
    Chance.DECK: ChanceNotation("deck", NAMES),
}
REVEALS = frozenset(
    {
        Event.ROUND,
        Event.DEALT,
        Event.DREW_CARD,
        Event.PLACED,
        Event.STUCK,
        Event.PUT_UNDER,
        Event.POWER,
        Event.SHOWED,
    }
)
SCORING = frozenset({Event.ROUND, Event.ROW, Event.SHOWED, Event.SCORED})


def move(s: State, choice: int) -> str:
    if s.phase == Phase.POWER:
        return "power yes" if choice == YES else "power no"
    if s.phase == Phase.DISCARD:
        return f"discard {NAMES[choice]}"
    return "draw" if choice == DRAW else f"place {NAMES[choice // 2]} {SIDES[choice % 2]}"


def faces() -> dict[str, Face]:
    citizens = {
        NAMES[card]: Face(
            corner=str(VALUE[card]),
            suit=LETTERS[COLOUR[card]],
            title=text("card", colour=colour_name(COLOUR[card]), value=VALUE[card]),
        )
        for card in range(KINDS)
    }
    rows = {
        f"{letter}{door}": Face(corner=letter, suit=letter, title=text(key, colour=text(f"colour_{letter}")))
        for letter in LETTERS
        for door, key in (("", "row_card"), ("-closed", "row_card_closed"))
    }
    return citizens | rows | {"power": Face(corner="×2", suit=None, title=text("power_card"))}


def colour_name(colour: int) -> Text:
    return text(f"colour_{LETTERS[colour]}")


def kinds(cards: int) -> list[int]:
    """The cards one by one, in card order."""
    return [card for card in range(KINDS) for _ in range(copies(cards, card))]


def placements(s: State, colour: int) -> list[tuple[int, int]]:
    """The cards of a row as they came: who placed each, and its placement."""
    return [divmod(s.rows[colour, i], PLACEMENTS) for i in range(cards_in_row(s, colour))]


# Zones


def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    near = watcher or 0
    under = Zone("under", "row", text("zone_under"), things=numbered("under", s.deck[: s.under], {}))
    shared = (
        board(s),
        Zone("deck", "pile", text("zone_deck"), things=backs("deck", 1), count=CARDS - s.drawn + s.under),
        *((under,) if s.under else ()),
        Zone("doors", "counter", text("zone_doors", of=CLOSED_ROWS[s.seats]), count=s.closed),
    )
    seats = [(near + i) % s.seats for i in range(s.seats)]
    return shared + tuple(zone for seat in seats for zone in (hand(s, seat, watcher), front(s, seat)))


def board(s: State) -> Zone:
    """Five rows of three cells: the hero's side, the card in the middle, the villain's side."""
    cells: list[Cell] = []
    things: list[Thing] = []
    for colour, letter in enumerate(LETTERS):
        name = colour_name(colour)
        crush, grip = s.total[2 * colour], s.total[2 * colour + 1]
        cells += [
            Cell(f"{letter}.crush", text("cell_crush", colour=name, total=crush), letter),
            Cell(f"{letter}.middle", text("cell_middle", colour=name), letter),
            Cell(f"{letter}.grip", text("cell_grip", colour=name, total=grip), letter),
        ]
        closed = cards_in_row(s, colour) == ROW
        things.append(Card(f"{letter}.row", f"{letter}-closed" if closed else letter, at=3 * colour + 1))
        if s.shown & COLOUR_CARDS[colour]:
            things.append(Token(f"{letter}.shown", "marker", "shown", at=3 * colour + 1))
        if s.phase == Phase.POWER and s.row == colour:
            things.append(Token("scoring", "marker", "scoring", at=3 * colour + 1))
        placed: Counter[tuple[int, int]] = Counter()
        for seat, placement in placements(s, colour):
            card, side = divmod(placement, 2)
            placed[seat, card] += 1
            at = 3 * colour + (0 if side == CRUSH else 2)
            things.append(Card(card_id(card, str(seat), placed[seat, card]), NAMES[card], at=at))
    return Zone("rows", "board", text("zone_rows"), things=tuple(things), cells=tuple(cells), columns=3)


def card_id(card: int, where: str, number: int) -> str:
    return f"{NAMES[card]}@{where}#{number}"


def numbered(where: str, cards: Sequence[int], before: dict[int, int]) -> tuple[Card, ...]:
    """Cards that everybody has seen, equal ones numbered on from those `before`."""
    count = Counter(before)
    found = []
    for card in cards:
        count[card] += 1
        found.append(Card(card_id(card, where, count[card]), NAMES[card], known=True))
    return tuple(found)


def placed_by(s: State, seat: int) -> dict[int, int]:
    """How many of each kind a seat has placed."""
    rows = [placements(s, colour) for colour in range(COLOURS)]
    return Counter(placement // 2 for row in rows for who, placement in row if who == seat)


def hand(s: State, seat: int, watcher: int | None) -> Zone:
    """A hand: its owner sees it; of another's, the cards that were shown."""
    name = f"hand{seat}"
    before = placed_by(s, seat)
    known = numbered(str(seat), kinds(s.known[seat]), before)
    if seat != watcher:
        things = known + backs(name, s.in_hand[seat] - len(known))
        return Zone(name, "fan", text("zone_hand"), owner=seat, things=things)
    public = {card.id for card in known}
    all_cards = numbered(str(seat), kinds(s.hand[seat]), before)
    own = tuple(Card(card.id, card.face, known=card.id in public) for card in all_cards)
    return Zone(name, "fan", text("zone_hand"), owner=seat, things=own)


def front(s: State, seat: int) -> Zone:
    """What lies before a seat: its power card until it is played, and the sign of the start seat."""
    things: list[Thing] = [Card(f"power{seat}", "power")] if s.power & bit(seat) else []
    if seat == s.first:
        things.append(Token("start", "marker", "start", owner=seat))
    return Zone(f"front{seat}", "row", text("zone_front"), owner=seat, things=tuple(things))


# Choices


def buttons(s: State, watcher: int | None) -> tuple[Button, ...]:
    if watcher is None or s.phase != Phase.POWER or not s.acting & bit(watcher):
        return ()
    return (Button("keep", text("label_keep")),)


def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    if s.phase == Phase.POWER:
        return (f"power{seat}",) if choice == YES else ("keep",)
    if s.phase == Phase.PLACE and choice == DRAW:
        return ("deck",)
    card = choice if s.phase == Phase.DISCARD else choice // 2
    first = card_id(card, str(seat), placed_by(s, seat).get(card, 0) + 1)
    if s.phase == Phase.DISCARD:
        return (first,)
    return (first, f"{LETTERS[COLOUR[card]]}.{SIDES[choice % 2]}")


def label(s: State, choice: int) -> Text:
    if s.phase == Phase.POWER:
        return text("label_power" if choice == YES else "label_keep")
    if s.phase == Phase.DISCARD:
        return text("label_discard", card=FaceName(NAMES[choice]))
    if choice == DRAW:
        return text("label_draw")
    return text(f"label_{SIDES[choice % 2]}", card=FaceName(NAMES[choice // 2]))


def prompt(s: State, watcher: int | None) -> Text:
    if s.phase == Phase.OVER:
        return text("prompt_over")
    if s.phase == Phase.POWER:
        return power_prompt(s, watcher)
    seat = lowest(s.acting)
    if seat != watcher:
        return text("prompt_wait_discard" if s.phase == Phase.DISCARD else "prompt_wait", seat=SeatName(seat))
    if s.phase == Phase.DISCARD:
        return text("prompt_discard")
    if s.variant == Variant.STANDARD:
        return text("prompt_place")
    if s.in_hand[seat] == HAND:
        return text("prompt_must_place")
    return text("prompt_draw" if legal(s, seat) == bit(DRAW) else "prompt_draw_or_place")


def power_prompt(s: State, watcher: int | None) -> Text:
    colour = colour_name(s.row)
    if watcher is None or not s.power & bit(watcher):
        return text("prompt_wait_power", colour=colour)
    if s.acting & bit(watcher):
        return text("prompt_power", colour=colour)
    return text("prompt_played" if s.sealed[watcher] == YES else "prompt_kept", colour=colour)


def progress(s: State) -> Text:
    return text("progress", round=s.round_no, rounds=s.seats, closed=s.closed, of=CLOSED_ROWS[s.seats])


# The log and the score


def listed(items: Sequence[FaceName | SeatName], last: str = "list_more") -> Text:
    """Cards or seats one after another; `last` joins the last two."""
    if not items:
        return text("list_none")
    joined = text("list_one", item=items[0])
    for i, item in enumerate(items[1:], 2):
        joined = text(last if i == len(items) else "list_more", before=joined, item=item)
    return joined


def cards_named(cards: int) -> Text:
    return listed([FaceName(NAMES[card]) for card in kinds(cards)])


def seats_named(seats: int) -> Text:
    return listed([SeatName(seat) for seat in members(seats)], last="list_and")


def line(event: int, args: tuple[int, ...]) -> Text:
    a, b, c = args
    match event:
        case Event.ROUND:
            return text("log_round", round=a, seat=SeatName(b))
        case Event.DEALT:
            return text("log_dealt", cards=cards_named(b))
        case Event.DREW:
            return text("log_drew", seat=SeatName(a))
        case Event.DREW_CARD:
            return text("log_drew_card", card=FaceName(NAMES[b]))
        case Event.PLACED:
            card, side = divmod(b, 2)
            return text(f"log_{SIDES[side]}", seat=SeatName(a), card=FaceName(NAMES[card]))
        case Event.CLOSED:
            return text("log_closed", colour=colour_name(a))
        case Event.STUCK:
            return text("log_stuck", seat=SeatName(a), cards=cards_named(b))
        case Event.PUT_UNDER:
            return text("log_put_under", seat=SeatName(a), card=FaceName(NAMES[b]))
        case Event.ROW:
            return text("log_row" if b != c else "log_equal", colour=colour_name(a), crush=b, grip=c)
        case Event.POWER:
            return text("log_power" if c == YES else "log_no_power", seat=SeatName(a), colour=colour_name(b))
        case Event.SHOWED:
            key = "log_showed" if c else "log_showed_none"
            return text(key, seat=SeatName(a), colour=colour_name(b), cards=cards_named(c))
        case Event.SCORED:
            key = "log_lost" if c < 0 else "log_scored" if c == 1 else "log_doubled"
            return text(key, seat=SeatName(a), n=b, points=b * abs(c))
    return text("log_won" if a & (a - 1) == 0 else "log_won_together", seats=seats_named(a), n=b)


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    """A row for every row of the city in every round, with what it brought and why."""
    rows: list[Row] = []
    round_no = 0
    row: tuple[int, ...] = ()
    scored: list[tuple[int, ...]] = []
    for event, args in ((line.event, line.args) for line in told):
        if event == Event.ROUND:
            round_no = args[0]
        elif event == Event.ROW:
            row, scored = args, []
            if row[1] == row[2]:
                rows.append(sheet_row(s, round_no, row, scored))
        elif event == Event.SHOWED and args[0] == s.seats - 1:  # the last to show: now the row is decided
            rows.append(sheet_row(s, round_no, row, scored))
        elif event == Event.SCORED:
            scored.append(args)
            rows[-1] = sheet_row(s, round_no, row, scored)
    return Sheet(tuple(rows), tuple(s.score[: s.places]))


def sheet_row(s: State, round_no: int, row: tuple[int, ...], scored: list[tuple[int, ...]]) -> Row:
    """One row; `scored` tells who has the highest sum, what it is, and how many times it counts."""
    colour, crush, grip = row
    title = text("row", round=round_no, colour=colour_name(colour))
    things = earning(s, row, scored) if round_no == s.round_no else ()
    if crush == grip:
        return Row(title, (None,) * s.places, line(Event.ROW, row), things)
    leads = text("why_crush" if crush > grip else "why_grip", crush=crush, grip=grip)
    if not scored:
        return Row(title, (0,) * s.places, text("why_nobody", leads=leads), things)
    points = [0] * s.places
    for seat, highest, times in scored:
        points[seat] = highest * times
    why = text("why_highest", leads=leads, n=scored[0][1])
    doubled = sum(bit(seat) for seat, _, times in scored if times == 2)
    why = text("why_doubled", why=why, seats=seats_named(doubled)) if doubled else why
    return Row(title, tuple(points), why, things)


def earning(s: State, row: tuple[int, ...], scored: list[tuple[int, ...]]) -> tuple[str, ...]:
    """The side that leads, or both, and the cards that were shown with the highest sum."""
    colour, crush, grip = row
    sides = [
        f"{LETTERS[colour]}.{side}" for side, sum_ in zip(SIDES, (crush, grip), strict=True) if sum_ == max(row[1:])
    ]
    shown = [card for seat, _, _ in scored for card in numbered(str(seat), kinds(s.known[seat]), placed_by(s, seat))]
    return (*sides, *(card.id for card in shown if card.face and card.face[0] == LETTERS[colour]))


def ending(s: State) -> Text:
    together = s.winners & (s.winners - 1) != 0
    most = s.score[lowest(s.winners)]
    return text("ending_together" if together else "ending", seats=seats_named(s.winners), n=most)


# What can't be done


def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
    if s.phase == Phase.OVER:
        return WhyNot("CRU-16", text("why_over"))
    if s.phase == Phase.POWER:
        return why_not_while_scoring(s, seat, thing)
    if not s.acting & bit(seat):
        clause = "CRU-03" if s.variant == Variant.STANDARD else "CRU-17"
        return WhyNot(clause, text("why_turn", seat=SeatName(lowest(s.acting))))
    where = thing.partition("@")[2].partition("#")[0]
    if thing in {card.id for card in hand(s, seat, seat).things}:
        return why_not_card(s, seat, NAMES.index(thing.partition("@")[0]))
    if thing.startswith("deck"):
        return why_not_deck(s, seat)
    if where == "under" or thing == "under":
        return WhyNot("CRU-07", text("why_under"))
    if thing.startswith("hand"):
        return WhyNot("CRU-19", text("why_other_hand"))
    if thing.startswith(("power", "front")):
        return WhyNot("CRU-10", text("why_power_later"))
    if thing == "doors":
        return WhyNot("CRU-08", text("why_doors", n=CLOSED_ROWS[s.seats]))
    return why_not_row(s, thing, where)


def why_not_while_scoring(s: State, seat: int, thing: str) -> WhyNot | None:
    if thing in (f"power{seat}", "keep"):
        return None if s.acting & bit(seat) else WhyNot("CRU-10", text("why_decided"))
    if thing.startswith("power"):
        return WhyNot("CRU-10", text("why_other_power"))
    return WhyNot("CRU-09", text("why_scoring", colour=colour_name(s.row)))


def why_not_card(s: State, seat: int, card: int) -> WhyNot | None:
    """Why a card in one's own hand can't be placed."""
    if s.phase == Phase.DISCARD or s.held[seat] & s.free & (0b11 << 2 * card):
        return None
    return WhyNot("CRU-06", text("why_closed", colour=colour_name(COLOUR[card])))


def why_not_deck(s: State, seat: int) -> WhyNot | None:
    if s.variant == Variant.STANDARD:
        return WhyNot("CRU-03", text("why_deck"))
    return None if legal(s, seat) & bit(DRAW) else WhyNot("CRU-17", text("why_six"))


def why_not_row(s: State, thing: str, where: str) -> WhyNot | None:
    """Why something in the rows, or a card shown in another hand, can't be touched first."""
    if where:
        mine = any(thing == card.id for card in board(s).things)
        return WhyNot("CRU-04", text("why_placed")) if mine else WhyNot("CRU-19", text("why_other_hand"))
    letter, _, part = thing.partition(".")
    if letter not in LETTERS:
        return None
    colour = LETTERS.index(letter)
    if cards_in_row(s, colour) == ROW:
        return WhyNot("CRU-06", text("why_closed", colour=colour_name(colour)))
    if part in SIDES and s.placed[2 * colour + SIDES.index(part)] == SIDE:
        return WhyNot("CRU-05", text("why_side"))
    return WhyNot("CRU-04", text("why_card_first", colour=colour_name(colour)))


def census(s: State) -> list[int]:
    lying = [card for seat in range(s.seats) for card in kinds(s.hand[seat])]
    rows = [placement // 2 for colour in range(COLOURS) for _, placement in placements(s, colour)]
    return sorted(lying + rows + s.deck[s.drawn :] + s.deck[: s.under])
