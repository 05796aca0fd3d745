"""Gossip and the City: the rules, from the deal to the end, as the rulebook tells them.

A card is a number, colour by colour (R7 … RV, B7 … PV), the initial cards last (RI … PI). A seat that offers chooses a
card of its hand; the lead chooses to take what lies open, or to go on and reveal the next offer.
"""

from __future__ import annotations

from enum import IntEnum

from cardtown.core import state
from cardtown.core.cards import bit, count, lowest
from cardtown.core.chance import any_of, pick, shuffle
from cardtown.core.components import components, require
from cardtown.core.sealed import ask_together, seal
from cardtown.core.state import mask, masks, number, numbers
from cardtown.core.story import ALL, tell

PARTS = components(__package__)
COLOURS = 5
EACH = 11
GOSSIP = 55
CHIPS = 15
SEATS = (3, 4, 5)
MOST_SEATS = 5
CARDS = ["7", "6", "5", "4", "3", "2", "1", "0a", "0b", "S", "V"]
SHIELD_CARD = 9
RANK_VP = (5, 3)
ENOUGH = 5
REMOVED = (0, 0, 0, 5, 3, 0)  # by the number of seats
HAND = (0, 0, 0, 9, 10, 9)
TURNS = (0, 0, 0, 12, 12, 10)

require(PARTS["colours"]["letters"] == list("RBGYP"), "colours.letters", "the five colours are written R, B, G, Y, P")
require(PARTS["gossip"]["cards"] == CARDS, "gossip.cards", f"the eleven cards are written {', '.join(CARDS)}")
require(PARTS["gossip"]["shields"][SHIELD_CARD] == 3, "gossip.shields", "the rulebook gives card S three shields")
require(PARTS["rank_chips"]["vp"] == [*RANK_VP], "rank_chips.vp", "the rulebook gives 5 VP and 3 VP")
require(PARTS["rank_chips"]["ranks"] == ENOUGH, "rank_chips.ranks", "the rulebook asks for ranks that sum to 5")
require(PARTS["deal"]["seats"] == [*SEATS], "deal.seats", "the rulebook is for three to five")
require(PARTS["deal"]["removed"] == [*REMOVED[3:]], "deal.removed", "the rulebook removes 5, 3 or no cards")
require(PARTS["deal"]["hand"] == [*HAND[3:]], "deal.hand", "the rulebook deals 9, 10 or 9 cards")


def figures(table: str, key: str, most: int) -> list[int]:
    """The figures under a key, none of them larger than the rules can count with."""
    found: int | list[int] = PARTS[table][key]
    listed = found if isinstance(found, list) else [found]
    require(min(listed) >= 0 and max(listed) <= most, f"{table}.{key}", f"must be from 0 to {most}")
    return listed


def on_cards(key: str, most: int) -> tuple[int, ...]:
    """A figure of every card: the gossip cards colour by colour, then the initial cards."""
    return tuple(figures("gossip", key, most) * COLOURS + figures("initial", key, most) * COLOURS)


RANK = on_cards("rank", 7)
ICONS = on_cards("icons", 2)
SHIELDS = on_cards("shields", 9)
VP = on_cards("vp", 9)
# What a card adds to a claim: the icons count first, then how often there is each rank, from the highest down.
ICON = 32
CLAIM = tuple(icons << ICON | 1 << (4 * rank) for icons, rank in zip(ICONS, RANK, strict=True))
# What cards and chips are worth in the end: VP and shields in one number.
POINT = 16
WORTH = tuple(vp << POINT | shields for vp, shields in zip(VP, SHIELDS, strict=True))
WORTHY = sum(1 << card for card, points in enumerate(WORTH) if points)
_chips = [*zip(PARTS["chips"]["names"], figures("chips", "vp", 9), figures("chips", "shields", 9), strict=True)]
KINDS = list(dict.fromkeys(_chips))
require(len({name for name, _, _ in KINDS}) == len(KINDS), "chips.names", "chips of the same name must be equal")
CHIP_KIND = tuple(KINDS.index(chip) for chip in _chips)
CHIP_WORTH = tuple(vp << POINT | shields for _, vp, shields in KINDS)
CHIPS_OF_KIND = tuple(sum(1 << i for i in range(CHIPS) if CHIP_KIND[i] == kind) for kind in range(len(KINDS)))

