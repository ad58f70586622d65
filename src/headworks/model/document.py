"""The document: one text, and layers of ranges over it.

Takes what a reader found, gives frozen values. Never changes: a pass gives a new ``Document``
that shares the text and the blocks with the old one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import msgspec

from headworks.model.folding import fold
from headworks.model.outline import Anchor, CrossRef, Definition, Heading, Zone
from headworks.model.place import Box, Place, Span
from headworks.model.problem import Problem

BlockKind = Literal[
    "paragraph",
    "table",
    "figure",
    "caption",
    "code",
    "formula",
    "quote",
    "comment",
    "footnote",
    "note",
]
Role = Literal[
    "body",
    "page_header",
    "page_footer",
    "page_number",
    "watermark",
    "hidden_text",
    "deleted_revision",
    "contents",
]
Align = Literal["left", "center", "right", "justify"]


class Source(msgspec.Struct, frozen=True):
    """The bytes a document came from: hash, file name, media type, size in bytes."""

    sha256: str
    name: str
    media_type: str
    size: int


class Style(msgspec.Struct, frozen=True, gc=False):
    """How a block looks. Shared between blocks: a reader keeps one value per distinct look.

    ``size`` in points; ``outline_level`` from 1 (Word's heading 1, Markdown's ``#``);
    ``list_id`` and ``list_level`` name the automatic list the paragraph belongs to;
    ``space_before`` in points where known.
    """

    name: str | None = None
    font: str | None = None
    size: float | None = None
    bold: bool = False
    align: Align | None = None
    outline_level: int | None = None
    indent: float = 0.0
    space_before: float = 0.0
    page_break_before: bool = False
    list_id: str | None = None
    list_level: int | None = None


PLAIN = Style()


class Merge(msgspec.Struct, frozen=True, gc=False):
    """A merged cell: its top left place (from 0 within the table) and how far it reaches."""

    row: int
    column: int
    row_span: int
    column_span: int


class Table(msgspec.Struct, frozen=True):
    """A regular grid over a block's text: cells joined by tabs, rows by line ends.

    ``starts`` is a packed array of unsigned 32-bit offsets into ``Document.text``, one a cell, row
    by row, so that half a million cells cost two megabytes. A cell ends one code point before
    the next begins. The places a merged cell covers hold empty cells. A cell may hold line
    ends of its own, never a tab. ``header_rows`` counts the rows that a part repeats.
    ``name`` is the sheet's name or the caption; ``row`` and ``column`` place the grid's first cell
    in its sheet, and ``row_numbers`` gives each row's own number (packed, from 0) where rows
    were left out.
    """

    rows: int
    columns: int
    starts: bytes
    end: int
    header_rows: int = 0
    merges: tuple[Merge, ...] = ()
    name: str | None = None
    row: int = 0
    column: int = 0
    row_numbers: bytes | None = None

    def cell(self, row: int, column: int) -> Span:
        """Give the range of one cell's text."""
        starts = memoryview(self.starts).cast("I")
        index = row * self.columns + column
        after = index + 1
        return Span(starts[index], starts[after] - 1 if after < len(starts) else self.end)

    def row_span(self, first: int, last: int) -> Span:
        """Give the range of rows ``first`` to ``last`` (exclusive), without the last line end."""
        starts = memoryview(self.starts).cast("I")
        after = last * self.columns
        return Span(
            starts[first * self.columns],
            starts[after] - 1 if after < len(starts) else self.end,
        )

    def row_at(self, offset: int) -> int:
        """Give the row that holds a text offset."""
        starts = memoryview(self.starts).cast("I")
        return max(0, bisect_right(starts, offset) - 1) // self.columns

    def source_row(self, row: int) -> int:
        """Give a row's own number in its sheet, from 0."""
        if self.row_numbers is not None:
            return memoryview(self.row_numbers).cast("I")[row]
        return self.row + row


class Block(msgspec.Struct, frozen=True):
    """A paragraph, table or figure in reading order.

    ``auto`` counts the code points at the start that Word's automatic numbering produced,
    ``lead_bold`` those at the start that are bold when the rest is not (a bold run-in heading).
    ``author`` and ``date`` are a comment's or a revision's. ``alt`` is a figure's description.
    ``about`` is the range of the text that a comment or a note is on.
    """

    id: int
    kind: BlockKind
    span: Span
    place: Place
    role: Role = "body"
    style: Style = PLAIN
    table: Table | None = None
    auto: int = 0
    lead_bold: int = 0
    confidence: float = 1.0
    author: str | None = None
    date: str | None = None
    alt: str | None = None
    about: Span | None = None


class Lines(msgspec.Struct, frozen=True):
    """The page geometry of a text, in packed columns: 26 bytes a line.

    ``starts`` and ``ends`` (unsigned 32-bit code point offsets, ascending), ``pages`` (unsigned
    16-bit, from 1), ``boxes`` (four 32-bit floats a line: x0 y0 x1 y1).
    """

    starts: bytes = b""
    ends: bytes = b""
    pages: bytes = b""
    boxes: bytes = b""

    def __len__(self) -> int:
        return len(self.pages) // 2

    def within(self, span: Span) -> Iterator[tuple[int, int, Box]]:
        """Give start, end and whole box of each line that shares a code point with the range."""
        starts = memoryview(self.starts).cast("I")
        ends = memoryview(self.ends).cast("I")
        pages = memoryview(self.pages).cast("H")
        boxes = memoryview(self.boxes).cast("f")
        index = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end)
        for line in range(index, last):
            x0, y0, x1, y1 = boxes[4 * line : 4 * line + 4]
            yield starts[line], ends[line], Box(pages[line], x0, y0, x1, y1)


