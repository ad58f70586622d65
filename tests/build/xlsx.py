"""Workbooks built by code, part by part, so that a test says exactly what the file holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.build.packages import zipped

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)


class Sheet:
    """A sheet to build: the XML of its rows, and what stands around them."""

    def __init__(
        self,
        rows: str = "",
        *,
        name: str = "",
        state: str = "visible",
        before: str = "",
        after: str = "",
        parts: Mapping[str, str] | None = None,
    ) -> None:
        self.rows, self.name, self.state = rows, name, state
        self.before, self.after, self.parts = before, after, dict(parts or {})


def workbook(
    path: Path,
    sheets: Sequence[Sheet],
    *,
    formats: Sequence[str] = (),
    strings: str | None = None,
    date1904: bool = False,
) -> Path:
    """Write a workbook. Style n (from 1) shows numbers by ``formats[n - 1]``; style 0 is plain.

    ``strings`` is the XML of the shared strings. A sheet's ``parts`` are related to it by kind.
    """
    parts: dict[str, str] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
    }
    targets = [("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
    targets.append(("styles", "styles.xml"))
    if strings is not None:
        targets.append(("sharedStrings", "sharedStrings.xml"))
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    parts["xl/_rels/workbook.xml.rels"] = _relations(targets)
    listed = "".join(
        f'<sheet name="{sheet.name or f"Sheet{n}"}" sheetId="{n}" state="{sheet.state}"'
        f' r:id="rId{n}"/>'
        for n, sheet in enumerate(sheets, 1)
    )
    properties = '<workbookPr date1904="1"/>' if date1904 else ""
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{_OFFICE}">{properties}'
        f"<sheets>{listed}</sheets></workbook>"
    )
    parts["xl/styles.xml"] = _styles(formats)
    for n, sheet in enumerate(sheets, 1):
        parts[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{MAIN}" xmlns:r="{_OFFICE}">{sheet.before}'
            f"<sheetData>{sheet.rows}</sheetData>{sheet.after}</worksheet>"
        )
        if sheet.parts:
            related = [(kind, f"../{kind}{n}.xml") for kind in sheet.parts]
            parts[f"xl/worksheets/_rels/sheet{n}.xml.rels"] = _relations(related)
            parts.update({f"xl/{kind}{n}.xml": xml for kind, xml in sheet.parts.items()})
    return zipped(path, parts)


def rows_of(table: Sequence[Sequence[str | int | float | None]], first: int = 1) -> str:
    """Give the XML of rows: texts as inline strings, numbers as they are, none left out."""
    return "".join(
        f'<row r="{number}">'
        + "".join(
            cell(f"{chr(65 + column)}{number}", value)
            for column, value in enumerate(row)
            if value is not None
        )
        + "</row>"
        for number, row in enumerate(table, first)
    )


def cell(name: str, value: str | int | float, style: int = 0) -> str:
    """Give the XML of a cell."""
    if isinstance(value, str):
        return f'<c r="{name}" s="{style}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{name}" s="{style}"><v>{value}</v></c>'


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    entries = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}">{entries}</Relationships>'


def _styles(formats: Sequence[str]) -> str:
    codes = "".join(
        f'<numFmt numFmtId="{200 + n}" formatCode="{_quoted(code)}"/>'
        for n, code in enumerate(formats)
        if not code.isdigit() or len(code) > 3 or code.startswith("0")
    )
    ids = [
        int(code) if code.isdigit() and not code.startswith("0") and len(code) < 4 else 200 + n
        for n, code in enumerate(formats)
    ]
    uses = "".join(f'<xf numFmtId="{number}" fontId="0"/>' for number in [0, *ids])
    return (
        f'<styleSheet xmlns="{MAIN}"><numFmts>{codes}</numFmts>'
        f"<fonts><font/></fonts><cellXfs>{uses}</cellXfs></styleSheet>"
    )


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
