"""Units: the text taken apart into what is never cut.

Takes a document, the ranges left out and the places where a cut must be possible, gives units in
order. Never leaves a code point out but white space.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from headworks.chunking.base import LeftOut, Unit, UnitForm
from headworks.chunking.captions import leads_to
from headworks.chunking.limits import Limits
from headworks.chunking.sentences import SOLID, pieces, sentences, trimmed
from headworks.chunking.tables import row_groups, row_pieces
from headworks.model.document import Block, Document, Table
from headworks.model.outline import Heading
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends

_FORMS: dict[str, UnitForm] = {
    "paragraph": "text", "quote": "text", "table": "table", "figure": "figure",
    "caption": "caption", "code": "code", "formula": "formula", "comment": "comment",
    "footnote": "footnote", "note": "note",
}  # fmt: skip
_ATTEMPTS = 8
_LEADING = frozenset({"title", "part", "chapter"})


class Units:
    """One pass over the blocks. Holds the position among headings, items and ranges left out."""

    def __init__(
        self, document: Document, out: Sequence[LeftOut], edges: Sequence[int], limits: Limits
    ) -> None:
        self.document = document
        self.text = document.text
        self.limits = limits
        self.ceiling = limits.settings.max_chars
        # What a piece of something too large may have: less where tokens weigh more.
        self.room = self.ceiling
        self.out_starts = [entry.start for entry in out]
        self.out = out
        self.headings: dict[int, Heading] = {}
        for heading in document.headings:
            self.headings.setdefault(heading.span.start, heading)
        self.items = {
            anchor.span.start: 1 + anchor.path.count("/")
            for anchor in document.anchors
            if not anchor.is_heading
        }
        self.edges = sorted({*edges, *self.headings})
        self.item_starts = sorted(self.items)
        self.read = -1
        self.ends: list[int] = []
        self.found: list[Unit] = []
        # What the last units, which nothing may part from the next one, take of its room.
        self.lead = 0
        self.title_end = 0
        self.rows_cut: dict[Span, int] = {}  # rows over the ceiling, and into how many pieces

    def run(self) -> list[Unit]:
        """Give the units of the whole document."""
        leading = self._leading()
        for block in self.document.blocks:
            form = "caption" if block.id in leading else _FORMS[block.kind]
            for span in self._kept(block):
                self.ceiling = self.room = self.limits.ceiling(block)
                self._take(block, span, form)
                if self.limits.weigh is not None:
                    self._tighten(block, span, form)
        return self.found

    def _take(self, block: Block, span: Span, form: UnitForm) -> None:
        if form == "table" and block.table is not None and span == block.span:
            self._table(block, block.table)
        else:
            self._block(block, span, form)

    def _tighten(self, block: Block, span: Span, form: UnitForm) -> None:
        """Take a block apart again, into smaller units, where one has too many tokens."""
        self.room = self.limits.light_enough(self.ceiling)
        for _ in range(_ATTEMPTS):
            first = bisect_left(self.found, span.start, key=lambda unit: unit.start)
            made = self.found[first:]
            if not any(self.limits.too_heavy(self._text_of(unit)) for unit in made):
                break
            del self.found[first:]
            self.lead = 0
            self._take(block, span, form)
            self.room = max(1, self.room * 3 // 4)

    def _text_of(self, unit: Unit) -> str:
        header = "" if unit.header is None else self.text[unit.header.start : unit.header.end]
        return header + self.text[unit.start : unit.end]

    def _leading(self) -> set[int]:
        """Give the blocks that name the table or figure after them."""
        found: set[int] = set()
        body = [block for block in self.document.blocks if block.role == "body"]
        for index in range(len(body) - 1, 0, -1):
            following = body[index]
            if following.kind in {"table", "figure"} or following.id in found:
                before = body[index - 2] if index > 1 else None
                if following.id in found:
                    following = body[index + 1]
                if leads_to(self.document, body[index - 1], following, before):
                    found.add(body[index - 1].id)
        return found

    def _kept(self, block: Block) -> Iterator[Span]:
        """Give what is left of a block without the ranges that no chunk holds."""
        start, end = block.span.start, block.span.end
        if block.role not in {"body", "contents"}:
            return
        first = bisect_right(self.out_starts, start) - 1
        last = bisect_left(self.out_starts, end)
        for entry in self.out[max(0, first) : last]:
            if entry.end <= start:
                continue
            if entry.start > start:
                yield Span(start, entry.start)
            start = entry.end
        if start < end:
            yield Span(start, end)

    def _block(self, block: Block, span: Span, form: UnitForm) -> None:
        """Take a block, or what is left of one, apart at the edges inside it."""
        start = span.start
        low, high = bisect_right(self.edges, start), bisect_left(self.edges, span.end)
        for edge in [*self.edges[low:high], span.end]:
            piece = trimmed(self.text, start, edge)
            start = edge
            if piece is not None:
                self._piece(block, piece, form)

    def _piece(self, block: Block, span: Span, form: UnitForm) -> None:
        heading = self._heading_at(span)
        if heading is not None and not heading.run_in:
            self.title_end = max(self.title_end, heading.span.end)
        if span.end <= self.title_end and self._fits(span):
            self._add(span, block, "heading", heading)
        elif self._fits(span, self.lead):
            self._add(span, block, form, heading)
        elif form == "code":
            self._lines(block, span)
        else:
            self._sentences(block, span, heading)

    def _fits(self, span: Span, lead: int = 0) -> bool:
        """Tell whether a range keeps the ceilings, with ``lead`` characters before it."""
        if len(span) + lead > self.ceiling:
            return False
        if self.limits.weigh is None:
            return True
        return not self.limits.too_heavy(self.text[span.start : span.end])

    def _heading_at(self, span: Span) -> Heading | None:
        """Give the heading that begins with the range (its white space may have been cut off)."""
        found = self.headings.get(span.start)
        if found is None:
            index = bisect_right(self.edges, span.start) - 1
            before = self.edges[index] if index >= 0 else -1
            if before >= 0 and SOLID.search(self.text, before, span.start) is None:
                found = self.headings.get(before)
        return found

    def _add(
        self, span: Span, block: Block, form: UnitForm, heading: Heading | None = None
    ) -> None:
        if form == "heading" and self._is_bare(heading, span):
            form = "bare"
        self.found.append(
            Unit(
                span.start,
                span.end,
                block.id,
                form,
                -1 if heading is None else heading.id,
                self.items.get(span.start, 0),
            )
        )
        self.lead = self.lead + len(span) + 1 if form in ("heading", "caption") else 0

    def _is_bare(self, heading: Heading | None, span: Span) -> bool:
        """Tell whether nothing stands under the heading but its own words."""
        if heading is None:  # a further line of the heading before
            return bool(self.found) and self.found[-1].form == "bare"
        if heading.kind in _LEADING or heading.family == "节":
            return False  # a chapter's title leads to what follows, whatever its extent says
        start = max(span.end, heading.span.end)
        first = max(0, bisect_right(self.out_starts, start) - 1)
        for entry in self.out[first : bisect_left(self.out_starts, heading.extent.end)]:
            if self.text[start : max(start, entry.start)].strip():
                return False
            start = max(start, entry.end)
        return not self.text[start : heading.extent.end].strip()

    def _sentences(self, block: Block, span: Span, heading: Heading | None) -> None:
        """Take a paragraph over the ceiling apart into sentences, those over it into pieces."""
        if self.read != block.id:
            self.read = block.id
            self.ends = sentence_ends(self.text, block.span.start, block.span.end)
        for sentence in sentences(self.text, span, self.ends):
            if self._fits(sentence):
                self._add(sentence, block, "sentence", heading)
            else:
                room = self.room - self.lead
                cut = pieces(self.text, sentence, room if room * 2 > self.room else self.room)
                for index, piece in enumerate(cut, 1):
                    self._add_part(piece, block, "piece", (index, len(cut)), heading)
                    heading = None
            heading = None

    def _add_part(
        self,
        span: Span,
        block: Block,
        form: UnitForm,
        part: tuple[int, int],
        heading: Heading | None = None,
        header: Span | None = None,
    ) -> None:
        number = -1 if heading is None else heading.id
        item = self.items.get(span.start, 0)
        self.found.append(Unit(span.start, span.end, block.id, form, number, item, *part, header))
        self.lead = 0

    def _lines(self, block: Block, span: Span) -> None:
        """Take code over the ceiling apart into lines; leading blanks of a line stay with it."""
        start = span.start
        while start < span.end:
            stop = self.text.find("\n", start, span.end)
            stop = span.end if stop == -1 else stop
            if self.text[start:stop].strip():
                line = Span(start, stop)
                if self._fits(line):
                    self._add(line, block, "line")
                else:
                    cut = pieces(self.text, line, self.room)
                    for index, piece in enumerate(cut, 1):
                        self._add_part(piece, block, "piece", (index, len(cut)))
            start = stop + 1

    def _table(self, block: Block, table: Table) -> None:
        """Take a table as one unit where it fits, else as groups of rows."""
        span = self._table_span(block.span.start, block.span.end)
        heading = self._heading_at(span)
        if self._fits(span):
            self._add(span, block, "table", heading)
            return
        groups = row_groups(table, self.room, self.lead, self._heads_in(span))
        kept = [group for group in groups.groups if self.text[group.start : group.end].strip()]
        shown = groups.header
        if shown is not None:
            blank = not self.text[shown.start : shown.end].strip()
            begun = self._table_span(shown.start, shown.end - 1).start
            shown = None if blank else Span(begun, shown.end)
        kept = self._pieces_of_rows(table, kept, 0 if shown is None else len(shown))
        for index, group in enumerate(kept, 1):
            header = shown if index > 1 else None
            if header is not None and len(header) + len(group) > self.room:
                header = None
            rows = self._table_span(group.start, group.end)
            self._add_part(rows, block, "rows", (index, len(kept)), heading, header)
            heading = None

    def _pieces_of_rows(self, table: Table, groups: list[Span], header: int) -> list[Span]:
        """Give the groups with each row over the ceiling taken apart, room for its header left."""
        room = self.room - max(header, self.lead)
        made: list[Span] = []
        for group in groups:
            if len(group) <= self.room:
                made.append(group)
                continue
            cut = row_pieces(self.text, table, group, room if room * 2 > self.room else self.room)
            self.rows_cut[group] = len(cut)
            made += cut
        return made

    def _heads_in(self, span: Span) -> list[int]:
        """Give where the heads inside a table begin: 一、项目基本情况 in a form."""
        first, last = bisect_right(self.edges, span.start), bisect_left(self.edges, span.end)
        return [at for at in self.edges[first:last] if at in self.headings]

    def _table_span(self, start: int, end: int) -> Span:
        """Give rows without the blank ends; a tab at the start is an empty cell and stays."""
        while end > start and self.text[end - 1] in " \n\t":
            end -= 1
        first = SOLID.search(self.text, start, end)
        if first is not None:  # blank rows go, empty cells of the first row stay
            start = max(start, self.text.rfind("\n", start, first.start()) + 1)
        full = Span(start, end)
        if len(full) > self.ceiling:
            return trimmed(self.text, start, end) or full
        return full
