"""Tables across pages: a table that goes on at the next page's top is one table.

Takes the parts in order, gives one grid with its header once. Never joins parts whose columns
differ.
"""

import re

import msgspec

from headworks.model.document import Merge
from headworks.model.place import Box
from headworks.readers.pdf.paragraphs import joint
from headworks.readers.pdf.rulings import Rectangle
from headworks.readers.pdf.tables import PageTable

AGREE = 5.0  # points: column edges of two pages this near are one column's
_STOPPED = re.compile("[。！？；：.!?;:]$")
_NUMERIC = re.compile("[\\d.,%￥¥/:年月日 -]+")


class JoinedTable(msgspec.Struct, frozen=True):
    """A table over one or more pages: texts, boxes, merges, how many rows are its header."""

    rows: list[list[str]]
    boxes: list[list[Box | None]]
    merges: list[Merge]
    header_rows: int
    repeated: int  # characters of headers that later pages repeat
    first_page: int
    last_page: int
    size: float


def agree(before: PageTable, after: PageTable) -> bool:
    """Tell whether two tables have the same columns, by their edges or by a repeated header."""
    if len(before.xs) != len(after.xs) or after.page != before.page + 1:
        return False
    if len(before.xs) > 2 and all(before.rows[0]) and _bare(before.rows[0]) == _bare(after.rows[0]):
        return True
    shift = after.xs[0] - before.xs[0]
    if abs(shift) > 60:
        return False
    return all(abs(b - a - shift) <= AGREE for a, b in zip(before.xs, after.xs, strict=True))


def join(parts: list[PageTable]) -> JoinedTable:
    """Give the parts of one table as one."""
    first = parts[0]
    rows = [list(row) for row in first.rows]
    boxes = _boxes(first)
    merges = list(first.merges)
    heads = _header_rows(first)
    repeated, same = 0, 0
    for part in parts[1:]:
        skip = _same_rows(first, part, heads)
        same = max(same, skip)
        repeated += sum(len(cell) for row in part.rows[:skip] for cell in row)
        here, places = part.rows[skip:], _boxes(part)[skip:]
        shift = len(rows) - skip
        if here and _goes_on(rows[-1], here[0]):
            rows[-1] = [_both(a, b) for a, b in zip(rows[-1], here[0], strict=True)]
            here, places, shift = here[1:], places[1:], shift - 1
        rows.extend(list(row) for row in here)
        boxes.extend(places)
        base = len(rows) - len(here)
        merges.extend(
            Merge(merge.row + shift, merge.column, merge.row_span, merge.column_span)
            for merge in part.merges
            if merge.row + shift >= base
        )
    return JoinedTable(
        rows, boxes, merges, max(heads, same), repeated, first.page, parts[-1].page, first.size
    )


def _boxes(table: PageTable) -> list[list[Box | None]]:
    return [[_box(table.page, rectangle) for rectangle in row] for row in table.boxes]


def _box(page: int, rectangle: Rectangle) -> Box:
    return Box(page, *rectangle)


def _header_rows(table: PageTable) -> int:
    """Give how many rows at the top name the columns."""
    rows, columns = len(table.rows), len(table.xs) - 1
    if rows < 2 or columns < 2:
        return 0
    deep = 1
    for merge in table.merges:
        if merge.row == 0:
            deep = max(deep, merge.row_span)
            if merge.column_span == columns and rows > 2:
                deep = max(deep, 2)  # a title across, the names below it
    if deep > 3 or deep >= rows:
        return 0
    named = [cell for cell in table.rows[deep - 1] if cell]
    if table.head_bold and named:
        return deep
    spanned = sum(
        m.column_span - (m.row == deep - 1)
        for m in table.merges
        if m.row < deep <= m.row + m.row_span
    )
    plain = all(len(cell) <= 24 and not _NUMERIC.fullmatch(cell) for cell in named)
    return deep if plain and len(named) + spanned >= columns - 1 and len(named) > 1 else 0


def _same_rows(first: PageTable, part: PageTable, heads: int) -> int:
    """Give how many rows at a later part's top repeat the first part's."""
    same = 0
    limit = min(len(first.rows), len(part.rows), max(heads, 3))
    while (
        same < limit and any(first.rows[same]) and _bare(first.rows[same]) == _bare(part.rows[same])
    ):
        same += 1
    return same


def _bare(row: list[str]) -> list[str]:
    return ["".join(cell.split()) for cell in row]


def _goes_on(last: list[str], following: list[str]) -> bool:
    """Tell whether a page's first row is the rest of the row the page before broke."""
    if following[0] or not last[0]:
        return False
    filled = [index for index, cell in enumerate(following) if cell]
    if not filled or len(filled) * 2 > len(following):
        return False
    return all(len(last[index]) >= 12 and not _STOPPED.search(last[index]) for index in filled)


def _both(before: str, after: str) -> str:
    if not before or not after:
        return before or after
    kept, between = joint(before, after)
    return kept + between + after
