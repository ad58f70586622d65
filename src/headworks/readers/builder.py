"""The one mutable object of reading: blocks go in, a frozen ``Document`` comes out.

Takes text as a reader finds it, gives it cleaned (invisible characters out and counted, spaces
normal, surrogates replaced) with every range right. Never reorders what it was given.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from headworks.model.document import (
    PLAIN,
    Block,
    BlockKind,
    Document,
    Lines,
    Lost,
    Merge,
    Metadata,
    PageSize,
    Removed,
    Role,
    Source,
    Style,
    Table,
)
from headworks.model.place import Box, Place, Span, describe
from headworks.model.problem import Problem

# Zero-width, soft hyphen, direction marks, BOM, C0 and C1 controls but tab and line end.
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_BREAKS = re.compile("\r\n?|\u2028|\u2029|\u0085|\u000b|\u000c")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SUSPECT = re.compile(
    "[^\t\n\u0020-\u007e\u00a1-\u00ac\u00ae-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff"
    "\u3001-\ud7ff\ue000-\ufdff\ufe10-\ufefe\uff00-\uffee\U00010000-\U000dffff]"
)
_LARGE_CHARS = 1 << 22
_BLOCK_CHARS = 1 << 19


class DocumentBuilder:
    """Collects blocks in reading order. One a document, used by one reader, then thrown away."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.metadata = Metadata()
        self.page_sizes: list[PageSize] = []
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._problems: list[Problem] = []
        self._removed: dict[tuple[str, str], int] = {}
        self._lost: dict[str, Any] = {}
        self._starts, self._ends = array("I"), array("I")
        self._pages, self._boxes = array("H"), array("f")

    @property
    def length(self) -> int:
        """The number of code points so far, with the line end that the next block will follow."""
        return self._length

    def paragraph(
        self,
        text: str,
        place: Place,
        *,
        kind: BlockKind = "paragraph",
        style: Style = PLAIN,
        **more: Any,
    ) -> Block | None:
        """Add a block of text; further fields of ``Block`` (role, auto, lead_bold …) by name.

        Gives the block, or none where nothing was left of the text after cleaning.
        """
        cleaned = self.clean(text, place)
        if not cleaned.strip():
            return None
        return self._append(cleaned, place, kind=kind, style=style, **more)

    def lined_paragraph(
        self,
        pieces: Sequence[tuple[str, Box]],
        place: Place,
        *,
        kind: BlockKind = "paragraph",
        style: Style = PLAIN,
        **more: Any,
    ) -> Block | None:
        """Add a block made of page lines: their texts are joined as they are, boxes kept.

        The reader puts a space or a line end into a piece where the joint needs one.
        """
        cleaned = [(self.clean(text, place), box) for text, box in pieces]
        joined = "".join(text for text, _ in cleaned)
        if not joined.strip():
            return None
        offset = self._length
        for text, box in cleaned:
            if text:
                self.line(offset, offset + len(text), box)
            offset += len(text)
        return self._append(joined, place, kind=kind, style=style, **more)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        place: Place,
        *,
        grid: dict[str, Any] | None = None,
        style: Style = PLAIN,
        boxes: Sequence[Sequence[Box | None]] | None = None,
        **more: Any,
    ) -> Block | None:
        """Add a table: a regular grid of cell texts (short rows are filled up with empty cells).

        ``grid`` gives further fields of ``Table`` (header_rows, merges, name, row …); ``boxes``
        a box for each cell where the page is known. None where the table holds no text at all.
        """
        columns = max((len(row) for row in rows), default=0)
        starts, texts, offset = array("I"), [], self._length
        for index, row in enumerate(rows):
            cells = [self._cell(cell, place) for cell in row] + [""] * (columns - len(row))
            for column, cell in enumerate(cells):
                starts.append(offset)
                if boxes is not None and cell and (box := boxes[index][column]) is not None:
                    self.line(offset, offset + len(cell), box)
                offset += len(cell) + 1
            texts.append("\t".join(cells))
        text = "\n".join(texts)
        if not text.strip():
            return None
        fields = {"merges": (), **(grid or {})}
        table = Table(
            rows=len(rows),
            columns=columns,
            starts=starts.tobytes(),
            end=self._length + len(text),
            **{**fields, "merges": tuple(_as_merge(merge) for merge in fields["merges"])},
        )
        return self._append(text, place, kind="table", style=style, table=table, **more)

    def grid_text(
        self, pieces: Sequence[str], starts: "array[int]", place: Place, **more: Any
    ) -> Block | None:
        """Add a table whose text is joined and cleaned already (large sheets).

        The ``pieces`` hold some rows each; ``starts`` are the cells' offsets in the document,
        whose ``length`` is that of the first; ``more`` holds ``columns``, ``grid`` and further
        fields of ``Block``.
        """
        if not any(piece.strip() for piece in pieces):
            return None
        columns = more.pop("columns")
        grid = more.pop("grid", {})
        end = self._length + sum(map(len, pieces)) + len(pieces) - 1
        table = Table(
            rows=len(starts) // columns,
            columns=columns,
            starts=starts.tobytes(),
            end=end,
            **grid,
        )
        style = more.pop("style", PLAIN)
        return self._append_pieces(
            pieces, end, place, kind="table", style=style, table=table, **more
        )

    def line(self, start: int, end: int, box: Box) -> None:
        """Tell where a stretch of the text stands on its page. Stretches come in text order."""
        self._starts.append(start)
        self._ends.append(end)
        self._pages.append(box.page)
        self._boxes.extend((box.x0, box.y0, box.x1, box.y1))

    def problem(self, code: str, message: str, *, place: str = "", hint: str = "") -> None:
        """Note a finding about the input; reading goes on."""
        self._problems.append(Problem(code=code, message=message, place=place, hint=hint))

    def removed(self, reason: str, count: int, place: str) -> None:
        """Count characters that were taken out of the text."""
        if count:
            key = (reason, place)
            self._removed[key] = self._removed.get(key, 0) + count

    def lost(self, **fields: Any) -> None:
        """Set fields of ``Lost``: what could not be read."""
        self._lost.update(fields)

    def clean(self, text: str, place: Place) -> str:
        """Give the text without invisible characters (counted), with plain spaces and line ends."""
        if _SUSPECT.search(text) is None:
            return text
        text = _BREAKS.sub("\n", text)
        text = _SPACES.sub(" ", text)
        text = _SURROGATE.sub("\ufffd", text)
        text, count = _INVISIBLE.subn("", text)
        self.removed("invisible", count, describe(place))
        return text

    def finish(self) -> Document:
        """Give the document. The builder is of no further use."""
        return Document(
            source=self.source,
            text=self._joined(),
            blocks=tuple(self._blocks),
            metadata=msgspec.structs.replace(self.metadata, paragraphs=len(self._blocks)),
            lines=Lines(
                self._starts.tobytes(),
                self._ends.tobytes(),
                self._pages.tobytes(),
                self._boxes.tobytes(),
            ),
            page_sizes=tuple(self.page_sizes),
            removed=tuple(Removed(r, n, p) for (r, p), n in self._removed.items()),
            lost=Lost(**self._lost),
            problems=tuple(self._problems),
            steps=("read",),
        )

    def _joined(self) -> str:
        """Give the whole text. A large one lets its pieces go on the way: it is there once."""
        pieces = self._pieces
        if self._length < _LARGE_CHARS:
            return "\n".join(pieces)
        pieces.reverse()
        text = pieces.pop()
        for block in _blocks(pieces):
            text += block  # grows where it is: nothing else refers to it
        return text

    def _cell(self, text: str, place: Place) -> str:
        return self.clean(text, place).replace("\t", " ").strip()

    def _append(self, text: str, place: Place, **more: Any) -> Block:
        return self._append_pieces((text,), self._length + len(text), place, **more)

    def _append_pieces(self, pieces: Sequence[str], end: int, place: Place, **more: Any) -> Block:
        block = Block(id=len(self._blocks), span=Span(self._length, end), place=place, **more)
        self._blocks.append(block)
        self._pieces.extend(pieces)
        self._length = end + 1
        return block

    def retag(self, block: Block, role: Role) -> None:
        """Give a block that was added another role (furniture is known at the end only)."""
        self._blocks[block.id] = msgspec.structs.replace(block, role=role)


def _blocks(pieces: list[str]) -> Iterator[str]:
    """Give a line end and some pieces at a time, the last of the list first; it gets empty."""
    while pieces:
        some, count = [""], 0
        while pieces and count < _BLOCK_CHARS:
            some.append(pieces.pop())
            count += len(some[-1])
        yield "\n".join(some)


def _as_merge(merge: Merge | tuple[int, int, int, int]) -> Merge:
    return merge if isinstance(merge, Merge) else Merge(*merge)
