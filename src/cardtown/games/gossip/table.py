"""Gossip and the City: its notation, and its table in the town's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtown.core.cards import bit, members
from cardtown.core.game import Chance as ChanceNotation
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
    Thing,
    Token,
    WhyNot,
    Zone,
    backs,
    text,
)

from .rules import (
    CARDS,
    CHIPS,
    COLOUR_CARDS,
    COLOUR_GOSSIP,
    COLOURS,
    ENOUGH,
    GO_ON,
    GOSSIP,
    ICON,
    ICONS,
    KINDS,
    NO_COLOUR,
    NONE,
    PARTS,
    RANK,
    RANK_VP,
    SHIELDS,
    TAKE,
    TURNS,
    VP,
    VUNSHUN,
    Chance,
    Event,
    State,
    eliminated,
    is_offer_hidden,
    known_cards,
    left_of,
    legal,
    shields_of,
    shown_seat,
)

LETTERS: list[str] = PARTS["colours"]["letters"]
NAMES = [letter + card for letter in LETTERS for card in CARDS] + [f"{letter}I" for letter in LETTERS]
CHIP_NAMES = [name for name, _, _ in KINDS]
CHANCES = {
    Chance.COLOUR: ChanceNotation("colour", LETTERS),
    Chance.DECK: ChanceNotation("deck", NAMES),
    Chance.INITIAL: ChanceNotation("initial", NAMES),
    Chance.CHIPS: ChanceNotation("chips", CHIP_NAMES),
    Chance.START: ChanceNotation("start", [0, 1, 2, 3, 4]),
}
REVEALS = frozenset(
    {
        Event.LEFT_OUT,
        Event.DEALT,
        Event.INITIAL,
        Event.TURN,
        Event.REVEALED,
        Event.LOOKED,
        Event.UNCOVERED,
        Event.COUNTED,
        Event.VUNSHUN,
    }
)
SCORING = frozenset({Event.MOST_ICONS, Event.SECOND_ICONS, Event.NOT_GIVEN})


def is_lead_deciding(s: State) -> bool:
    return bool(s.acting & bit(s.lead))


def is_over(s: State) -> bool:
    return s.acting == 0


def next_seat(s: State) -> int:
    """The seat whose offer the lead reveals next."""
    return left_of(s, s.lead, s.shown + 1)


def move(s: State, choice: int) -> str:
    if not is_lead_deciding(s):
        return f"offer {NAMES[choice]}"
    if s.shown == 0:
        return "keep" if choice == TAKE else "reveal"
    return "trade" if choice == TAKE else "pass"


def detail(s: State) -> dict[str, Any]:
    """GOS-21: what the result of a transcript tells beyond scores and winners."""
    vunshun = {"vunshun": shields_of(s, VUNSHUN)} if s.seats == 3 else {}
    return {
        "shields": [shields_of(s, seat) for seat in range(s.seats)],
        "eliminated": members(eliminated(s)),
        **vunshun,
    }


# Faces and names


def faces() -> dict[str, Face]:
    return {NAMES[card]: face(card) for card in range(len(NAMES))}


def face(card: int) -> Face:
    counted = {"icon": ICONS[card], "shield": SHIELDS[card], "vp": VP[card]}
    letter, name = NAMES[card][0], NAMES[card][1:]
    key = f"card_{name}" if name in "SVI" else "card"
    return Face(
        corner=str(RANK[card]),
        suit=letter,
        title=text(key, colour=text(f"colour_{letter}"), name=name),
        marks={mark: n for mark, n in counted.items() if n},
    )


def colour_name(colour: int) -> Text:
    return text(f"colour_{LETTERS[colour]}")


def card_name(card: int) -> FaceName:
    return FaceName(NAMES[card])


def chip_name(kind: int) -> Text:
    _, vp, shields = KINDS[kind]
    if vp and shields:
        return text("chip_both", shields=text("chip_shields", n=shields), vp=text("chip_vp", n=vp))
    return text("chip_vp", n=vp) if vp else text("chip_shields", n=shields)


def listed(names: Sequence[Arg]) -> Arg:
    """Some names as one: a, b and c."""
    if len(names) == 1:
        return names[0]
    return text("list_two" if len(names) == 2 else "list_more", first=names[0], rest=listed(names[1:]))


def card_list(cards: int) -> Arg:
    return listed([card_name(card) for card in members(cards)])


def seat_list(seats: int) -> Arg:
    return listed([SeatName(seat) for seat in members(seats)])


# Zones


def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    near = watcher or 0
    seats = [left_of(s, near, i) for i in range(s.seats)]
    return (*shared_zones(s), *(zone for seat in seats for zone in seat_zones(s, seat, watcher)))


def shared_zones(s: State) -> list[Zone]:
    chip = Token("turn.chip", "chip", "chip", down=True)
    left = Token("chips.back", "chip", "chip", count=CHIPS - s.laid, down=True)
    removed = s.removed.bit_count()
    out = out_of_game(s)
    found = [
        Zone("turn", "row", text("zone_turn"), things=(*open_cards(bit(s.card)), chip) if s.card != NONE else ()),
        Zone("deck", "pile", text("zone_deck"), count=TURNS[s.seats] - s.laid),
        Zone("chips", "pile", text("zone_chips"), things=(left,), count=CHIPS - s.laid),
    ]
    if s.seats == 3:
        chips = chip_tokens(s, VUNSHUN, is_over(s))
        found.append(Zone("vunshun", "row", text("zone_vunshun"), things=(*open_cards(s.face_up[VUNSHUN]), *chips)))
    if removed:
        found.append(Zone("removed", "pile", text("zone_removed"), things=backs("removed", removed), count=removed))
    if out:
        found.append(Zone("out", "pile", text("zone_out"), things=open_cards(out), count=out.bit_count()))
    return found


def out_of_game(s: State) -> int:
    """Cards that everybody knows not to be in the game: the colour left out, and initial cards that nobody got."""
    absent = 0 if s.absent == NO_COLOUR else COLOUR_CARDS[s.absent] & ~s.face_up[VUNSHUN]
    in_play = COLOURS if s.absent == NO_COLOUR else COLOURS - 1
    return absent | sum(bit(card) for card in s.initial[s.seats : in_play])


def open_cards(cards: int) -> tuple[Card, ...]:
    return tuple(Card(NAMES[card], NAMES[card]) for card in members(cards))


def own_cards(cards: int) -> tuple[Card, ...]:
    """Cards that lie face down and that the watcher may look at."""
    return tuple(Card(NAMES[card], NAMES[card], down=True) for card in members(cards))


def chip_tokens(s: State, holder: int, is_known: bool) -> tuple[Token, ...]:
    """The chips of a seat or of the Vunshun: by their kinds, or only how many."""
    name = "vunshun" if holder == VUNSHUN else f"chips{holder}"
    owner = None if holder == VUNSHUN else holder
    held = [s.chips[i] for i in members(s.chips_of[holder])]
    if not is_known:
        return (Token(f"{name}.back", "chip", "chip", len(held), owner, down=True),) if held else ()
    return tuple(
        Token(f"{name}.{CHIP_NAMES[kind]}", "chip", CHIP_NAMES[kind], held.count(kind), owner, down=not is_over(s))
        for kind in sorted(set(held))
    )


def seat_zones(s: State, seat: int, watcher: int | None) -> tuple[Zone, ...]:
    mine = seat == watcher
    down = s.face_down[seat].bit_count()
    hidden = own_cards(s.face_down[seat]) if mine else backs(f"down{seat}", down)
    chips = s.chips_of[seat].bit_count()
    tokens = chip_tokens(s, seat, mine or is_over(s))
    return (
        hand_zone(s, seat, mine),
        Zone(f"offer{seat}", "row", text("zone_offer"), owner=seat, things=offered(s, seat, mine)),
        *(colour_zone(s, seat, colour) for colour in range(COLOURS) if colour != s.absent),
        Zone(f"down{seat}", "pile", text("zone_down"), owner=seat, things=hidden, count=down),
        Zone(f"chips{seat}", "row", text("zone_seat_chips"), owner=seat, things=tokens, count=chips),
        shield_zone(s, seat, watcher),
    )


def hand_zone(s: State, seat: int, mine: bool) -> Zone:
    name = f"hand{seat}"
    n = s.hand[seat].bit_count()
    if is_over(s):
        cards = own_cards(s.hand[seat]) if mine else backs(name, n)
        return Zone(name, "pile", text("zone_discarded"), owner=seat, things=cards, count=n)
    return Zone(name, "fan", text("zone_hand"), owner=seat, things=open_cards(s.hand[seat]) if mine else backs(name, n))


def offered(s: State, seat: int, mine: bool) -> tuple[Thing, ...]:
    if s.sealed[seat] == NONE:
        return ()
    if not is_offer_hidden(s, seat):
        return open_cards(bit(s.sealed[seat]))
    return own_cards(bit(s.sealed[seat])) if mine else backs(f"offer{seat}", 1)


def colour_zone(s: State, seat: int, colour: int) -> Zone:
    """A column of collected cards; its title tells what a rank chip will be given for."""
    cards = s.face_up[seat] & COLOUR_CARDS[colour]
    ranks = sum(RANK[card] for card in members(cards))
    title = text(
        "zone_colour_enough" if ranks >= ENOUGH else "zone_colour",
        colour=colour_name(colour),
        n=sum(ICONS[card] for card in members(cards)),
        ranks=ranks,
        enough=ENOUGH,
    )
    letter = LETTERS[colour]
    return Zone(f"column{seat}{letter}", "stack", title, owner=seat, things=open_cards(cards), look=letter)


def shield_zone(s: State, seat: int, watcher: int | None) -> Zone:
    """The fewest and the most shields that a seat can have, for all that the watcher knows."""
    least, most = shield_bounds(s, seat, watcher)
    title = text("zone_shields" if least == most else "zone_shields_between", least=least, most=most)
    return Zone(f"shields{seat}", "counter", title, owner=seat, count=least)


def shield_bounds(s: State, seat: int, watcher: int | None) -> tuple[int, int]:
    """GOS-17: what lies open, and what the rest may be: any of the cards and chips that the watcher can't see."""
    if seat == watcher or is_over(s):
        down = sum(SHIELDS[card] for card in members(s.face_down[seat]))
        return shields_of(s, seat) + down, shields_of(s, seat) + down
    seen = sum(SHIELDS[card] for card in members(s.face_up[seat]))
    own = s.chips_of[watcher] if watcher is not None else 0
    pools = (
        (s.face_down[seat].bit_count(), sorted(SHIELDS[card] for card in members(unseen_cards(s, watcher)))),
        (s.chips_of[seat].bit_count(), sorted(KINDS[s.chips[i]][2] for i in range(CHIPS) if not own & bit(i))),
    )
    least = sum(sum(shields[:n]) for n, shields in pools)
    most = sum(sum(shields[len(shields) - n :]) for n, shields in pools)
    return seen + least, seen + most


