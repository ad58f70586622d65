"""The promises of the cutting, counted again from the document and the chunks alone.

Takes a document, its chunks and what the ledger holds, gives the first promise that is broken,
in words. Never uses what the cutting computed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from headworks.chunking.base import heads_article
from headworks.chunking.limits import Limits
from headworks.config import ChunkSettings
from headworks.model.chunk import Chunk, Directive, LedgerEntry
from headworks.model.document import Document
from headworks.model.place import CellPlace, SlidePlace, Span
from headworks.model.sentences import sentence_ends


def own_spans(chunk: Chunk) -> tuple[Span, ...]:
    """Give a chunk's ranges without a repeated header and without its overlap."""
    header, overlap = chunk.part.header if chunk.part is not None else None, chunk.overlap
    if header is None and overlap is None:
        return chunk.spans
    return tuple([span for span in chunk.spans if span not in (header, overlap)])


def out_of_order(document: Document, chunks: Sequence[Chunk]) -> str:
    """Tell whether chunks or their ranges are out of order, miscounted, or across zones."""
    edges = [zone.span.start for zone in document.zones if zone.span.start]
    reached = 0
    for chunk in chunks:
        own = own_spans(chunk)
        if not own:
            return f"chunk {chunk.ordinal} has no text of its own"
        for span in own:
            if span.start < reached:
                return f"chunk {chunk.ordinal} is out of order at {span.start}"
            reached = span.end
        if chunk.chars != len(chunk.text_in(document.text)):
            return f"chunk {chunk.ordinal} says that it has {chunk.chars} characters"
        if bisect_right(edges, own[0].start) != bisect_left(edges, own[-1].end):
            return f"chunk {chunk.ordinal} lies in two zones"
    return ""


