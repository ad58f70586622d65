"""From ranges of the text to rectangles on pages.

Takes a document and ranges, gives boxes and page numbers. A range that begins or ends within
a line is narrowed by the width of its characters. Never asks for the file: ``Document.lines``
holds the geometry.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from headworks.assembly.shapes import BoxRecord
from headworks.model.document import Block, Document
from headworks.model.place import PagePlace, PartPlace, SlidePlace, Span

# A gap up to so many line heights still belongs to one rectangle (space between paragraphs).
_GAP = 2.0


class _Run:
    """The rectangle being grown, and the last line that went into it."""

    __slots__ = ("bottom", "height", "page", "top", "x0", "x1", "y0", "y1")

    def __init__(self, page: int, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page, self.x0, self.y0, self.x1, self.y1 = page, x0, y0, x1, y1
        self.top, self.bottom, self.height = y0, y1, y1 - y0

    def takes(self, page: int, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Grow by a line that goes on here, below the last one or beside it; tell if it did."""
        if page != self.page:
            return False
        height = y1 - y0
        tallest = height if height > self.height else self.height
        gap = y0 - self.bottom
        if -0.5 * tallest <= gap <= _GAP * tallest:
            if x0 >= self.x1 + tallest or self.x0 - tallest >= x1:
                return False
        elif y0 >= self.bottom or self.top >= y1:
            return False
        self.x0 = min(self.x0, x0)
        self.x1 = max(self.x1, x1)
        self.y0 = min(self.y0, y0)
        self.y1 = max(self.y1, y1)
        self.top, self.bottom, self.height = y0, y1, height
        return True

    def record(self) -> BoxRecord:
        """Give the rectangle, to a tenth of a point."""
        return BoxRecord(
            self.page, round(self.x0, 1), round(self.y0, 1), round(self.x1, 1), round(self.y1, 1)
        )


def boxes(document: Document, spans: Iterable[Span]) -> list[BoxRecord]:
    """Give the rectangles that cover the ranges, in reading order.

    Lines that follow one another become one rectangle; a part of a line stays one of its own, so
    that a clause that begins in the middle of a line does not cover its neighbour.
    """
    lines = document.lines
    if not len(lines):
        return []
    starts = memoryview(lines.starts).cast("I")
    ends = memoryview(lines.ends).cast("I")
    pages = memoryview(lines.pages).cast("H")
    corners = memoryview(lines.boxes).cast("f")
    runs: list[_Run] = []
    run: _Run | None = None
    for span in spans:
        for line in range(bisect_right(ends, span.start), bisect_left(starts, span.end)):
            at = 4 * line
            box = corners[at], corners[at + 1], corners[at + 2], corners[at + 3]
            start, end = starts[line], ends[line]
            whole = span.start <= start and end <= span.end
            if not whole and _is_partial(document.text, start, end, span):
                part = Span(max(start, span.start), min(end, span.end))
                box = _narrowed(document.text, Span(start, end), part, box)
                runs.append(_Run(pages[line], *box))
                run = None
            elif run is None or not run.takes(pages[line], *box):
                run = _Run(pages[line], *box)
                runs.append(run)
    return [run.record() for run in runs]


def pages(blocks: Iterable[Block], found: Sequence[BoxRecord]) -> list[int]:
    """Give the pages or slides of a range's blocks: from its boxes, else from their places."""
    numbers = {box.page for box in found}
    for block in blocks:
        place = block.place
        if isinstance(place, PartPlace):
            if place.page is not None:
                numbers.add(place.page)
        elif isinstance(place, SlidePlace):
            numbers.add(place.slide)
        elif isinstance(place, PagePlace) and (place.page == place.last_page or not found):
            numbers.update(range(place.page, place.last_page + 1))
    return sorted(numbers)


def blocks_in(document: Document, spans: Iterable[Span]) -> list[Block]:
    """Give the blocks that share a code point with the ranges, in order, each once."""
    listed, starts = document.blocks, document.block_starts
    found: list[Block] = []
    done = 0
    for span in spans:
        first = max(done, bisect_right(starts, span.start) - 1)
        done = max(first, bisect_left(starts, span.end))
        # Only the first may end before the range begins: blocks do not overlap.
        if first < done and listed[first].span.end <= span.start:
            first += 1
        found += listed[first:done]
    return found


def width(text: str) -> int:
    """Give the width of a text in half-width columns, by East Asian width."""
    if text.isascii():
        return len(text)
    return len(text) + sum(east_asian_width(char) in "WFA" for char in text)


def _is_partial(text: str, start: int, end: int, span: Span) -> bool:
    """Tell whether the range leaves out more than blanks of a line."""
    before, after = text[start : max(start, span.start)], text[min(end, span.end) : end]
    return bool(before.strip() or after.strip())


def _narrowed(
    text: str, line: Span, part: Span, box: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    whole = text[line.start : line.end]
    total = width(whole)
    if not total or "\n" in whole.strip("\n"):
        return box
    before = width(text[line.start : part.start]) / total
    until = width(text[line.start : part.end]) / total
    if y1 - y0 > (x1 - x0) * 1.5 and len(whole) > 2:
        return x0, y0 + before * (y1 - y0), x1, y0 + until * (y1 - y0)
    return x0 + before * (x1 - x0), y0, x0 + until * (x1 - x0), y1
