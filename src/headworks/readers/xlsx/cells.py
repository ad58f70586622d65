"""A sheet's XML as rows of cells, streamed.

Takes a sheet part's stream, gives each row's tag and its cells that hold something, as tuples of
strings. Never builds a tree; XML written in an unusual way goes through expat, the rest through one
regular expression that accounts for each cell.
"""

import contextlib
import re
from collections.abc import Iterator
from typing import IO
from xml.parsers import expat

import msgspec

from headworks.errors import InputError
from headworks.readers.xlsx.uniform import Alike, Uniformity, UniformRows

# Most sheets hold nothing but values and plain strings: fewer groups take less time.
_PLAIN_CELL = re.compile(
    r'<c r="([A-Z]+)[0-9]+"([^>/]*)>(?:(?:<v>|<is><t>)([^<]*)</(?:v|t></is)>)?</c>'
)
_CELL = re.compile(
    r'<c r="([A-Z]+)[0-9]+"([^>/]*)>'
    r"(?:(?:(<f(?: [^>]*)?(?:/>|>[^<]*</f>))?<v>|<is><t>)([^<]*)</(?:v|t></is)></c>|(.*?)</c>)",
    re.S,
)
_ROOT = re.compile(rb"<(\w+:)?worksheet[\s>]")
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding=[\"']([^\"']+)")
_HOLDING = re.compile("</c>")
_ROW = re.compile("(<row [^>]*)>")
_VALUE = re.compile(r"<v(?: [^>]*)?>([^<]*)</v>")
_FORMULA = re.compile(r"<f(?: [^>]*)?(?:/>|>([^<]*)</f>)")
_TEXT = re.compile(r"<t(?: [^>]*)?>([^<]*)</t>")
_PHONETIC = re.compile(r"<rPh\b.*?</rPh>", re.S)
_CHUNK_BYTES = 1 << 19
_MOST_HEAD_CHARS = 1 << 24


class Stretch(msgspec.Struct):
    """Some thousand cells of rows one after the other, as columns of strings.

    ``tags`` and ``counts`` go by row: its tag, and how many cells it has here. The others go by
    cell: column letters, the other attributes, value; formula element and anything else inside,
    none where no cell has one.
    """

    tags: list[str]
    counts: list[int]
    letters: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    formulas: tuple[str, ...] | None = None
    contents: tuple[str, ...] | None = None

    def cell_count(self) -> int:
        """Count the cells."""
        return len(self.letters)


class SheetEnds(msgspec.Struct):
    """What stands before and after the rows: columns, merged cells, filter, drawings."""

    head: str = ""
    tail: str = ""


class IrregularError(Exception):
    """The sheet's XML is not written the usual way: it needs the slow reading."""


def fast_stretches(
    stream: IO[bytes], ends: SheetEnds, alike: Alike
) -> Iterator[Stretch | UniformRows]:
    """Give the rows that hold something, some at a time; fill in ``ends``.

    ``alike`` tells which cell attributes show the same way. Raises IrregularError.
    """
    uniformity = Uniformity(alike)
    for segment in _segments(stream, ends):
        if _HOLDING.search(segment) is None:  # empty cells alone
            continue
        # A comment or a CDATA section: nothing that the pattern knows. One character is found fast.
        if "!" in segment and "<!" in segment:
            raise IrregularError
        for rows in uniformity.split(segment) or (segment,):
            stretch = rows if isinstance(rows, UniformRows) else _cell_by_cell(rows)
            if stretch is not None:
                yield stretch


def _cell_by_cell(segment: str) -> Stretch | None:
    pieces = segment.split("</row>")
    counts = [piece.count("</c>") for piece in pieces]
    cells = _PLAIN_CELL.findall(segment)
    plain = len(cells) == sum(counts)
    if not plain:
        cells = _CELL.findall(segment)
        if len(cells) != sum(counts):
            raise IrregularError
    filled = [count for count in counts if count]
    if not filled:
        return None
    tags = _ROW.findall(segment)
    if len(tags) != len(filled):
        tags = [_last_tag(piece) for piece, n in zip(pieces, counts, strict=True) if n]
    return _stretch(tags, filled, cells, plain)


def _stretch(
    tags: list[str], counts: list[int], cells: list[tuple[str, ...]], plain: bool
) -> Stretch:
    if plain:
        letters, attributes, values = zip(*cells, strict=True)
        return Stretch(tags, counts, letters, attributes, values)
    letters, attributes, formulas, values, contents = zip(*cells, strict=True)
    return Stretch(tags, counts, letters, attributes, values, formulas, contents)


def _last_tag(piece: str) -> str:
    start = piece.rfind("<row")
    return piece[start : piece.find(">", start)]


def _segments(stream: IO[bytes], ends: SheetEnds) -> Iterator[str]:
    """Give the sheet's rows in stretches that end between rows, names without their prefix."""
    raw = stream.read(_CHUNK_BYTES)
    prefix = _prefix(raw)
    opening, closing = b"<%ssheetData" % prefix, b"</%ssheetData>" % prefix
    row_end = b"</%srow>" % prefix
    start = raw.find(opening)
    while start < 0 and len(raw) < _MOST_HEAD_CHARS and (more := stream.read(_CHUNK_BYTES)):
        raw += more
        start = raw.find(opening)
    if start < 0 or b"<!DOCTYPE" in raw[:start]:
        raise IrregularError
    try:
        ends.head = _plain(raw[:start], prefix)
        raw = raw[start:]
        while True:
            end = raw.find(closing)
            if end >= 0:
                yield _plain(raw[:end], prefix)
                ends.tail = _plain(raw[end:] + stream.read(), prefix)
                return
            cut = raw.rfind(row_end)
            if cut >= 0:
                yield _plain(raw[: cut + len(row_end)], prefix)
                raw = raw[cut + len(row_end) :]
            more = stream.read(_CHUNK_BYTES)
            if not more:
                break
            raw += more
    except UnicodeDecodeError as fault:
        raise IrregularError from fault
    if not raw.startswith(opening + b"/>"):
        raise IrregularError
    ends.tail = _plain(raw, prefix)