def unseen_cards(s: State, watcher: int | None) -> int:
    """GOS-22: the cards of which the watcher can't know where they are; a spectator knows what two seats both know."""
    known = known_cards(s, 0) & known_cards(s, 1) if watcher is None else known_cards(s, watcher)
    return (bit(GOSSIP) - 1) & ~COLOUR_GOSSIP[s.absent] & ~known


def buttons(s: State, watcher: int | None) -> tuple[Button, ...]:
    return ()


# Choices


def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    if not is_lead_deciding(s):
        return (NAMES[choice],)
    if choice == GO_ON:
        return (f"offer{next_seat(s)}.0",)
    return (NAMES[s.card if s.shown == 0 else s.sealed[shown_seat(s)]],)


def label(s: State, choice: int) -> Text:
    if not is_lead_deciding(s):
        return text("label_offer", card=card_name(choice))
    if choice == GO_ON:
        return text("label_reveal" if s.shown == 0 else "label_pass", seat=SeatName(next_seat(s)))
    if s.shown == 0:
        return text("label_keep", card=card_name(s.card))
    return text("label_trade", card=card_name(s.sealed[shown_seat(s)]), turn=card_name(s.card))


def prompt(s: State, watcher: int | None) -> Text:
    if is_over(s):
        return text("prompt_over")
    if is_lead_deciding(s):
        if watcher != s.lead:
            return text("prompt_wait_lead", seat=SeatName(s.lead))
        if s.shown == 0:
            return text("prompt_keep", card=card_name(s.card), seat=SeatName(next_seat(s)))
        return text("prompt_trade", card=card_name(s.sealed[shown_seat(s)]), turn=card_name(s.card))
    if watcher is not None and s.acting & bit(watcher):
        return text("prompt_offer", card=card_name(s.card))
    return text("prompt_wait_offers", seats=seat_list(s.acting))