NONE = -1
NO_COLOUR = COLOURS
VUNSHUN = MOST_SEATS  # it holds chips and shields as the seats do
COLOUR_GOSSIP = (*(0x7FF << (EACH * colour) for colour in range(COLOURS)), 0)  # the last is NO_COLOUR's
COLOUR_CARDS = tuple(COLOUR_GOSSIP[colour] | 1 << (GOSSIP + colour) for colour in range(COLOURS))
TAKE = 0  # the lead keeps the turn's card, or trades it for the one revealed
GO_ON = 1  # the lead reveals the first offer, or passes to the next


class Chance(IntEnum):
    COLOUR = 0
    DECK = 1
    INITIAL = 2
    CHIPS = 3
    START = 4


class Event(IntEnum):
    LEFT_OUT = 0
    REMOVED = 1
    DEALT = 2
    INITIAL = 3
    TURN = 4
    OFFERED = 5
    OFFERED_CARD = 6
    REVEALED = 7
    PASSED = 8
    TRADED = 9
    TOOK = 10
    LOOKED = 11
    KEPT = 12
    COLLECTED = 13
    COLLECTED_DOWN = 14
    UNCOVERED = 15
    MOST_ICONS = 16
    SECOND_ICONS = 17
    NOT_GIVEN = 18
    COUNTED = 19
    VUNSHUN = 20
    ELIMINATED = 21
    WON = 22


class State(state.State):
    # `sealed` is a seat's offer as long as it lies in front of it, else NONE.
    absent = number()  # the colour that three seats leave out, else NO_COLOUR
    removed = mask()
    deck = numbers(GOSSIP)  # the gossip cards in the order they were shuffled
    drawn = number()  # how many of them are gone
    hand = masks(MOST_SEATS)  # when the game is over: what was discarded from it
    face_up = masks(MOST_SEATS + 1)  # collected cards, and the Vunshun
    face_down = masks(MOST_SEATS)
    initial = numbers(COLOURS)  # the initial cards in the order they were shuffled
    chips = numbers(CHIPS)  # the kinds of the trading chips in the order they were mixed
    laid = number()  # how many of them were laid on a turn's card: one each turn
    chips_of = numbers(MOST_SEATS + 1, 16)  # which of those a seat took, or lie on the Vunshun
    first_lead = number()
    lead = number()
    card = number()  # the turn's card, or NONE
    shown = number()  # how many offers the lead has revealed


def start(s: State) -> None:
    s.card = NONE
    for seat in range(s.seats):
        s.sealed[seat] = NONE
    leave_out_colour(s)
    deal(s)
    deal_initial_cards(s)
    mix_chips(s)
    s.first_lead = pick(s, Chance.START, bit(s.seats) - 1)  # GOS-05
    start_turn(s, s.first_lead)


def legal(s: State, seat: int) -> int:
    if not s.acting & bit(seat):
        return 0
    return bit(TAKE) | bit(GO_ON) if seat == s.lead else s.hand[seat]


def play(s: State, seat: int, choice: int) -> None:
    if seat != s.lead:
        offer(s, seat, choice)
    elif choice == GO_ON:
        reveal_next(s)
    elif s.shown == 0:
        keep(s)
    else:
        trade(s)


def kind(s: State, choice: int) -> int:
    """0: offer; 1: keep, 2: reveal; 3: trade, 4: pass."""
    if not s.acting & bit(s.lead):
        return 0
    return (1 if s.shown == 0 else 3) + choice


def left_of(s: State, seat: int, steps: int) -> int:
    """The seat that sits so many steps clockwise."""
    return (seat + steps) % s.seats


# Set-up


