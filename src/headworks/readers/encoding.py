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
# The hundreds of characters that make half of any Chinese text, with the marks between them.
_COMMON = frozenset(
    "，。、；：（）“”《》？！的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动"
    "同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两"
    "体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反"
    "明看原利比或但质气第向道命此变条只没结解问意建月公无系情者最立代想已通并提直题程展五果料象员位入常文总"
    "次品式活设及管特件长求基资边流路级少图统接知较将组见计别期根论运指几九区强放决被做必先回则任取据处给即"
    "保规领七器金增济术交受联认六共权收证改更单万每目至达示议报完类八名确信节整元况需段备办列约支称准值号率"
    "选标写存查型按格置状属包调局照参该价款项货付甲乙双签违责额购标投询税票银户址编附章录测试"
)
_CHINESE = re.compile("[\u3000-\u9fff\uff01-\uffee]")
_HIGH_CHARS = re.compile("[\x80-\U0010ffff]")
_ONE_BYTE = re.compile("cp(?:4|7|8|10)\\d\\d|iso-8859|windows-12|mac|koi8|tis")
_OF_OLD_MACHINES = re.compile("cp(?:4|7|8)\\d\\d|mac")
_FEW_HIGH = 0.3
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]")
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
    wide = utf16_without_bom(raw[:_SAMPLE_BYTES])
    if wide is not None:
        return _decode_with(raw, wide)
    try:
        return Decoded(raw.decode("utf-8"), "ascii" if raw.isascii() else "utf-8")
    except UnicodeDecodeError:
        pass
    if _is_mostly_utf8(raw):
        return _decode_with(raw, "utf-8")
    return _decode_with(raw, _guess(raw))


def utf16_without_bom(head: bytes) -> str | None:
    """Give utf-16-le or utf-16-be where the bytes read as text in it, else none."""
    head = head[: len(head) // 2 * 2]
    if len(head) < 4 or _CONTROL.search(head) is None:
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
    sample = _sample(raw)
    if _reads_as_chinese(sample):
        return "gb18030"
    # Few files come here: the others need neither chardet nor its tables.
    import chardet

    named = (chardet.detect(sample)["encoding"] or "gb18030").lower()
    if _ONE_BYTE.match(named) and _is_wholly_chinese(sample):
        return "gb18030"
    if _OF_OLD_MACHINES.match(named) and len(_HIGH.findall(sample)) < _FEW_HIGH * len(sample):
        return "cp1252"  # a Latin alphabet with accents
    return _SUPERSETS.get(named, named)


def _reads_as_chinese(sample: bytes) -> bool:
    """Tell whether the bytes are GB18030 made of the characters that texts are made of.

    In Big5 or Shift-JIS bytes read as GB18030 these come up by chance only.
    """
    text = sample.decode("gb18030", "replace")
    high = _HIGH_CHARS.findall(text)
    faults = text.count("\ufffd")
    if len(high) < 2 or faults > max(2, 0.02 * len(high)):
        return False
    common = sum(1 for char in high if char in _COMMON)
    return common >= (0.3 if not faults else 0.5) * (len(high) - faults)


def _is_wholly_chinese(sample: bytes) -> bool:
    """Tell whether all high bytes pair up to Chinese characters, as those of no alphabet do.

    A list of names may have none of the characters that texts are made of.
    """
    text = sample.decode("gb18030", "replace").rstrip("\ufffd")
    high = _HIGH_CHARS.findall(text)
    return len(high) > 1 and all(map(_CHINESE.match, high))


def _sample(raw: bytes) -> bytes:
    """Give the lines that hold high bytes, from anywhere in the file: the head may be ASCII."""
    first = _HIGH.search(raw)
    if first is None or len(raw) <= _SAMPLE_BYTES:
        return raw
    start = max(0, raw.rfind(b"\n", 0, first.start()) + 1, first.start() - _FIRST_LINES_BYTES)
    return raw[start : start + _SAMPLE_BYTES]
