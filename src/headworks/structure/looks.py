"""How a paragraph looks against the body of its document: emphasis as a number.

Takes the blocks, gives the usual look of the body and of each stretch that differs from it (an
attachment in smaller print), and each paragraph's emphasis over its own. Never reads the words.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

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
    # By style first: there are few of them, and many blocks.
    lengths: dict[int, int] = {}
    styles: dict[int, Style] = {}
    for block in blocks:
        if block.kind == "paragraph" and block.role == "body":
            key = id(block.style)
            styles[key] = block.style
            lengths[key] = lengths.get(key, 0) + block.span.end - block.span.start
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    centred: Counter[bool] = Counter()
    outlined: Counter[bool] = Counter()
    for key, style in styles.items():
        length = lengths[key]
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


# Running text is at least this long; a stretch has a look of its own where it has this many
# characters of it around, most of them in that look.
_MIN_RUNNING = 18
_SENTENCE = 45
_BEFORE, _AFTER = 120, 1600
_MIN_STRETCH, _SHARE, _LINES_SHARE = 240, 0.7, 0.5
_MIN_DOCUMENT_SHARE = 0.02


class _Stretches:
    """Where the running text is set in another size than most of the document's."""

    def __init__(self, blocks: Sequence[Block], size: float) -> None:
        lines = [
            (block.span.start, round(block.style.size * 2) / 2, len(block.span))
            for block in blocks
            if block.kind == "paragraph"
            and block.role == "body"
            and block.style.size is not None
            and block.style.outline_level is None
        ]
        running = [line for line in lines if line[2] >= _MIN_RUNNING]
        counts: Counter[float] = Counter()
        for _, own, length in running:
            counts[own] += length
        least = max(_MIN_STRETCH, _MIN_DOCUMENT_SHARE * counts.total())
        self.sizes = [own for own in counts if abs(own - size) >= 0.9 and counts[own] >= least]
        if not self.sizes:
            return
        self._running = _Sums(running, self.sizes, True)
        self._lines = _Sums(lines, self.sizes, False)

    def size_at(self, offset: int) -> float | None:
        """Give the size of the running text around an offset where it is not the usual one."""
        around = (offset - _BEFORE, offset + _AFTER)
        for size in self.sizes:
            total, share = self._running.share(size, *around)
            if total < _MIN_STRETCH:
                # Near the end of the text what stands before tells as much.
                around = (offset - _AFTER // 2, offset + _AFTER)
                total, share = self._running.share(size, *around)
            # Long notes between short lines are no body of their own.
            if total >= _MIN_STRETCH and share >= _SHARE:
                return size if self._lines.share(size, *around)[1] >= _LINES_SHARE else None
        return None


class _Sums:
    """Running sums of lengths (or of lines) by size, to ask for the share in any stretch."""

    def __init__(
        self, lines: Sequence[tuple[int, float, int]], sizes: Sequence[float], by_length: bool
    ) -> None:
        self._starts = [start for start, _, _ in lines]
        weights = [(own, length if by_length else 1) for _, own, length in lines]
        self._all = [0, *accumulate(weight for _, weight in weights)]
        self._of = {
            size: [0, *accumulate(weight if own == size else 0 for own, weight in weights)]
            for size in sizes
        }

    def share(self, size: float, start: int, end: int) -> tuple[int, float]:
        """Give what stands between two offsets in all, and the share of one size in it."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        total = self._all[last] - self._all[first]
        sums = self._of[size]
        return total, (sums[last] - sums[first]) / total if total else 0.0


def _misused(blocks: Sequence[Block], body: Body) -> frozenset[Style]:
    """Give the styles that set an outline level on text that looks and reads as the body does."""
    sentences: Counter[Style] = Counter()
    lines: Counter[Style] = Counter()
    for block in blocks:
        style = block.style
        if style.outline_level is None or style.bold or style.align == "center":
            continue
        if style.size is not None and body.size and abs(style.size - body.size) >= 0.9:
            continue
        lines[style] += 1
        sentences[style] += len(block.span) > _SENTENCE
    return frozenset(style for style in lines if sentences[style] * 3 > lines[style])


class Looks:
    """Looks of styles, each worked out once. Holds a cache and nothing else."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.body = body_of(blocks)
        self._stretches = _Stretches(blocks, self.body.size) if self.body.size else None
        if self._stretches is not None and not self._stretches.sizes:
            self._stretches = None
        self._misused = _misused(blocks, self.body)
        self._known: dict[tuple[Style, float | None], Look] = {}
        self._usual: dict[int, Look] = {}
        self._by_identity: dict[tuple[int, float | None], Look] = {}

    def of(self, block: Block) -> Look:
        """Give the look of a block."""
        style = block.style
        if self._stretches is None:
            look = self._usual.get(id(style))
            if look is None:
                look = self._usual[id(style)] = self._make(style, self.body)
            return look
        size = self._stretches.size_at(block.span.start) or self.body.size
        look = self._by_identity.get((id(style), size))
        if look is None:
            look = self._known.get((style, size))
            if look is None:
                body = msgspec.structs.replace(self.body, size=size)
                look = self._known[style, size] = self._make(style, body)
            self._by_identity[id(style), size] = look
        return look

    def _make(self, style: Style, body: Body) -> Look:
        outline = style.outline_level
        name = style.name or ""
        named = _HEADING_NAME.search(name)
        if outline is None and named is not None:
            outline = int(named[1])
        if outline is not None and (outline > 9 or body.outlined or style in self._misused):
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
