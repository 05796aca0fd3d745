"""Cards, tokens and words as blocks of rich text, in the colours of a game's look.

Colour never stands alone: a card always shows its suit's letter and glyph too. Whatever is drawn of a thing carries
the thing's id in the style's `meta`, so that a click finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.theme import Theme

from cardtown.core.game import Game
from cardtown.core.table import Arg, Card, Face, FaceName, SeatName, Thing, Token
from cardtown.core.table import Text as Message
from cardtown.core.words import Words

from .blocks import Block, line

DOWN = "↓"
KNOWN = "*"
BACK = "▒"
PLAIN, FOCUSED, TAKEN = "╭─╮│╰╯", "┏━┓┃┗┛", "╔═╗║╚╝"

# Private characters around a card's name in a message: what is between them is drawn as a card.
OPEN, CLOSE = "\ue000", "\ue001"


class Size(IntEnum):
    """How much room a card gets: a word in a line, a small box, a large one."""

    CHIP = 0
    SMALL = 1
    LARGE = 2


class Sign(NamedTuple):
    """How a suit, token or mark is told: glyph and letter, and the colour they have."""

    glyph: str
    letter: str
    colour: str


class Paint:
    """The colours and signs of one game."""

    def __init__(self, look: Mapping[str, Any]) -> None:
        theme = look.get("theme", {})
        self.felt = str(theme.get("felt", "#10231c"))
        self.paper = str(theme.get("paper", "#f6efdd"))
        self.ink = str(theme.get("ink", "#1d1a16"))
        self.text = max((self.paper, self.ink, "#ffffff", "#000000"), key=self._contrast_if_enough)
        accents = [*map(str, theme.get("accents", ())), self.text]
        self.accent = next(colour for colour in accents if self._contrast(colour) >= 3 or colour == self.text)
        self.is_dark = _luminance(self.felt) < _luminance(self.text)
        self.dim = self._blend(self.text, self.felt, 0.4)
        self.faint_paper = self._blend(self.paper, self.felt, 0.25)
        self.suits = {name: self._sign(name, entry) for name, entry in look.get("suit", {}).items()}
        self.tokens = {name: self._sign(name, entry) for name, entry in look.get("token", {}).items()}
        self.marks = {name: self._sign(name, entry) for name, entry in look.get("mark", {}).items()}

    def _sign(self, name: str, entry: Mapping[str, Any]) -> Sign:
        return Sign(
            str(entry.get("glyph", "")),
            str(entry.get("letter", "" if "glyph" in entry else name[:1].upper())),
            str(entry.get("colour", self.ink)),
        )

    def _contrast(self, colour: str) -> float:
        a, b = sorted((_luminance(colour), _luminance(self.felt)))
        return (b + 0.05) / (a + 0.05)

    def _contrast_if_enough(self, colour: str) -> float:
        """The game's own colours are as good as any once they can be read well."""
        return min(self._contrast(colour), 7)

    @staticmethod
    def _blend(colour: str, other: str, part: float) -> str:
        return Color.parse(colour).blend(Color.parse(other), part).hex6

    def suit(self, name: str | None) -> Sign:
        return self.suits.get(name or "", Sign("", "", self.ink))

    def token(self, name: str) -> Sign:
        """A token's sign; tokens that share a glyph are told apart by letter."""
        sign = self.tokens.get(name) or self.suits.get(name) or Sign("●", name[:1].upper(), self.ink)
        shared = sum(other.glyph == sign.glyph for other in self.tokens.values()) > 1
        return sign._replace(letter=name[:1].upper()) if shared and not sign.letter else sign

    def mark(self, name: str, n: int) -> str:
        glyph = self.marks[name].glyph if name in self.marks else ""
        return glyph * n if glyph and n <= 3 else f"{glyph or name[:1]}{n}"


