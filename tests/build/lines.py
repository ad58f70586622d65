"""Documents without structure, from marked lines: what a reader would give.

A line's mark stands before it, between bars: ``|b c 16 h2| 第一章 总则`` is bold, centred,
16 points,
of outline level 2; ``|a3| 一、`` has an automatic number of 3 code points; ``|lb5|`` is bold in its
first 5; ``|t|`` is a table, cells parted by ``;`` and rows by ``/``; ``|f|`` a figure; ``|pn|`` a
page number. A line without a mark is a plain paragraph of 10.5 points.
"""

import re
from collections.abc import Sequence
from typing import Any

from headworks.model.document import Document, Source, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("ef" * 32, "样例.docx", "text/plain", 1)
_MARK = re.compile(r"\|([^|]*)\|\s?(.*)", re.DOTALL)


def read_lines(lines: str | Sequence[str], size: float | None = 10.5) -> Document:
    """Give the document of the lines; an empty line is nothing."""
    builder = DocumentBuilder(SOURCE)
    listed = lines.strip("\n").split("\n") if isinstance(lines, str) else lines
    for number, line in enumerate(listed):
        if not line.strip():
            continue
        match = _MARK.fullmatch(line)
        marks, text = (match[1].split(), match[2]) if match else ([], line)
        _add(builder, marks, text, PartPlace("body", number), size)
    return builder.finish()


def _add(
    builder: DocumentBuilder, marks: list[str], text: str, place: PartPlace, size: float | None
) -> None:
    if "t" in marks:
        builder.table([row.split(";") for row in text.split("/")], place)
        return
    more: dict[str, Any] = {}
    outline, list_id = None, None
    for mark in marks:
        if re.fullmatch(r"h\d", mark):
            outline = int(mark[1:])
        elif re.fullmatch(r"a\d+", mark):
            more["auto"], list_id = int(mark[1:]), "1"
        elif re.fullmatch(r"lb\d+", mark):
            more["lead_bold"] = int(mark[2:])
        elif re.fullmatch(r"\d+(\.\d+)?", mark):
            size = float(mark)
        elif mark == "f":
            more["kind"] = "figure"
        elif mark == "pn":
            more["role"] = "page_number"
        elif mark == "toc":
            more["role"] = "contents"
    style = Style(
        size=size,
        bold="b" in marks,
        align="center" if "c" in marks else None,
        outline_level=outline,
        list_id=list_id,
        list_level=0 if list_id else None,
    )
    builder.paragraph(text, place, style=style, **more)
