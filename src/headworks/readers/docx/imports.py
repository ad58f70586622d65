"""Documents put whole into a document (``w:altChunk``): HTML, MHTML and plain text.

Takes the embedded part's bytes, gives the builder its paragraphs and tables. Never fetches what
the HTML points to, never runs a script in it.
"""

import email
import email.policy
import re
from html.parser import HTMLParser

import msgspec

from headworks.model.document import Style
from headworks.model.place import Place
from headworks.readers.builder import DocumentBuilder
from headworks.readers.html_tables import parse_table

_TABLE = re.compile(r"<table\b|</table\s*>", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_BLOCK = re.compile("p|div|h[1-6]|li|ul|ol|dl|dt|dd|tr|section|article|blockquote|pre|hr|body")
_SILENT = frozenset({"script", "style", "head", "title", "template"})
_SPACES = re.compile(r"[ \t\r\n\f]+")


class _Line(msgspec.Struct):
    text: str = ""
    label: str = ""
    level: int | None = None
    bold: bool = True


def write_import(content: bytes, name: str, builder: DocumentBuilder, place: Place) -> bool:
    """Write an embedded document; tell whether its format is one that is read."""
    suffix = name.rpartition(".")[2].lower()
    start = content[:512].lstrip(b"\xef\xbb\xbf\r\n\t ").lower()
    if suffix in ("mht", "mhtml") or start.startswith((b"mime-version:", b"from:")):
        source = _html_of_mail(content)
    elif suffix in ("htm", "html", "xhtml") or start.startswith((b"<html", b"<!doctype html")):
        source = _decoded(content)
    elif suffix == "txt":
        for line in _decoded(content).splitlines():
            builder.paragraph(line, place)
        return True
    else:
        return False
    _write_html(source, builder, place)
    return True


def _html_of_mail(content: bytes) -> str:
    message = email.message_from_bytes(content, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            charset = part.get_content_charset()
            raw = payload if isinstance(payload, bytes) else b""
            return _decoded(raw, charset)
    return ""


def _decoded(content: bytes, charset: str | None = None) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace")
    named = _CHARSET.search(content[:2048])
    for encoding in (charset, named[1].decode("ascii") if named else None, "utf-8", "gb18030"):
        if encoding:
            try:
                return content.decode(encoding).lstrip("\ufeff")
            except (LookupError, UnicodeDecodeError):
                continue
    return content.decode("gb18030", errors="replace")


def _write_html(source: str, builder: DocumentBuilder, place: Place) -> None:
    for piece, is_table in _pieces(source):
        if is_table:
            table = parse_table(piece)
            grid = {"header_rows": table.header_rows, "merges": table.merges}
            builder.table(table.rows, place, grid=grid)
            continue
        parser = _Paragraphs()
        parser.feed(piece)
        parser.close()
        for line in parser.finish():
            style = Style(outline_level=line.level, bold=line.bold)
            builder.paragraph(line.label + line.text, place, style=style, auto=len(line.label))


def _pieces(source: str) -> list[tuple[str, bool]]:
    """Cut HTML into outermost tables and what stands between them."""
    pieces: list[tuple[str, bool]] = []
    depth = start = 0
    for match in _TABLE.finditer(source):
        if match.group()[1] != "/":
            if depth == 0:
                pieces.append((source[start : match.start()], False))
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                pieces.append((source[start : match.end()], True))
                start = match.end()
    pieces.append((source[start:], depth > 0))
    return pieces


class _Paragraphs(HTMLParser):
    """Cuts HTML without tables into lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[_Line] = []
        self._line = _Line()
        self._silent = 0
        self._bold = 0
        self._lists: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif tag == "br":
            self._line.text = self._line.text.rstrip(" ") + "\n"
        elif tag in ("b", "strong"):
            self._bold += 1
        elif _BLOCK.fullmatch(tag):
            self._end_line()
            if tag in ("ul", "ol"):
                self._lists.append(0 if tag == "ol" else None)
            elif tag == "li":
                self._line.label = self._item_label()
            elif len(tag) == 2 and tag[1].isdigit():
                self._line.level = int(tag[1])

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in ("b", "strong"):
            self._bold = max(0, self._bold - 1)
        elif _BLOCK.fullmatch(tag):
            self._end_line()
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()

    def handle_data(self, data: str) -> None:  # the name that HTMLParser calls it by
        if self._silent:
            return
        text = _SPACES.sub(" ", data)
        if not self._line.text or self._line.text[-1] in " \n":
            text = text.lstrip(" ")
        if text.strip() and not self._bold:
            self._line.bold = False
        self._line.text += text

    def finish(self) -> list[_Line]:
        """Give the lines."""
        self._end_line()
        return self._lines

    def _item_label(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "• "
        self._lists[-1] += 1
        return f"{self._lists[-1]}. "

    def _end_line(self) -> None:
        self._line.text = self._line.text.strip()
        if self._line.text:
            self._lines.append(self._line)
            self._line = _Line()
        elif not self._line.label:
            self._line = _Line()
