"""Hollywood Sensation: its notation, and its table in the town's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

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
    Token,
    WhyNot,
    Zone,
    backs,
    text,
)

from .rules import (
    CARDS,
    COQUETTISH,
    FAME,
    NONE,
    PARTS,
    RANKS,
    ROUNDS,
    SUIT,
    SUIT_CARDS,
    SUITS,
    Chance,
    Event,
    State,
    inferior,
    legal,
)

LETTERS: list[str] = PARTS["cards"]["suits"]
NAMES = [f"{LETTERS[SUIT[card]]}{card % RANKS + 1}" for card in range(CARDS)]
OPEN = [Card(name, name) for name in NAMES]
KNOWN = [Card(name, name, known=True) for name in NAMES]
SUIT_CARD = [Card(letter, letter) for letter in LETTERS]
LABEL_HIDE, LABEL_PLAY = [[text(key, card=FaceName(name)) for name in NAMES] for key in ("label_hide", "label_play")]
CHANCES = {
    Chance.SUITS: ChanceNotation("suits", LETTERS),
    Chance.DECK: ChanceNotation("deck", NAMES),
    Chance.LEADER: ChanceNotation("leader", [0, 1]),
}
REVEALS = frozenset(
    {
        Event.SUIT_ORDER,
        Event.DEALT,
        Event.LEADS,
        Event.TURNED_UP,
        Event.PLAYED,
        Event.TOOK,
        Event.DREW_CARD,
    }
)
SCORING = frozenset({Event.ROUND, Event.FAME, Event.MONOPOLY, Event.TIE, Event.PAWN})


def move(s: State, choice: int) -> str:
    return f"{'hide' if s.to_hide > 0 else 'play'} {NAMES[choice]}"


def faces() -> dict[str, Face]:
    return {
        NAMES[card]: Face(
            corner=str(card % RANKS + 1),
            suit=LETTERS[SUIT[card]],
            title=text("card", suit=suit_name(SUIT[card]), rank=card % RANKS + 1),
        )
        for card in range(CARDS)
    } | {LETTERS[suit]: Face(corner=LETTERS[suit], suit=LETTERS[suit], title=suit_name(suit)) for suit in range(SUITS)}


def suit_name(suit: int) -> Text:
    return text(f"suit_{LETTERS[suit]}")


def zones(s: State, watcher: int | None) -> tuple[Zone, ...]:
    near = watcher or 0
    shared = (
        carpet(s.carpet, s.pawn),
        suit_cards(tuple(s.suits)),
        trick(s.led),
        last_trick(s.last),
        shared_deck(CARDS - s.drawn, s.deck[s.drawn] if s.drawn < CARDS else NONE),
    )
    return shared + seat_zones(s, near, watcher) + seat_zones(s, 1 - near, watcher)


# The same places are shown again and again, at all tables.


@lru_cache(10_000)
def carpet(length: int, at: int) -> Zone:
    cells = carpet_cells(length)
    pawn = Token("pawn", "pawn", "pawn", at=length - at)
    sides = text("zone_carpet", left=SeatName(0), right=SeatName(1))
    return Zone("carpet", "board", sides, things=(pawn,), cells=cells, columns=len(cells))


@cache
def carpet_cells(length: int) -> tuple[Cell, ...]:
    return tuple(
        Cell(f"carpet.{i}", text("carpet_centre") if x == 0 else text("carpet_space", n=abs(x)))
        for i, x in enumerate(range(-length, length + 1))
    )


@lru_cache(10_000)
def suit_cards(order: tuple[int, ...]) -> Zone:
    return Zone("suits", "stack", text("zone_suits"), things=tuple([SUIT_CARD[suit] for suit in order]))


@lru_cache(10_000)
def trick(led: int) -> Zone:
    return Zone("trick", "row", text("zone_trick"), things=open_cards(bit(led) if led != NONE else 0))


@lru_cache(10_000)
def last_trick(cards: int) -> Zone:
    things = tuple([Card(f"last.{card.id}", card.face) for card in open_cards(cards)])
    return Zone("last", "row", text("zone_last"), things=things)


@lru_cache(10_000)
def shared_deck(left: int, top: int) -> Zone:
    return Zone("deck", "pile", text("zone_deck"), things=open_cards(bit(top) if left else 0), count=left)


@lru_cache(10_000)
def open_cards(cards: int) -> tuple[Card, ...]:
    return tuple([OPEN[card] for card in members(cards)])


def seat_zones(s: State, seat: int, watcher: int | None) -> tuple[Zone, ...]:
    return (hand_zone(s, seat, watcher), *private_zone(s, seat, watcher), *won_zones(seat, s.won[seat]))


@lru_cache(10_000)
def won_zones(seat: int, won: int) -> tuple[Zone, ...]:
    return tuple([won_zone(seat, suit, won & SUIT_CARDS[suit]) for suit in range(SUITS)])


@lru_cache(10_000)
def won_zone(seat: int, suit: int, cards: int) -> Zone:
    return Zone(
        f"won{seat}{LETTERS[suit]}",
        "stack",
        text("zone_won", suit=suit_name(suit)),
        owner=seat,
        things=open_cards(cards),
        look=LETTERS[suit],
    )


def hand_zone(s: State, seat: int, watcher: int | None) -> Zone:
    """A hand: its owner sees it; of the other's, the cards that were taken face up."""
    if seat == watcher:
        return own_hand(seat, s.hand[seat], s.seen[seat])
    return others_hand(seat, s.seen[seat], (s.hand[seat] & ~s.seen[seat]).bit_count())


