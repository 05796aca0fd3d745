"""Egocentric World: its notation, and its table in the town's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from cardtown.core.bags import many, size
from cardtown.core.cards import bit, lowest, members
from cardtown.core.game import Chance as ChanceNotation
from cardtown.core.state import MAX_SEATS
from cardtown.core.story import Told
from cardtown.core.table import (
    Arg,
    Button,
    Card,
    Face,
    FaceName,
    Row,
    SeatName,
    Sheet,
    Text,
    Token,
    WhyNot,
    Zone,
    backs,
    text,
)

from .abilities import NAME, RANDOM, REFUSE, USE
from .citybots import BETWEEN, GET_TOP
from .rules import legal
from .state import (
    AGAIN,
    CANCEL,
    EXCHANGE,
    LEFT,
    LOOK,
    NONE,
    RIGHT,
    VALUES,
    WILD,
    Chance,
    Event,
    Phase,
    State,
    Way,
    partner_of,
)
from .turns import DISCARD, DRAW, MATCH, PAIR, STOP

SUITS = {WILD: "wild", CANCEL: "cancel", LOOK: "look", EXCHANGE: "exchange", AGAIN: "again"}
CHANCES = {
    Chance.DECK: ChanceNotation("deck", range(VALUES + 1)),
    Chance.START: ChanceNotation("start", range(MAX_SEATS)),
    Chance.PICK: ChanceNotation("pick", range(VALUES + 1)),
}
REVEALS = frozenset(
    {
        Event.TURNED_UP,
        Event.DEALT,
        Event.STARTS,
        Event.DREW_CARD,
        Event.DISCARDED,
        Event.KEPT,
        Event.TOOK,
        Event.MATCHED,
        Event.PAIRED,
        Event.CANCELLED,
        Event.GAVE,
        Event.WRONG_NAME,
        Event.PENALTY_CARD,
        Event.SAW,
        Event.REVEALED,
        Event.DREW_OPENLY,
        Event.SWAPPED_DRAWN,
        Event.OPENLY_EXCHANGED,
        Event.BLOCKED,
        Event.SCORED,
    }
)
SCORING = frozenset({Event.ROUND, Event.SCORED, Event.REMOVED})
CLAUSES = {
    Phase.TURN: "EGO-04",
    Phase.DRAWN: "EGO-04",
    Phase.ABILITY: "EGO-09",
    Phase.SWAP: "EGO-11",
    Phase.REACT: "EGO-15",
    Phase.FIRST_CARD: "EGO-11",
    Phase.SECOND_CARD: "EGO-11",
    Phase.LOOK: "EGO-14",
    Phase.PARTNER: "EGO-24",
    Phase.GIVE: "EGO-24",
    Phase.GET: "EGO-24",
    Phase.GET_LEFT: "EGO-24",
    Phase.GET_RIGHT: "EGO-24",
}
"""The clause that says what is to be chosen in a phase."""


def move(s: State, choice: int) -> str:
    match s.phase:
        case Phase.TURN:
            if choice in (DRAW, STOP):
                return "draw" if choice == DRAW else "stop"
            return f"{action(choice)} {value_of(choice)}"
        case Phase.DRAWN:
            return "discard" if choice == DISCARD else f"keep {choice}"
        case Phase.ABILITY:
            return "use" if choice == USE else "skip"
        case Phase.REACT:
            return "cancel" if choice == REFUSE else "allow"
        case Phase.SWAP:
            return "swap {} {}".format(*divmod(choice, MAX_SEATS))
        case Phase.FIRST_CARD | Phase.SECOND_CARD:
            if choice == RANDOM:
                return "random"
            return f"name {choice - NAME}" if choice > RANDOM else f"give {choice}"
        case Phase.LOOK:
            return f"look {choice}"
        case Phase.PARTNER:
            return "between" if choice == BETWEEN else f"with {choice}"
        case Phase.GIVE:
            return f"give {choice}"
    return "get top" if choice == GET_TOP else f"get {choice}"


def action(choice: int) -> str:
    """How a card is played in a turn."""
    return "take" if choice <= MATCH else "match" if choice <= PAIR else "pair"


def value_of(choice: int) -> int:
    """The card that is played in a turn."""
    return (choice - 1) % VALUES + 1


def faces() -> dict[str, Face]:
    return {
        str(value): Face(
            corner=str(value),
            suit=SUITS.get(value, "city"),
            title=text(f"card_{SUITS.get(value, 'city')}", value=value),
            marks={"window": value},
        )
        for value in range(1, VALUES + 1)
    }


def face(value: int) -> FaceName:
    return FaceName(str(value))


# Zones


def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    near = watcher or 0
    around = [(near + i) % s.places for i in range(s.places)]
    return shared_zones(s, watcher) + tuple(zone for place in around for zone in place_zones(s, place, watcher))


def shared_zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    left = s.deck_end - s.deck_next
    found = [
        Zone("deck", "pile", text("zone_deck"), things=backs("deck", min(left, 1)), count=left),
        pile_zone(s),
    ]
    if s.drawn:
        open_to_watcher = watcher == s.active or s.active >= s.seats
        drawn = (Card("drawn.card", str(s.drawn), down=s.active < s.seats),) if open_to_watcher else backs("drawn", 1)
        found.append(Zone("drawn", "row", text("zone_drawn"), owner=s.active, things=drawn))
    if s.stopper != NONE:
        sign = Token("stop_sign", "marker", "stop", owner=s.stopper)
        found.append(Zone("stopped", "row", text("zone_stopped"), owner=s.stopper, things=(sign,)))
    return tuple(found)


def pile_zone(s: State) -> Zone:
    """The top first; below it everything that lies there, sorted: all have seen it."""
    cards = cards_in(s.pile, "pile")
    cards.sort(key=lambda card: card.id != top_id(s))
    return Zone("pile", "pile", text("zone_pile"), things=tuple(cards), count=size(s.pile))


def top_id(s: State) -> str:
    return f"pile.{s.top}#1"


def cards_in(bag: int, zone: str, known: int = 0) -> list[Card]:
    """The cards of a bag; those of `known`, a part of it, are marked so."""
    return [
        Card(f"{zone}.{value}#{i}", str(value), known=i <= many(known, value))
        for value in range(1, VALUES + 1)
        for i in range(1, many(bag, value) + 1)
    ]


def place_zones(s: State, place: int, watcher: int | None) -> tuple[Zone, ...]:
    if place < s.seats:
        return (hand_zone(s, place, watcher),)
    name = f"hidden{place}"
    visible = tuple(cards_in(s.hand[place], f"hand{place}"))
    hidden = backs(name, s.hidden_n[place])
    return (
        Zone(f"hand{place}", "row", text("zone_visible"), owner=place, things=visible),
        Zone(name, "pile", text("zone_hidden"), owner=place, things=hidden, count=len(hidden)),
    )


def hand_zone(s: State, seat: int, watcher: int | None) -> Zone:
    """Its owner sees it, and what everybody knows of it; another sees the cards that it knows for certain."""
    name = f"hand{seat}"
    if seat == watcher:
        own = cards_in(s.hand[seat], name, s.certain[seat, seat])
        return Zone(name, "fan", text("zone_hand"), owner=seat, things=tuple(own))
    known = s.certain[seat if watcher is None else watcher, seat]
    unknown = backs(name, size(s.hand[seat]) - size(known))
    return Zone(name, "fan", text("zone_hand"), owner=seat, things=(*cards_in(known, name, known), *unknown))


# Choices


def buttons(s: State, watcher: int | None) -> tuple[Button, ...]:
    """A button for every choice that no thing on the table stands for."""
    if watcher is None:
        return ()
    choices = members(legal(s, watcher))
    paths = {choice: path(s, watcher, choice)[0] for choice in choices}
    return tuple(Button(button, label(s, choice)) for choice, button in paths.items() if button.startswith("say."))


def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    match s.phase:
        case Phase.TURN:
            return turn_path(s, seat, choice)
        case Phase.DRAWN:
            return ("drawn.card",) if choice == DISCARD else own_card(seat, choice)
        case Phase.ABILITY:
            return ("say.use",) if choice == USE else ("say.skip",)
        case Phase.REACT:
            return own_card(seat, CANCEL) if choice == REFUSE else ("say.allow",)
        case Phase.SWAP:
            a, b = divmod(choice, MAX_SEATS)
            return (f"hand{a}", f"hand{b}")
        case Phase.FIRST_CARD | Phase.SECOND_CARD:
            if choice < RANDOM:
                return own_card(seat, choice)
            return (f"hand{chooses_for(s)}",) if choice == RANDOM else (f"say.name{choice - NAME}",)
        case Phase.LOOK:
            return (f"hand{choice}",)
        case Phase.PARTNER:
            return ("say.between",) if choice == BETWEEN else (f"hand{choice}",)
        case Phase.GIVE:
            return own_card(seat, choice)
    place = gets_from(s)
    return (f"hidden{place}",) if choice == GET_TOP else own_card(place, choice)


def own_card(place: int, value: int) -> tuple[str, ...]:
    return (f"hand{place}.{value}#1",)


def turn_path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    """The pile's top and then the card for it, or the card and then what it goes with."""
    if choice in (DRAW, STOP):
        return ("deck",) if choice == DRAW else ("say.stop",)
    value = value_of(choice)
    (card,) = own_card(seat, value)
    if action(choice) == "take":
        return (top_id(s), card)
    if action(choice) == "match":
        return (card, top_id(s))
    partner = partner_of(s.hand[seat], value)
    return (card, f"hand{seat}.{partner}#{2 if partner == value else 1}")


