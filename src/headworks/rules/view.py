"""What predicates look at: one stretch of text with its hits, its place and its tags.

Takes a document and ranges of it, reads the text once, gives a ``View`` a range. Never searches
for a word again that the one pass has looked for.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.model.folding import fold
from headworks.model.place import CellPlace, PagePlace, PartPlace, SlidePlace, Span
from headworks.model.verdict import Value
from headworks.rules.stretch import Stretch

NO_PLACES: list[int] = []
_BREAK = re.compile(r"\n(?:(?<![A-Za-z,，、]\n)|(?![ \t]*[a-z(]))")


class Spot(NamedTuple):
    """Why a condition holds: a range of the read text, and the typed value there, if any."""

    start: int
    end: int
    value: Value | None = None


Spots = tuple[Spot, ...]


class Sheet:
    """The text of many ranges of a document, one after the other, with a map back.

    What stands between the ranges (page footers) is left out, so that nothing interrupts a
    sentence that goes on after it.
    """

    def __init__(self, document: Document, units: Sequence[Sequence[Span]]) -> None:
        folded = document.folded
        self.document = document
        self.bounds: list[tuple[int, int]] = []
        self._starts: list[int] = []
        self._shifts: list[int] = []
        pieces: list[str] = []
        position = 0
        for spans in units:
            begin = position
            for span in spans:
                self._starts.append(position)
                self._shifts.append(span.start - position)
                pieces.append(folded[span.start : span.end])
                position += span.end - span.start
            self.bounds.append((begin, position))
        self.text = "".join(pieces)
        self._breaks: list[int] | None = None

    @property
    def breaks(self) -> list[int]:
        """Where lines end, wrapped Latin ones apart; found when first asked for."""
        if self._breaks is None:
            self._breaks = [match.start() for match in _BREAK.finditer(self.text)]
        return self._breaks

    def span(self, start: int, end: int) -> Span:
        """Give the document's range of a range of this text (its hull over what was left out)."""
        first = self._shifts[bisect_right(self._starts, start) - 1]
        if end <= start:
            return Span(start + first, start + first)
        last = self._shifts[bisect_right(self._starts, end - 1) - 1]
        return Span(start + first, end + last)