@lru_cache(10_000)
def own_hand(seat: int, hand: int, seen: int) -> Zone:
    own = tuple([(KNOWN if seen & bit(card) else OPEN)[card] for card in members(hand)])
    return Zone(f"hand{seat}", "fan", text("zone_hand"), owner=seat, things=own)


@lru_cache(10_000)
def others_hand(seat: int, seen: int, unknown: int) -> Zone:
    name = f"hand{seat}"
    known = tuple([KNOWN[card] for card in members(seen)])
    return Zone(name, "fan", text("zone_hand"), owner=seat, things=known + backs(name, unknown))


def private_zone(s: State, seat: int, watcher: int | None) -> tuple[Zone, ...]:
    if s.private_n == 0 or inferior(s) != seat:
        return ()
    name = f"private{seat}"
    cards = [Card(NAMES[c], NAMES[c], down=True) for c in reversed(s.private[: s.private_n])]
    things = tuple(cards) if seat == watcher else backs(name, s.private_n)
    return (Zone(name, "pile", text("zone_private"), owner=seat, things=things, count=s.private_n),)


def buttons(s: State, watcher: int | None) -> tuple[Button, ...]:
    return ()


def path(s: State, seat: int, choice: int) -> tuple[str, ...]:
    return (NAMES[choice],)


def label(s: State, choice: int) -> Text:
    return (LABEL_HIDE if s.to_hide > 0 else LABEL_PLAY)[choice]


def prompt(s: State, watcher: int | None) -> Text:
    return prompt_to(watcher, lowest(s.acting) if s.acting else NONE, s.to_hide, s.led)


@cache
def prompt_to(watcher: int | None, seat: int, to_hide: int, led: int) -> Text:
    if seat == NONE:
        return text("prompt_over")
    if seat != watcher:
        return text("prompt_wait_hide" if to_hide > 0 else "prompt_wait", seat=SeatName(seat))
    if to_hide > 0:
        return text("prompt_hide", n=to_hide)
    if led == NONE:
        return text("prompt_lead")
    return text("prompt_follow", card=FaceName(NAMES[led]))


