"""The Markdown view of a chunk: headings, tables, code and pictures as Markdown writes them.

Takes a document and ranges, gives Markdown for a model or a reader to look at. Never the base of an
offset: it holds marks that the text does not have.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from headworks.model.chunk import Part
from headworks.model.document import Block, Document, Table
from headworks.model.outline import Heading
from headworks.model.place import Span

_MARKED_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r"`{3,}")


def markdown(
    document: Document,
    blocks: Iterable[Block],
    spans: Sequence[Span],
    headings: Mapping[int, Heading],
    part: Part | None = None,
) -> str:
    """Give the Markdown of the ranges, whose blocks are given too.

    ``headings`` maps a block's id to the heading it holds. Where a table's piece does not begin
    with the header, ``part`` tells the header to repeat.
    """
    pieces: list[str] = []
    for block in blocks:
        whole = block.span
        heading = headings.get(block.id)
        for span in spans:
            if span.start <= whole.start and whole.end <= span.end:
                pieces.append(_block(document, block, whole, heading, part))
            elif span.meets(whole):
                shared = Span(max(span.start, whole.start), min(span.end, whole.end))
                pieces.append(_block(document, block, shared, heading, part))
    return "\n\n".join(piece for piece in pieces if piece)


def _block(
    document: Document, block: Block, span: Span, heading: Heading | None, part: Part | None
) -> str:
    if block.table is not None:
        return table_markdown(document.text, block.table, span, part)
    text = document.slice(span).strip("\n")
    if not text.strip():
        return ""
    if block.kind == "code":
        return _fenced(text)
    if block.kind == "figure":
        return f"![{(block.alt or text).strip()}]()"
    if block.kind in ("quote", "comment"):
        return "> " + text.replace("\n", "\n> ")
    if heading is not None and not heading.run_in and span.covers(heading.span):
        return _heading(text, heading)
    return text.replace("\n", "  \n")


def _heading(text: str, heading: Heading) -> str:
    """Mark a heading's lines; what follows it in the same block stays a paragraph."""
    if _MARKED_HEADING.match(text):
        return text
    head, _, rest = text.partition("\n")
    if head.strip() and len(head) >= len(heading.text.split("\n")[0]):
        marked = "#" * min(6, heading.level + 1) + " " + head.strip()
        return marked + ("\n\n" + rest.replace("\n", "  \n") if rest.strip() else "")
    return "#" * min(6, heading.level + 1) + " " + " ".join(text.split())


def _fenced(text: str) -> str:
    if text.startswith(("```", "~~~")):
        return text
    longest = max((len(mark) for mark in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def table_markdown(text: str, table: Table, span: Span, part: Part | None = None) -> str:
    """Give the rows of a table that the range touches; the first row, or the header, leads."""
    first, last = table.row_at(span.start), table.row_at(max(span.start, span.end - 1)) + 1
    clipped = span.start > table.row_span(first, first + 1).start or (
        span.end < table.row_span(last - 1, last).end
    )
    if clipped and last - first == 1 and table.columns == 1:
        return text[span.start : span.end].strip()
    header_rows = table.header_rows
    if part is not None and part.header is not None and first >= header_rows > 0:
        rows = _rows(text, table, 0, header_rows) + _rows(text, table, first, last)
    else:
        rows = _rows(text, table, first, last)
    rule = "|" + " --- |" * table.columns
    return "\n".join([rows[0], rule, *rows[1:]])


def _rows(text: str, table: Table, first: int, last: int) -> list[str]:
    whole = table.row_span(first, last)
    stretch = text[whole.start : whole.end]
    if "|" not in stretch and stretch.count("\n") == last - first - 1:
        return ["| " + row.replace("\t", " | ") + " |" for row in stretch.split("\n")]
    return ["| " + " | ".join(_cells(text, table, row)) + " |" for row in range(first, last)]


def _cells(text: str, table: Table, row: int) -> list[str]:
    spans = (table.cell(row, column) for column in range(table.columns))
    return [
        text[span.start : span.end].replace("|", "\\|").replace("\n", " ").strip() for span in spans
    ]
