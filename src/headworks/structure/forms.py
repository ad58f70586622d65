"""Heads inside the tables of forms: 一、项目基本情况 over the rows that it heads.

Takes a document that is a form, most of its text in tables, gives candidates for the rows that
are one numbered line. Never looks into the tables of other documents: there a numbered row is an
item of the table, whose head stands above it.
"""

from collections.abc import Iterator, Sequence

from headworks.model.document import Block, Document, Table
from headworks.model.place import Span
from headworks.structure import labels
from headworks.structure.candidates import Candidate, Line, labelled
from headworks.structure.looks import Looks

# A list of goods is no form, and a form is mostly tables.
_MOST_ROWS = 400
_SHARE = 2


def with_form_heads(
    document: Document, looks: Looks, skipped: frozenset[int], found: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Give the candidates, with those inside tables where the document is a form."""
    tables = [
        (index, block, block.table)
        for index, block in enumerate(document.blocks)
        if block.table is not None
        and block.role == "body"
        and index not in skipped
        and block.table.rows <= _MOST_ROWS
    ]
    if sum(len(block.span) for _, block, _ in tables) * _SHARE < len(document.text):
        return tuple(found)
    inside = [
        candidate
        for index, block, table in tables
        for candidate in _of_table(document, looks, (index, block), table)
    ]
    if not inside:
        return tuple(found)
    return tuple(sorted((*found, *inside), key=lambda candidate: candidate.start))


def _of_table(
    document: Document, looks: Looks, place: tuple[int, Block], table: Table
) -> Iterator[Candidate]:
    index, block = place
    for row in range(table.rows):
        cell = _only_cell(document, table, row)
        if cell is None:
            continue
        lines = list(_lines(document, cell))
        # A cell of several lines is a text set in a table where the table has one column.
        if len(lines) > 1 and table.columns > 1:
            continue
        for line in lines:
            label = labels.read(document.text, document.folded, line.start, line.end)
            if label is not None and not label.weak:
                at = Line(index, block, looks.of(block), line.end, inner=True)
                yield labelled(document.folded, label, at)


def _only_cell(document: Document, table: Table, row: int) -> Span | None:
    """Give the one cell of a row that is not empty, or none where there are several."""
    only: Span | None = None
    for column in range(table.columns):
        cell = table.cell(row, column)
        if document.text[cell.start : cell.end].strip():
            if only is not None:
                return None
            only = cell
    return only


def _lines(document: Document, cell: Span) -> Iterator[Span]:
    start = cell.start
    while start < cell.end:
        stop = document.text.find("\n", start, cell.end)
        stop = cell.end if stop < 0 else stop
        if document.text[start:stop].strip():
            yield Span(start, stop)
        start = stop + 1