def leave_out_colour(s: State) -> None:
    """GOS-01: three seats play without one colour, whose shield card becomes the Vunshun."""
    s.absent = NO_COLOUR
    if s.seats == 3:
        s.absent = pick(s, Chance.COLOUR, bit(COLOURS) - 1)
        s.face_up[VUNSHUN] = bit(EACH * s.absent + SHIELD_CARD)
        tell(s, ALL, Event.LEFT_OUT, s.absent)


def deal(s: State) -> None:
    """GOS-02, GOS-03: some cards are removed unseen, then every seat gets its hand; the rest is the deck."""
    n = 0
    for card in range(GOSSIP):
        if card // EACH != s.absent:
            s.deck[n] = card
            n += 1
    shuffle(s, Chance.DECK, s.deck, n)
    s.removed = draw(s, REMOVED[s.seats])
    tell(s, ALL, Event.REMOVED, REMOVED[s.seats])
    for seat in range(s.seats):
        s.hand[seat] = draw(s, HAND[s.seats])
        tell(s, bit(seat), Event.DEALT, s.hand[seat])


def draw(s: State, n: int) -> int:
    """The next `n` cards of the deck."""
    drawn = 0
    for i in range(s.drawn, s.drawn + n):
        drawn |= bit(s.deck[i])
    s.drawn += n
    return drawn


def deal_initial_cards(s: State) -> None:
    """GOS-04: the first card of a seat's collection."""
    n = 0
    for colour in range(COLOURS):
        if colour != s.absent:
            s.initial[n] = GOSSIP + colour
            n += 1
    shuffle(s, Chance.INITIAL, s.initial, n)
    for seat in range(s.seats):
        s.face_up[seat] = bit(s.initial[seat])
        tell(s, ALL, Event.INITIAL, seat, s.initial[seat])


def mix_chips(s: State) -> None:
    """GOS-05."""
    for chip in range(CHIPS):
        s.chips[chip] = CHIP_KIND[chip]
    shuffle(s, Chance.CHIPS, s.chips, CHIPS)


# A turn


def start_turn(s: State, lead: int) -> None:
    """GOS-06, GOS-07: the turn's card with a chip on it; all but the lead make an offer."""
    s.lead = lead
    s.shown = 0
    s.card = s.deck[s.drawn]
    s.drawn += 1
    s.laid += 1
    ask_together(s, (bit(s.seats) - 1) & ~bit(lead), left_of(s, lead, 1))
    tell(s, ALL, Event.TURN, s.laid, lead, s.card)


def offer(s: State, seat: int, card: int) -> None:
    """GOS-07: face down, in front of the seat."""
    s.hand[seat] &= ~bit(card)
    was_last = seal(s, seat, card)
    if was_last:
        s.acting = bit(s.lead)
    tell(s, ALL, Event.OFFERED, seat)
    tell(s, bit(seat), Event.OFFERED_CARD, card)
    if was_last and s.seats > 3:  # GOS-12: only with three seats the lead may keep
        reveal_next(s)


def keep(s: State) -> None:
    """GOS-12: the lead takes the turn's card, the Vunshun the chip."""
    card = give_turns_card(s, s.lead, VUNSHUN)
    tell(s, ALL, Event.KEPT, s.lead, card)
    finish_turn(s)


def reveal_next(s: State) -> None:
    """GOS-08: one by one, clockwise from the lead's left; the card revealed before is passed on."""
    if s.shown > 0:
        tell(s, ALL, Event.PASSED, s.lead, shown_seat(s))
    s.shown += 1
    tell(s, ALL, Event.REVEALED, shown_seat(s), s.sealed[shown_seat(s)])
    if s.shown == s.seats - 1:  # GOS-09: the last card must be taken
        trade(s)


def shown_seat(s: State) -> int:
    """The seat whose offer was revealed last."""
    return left_of(s, s.lead, s.shown)


def trade(s: State) -> None:
    """GOS-10: the lead takes the revealed card, its owner the turn's card and the chip."""
    owner = shown_seat(s)
    offered = s.sealed[owner]
    s.sealed[owner] = NONE
    s.face_up[s.lead] |= bit(offered)
    tell(s, ALL, Event.TRADED, s.lead, owner, offered)
    card = give_turns_card(s, owner, owner)
    tell(s, ALL, Event.TOOK, owner, card)
    tell(s, bit(owner), Event.LOOKED, s.chips[s.laid - 1])
    finish_turn(s)