def chooses_for(s: State) -> int:
    """The seat whose card is chosen for an exchange."""
    return s.designated[s.phase - Phase.FIRST_CARD]


def gets_from(s: State) -> int:
    """The Citybot from which a card is got."""
    if s.phase == Phase.GET:
        return s.designated[0]
    return LEFT if s.phase == Phase.GET_LEFT else RIGHT


def label(s: State, choice: int) -> Text:
    match s.phase:
        case Phase.TURN:
            if choice in (DRAW, STOP):
                return text("label_draw" if choice == DRAW else "label_stop")
            return text(f"label_{action(choice)}", card=face(value_of(choice)), top=face(s.top))
        case Phase.DRAWN:
            if choice == DISCARD:
                return text("label_discard", card=face(s.drawn))
            return text("label_keep", card=face(choice), drawn=face(s.drawn))
        case Phase.ABILITY:
            return text(f"label_use_{SUITS[s.top]}" if choice == USE else "label_skip", card=face(s.top))
        case Phase.REACT:
            return text("label_cancel" if choice == REFUSE else "label_allow", card=face(CANCEL))
        case Phase.SWAP:
            a, b = divmod(choice, MAX_SEATS)
            return text("label_swap", a=SeatName(a), b=SeatName(b))
        case Phase.FIRST_CARD | Phase.SECOND_CARD:
            if choice < RANDOM:
                return text("label_give", card=face(choice))
            owner = SeatName(chooses_for(s))
            return text("label_random", seat=owner) if choice == RANDOM else text("label_name", value=choice - NAME)
        case Phase.LOOK:
            return text("label_look", seat=SeatName(choice))
        case Phase.PARTNER:
            return text("label_between") if choice == BETWEEN else text("label_with", seat=SeatName(choice))
        case Phase.GIVE:
            return text("label_give", card=face(choice))
    place = SeatName(gets_from(s))
    return text("label_get_top", seat=place) if choice == GET_TOP else text("label_get", seat=place, card=face(choice))


