"""Where something is: ranges of the text, boxes on pages, places in the source.

Takes nothing, gives the smallest values everything else is built of. Never looks at a document.
"""

from collections.abc import Iterable

import msgspec


class Span(msgspec.Struct, frozen=True, gc=False, array_like=True, order=True):
    """A half-open range ``start:end`` of code points in ``Document.text``."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def covers(self, other: "Span") -> bool:
        """Tell whether the other range lies wholly in this one."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: "Span") -> bool:
        """Tell whether the two ranges share a code point."""
        return self.start < other.end and other.start < self.end


class Box(msgspec.Struct, frozen=True, gc=False):
    """A rectangle on a page (numbered from 1), in points, origin at the page's top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class PagePlace(msgspec.Struct, frozen=True, gc=False, tag="page"):
    """A block of a paged source: its first and last page. Boxes come from ``Document.lines``."""

    page: int
    last_page: int


class PartPlace(msgspec.Struct, frozen=True, gc=False, tag="part"):
    """A block of a flowing source: part name, paragraph index, rendered page where known."""

    part: str
    paragraph: int
    page: int | None = None


class CellPlace(msgspec.Struct, frozen=True, gc=False, tag="cells"):
    """A block of a spreadsheet: sheet, first row and column (from 0), and its hidden mark."""

    sheet: str
    row: int
    column: int
    hidden: bool = False


class SlidePlace(msgspec.Struct, frozen=True, gc=False, tag="slide"):
    """A block of a presentation: slide number from 1, shape name."""

    slide: int
    shape: str


Place = PagePlace | PartPlace | CellPlace | SlidePlace


def describe(place: Place) -> str:
    """Tell a place in words, for problems and the ledger."""
    if isinstance(place, PagePlace):
        return f"page {place.page}"
    if isinstance(place, PartPlace):
        return f"{place.part} paragraph {place.paragraph}"
    if isinstance(place, CellPlace):
        return f"sheet {place.sheet}"
    return f"slide {place.slide}"


def hull(spans: Iterable[Span]) -> Span:
    """Give the smallest range that covers all of the ranges (at least one)."""
    listed = list(spans)
    return Span(min(s.start for s in listed), max(s.end for s in listed))


def a1(row: int, column: int) -> str:
    """Give a cell's name, ``a1(0, 27) == "AB1"``; row and column count from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"
