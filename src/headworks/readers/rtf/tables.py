"""Tables of RTF: rows with the right edges of their cells, put on one grid.

Takes rows, gives a regular grid with merged cells. Never guesses a cell that no row has.
"""

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from headworks.model.document import Merge

_TOLERANCE = 40  # twips


class Edge(msgspec.Struct, frozen=True):
    """What a row says of a cell before its text: its right edge and how it is merged."""

    right: int
    goes_on_right: bool = False
    begins_down: bool = False
    goes_on_down: bool = False


class Row(msgspec.Struct, frozen=True):
    """A row: its cells' texts, and their edges where it tells them."""

    texts: list[str]
    edges: list[Edge]
    header: bool = False


class Grid(msgspec.Struct, frozen=True):
    """A regular grid; places that a merged cell covers are empty."""

    rows: list[list[str]]
    merges: tuple[Merge, ...]
    header_rows: int


def on_grid(rows: Sequence[Row]) -> Grid:
    """Put the rows on one grid."""
    header = 0
    while header < len(rows) and rows[header].header:
        header += 1
    header %= max(1, len(rows))
    if any(len(row.edges) < len(row.texts) for row in rows):
        return Grid([list(row.texts) for row in rows], (), header)
    columns = _columns(rows)
    cells: list[list[str]] = []
    merges: list[Merge] = []
    open_down: dict[int, int] = {}
    for at, row in enumerate(rows):
        line = [""] * len(columns)
        begun = 0
        holder = -1
        for text, edge in zip(row.texts, row.edges, strict=False):
            end = bisect_left(columns, edge.right - _TOLERANCE) + 1
            if edge.goes_on_right and holder >= 0:
                line[holder] = " ".join(filter(None, (line[holder], text)))
                _widen(merges, at, holder, end)
            elif edge.goes_on_down and begun in open_down:
                merge = merges[open_down[begun]]
                if text.strip():
                    cells[merge.row][begun] = "\n".join(
                        filter(None, (cells[merge.row][begun], text))
                    )
                merges[open_down[begun]] = msgspec.structs.replace(
                    merge, row_span=at - merge.row + 1
                )
                holder = begun
            else:
                line[begun] = text
                holder = begun
                open_down.pop(begun, None)
                if edge.begins_down:
                    open_down[begun] = len(merges)
                if end - begun > 1 or edge.begins_down:
                    merges.append(Merge(at, begun, 1, max(1, end - begun)))
            begun = max(begun + 1, end)
            if begun >= len(columns):
                break
        cells.append(line)
    kept = tuple(merge for merge in merges if merge.row_span * merge.column_span > 1)
    return Grid(cells, kept, header)


def _columns(rows: Sequence[Row]) -> list[int]:
    """Give the right edges of the grid's columns, those a hair apart as one."""
    columns: list[int] = []
    for right in sorted({edge.right for row in rows for edge in row.edges[: len(row.texts)]}):
        if not columns or right - columns[-1] > _TOLERANCE:
            columns.append(right)
    widest = max(len(row.texts) for row in rows)
    while len(columns) < widest:  # cells without a width of their own
        columns.append((columns[-1] if columns else 0) + 2 * _TOLERANCE)
    return columns


def _widen(merges: list[Merge], row: int, column: int, end: int) -> None:
    for index, merge in enumerate(merges):
        if (merge.row, merge.column) == (row, column):
            merges[index] = msgspec.structs.replace(merge, column_span=max(1, end - column))
            return
    merges.append(Merge(row, column, 1, max(1, end - column)))