def prompt(s: State, watcher: int | None) -> Text:
    if s.acting == 0:
        return text("prompt_over")
    seat = lowest(s.acting)
    phase = Phase(s.phase)
    asked = "prompt" if seat == watcher else "wait"
    args: dict[str, Arg] = {"seat": SeatName(seat)}
    if phase in (Phase.TURN, Phase.ABILITY):
        args["top"] = face(s.top)
        if phase == Phase.TURN and s.stopper != NONE and seat == watcher:
            return text("prompt_last_turn", top=face(s.top), stopper=SeatName(s.stopper))
    elif phase == Phase.REACT:
        args["active"] = SeatName(s.active)
        args["what"] = text("what_look" if s.top == LOOK else "what_exchange")
    elif phase in (Phase.FIRST_CARD, Phase.SECOND_CARD):
        args["owner"] = SeatName(chooses_for(s))
        if phase == Phase.SECOND_CARD:
            args["so_far"] = first_card(s, seat == watcher)
    elif phase in (Phase.GET, Phase.GET_LEFT, Phase.GET_RIGHT):
        args["owner"] = SeatName(gets_from(s))
    return Text(f"{asked}_{phase.name.lower()}", args)


def first_card(s: State, own: bool) -> Text:
    """How the first card of an exchange was chosen, as far as others may know it."""
    owner = SeatName(s.designated[0])
    if s.way[0] == Way.NAMED:
        return text("so_far_named", owner=owner, value=s.chosen[0])
    if s.way[0] == Way.RANDOM:
        return text("so_far_random", owner=owner)
    return text("so_far_own", card=face(s.chosen[0])) if own else text("so_far_given", owner=owner)


def progress(s: State) -> Text:
    return text("progress", round=s.round_no, deck=s.deck_end - s.deck_next)


# The log


