"""One small document as text, DOCX and PDF, for tests of what must not depend on the format.

A line's mark stands before it with a bar: ``t| `` the title, ``h| `` bold and larger, ``b| `` bold,
``c| `` centred, ``T| `` a table (cells parted by ``;``, rows by ``/``), ``np|`` a new page. A line
without a mark is a plain paragraph; an empty one is nothing.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from headworks.config import ReadSettings, StructureSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.structure.passes import structure
from tests.build import docx, pdf

FORMS = ("txt", "docx", "pdf")
_MARK = re.compile(r"(t|h|b|c|T|np)\|\s?(.*)")
_SIZES = {"t": 22.0, "h": 14.0}
_BOTTOM, _ROW = 760.0, 22.0
Piece = tuple[str, str]


def structured(folder: Path, form: str, lines: str, header: str = "") -> Document:
    """Give the structured document of marked lines, written as one of ``FORMS`` and read back."""
    return structure(read(write(folder, form, lines, header), ReadSettings()), StructureSettings())


def write(folder: Path, form: str, lines: str, header: str = "") -> Path:
    """Write marked lines as one of ``FORMS``; only a PDF has the ``header``, on each page."""
    path = folder / f"文件.{form}"
    pieces = [_piece(line) for line in lines.strip("\n").split("\n") if line.strip()]
    if form == "txt":
        path.write_text(_text(pieces), encoding="utf-8")
    elif form == "docx":
        docx.build(path, _word(pieces))
    else:
        path.write_bytes(_pages(pieces, header))
    return path


def _piece(line: str) -> Piece:
    match = _MARK.fullmatch(line)
    return (match[1], match[2]) if match is not None else ("", line)


def _rows(text: str) -> list[list[str]]:
    return [row.split(";") for row in text.split("/")]


def _text(pieces: Sequence[Piece]) -> str:
    told = ("\n".join("\t".join(r) for r in _rows(t)) if m == "T" else t for m, t in pieces)
    return "\n".join(told) + "\n"


def _word(pieces: Sequence[Piece]) -> str:
    body: list[str] = []
    page_break = ""
    for mark, text in pieces:
        if mark == "np":
            page_break = "<w:pageBreakBefore/>"
        elif mark == "T":
            body.append(docx.table(*_rows(text)))
        else:
            size = round(_SIZES.get(mark, 12.0) * 2)
            bold = "<w:b/>" if mark in "thb" and mark else ""
            centred = '<w:jc w:val="center"/>' if mark in "tc" and mark else ""
            run = docx.run(text, f'{bold}<w:sz w:val="{size}"/>')
            body.append(docx.para(run, props=page_break + centred))
            page_break = ""
    return "".join(body)


def _pages(pieces: Sequence[Piece], header: str) -> bytes:
    drawn: list[list[pdf.Draw]] = [[]]
    y = pdf.TOP
    for mark, text in pieces:
        rows = _rows(text) if mark == "T" else []
        if mark == "np" or (rows and y + _ROW * len(rows) > _BOTTOM):
            drawn.append([])
            y = pdf.TOP
        if rows:
            drawn[-1].append(_table(y, rows))
            y += _ROW * len(rows) + 14
        elif mark != "np":
            y = _paragraph(drawn, y, mark, text)
    return pdf.pdf([_page(number, page, header) for number, page in enumerate(drawn, 1)])


def _paragraph(drawn: list[list[pdf.Draw]], y: float, mark: str, text: str) -> float:
    size = _SIZES.get(mark, pdf.SIZE)
    indent = 2 if mark in ("", "b") else 0
    for number, line in enumerate(pdf.wrap(text, chars=int(408 / size), indent=indent, size=size)):
        if y > _BOTTOM:
            drawn.append([])
            y = pdf.TOP
        x = pdf.LEFT + (indent * size if not number else 0)
        if mark in ("t", "c"):
            x = (pdf.WIDTH - pdf.wide(line, size)) / 2
        drawn[-1].append(_line((x, y), line, size, mark in ("t", "h", "b")))
        y += size * 1.7
    return y + size * 0.3


def _line(place: tuple[float, float], text: str, size: float, bold: bool) -> pdf.Draw:
    def draw(canvas: Canvas) -> None:
        pdf.write(canvas, *place, text, size=size, bold=bold)

    return draw


def _table(y: float, rows: list[list[str]]) -> pdf.Draw:
    columns = max(map(len, rows))
    across = [pdf.LEFT + index * 415 / columns for index in range(columns + 1)]
    down = [y + _ROW * index for index in range(len(rows) + 1)]

    def draw(canvas: Canvas) -> None:
        pdf.ruled(canvas, across, down, rows)

    return draw


def _page(number: int, pieces: Sequence[pdf.Draw], header: str) -> pdf.Draw:
    def draw(canvas: Canvas) -> None:
        if header:
            pdf.write(canvas, 220, 50, header, size=9)
        pdf.write(canvas, 290, 810, str(number), size=9)
        for piece in pieces:
            piece(canvas)

    return draw
