"""Build the sample contract as PDF: numbers typed, ruled tables, header and footer on each page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contract_text import (
    APPENDICES,
    BODY,
    COVER,
    FOOTER,
    HEADER,
    PREAMBLE,
    SIGNATURES,
    TITLE,
)
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

FONT = "STSong-Light"
DIGITS = "零一二三四五六七八九"
BASE = ParagraphStyle("base", fontName=FONT, fontSize=12, leading=20, wordWrap="CJK")
INDENTED = ParagraphStyle("indented", parent=BASE, firstLineIndent=24)
HEADING = ParagraphStyle("heading", parent=BASE, fontSize=13, spaceBefore=8)
CENTRED = ParagraphStyle("centred", parent=BASE, alignment=TA_CENTER)
BIG = ParagraphStyle("big", parent=CENTRED, fontSize=22, leading=34, spaceAfter=12)
APPENDIX = ParagraphStyle("appendix", parent=CENTRED, fontSize=16, leading=26, spaceAfter=8)
CELL = ParagraphStyle("cell", parent=BASE, fontSize=9, leading=13)


def build(path: Path) -> None:
    """Write the contract to the path; equal bytes on every run."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    template = SimpleDocTemplate(
        str(path),
        pagesize=A4,
        topMargin=72,
        bottomMargin=64,
        leftMargin=80,
        rightMargin=80,
        title=TITLE,
        author="海川重工采购部",
        invariant=1,
    )
    template.build(list(_story()), canvasmaker=_NumberedCanvas)


class _NumberedCanvas(Canvas):
    """Draws header and footer at the end, when the number of pages is known."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._states: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 -- reportlab's name
        """Keep the page for later."""
        self._states.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Draw the furniture on all pages and write the file."""
        for state in self._states:
            self.__dict__.update(state)
            self.setFont(FONT, 9)
            self.drawString(80, A4[1] - 46, HEADER)
            self.line(80, A4[1] - 52, A4[0] - 80, A4[1] - 52)
            footer = FOOTER.format(page=self._pageNumber, pages=len(self._states))
            self.drawCentredString(A4[0] / 2, 36, footer)
            Canvas.showPage(self)
        Canvas.save(self)


def _story() -> Iterator[Any]:
    yield Paragraph(TITLE, BIG)
    for line in COVER:
        yield Paragraph(line, BASE)
    yield Paragraph(PREAMBLE, INDENTED)
    clause = item = 0
    for kind, content in BODY:
        if kind == "clause":
            clause, item = clause + 1, 0
            yield Paragraph(f"第{_chinese(clause)}条 {content}", HEADING)
        elif kind == "item":
            item += 1
            yield Paragraph(f"（{_chinese(item)}）{content}", INDENTED)
        elif kind == "table":
            yield _ruled(content)
        else:
            yield Paragraph(content, CENTRED if kind == "caption" else INDENTED)
    yield Spacer(1, 16)
    yield _ruled(SIGNATURES)
    for title, points in APPENDICES:
        yield PageBreak()
        yield Paragraph(title, APPENDIX)
        yield from _points(points)


def _points(points: list[Any]) -> Iterator[Any]:
    number = 0
    for kind, *content in points:
        if kind == "text":
            yield Paragraph(content[0], INDENTED)
            continue
        number += 1
        yield Paragraph(f"{number}. {content[0]}", BASE)
        for index, point in enumerate(content[1], start=1):
            yield Paragraph(f"{number}.{index} {point}", BASE)


def _ruled(rows: list[list[str]]) -> Table:
    cells = [[Paragraph(cell, CELL) for cell in row] for row in rows]
    table = Table(cells, repeatRows=1, hAlign="CENTER")
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.6, colors.black)])
    return table


def _chinese(number: int) -> str:
    """Give 1 to 99 in Chinese."""
    tens, ones = divmod(number, 10)
    if not tens:
        return DIGITS[ones]
    return ("" if tens == 1 else DIGITS[tens]) + "十" + (DIGITS[ones] if ones else "")
