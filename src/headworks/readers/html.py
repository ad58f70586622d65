"""HTML files: their headings, paragraphs, lists and tables, without a single tag.

Takes an HTML file in any encoding, gives blocks in reading order. Never loads what a page points
to, never runs a script, and keeps hidden text apart from what is seen.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from lxml import etree

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Align, BlockKind, Document, Role, Source, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.encoding import Decoded, decode
from headworks.readers.html_tables import parse_table
from headworks.readers.text import note_encoding

PART = "html"
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
})  # fmt: skip
_SILENT = frozenset({"head", "script", "style", "template", "noscript", "iframe", "object", "svg"})
_FIELDS = frozenset({"input", "select"})
_UNSEEN = frozenset({"hidden", "password", "file", "image"})
_BOLD = frozenset({"b", "strong", "th"})
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.I)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_CENTRED = re.compile(r"text-align\s*:\s*center", re.I)
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_MAX_DEPTH = 400


class _Look(msgspec.Struct, frozen=True):
    """What an element hands down to the text in it."""

    role: Role = "body"
    kind: BlockKind = "paragraph"
    align: Align | None = None
    level: int | None = None
    list_level: int | None = None
    bold: bool = False
    verbatim: bool = False


def read_html(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read an HTML file."""
    builder = DocumentBuilder(source)
    decoded = _decoded(path.read_bytes())
    note_encoding(decoded, builder)
    write_html(decoded.text, builder)
    return builder.finish()


