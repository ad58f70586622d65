"""Words of mail headers: encoded words, raw bytes and their character sets.

Takes a header's text as the parser left it, gives what a person reads. Never raises: what does not
decode stays as it is.
"""

import base64
import binascii
import codecs
import quopri
import re

from headworks.readers.encoding import decode

_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?]*)?\?([bqBQ])\?([^?]*)\?=")
_BETWEEN = re.compile(r"\s*")
_FOLD = re.compile(r"\r?\n[ \t]*")


def header_text(value: str) -> str:
    """Give a header's words. Characters cut apart between two encoded words are whole again."""
    value = _FOLD.sub(" ", value)
    pieces: list[str] = []
    waiting, charset, at = b"", "", 0
    for match in _WORD.finditer(value):
        between = value[at : match.start()]
        word = _word_bytes(match[2], match[3])
        if waiting and _BETWEEN.fullmatch(between) and match[1].lower() == charset:
            waiting += word
        else:
            pieces.append(decoded(waiting, charset))
            joined = bool(waiting) and _BETWEEN.fullmatch(between)
            pieces.append("" if joined else plain_text(between))
            waiting, charset = word, match[1].lower()
        at = match.end()
    pieces += [decoded(waiting, charset), plain_text(value[at:])]
    return "".join(pieces).strip()


def plain_text(value: str) -> str:
    """Give a header's text where raw bytes stand in it, whatever their character set."""
    if value.isascii():
        return value
    raw = value.encode("utf-8", "surrogateescape")
    return value if max(value) < "\udc80" else decode(raw).text


def decoded(raw: bytes, charset: str | None) -> str:
    """Give bytes as text: by the character set named where they agree with it, else by look."""
    if not raw:
        return ""
    try:
        name = codecs.lookup(charset or "utf-8").name
        return raw.decode("gb18030" if name in ("gb2312", "gbk") else name)
    except (LookupError, UnicodeDecodeError, ValueError):
        return decode(raw).text


def _word_bytes(form: str, content: str) -> bytes:
    raw = content.encode("ascii", "ignore")
    if form in "qQ":
        return quopri.decodestring(raw, header=True)
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except binascii.Error:
        return raw