def _luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    r, g, b = (linear(part / 255) for part in Color.parse(colour).rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@dataclass(frozen=True)
class Touch:
    """What the player can touch (with the key for it), looks at, and has touched already."""

    keys: Mapping[str, str] = field(default_factory=dict)
    focus: str | None = None
    taken: tuple[str, ...] = ()


class Artist:
    """Draws the single things of one game's table, and its words."""

    def __init__(self, game: Game, names: Sequence[str], words: Words | None = None) -> None:
        self.paint = Paint(game.look)
        self.faces: dict[str, Face] = game.show.faces()
        self.words = words or game.words
        self.names = names
        self.touch = Touch()

    def say(self, message: Message) -> Text:
        """A message in words, the cards it names drawn as cards."""
        said = Text()
        for part in self.words.say(_marked(message), self.names).split(OPEN):
            face, close, rest = part.rpartition(CLOSE)
            if close:
                said.append_text(self.face_chip(face))
            said.append(rest)
        return said

    def plain(self, message: Message) -> str:
        return self.words.say(message, self.names)

    def face_chip(self, name: str) -> Text:
        if name not in self.faces:
            return Text(name)
        face = self.faces[name]
        sign = self.paint.suit(face.suit)
        return Text(sign.glyph + _with_letter(face.corner, sign.letter), f"bold {sign.colour} on {self.paint.paper}")

    def thing(self, thing: Thing) -> Block:
        """A thing as a word in a line."""
        return self.framed(thing.id, self.chip(thing) if isinstance(thing, Card) else self.token(thing))

    def chip(self, card: Card) -> Text:
        if card.face is None:
            return Text(BACK, self.paint.accent)
        chip = self.face_chip(card.face)
        return Text(mark_of(card), chip.style).append_text(chip)

    def token(self, token: Token) -> Text:
        sign = self.paint.token(token.look)
        owner = "" if token.owner is None else self.badge(token.owner)
        many = f"×{token.count}" if token.count != 1 else ""
        down = DOWN if token.down else ""
        return Text(f"{down}{sign.glyph}{sign.letter}{owner}{many}", f"bold {sign.colour} on {self.paint.paper}")

    def badge(self, seat: int) -> str:
        """A seat in one character; who looks at the table is named by the first letter."""
        return self.names[seat][:1] if seat == 0 else str(seat)

    def framed(self, thing: str, text: Text) -> Block:
        """A word that can be touched stands in brackets with its key; the one in focus between arrows."""
        key = self.touch.keys.get(thing)
        left, right = ("▶", "◀") if thing == self.touch.focus else ("[", "]") if key else ("", "")
        if not left and thing in self.touch.taken:
            left, right = "{", "}"
        framed = Text()
        if left:
            framed.append(left, f"bold {self.paint.accent}")
            framed.append(f"{key} " if key and key.strip() else "", f"bold {self.paint.accent}")
        framed.append_text(text)
        framed.append(right, f"bold {self.paint.accent}")
        framed.stylize_before(Style(meta={"thing": thing}))
        return line(framed)

    def box(self, card: Card, size: Size, inner: int, faint: bool = False) -> Block:
        """A card as a box; the key to touch it is in its lower edge, whether it lies face down in the upper one."""
        paper = self.paint.faint_paper if faint else self.paint.paper
        colour = self.paint.suit(self.faces[card.face].suit).colour if card.face else self.paint.accent
        ground = paper if card.face else self.paint.felt
        rows = [self._row(row, inner) for row in self._rows(card, size)]
        edge = Style.parse(f"{'bold ' if card.id in self.touch.keys else ''}{colour} on {ground}")
        return self._boxed(card.id, rows, mark_of(card), edge, Style.parse(f"bold {colour} on {ground}"))

    def hole(self, thing: str, inner: int, rows: int) -> Block:
        """Where a card would lie."""
        style = Style.parse(self.paint.dim)
        return self._boxed(thing, [" " * inner] * rows, "", style, style, "╭╌╮┊╰╯")

    def _boxed(
        self, thing: str, rows: Sequence[str], mark: str, edge: Style, inside: Style, frame: str = PLAIN
    ) -> Block:
        inner = cell_len(rows[0])
        key = self.touch.keys.get(thing, "").strip()
        if thing in self.touch.taken:
            frame = TAKEN
        if thing == self.touch.focus:
            frame = FOCUSED
            edge = Style.parse(f"bold {self.paint.felt} on {self.paint.accent}")
        a, h, b, v, c, d = tuple(frame)
        top = Text(a + (mark + h * inner)[:inner] + b, edge)
        low = Text(c + (f" {key} " if key and thing == self.touch.focus else key).center(inner, h) + d, edge)
        if key:
            low.highlight_words([key], Style.parse(f"bold {self.paint.felt} on {self.paint.accent}"))
        lines = [top, *(Text.assemble((v, edge), (row, inside), (v, edge)) for row in rows), low]
        for each in lines:
            each.stylize_before(Style(meta={"thing": thing}))
        return Block(tuple(lines))

    def inner_width(self, cards: Iterable[Card], size: Size) -> int:
        """The room that the widest of the cards needs between its edges."""
        needed = [cell_len(" ".join(row)) for card in cards for row in self._rows(card, size)]
        return max([3 if size == Size.SMALL else 5, *needed])

    def _rows(self, card: Card, size: Size) -> list[tuple[str, ...]]:
        """What stands on a card: each row a word, or two that are pushed to the edges."""
        if card.face is None:
            return [(BACK * 3,)] * 2 if size == Size.SMALL else [(BACK * 5,)] * 3
        face = self.faces[card.face]
        sign = self.paint.suit(face.suit)
        marks = "".join(self.paint.mark(name, n) for name, n in face.marks.items() if n)
        letter = "" if face.corner == sign.letter else sign.letter
        if size == Size.LARGE:
            return [(face.corner, letter), (sign.glyph or face.corner,), (marks,)]
        return [(face.corner, sign.glyph), (letter, marks) if letter and marks else (letter or marks,)]

    @staticmethod
    def _row(words: tuple[str, ...], inner: int) -> str:
        if len(words) == 1:
            word = words[0]
            free = inner - cell_len(word)
            return BACK * inner if word[:1] == BACK else " " * (free // 2) + word + " " * (free - free // 2)
        return words[0] + " " * (inner - cell_len(words[0]) - cell_len(words[1])) + words[1]


def mark_of(card: Card) -> str:
    """Face down, or seen by all though hidden."""
    return DOWN if card.down else KNOWN if card.known else ""


def _with_letter(corner: str, letter: str) -> str:
    return corner if corner == letter else letter + corner


def _marked(message: Message) -> Message:
    """The same message with the names of cards set apart."""

    def marked(arg: Arg) -> Arg:
        match arg:
            case FaceName(face):
                return f"{OPEN}{face}{CLOSE}"
            case Message():
                return _marked(arg)
            case SeatName() | str() | int():
                return arg

    return Message(message.key, {name: marked(arg) for name, arg in message.args.items()})


def theme_of(game: Game) -> Theme:
    """The colours of a game for all that Textual draws by itself."""
    paint = Paint(game.look)
    return Theme(
        name=game.id,
        primary=paint.accent,
        secondary=paint.dim,
        accent=paint.accent,
        foreground=paint.text,
        background=paint.felt,
        surface=paint.felt,
        panel=paint.felt,
        dark=paint.is_dark,
    )