def progress(s: State) -> Text:
    return text("progress", turn=s.laid, turns=TURNS[s.seats], seat=SeatName(s.lead))


# The log


def line(event: int, args: tuple[int, ...]) -> Text:
    a, b, c = args
    match event:
        case Event.LEFT_OUT:
            return text("log_left_out", colour=colour_name(a))
        case Event.REMOVED:
            return text("log_removed", n=a) if a else text("log_none_removed")
        case Event.DEALT:
            return text("log_dealt", cards=card_list(a))
        case Event.INITIAL:
            return text("log_initial", seat=SeatName(a), card=card_name(b))
        case Event.TURN:
            return text("log_turn", turn=a, seat=SeatName(b), card=card_name(c))
        case Event.OFFERED:
            return text("log_offered", seat=SeatName(a))
        case Event.OFFERED_CARD:
            return text("log_offered_card", card=card_name(a))
        case Event.REVEALED:
            return text("log_revealed", seat=SeatName(a), card=card_name(b))
        case Event.PASSED:
            return text("log_passed", seat=SeatName(a), owner=SeatName(b))
        case Event.TRADED:
            return text("log_traded", seat=SeatName(a), owner=SeatName(b), card=card_name(c))
        case Event.TOOK:
            return text("log_took", seat=SeatName(a), card=card_name(b))
        case Event.LOOKED:
            return text("log_looked", chip=chip_name(a))
        case Event.KEPT:
            return text("log_kept", seat=SeatName(a), card=card_name(b))
        case Event.COLLECTED:
            return text("log_collected", seat=SeatName(a), card=card_name(b))
        case Event.COLLECTED_DOWN:
            return text("log_collected_down", seat=SeatName(a))
        case Event.UNCOVERED if c == 0:
            return text("log_discarded", seat=SeatName(a), n=b)
        case Event.UNCOVERED:
            return text("log_uncovered", seat=SeatName(a), n=b, cards=card_list(c))
    return line_of_scoring(event, a, b, c)


