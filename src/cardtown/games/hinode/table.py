"""Top of the Hinode Town: its table in the town's vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from cardtown.core.cards import bit, lowest, members
from cardtown.core.story import Told
from cardtown.core.table import (
    Button,
    Card,
    Cell,
    FaceName,
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

from .log import REVEALS, ending, line
from .log import sheet as bare_sheet
from .names import (
    CHANCES,
    CUBE_LETTERS,
    LETTERS,
    NAMES,
    USES,
    area_name,
    faces,
    move,
    places_of,
    seat_names,
    suit_name,
    tribe_name,
)
from .parts import (
    AREAS,
    CARDS,
    COLOUR,
    COLUMNS,
    COST,
    CUBES,
    HERO,
    NONE,
    SEATS,
    SKILLED,
    SUITS,
    TERRITORY_NAMES,
    TRIBES,
    TRICKS,
    WHITE,
    YELLOW,
    Phase,
    State,
    Tribe,
    Use,
    is_player,
    next_to,
)
from .rules import is_following, legal, rank
from .scoring import most_treasure_points, treasure_points
from .skills import payable

__all__ = [
    "CHANCES",
    "REVEALS",
    "buttons",
    "census",
    "ending",
    "faces",
    "label",
    "line",
    "move",
    "path",
    "progress",
    "prompt",
    "sheet",
    "why_not",
    "zones",
]

SCORING: frozenset[int] = frozenset()  # the board itself shows what was scored

CLAUSE_OF_PHASE = {
    Phase.TRIBE: "HIN-04",
    Phase.AREA: "HIN-05",
    Phase.PLAY: "HIN-06",
    Phase.NAME: "HIN-08",
    Phase.USE: "HIN-09",
    Phase.PAY: "HIN-24",
    Phase.STEAL: "HIN-26",
    Phase.SPREAD: "HIN-25",
    Phase.TAKE: "HIN-12",
}
CLAUSE_OF_ZONE = {
    "hand": "HIN-30",
    "bonus": "HIN-19",
    "unused": "HIN-02",
    "box": "HIN-09",
    "trick": "HIN-11",
    "played": "HIN-30",
    "last_hero": "HIN-21",
}


def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    near = watcher or 0
    unused = s.unused.bit_count()
    shared = (
        town(s),
        Zone("bonus", "row", text("zone_bonus"), things=(territory_card(s.areas[AREAS]),)),
        trick(s),
        *tribes_zone(s),
        Zone("unused", "pile", text("zone_unused"), things=backs("unused", unused), count=unused),
        Zone("box", "row", text("zone_box"), things=cubes("box", [in_box(s, colour) for colour in range(SUITS)])),
    )
    clockwise = [(near + i) % SEATS for i in range(SEATS)]
    return shared + tuple(zone for seat in clockwise for zone in seat_zones(s, seat, watcher))


def territory_card(territory: int) -> Card:
    return Card(TERRITORY_NAMES[territory], TERRITORY_NAMES[territory])


def town(s: State) -> Zone:
    """The areas; on each its cubes, and markers on its places or beside them."""
    cells = tuple(Cell(f"area{a + 1}", places_of(s, a), look=LETTERS[COLOUR[s.areas[a]]]) for a in range(AREAS))
    target = (Token("target", "pawn", "target", at=s.target),) if s.target != NONE else ()
    things = tuple(thing for area in range(AREAS) for thing in on_area(s, area))
    return Zone("town", "board", text("zone_town"), things=target + things, cells=cells, columns=COLUMNS)


def on_area(s: State, area: int) -> tuple[Thing, ...]:
    name = f"area{area + 1}"
    lying = s.cubes[area * CUBES : area * CUBES + CUBES]
    places = tuple(
        Token(f"{name}.{look}", "marker", look, owner=s.place[place, area], at=area)
        for place, look in enumerate(("first", "second"))
        if s.place[place, area] != NONE
    )
    beside: tuple[Thing, ...] = ()
    if s.spread[area]:
        owner = s.tribe.index(Tribe.YOZAKURA)
        beside = (Token(f"{name}.spread", "marker", "spread", count=s.spread[area], owner=owner, at=area),)
    return cubes(name, [lying.count(colour) for colour in range(SUITS)], at=area) + places + beside


def cubes(zone: str, counts: Sequence[int], at: int | None = None, owner: int | None = None) -> tuple[Thing, ...]:
    return tuple(
        Token(f"{zone}.{letter}", "cube", letter, count=n, owner=owner, at=at)
        for letter, n in zip(CUBE_LETTERS, counts, strict=True)
        if n
    )


def trick(s: State) -> Zone:
    """Two lanes, the upper one for cards that follow; a column for each seat, from the lead on."""
    cells = tuple(
        Cell(f"trick.{lane}{(s.lead + i) % SEATS}", lane_title(s, lane, (s.lead + i) % SEATS))
        for lane in ("follow", "other")
        for i in range(SEATS)
    )
    things: list[Thing] = []
    for seat in range(SEATS):
        if s.laid[seat] == NONE:
            continue
        at = (seat - s.lead) % SEATS + (0 if is_following(s, seat) else SEATS)
        things.append(Card(card_id(s.laid[seat], seat), NAMES[s.laid[seat]], at=at))
        if s.paid[seat] != NONE:
            look = CUBE_LETTERS[s.paid[seat]]
            things.append(Token(f"trick.cube{seat}", "cube", look, count=cubes_paid(s, seat), owner=seat, at=at))
        if s.used[seat] & SKILLED:
            things.append(Token(f"trick.skill{seat}", "chip", TRIBES[s.tribe[seat]], owner=seat, at=at))
    colour = LETTERS[s.colour] if s.target != NONE else None
    return Zone("trick", "board", text("zone_trick"), things=tuple(things), cells=cells, columns=SEATS, look=colour)


def cubes_paid(s: State, seat: int) -> int:
    """How many cubes lie with the card of a seat that used some."""
    return COST[s.tribe[seat]] if s.used[seat] & SKILLED else 1


def in_box(s: State, colour: int) -> int:
    """How many spent cubes of a colour lie no longer with a card."""
    return s.spent[colour] - sum(cubes_paid(s, seat) for seat in range(SEATS) if s.paid[seat] == colour)


def lane_title(s: State, lane: str, seat: int) -> Text:
    """Who plays here, and once the card counts, what for."""
    ranked = s.ranking[: s.turn]
    if seat in ranked and is_following(s, seat) == (lane == "follow"):
        return text(f"lane_{lane}_with", seat=SeatName(seat), rank=rank(s, seat), place=ranked.index(seat) + 1)
    return text(f"lane_{lane}", seat=SeatName(seat))


def card_id(card: int, seat: int) -> str:
    """Every card has its name; the heroes are told apart by their seats."""
    return f"hero{seat}" if card == HERO else NAMES[card]


def tribes_zone(s: State) -> tuple[Zone, ...]:
    """The tribes that can still be picked."""
    if s.phase != Phase.TRIBE:
        return ()
    things = tuple(tribe_card(s, tribe) for tribe in members(s.tribes_left))
    return (Zone("tribes", "row", text("zone_tribes"), things=things),)


def tribe_card(s: State, tribe: int) -> Card:
    return Card(TRIBES[tribe], f"{TRIBES[tribe]}-skill" if s.rules else TRIBES[tribe])


def seat_zones(s: State, seat: int, watcher: int | None) -> tuple[Zone, ...]:
    purse = [s.purse[seat, colour] for colour in range(SUITS)]
    return (
        hand_zone(s, seat, watcher),
        front(s, seat),
        Zone(
            f"purse{seat}",
            "row",
            text("zone_purse"),
            owner=seat,
            things=cubes(f"purse{seat}", purse, owner=seat),
            count=sum(purse),
        ),
        played_zone(s, seat),
    )


def hand_zone(s: State, seat: int, watcher: int | None) -> Zone:
    """A hand: its owner sees it. A substitute's lies face down for everybody."""
    name = f"hand{seat}"
    held = members(s.hand[seat])
    if not is_player(s, seat):
        return Zone(name, "pile", text("zone_substitute"), owner=seat, things=backs(name, len(held)), count=len(held))
    things = tuple(Card(NAMES[c], NAMES[c]) for c in held) if seat == watcher else backs(name, len(held))
    return Zone(name, "fan", text("zone_hand"), owner=seat, things=things)


