"""Rows of a sheet, held as text: one string a thousand rows, not one object a cell.

Takes rows of cell texts in order, gives them back by row, or as the joined text of a table with the
offset of each cell. Never keeps a cell as an object of its own.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate

import msgspec

# Between rows inside a slab. Cleaned text holds no control characters, so it cannot come in a cell.
_ROW_END = "\x1e"
_SLAB_ROWS = 1024

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
        self._slabs: list[str] = []
        self._pending: list[str] = []
        self._known: tuple[int, list[str]] = (-1, [])

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, number: int, shape: Shape, texts: Sequence[str]) -> None:
        """Add a row: the texts of the shape's columns, in order, without tabs."""
        self.numbers.append(number)
        self.shapes.append(shape)
        self._pending.append("\t".join(texts))
        if len(self._pending) == _SLAB_ROWS:
            self._slabs.append(_ROW_END.join(self._pending))
            self._pending.clear()

    def extend(self, numbers: Iterable[int], shapes: Iterable[Shape], lines: Iterable[str]) -> None:
        """Add rows whose texts are joined by tabs already."""
        self.numbers.extend(numbers)
        self.shapes.extend(shapes)
        self._pending.extend(lines)
        while len(self._pending) >= _SLAB_ROWS:
            self._slabs.append(_ROW_END.join(self._pending[:_SLAB_ROWS]))
            del self._pending[:_SLAB_ROWS]

    def cells(self, index: int) -> dict[int, str]:
        """Give the texts of one row by column, empty ones left out."""
        row = self._rows(index // _SLAB_ROWS)[index % _SLAB_ROWS]
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
        for slab in range(rows.start // _SLAB_ROWS, (rows.stop - 1) // _SLAB_ROWS + 1):
            lines = self._dense(slab, rows, columns, layouts)
            cells = lines.replace(_ROW_END, "\t").split("\t")
            starts.extend(accumulate(map((1).__add__, map(len, cells)), initial=offset))
            offset = starts.pop()
            pieces.append(lines.replace(_ROW_END, "\n"))
            if (slab + 1) * _SLAB_ROWS <= self.needed_from and slab < len(self._slabs):
                self._slabs[slab] = ""
        return pieces, starts

    def _dense(
        self, slab: int, rows: range, columns: range, layouts: "dict[tuple[int, ...], _Layout]"
    ) -> str:
        """Give the rows of a slab that are in the range, each with a cell for each column."""
        base = slab * _SLAB_ROWS
        first, last = max(rows.start, base), min(rows.stop, base + _SLAB_ROWS)
        shapes = self.shapes[first:last]
        looks = {shape.columns for shape in distinct(shapes)}
        for stored in looks.difference(layouts):
            layouts[stored] = _layout(stored, columns)
        complete = slab < len(self._slabs) and last - first == _SLAB_ROWS
        if complete and all(layouts[stored].whole for stored in looks):
            return self._slabs[slab]
        lines = self._rows(slab)[first - base : last - base]
        for index, shape in enumerate(shapes):
            layout = layouts[shape.columns]
            if not layout.whole:
                lines[index] = _laid_out(lines[index], layout, columns)
        return _ROW_END.join(lines)

    def _rows(self, slab: int) -> list[str]:
        if slab >= len(self._slabs):
            return list(self._pending)
        if self._known[0] != slab:
            self._known = (slab, self._slabs[slab].split(_ROW_END))
        return list(self._known[1])


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
