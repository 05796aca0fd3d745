"""Hollywood Sensation as numbers: what a seat knows, told from its own side of the table."""

from __future__ import annotations

from collections.abc import MutableSequence

from cardtown.core.cards import bit, count
from cardtown.core.observing import Part, places, put

from .rules import CARDS, NONE, SUITS, State, inferior

PARTS = (
    Part("turn", 1, "1 if I choose now, -1 if the other does, 0 when the game is over"),
    Part("to_hide", 1, "how many cards are still to be hidden"),
    Part("round", 1, "the round, from 1"),
    Part("carpet", 1, "spaces on each side of the centre"),
    Part("pawn", 1, "where the pawn stands: positive on my side"),
    Part("inferior", 1, "1 if I am the inferior seat, -1 if the other is"),
    Part("strength", SUITS, "how strong each suit is, from 1 to 4"),
    Part("hand", CARDS, "my hand"),
    Part("known", CARDS, "of my hand, what the other has seen"),
    Part("room", SUITS, "how many of the rest may be of each suit, for all that the other knows"),
    Part("other_known", CARDS, "of the other's hand, what I have seen"),
    Part("other_unknown", 1, "how many other cards it holds"),
    Part("other_room", SUITS, "how many of those may be of each suit"),
    Part("won", CARDS, "what I have won in this round"),
    Part("other_won", CARDS, "what the other has won"),
    Part("led", CARDS, "the card that leads the trick"),
    Part("last", CARDS, "the last trick"),
    Part("top", CARDS, "the card on top of the shared deck"),
    Part("deck", 1, "how many cards the shared deck holds"),
    Part("private", CARDS, "my private deck: 1 for the lowest card, 2 for the one above it, …"),
    Part("private_n", 1, "how many cards the private deck holds"),
)
(
    TURN,
    TO_HIDE,
    ROUND,
    CARPET,
    PAWN,
    INFERIOR,
    STRENGTH,
    HAND,
    KNOWN,
    ROOM,
    OTHER_KNOWN,
    OTHER_UNKNOWN,
    OTHER_ROOM,
    WON,
    OTHER_WON,
    LED,
    LAST,
    TOP,
    DECK,
    PRIVATE,
    PRIVATE_N,
) = places(PARTS)


def observe(s: State, seat: int, x: MutableSequence[int]) -> None:
    other = 1 - seat
    if s.acting:
        x[TURN] = 1 if s.acting & bit(seat) else -1
    x[TO_HIDE] = s.to_hide
    x[ROUND] = s.round_no
    x[CARPET] = s.carpet
    x[PAWN] = s.pawn if seat == 0 else -s.pawn
    for suit in range(SUITS):
        x[STRENGTH + s.suits[suit]] = SUITS - suit  # the strongest comes first
        x[ROOM + suit] = s.room[seat, suit]
        x[OTHER_ROOM + suit] = s.room[other, suit]
    put(x, HAND, s.hand[seat])
    put(x, KNOWN, s.seen[seat])
    put(x, OTHER_KNOWN, s.seen[other])
    x[OTHER_UNKNOWN] = count(s.hand[other] & ~s.seen[other])
    put(x, WON, s.won[seat])
    put(x, OTHER_WON, s.won[other])
    if s.led != NONE:
        x[LED + s.led] = 1
    put(x, LAST, s.last)
    x[DECK] = CARDS - s.drawn
    if s.drawn < CARDS:
        x[TOP + s.deck[s.drawn]] = 1
    x[PRIVATE_N] = s.private_n
    if s.private_n:
        x[INFERIOR] = 1 if inferior(s) == seat else -1
        if inferior(s) == seat:
            for i in range(s.private_n):
                x[PRIVATE + s.private[i]] = i + 1
