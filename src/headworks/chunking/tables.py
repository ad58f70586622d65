"""A table over the ceiling becomes groups of rows.

Takes a table and the room there is, gives ranges of rows and the header to repeat. Never cuts
inside a row that fits; rows that a merged cell ties stay together where that fits.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import msgspec

from headworks.chunking.sentences import pieces, sentences, trimmed
from headworks.model.document import Table
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends


class RowGroups(msgspec.Struct, frozen=True, gc=False):
    """Ranges of whole rows in order; ``header`` stands before each but the first, if it can."""

    groups: tuple[Span, ...]
    header: Span | None


def row_groups(table: Table, ceiling: int, lead: int, heads: Collection[int] = ()) -> RowGroups:
    """Give groups of rows that fit the ceiling, the first with ``lead`` characters before it.

    A row that does not fit alone is a group of its own. Where rows at ``heads`` head those below,
    a group that is half full ends before one rather than after it.
    """
    edges = _edges(table)
    header, header_chars = _header(table, ceiling)
    first_room = ceiling - lead
    opening = 1 + (table.header_rows if header is not None else 0)
    if not _fits(edges, 0, opening, first_room):
        first_room = ceiling  # what led to the table stands alone rather than a header without rows
    breaks = edges if not table.merges else _breaks(table, edges, ceiling - header_chars)
    starts = [edges[0]]
    at, room = 0, first_room
    while at < len(breaks) - 1:
        after = bisect_right(breaks, breaks[at] + room + 1) - 1
        after = max(after, at + 1)
        at = _before_head(breaks, at, after, heads) if heads else after
        starts.append(breaks[at])
        room = ceiling - header_chars
    if not heads:
        _even_out(starts, breaks, ceiling - header_chars)
    groups = [Span(a, b - 1) for a, b in pairwise(starts)]
    return RowGroups(tuple(groups), header)


def _before_head(breaks: Sequence[int], at: int, after: int, heads: Collection[int]) -> int:
    """Give the last break in the second half of a group that a head stands at, else its end."""
    if after >= len(breaks) - 1:
        return after
    half = (breaks[at] + breaks[after]) // 2
    for earlier in range(after, at, -1):
        if breaks[earlier] < half:
            break
        if breaks[earlier] in heads:
            return earlier
    return after


def row_pieces(text: str, table: Table, row: Span, room: int) -> list[Span]:
    """Give the pieces of a row over the ceiling: whole cells, a larger one by sentences."""
    found: list[Span] = []
    begun = end = row.start
    for cell in _cells(text, table, row, room):
        if cell.end - begun > room and end > begun:
            found.append(Span(begun, end))
            begun = cell.start
        end = cell.end
    found.append(Span(begun, end))
    kept = [trimmed(text, piece.start, piece.end) for piece in found]
    return [piece for piece in kept if piece is not None]


def _cells(text: str, table: Table, row: Span, room: int) -> Iterator[Span]:
    """Give the cells of a row, those over the room as sentences, those over it as pieces."""
    starts = memoryview(table.starts).cast("I")
    first, last = bisect_left(starts, row.start), bisect_left(starts, row.end)
    edges = sorted({row.start, *starts[first:last], row.end})
    for start, end in pairwise(edges):
        if end - start <= room:
            yield Span(start, end)
            continue
        for sentence in sentences(text, Span(start, end), sentence_ends(text, start, end)):
            yield from [sentence] if len(sentence) <= room else pieces(text, sentence, room)


def _even_out(starts: list[int], breaks: list[int], room: int) -> None:
    """Move the last cut back where that leaves no last group of a row or two."""
    if len(starts) < 4:  # the first group has another room
        return
    begun, end = starts[-3], starts[-1]
    middle = breaks[bisect_right(breaks, (begun + end) // 2) - 1]
    if begun < middle < starts[-2] and end - middle - 1 <= room:
        starts[-2] = middle


def _edges(table: Table) -> list[int]:
    """Give the start of each row, and where one more would begin."""
    starts = memoryview(table.starts).cast("I")[:: table.columns]
    return [*starts.tolist(), table.end + 1]


def _header(table: Table, ceiling: int) -> tuple[Span | None, int]:
    """Give the rows to repeat with their line end, unless they would take half the room."""
    if not 0 < table.header_rows < table.rows:
        return None, 0
    first_row = table.row_span(0, table.header_rows)
    header = Span(first_row.start, first_row.end + 1)
    return (header, len(header)) if len(header) * 2 <= ceiling else (None, 0)


def _fits(edges: list[int], first: int, last: int, room: int) -> bool:
    return edges[min(last, len(edges) - 1)] - 1 - edges[first] <= room


def _breaks(table: Table, edges: list[int], room: int) -> list[int]:
    """Give the edges at which a cut is allowed: not between rows that one cell covers."""
    reach = list(range(1, table.rows + 1))
    for merge in table.merges:
        if merge.row_span > 1 and merge.row < table.rows:
            reach[merge.row] = max(reach[merge.row], min(table.rows, merge.row + merge.row_span))
    breaks = []
    row = 0
    while row < table.rows:
        last, seen = reach[row], row
        while seen < last:
            last = max(last, reach[seen])
            seen += 1
        if _fits(edges, row, last, room):
            breaks.append(edges[row])
        else:
            breaks.extend(edges[row:last])
        row = last
    return [*breaks, edges[-1]]
