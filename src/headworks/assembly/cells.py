"""From ranges of the text to cells of a sheet and paragraphs of a part.

Takes blocks and ranges, gives A1 ranges (``Sheet1!A1:F40``) and paragraph ranges. Never gives a
page: that is ``boxes``.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from headworks.assembly.shapes import ParagraphsRecord
from headworks.model.document import Block, Table
from headworks.model.place import CellPlace, PartPlace, Span, a1

_PLAIN_SHEET = re.compile(r"[^\W\d][\w.]*\Z")


def cells(blocks: Iterable[Block], spans: Sequence[Span]) -> str | None:
    """Give the cells of the ranges, stretches joined by commas; none outside a sheet."""
    ranges: list[str] = []
    for block in blocks:
        if isinstance(block.place, CellPlace):
            ranges += [
                found
                for span in spans
                if span.meets(block.span) and (found := _block_cells(block, block.place, span))
            ]
    return ",".join(dict.fromkeys(ranges)) or None


def table_cells(block: Block) -> str | None:
    """Give the A1 range of a whole table; none outside a sheet."""
    return (
        _block_cells(block, block.place, block.span) if isinstance(block.place, CellPlace) else None
    )


def paragraphs(blocks: Iterable[Block]) -> list[ParagraphsRecord]:
    """Give the paragraphs of the source's parts that blocks come from, runs in one part joined."""
    found: list[list[int]] = []
    parts: list[str] = []
    for block in blocks:
        place = block.place
        if not isinstance(place, PartPlace):
            continue
        if parts and parts[-1] == place.part and place.paragraph >= found[-1][0]:
            found[-1][1] = max(found[-1][1], place.paragraph)
        else:
            parts.append(place.part)
            found.append([place.paragraph, place.paragraph])
    return [
        ParagraphsRecord(part, first, last)
        for part, (first, last) in zip(parts, found, strict=True)
    ]


def sheet_name(name: str) -> str:
    """Give a sheet's name as a formula writes it: quoted where it is more than a plain word."""
    return name if _PLAIN_SHEET.match(name) else "'" + name.replace("'", "''") + "'"


def _block_cells(block: Block, place: CellPlace, span: Span) -> str:
    sheet = sheet_name(place.sheet)
    table = block.table
    if table is None:
        return f"{sheet}!{a1(place.row, place.column)}"
    start, end = max(span.start, block.span.start), min(span.end, block.span.end)
    if start >= end:
        return ""
    first, last = table.row_at(start), table.row_at(end - 1)
    left, right = 0, table.columns - 1
    if first == last:
        left, right = _column_at(table, start), _column_at(table, end - 1)
    top = a1(table.source_row(first), table.column + left)
    bottom = a1(table.source_row(last), table.column + right)
    return f"{sheet}!{top}" if top == bottom else f"{sheet}!{top}:{bottom}"


def _column_at(table: Table, offset: int) -> int:
    starts = memoryview(table.starts).cast("I")
    return max(0, bisect_right(starts, offset) - 1) % table.columns