def line(event: int, args: tuple[int, ...]) -> Text:
    a, b, c = args
    key = f"log_{Event(event).name.lower()}"
    match event:
        case Event.ROUND | Event.RENEWED:
            return text(key, n=a)
        case Event.TURNED_UP | Event.DREW_CARD | Event.CHOSE_OWN_CARD | Event.PENALTY_CARD:
            return text(key, card=face(a))
        case Event.DEALT:
            return text(key, cards=listed(a))
        case Event.SAW:
            return text(key, seat=SeatName(a), cards=listed(b))
        case Event.SCORED:
            return text(key, seat=SeatName(a), cards=listed(b), n=c)
        case Event.DISCARDED | Event.KEPT | Event.SKIPPED | Event.REVEALED | Event.DREW_OPENLY | Event.REMOVED:
            return text(key, seat=SeatName(a), card=face(b))
        case Event.TOOK | Event.MATCHED | Event.PAIRED | Event.SWAPPED_DRAWN:
            return text(key, seat=SeatName(a), card=face(b), other=face(c))
        case Event.WANTS_SWAP:
            return text(key, seat=SeatName(a), a=SeatName(b), b=SeatName(c))
        case Event.WANTS_LOOK | Event.CANCELLED | Event.LOOKED | Event.CHOSE_RANDOM | Event.EXCHANGED:
            return text(key, seat=SeatName(a), other=SeatName(b))
        case Event.NAMED:
            return text(key, seat=SeatName(a), other=SeatName(b), value=c)
        case Event.GAVE:
            return text(key, seat=SeatName(a), given=face(b), got=face(c))
        case Event.OPENLY_EXCHANGED:
            seat, other = divmod(a, MAX_SEATS)
            return text(key, seat=SeatName(seat), other=SeatName(other), given=face(b), got=face(c))
        case Event.WON:
            return text(key, seats=named(a), n=len(members(a)), points=b)
    return text(key, seat=SeatName(a))


def listed(bag: int) -> Text:
    """The cards of a bag, one after another."""
    said = text("cards_none")
    for card in reversed(cards_in(bag, "")):
        here = FaceName(str(card.face))
        said = text("cards_last", card=here) if said.key == "cards_none" else text("cards_more", card=here, more=said)
    return said


def named(places: int) -> Text:
    """The names of seats, one after another."""
    *others, last = members(places)
    said = text("seats_last", seat=SeatName(last))
    for place in reversed(others):
        said = text("seats_more", seat=SeatName(place), more=said)
    return said


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    """A row for every hand that was added up, and for every card that a Citybot removed before."""
    rows: list[Row] = []
    round_no = 0
    last = max((line.args[0] for line in told if line.event == Event.ROUND), default=0)
    for event, args in ((line.event, line.args) for line in told):
        if event == Event.ROUND:
            round_no = args[0]
        elif event in (Event.SCORED, Event.REMOVED):
            points: list[int | None] = [None] * s.places
            if event == Event.SCORED:
                points[args[0]] = args[2]
            title = text(
                "row_scored" if event == Event.SCORED else "row_removed", round=round_no, seat=SeatName(args[0])
            )
            here = f"hand{args[0]}" if event == Event.SCORED else f"pile.{args[1]}#1"
            rows.append(Row(title, tuple(points), line(event, args), (here,) if round_no == last else ()))
    return Sheet(tuple(rows), tuple(s.score[: s.places]))


def ending(s: State) -> Text:
    fewest = min(s.score[: s.places])
    key = "ending_goal" if s.goal else "ending_one_round"
    return text(key, seats=named(s.winners), n=len(members(s.winners)), points=fewest, goal=s.goal)


# Why something can't be touched


def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
    if s.acting == 0:
        return WhyNot("EGO-18", text("why_over"))
    clause = CLAUSES[Phase(s.phase)]
    if not s.acting & bit(seat):
        return WhyNot(clause, text("why_turn", seat=SeatName(lowest(s.acting))))
    if thing.startswith("hand"):  # equal cards are as good as each other
        thing = thing.partition("#")[0]
    if any(fits(thing, step) for choice in members(legal(s, seat)) for step in path(s, seat, choice)):
        return None
    if thing == "deck" and s.phase == Phase.TURN:
        return WhyNot("EGO-03", text("why_no_deck"))
    if thing.startswith("pile."):
        return WhyNot("EGO-05", text("why_top_only"))
    if thing in (f"hand{LEFT}", f"hand{RIGHT}") and s.seats == 1 and s.phase in (Phase.PARTNER, Phase.LOOK):
        return WhyNot("EGO-26", text("why_nine", seat=SeatName(int(thing[-1])), card=face(CANCEL)))
    if thing.startswith("hidden"):
        return WhyNot("EGO-20", text("why_hidden"))
    if thing.startswith(f"hand{seat}."):
        return WhyNot(clause, text(f"why_{Phase(s.phase).name.lower()}", card=face(CANCEL)))
    if thing.startswith("hand"):
        return WhyNot("EGO-29", text("why_other_hand"))
    if thing in ("stop_sign", "stopped"):
        return WhyNot("EGO-08", text("why_stopped", seat=SeatName(s.stopper)))
    return None


def fits(thing: str, step: str) -> bool:
    """Is this the thing to touch, or, given without its number, a card equal to it?"""
    return step == thing or step.partition("#")[0] == thing


def census(s: State) -> list[int]:
    hands = [int(str(card.face)) for bag in (s.pile, *s.hand) for card in cards_in(bag, "")]
    hidden = [s.hidden[place, i] for place in range(len(s.hidden_n)) for i in range(s.hidden_n[place])]
    drawn = [s.drawn] if s.drawn else []
    return sorted(hands + hidden + drawn + s.deck[s.deck_next : s.deck_end])