class Surroundings:
    """What is the same for every chunk of a document: names, headings, page numbers.

    ``memo`` keeps what a predicate has found out about the whole document, ``lines`` what stands
    in a line, by its text.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.memo: dict[Any, Any] = {}
        self.lines: dict[str, Any] = {}
        self.file_name = fold(document.source.name)
        self.titles = {heading.id: fold(heading.text) for heading in document.headings}
        self.tags = frozenset(
            text
            for key, value in document.metadata.tags.items()
            for text in (value, f"{key}:{value}")
        )
        self._ref_starts = [ref.span.start for ref in document.refs]
        self._zone_starts = [zone.span.start for zone in document.zones]

    def zone_name(self, offset: int) -> str:
        """Give the name of the zone an offset lies in: 附件三."""
        index = bisect_right(self._zone_starts, offset) - 1
        return (self.document.zones[index].name or "") if index >= 0 else ""

    def page(self, offset: int) -> int | None:
        """Give the page, sheet place or slide that an offset stands on, where known."""
        for _start, _end, box in self.document.lines.within(Span(offset, offset + 1)):
            return box.page
        block = self.document.block_at(offset)
        place = block.place if block is not None else None
        if isinstance(place, PagePlace | PartPlace):
            return place.page
        if isinstance(place, SlidePlace):
            return place.slide
        return None

    def block_kinds(self, spans: Sequence[Span]) -> frozenset[str]:
        """Give the kinds and roles of the blocks that the ranges touch."""
        found: set[str] = set()
        starts = self.document.block_starts
        for span in spans:
            index = max(0, bisect_right(starts, span.start) - 1)
            for block in self.document.blocks[index:]:
                if block.span.start >= span.end:
                    break
                if block.span.end > span.start:
                    found.add(block.kind)
                    found.add(block.role)
                    if isinstance(block.place, CellPlace):
                        found.add("cells")
        return frozenset(found)

    def table_size(self, spans: Sequence[Span]) -> tuple[int, int]:
        """Give rows and columns of the largest table that the ranges touch."""
        rows = columns = 0
        starts = self.document.block_starts
        for span in spans:
            index = max(0, bisect_right(starts, span.start) - 1)
            for block in self.document.blocks[index:]:
                if block.span.start >= span.end:
                    break
                if block.table is not None and block.span.end > span.start:
                    rows = max(rows, block.table.rows)
                    columns = max(columns, block.table.columns)
        return rows, columns

    def references(self, spans: Sequence[Span]) -> list[tuple[str, str, str]]:
        """Give text, target and status of each reference in the ranges."""
        found: list[tuple[str, str, str]] = []
        for span in spans:
            index = bisect_right(self._ref_starts, span.start - 1)
            for ref in self.document.refs[index:]:
                if ref.span.start >= span.end:
                    break
                found.append((ref.text, ref.target, ref.status))
        return found


def spans_of(chunk: Chunk) -> tuple[Span, ...]:
    """Give what a model gets to read: a part of a table has the header rows in front."""
    header = chunk.part.header if chunk.part is not None else None
    if header is None or any(header.meets(span) for span in chunk.spans):
        return chunk.spans
    return (header, *chunk.spans)


def repeated_header(chunk: Chunk) -> int:
    """Give the length of the header rows that a part of a table repeats, 0 where it does not."""
    header = chunk.part.header if chunk.part is not None else None
    spans = spans_of(chunk)
    repeats = header is not None and spans[0] == header and len(spans) > 1
    return len(header) if header is not None and repeats else 0


class View:
    """One chunk (or a stretch for a structure rule) as predicates see it.

    Places are offsets into the sheet's text; ``start`` and ``end`` leave white space at the ends
    out; ``own_start`` comes after the header rows that a table's part repeats. ``places`` gives
    the places of each literal by its number. ``shift`` leads from them to the document, where one
    number does.
    """

    __slots__ = (
        "_bytes",
        "_cache",
        "_kinds",
        "_stretch",
        "_text",
        "chunk",
        "end",
        "own_start",
        "places",
        "sheet",
        "shift",
        "siblings",
        "start",
        "surroundings",
        "tags",
    )  # fmt: skip

    def __init__(
        self,
        chunk: Chunk,
        sheet: Sheet,
        bounds: tuple[int, int],
        places: Mapping[int, list[int]],
        surroundings: Surroundings,
    ) -> None:
        start, end = bounds
        text = sheet.text
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        self.chunk = chunk
        self.sheet = sheet
        self.start = start
        self.end = end
        self.own_start = start
        if chunk.part is not None and chunk.part.header is not None:
            self.own_start = max(start, bounds[0] + repeated_header(chunk))
        self.places = places
        self.surroundings = surroundings
        self.shift: int | None = None
        self.tags: frozenset[str] = frozenset()
        self.siblings: tuple[View | None, View | None] = (None, None)
        self._text: str | None = None
        self._bytes: bytes | None = None
        self._kinds: frozenset[str] | None = None
        self._cache: dict[Any, Any] = {}
        self._stretch: Stretch | None = None

    @property
    def text(self) -> str:
        """The folded text."""
        if self._text is None:
            self._text = self.sheet.text[self.start : self.end]
        return self._text

    @property
    def encoded(self) -> bytes:
        """The folded text in UTF-8, as RE2 wants it."""
        if self._bytes is None:
            self._bytes = self.text.encode("utf-8", "replace")
        return self._bytes

    @property
    def cache(self) -> dict[Any, Any]:
        """Where predicates keep what they found once."""
        return self._cache

    def span(self, start: int, end: int) -> Span:
        """Give the document's range of a range of the sheet."""
        if self.shift is not None and self.start <= start < end <= self.end:
            return Span(start + self.shift, end + self.shift)
        return self.sheet.span(start, end)

    @property
    def ends_line(self) -> bool:
        """Whether a line ends where the chunk does."""
        text = self.sheet.text
        return self.end >= len(text) or text[self.end] == "\n"

    def share(self, other: "View") -> None:
        """Take what was found in the same text by another view: its text, bytes and values."""
        self._text, self._bytes = other.text, other.encoded
        self._stretch = other.stretch

    @property
    def stretch(self) -> Stretch:
        """The text as what sentence ends, values and guard words are found in."""
        if self._stretch is None:
            self._stretch = Stretch(self.sheet.text, self.start, self.end)
        return self._stretch

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds and roles of the blocks in this stretch."""
        if self._kinds is None:
            self._kinds = self.surroundings.block_kinds(self.chunk.spans)
        return self._kinds

    @property
    def page(self) -> int | None:
        """The page the chunk's own text begins on, where known."""
        return self.surroundings.page(self.sheet.span(self.own_start, self.own_start).start)

    @property
    def title(self) -> str:
        """The folded text of the nearest heading."""
        trail = self.chunk.trail
        return self.surroundings.titles.get(trail[-1], "") if trail else ""

    @property
    def trail(self) -> str:
        """The folded texts of all headings above and at the start, a line each."""
        titles = self.surroundings.titles
        return "\n".join(titles.get(heading, "") for heading in self.chunk.trail)

    @property
    def first_line(self) -> str:
        """The folded first line."""
        return self.text.partition("\n")[0].rstrip()

    def subject(self, name: str) -> str:
        """Give the folded text of a subject other than the chunk's own text."""
        if name == "title":
            return self.title
        if name == "trail":
            return self.trail
        if name == "first_line":
            return self.first_line
        if name == "file_name":
            return self.surroundings.file_name
        if name == "text":
            return self.text
        if name == "document":
            return self.surroundings.document.folded
        sibling = self.siblings[0 if name == "previous" else 1]
        return sibling.text if sibling is not None else ""