def give_turns_card(s: State, seat: int, holder: int) -> int:
    """A seat takes the turn's card, and a seat or the Vunshun the chip that lay on it; the card."""
    card = s.card
    s.card = NONE
    s.face_up[seat] |= bit(card)
    s.chips_of[holder] |= bit(s.laid - 1)
    return card


def finish_turn(s: State) -> None:
    """GOS-05, GOS-13: the lead moves clockwise, until the deck is used up."""
    for place in range(1, s.seats):
        seat = left_of(s, s.lead, place)
        if s.sealed[seat] != NONE:
            collect(s, seat, place <= s.shown)
    if s.laid == TURNS[s.seats]:
        end(s)
    else:
        start_turn(s, left_of(s, s.lead, 1))


def collect(s: State, seat: int, was_revealed: bool) -> None:
    """GOS-11: who did not trade adds its own offer to its collection."""
    card = s.sealed[seat]
    s.sealed[seat] = NONE
    if was_revealed:
        s.face_up[seat] |= bit(card)
        tell(s, ALL, Event.COLLECTED, seat, card)
    else:
        s.face_down[seat] |= bit(card)
        tell(s, ALL, Event.COLLECTED_DOWN, seat)


# The end


def end(s: State) -> None:
    for seat in range(s.seats):
        uncover(s, seat)
    for colour in range(COLOURS):
        if colour != s.absent:
            award(s, colour)
    s.acting = 0  # GOS-17: now the trading chips are turned up
    for seat in range(s.seats):  # GOS-20: to the rank chips come the VP on cards and trading chips
        s.score[seat] += worth(s, seat) >> POINT
    eliminate(s)


def uncover(s: State, seat: int) -> None:
    """GOS-13: the rest of the hand is discarded unseen, face-down cards are turned up."""
    uncovered = s.face_down[seat]
    s.face_down[seat] = 0
    s.face_up[seat] |= uncovered
    tell(s, ALL, Event.UNCOVERED, seat, count(s.hand[seat]), uncovered)


def award(s: State, colour: int) -> None:
    """GOS-14, GOS-16: the rank chips of a colour, as far as seats qualify."""
    ahead = NONE
    for place in range(2):
        ahead = seat_ahead(s, colour, ahead)
        if ahead == NONE:
            tell(s, ALL, Event.NOT_GIVEN, colour, place)
            return
        s.score[ahead] += RANK_VP[place]
        tell(s, ALL, Event.MOST_ICONS if place == 0 else Event.SECOND_ICONS, colour, ahead, claim(s, ahead, colour))


def seat_ahead(s: State, colour: int, but: int) -> int:
    """GOS-15: the seat with the best claim, or NONE; in a full tie the nearest clockwise from the first lead."""
    ahead = NONE
    best = 0
    for place in range(s.seats):
        seat = left_of(s, s.first_lead, place)
        own = claim(s, seat, colour)
        if seat != but and own > best:
            best = own
            ahead = seat
    return ahead


def claim(s: State, seat: int, colour: int) -> int:
    """GOS-14, GOS-15: icons first, then the ranks from the highest down; nothing unless the ranks sum to enough."""
    cards = s.face_up[seat] & COLOUR_CARDS[colour]
    ranks = 0
    own = 0
    while cards:
        ranks += RANK[lowest(cards)]
        own += CLAIM[lowest(cards)]
        cards &= cards - 1
    return own if ranks >= ENOUGH else 0


def worth(s: State, holder: int) -> int:
    """VP and shields on the cards and chips of a seat or of the Vunshun."""
    own = 0
    cards = s.face_up[holder] & WORTHY
    while cards:
        own += WORTH[lowest(cards)]
        cards &= cards - 1
    chips = s.chips_of[holder]
    while chips:
        own += CHIP_WORTH[s.chips[lowest(chips)]]
        chips &= chips - 1
    return own