class PageSize(msgspec.Struct, frozen=True, gc=False):
    """A page's width and height in points."""

    width: float
    height: float


class Metadata(msgspec.Struct, frozen=True):
    """What the file says of itself, and counts; ``tags`` are found by program or given by the user.

    ``more`` holds the reader's own facts (encoding, page labels, sheet states, attachments).
    """

    title: str | None = None
    author: str | None = None
    created: str | None = None
    modified: str | None = None
    pages: int | None = None
    paragraphs: int = 0
    tags: dict[str, str] = {}
    more: dict[str, str | int | float | list[str]] = {}


class Removed(msgspec.Struct, frozen=True, gc=False):
    """Characters that a reader took out of the text: invisible ones, counted, with their place."""

    reason: str
    count: int
    place: str


class Lost(msgspec.Struct, frozen=True):
    """What could not be read, for the report: counts and places.

    ``doubtful_lines`` were recognised with little certainty, ``covered_lines`` stand under a seal.
    """

    unreadable_characters: int = 0
    picture_only_pages: tuple[int, ...] = ()
    hidden_sheets: tuple[str, ...] = ()
    unread_parts: tuple[str, ...] = ()
    doubtful_lines: int = 0
    covered_lines: int = 0


class Profile(msgspec.Struct, frozen=True):
    """The numbering and zones that were expected, and why this profile was taken."""

    name: str
    why: str


class Document(msgspec.Struct, frozen=True, dict=True):
    """One text with layers over it. See structure.md for the promise each layer keeps."""

    source: Source
    text: str
    blocks: tuple[Block, ...]
    metadata: Metadata = Metadata()
    lines: Lines = Lines()
    page_sizes: tuple[PageSize, ...] = ()
    removed: tuple[Removed, ...] = ()
    lost: Lost = Lost()
    problems: tuple[Problem, ...] = ()
    profile: Profile | None = None
    zones: tuple[Zone, ...] = ()
    headings: tuple[Heading, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    refs: tuple[CrossRef, ...] = ()
    definitions: tuple[Definition, ...] = ()
    steps: tuple[str, ...] = ()

    @cached_property
    def folded(self) -> str:
        """The text as matching sees it: same length, see ``model.folding``."""
        return fold(self.text)

    @cached_property
    def block_starts(self) -> list[int]:
        """The start of each block, for bisection."""
        return [block.span.start for block in self.blocks]

    def slice(self, span: Span) -> str:
        """Give the text of a range."""
        return self.text[span.start : span.end]

    def block_at(self, offset: int) -> Block | None:
        """Give the block that holds an offset, or none where the offset is between blocks."""
        index = bisect_right(self.block_starts, offset) - 1
        if index < 0:
            return None
        block = self.blocks[index]
        return block if offset < block.span.end else None
