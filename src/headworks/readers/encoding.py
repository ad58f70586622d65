"""From bytes to text: which encoding, and which bytes do not decode.

Takes raw bytes, gives text, the encoding's name and the offsets of undecodable bytes. Never falls
back to Latin-1: a byte that has no meaning becomes U+FFFD and is reported.
"""

import re

import msgspec

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# What chardet may name, and the superset that Python decodes it with.
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "hz-gb-2312": "hz",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "ascii": "utf-8",
    "utf-8-sig": "utf-8",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
}
_SAMPLE_BYTES = 65_536
_FIRST_LINES_BYTES = 200
_MAX_FAULTS = 20
_WIDE = re.compile("[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef\u0020-\u007e\r\n\t\u2010-\u203a]")
_MARKS = "，。、；：（）“”《》"
_HIGH = re.compile(rb"[\x80-\xff]")


class Decoded(msgspec.Struct, frozen=True):
    """A text, the encoding it was read with, and the byte offsets that did not decode.

    ``faults`` holds the first of them; ``fault_count`` counts all.
    """

    text: str
    encoding: str
    faults: tuple[int, ...] = ()
    fault_count: int = 0


def decode(raw: bytes) -> Decoded:
    """Give the text: by BOM, then UTF-8, UTF-16 by its look, then what chardet finds."""
    for mark, name in _BOMS:
        if raw.startswith(mark):
            return _decode_with(raw, name, skip=len(mark))
    try:
        return Decoded(raw.decode("utf-8"), "ascii" if raw.isascii() else "utf-8")
    except UnicodeDecodeError:
        pass
    wide = utf16_without_bom(raw[:_SAMPLE_BYTES])
    if wide is not None:
        return _decode_with(raw, wide)
    if _is_mostly_utf8(raw):
        return _decode_with(raw, "utf-8")
    return _decode_with(raw, _guess(raw))


def utf16_without_bom(head: bytes) -> str | None:
    """Give utf-16-le or utf-16-be where the bytes read as text in it, else none."""
    head = head[: len(head) // 2 * 2]
    if len(head) < 4 or b"\x00" not in head:
        return None
    best, best_share = None, 0.9
    for name in ("utf-16-le", "utf-16-be"):
        text = head.decode(name, "replace")
        share = len(_WIDE.findall(text)) / len(text)
        if share > best_share:
            best, best_share = name, share
    return best


def _decode_with(raw: bytes, name: str, skip: int = 0) -> Decoded:
    body = raw[skip:]
    try:
        return Decoded(body.decode(name), name)
    except UnicodeDecodeError:
        pass
    pieces: list[str] = []
    faults: list[int] = []
    count, start = 0, 0
    while start < len(body):
        try:
            pieces.append(body[start:].decode(name))
            break
        except UnicodeDecodeError as fault:
            pieces.append(body[start : start + fault.start].decode(name))
            pieces.append("\ufffd")
            if len(faults) < _MAX_FAULTS:
                faults.append(skip + start + fault.start)
            count += 1
            start += max(fault.end, fault.start + 1)
            if count > 1000:  # not text in this encoding; the rest is not worth single steps
                rest = body[start:].decode(name, "replace")
                pieces.append(rest)
                count += rest.count("\ufffd")
                break
    return Decoded("".join(pieces), name, tuple(faults), count)


def _is_mostly_utf8(raw: bytes) -> bool:
    """Tell whether this is UTF-8 with a few damaged bytes: a wrong guess would spoil all of it."""
    high = len(_HIGH.findall(raw[:_SAMPLE_BYTES]))
    bad = raw[:_SAMPLE_BYTES].decode("utf-8", "ignore")
    kept = sum(len(char.encode()) for char in bad if char > "\x7f")
    return high > 0 and kept / high > 0.95


def _guess(raw: bytes) -> str:
    # Most files are UTF-8: they need neither chardet nor its tables.
    import chardet

    sample = _sample(raw)
    named = (chardet.detect(sample)["encoding"] or "gb18030").lower()
    name = _SUPERSETS.get(named, named)
    if name in ("gb18030", "big5hkscs"):
        return name
    # A Western or other guess on bytes that are whole, common Chinese: the office files of this
    # field are Chinese, and chardet needs more than a few characters to know.
    try:
        text = sample.decode("gb18030")
    except UnicodeDecodeError as fault:
        if fault.start < len(sample) - 4:
            return name
        text = sample[: fault.start].decode("gb18030")
    high = [char for char in text if char > "\x7f"]
    common = sum(
        1 for char in high if "\u4e00" <= char <= "\u9fff" or char in "，。、；：（）“”《》"
    )
    return "gb18030" if high and common / len(high) > 0.9 else name


def _sample(raw: bytes) -> bytes:
    """Give the lines that hold high bytes, from anywhere in the file: the head may be ASCII."""
    first = _HIGH.search(raw)
    if first is None or len(raw) <= _SAMPLE_BYTES:
        return raw
    start = max(0, raw.rfind(b"\n", 0, first.start()) + 1, first.start() - _FIRST_LINES_BYTES)
    return raw[start : start + _SAMPLE_BYTES]
