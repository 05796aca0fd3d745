"""Hollywood Sensation: the rules, from the deal to the end, as the rulebook tells them.

A card is a number, suit by suit (C1 … C7, M1 … H7); a choice is the card to hide or to play. The pawn's distance from
the centre is positive on the side of seat 0.
"""

from __future__ import annotations

from enum import IntEnum
from math import comb

from cardtown.core import state
from cardtown.core.cards import bit, count, lowest
from cardtown.core.chance import any_of, below, pick, shuffle
from cardtown.core.components import components, require
from cardtown.core.state import grid, mask, masks, number, numbers
from cardtown.core.story import ALL, tell

PARTS = components(__package__)
RANKS = 7
SUITS = 4
CARDS = 28
HAND = 6
ROUNDS = 3
SHORTEST_CARPET = 3
LONGEST_CARPET = 6
CARPET: int = PARTS["carpet"]["spaces"]
FAME: tuple[int, ...] = tuple(PARTS["fame"]["majority"])

require(PARTS["cards"]["suits"] == ["C", "M", "S", "H"], "cards.suits", "the rulebook gives C, M, S, H")
require(PARTS["cards"]["ranks"] == RANKS, "cards.ranks", "the rulebook gives ranks 1 to 7")
require(PARTS["cards"]["hand"] == HAND, "cards.hand", "the rulebook deals six cards")
require(PARTS["rounds"]["most"] == ROUNDS, "rounds.most", "the rulebook plays at most three rounds")
require(FAME == (1, 1, -1, -1), "fame.majority", "the rulebook gives +1, +1, -1, -1")
require(
    SHORTEST_CARPET <= CARPET <= LONGEST_CARPET,
    "carpet.spaces",
    f"must be from {SHORTEST_CARPET} to {LONGEST_CARPET}, not {CARPET}",
)

