"""Rows of a sheet, held as text: one string a thousand rows, not one object a cell.

Takes rows of cell texts in order, gives them back by row, or as the joined text of a table with the
offset of each cell. Never keeps a cell as an object of its own.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import msgspec

# Large enough for the system to take it back at once when it is let go.
_SLAB_ROWS = 16_384
_PART_ROWS = 1024

Area = tuple[int, int, int, int]  # first row, first column, last row, last column, from 0


class Shape(msgspec.Struct, frozen=True, gc=False):
    """What the rows of one look have in common: the columns they store, and masks over columns.

    Bit n of a mask is column n: ``filled`` has text, ``numeric`` holds a number or a date,
    ``bold`` is set in bold.
    """

    columns: tuple[int, ...]
    filled: int
    numeric: int = 0
    bold: int = 0


def mask_of(columns: Iterable[int]) -> int:
    """Give the mask over columns that has these bits."""
    mask = 0
    for column in columns:
        mask |= 1 << column
    return mask


def distinct(shapes: Sequence[Shape]) -> Iterable[Shape]:
    """Give each shape once. Rows of one look share it: telling by identity takes less time."""
    return dict(zip(map(id, shapes), shapes, strict=True)).values()


class Grid:
    """The rows of a sheet that hold text, by their numbers (from 0).

    Rows before ``needed_from`` are given once more in a table's text; what holds them is let go.
    """

    def __init__(self) -> None:
        self.needed_from = 0
        self.numbers = array("I")
        self.shapes: list[Shape] = []
        self._slabs: list[str] = []  # rows joined by line ends
        self._firsts = array("I")  # each slab's first row, and where the next one begins
        self._lengths = array("I")
        self._pending: list[str] = []
        self._known: tuple[int, list[int]] = (-1, [])

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, number: int, shape: Shape, texts: Sequence[str]) -> None:
        """Add a row: the texts of the shape's columns, in order, without tabs."""
        line = "\t".join(texts)
        self.numbers.append(number)
        self.shapes.append(shape)
        self._lengths.append(len(line))
        self._pending.append(line)
        if len(self._pending) >= _SLAB_ROWS:
            self._close()

    def extend(self, numbers: Iterable[int], shapes: Iterable[Shape], lines: Sequence[str]) -> None:
        """Add rows whose texts are joined by tabs already."""
        self.numbers.extend(numbers)
        self.shapes.extend(shapes)
        self._lengths.extend(map(len, lines))
        self._pending.extend(lines)
        if len(self._pending) >= _SLAB_ROWS:
            self._close()

    def cells(self, index: int) -> dict[int, str]:
        """Give the texts of one row by column, empty ones left out."""
        row = self._rows(self._slab_of(index), index, index + 1)[0]
        pairs = zip(self.shapes[index].columns, row.split("\t"), strict=True)
        return {column: text for column, text in pairs if text}

    def table_text(
        self, rows: range, columns: range, offset: int = 0
    ) -> tuple[list[str], "array[int]"]:
        """Give the text of a table over these rows and columns, and where each cell begins.

        The text is in pieces of many rows; its first cell begins at ``offset``.
        """
        pieces: list[str] = []
        starts = array("I")
        layouts: dict[tuple[int, ...], _Layout] = {}
        for slab in range(self._slab_of(rows.start), self._slab_of(rows.stop - 1) + 1):
            base, after = self._firsts[slab], self._firsts[slab + 1]
            first, last = max(rows.start, base), min(rows.stop, after)
            complete = (first, last) == (base, after)
            is_whole = self._lay_out(self.shapes[first:last], columns, layouts) and complete
            dense = [] if not is_whole else [self._slabs[slab]]
            for start in range(first, last, _PART_ROWS):
                lines = self._rows(slab, start, min(start + _PART_ROWS, last))
                if not is_whole:
                    lines = self._dense(lines, start, columns, layouts)
                    dense.append("\n".join(lines))
                lengths = map(len, "\t".join(lines).split("\t"))
                starts.extend(accumulate(map((1).__add__, lengths), initial=offset))
                offset = starts.pop()
            pieces += dense
            if after <= self.needed_from:
                self._slabs[slab] = ""
        return pieces, starts

    def _lay_out(
        self, shapes: Sequence[Shape], columns: range, layouts: "dict[tuple[int, ...], _Layout]"
    ) -> bool:
        """Add the layouts of these shapes; tell whether all of them are whole."""
        looks = {shape.columns for shape in distinct(shapes)}
        for stored in looks.difference(layouts):
            layouts[stored] = _layout(stored, columns)
        return all(layouts[stored].whole for stored in looks)

    def _dense(
        self,
        lines: list[str],
        first: int,
        columns: range,
        layouts: "dict[tuple[int, ...], _Layout]",
    ) -> list[str]:
        """Give rows with a cell for each column."""
        shapes = self.shapes[first : first + len(lines)]
        found = (layouts[shape.columns] for shape in shapes)
        return [
            line if layout.whole else _laid_out(line, layout, columns)
            for line, layout in zip(lines, found, strict=True)
        ]

    def _close(self) -> None:
        """Join the rows that came last."""
        self._slabs.append("\n".join(self._pending))
        if len(self._firsts) < len(self._slabs):
            self._firsts.append(len(self._lengths) - len(self._pending))
        self._pending.clear()

    def _slab_of(self, index: int) -> int:
        if self._pending:
            self._close()
        if self._firsts[-1] < len(self._lengths):
            self._firsts.append(len(self._lengths))
        return bisect_right(self._firsts, index) - 1

    def _rows(self, slab: int, first: int, last: int) -> list[str]:
        """Give rows of a slab, by their length: a cell may hold line ends."""
        base, text = self._firsts[slab], self._slabs[slab]
        if self._known[0] != slab:
            lengths = self._lengths[base : self._firsts[slab + 1]]
            self._known = (slab, list(accumulate(map((1).__add__, lengths), initial=0)))
        offsets = self._known[1]
        start, end = offsets[first - base], offsets[last - base] - 1
        lines = text[start:end].split("\n")
        if len(lines) != last - first:
            bounds = pairwise(offsets[first - base : last - base + 1])
            lines = [text[start : end - 1] for start, end in bounds]
        return lines


class _Layout(msgspec.Struct, frozen=True, gc=False):
    """How a stored row becomes a dense one: as it is, between tabs, or cell by cell."""

    whole: bool
    before: str = ""
    after: str = ""
    places: tuple[tuple[int, int], ...] = ()


def _layout(stored: tuple[int, ...], columns: range) -> _Layout:
    inside = [column in columns for column in stored]
    gapless = stored == tuple(range(stored[0], stored[-1] + 1))
    if gapless and all(inside):
        before, after = stored[0] - columns.start, columns.stop - 1 - stored[-1]
        return _Layout(not before and not after, "\t" * before, "\t" * after)
    places = tuple(
        (index, column - columns.start) for index, column in enumerate(stored) if inside[index]
    )
    return _Layout(False, places=places or ((-1, -1),))


def _laid_out(line: str, layout: _Layout, columns: range) -> str:
    if not layout.places:
        return f"{layout.before}{line}{layout.after}"
    dense = [""] * len(columns)
    texts = line.split("\t")
    for index, place in layout.places:
        if index >= 0:
            dense[place] = texts[index]
    return "\t".join(dense)