def write_html(source: str, builder: DocumentBuilder) -> None:
    """Write a page's blocks; its title goes into the metadata where none is there."""
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, huge_tree=True
    )
    try:
        root = etree.fromstring(source.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as fault:
        raise InputError("E_CORRUPT", "no HTML element") from fault
    if root is None:
        raise InputError("E_EMPTY", "nothing but white space")
    if any("depth" in entry.message for entry in parser.error_log):
        builder.lost(unread_parts=("what nests deeper than the parser bears",))
        builder.problem("W_PART", "elements nest too deep: what follows was not read")
    title = root.findtext(".//title")
    if title and title.strip() and builder.metadata.title is None:
        shown = _SPACE.sub(" ", title).strip()
        builder.metadata = msgspec.structs.replace(builder.metadata, title=shown)
    _Page(builder).walk(root, _Look(), 0)


def _decoded(raw: bytes) -> Decoded:
    """Give the text: by the charset the page declares where its bytes agree, else as any text."""
    declared = _CHARSET.search(raw[:4096])
    if declared is None or raw[:3] == b"\xef\xbb\xbf" or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return decode(raw)
    name = declared[1].decode().lower()
    try:
        name = codecs.lookup("gb18030" if name in ("gb2312", "gbk") else name).name
        return Decoded(raw.decode(name), name)
    except (LookupError, UnicodeDecodeError):
        return decode(raw)


def _filled_in(field: etree._Element, tag: str) -> str:
    """Give what a field of a form shows: its value, the choice that is made, a tick."""
    if tag == "select":
        choices = list(field.iter("option"))
        made = [choice for choice in choices if choice.get("selected") is not None] or choices[:1]
        return " ".join("".join(map(str, choice.itertext())).strip() for choice in made)
    kind = (field.get("type") or "text").lower()
    if kind in ("checkbox", "radio"):
        return "☑" if field.get("checked") is not None else "☐"
    return "" if kind in _UNSEEN else field.get("value") or ""


class _Page:
    """The walk over a page: inline text is gathered until a block begins or ends."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._runs: list[tuple[str, bool]] = []
        self._look = _Look()
        self._line = 0
        self._marker = ""

    def walk(self, element: etree._Element, look: _Look, depth: int) -> None:
        """Take an element with all that is in it, but not its tail."""
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in _SILENT:
            return
        if depth > _MAX_DEPTH:  # deeper than anybody writes by hand: the words without their shape
            self._text("".join(map(str, element.itertext())), look)
            return
        if tag == "br":
            self._runs.append(("\n", False))
            return
        if tag == "img":
            self._text(element.get("alt") or "", look)
            return
        if tag in _FIELDS:
            self._text(_filled_in(element, tag), look)
            return
        inner = _handed_down(element, tag, look)
        block = tag in _BLOCKS
        if block:
            self._flush()
            self._look, self._line = inner, _line_of(element)
        if tag == "table" and not _is_layout(element):
            self._table(element, inner)
        elif tag in ("ol", "ul"):
            self._list(element, inner, depth)
        else:
            self._inside(element, inner, depth)
        if block:
            self._flush()
            self._look = look

    def _inside(self, element: etree._Element, look: _Look, depth: int) -> None:
        self._text(element.text or "", look)
        for child in element:
            self.walk(child, look, depth + 1)
            self._text(child.tail or "", look)

    def _list(self, element: etree._Element, look: _Look, depth: int) -> None:
        start = element.get("start") or "1"
        number = int(start) if start.isdecimal() and len(start) < 7 else 1
        for child in element:
            if child.tag == "li":
                self._flush()
                self._marker = f"{number}. " if element.tag == "ol" else ""
                number += 1
            self.walk(child, look, depth + 1)

    def _text(self, text: str, look: _Look) -> None:
        if text:
            shown = text if look.verbatim else _SPACE.sub(" ", text)
            self._runs.append((shown, look.bold))

    def _table(self, element: etree._Element, look: _Look) -> None:
        source = etree.tostring(element, method="html", encoding="unicode", with_tail=False)
        table = parse_table(source)
        place = PartPlace(PART, self._line)
        if table.caption:
            self._builder.paragraph(table.caption, place, kind="caption", role=look.role)
        grid = {"header_rows": table.header_rows, "merges": table.merges}
        self._builder.table(table.rows, place, grid=grid, role=look.role)

    def _flush(self) -> None:
        """Put the gathered text into the document as a block."""
        runs, self._runs = self._runs, []
        if not any(text.strip() for text, _ in runs):
            return
        marker, self._marker = self._marker, ""
        look, place = self._look, PartPlace(PART, self._line)
        text, lead, whole = _joined(runs, look.verbatim)
        style = Style(
            name=f"heading {look.level}" if look.level else None,
            bold=whole or look.level is not None,
            align=look.align,
            outline_level=look.level,
            list_level=look.list_level,
        )
        self._builder.paragraph(
            marker + text,
            place,
            kind=look.kind,
            style=style,
            role=look.role,
            auto=len(marker),
            lead_bold=0 if whole or not lead else len(marker) + lead,
        )


def _line_of(element: etree._Element) -> int:
    line: Any = element.sourceline
    return int(line or 0)


def _handed_down(element: etree._Element, tag: str, look: _Look) -> _Look:
    css = element.get("style") or ""
    changes: dict[str, object] = {}
    if element.get("hidden") is not None or _HIDDEN.search(css):
        changes["role"] = "hidden_text"
    if tag == "center" or (element.get("align") or "").lower() == "center" or _CENTRED.search(css):
        changes["align"] = "center"
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
        changes["level"] = int(tag[1])
    if tag in ("ol", "ul"):
        changes["list_level"] = 0 if look.list_level is None else look.list_level + 1
    if tag in _BOLD or _BOLD_STYLE.search(css):
        changes["bold"] = True
    if tag == "blockquote":
        changes["kind"] = "quote"
    if tag == "pre":
        changes.update(kind="code", verbatim=True)
    return msgspec.structs.replace(look, **changes) if changes else look


def _is_layout(table: etree._Element) -> bool:
    """Tell whether a table only places things: one that holds tables or headings, or one cell."""
    if table.find(".//table") is not None or next(table.iter("h1", "h2", "h3"), None) is not None:
        return True
    return sum(1 for _ in table.iter("td", "th")) <= 1


def _joined(runs: list[tuple[str, bool]], verbatim: bool) -> tuple[str, int, bool]:
    """Give the text of runs, the length of its bold beginning, and whether all of it is bold."""
    if verbatim:
        return "".join(text for text, _ in runs).strip("\n"), 0, False
    text, lead = "", 0
    all_bold = True
    for piece, bold in _tidied(runs):
        if bold and lead == len(text):
            lead = len(text) + len(piece.rstrip())
        elif piece.strip():
            all_bold = all_bold and bold
        text += piece
    text = text.rstrip()
    return text, lead, all_bold and lead >= len(text)


def _tidied(runs: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Give the runs without blanks at the beginning, doubled, or beside a line end."""
    last = "\n"
    for text, bold in runs:
        piece = text.lstrip(" ") if last in " \n" else text
        if piece:
            last = piece[-1]
            yield piece, bold
