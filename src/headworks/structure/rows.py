"""Rows: the numbered rows of tables, which a reference may name as it names a clause.

Takes a document and a step, gives the row whose first cell is the number: 前附表第10.2项. Never
reads a table with very many rows: a list of goods is no list of clauses.
"""

import re
from collections import defaultdict
from functools import cached_property

from headworks.model.document import Document
from headworks.model.place import Span
from headworks.structure.steps import Step

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}")
_MOST = 400


class Rows:
    """The numbered rows of one document's tables, read when first asked for."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def find(self, span: Span, step: Step) -> Span | None:
        """Give the first row inside a range that bears the step's number."""
        if step.unit not in ("条", "款", "项"):
            return None
        number = ".".join(map(str, step.numbers))
        return next((row for row in self._by_number.get(number, ()) if span.covers(row)), None)

    @cached_property
    def _by_number(self) -> dict[str, list[Span]]:
        found: dict[str, list[Span]] = defaultdict(list)
        for block in self._document.blocks:
            table = block.table
            if table is None or table.rows > _MOST:
                continue
            for row in range(table.rows):
                cell = self._document.slice(table.cell(row, 0)).strip()
                if cell[:1].isdigit() and _NUMBER.fullmatch(cell):
                    found[cell].append(table.row_span(row, row + 1))
        return found
