"""From ranges of the text to cells of a sheet and paragraphs of a part.

Takes a document and ranges, gives A1 ranges (``Sheet1!A1:F40``) and paragraph ranges. Never gives a
page: that is ``boxes``.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from headworks.assembly.boxes import blocks_in
from headworks.assembly.shapes import ParagraphsRecord
from headworks.model.document import Block, Document, Table
from headworks.model.place import CellPlace, PartPlace, Span, a1

_PLAIN_SHEET = re.compile(r"[^\W\d][\w.]*\Z")


def cells(document: Document, spans: Sequence[Span]) -> str | None:
    """Give the cells of the ranges, stretches joined by commas; none outside a sheet."""
    ranges: list[str] = []
    for block in blocks_in(document, spans):
        if isinstance(block.place, CellPlace):
            ranges += [
                found
                for span in spans
                if span.meets(block.span) and (found := _block_cells(block, block.place, span))
            ]
    return ",".join(ranges) or None


def table_cells(block: Block) -> str | None:
    """Give the A1 range of a whole table; none outside a sheet."""
    return (
        _block_cells(block, block.place, block.span) if isinstance(block.place, CellPlace) else None
    )


def paragraphs(document: Document, spans: Sequence[Span]) -> list[ParagraphsRecord]:
    """Give the paragraphs of the source's parts that the ranges touch, runs in one part joined."""
    found: list[ParagraphsRecord] = []
    for block in blocks_in(document, spans):
        place = block.place
        if not isinstance(place, PartPlace):
            continue
        last = found[-1] if found else None
        if last is not None and last.part == place.part and place.paragraph >= last.first:
            found[-1] = ParagraphsRecord(last.part, last.first, max(last.last, place.paragraph))
        else:
            found.append(ParagraphsRecord(place.part, place.paragraph, place.paragraph))
    return found


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
