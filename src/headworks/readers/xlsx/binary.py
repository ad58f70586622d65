"""XLSB beyond its values: number formats, hidden rows and columns, merged cells, comments.

Takes the package of a binary workbook (BIFF12), gives the same of each sheet as for XLS. Never
reads strings of cells: calamine does that.
"""

import posixpath
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from lxml import etree

from headworks.readers.xlsx.biff import BiffBook, BiffNote, BiffSheet, stored, unpacked
from headworks.readers.xlsx.styles import Styles
from headworks.readers.xlsx.workbook import refuse_document_type

_ROW, _RK, _REAL, _FORMULA_NUMBER = 0, 2, 5, 9
_FONT, _FORMAT, _XF, _COLUMNS, _MERGE = 43, 44, 47, 60, 176
_WORKBOOK, _SHEET = 153, 156
_BEGIN_XFS, _END_XFS = 617, 618
_AUTHOR, _COMMENT, _COMMENT_TEXT = 632, 635, 637
_HIDDEN_ROW = 0x10
_BOLD_WEIGHT = 600
_MAX_COLUMN = 16_383
_MAIN = "xl/workbook.bin"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)


_Part = Callable[[str], bytes]


class _Place(msgspec.Struct, frozen=True):
    name: str
    relation: str


def read_binary(path: Path) -> BiffBook | None:
    """Give what the parts of a package tell beside the values; none where it has no such parts."""
    with zipfile.ZipFile(path) as package:
        names = {name.lower(): name for name in package.namelist()}

        def part(name: str) -> bytes:
            found = names.get(name.lower())
            return package.read(found) if found is not None else b""

        main = part(_MAIN)
        if not main:
            return None
        places, date1904 = _sheets(main)
        links = _links(part, _MAIN)
        styles = _styles(part(_target(links, "styles") or "xl/styles.bin"), date1904)
        book = BiffBook(styles, {})
        for place in places:
            target = links.get(place.relation, ("", ""))[1]
            sheet = book.sheets[place.name] = _sheet(part(target))
            comments = _target(_links(part, target), "comments")
            if comments:
                sheet.notes.extend(_notes(part(comments)))
        return book


def _sheets(main: bytes) -> tuple[list[_Place], bool]:
    places, date1904 = [], False
    for kind, body in _records(main):
        if kind == _WORKBOOK and body:
            date1904 = bool(body[0] & 1)
        elif kind == _SHEET and len(body) > 12:
            relation, at = _string(body, 8)
            name, _ = _string(body, at)
            places.append(_Place(name, relation))
    return places, date1904


def _styles(content: bytes, date1904: bool) -> Styles:
    codes: dict[int, str] = {}
    fonts: list[bool] = []
    formats: list[int] = []
    bold: list[bool] = []
    of_cells = False
    for kind, body in _records(content):
        if kind == _FORMAT and len(body) > 6:
            codes[int.from_bytes(body[:2], "little")] = _string(body, 2)[0]
        elif kind == _FONT and len(body) >= 6:
            fonts.append(int.from_bytes(body[4:6], "little") >= _BOLD_WEIGHT)
        elif kind in (_BEGIN_XFS, _END_XFS):
            of_cells = kind == _BEGIN_XFS
        elif kind == _XF and of_cells and len(body) >= 6:
            _, number, font = struct.unpack_from("<HHH", body)
            formats.append(number)
            bold.append(font < len(fonts) and fonts[font])
    return Styles(codes, formats, bold, date1904)


def _sheet(content: bytes) -> BiffSheet:
    sheet = BiffSheet({}, set(), set(), [])
    row = 0
    for kind, body in _records(content):
        if kind == _ROW and len(body) >= 12:
            row = int.from_bytes(body[:4], "little")
            if body[11] & _HIDDEN_ROW:
                sheet.hidden_rows.add(row)
        elif kind in (_RK, _REAL, _FORMULA_NUMBER) and len(body) >= 12:
            column, look = struct.unpack_from("<II", body)
            if kind == _RK:
                value = unpacked(struct.unpack_from("<I", body, 8)[0])
            elif len(body) >= 16:
                value = struct.unpack_from("<d", body, 8)[0]
            else:
                continue
            sheet.numbers[row, column] = (stored(value), look & 0xFFFFFF)
        elif kind == _COLUMNS and len(body) >= 18 and body[16] & 1:
            first, last = struct.unpack_from("<II", body)
            sheet.hidden_columns.update(range(first, min(last, _MAX_COLUMN) + 1))
        elif kind == _MERGE and len(body) >= 16:
            top, bottom, left, right = struct.unpack_from("<IIII", body)
            sheet.merges.append((top, left, bottom, right))
    return sheet


def _notes(content: bytes) -> Iterator[BiffNote]:
    authors: list[str] = []
    place: tuple[int, int, int] | None = None
    for kind, body in _records(content):
        if kind == _AUTHOR:
            authors.append(_string(body, 0)[0])
        elif kind == _COMMENT and len(body) >= 20:
            author, row, _, column = struct.unpack_from("<IIII", body)
            place = (row, column, author)
        elif kind == _COMMENT_TEXT and place is not None:
            row, column, author = place
            name = authors[author] if author < len(authors) else ""
            yield BiffNote(row, column, name, _string(body, 1)[0])
            place = None


def _links(part: _Part, name: str) -> dict[str, tuple[str, str]]:
    """Give kind and target of each relation of a part by its id."""
    folder, bare = posixpath.split(name)
    raw = part(f"{folder}/_rels/{bare}.rels")
    if not raw:
        return {}
    refuse_document_type(raw[:4096])
    found = {}
    for entry in etree.fromstring(raw, _PARSER).iterfind("{*}Relationship"):
        target = entry.get("Target") or ""
        full = target[1:] if target.startswith("/") else posixpath.join(folder, target)
        kind = (entry.get("Type") or "").rpartition("/")[2]
        found[entry.get("Id") or ""] = (kind, posixpath.normpath(full))
    return found


def _target(links: dict[str, tuple[str, str]], kind: str) -> str:
    return next((target for name, target in links.values() if name == kind), "")


def _records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Give kind and body of each record: both kind and length are numbers of seven bits a byte."""
    at, end = 0, len(content)
    while at < end:
        kind = content[at]
        at += 1
        if kind & 0x80 and at < end:
            kind = kind & 0x7F | (content[at] & 0x7F) << 7
            at += 1
        length = shift = 0
        while at < end and shift < 28:
            byte = content[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, content[at : at + length]
        at += length


def _string(body: bytes, at: int) -> tuple[str, int]:
    """Give a counted string and where it ends; an absent one counts 0xFFFFFFFF."""
    count = int.from_bytes(body[at : at + 4], "little")
    if count == 0xFFFFFFFF:
        return "", at + 4
    end = min(at + 4 + 2 * count, len(body))
    return body[at + 4 : end].decode("utf-16-le", "replace"), end