def _prefix(head: bytes) -> bytes:
    """Give the prefix of the sheet's names, such as ``x:``. Raises IrregularError: not UTF-8."""
    declared = _DECLARED.search(head[:200])
    if declared is not None and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        raise IrregularError
    found = _ROOT.search(head)
    if found is None:
        raise IrregularError
    return found[1] or b""


def _plain(raw: bytes, prefix: bytes) -> str:
    if prefix:
        raw = raw.replace(b"<" + prefix, b"<").replace(b"</" + prefix, b"</")
    return raw.decode("utf-8")


def split_content(content: str) -> tuple[str, str | None, str | None]:
    """Give a cell's formula element, its value and its inline text from what stands in it."""
    formula = _FORMULA.search(content)
    value = _VALUE.search(content)
    inline = "".join(_TEXT.findall(_PHONETIC.sub("", content))) if "<is" in content else None
    return (formula[0] if formula else ""), (value[1] if value else None), inline


def formula_text(element: str) -> str:
    """Give the text of a formula element; empty for a follower of a shared formula."""
    found = _FORMULA.match(element)
    return (found[1] or "") if found else ""


def slow_stretches(stream: IO[bytes], ends: SheetEnds) -> Iterator[Stretch]:
    """Give the same rows from any well-formed XML. Raises E_CORRUPT where it is not."""
    reading = _SlowReading(ends)
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            reading.feed(chunk, False)
            if reading.tags:
                yield reading.take()
        reading.feed(b"", True)
    except expat.ExpatError as fault:
        raise InputError("E_CORRUPT", "a sheet is not well-formed") from fault
    if reading.tags:
        yield reading.take()


def damaged_stretches(stream: IO[bytes], ends: SheetEnds) -> Iterator[Stretch]:
    """Give the rows of a damaged sheet, up to where its XML breaks."""
    reading = _SlowReading(ends)
    with contextlib.suppress(expat.ExpatError):
        while chunk := stream.read(_CHUNK_BYTES):
            reading.feed(chunk, False)
    if reading.tags:
        yield reading.take()


class _SlowReading:
    """Expat's events put together to the same strings that the fast way finds."""

    def __init__(self, ends: SheetEnds) -> None:
        self._ends = ends
        self.tags: list[str] = []
        self._counts: list[int] = []
        self._cells: list[tuple[str, ...]] = []
        self._tag = ""
        self._column = 0
        self._cell: dict[str, str] = {}
        self._texts: dict[str, list[str]] = {}
        self._into: list[str] | None = None
        self._inside, self._phonetic = False, False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, chunk: bytes, last: bool) -> None:
        self._parser.Parse(chunk, last)

    def take(self) -> Stretch:
        """Give the rows since the last time; those of a row that has begun wait for its end."""
        done = sum(self._counts)
        stretch = _stretch(self.tags, self._counts, self._cells[:done], False)
        self.tags, self._counts, self._cells = [], [], self._cells[done:]
        return stretch

    def _refuse(self, *_: object) -> None:
        raise InputError("E_CORRUPT", "a part declares a document type")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "row":
            self._tag, self._column = _tag_text("row", attributes), 0
        elif local == "c":
            self._cell, self._texts = attributes, {}
            letters = attributes.get("r", "").rstrip("0123456789")
            self._column = column_number(letters) if letters else self._column
        elif local in ("v", "f", "t") and not self._phonetic:
            self._into = self._texts.setdefault(local, [])
        elif local == "rPh":
            self._phonetic = True
        elif local == "sheetData":
            self._inside = True
        elif not self._inside:
            self._ends.head += _tag_text(local, attributes) + "/>"
        else:
            self._ends.tail += _tag_text(local, attributes) + "/>"

    def _end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if local == "row":
            count = len(self._cells) - sum(self._counts)
            if count:
                self.tags.append(self._tag)
                self._counts.append(count)
        elif local == "c":
            self._end_cell()
        elif local in ("v", "f", "t"):
            self._into = None
        elif local == "rPh":
            self._phonetic = False

    def _end_cell(self) -> None:
        texts = {kind: _escaped("".join(parts)) for kind, parts in self._texts.items()}
        if texts:
            kind = self._cell.get("t", "n")
            attributes = f' s="{self._cell.get("s", "0")}" t="{"str" if "t" in texts else kind}"'
            formula = f"<f>{texts['f']}</f>" if "f" in texts else ""
            value = texts.get("t", texts.get("v"))
            letters = column_letters(self._column)
            rest = formula if value is None else ""
            shown = formula if value is not None else ""
            self._cells.append((letters, attributes, shown, value or "", rest))
        self._column += 1

    def _characters(self, text: str) -> None:
        if self._into is not None:
            self._into.append(text)


def column_number(letters: str) -> int:
    """Give a column's number from 0: ``AB`` is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(number: int) -> str:
    """Give a column's letters: 27 is ``AB``."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _tag_text(name: str, attributes: dict[str, str]) -> str:
    shown = "".join(f' {key.rpartition(":")[2]}="{value}"' for key, value in attributes.items())
    return f"<{name}{shown}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