def front(s: State, seat: int) -> Zone:
    """What lies open before a seat: its hero, its tribe, and the badge of the last hero."""
    things: list[Thing] = []
    if s.heroes & bit(seat):
        things.append(Card(f"hero{seat}", "hero"))
    if s.tribe[seat] != NONE:
        things.append(tribe_card(s, s.tribe[seat]))
    if s.last_hero == seat:
        things.append(Token("last_hero", "chip", "last_hero", owner=seat))
    return Zone(f"front{seat}", "row", text("zone_front"), owner=seat, things=tuple(things))


def played_zone(s: State, seat: int) -> Zone:
    """What a seat played in earlier tricks."""
    cards = [card for card in members(s.played[seat]) if card != s.laid[seat]]
    if is_player(s, seat) and not s.heroes & bit(seat) and s.laid[seat] != HERO:
        cards.append(HERO)
    things = tuple(Card(card_id(card, seat), NAMES[card]) for card in cards)
    return Zone(f"played{seat}", "pile", text("zone_played"), owner=seat, things=things, count=len(things))


# Choices


def buttons(s: State, watcher: int | None) -> tuple[Button, ...]:
    if watcher is None or s.phase not in (Phase.NAME, Phase.USE, Phase.STEAL):
        return ()
    choices = [choice for choice in members(legal(s, watcher)) if s.phase != Phase.USE or choice == Use.NOTHING]
    return tuple(Button(path(s, watcher, choice)[0], label(s, choice)) for choice in choices)


