"""The Markdown view of a chunk: headings, tables, code and pictures as Markdown writes them.

Takes a document and ranges, gives Markdown for a model or a reader to look at. Never the base of an
offset: it holds marks that the text does not have.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from headworks.assembly.harmless import harmless
from headworks.model.document import Block, Document, Table
from headworks.model.outline import Heading
from headworks.model.place import Span

_MARKED_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r"`{3,}")
# Fenced already, and its own fence stands at the end and nowhere before.
_FENCED = re.compile(
    r"(?P<fence>`{3,}|~{3,})[^`\n]*\n(?:(?!\s*(?P=fence)).*\n)*\s{0,3}(?P=fence)[`~]*\s*"
)


def markdown(
    document: Document,
    blocks: Iterable[Block],
    spans: Sequence[Span],
    headings: Mapping[int, Heading],
) -> str:
    """Give the Markdown of the ranges, whose blocks are given too.

    ``headings`` maps a block's id to the heading it holds. A table is one table, also where the
    ranges are its header and rows from further down.
    """
    pieces: list[str] = []
    for block in blocks:
        whole = block.span
        heading = headings.get(block.id)
        shared = [
            Span(max(span.start, whole.start), min(span.end, whole.end))
            for span in spans
            if span.start < whole.end and whole.start < span.end
        ]
        if block.table is not None:
            pieces.append(table_markdown(document.text, block.table, shared))
        else:
            pieces += [_block(document, block, span, heading) for span in shared]
    return "\n\n".join(piece for piece in pieces if piece)


def _block(document: Document, block: Block, span: Span, heading: Heading | None) -> str:
    text = document.slice(span).strip("\n")
    if not text.strip():
        return ""
    if block.kind == "code":
        return _fenced(text)
    if block.kind == "figure":
        told = harmless((block.alt or text).strip())
        return "![" + told.replace("[", "\\[").replace("]", "\\]") + "]()"
    text = harmless(text)
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
    if _FENCED.fullmatch(text):
        return text
    longest = max((len(mark) for mark in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def table_markdown(text: str, table: Table, spans: Sequence[Span]) -> str:
    """Give the rows of a table that the ranges touch, as one table; the first row leads."""
    rows: list[str] = []
    for span in spans:
        first, last = table.row_at(span.start), table.row_at(max(span.start, span.end - 1)) + 1
        if table.columns == 1 and last - first == 1 and _is_cut(table, first, span):
            rows.append("| " + _cell(text[span.start : span.end]) + " |")
        else:
            rows += _rows(text, table, first, last)
    rule = "|" + " --- |" * table.columns
    return "\n".join([rows[0], rule, *rows[1:]]) if rows else ""


def _is_cut(table: Table, row: int, span: Span) -> bool:
    whole = table.row_span(row, row + 1)
    return span.start > whole.start or span.end < whole.end


def _rows(text: str, table: Table, first: int, last: int) -> list[str]:
    whole = table.row_span(first, last)
    stretch = harmless(text[whole.start : whole.end])
    if "|" not in stretch and stretch.count("\n") == last - first - 1:
        return ["| " + row.replace("\t", " | ") + " |" for row in stretch.split("\n")]
    return ["| " + " | ".join(_cells(text, table, row)) + " |" for row in range(first, last)]


def _cells(text: str, table: Table, row: int) -> list[str]:
    spans = (table.cell(row, column) for column in range(table.columns))
    return [_cell(text[span.start : span.end]) for span in spans]


def _cell(text: str) -> str:
    return harmless(text).replace("|", "\\|").replace("\n", " ").strip()
