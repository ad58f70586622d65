"""XLS beyond its values: number formats, hidden rows and columns, comments.

Takes the bytes of the workbook stream (BIFF8), gives for each sheet the numbers and what is
hidden. Never reads strings of cells: calamine does that.
"""

import struct
from collections.abc import Iterator

import msgspec

from headworks.errors import InputError
from headworks.readers.xlsx.styles import Styles

_BOF, _EOF, _BOUNDSHEET, _FORMAT, _XF, _FONT = 0x809, 0x0A, 0x85, 0x41E, 0xE0, 0x31
_DATEMODE, _FILEPASS, _ROW, _COLINFO = 0x22, 0x2F, 0x208, 0x7D
_NUMBER, _RK, _MULRK, _FORMULA = 0x203, 0x27E, 0xBD, 0x06
_NOTE, _OBJ, _TXO, _CONTINUE = 0x1C, 0x5D, 0x1B6, 0x3C
_BOLD_WEIGHT = 600
_MAX_COLUMN = 255


class BiffNote(msgspec.Struct):
    """A comment on a cell."""

    row: int
    column: int
    author: str
    text: str


class BiffSheet(msgspec.Struct):
    """What calamine does not tell of a sheet; numbers by row and column, as stored, with style."""

    numbers: dict[tuple[int, int], tuple[str, int]]
    hidden_rows: set[int]
    hidden_columns: set[int]
    notes: list[BiffNote]
    merges: list[tuple[int, int, int, int]] = []


class BiffBook(msgspec.Struct):
    """The styles of a workbook and its sheets by name."""

    styles: Styles
    sheets: dict[str, BiffSheet]


def read_biff(stream: bytes) -> BiffBook | None:
    """Give the workbook; none where the stream is of an older version. Raises E_ENCRYPTED."""
    if len(stream) < 8 or struct.unpack_from("<HHH", stream)[::2] != (_BOF, 0x600):
        return None
    codes: dict[int, str] = {}
    fonts: list[bool] = []
    formats: list[tuple[int, int]] = []
    places: list[tuple[str, int]] = []
    date1904 = False
    for kind, body in _records(stream, 0):
        if kind == _EOF:
            break
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", body)[0]] = _string(body, 2, 2)
        elif kind == _XF:
            formats.append(struct.unpack_from("<HH", body))
        elif kind == _FONT:
            fonts.append(struct.unpack_from("<H", body, 6)[0] >= _BOLD_WEIGHT)
        elif kind == _FILEPASS:
            raise InputError("E_ENCRYPTED", "a workbook with a password")
        elif kind == _DATEMODE:
            date1904 = body[:1] == b"\x01"
        elif kind == _BOUNDSHEET:
            places.append((_string(body, 6, 1), struct.unpack_from("<I", body)[0]))
    bold = [_is_bold(fonts, font) for font, _ in formats]
    styles = Styles(codes, [code for _, code in formats], bold, date1904)
    return BiffBook(styles, {name: _sheet(stream, place) for name, place in places})


def _is_bold(fonts: list[bool], number: int) -> bool:
    place = number - 1 if number > 4 else number  # there is no font 4
    return place < len(fonts) and fonts[place]


def _sheet(stream: bytes, place: int) -> BiffSheet:
    sheet = BiffSheet({}, set(), set(), [])
    texts: dict[int, str] = {}
    waiting: list[tuple[int, int, int, str]] = []
    last_object, wants_text = 0, False
    for kind, body in _records(stream, place):
        if kind == _EOF:
            break
        if kind in (_NUMBER, _RK, _MULRK, _FORMULA):
            _take_numbers(kind, body, sheet.numbers)
        elif kind == _ROW and len(body) >= 14 and body[12] & 0x20:
            sheet.hidden_rows.add(struct.unpack_from("<H", body)[0])
        elif kind == _COLINFO and len(body) >= 10 and body[8] & 1:
            first, last = struct.unpack_from("<HH", body)
            sheet.hidden_columns.update(range(first, min(last, _MAX_COLUMN) + 1))
        elif kind == _OBJ and len(body) >= 8:
            last_object = struct.unpack_from("<H", body, 6)[0]
        elif kind == _TXO:
            wants_text = True
        elif kind == _CONTINUE and wants_text:
            texts[last_object] = _characters(body, 0, len(body))
            wants_text = False
        elif kind == _NOTE and len(body) >= 11:
            row, column, _, number = struct.unpack_from("<HHHH", body)
            waiting.append((row, column, number, _string(body, 8, 2)))
    for row, column, number, author in waiting:
        sheet.notes.append(BiffNote(row, column, author, texts.get(number, "")))
    return sheet


def _take_numbers(kind: int, body: bytes, numbers: dict[tuple[int, int], tuple[str, int]]) -> None:
    row, column, style = struct.unpack_from("<HHH", body)
    if kind == _MULRK:
        for at in range(4, len(body) - 7, 6):
            style, packed = struct.unpack_from("<HI", body, at)
            numbers[row, column] = (stored(unpacked(packed)), style)
            column += 1
    elif kind == _RK:
        numbers[row, column] = (stored(unpacked(struct.unpack_from("<I", body, 6)[0])), style)
    elif kind == _NUMBER or body[12:14] != b"\xff\xff":  # a formula may have another result
        numbers[row, column] = (stored(struct.unpack_from("<d", body, 6)[0]), style)


def unpacked(packed: int) -> float:
    """Give the number of an RK value: 30 bits of an integer or of a double, perhaps times 100."""
    if packed & 2:
        value = float((packed >> 2) - (1 << 30 if packed & 0x80000000 else 0))
    else:
        value = struct.unpack("<d", struct.pack("<Q", (packed & 0xFFFFFFFC) << 32))[0]
    return value / 100 if packed & 1 else value


def stored(value: float) -> str:
    """Give a number as files of XML have it."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _records(stream: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    while place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        body = stream[place + 4 : place + 4 + length]
        if len(body) < min(length, 6) or (length and not body):
            return
        yield kind, body
        place += 4 + length


def _string(body: bytes, at: int, width: int) -> str:
    """Give a counted string: its length in one or two bytes, then a flag, then the characters."""
    length = int.from_bytes(body[at : at + width], "little")
    return _characters(body, at + width, length)


def _characters(body: bytes, at: int, length: int) -> str:
    wide = body[at : at + 1] and body[at] & 1
    raw = body[at + 1 : at + 1 + length * (2 if wide else 1)]
    return raw.decode("utf-16-le" if wide else "latin-1", "replace")
