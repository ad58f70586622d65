"""The tables of a sheet: told apart by empty bands, with their titles, header rows and notes.

Takes the rows of a sheet and its merged areas, gives paragraphs and table areas in reading order.
Never drops a cell: what is in no table is a paragraph.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

import msgspec

from headworks.model.document import Merge
from headworks.readers.xlsx.grid import Area, Grid, Shape, distinct, mask_of
from headworks.readers.xlsx.headers import header_rows, is_note, is_title

_MOST_SINGLE_COLUMN_PARAGRAPHS = 50
_MOST_BRIDGED_ROWS = 200_000
_WIDE_GAP = 8
_MAX_DEPTH = 3


class CellText(msgspec.Struct, frozen=True):
    """A cell that stands for itself: a title, a note."""

    row: int
    column: int
    text: str


class TableArea(msgspec.Struct, frozen=True):
    """A table: its rows (indices into the grid), its columns, its header, its merged cells."""

    rows: range
    columns: range
    header_rows: int
    merges: tuple[Merge, ...]


Region = CellText | TableArea


class SheetLayout:
    """The rows of a sheet with what bridges their gaps. Used once, for one sheet."""

    def __init__(
        self, grid: Grid, merges: Iterable[Area], filter_row: int | None, hidden: Iterable[int]
    ) -> None:
        self._grid = grid
        self._filter_row = filter_row
        self._anchored: dict[int, list[Area]] = {}
        self._bridged = set(hidden)
        self._take_merges(merges)

    def regions(self) -> list[Region]:
        """Give the paragraphs and tables in reading order."""
        if not len(self._grid):
            return []
        areas = list(self._areas(range(len(self._grid)), -1, 0))
        areas.sort(key=lambda area: (self._grid.numbers[area[0].start], area[1].start))
        return [region for rows, columns in areas for region in self._parts(rows, columns)]

    def _take_merges(self, merges: Iterable[Area]) -> None:
        """Keep the merged areas whose first cell holds text, by the index of their row."""
        numbers, shapes = self._grid.numbers, self._grid.shapes
        for area in merges:
            top, left, bottom, _ = area
            index = bisect_left(numbers, top)
            if (
                index == len(numbers)
                or numbers[index] != top
                or not shapes[index].filled >> left & 1
            ):
                continue
            self._anchored.setdefault(index, []).append(area)
            if bottom > top and len(self._bridged) < _MOST_BRIDGED_ROWS:
                self._bridged.update(range(top + 1, min(bottom, top + 1000) + 1))

    def _areas(self, rows: range, mask: int, depth: int) -> Iterator[tuple[range, range]]:
        """Give the areas that empty rows, then empty columns, leave together."""
        for band in self._joined(list(self._bands(rows, mask)), mask):
            used = self._used(band, mask)
            groups = self._column_groups(band, used)
            if len(groups) == 1 or depth >= _MAX_DEPTH:
                yield band, _columns_of(used)
                continue
            for group in groups:
                yield from self._areas(band, mask_of(group) & mask, depth + 1)

    def _bands(self, rows: range, mask: int) -> Iterator[range]:
        """Give the stretches of rows without an empty row between them."""
        numbers, shapes = self._grid.numbers, self._grid.shapes
        first = last = -1
        for index in rows:
            if not shapes[index].filled & mask:
                continue
            if first < 0:
                first = index
            elif numbers[index] > numbers[last] + 1 and not self._is_bridged(
                numbers[last] + 1, numbers[index]
            ):
                yield range(first, last + 1)
                first = index
            last = index
        if first >= 0:
            yield range(first, last + 1)

    def _is_bridged(self, first: int, last: int) -> bool:
        return last - first <= 1000 and all(row in self._bridged for row in range(first, last))

    def _joined(self, bands: list[range], mask: int) -> Iterator[range]:
        """Join a band to the one above it where it only goes on with its rows of numbers."""
        current: range | None = None
        for band in bands:
            if current is not None and self._goes_on(current, band, mask):
                current = range(current.start, band.stop)
                continue
            if current is not None:
                yield current
            current = band
        if current is not None:
            yield current

    def _goes_on(self, above: range, below: range, mask: int) -> bool:
        shapes, numbers = self._grid.shapes, self._grid.numbers
        if numbers[below.start] - numbers[above.stop - 1] > 2 or len(above) < 2:
            return False
        last, first = shapes[above.stop - 1], shapes[below.start]
        if not last.numeric & first.numeric & first.filled & last.filled & mask:
            return False
        wide, narrow = self._used(above, mask), self._used(below, mask)
        return (wide | narrow).bit_length() == wide.bit_length() and _low(narrow) >= _low(wide)

    def _used(self, rows: range, mask: int) -> int:
        used = 0
        for shape in distinct(self._grid.shapes[rows.start : rows.stop]):
            used |= shape.filled
        return used & mask

    def _column_groups(self, rows: range, used: int) -> list[range]:
        """Give the groups of columns that empty columns set apart, where each is a table."""
        covered = used
        for _, left, _, right in self._areas_in(rows):
            if used >> left & 1:
                covered |= ((1 << (right - left + 1)) - 1) << left
        groups = _runs(covered)
        if len(groups) == 1:
            return [_columns_of(used)]
        shapes = set(distinct(self._grid.shapes[rows.start : rows.stop]))
        merged: list[range] = []
        for group in groups:
            far = merged and group.start - merged[-1].stop >= _WIDE_GAP
            if (
                merged
                and not far
                and not (
                    self._is_table(shapes, merged[-1], used) and self._is_table(shapes, group, used)
                )
            ):
                merged[-1] = range(merged[-1].start, group.stop)
            else:
                merged.append(group)
        return merged

    def _is_table(self, shapes: set[Shape], group: range, used: int) -> bool:
        mask = mask_of(group)
        if (used & mask).bit_count() < 2:
            return False
        return sum(1 for shape in shapes if shape.filled & mask) >= 1

    def _areas_in(self, rows: range) -> Iterator[Area]:
        if not self._anchored:
            return
        if len(self._anchored) < len(rows):
            for index, areas in self._anchored.items():
                if index in rows:
                    yield from areas
            return
        for index in rows:
            yield from self._anchored.get(index, ())

    def _parts(self, rows: range, columns: range) -> Iterator[Region]:
        """Give the titles above a table, the table, and the notes below it."""
        first, last = rows.start, rows.stop
        if len(columns) == 1 and len(rows) <= _MOST_SINGLE_COLUMN_PARAGRAPHS:
            yield from self._as_texts(rows, columns)
            return
        while first < last and is_title(self._cells(first, columns), len(columns)):
            first += 1
        while last > first + 1 and self._is_note(last - 1, columns):
            last -= 1
        yield from self._as_texts(range(rows.start, first), columns)
        if first < last:
            yield self._table(range(first, last), columns)
        yield from self._as_texts(range(last, rows.stop), columns)

    def _is_note(self, index: int, columns: range) -> bool:
        cells = self._cells(index, columns)
        wide = any(
            right - left + 1 >= len(columns) / 2
            for _, left, _, right in self._anchored.get(index, ())
        )
        return is_note(cells, wide)

    def _as_texts(self, rows: range, columns: range) -> Iterator[CellText]:
        for index in rows:
            for column, text in self._cells(index, columns).items():
                yield CellText(self._grid.numbers[index], column, text)

    def _cells(self, index: int, columns: range) -> dict[int, str]:
        cells = self._grid.cells(index)
        return {column: text for column, text in cells.items() if column in columns}

    def _table(self, rows: range, columns: range) -> TableArea:
        merges = tuple(self._merges(rows, columns))
        filter_index = None
        if self._filter_row is not None:
            index = bisect_left(self._grid.numbers, self._filter_row)
            filter_index = index - rows.start if index in rows else None
        top = range(rows.start, min(rows.stop, rows.start + 12))
        header = header_rows(
            [self._cells(index, columns) for index in top],
            [self._grid.shapes[index] for index in top],
            columns,
            merges,
            filter_index,
        )
        return TableArea(rows, columns, min(header, len(rows) - 1), merges)

    def _merges(self, rows: range, columns: range) -> Iterator[Merge]:
        """Give the merged cells in rows and columns of the table; rows left out do not count."""
        numbers = self._grid.numbers
        for top, left, bottom, right in self._areas_in(rows):
            if left not in columns:
                continue
            row = bisect_left(numbers, top)
            after = bisect_left(numbers, bottom + 1, row)
            row_span = min(after, rows.stop) - row
            column_span = min(right + 1, columns.stop) - left
            if row_span * column_span > 1:
                yield Merge(row - rows.start, left - columns.start, row_span, column_span)


def _columns_of(mask: int) -> range:
    return range(_low(mask), mask.bit_length())


def _low(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _runs(mask: int) -> list[range]:
    """Give the runs of set bits."""
    runs = []
    while mask:
        start = _low(mask)
        rest = ~(mask >> start)
        length = _low(rest)
        runs.append(range(start, start + length))
        mask &= ~(((1 << length) - 1) << start)
    return runs
