"""Egocentric World as numbers: what a seat knows, told from its own side of the table. Citybots count as seats."""

from __future__ import annotations

from collections.abc import MutableSequence

from cardtown.core.bags import many, size
from cardtown.core.cards import bit
from cardtown.core.observing import Part, places, put_large, put_seats
from cardtown.core.state import MAX_SEATS

from .state import LOOK, NONE, SOLO_PLACES, VALUES, Phase, State, Way

OTHERS = MAX_SEATS - 1
CHOOSING = [phase for phase in Phase if phase < Phase.PLAYED]

PARTS = (
    Part("seated", 1, "how many seats there are"),
    Part("difficulty", 1, "how hard the Citybots are; 0 if there are none"),
    Part("goal", 1, "the total that ends the game; 0 if one round is played"),
    Part("round", 2, "the round, from 1: the tens, and what is left"),
    Part("phase", len(CHOOSING), f"what is chosen: {', '.join(phase.name.lower() for phase in CHOOSING)}"),
    Part("acting", MAX_SEATS, "who chooses now"),
    Part("active", MAX_SEATS, "whose turn it is"),
    Part("stopper", MAX_SEATS, "who said stop first"),
    Part("my_number", MAX_SEATS, "which seat I am, where a choice names seats by their numbers: `swap` and `look`"),
    Part("top", VALUES, "the top of the discard pile"),
    Part("pile", VALUES, "how many cards of each value lie there"),
    Part("deck", 1, "how many cards the deck holds"),
    Part("drawn", VALUES, "the card that I drew and look at"),
    Part("looking", 1, "1 if whoever's turn it is looks at a card that it drew"),
    Part("hand", VALUES, "how many cards of each value I hold"),
    Part("open", VALUES, "how many of them everybody knows"),
    Part("told", OTHERS * VALUES, "how many of them each other seat knows"),
    Part(
        "known",
        OTHERS * VALUES,
        "how many of each value I know in the hand of each other seat; of a Citybot, those that lie open",
    ),
    Part("others_open", OTHERS * VALUES, "how many of these everybody knows"),
    Part("in_hand", MAX_SEATS, "how many cards each seat holds; of a Citybot, those that lie open"),
    Part("hidden", SOLO_PLACES, "how many cards lie hidden in each Citybot's pile"),
    Part("designated", 2 * MAX_SEATS, "which two seats are to exchange cards, or which one is to be looked at"),
    Part("to_ask", MAX_SEATS, "which of them may still cancel"),
    Part("way", len(Way) - 1, "how the first card of the exchange was chosen: freely, at random, by its name"),
    Part("chosen", VALUES, "which one it is, if I know it"),
    Part("points", 2 * MAX_SEATS, "everybody's total: the tens, and what is left"),
)
(
    SEATED,
    DIFFICULTY,
    GOAL,
    ROUND,
    PHASE,
    ACTING,
    ACTIVE,
    STOPPER,
    MY_NUMBER,
    TOP,
    PILE,
    DECK,
    DRAWN,
    LOOKING,
    HAND,
    OPEN,
    TOLD,
    KNOWN,
    OTHERS_OPEN,
    IN_HAND,
    HIDDEN,
    DESIGNATED,
    TO_ASK,
    WAY,
    CHOSEN,
    POINTS,
) = places(PARTS)


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[SEATED] = s.places
    x[DIFFICULTY] = s.difficulty if s.seats == 1 else 0
    x[GOAL] = s.goal
    put_large(x, ROUND, s.round_no)
    if s.phase != Phase.OVER:
        x[PHASE + s.phase] = 1
    put_seats(x, ACTING, s.acting, seat, s.places)
    put_seats(x, ACTIVE, bit(s.active), seat, s.places)
    if s.stopper != NONE:
        put_seats(x, STOPPER, bit(s.stopper), seat, s.places)
    if s.phase == Phase.SWAP or s.phase == Phase.LOOK:
        x[MY_NUMBER + seat] = 1
    observe_piles(s, seat, x)
    put_bag(x, HAND, s.hand[seat])
    put_bag(x, OPEN, s.certain[seat, seat])
    for i in range(s.places):
        other = (seat + i) % s.places
        x[IN_HAND + i] = size(s.hand[other])
        put_large(x, POINTS + 2 * i, s.score[other])
        if i > 0:
            put_bag(x, KNOWN + (i - 1) * VALUES, s.certain[seat, other] if other < s.seats else s.hand[other])
            put_bag(x, TOLD + (i - 1) * VALUES, s.certain[other, seat])
            put_bag(x, OTHERS_OPEN + (i - 1) * VALUES, s.certain[other, other])
    observe_exchange(s, seat, x)


def observe_piles(s: State, seat: int, x: MutableSequence[int]) -> None:
    x[TOP + s.top - 1] = 1
    put_bag(x, PILE, s.pile)
    x[DECK] = s.deck_end - s.deck_next
    if s.drawn != 0:
        x[LOOKING] = 1
        if s.active == seat:
            x[DRAWN + s.drawn - 1] = 1
    for bot in range(s.seats, SOLO_PLACES):
        x[HIDDEN + bot] = s.hidden_n[bot]


def observe_exchange(s: State, seat: int, x: MutableSequence[int]) -> None:
    """Whom an ability is for, and what is chosen so far."""
    for i in range(named_by_ability(s)):
        put_seats(x, DESIGNATED + i * MAX_SEATS, bit(s.designated[i]), seat, s.places)
    if s.phase == Phase.REACT:
        put_seats(x, TO_ASK, s.to_ask, seat, s.places)
    if s.way[0] != Way.NOT_YET:
        x[WAY + s.way[0] - 1] = 1
    is_known = s.seats == 1 or s.way[0] == Way.NAMED or (s.way[0] == Way.FREELY and s.active == seat)
    if is_known and s.chosen[0] != 0:
        x[CHOSEN + s.chosen[0] - 1] = 1


def named_by_ability(s: State) -> int:
    """How many seats an ability was directed at that is being used."""
    if s.seats == 1:
        return 1 if s.phase == Phase.GIVE or s.phase == Phase.GET else 0
    if s.phase < Phase.REACT or s.phase > Phase.SECOND_CARD:
        return 0
    return 1 if s.top == LOOK else 2


def put_bag(x: MutableSequence[int], at: int, bag: int) -> None:
    """Write how many cards there are of each value."""
    for value in range(1, VALUES + 1):
        x[at + value - 1] = many(bag, value)