COQUETTISH = 0
NONE = -1
NEITHER = 2
BOTH = 0b11
ALL_CARDS = (1 << CARDS) - 1
SUIT = tuple(card // RANKS for card in range(CARDS))
SUIT_CARDS = tuple(0x7F << (RANKS * suit) for suit in range(SUITS))
CHOOSE = tuple(tuple(comb(n, k) for k in range(RANKS + 1)) for n in range(RANKS + 1))


class Chance(IntEnum):
    SUITS = 0
    DECK = 1
    LEADER = 2


class Kind(IntEnum):
    HIDE = 0
    PLAY = 1


class Event(IntEnum):
    ROUND = 0
    SUIT_ORDER = 1
    DEALT = 2
    LEADS = 3
    TURNED_UP = 4
    MUST_HIDE = 5
    HID = 6
    HID_CARD = 7
    PLAYED = 8
    TRICK = 9
    TOOK = 10
    DREW = 11
    DREW_CARD = 12
    DREW_PRIVATE = 13
    FAME = 14
    MONOPOLY = 15
    TIE = 16
    PAWN = 17
    WON = 18


class State(state.State):
    carpet = number()  # option: spaces on each side of the centre
    round_no = number()
    pawn = number()
    suits = numbers(SUITS)  # the strongest first
    strength = numbers(SUITS)  # the same by suit: the higher, the stronger
    deck = numbers(CARDS)  # the shared deck, in the order it was shuffled
    drawn = number()  # how many of it are gone; the next one lies face up
    hand = masks(2)
    private = numbers(LONGEST_CARPET - 1)  # the inferior seat's private deck, the top last
    private_n = number()
    to_hide = number()  # how many cards are still to be hidden
    led = number()  # the card that leads the trick, or NONE
    won = masks(2)
    last = mask()  # the two cards of the last trick
    # What everybody remembers of a hand (HOL-20): the cards that were taken face up, and, of the others, how many
    # may be of each suit, because they were drawn after the seat last failed to follow it.
    seen = masks(2)
    room = grid(2, SUITS)


def start(s: State) -> None:
    start_round(s)


def legal(s: State, seat: int) -> int:
    if not s.acting & bit(seat):
        return 0
    if s.led != NONE:  # HOL-06: follow suit if you can
        following = s.hand[seat] & SUIT_CARDS[SUIT[s.led]]
        if following:
            return following
    return s.hand[seat]


def play(s: State, seat: int, choice: int) -> None:
    if s.to_hide > 0:
        hide(s, seat, choice)
    elif s.led == NONE:
        lead(s, seat, choice)
    else:
        follow(s, seat, choice)


def kind(s: State, choice: int) -> int:
    return Kind.HIDE if s.to_hide > 0 else Kind.PLAY


# Set-up and rounds


def start_round(s: State) -> None:
    s.round_no += 1
    tell(s, ALL, Event.ROUND, s.round_no)
    order_suits(s)
    deal(s)
    s.led = NONE
    if s.pawn == 0:  # HOL-03: only the first round starts from the centre
        s.acting = bit(pick(s, Chance.LEADER, BOTH))
        tell(s, ALL, Event.LEADS, lowest(s.acting))
    else:  # HOL-04: the inferior seat hides a card for every space
        s.acting = bit(inferior(s))
        s.to_hide = abs(s.pawn)
        tell(s, ALL, Event.MUST_HIDE, inferior(s), s.to_hide)


def order_suits(s: State) -> None:
    """HOL-01: the strength of the suits."""
    for suit in range(SUITS):
        s.suits[suit] = suit
    shuffle(s, Chance.SUITS, s.suits, SUITS)
    for place in range(SUITS):
        s.strength[s.suits[place]] = SUITS - place
    tell(s, ALL, Event.SUIT_ORDER, s.suits[0] * 64 + s.suits[1] * 16 + s.suits[2] * 4 + s.suits[3])


def deal(s: State) -> None:
    """HOL-02: six cards each, and the next one face up."""
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(s, Chance.DECK, s.deck, CARDS)
    for seat in range(2):
        s.hand[seat] = 0
        for i in range(HAND):
            s.hand[seat] |= bit(s.deck[seat * HAND + i])
        s.won[seat] = 0
        s.seen[seat] = 0
        for suit in range(SUITS):
            s.room[seat, suit] = HAND
        tell(s, bit(seat), Event.DEALT, s.hand[seat])
    s.last = 0
    s.drawn = 2 * HAND
    tell(s, ALL, Event.TURNED_UP, s.deck[s.drawn])


def superior(s: State) -> int:
    """The seat that the pawn is nearer to."""
    return 0 if s.pawn > 0 else 1


def inferior(s: State) -> int:
    return 1 - superior(s)


def hide(s: State, seat: int, card: int) -> None:
    """HOL-04, HOL-05: onto the private deck, the last one on top."""
    s.hand[seat] &= ~bit(card)
    for suit in range(SUITS):
        s.room[seat, suit] -= 1
    s.private[s.private_n] = card
    s.private_n += 1
    s.to_hide -= 1
    tell(s, ALL, Event.HID, seat)
    tell(s, bit(seat), Event.HID_CARD, seat, card)
    if s.to_hide == 0:
        s.acting = bit(superior(s))  # HOL-03
        tell(s, ALL, Event.LEADS, superior(s))


# Tricks


def lead(s: State, seat: int, card: int) -> None:
    """HOL-06: any card."""
    take_from_hand(s, seat, card)
    s.led = card
    s.acting = bit(1 - seat)


def follow(s: State, seat: int, card: int) -> None:
    leader = 1 - seat
    take_from_hand(s, seat, card)
    # HOL-20: who does not follow holds none of that suit but what it draws from now on. (A product instead of a
    # branch, here and below: what chance decides no processor predicts.)
    s.room[seat, SUIT[s.led]] *= SUIT[card] == SUIT[s.led]
    winner = leader if beats(s, s.led, card) else seat
    s.last = bit(s.led) | bit(card)
    s.won[winner] |= s.last  # HOL-08
    tell(s, ALL, Event.TRICK, winner, s.led, card)
    s.led = NONE
    s.acting = bit(winner)  # HOL-12
    replenish(s, winner)
    if s.won[0] | s.won[1] == ALL_CARDS:
        score_round(s)


def beats(s: State, led: int, card: int) -> bool:
    """HOL-07: between suits their strength decides, within a suit the rank."""
    return power(s, led) > power(s, card)


def power(s: State, card: int) -> int:
    return s.strength[SUIT[card]] * CARDS + card


def take_from_hand(s: State, seat: int, card: int) -> None:
    """A card is played; what is known of the hand shrinks with it."""
    s.hand[seat] &= ~bit(card)
    # Of the unseen cards that may have been of this suit, count the one drawn first as gone.
    unseen = 0 if s.seen[seat] & bit(card) else 1
    s.seen[seat] &= ~bit(card)
    room = s.room[seat, SUIT[card]]
    for suit in range(SUITS):
        s.room[seat, suit] -= unseen & (s.room[seat, suit] >= room)
    tell(s, ALL, Event.PLAYED, seat, card)


def replenish(s: State, winner: int) -> None:
    if s.drawn < CARDS:  # HOL-09: the winner takes the open card, the loser the one below it
        card = s.deck[s.drawn]
        s.hand[winner] |= bit(card)
        s.seen[winner] |= bit(card)
        tell(s, ALL, Event.TOOK, winner, card)
        tell(s, ALL, Event.DREW, 1 - winner)
        draw_unseen(s, 1 - winner, s.deck[s.drawn + 1])
        s.drawn += 2
        if s.drawn < CARDS:
            tell(s, ALL, Event.TURNED_UP, s.deck[s.drawn])
    elif s.private_n > 0:  # HOL-10: won or lost, the private deck gives its top card
        s.private_n -= 1
        tell(s, ALL, Event.DREW_PRIVATE, inferior(s), s.private_n)
        draw_unseen(s, inferior(s), s.private[s.private_n])


def draw_unseen(s: State, seat: int, card: int) -> None:
    s.hand[seat] |= bit(card)
    for suit in range(SUITS):
        s.room[seat, suit] += 1
    tell(s, bit(seat), Event.DREW_CARD, seat, card)


# Scoring


def score_round(s: State) -> None:
    ahead = 0
    for suit in range(SUITS):
        ahead += fame(s, suit)
    if ahead == 0:  # HOL-16: the more coquettish seat moves it one space
        ahead = 1 if majority(s, COQUETTISH) == 0 else -1
        tell(s, ALL, Event.TIE, majority(s, COQUETTISH))
    move_pawn(s, ahead)
    if abs(s.pawn) == s.carpet or s.round_no == ROUNDS:
        end(s)
    else:
        start_round(s)


def majority(s: State, suit: int) -> int:
    """The seat that won more cards of a suit."""
    return 0 if count(s.won[0] & SUIT_CARDS[suit]) > RANKS // 2 else 1


def fame(s: State, suit: int) -> int:
    """HOL-13, HOL-14: what the suit is worth to seat 0, ahead of seat 1."""
    seat = majority(s, suit)
    if count(s.won[seat] & SUIT_CARDS[suit]) == RANKS:
        tell(s, ALL, Event.MONOPOLY, suit, seat)
        return 0
    tell(s, ALL, Event.FAME, suit, seat, count(s.won[seat] & SUIT_CARDS[suit]))
    return FAME[suit] if seat == 0 else -FAME[suit]


def move_pawn(s: State, ahead: int) -> None:
    """HOL-15: towards the seat with more fame."""
    way = 1 if ahead > 0 else -1
    for _ in range(abs(ahead)):
        if s.pawn != way * s.carpet:  # HOL-18: it stops at the furthest space
            s.pawn += way
            if s.pawn == 0:  # HOL-17: never again on the centre
                s.pawn += way
    tell(s, ALL, Event.PAWN, 0 if ahead > 0 else 1, abs(ahead), s.pawn)


def end(s: State) -> None:
    """HOL-18, HOL-19."""
    s.acting = 0
    s.score[0] = s.pawn
    s.score[1] = -s.pawn
    s.winners = bit(superior(s))
    tell(s, ALL, Event.WON, superior(s), abs(s.pawn))


# What a seat knows


def redeal(s: State, seat: int) -> None:
    """HOL-20: guess the other hand, its private deck and the rest of the shared deck."""
    other = 1 - seat
    unknown = ALL_CARDS & ~(s.won[0] | s.won[1] | s.hand[seat] | s.seen[other])
    if s.led != NONE:
        unknown &= ~bit(s.led)
    if s.drawn < CARDS:
        unknown &= ~bit(s.deck[s.drawn])
    if s.private_n > 0 and inferior(s) == seat:
        for i in range(s.private_n):
            unknown &= ~bit(s.private[i])
    unknown &= ~guess_hand(s, other, unknown)
    if s.private_n > 0 and inferior(s) == other:
        for i in range(s.private_n):
            s.private[i] = any_of(s.rng, unknown)
            unknown &= ~bit(s.private[i])
    for i in range(s.private_n, LONGEST_CARPET - 1):
        s.private[i] = 0
    for i in range(min(s.drawn, CARDS)):
        s.deck[i] = 0
    for i in range(s.drawn + 1, CARDS):
        s.deck[i] = any_of(s.rng, unknown)
        unknown &= ~bit(s.deck[i])


def guess_hand(s: State, seat: int, unknown: int) -> int:
    """Give a seat unseen cards that it may hold, every possible hand being equally likely; the cards it was given."""
    n = count(s.hand[seat] & ~s.seen[seat])
    given = 0
    if has_followed_always(s, seat, n):
        for _ in range(n):
            given |= bit(any_of(s.rng, unknown & ~given))
    else:
        split = any_split(s, seat, unknown, n)
        for suit in range(SUITS):
            for _ in range(split >> (3 * suit) & 7):
                given |= bit(any_of(s.rng, unknown & SUIT_CARDS[suit] & ~given))
    s.hand[seat] = s.seen[seat] | given
    return given


def has_followed_always(s: State, seat: int, n: int) -> bool:
    """May each of its `n` unseen cards be of any suit?"""
    for suit in range(SUITS):
        if s.room[seat, suit] < n:
            return False
    return True


def any_split(s: State, seat: int, unknown: int, n: int) -> int:
    """How many of `n` unseen cards are of each suit (three bits per suit), as likely as there are hands like it."""
    total = walk_splits(s, seat, unknown, n, -1)
    return walk_splits(s, seat, unknown, n, below(s.rng, total))


def walk_splits(s: State, seat: int, unknown: int, n: int, ticket: int) -> int:
    """Go through all splits by suit that agree with what was seen, each with a ticket for every hand like it.

    The split that `ticket` belongs to; with no ticket (-1), how many there are.
    """
    c = count(unknown & SUIT_CARDS[0])
    m = count(unknown & SUIT_CARDS[1])
    v = count(unknown & SUIT_CARDS[2])
    h = count(unknown & SUIT_CARDS[3])
    tickets = 0
    for a in range(min(n, c) + 1):
        for b in range(min(n - a, m) + 1):
            for d in range(min(n - a - b, v) + 1):
                e = n - a - b - d
                if e <= h and agrees(s, seat, a, b, d, e):
                    tickets += CHOOSE[c][a] * CHOOSE[m][b] * CHOOSE[v][d] * CHOOSE[h][e]
                    if 0 <= ticket < tickets:
                        return a | b << 3 | d << 6 | e << 9
    return tickets


def agrees(s: State, seat: int, a: int, b: int, d: int, e: int) -> bool:
    """Can all those cards have been drawn after their suits were last not followed?"""
    for suit in range(SUITS):
        room = s.room[seat, suit]
        held = 0
        if s.room[seat, 0] <= room:
            held += a
        if s.room[seat, 1] <= room:
            held += b
        if s.room[seat, 2] <= room:
            held += d
        if s.room[seat, 3] <= room:
            held += e
        if held > room:
            return False
    return True