class Promises:
    """Checks what settings promise: the ceiling, and that nothing that fits is cut."""

    def __init__(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        ledger: Sequence[LedgerEntry],
        settings: ChunkSettings,
        directives: Sequence[Directive] = (),
    ) -> None:
        self.document = document
        self.text = document.text
        self.chunks = chunks
        self.limits = Limits(document, settings)
        self.settings = settings
        owned = [
            (span.start, index) for index, chunk in enumerate(chunks) for span in own_spans(chunk)
        ]
        self.own_starts = [start for start, _ in owned]
        self.owners = [index for _, index in owned]
        self.out = sorted(
            Span(entry.start, entry.end)
            for entry in ledger
            if entry.reason != "overlap" and entry.start is not None and entry.end is not None
        )
        self.out_starts = [span.start for span in self.out]
        self.edges = sorted([zone.span.start for zone in document.zones] + _sheet_edges(document))
        self.read = Span(0, 0)
        self.ends: list[int] = []
        self.asked = _merged(d.span for d in directives if d.action in {"split", "strip"})

    def broken(self) -> str:
        """Give the first promise that is broken, in words; empty where all are kept."""
        for chunk in self.chunks:
            own = own_spans(chunk)
            whole = Span(own[0].start, own[-1].end)
            # What is left of a table that a rule stripped is text, and joins as text does.
            general = self.limits.at(whole.start).max_chars
            ceiling = max(general, self.limits.ceiling_over(whole))
            heavy = self.limits.weigh is not None and self.limits.too_heavy(
                chunk.text_in(self.text)
            )
            if (chunk.chars > ceiling or heavy) and chunk.part is None:
                over = "" if chunk.chars > ceiling else " and its tokens"
                return f"chunk {chunk.ordinal} has {chunk.chars} characters{over}, over {ceiling}"
        return self._cut_clause() or self._cut_table() or self._cut_sentence()

    def _cut_clause(self) -> str:
        if self.settings.unit == "item" or self.settings.split_at is not None:
            return ""
        tables = [block.span for block in self.document.blocks if block.table is not None]
        above = {heading.parent for heading in self.document.headings if heads_article(heading)}
        for heading in reversed(self.document.headings):
            if heading.id in above:
                above.add(heading.parent)  # what holds articles is a chapter, whatever its label
            elif heading.kind == "clause" and self._cuts_clause(heading.extent, tables):
                return f"the clause at {heading.span.start} fits and is cut"
        return ""

    def _cuts_clause(self, span: Span, tables: Sequence[Span]) -> bool:
        """Tell whether a clause that fits is cut; one inside a table has rows instead."""
        at = bisect_right(tables, Span(span.start, len(self.text) + 1)) - 1
        if at >= 0 and span.start < tables[at].end:
            return False
        return not self.limits.parts_in(span) and self._is_cut(span)

    def _cut_table(self) -> str:
        for block in self.document.blocks:
            if block.table is not None and block.role == "body" and self._is_cut(block.span):
                return f"the table at {block.span.start} fits and is cut"
        return ""

    def _cut_sentence(self) -> str:
        """Check each place where one paragraph goes on in the next chunk."""
        starts = {heading.span.start for heading in self.document.headings}
        starts |= {zone.span.start for zone in self.document.zones}
        for index in range(1, len(self.own_starts)):
            start = self.own_starts[index]
            if self.owners[index] == self.owners[index - 1] or start in starts:
                continue
            block = self.document.block_at(start)
            if block is None or block.kind in {"table", "code"} or start == block.span.start:
                continue
            if self._cuts_sentence(block.span, start):
                return f"a sentence that fits is cut at {start}"
        return ""

    def _cuts_sentence(self, span: Span, start: int) -> bool:
        """Tell whether a cut before ``start`` parts a sentence of the range that fits."""
        if self.read != span:
            self.read = span
            self.ends = [span.start, *sentence_ends(self.text, span.start, span.end)]
        ends = self.ends
        at = bisect_right(ends, start) - 1
        if not self.text[ends[at] : start].strip() or at + 1 >= len(ends):
            return False
        sentence = Span(ends[at], ends[at + 1])
        return self._is_cut(sentence)

    def _is_cut(self, span: Span) -> bool:
        """Tell whether a range fits the ceiling and is in more than one chunk all the same."""
        near = bisect_left(self.asked, Span(span.end, 0)) - 1
        if near >= 0 and self.asked[near].end > span.start:
            return False
        kept = self._kept(span)
        if not kept or bisect_right(self.edges, span.start) < bisect_left(self.edges, span.end):
            return False
        chars = sum(len(part) for part in kept) + len(kept) - 1
        if self._owner(kept[0].start) == self._owner(kept[-1].end - 1):
            return False
        words = "\n".join(self.text[part.start : part.end] for part in kept)
        return chars <= self.limits.ceiling_over(span) and self._is_light(words)

    def _is_light(self, words: str) -> bool:
        """Tell whether a text keeps the ceiling in tokens, with room where parts count as more."""
        if self.limits.weigh is None:
            return True
        exact = self.settings.tokens in {None, "estimate"}
        return self.limits.weigh(words) * (10 if exact else 13) <= self.limits.max_weight * 10

    def _kept(self, span: Span) -> list[Span]:
        """Give what is left of a range without what the ledger holds, white space cut off."""
        start, end = span.start, span.end
        parts = []
        index = max(0, bisect_right(self.out_starts, start) - 1)
        while index < len(self.out) and self.out[index].start < end:
            if self.out[index].end > start:
                parts.append(Span(start, self.out[index].start))
                start = self.out[index].end
            index += 1
        parts.append(Span(start, end))
        stripped = []
        for part in parts:
            words = self.text[part.start : part.end]
            if words.strip():
                begin = part.start + len(words) - len(words.lstrip())
                stripped.append(Span(begin, begin + len(words.strip())))
        return stripped

    def _owner(self, offset: int) -> int:
        return self.owners[bisect_right(self.own_starts, offset) - 1]


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Give the ranges in order, those that meet made one."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and merged[-1].end >= span.start:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _sheet_edges(document: Document) -> list[int]:
    """Give where each sheet of a workbook and each slide begins: nothing is joined over it."""
    found: list[int] = []
    last: str | int | None = None
    for block in document.blocks:
        place = block.place
        if isinstance(place, CellPlace | SlidePlace):
            here = place.sheet if isinstance(place, CellPlace) else place.slide
            if here != last:
                found.append(block.span.start)
                last = here
        elif not found:
            return []  # neither a workbook nor a presentation
    return found