def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    match s.phase:
        case Phase.TRIBE:
            return (TRIBES[choice],)
        case Phase.AREA | Phase.SPREAD:
            return (f"area{choice + 1}",)
        case Phase.PLAY:
            return (card_id(choice, seat),)
        case Phase.NAME:
            return (f"name.{LETTERS[choice]}",)
        case Phase.USE:
            return (("nothing", f"purse{seat}.r", f"purse{seat}.b", TRIBES[s.tribe[seat]])[choice],)
        case Phase.PAY:
            return (f"purse{seat}.{CUBE_LETTERS[choice]}",)
        case Phase.STEAL:
            return (f"steal.{CUBE_LETTERS[choice]}",)
    return (f"area{s.target + 1}.{CUBE_LETTERS[choice]}",)


def label(s: State, choice: int) -> Text:
    match s.phase:
        case Phase.TRIBE:
            return text("label_tribe", tribe=tribe_name(choice))
        case Phase.AREA:
            return text("label_area", area=area_name(s, choice))
        case Phase.PLAY:
            return text("label_play", card=FaceName(NAMES[choice]))
        case Phase.NAME:
            return text("label_name", suit=suit_name(choice))
        case Phase.USE:
            return text(f"label_use_{USES[choice]}")
        case Phase.PAY:
            return text("label_pay", n=COST[s.tribe[lowest(s.acting)]], suit=suit_name(choice))
        case Phase.STEAL:
            seat = lowest(s.acting)
            givers = [other for other in range(s.players) if other != seat and s.purse[other, choice]]
            return text("label_steal", suit=suit_name(choice), seats=seat_names(givers))
        case Phase.SPREAD:
            return text("label_spread", area=area_name(s, choice))
    return text("label_take", suit=suit_name(choice))


def prompt(s: State, watcher: int | None) -> Text:
    if s.phase == Phase.OVER:
        return text("prompt_over")
    name = Phase(s.phase).name.lower()
    seat = lowest(s.acting)
    if s.phase == Phase.TAKE and not is_player(s, s.ranking[3]):
        name = "take_for"
    fourth = SeatName(s.ranking[3])
    if seat != watcher:
        return text(f"wait_{name}", seat=SeatName(seat), fourth=fourth)
    if s.phase == Phase.PLAY:
        name = "play_white" if s.colour == WHITE else "play"
    return text(f"prompt_{name}", suit=suit_name(s.colour), fourth=fourth)


def progress(s: State) -> Text:
    return text("progress", trick=min(s.trick + 1, TRICKS), tricks=TRICKS)


# The score


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    """The score sheet, and of each row what earned it."""
    made = bare_sheet(s, told)
    things = [*(markers(s, bit(area)) for area in members(s.taken)), *of_the_rest(s)]
    rows = [structs.replace(row, things=lying) for row, lying in zip(made.rows, things, strict=True)]
    return Sheet(tuple(rows), made.totals)


def of_the_rest(s: State) -> Iterator[tuple[str, ...]]:
    """What earned the bonus, the formations, the last hero's points, the treasure's and those for the most of it."""
    bonus = COLOUR[s.areas[AREAS]]
    yield ("bonus", *markers(s, sum(bit(area) for area in range(AREAS) if COLOUR[s.areas[area]] == bonus)))
    yield tuple(marker for seat in range(SEATS) for marker in markers(s, formation(s.marked[seat]), seat))
    yield ("last_hero",) if s.last_hero != NONE else ()
    for points in (treasure_points, most_treasure_points):
        yield tuple(f"purse{seat}.{CUBE_LETTERS[YELLOW]}" for seat in range(SEATS) if points(s, seat))


def markers(s: State, areas: int, seat: int | None = None) -> tuple[str, ...]:
    """The markers on some areas: those of a seat, or all."""
    lying = [thing for area in members(areas) for thing in on_area(s, area) if isinstance(thing, Token)]
    return tuple(t.id for t in lying if t.shape == "marker" and (seat is None or t.owner == seat))


