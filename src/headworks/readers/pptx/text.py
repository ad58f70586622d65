"""Text of shapes: paragraphs with their numbers, tables with their merged cells.

Takes a text body or a table of DrawingML, gives values. Never writes into the document.
"""

from collections.abc import Iterator

import msgspec

from headworks.model.document import Align, Merge
from headworks.readers.docx import numformats
from headworks.readers.docx.formulas import linear
from headworks.readers.docx.names import M_OMATH, MC_ALTERNATE, MC_CHOICE, MC_FALLBACK, number, on
from headworks.readers.docx.package import Element
from headworks.readers.pptx.names import (
    A_BODY,
    A_BR,
    A_BULLET,
    A_CELL,
    A_FIELD,
    A_LISTS,
    A_NO_BULLET,
    A_NUMBERED,
    A_P,
    A_PPR,
    A_R,
    A_ROW,
    A_RPR,
    A_T,
    A_TAB,
    A_TABLE_PROPERTIES,
    a,
)

_ALIGNS: dict[str, Align] = {"l": "left", "ctr": "center", "r": "right", "just": "justify"}
# The first word of a numbering scheme, and the number format of Word that shows the same.
_SCHEMES = {
    "arabic": "decimal", "romanLc": "lowerRoman", "romanUc": "upperRoman",
    "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "circleNum": "decimalEnclosedCircle",
    "ea1Chs": "chineseCounting", "ea1Cht": "taiwaneseCounting", "ea1Jpn": "japaneseCounting",
    "arabicDb": "decimalFullWidth",
}  # fmt: skip
_MARKS = (("ParenBoth", "({})"), ("ParenR", "{})"), ("Period", "{}."), ("Minus", "-{}-"))
_MAX_LEVEL = 9


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph: its text with its number (``auto`` code points of it), and how it looks."""

    text: str
    auto: int = 0
    level: int | None = None
    size: float | None = None
    bold: bool = False
    lead_bold: int = 0
    align: Align | None = None


class TableText(msgspec.Struct, frozen=True):
    """A table: a regular grid of texts; places that a merged cell covers are empty."""

    rows: list[list[str]]
    merges: tuple[Merge, ...]
    header_rows: int


def paragraphs(body: Element) -> list[Paragraph]:
    """Give the paragraphs of a text body that hold text."""
    counters: dict[int, tuple[str, int]] = {}
    lists = body.find(A_LISTS)
    found = []
    for element in body.iterchildren(A_P):
        runs = [(text, bold, size) for text, bold, size in _runs(element) if text]
        text = "".join(text for text, _, _ in runs)
        if not text.strip():
            continue
        level, label = _label(element.find(A_PPR), lists, counters)
        found.append(_paragraph(element, runs, level, label))
    return found


def plain(body: Element | None) -> str:
    """Give a body's text, a line a paragraph."""
    return "" if body is None else "\n".join(entry.text for entry in paragraphs(body))


def only_counts(body: Element | None) -> bool:
    """Tell whether a body shows nothing but the slide's number or the date of the day."""
    if body is None or next(body.iter(A_FIELD), None) is None:
        return False
    return not any((run.findtext(A_T) or "").strip() for run in body.iter(A_R))


def table(element: Element) -> TableText:
    """Give a table's texts."""
    rows: list[list[str]] = []
    merges = []
    for row, line in enumerate(element.iterchildren(A_ROW)):
        rows.append([])
        for column, cell in enumerate(line.iterchildren(A_CELL)):
            covered = "hMerge" in cell.keys() or "vMerge" in cell.keys()  # noqa: SIM118 - lxml
            rows[-1].append("" if covered else plain(cell.find(A_BODY)))
            down, right = number(cell.get("rowSpan")) or 1, number(cell.get("gridSpan")) or 1
            if not covered and down * right > 1:
                merges.append(Merge(row, column, max(1, down), max(1, right)))
    properties = element.find(A_TABLE_PROPERTIES)
    headed = properties is not None and on(properties.get("firstRow") or "0") and len(rows) > 1
    return TableText(rows, _inside(merges, rows), 1 if headed else 0)


