"""Builds small DOCX files from XML by hand, so that a test says exactly what is in the file.

Takes fragments of WordprocessingML, gives the file's path. Never uses an office library: those
write only what they know.
"""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
NAMESPACES = (
    f'xmlns:w="{_W}" xmlns:r="{_OFFICE}/relationships" xmlns:m="{_OFFICE}/math" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def run(text: str, properties: str = "") -> str:
    """Give a run; a tab in the text becomes ``w:tab``, a line end ``w:br``."""
    inner = "".join(
        "<w:tab/>" if piece == "\t" else "<w:br/>" if piece == "\n" else _text(piece)
        for piece in _pieces(text)
    )
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}{inner}</w:r>"


def para(
    *content: str, num: tuple[int, int] | None = None, style: str = "", props: str = ""
) -> str:
    """Give a paragraph. Plain strings become runs, XML stays as it is."""
    inside = f'<w:pStyle w:val="{style}"/>' if style else ""
    if num is not None:
        inside += f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>'
    inside += props
    head = f"<w:pPr>{inside}</w:pPr>" if inside else ""
    return f"<w:p>{head}{''.join(c if c.startswith('<') else run(c) for c in content if c)}</w:p>"


def level(index: int, number_format: str, text: str, more: str = "", start: int = 1) -> str:
    """Give a ``w:lvl``; ``more`` stands after the text (suff, isLgl, rPr …)."""
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{number_format}"/>'
        f'{more}<w:lvlText w:val="{escape(text)}"/></w:lvl>'
    )


def abstract(abstract_id: int, *levels: str) -> str:
    """Give a ``w:abstractNum``."""
    return f'<w:abstractNum w:abstractNumId="{abstract_id}">{"".join(levels)}</w:abstractNum>'


def num(num_id: int, abstract_id: int, overrides: str = "") -> str:
    """Give a ``w:num``."""
    return f'<w:num w:numId="{num_id}"><w:abstractNumId w:val="{abstract_id}"/>{overrides}</w:num>'


def cell(*content: str, props: str = "") -> str:
    """Give a ``w:tc``; plain strings become paragraphs."""
    inner = "".join(c if c.startswith("<") else para(c) for c in content) or para()
    return f"<w:tc><w:tcPr>{props}</w:tcPr>{inner}</w:tc>"


def row(*cells: str, props: str = "") -> str:
    """Give a ``w:tr``; plain strings become cells."""
    inner = "".join(c if c.startswith("<w:tc>") else cell(c) for c in cells)
    return f"<w:tr>{f'<w:trPr>{props}</w:trPr>' if props else ''}{inner}</w:tr>"


def table(*rows: str | Sequence[str]) -> str:
    """Give a ``w:tbl``; a sequence of strings becomes a row."""
    return f"<w:tbl>{''.join(r if isinstance(r, str) else row(*r) for r in rows)}</w:tbl>"


def field(instruction: str, *result: str) -> str:
    """Give a complex field with its stored result."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {escape(instruction)} </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f"{''.join(r if r.startswith('<') else run(r) for r in result)}"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def build(
    path: Path,
    body: str,
    *,
    styles: str = "",
    numbering: str = "",
    parts: Mapping[str, str | bytes] | None = None,
    relations: Mapping[str, tuple[str, str]] | None = None,
) -> Path:
    """Write a document.

    ``parts`` are further parts by name (below ``word/`` where no folder is given), XML without
    its declaration, ``relations`` the main part's relationships: id -> (kind, target).
    """
    links = dict(relations or {})
    content: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations({"rId1": ("officeDocument", "word/document.xml")}),
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
    }
    if styles:
        content["word/styles.xml"] = f"<w:styles {NAMESPACES}>{styles}</w:styles>"
        links["rIdStyles"] = ("styles", "styles.xml")
    if numbering:
        content["word/numbering.xml"] = f"<w:numbering {NAMESPACES}>{numbering}</w:numbering>"
        links["rIdNumbering"] = ("numbering", "numbering.xml")
    for name, part in (parts or {}).items():
        content[name if "/" in name else f"word/{name}"] = part
    content["word/_rels/document.xml.rels"] = _relations(links)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in content.items():
            package.writestr(name, part if isinstance(part, bytes) else _HEAD + part)
    return path


def part(root: str, inner: str) -> str:
    """Give a part with a root of the main namespace: ``part("hdr", para("机密"))``."""
    return f"<w:{root} {NAMESPACES}>{inner}</w:{root}>"


def _content_types() -> str:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{main}.{kind}+xml"/>'
        for name, kind in (
            ("document", "document.main"),
            ("styles", "styles"),
            ("numbering", "numbering"),
            ("comments", "comments"),
            ("footnotes", "footnotes"),
        )
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def _relations(links: Mapping[str, tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/relationships/{kind}" Target="{target}"/>'
        for name, (kind, target) in links.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


def _pieces(text: str) -> list[str]:
    pieces, current = [], ""
    for character in text:
        if character in "\t\n":
            pieces += [current, character] if current else [character]
            current = ""
        else:
            current += character
    return pieces + ([current] if current else [])


def _text(text: str) -> str:
    return f'<w:t xml:space="preserve">{escape(text)}</w:t>'