def formation(marked: int) -> int:
    """HIN-20: the largest group of areas; the first, if there are equal ones."""
    largest = 0
    while marked:
        group, grown = 0, marked & -marked
        while grown != group:
            group, grown = grown, grown | next_to(grown) & marked
        marked &= ~group
        largest = max(largest, group, key=int.bit_count)
    return largest


# What can't be touched, and why


def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
    if s.phase == Phase.OVER:
        return WhyNot("HIN-23", text("why_over"))
    if not is_player(s, seat):
        return WhyNot("HIN-15", text("why_substitute"))
    if not s.acting & bit(seat):
        return WhyNot(CLAUSE_OF_PHASE[Phase(s.phase)], text("why_turn", seat=SeatName(lowest(s.acting))))
    if thing in {path(s, seat, choice)[0] for choice in members(legal(s, seat))}:
        return None
    kind = "bonus" if thing in TERRITORY_NAMES else thing.partition(".")[0].rstrip("0123456789")
    if thing in NAMES or kind == "hero":
        return why_not_card(s, seat, thing)
    if kind in ("area", "target"):
        return why_not_area(s, thing)
    if kind == "purse":
        return why_not_cube(s, seat, thing)
    if thing in TRIBES:
        return why_not_tribe(s, seat, thing)
    return WhyNot(CLAUSE_OF_ZONE[kind], text(f"why_zone_{kind}")) if kind in CLAUSE_OF_ZONE else None


def why_not_card(s: State, seat: int, thing: str) -> WhyNot:
    """A card that can't be played: there is something else to do, or it is no card of one's hand."""
    own_hero = thing == f"hero{seat}" and s.heroes & bit(seat)
    if own_hero and s.phase == Phase.PLAY:
        return WhyNot("HIN-06", text("why_hero_lies"))
    if own_hero or (thing in NAMES and s.hand[seat] & bit(NAMES.index(thing))):
        return WhyNot(CLAUSE_OF_PHASE[Phase(s.phase)], text("why_first", what=prompt(s, seat)))
    if thing in {card_id(s.laid[other], other) for other in range(SEATS) if s.laid[other] != NONE}:
        return WhyNot("HIN-11", text("why_trick"))
    if thing in {f"hero{other}" for other in members(s.heroes)}:
        return WhyNot("HIN-02", text("why_their_hero"))
    return WhyNot("HIN-30", text("why_played"))


def why_not_area(s: State, thing: str) -> WhyNot:
    name, _, part = thing.partition(".")
    if part in CUBE_LETTERS:
        return WhyNot("HIN-12", text("why_cubes"))
    if part:
        return WhyNot("HIN-25", text("why_spread")) if part == "spread" else WhyNot("HIN-12", text("why_marker"))
    if s.phase == Phase.AREA and thing != "target":
        return WhyNot("HIN-05", text("why_taken", area=area_name(s, int(name[4:]) - 1)))
    if s.phase == Phase.SPREAD:
        return WhyNot("HIN-25", text("why_not_next", area=area_name(s, s.target)))
    return WhyNot("HIN-05", text("why_target"))


def why_not_cube(s: State, seat: int, thing: str) -> WhyNot:
    owner, _, letter = thing.partition(".")
    if owner != f"purse{seat}":
        return WhyNot("HIN-26", text("why_their_cubes"))
    if s.phase == Phase.PAY:
        return WhyNot("HIN-24", text("why_pay", n=COST[s.tribe[seat]]))
    if letter == CUBE_LETTERS[YELLOW]:
        return WhyNot("HIN-10", text("why_yellow"))
    return WhyNot("HIN-09", text("why_cube"))


def why_not_tribe(s: State, seat: int, thing: str) -> WhyNot:
    tribe = TRIBES.index(thing)
    if not s.rules:
        return WhyNot("HIN-04", text("why_basic"))
    if s.tribe[seat] != tribe:
        return WhyNot("HIN-04", text("why_their_tribe"))
    if s.phase != Phase.USE:
        return WhyNot("HIN-24", text("why_skill"))
    if tribe == Tribe.CHARLEMONT and payable(s, seat):
        return WhyNot("HIN-26", text("why_nothing_to_take"))
    return WhyNot("HIN-24", text("why_pay", n=COST[tribe]))


def census(s: State) -> list[int]:
    """The battle cards, then the cubes, numbered on from them."""
    cards = [card for seat in range(SEATS) for card in members(s.hand[seat]) + members(s.played[seat])]
    lying = [colour for colour in s.cubes if colour != NONE]
    kept = [colour for seat in range(SEATS) for colour in range(SUITS) for _ in range(s.purse[seat, colour])]
    gone = [colour for colour in range(SUITS) for _ in range(s.spent[colour])]
    return sorted(cards + members(s.unused) + [CARDS + colour for colour in lying + kept + gone])