CLAUSE_REACH = 4_000


def wide(view: View) -> View:
    """Give the view of all of the clause that a chunk is a part of; itself where it is whole.

    A phrase that a chunk's border cuts is found so; places outside the chunk are no anchors.
    """
    known = view.cache.get("wide")
    if isinstance(known, View):
        return known
    around = [view]
    for side in (0, 1):
        other = view.siblings[side]
        reach = 0
        while other is not None and reach < CLAUSE_REACH and _continues(view, other):
            around.insert(0, other) if side == 0 else around.append(other)
            reach += other.end - other.start
            other = other.siblings[side]
    found = view if len(around) == 1 else widened_over(view, around)
    view.cache["wide"] = found
    return found


def onward(view: View) -> View:
    """Give the view from a chunk's start to where its clause ends."""
    around = wide(view)
    if around.end <= view.end:
        return view
    known = view.cache.get("onward")
    if not isinstance(known, View):
        known = view.cache["onward"] = restricted(around, view.start, around.end)
    return known


def following(view: View) -> Iterator["View"]:
    """Give the views behind one that its clause goes on in."""
    reach = 0
    other = view.siblings[1]
    while other is not None and reach < CLAUSE_REACH and _continues(view, other):
        yield other
        reach += other.end - other.start
        other = other.siblings[1]


def _continues(view: View, other: View) -> bool:
    """Tell whether two chunks are parts of one clause."""
    return (
        other.sheet is view.sheet
        and bool(view.chunk.trail)
        and other.chunk.trail == view.chunk.trail
        and other.chunk.zone == view.chunk.zone
        and other.chunk.kind == view.chunk.kind
    )


def restricted(view: View, start: int, end: int) -> View:
    """Give a view of a part of another."""
    places: dict[int, list[int]] = {}
    size = len(view.sheet.text)
    for number, found in view.places.items():
        inside = [at for at in found if start <= at < end and at < size]
        if inside:
            places[number] = inside
    return _derived(view, start, end, places)


def widened_over(view: View, views: Sequence[View]) -> View:
    """Give a view over several neighbours, with the place and tags of one of them."""
    places: dict[int, list[int]] = {}
    for other in views:
        for number, found in other.places.items():
            places.setdefault(number, []).extend(found)
    return _derived(view, views[0].start, views[-1].end, places)


def seen_from(view: View, wider: View) -> View:
    """Give a wider view with the place and tags of a chunk in it; what was found stays found."""
    other = _derived(view, wider.start, wider.end, wider.places)
    other.share(wider)
    return other


def _derived(view: View, start: int, end: int, places: Mapping[int, list[int]]) -> View:
    other = View(view.chunk, view.sheet, (start, end), places, view.surroundings)
    other.own_start = max(start, view.own_start)
    other.tags = view.tags
    other.siblings = view.siblings
    return other