def line_of_scoring(event: int, a: int, b: int, c: int) -> Text:
    match event:
        case Event.MOST_ICONS:
            return text("log_most", colour=colour_name(a), seat=SeatName(b), claim=claim_text(c), vp=RANK_VP[0])
        case Event.SECOND_ICONS:
            return text("log_second", colour=colour_name(a), seat=SeatName(b), claim=claim_text(c), vp=RANK_VP[1])
        case Event.NOT_GIVEN:
            return text("log_none_qualify" if b == 0 else "log_one_qualifies", colour=colour_name(a), vp=RANK_VP[b])
        case Event.COUNTED:
            return text("log_counted", seat=SeatName(a), vp=b, n=c)
        case Event.VUNSHUN:
            return text("log_vunshun", n=a)
        case Event.ELIMINATED:
            return text("log_eliminated", seats=seat_list(a)) if a else text("log_spared")
    return text("log_won", seats=seat_list(a)) if a else text("log_nobody")


def claim_text(claim: int) -> Text:
    """What a rank chip is given for: icons, and ranks from the highest down."""
    ranks = [str(rank) for rank in range(7, -1, -1) for _ in range(claim >> (4 * rank) & 15)]
    return text("claim", n=claim >> ICON, ranks=listed(ranks))


# The score


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    """During the game only the VP on face-up cards; at the end a row per colour, cards, chips and shields."""
    seats = range(s.seats)
    on_cards = tuple(sum(VP[card] for card in members(s.face_up[seat])) for seat in seats)
    worth = tuple(NAMES[card] for seat in seats for card in members(s.face_up[seat]) if VP[card])
    cards = Row(text("row_cards"), on_cards, text("row_cards_why"), worth)
    if not is_over(s):
        return Sheet((cards,), on_cards)
    on_chips = tuple(sum(KINDS[s.chips[i]][1] for i in members(s.chips_of[seat])) for seat in seats)
    counted = listed([text("shields_of", seat=SeatName(seat), n=shields_of(s, seat)) for seat in seats])
    last = line(Event.ELIMINATED, (eliminated(s), 0, 0))
    chips = tuple(token.id for seat in seats for token in chip_tokens(s, seat, True) if worth_vp(token))
    rows = (
        *colour_rows(s, told),
        cards,
        Row(text("row_chips"), on_chips, text("row_chips_why"), chips),
        Row(
            text("row_shields"),
            (None,) * s.seats,
            text("row_shields_why", shields=counted, last=last),
            tuple(f"shields{seat}" for seat in seats),
        ),
    )
    return Sheet(rows, tuple(s.score[: s.seats]))


def worth_vp(token: Token) -> bool:
    return KINDS[CHIP_NAMES.index(token.look)][1] > 0


