"""How a paragraph looks against the body of its document: emphasis as a number.

Takes the blocks, gives the body's usual look and each paragraph's emphasis over it. Never reads
the words.
"""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from headworks.model.document import Block, Style

_HEADING_NAME = re.compile(r"(?:heading|标题|title|h)\s*([1-9])\b", re.IGNORECASE)
_TITLE_NAME = re.compile(r"(?:title|标题|文档标题)$", re.IGNORECASE)
_CONTENTS_NAME = re.compile(r"(?:toc|目录|contents)\s*(?:[1-9]|heading|标题)?\b", re.IGNORECASE)


class Body(msgspec.Struct, frozen=True):
    """The usual look of running text: size in points where known, and whether it is emphasised."""

    size: float | None
    bold: bool
    centred: bool
    outlined: bool


class Look(msgspec.Struct, frozen=True, gc=False):
    """One distinct look: ``emphasis`` over the body, its outline level, a rank to compare sizes."""

    emphasis: float
    outline: int | None
    size: float
    bold: bool
    centred: bool
    larger: bool
    contents: bool
    key: tuple[str | None, float, bool, bool, int | None]


def body_of(blocks: Iterable[Block]) -> Body:
    """Give the look that most characters of the paragraphs have."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    centred: Counter[bool] = Counter()
    outlined: Counter[bool] = Counter()
    for block in blocks:
        if block.kind != "paragraph" or block.role != "body":
            continue
        style, length = block.style, len(block.span)
        if style.size is not None:
            sizes[round(style.size * 2) / 2] += length
        bold[style.bold] += length
        centred[style.align == "center"] += length
        outlined[style.outline_level is not None] += length
    size = min(sizes, key=lambda s: (-sizes[s], s)) if sizes else None
    return Body(
        size=size,
        bold=bold[True] > bold[False],
        centred=centred[True] > centred[False],
        outlined=outlined[True] > outlined[False],
    )


class Looks:
    """Looks of styles, each worked out once. Holds a cache and nothing else."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._known: dict[Style, Look] = {}
        self._by_identity: dict[int, Look] = {}

    def of(self, block: Block) -> Look:
        """Give the look of a block."""
        style = block.style
        look = self._by_identity.get(id(style))
        if look is None:
            look = self._known.get(style)
            if look is None:
                look = self._known[style] = self._make(style)
            self._by_identity[id(style)] = look
        return look

    def _make(self, style: Style) -> Look:
        body = self.body
        outline = style.outline_level
        name = style.name or ""
        named = _HEADING_NAME.search(name)
        if outline is None and named is not None:
            outline = int(named[1])
        if outline is not None and (outline > 9 or body.outlined):
            outline = None
        size = style.size if style.size is not None else (body.size or 0.0)
        step = size - body.size if body.size else 0.0
        bold = style.bold and not body.bold
        centred = style.align == "center" and not body.centred
        emphasis = 0.0
        if outline is not None:
            emphasis += 3.0
        elif _TITLE_NAME.match(name):
            emphasis += 2.0
        emphasis += 1.2 if bold else 0.0
        emphasis += 2.0 if step >= 3 else 1.0 if step >= 0.9 else -0.5 if step <= -0.9 else 0.0
        emphasis += 1.0 if centred else 0.0
        return Look(
            emphasis=emphasis,
            outline=outline,
            size=size,
            bold=bold,
            centred=centred,
            larger=step >= 0.9,
            contents=bool(_CONTENTS_NAME.match(name)),
            key=(style.name, size, style.bold, style.align == "center", style.outline_level),
        )