def shields_of(s: State, holder: int) -> int:
    """GOS-17, GOS-19: on cards, the initial card and the Vunshun itself too, and on chips."""
    return worth(s, holder) & (bit(POINT) - 1)


def eliminated(s: State) -> int:
    """GOS-17 to GOS-19: all seats with the fewest shields, be it everybody; none if the Vunshun has fewer."""
    fewest = shields_of(s, VUNSHUN if s.seats == 3 else 0)
    for seat in range(s.seats):
        fewest = min(fewest, shields_of(s, seat))
    out = 0
    for seat in range(s.seats):
        if shields_of(s, seat) == fewest:
            out |= bit(seat)
    return out


def eliminate(s: State) -> None:
    """GOS-17, GOS-20: of the seats that survive, the most VP win; in a tie the most shields."""
    out = eliminated(s)
    best = -1
    for seat in range(s.seats):
        tell(s, ALL, Event.COUNTED, seat, s.score[seat], shields_of(s, seat))
        reached = s.score[seat] << POINT | shields_of(s, seat)
        if not out & bit(seat) and reached >= best:
            s.winners = s.winners | bit(seat) if reached == best else bit(seat)
            best = reached
    if s.seats == 3:
        tell(s, ALL, Event.VUNSHUN, shields_of(s, VUNSHUN))
    tell(s, ALL, Event.ELIMINATED, out)
    tell(s, ALL, Event.WON, s.winners)


# What a seat knows


def redeal(s: State, seat: int) -> None:
    """GOS-22: guess the other hands, offers and face-down cards, the removed cards, the deck and the chips."""
    unknown = (bit(GOSSIP) - 1) & ~COLOUR_GOSSIP[s.absent] & ~known_cards(s, seat)
    for other in range(s.seats):
        if other != seat:
            s.hand[other] = any_cards(s, unknown, count(s.hand[other]))
            unknown &= ~s.hand[other]
            s.face_down[other] = any_cards(s, unknown, count(s.face_down[other]))
            unknown &= ~s.face_down[other]
            if is_offer_hidden(s, other):
                s.sealed[other] = any_of(s.rng, unknown)
                unknown &= ~bit(s.sealed[other])
    s.removed = any_cards(s, unknown, count(s.removed))
    unknown &= ~s.removed
    for i in range(s.drawn):
        s.deck[i] = 0
    for i in range(s.drawn, s.drawn + TURNS[s.seats] - s.laid):
        s.deck[i] = any_of(s.rng, unknown)
        unknown &= ~bit(s.deck[i])
    guess_chips(s, seat)


def known_cards(s: State, seat: int) -> int:
    known = s.hand[seat] | s.face_down[seat]
    if s.card != NONE:
        known |= bit(s.card)
    for other in range(s.seats):
        known |= s.face_up[other]
        if s.sealed[other] != NONE and (other == seat or not is_offer_hidden(s, other)):
            known |= bit(s.sealed[other])
    return known


def is_offer_hidden(s: State, seat: int) -> bool:
    """Does an offer lie face down in front of this seat?"""
    return s.sealed[seat] != NONE and (seat + s.seats - s.lead) % s.seats > s.shown


def any_cards(s: State, cards: int, n: int) -> int:
    """Any `n` of these cards."""
    chosen = 0
    for _ in range(n):
        chosen |= bit(any_of(s.rng, cards & ~chosen))
    return chosen


def guess_chips(s: State, seat: int) -> None:
    """GOS-22: a seat knows its own chips, and at the end all that were laid."""
    known = s.chips_of[seat] if s.acting else bit(s.laid) - 1
    left = bit(CHIPS) - 1
    for i in range(CHIPS):
        if known & bit(i):
            left &= ~bit(lowest(left & CHIPS_OF_KIND[s.chips[i]]))
    for i in range(CHIPS):
        if not known & bit(i):
            chip = any_of(s.rng, left)
            left &= ~bit(chip)
            s.chips[i] = CHIP_KIND[chip]