def colour_rows(s: State, told: Sequence[Told]) -> list[Row]:
    """Who got the rank chips of each colour, and for what."""
    rows = []
    awards = [entry for entry in told if entry.event in (Event.MOST_ICONS, Event.SECOND_ICONS, Event.NOT_GIVEN)]
    for colour in range(COLOURS):
        own = [award for award in awards if award.args[0] == colour]
        points: list[int | None] = [None] * s.seats
        for award in own:
            if award.event != Event.NOT_GIVEN:
                points[award.args[1]] = RANK_VP[award.event == Event.SECOND_ICONS]
        why = [line(award.event, award.args) for award in own]
        if why:
            both = why[0] if len(why) == 1 else text("both", first=why[0], second=why[1])
            columns = tuple(f"column{seat}{LETTERS[colour]}" for seat in range(s.seats) if points[seat] is not None)
            rows.append(Row(text("row_colour", colour=colour_name(colour)), tuple(points), both, columns))
    return rows


def ending(s: State) -> Text:
    if not s.winners:
        return text("ending_nobody")
    vp = max(s.score[seat] for seat in members(s.winners))
    surviving = [seat for seat in range(s.seats) if not eliminated(s) & bit(seat)]
    tied = sum(bit(seat) for seat in surviving if s.score[seat] == vp) & ~s.winners
    if s.winners.bit_count() > 1:
        return text("ending_shared", seats=seat_list(s.winners), n=vp)
    if tied:
        return text("ending_shields", seat=seat_list(s.winners), others=seat_list(tied), n=vp)
    return text("ending_won", seat=seat_list(s.winners), n=vp)


# What can't be touched


def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
    if is_over(s):
        return WhyNot("GOS-13", text("why_over"))
    if not s.acting & bit(seat):
        if is_lead_deciding(s):
            return WhyNot("GOS-08", text("why_lead", seat=SeatName(s.lead)))
        return WhyNot("GOS-07", text("why_offers", seats=seat_list(s.acting)))
    if thing in {path(s, seat, choice)[0] for choice in members(legal(s, seat))}:
        return None
    return of_offers(s, seat, thing) or elsewhere(s, seat, thing)


def of_offers(s: State, seat: int, thing: str) -> WhyNot | None:
    """Why the turn's card, an offer or a hand can't be touched now."""
    if thing.startswith("turn") or thing == NAMES[s.card]:
        if seat != s.lead:
            return WhyNot("GOS-10", text("why_turns_card"))
        return WhyNot("GOS-12", text("why_keep_late" if s.seats == 3 else "why_keep"))
    passed = {NAMES[s.sealed[left_of(s, s.lead, place)]]: left_of(s, s.lead, place) for place in range(1, s.shown)}
    if thing in passed:
        return WhyNot("GOS-08", text("why_passed", seat=SeatName(passed[thing])))
    if thing.startswith("offer"):
        return WhyNot("GOS-08", text("why_order")) if seat == s.lead else WhyNot("GOS-07", text("why_secret"))
    if thing in {NAMES[card] for card in members(s.hand[seat])} or thing == f"hand{seat}":
        return WhyNot("GOS-07", text("why_lead_offers")) if seat == s.lead else None
    if thing.startswith("hand"):
        return WhyNot("GOS-22", text("why_other_hand"))
    return None


def elsewhere(s: State, seat: int, thing: str) -> WhyNot | None:
    """Why a thing that no choice is about can't be touched."""
    for start, clause, key in (
        ("deck", "GOS-06", "why_deck"),
        ("vunshun", "GOS-12", "why_vunshun"),
        ("removed", "GOS-02", "why_removed"),
        ("out", "GOS-01", "why_out"),
        ("chips.", "GOS-06", "why_chips"),
        ("chips", "GOS-10", "why_seat_chips"),
        ("column", "GOS-11", "why_collected"),
        ("down", "GOS-11", "why_collected"),
        ("shields", "GOS-17", "why_shields"),
    ):
        if thing.startswith(start):
            return WhyNot(clause, text(key))
    if thing not in NAMES:
        return None
    card = bit(NAMES.index(thing))
    if card & s.face_up[VUNSHUN]:
        return WhyNot("GOS-12", text("why_vunshun"))
    if card & out_of_game(s):
        return WhyNot("GOS-04" if NAMES.index(thing) >= GOSSIP else "GOS-01", text("why_out"))
    if card & (sum(s.face_up[who] for who in range(s.seats)) | s.face_down[seat]):
        return WhyNot("GOS-11", text("why_collected"))
    return None


def census(s: State) -> list[int]:
    """The cards in order, then the chips by kind."""
    lying = [card for cards in (*s.hand, *s.face_up, *s.face_down, s.removed) for card in members(cards)]
    lying += [card for card in (*s.sealed[: s.seats], s.card) if card != NONE]
    deck = s.deck[s.drawn : s.drawn + TURNS[s.seats] - s.laid]
    return sorted(lying + deck) + sorted(len(NAMES) + kind for kind in s.chips)
