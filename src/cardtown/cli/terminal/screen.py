"""Draws a table as rich text: any game's, from the table's vocabulary and nothing else.

The others are above, what all share in the middle, one's own below; the own hand is drawn apart, so that it can stay
in sight. What there is room for decides how large everything gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from cardtown.core.table import Card, Cell, Table, Thing, Zone

from .blocks import Block, above, beside, blank, centred, flow, line
from .drawing import DOWN, KNOWN, Artist, Size


class Detail(NamedTuple):
    """How large shared cards are; if seats' zones stand as blocks, and if single rows of cells are ruled."""

    size: Size
    roomy: bool
    ruled: bool


DETAILS = (
    Detail(Size.LARGE, roomy=True, ruled=True),
    Detail(Size.SMALL, roomy=True, ruled=True),
    Detail(Size.SMALL, roomy=False, ruled=True),
    Detail(Size.SMALL, roomy=False, ruled=False),
    Detail(Size.CHIP, roomy=False, ruled=False),
)


def draw_table(artist: Artist, table: Table, width: int, height: int) -> Block:
    """Everything but the own hand, as large as fits."""
    for detail in DETAILS:
        others = above(seat_block(artist, table, place, width, detail) for place in other_places(table))
        shared = shared_block(artist, table, width, detail)
        own = seat_block(artist, table, table.seat or 0, width, detail)
        free = height - others.height - shared.height - own.height
        if free >= 0 and max(others.width, shared.width, own.width) <= width:
            break
    if free < 0:  # what all share stays in sight; the seats are a scroll away
        return above([shared, own, others])
    return above([others, blank(free // 2), shared, blank(free - free // 2), own])


def draw_hand(artist: Artist, table: Table, width: int, large: bool) -> Block:
    """The own hand, as large as the width allows."""
    acting = table.seat in table.acting
    blocks = []
    for zone in hands(table):
        cards = [thing for thing in zone.things if isinstance(thing, Card)]
        size = Size.LARGE if large else Size.SMALL
        inner = artist.inner_width(cards, size)
        faint = [acting and card.id not in artist.touch.keys and card.id not in artist.touch.taken for card in cards]
        boxes = [artist.box(card, size, inner, pale) for card, pale in zip(cards, faint, strict=True)]
        row = beside(boxes, 1)
        if row.width > width:
            row = beside(boxes, 0)
        if row.width > width:
            row = flow((artist.thing(card) for card in cards), width, 1)
        blocks.append(row)
    return centred(flow(blocks, width, 3), width)


def draw_buttons(artist: Artist, table: Table, width: int) -> Block:
    buttons = (artist.framed(button.id, Text(f" {artist.plain(button.label)} ", "bold")) for button in table.buttons)
    return centred(flow(buttons, width), width)


def hands(table: Table) -> list[Zone]:
    return [zone for zone in table.zones if is_hand(table, zone)]


def is_hand(table: Table, zone: Zone) -> bool:
    return zone.kind == "fan" and zone.owner == table.seat


def other_places(table: Table) -> list[int]:
    """All places but the own, clockwise from it."""
    near = table.seat or 0
    return [(near + i) % table.places for i in range(1, table.places)]


def things_in_order(table: Table) -> list[str]:
    """All that lies on the table, in the order in which the keyboard goes over it: the own hand first."""
    zones = sorted(table.zones, key=lambda zone: not is_hand(table, zone))
    ids: list[str] = []
    for zone in zones:
        ids += [thing.id for thing in zone.things] + [cell.id for cell in zone.cells] + [zone.id]
    return list(dict.fromkeys([*ids, *(button.id for button in table.buttons)]))


def describe(artist: Artist, table: Table, thing: str) -> str:
    """What a thing is, in words."""
    for button in table.buttons:
        if button.id == thing:
            return artist.plain(button.label)
    for zone in table.zones:
        title = artist.plain(zone.title)
        if zone.id == thing:
            return title
        for cell in zone.cells:
            if cell.id == thing:
                return f"{title}: {artist.plain(cell.title)}"
        for piece in zone.things:
            if piece.id == thing:
                return f"{title}: {_piece(artist, piece)}"
    return thing


def _piece(artist: Artist, piece: Thing) -> str:
    if not isinstance(piece, Card):
        owner = "" if piece.owner is None else f" of {artist.names[piece.owner]}"
        return f"{piece.look}{owner}" + (f" ×{piece.count}" if piece.count != 1 else "")
    if piece.face is None:
        return "a face-down card"
    notes = [note for note, holds in (("face down", piece.down), ("seen by all", piece.known)) if holds]
    return ", ".join([artist.plain(artist.faces[piece.face].title), *notes])


def legend(artist: Artist, table: Table) -> list[Block]:
    """What the marks mean, where there are any."""
    cards = [thing for zone in table.zones for thing in zone.things if isinstance(thing, Card)]
    return [
        line(Text(f"{mark} {meaning}", artist.paint.dim))
        for mark, meaning, found in (
            (KNOWN, "seen by all", any(card.known for card in cards)),
            (DOWN, "face down", any(card.down for card in cards)),
        )
        if found
    ]


def seat_block(artist: Artist, table: Table, place: int, width: int, detail: Detail) -> Block:
    """A seat: its name, an arrow if it must choose, its score, and its zones but the own hand."""
    zones = [zone for zone in table.zones if zone.owner == place and not is_hand(table, zone)]
    header = Text().append("▶ " if place in table.acting else "  ", f"bold {artist.paint.accent}")
    header.append(artist.names[place], "bold")
    if place == table.seat:
        header.append(" (you)", artist.paint.dim)
    if place < len(table.sheet.totals):
        header.append(" · score ", artist.paint.dim)
        header.append(f"{table.sheet.totals[place]}".replace("-", "−"), f"bold {artist.paint.accent}")
    notes = legend(artist, table) if place == table.seat else []
    if not detail.roomy:
        kept = [zone for zone in zones if zone.things or zone.count or zone.id in artist.touch.keys]
        return flow([line(header), *(inline(artist, zone) for zone in kept), *notes], width, indent=4)
    fans = [inline(artist, zone) for zone in zones if zone.kind == "fan"]
    blocks = [zone_block(artist, zone, width - 2, Size.CHIP) for zone in zones if zone.kind != "fan"]
    return above(
        [flow([line(header), *fans, *notes], width), beside([line(Text("  ")), flow(blocks, width - 2, 3)], 0)]
    )


def shared_block(artist: Artist, table: Table, width: int, detail: Detail) -> Block:
    """The shared zones: each board in a line of its own, the others side by side."""
    zones = [zone for zone in table.zones if zone.owner is None]
    boards = [board_block(artist, zone, width, detail) for zone in zones if zone.kind == "board"]
    others = [zone_block(artist, zone, width, detail.size) for zone in zones if zone.kind != "board"]
    rows = [centred(block, width) for block in [*boards, flow(others, width, 4)]]
    return above(part for row in rows for part in ([row, blank(1)] if detail.roomy and row is not rows[-1] else [row]))


def title_of(artist: Artist, zone: Zone) -> Block:
    title = Text(artist.plain(zone.title), artist.paint.dim)
    if zone.kind in ("pile", "counter") and zone.count is not None:
        title.append(f" {zone.count}", f"bold {artist.paint.text}")
    return artist.framed(zone.id, title)


def inline(artist: Artist, zone: Zone) -> Block:
    """A zone in one line."""
    if zone.kind == "fan":
        return hidden_hand(artist, zone)
    things = zone.things[:1] if zone.kind == "pile" else zone.things
    return beside([title_of(artist, zone), *(artist.thing(thing) for thing in things)], 1)


def hidden_hand(artist: Artist, zone: Zone) -> Block:
    """Another's hand: how many cards, their backs, then those that are known."""
    backs = [thing for thing in zone.things if isinstance(thing, Card) and thing.face is None]
    known = [thing for thing in zone.things if thing not in backs]
    number = line(Text(str(len(zone.things)), "bold"))
    closed = [beside([artist.thing(card) for card in backs], 0)] if backs else []
    return beside([title_of(artist, zone), number, *closed, *(artist.thing(thing) for thing in known)], 1)


def zone_block(artist: Artist, zone: Zone, width: int, size: Size) -> Block:
    """A zone below its title."""
    if zone.kind == "board":
        return board_block(artist, zone, width, DETAILS[-1])
    if zone.kind == "counter":
        return title_of(artist, zone)
    if size == Size.CHIP and zone.kind != "stack":
        return inline(artist, zone)
    return above([title_of(artist, zone), contents(artist, zone, width, size)])


def contents(artist: Artist, zone: Zone, width: int, size: Size) -> Block:
    if zone.kind == "stack":
        return above(artist.thing(thing) for thing in zone.things) if zone.things else line(Text("–", "dim"))
    cards = [thing for thing in zone.things if isinstance(thing, Card)]
    shown = cards[:1] if zone.kind == "pile" else cards
    inner = artist.inner_width(shown, size)
    boxes = [artist.box(card, size, inner) for card in shown]
    if not boxes and zone.kind == "pile" and zone.count:
        boxes = [artist.box(Card(zone.id, None), size, inner)]
    tokens = [artist.thing(thing) for thing in zone.things if not isinstance(thing, Card)]
    if not boxes and not tokens:
        boxes = [artist.hole(zone.id, inner, 2 if size == Size.SMALL else 3)]
    return flow([*boxes, *tokens], width, 1)


def board_block(artist: Artist, zone: Zone, width: int, detail: Detail) -> Block:
    """A board below its title; a single row of cells stands beside it."""
    title = title_of(artist, zone)
    several = len(zone.cells) > zone.columns
    is_ruled = detail.ruled or (several and detail.size != Size.CHIP)
    narrow = board(artist, zone, width - title.width - 1, is_ruled)
    if several or title.width + 1 + narrow.width > width:
        return above([title, board(artist, zone, width, is_ruled)])
    return beside([above([blank(1), title]) if detail.ruled else title, narrow], 1)


def board(artist: Artist, zone: Zone, width: int, is_ruled: bool) -> Block:
    """Cells in rows. Their titles are drawn where all of them fit; things that lie on no cell come below."""
    columns = max(zone.columns, 1)
    most = max((width - columns - 1) // columns, 1)
    lying = [[artist.thing(thing) for thing in zone.things if thing.at == i] for i in range(len(zone.cells))]
    titles = [cell_title(artist, cell, True) for cell in zone.cells]
    if any(title.width > most for title in titles):
        titles = [cell_title(artist, cell, False) for cell in zone.cells]
    filled = [[title, *things] if title.width else things for title, things in zip(titles, lying, strict=True)]
    wanted = max((beside(blocks, 1).width for blocks in filled), default=0)
    inner = min(max(wanted, 3), most)
    cells = [
        flow((centred(block, inner) if len(blocks) == 1 else block for block in blocks), inner, 1) for blocks in filled
    ]
    rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
    ids = [[cell.id for cell in zone.cells[i : i + columns]] for i in range(0, len(cells), columns)]
    grid = ruled(artist, rows, ids, inner, is_ruled)
    return above([grid, flow((artist.thing(thing) for thing in zone.things if thing.at is None), width, 1)])


def cell_title(artist: Artist, cell: Cell, worded: bool) -> Block:
    """A cell's name; without words only what is needed to touch it."""
    text = Text()
    if cell.look in artist.paint.suits:
        sign = artist.paint.suit(cell.look)
        text.append(f"{sign.glyph}{sign.letter}", f"bold {sign.colour} on {artist.paint.paper}")
    if worded:
        text.append(f" {artist.plain(cell.title)}" if text else artist.plain(cell.title), artist.paint.dim)
    return artist.framed(cell.id, text)


def ruled(
    artist: Artist, rows: Sequence[Sequence[Block]], ids: Sequence[Sequence[str]], inner: int, lined: bool
) -> Block:
    """Rows of cells with rules around them."""
    edge = artist.paint.dim
    columns = max(map(len, rows), default=0)

    def rule(left: str, cross: str, right: str) -> Block:
        return line(Text(left + cross.join(["─" * inner] * columns) + right, edge))

    blocks: list[Block] = []
    for number, (row, names) in enumerate(zip(rows, ids, strict=True)):
        if lined:
            blocks.append(rule("├", "┼", "┤") if number else rule("┌", "┬", "┐"))
        for y in range(max((cell.height for cell in row), default=1) or 1):
            drawn = Text().append("│", edge)
            for cell, name in zip(row, names, strict=True):
                part = cell.lines[y].copy() if y < cell.height else Text()
                part.pad_right(inner - part.cell_len)
                part.stylize_before(Style(meta={"thing": name}))
                drawn.append_text(part).append("│", edge)
            blocks.append(line(drawn))
    if lined:
        blocks.append(rule("└", "┴", "┘"))
    return above(blocks)