def progress(s: State) -> Text:
    return progress_of(s.round_no, min((s.won[0] | s.won[1]).bit_count() // 2 + 1, CARDS // 2))


@cache
def progress_of(round_no: int, trick: int) -> Text:
    return text("progress", round=round_no, rounds=ROUNDS, trick=trick, tricks=CARDS // 2)


def line(event: int, args: tuple[int, ...]) -> Text:
    a, b, c = args
    match event:
        case Event.ROUND:
            return text("log_round", round=a)
        case Event.SUIT_ORDER:
            order = [a >> 6 & 3, a >> 4 & 3, a >> 2 & 3, a & 3]
            return text("log_suits", **{f"suit{i}": suit_name(suit) for i, suit in enumerate(order)})
        case Event.DEALT:
            return text("log_dealt", **{f"card{i}": FaceName(NAMES[card]) for i, card in enumerate(members(a))})
        case Event.LEADS:
            return text("log_leads", seat=SeatName(a))
        case Event.TURNED_UP:
            return text("log_turned_up", card=FaceName(NAMES[a]))
        case Event.MUST_HIDE:
            return text("log_must_hide", seat=SeatName(a), n=b)
        case Event.HID:
            return text("log_hid", seat=SeatName(a))
        case Event.HID_CARD:
            return text("log_hid_card", card=FaceName(NAMES[b]))
        case Event.PLAYED:
            return text("log_played", seat=SeatName(a), card=FaceName(NAMES[b]))
        case Event.TRICK:
            return text("log_trick", seat=SeatName(a), led=FaceName(NAMES[b]), card=FaceName(NAMES[c]))
        case Event.TOOK:
            return text("log_took", seat=SeatName(a), card=FaceName(NAMES[b]))
        case Event.DREW:
            return text("log_drew", seat=SeatName(a))
        case Event.DREW_CARD:
            return text("log_drew_card", card=FaceName(NAMES[b]))
        case Event.DREW_PRIVATE:
            return text("log_drew_private", seat=SeatName(a), n=b)
        case Event.FAME:
            return text(
                "log_fame_up" if FAME[a] > 0 else "log_fame_down",
                suit=suit_name(a),
                seat=SeatName(b),
                cards=c,
            )
        case Event.MONOPOLY:
            return text("log_monopoly", suit=suit_name(a), seat=SeatName(b))
        case Event.TIE:
            return text("log_tie", seat=SeatName(a))
        case Event.PAWN:
            return text("log_pawn", seat=SeatName(a), n=b)
    return text("log_won", seat=SeatName(a), n=b)


def sheet(s: State, told: Sequence[Told]) -> Sheet:
    return Sheet(rows_of(tuple(told)), (s.pawn, -s.pawn))


@lru_cache(10_000)
def rows_of(told: tuple[Told, ...]) -> tuple[Row, ...]:
    """A block of rows per round: each suit, the tie if there was one, and where the pawn went."""
    rows: list[Row] = []
    round_no = 0
    last = max((line.args[0] for line in told if line.event == Event.ROUND), default=0)
    for event, (a, b, c) in ((line.event, line.args) for line in told):
        lying = round_no == last  # the cards of earlier rounds were taken up again
        if event == Event.ROUND:
            round_no = a
        elif event in (Event.FAME, Event.MONOPOLY):
            points = [0, 0]
            points[b] = FAME[a] if event == Event.FAME else 0
            title = text("row_suit", round=round_no, suit=suit_name(a))
            won = (f"won{b}{LETTERS[a]}",) if lying else ()
            rows.append(Row(title, tuple(points), line(event, (a, b, c)), won))
        elif event == Event.TIE:
            rows.append(
                Row(
                    text("row_tie", round=round_no, suit=suit_name(COQUETTISH)),
                    (None, None),
                    line(event, (a, b, c)),
                    (f"won{a}{LETTERS[COQUETTISH]}",) if lying else (),
                )
            )
        elif event == Event.PAWN:
            rows.append(Row(text("row_pawn", round=round_no), (c, -c), line(event, (a, b, c)), ("pawn",)))
    return tuple(rows)


def ending(s: State) -> Text:
    key = "ending_far" if abs(s.pawn) == s.carpet else "ending_rounds"
    return text(key, seat=SeatName(lowest(s.winners)), n=abs(s.pawn))


def why_not(s: State, seat: int, thing: str) -> WhyNot | None:
    if s.acting == 0:
        return WhyNot("HOL-18", text("why_over"))
    if not s.acting & bit(seat):
        clause = "HOL-04" if s.to_hide > 0 else "HOL-06"
        return WhyNot(clause, text("why_turn", seat=SeatName(lowest(s.acting))))
    own = {NAMES[card] for card in members(s.hand[seat])}
    if thing in own and not legal(s, seat) & bit(NAMES.index(thing)):
        must = s.hand[seat] & SUIT_CARDS[SUIT[s.led]]
        return WhyNot("HOL-06", text("why_follow", suit=suit_name(SUIT[s.led]), card=FaceName(NAMES[lowest(must)])))
    if thing in own:
        return None
    return elsewhere(s, seat, thing)


def elsewhere(s: State, seat: int, thing: str) -> WhyNot | None:
    """Why a thing outside one's hand can't be touched."""
    if thing == "deck" or (s.drawn < CARDS and thing == NAMES[s.deck[s.drawn]]):
        return WhyNot("HOL-09", text("why_deck"))
    if thing.startswith("private"):
        return WhyNot("HOL-10", text("why_private"))
    if s.private_n and seat == inferior(s) and thing in {NAMES[c] for c in s.private[: s.private_n]}:
        return WhyNot("HOL-10", text("why_private"))
    if thing.startswith("hand"):
        return WhyNot("HOL-20", text("why_other_hand"))
    if thing == "suits" or thing in LETTERS:
        return WhyNot("HOL-01", text("why_suits"))
    if thing.startswith(("carpet", "pawn")):
        return WhyNot("HOL-15", text("why_pawn"))
    if thing.startswith(("won", "last")) or (thing in NAMES and (s.won[0] | s.won[1]) & bit(NAMES.index(thing))):
        return WhyNot("HOL-08", text("why_won"))
    if thing == "trick" or (s.led != NONE and thing == NAMES[s.led]):
        return WhyNot("HOL-07", text("why_trick"))
    if thing in NAMES and s.seen[1 - seat] & bit(NAMES.index(thing)):
        return WhyNot("HOL-20", text("why_other_hand"))
    return None


def census(s: State) -> list[int]:
    lying = members(s.hand[0]) + members(s.hand[1]) + members(s.won[0]) + members(s.won[1])
    led = [s.led] if s.led != NONE else []
    return sorted(lying + led + s.private[: s.private_n] + s.deck[s.drawn :])
