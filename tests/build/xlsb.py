"""Binary workbooks (BIFF12) built record by record: a test says exactly what is in the file.

Takes rows of texts and numbers with the number formats of their columns, gives the file's path.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.build.packages import zipped

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"'
    "/></Types>"
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def record(kind: int, body: bytes = b"") -> bytes:
    """Give a record: kind and length in seven bits a byte."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, sizes = len(body), b""
    while True:
        sizes += bytes([length & 0x7F | (0x80 if length > 0x7F else 0)])
        length >>= 7
        if not length:
            return head + sizes + body


def _text(text: str) -> bytes:
    raw = text.encode("utf-16-le")
    return struct.pack("<I", len(raw) // 2) + raw


def _relations(links: Mapping[str, tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in links.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{inner}</Relationships>'


def workbook(
    path: Path,
    rows: Sequence[Sequence[str | float | None]],
    *,
    formats: Sequence[str] = (),
    hidden: Sequence[int] = (),
    merge: tuple[int, int, int, int] | None = None,
    comment: tuple[int, int, str, str] | None = None,
    date1904: bool = False,
) -> Path:
    """Write one sheet. Column n shows numbers by ``formats[n]``; ``hidden`` are rows from 0."""
    main = record(131) + record(153, struct.pack("<III", date1904, 0, 0))
    main += record(143) + record(156, struct.pack("<II", 0, 1) + _text("rId1") + _text("数据"))
    main += record(144) + record(132)
    links = {"rId1": ("worksheet", "worksheets/sheet1.bin"), "rId2": ("styles", "styles.bin")}
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.bin")}),
        "xl/workbook.bin": main,
        "xl/_rels/workbook.bin.rels": _relations(links),
        "xl/styles.bin": _styles(formats),
        "xl/worksheets/sheet1.bin": _sheet(rows, hidden, merge),
    }
    if comment is not None:
        row, column, author, text = comment
        parts["xl/worksheets/_rels/sheet1.bin.rels"] = _relations(
            {"rId1": ("comments", "../comments1.bin")}
        )
        place = struct.pack("<IIIII", 0, row, row, column, column)
        parts["xl/comments1.bin"] = (
            record(628) + record(630) + record(632, _text(author)) + record(631) + record(633)
            + record(635, place + bytes(16)) + record(637, b"\x00" + _text(text)) + record(636)
            + record(634) + record(629)
        )  # fmt: skip
    return zipped(path, parts)


def _styles(formats: Sequence[str]) -> bytes:
    codes = b"".join(
        record(44, struct.pack("<H", 170 + n) + _text(code)) for n, code in enumerate(formats)
    )
    uses = b"".join(
        record(47, struct.pack("<HHH", 0, number, 0) + bytes(10))
        for number in (0, *(170 + n for n in range(len(formats))))
    )
    head = record(278) + record(615, struct.pack("<I", len(formats))) + codes + record(616)
    return head + record(617, struct.pack("<I", len(formats) + 1)) + uses + record(618)


def _sheet(
    rows: Sequence[Sequence[str | float | None]],
    hidden: Sequence[int],
    merge: tuple[int, int, int, int] | None,
) -> bytes:
    columns = max(map(len, rows))
    size = struct.pack("<IIII", 0, len(rows) - 1, 0, columns - 1)
    body = record(129) + record(148, size) + record(145)
    for number, row in enumerate(rows):
        flags = bytes([0, 0x10 if number in hidden else 0, 0])
        body += record(0, struct.pack("<IIH", number, 0, 300) + flags + struct.pack("<I", 0))
        for column, value in enumerate(row):
            if isinstance(value, str):
                body += record(6, struct.pack("<II", column, 0) + _text(value))
            elif value is not None:
                body += record(5, struct.pack("<IId", column, column + 1, value))
    body += record(146)
    if merge is not None:
        top, left, bottom, right = merge
        body += record(177, struct.pack("<I", 1))
        body += record(176, struct.pack("<IIII", top, bottom, left, right)) + record(178)
    return body + record(130)
