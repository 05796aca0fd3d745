"""Blocks of lines that are placed above and beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text


@dataclass(frozen=True)
class Block:
    """Lines of text that are placed as one."""

    lines: tuple[Text, ...]

    @property
    def width(self) -> int:
        return max((line.cell_len for line in self.lines), default=0)

    @property
    def height(self) -> int:
        return len(self.lines)

    def text(self) -> Text:
        return Text("\n", no_wrap=True).join(self.lines)

    def row_of(self, thing: str | None) -> int | None:
        """The first line in which a thing is drawn."""
        for row, each in enumerate(self.lines):
            if any(isinstance(span.style, Style) and span.style.meta.get("thing") == thing for span in each.spans):
                return row
        return None


def line(text: Text) -> Block:
    return Block((text,))


def above(blocks: Iterable[Block]) -> Block:
    """One below the other."""
    return Block(tuple(each for block in blocks for each in block.lines))


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """Side by side, their tops in line."""
    lines = []
    for y in range(max((block.height for block in blocks), default=0)):
        joined = Text()
        for block in blocks:
            joined.append(" " * (gap if block is not blocks[0] else 0))
            part = block.lines[y].copy() if y < block.height else Text()
            part.pad_right(block.width - part.cell_len)
            joined.append_text(part)
        lines.append(joined)
    return Block(tuple(lines))


def flow(blocks: Iterable[Block], width: int, gap: int = 2, indent: int = 0) -> Block:
    """Side by side as long as there is room, then on below, indented."""
    rows: list[list[Block]] = []
    used = 0
    for block in blocks:
        if rows and used + gap + block.width <= width:
            rows[-1].append(block)
            used += gap + block.width
        else:
            margin = [line(Text(" " * (indent - gap)))] if rows and indent >= gap else []
            rows.append([*margin, block])
            used = block.width + (indent if margin else 0)
    return above(beside(row, gap) for row in rows)


def centred(block: Block, width: int) -> Block:
    margin = (width - block.width) // 2
    return beside([line(Text(" " * margin)), block], 0) if margin > 0 and block.lines else block


def blank(n: int) -> Block:
    return Block((Text(),) * n)
