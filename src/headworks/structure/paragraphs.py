"""The paragraphs of a clause: 第二款 and 前款, each with the items that follow it.

Takes a document and where its labels stand, gives ranges. Never counts a line that is only a title.
"""

from bisect import bisect_right
from collections.abc import Collection

from headworks.model.document import Document
from headworks.model.place import Span


class Paragraphs:
    """The paragraphs of one document. Built once, never changed."""

    def __init__(self, document: Document, labels: Collection[int]) -> None:
        self._document = document
        self._labels = labels
        # Lines that are nothing but a title are no paragraph of their clause.
        self._titles = {
            heading.span.start: heading.span.end
            for heading in document.headings
            if not heading.run_in and not heading.title.endswith((":", "："))
        }

    def block(self, offset: int) -> int:
        """Give the block that holds an offset or stands before it."""
        return max(0, bisect_right(self._document.block_starts, offset) - 1)

    def between(self, start: int, offset: int) -> bool:
        """Tell whether a paragraph begins between two offsets."""
        return self.block(start) != self.block(offset)

    def of(self, span: Span) -> list[Span]:
        """Give the 款 of a clause: each paragraph with the items that follow it."""
        starts: list[int] = []
        blocks = self._document.blocks
        for number in range(self.block(span.start), len(blocks)):
            block = blocks[number]
            if block.span.start >= span.end:
                break
            if self._titles.get(block.span.start, -1) >= block.span.end - 1:
                continue
            if block.role != "body" or block.kind != "paragraph":
                continue
            item = block.span.start in self._labels and block.span.start > span.start
            if not (starts and item):
                starts.append(max(block.span.start, span.start))
        ends = [*starts[1:], span.end] if starts else []
        return [
            Span(start, start + len(self._document.text[start:end].rstrip()))
            for start, end in zip(starts, ends, strict=True)
        ]

    def at(self, span: Span, number: int) -> Span | None:
        """Give a paragraph of a clause by its number from one."""
        found = self.of(span)
        return found[number - 1] if 0 < number <= len(found) else None

    def holding(self, span: Span, offset: int) -> Span | None:
        """Give the paragraph of a clause that holds an offset."""
        return next((one for one in self.of(span) if one.start <= offset < one.end), None)

    def before(self, span: Span, offset: int, count: int) -> Span | None:
        """Give the paragraphs of a clause, as many as asked for, before the one of an offset."""
        found = self.of(span)
        own = max((i for i, one in enumerate(found) if one.start <= offset), default=0)
        if own < count:
            return None
        return Span(found[own - count].start, found[own - 1].end)

    def lead_before(self, edge: int, offset: int) -> Span | None:
        """Give the paragraph before an offset, with the sentence that leads in where it is an item.

        ``edge`` is where the clause's heading ends: nothing before it is a paragraph of it.
        """
        blocks = self._document.blocks
        last = self.block(offset) - 1
        while last >= 0 and (blocks[last].role != "body" or blocks[last].kind != "paragraph"):
            last -= 1
        if last < 0 or blocks[last].span.start < edge:
            return None
        first = last
        while first > 0 and blocks[first].span.start in self._labels:
            before = first - 1
            if blocks[before].role == "body" and blocks[before].span.start < edge:
                break
            first = before
        return Span(blocks[first].span.start, blocks[last].span.end)
