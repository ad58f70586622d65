"""What stands around a place: the headings, clauses and items that hold it.

Takes a structured document, gives for an offset the anchors and headings around it, and the one
of several anchors that is nearest to it. Never reads a word of the text.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from headworks.model.document import Document
from headworks.model.outline import Anchor

ARTICLES = ("条", "Article")
# How many anchors of one label on each side a reference may mean, and how far a list is looked
# for around one.
NEAR, FAR = 12, 200


class Around:
    """Looks up what is around a place of one document. Built once, never changed."""

    def __init__(self, document: Document, starts: Sequence[int]) -> None:
        self._document = document
        self._anchors = document.anchors
        self._starts = starts
        self._heading_starts = [heading.span.start for heading in document.headings]
        self._of_heading = {
            anchor.heading: anchor
            for anchor in document.anchors
            if anchor.is_heading and anchor.heading is not None
        }

    def headings(self, offset: int) -> frozenset[int]:
        """Give the numbers of the headings above an offset."""
        headings = self._document.headings
        at = bisect_right(self._heading_starts, offset) - 1
        chain: set[int] = set()
        current: int | None = at if at >= 0 else None
        while current is not None:
            chain.add(current)
            current = headings[current].parent
        return frozenset(chain)

    def anchors(self, offset: int) -> Iterator[Anchor]:
        """Give the anchors that hold an offset, innermost first."""
        at = bisect_right(self._starts, offset) - 1
        for anchor in reversed(self._anchors[max(0, at - FAR) : at + 1]):
            if anchor.extent.end > offset:
                yield anchor

    def clause(self, offset: int) -> Anchor | None:
        """Give the innermost 条 (or the innermost clause heading) around an offset."""
        fallback: Anchor | None = None
        for anchor in self.anchors(offset):
            if anchor.family in ARTICLES:
                return anchor
            if fallback is None and anchor.is_heading:
                fallback = anchor
        return fallback

    def above(self, offset: int, unit: str) -> Anchor | None:
        """Give the chapter or section around an offset; else the outermost heading around it."""
        outermost: Anchor | None = None
        for number in sorted(self.headings(offset), reverse=True):
            anchor = self._of_heading.get(number)
            if anchor is None or anchor.extent.end <= offset:
                continue
            if anchor.family == unit:
                return anchor
            outermost = anchor
        return outermost if unit == "章" else None

    def shared(self, offset: int, found: Sequence[Anchor]) -> int:
        """Count the headings that hold an offset and the one of some anchors that shares most."""
        own = self.headings(offset)
        place = bisect_right(found, offset, key=lambda anchor: anchor.span.start)
        near = found[max(0, place - NEAR) : place + NEAR]
        return max(len(own & self.headings(anchor.span.start)) for anchor in near)

    def nearest(self, offset: int, found: Sequence[Anchor]) -> Anchor | None:
        """Choose among anchors of one label: the one under most of the same headings."""
        if len(found) <= 1:
            return found[0] if found else None
        own = self.headings(offset)
        place = bisect_right(found, offset, key=lambda anchor: anchor.span.start)
        return max(
            found[max(0, place - NEAR) : place + NEAR],
            key=lambda a: (len(own & self.headings(a.span.start)), -abs(a.span.start - offset)),
        )