def _inside(merges: list[Merge], rows: list[list[str]]) -> tuple[Merge, ...]:
    """Cut merged cells off at the table's edges."""
    columns = max((len(row) for row in rows), default=0)
    cut = (
        Merge(
            merge.row,
            merge.column,
            min(merge.row_span, len(rows) - merge.row),
            min(merge.column_span, columns - merge.column),
        )
        for merge in merges
    )
    return tuple(merge for merge in cut if merge.row_span * merge.column_span > 1)


def _paragraph(
    element: Element, runs: list[tuple[str, bool, float | None]], level: int, label: str
) -> Paragraph:
    text = "".join(run for run, _, _ in runs)
    stripped = text.strip()
    lead = len(text) - len(text.lstrip())
    bold_until = 0
    for run, bold, _ in runs:
        if not bold and run.strip():
            break
        bold_until += len(run)
    whole = bold_until >= len(text)
    properties = element.find(A_PPR)
    align = None if properties is None else _ALIGNS.get(properties.get("algn") or "")
    led = min(bold_until - lead, len(stripped))
    return Paragraph(
        text=label + stripped,
        auto=len(label),
        level=level if label or level else None,
        size=next((size for run, _, size in runs if size and run.strip()), None),
        bold=whole,
        lead_bold=0 if whole or led <= 0 else len(label) + led,
        align=align,
    )


def _runs(element: Element) -> Iterator[tuple[str, bool, float | None]]:
    for child in element:
        if child.tag in (A_R, A_FIELD):
            look = child.find(A_RPR)
            size = None if look is None else number(look.get("sz"))
            bold = look is not None and on(look.get("b") or "0")
            text = "".join(
                "\t" if piece.tag == A_TAB else piece.text or "" for piece in child.iter(A_T, A_TAB)
            )
            yield text, bold, size / 100 if size else None
        elif child.tag == A_BR:
            yield "\n", False, None
        elif child.tag == MC_ALTERNATE:
            choice = child.find(MC_CHOICE)
            shown = [] if choice is None else list(_runs(choice))
            other = child.find(MC_FALLBACK)
            yield from shown or ([] if other is None else _runs(other))
        elif child.tag.endswith("}m"):
            for formula in child.iter(M_OMATH):
                yield linear(formula), False, None


def _label(
    properties: Element | None, lists: Element | None, counters: dict[int, tuple[str, int]]
) -> tuple[int, str]:
    """Give a paragraph's level and the number that it shows; count on."""
    level = 0 if properties is None else min(_MAX_LEVEL, number(properties.get("lvl")) or 0)
    for deeper in [other for other in counters if other > level]:
        del counters[deeper]
    numbered = _numbering(properties, lists, level)
    if numbered is None:
        counters.pop(level, None)
        return level, ""
    scheme = numbered.get("type") or "arabicPeriod"
    first = number(numbered.get("startAt")) or 1
    before, value = counters.get(level, ("", 0))
    key = f"{scheme} {first}"
    value = value + 1 if before == key else first
    counters[level] = key, value
    return level, _shown(value, scheme)


def _numbering(properties: Element | None, lists: Element | None, level: int) -> Element | None:
    for holder in (properties, None if lists is None else lists.find(a(f"lvl{level + 1}pPr"))):
        if holder is None:
            continue
        numbered = holder.find(A_NUMBERED)
        if numbered is not None:
            return numbered
        if holder.find(A_BULLET) is not None or holder.find(A_NO_BULLET) is not None:
            return None
    return None


def _shown(value: int, scheme: str) -> str:
    words = max((word for word in _SCHEMES if scheme.startswith(word)), key=len, default="arabic")
    text = numformats.shown(value, _SCHEMES[words])
    for ending, pattern in _MARKS:
        if scheme.endswith(ending):
            text = pattern.format(text)
            break
    return f"{text} "
