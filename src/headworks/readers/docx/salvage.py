"""What can be saved of a damaged file: parts of a broken container, trees of broken XML.

Takes the container's or a part's bytes, gives what unpacks and what parses, up to where it
breaks. Never unpacks more bytes than the bound.
"""

import re
import struct
import zlib
from typing import Any

from lxml import etree

from headworks.readers.docx.names import (
    MC_CHOICE,
    MC_FALLBACK,
    W_BODY,
    W_P,
    W_TBL,
    A,
    M,
    O,
    R,
    V,
    W,
    w,
)

_LOCAL = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")
_DEFLATED, _STORED = 8, 0
_STEP = 32  # an error in the stream costs only the step that it is in
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_PARAGRAPH = re.compile("<w:p[ >].*?</w:p>", re.DOTALL)
_HOLDERS = frozenset(
    map(w, ("body", "tc", "txbxContent", "sdtContent", "hdr", "ftr", "footnote", "endnote"))
) | {w("comment"), w("customXml"), w("rubyBase"), w("rt"), MC_CHOICE, MC_FALLBACK}
_ROOT = (
    f'<w:document xmlns:w="{W}" xmlns:r="{R}" xmlns:m="{M}" xmlns:a="{A}" xmlns:v="{V}" '
    f'xmlns:o="{O}"><w:body>'
)


def recover_parts(content: bytes, max_bytes: int) -> dict[str, bytes]:
    """Give the parts that local headers name, with as much of each as can be unpacked."""
    found: dict[str, bytes] = {}
    left = max_bytes
    at = content.find(_LOCAL)
    while at >= 0 and left > 0:
        if at + _HEADER.size > len(content):
            break
        fields = _HEADER.unpack_from(content, at)
        method, packed_size, name_length, extra_length = fields[3], fields[7], *fields[9:11]
        start = at + _HEADER.size + name_length + extra_length
        name = content[at + _HEADER.size : at + _HEADER.size + name_length]
        part = _unpack(content, start, method, packed_size, left)
        if name and part:
            found[name.decode("utf-8", errors="replace")] = part
            left -= len(part)
        at = content.find(_LOCAL, max(start, at + 4))
    return found


def recover_part(content: bytes, offset: int, method: int, max_bytes: int) -> bytes:
    """Give as much as can be unpacked of the part whose local header stands at an offset."""
    if content[offset : offset + 4] != _LOCAL or offset + _HEADER.size > len(content):
        return b""
    fields = _HEADER.unpack_from(content, offset)
    start = offset + _HEADER.size + fields[9] + fields[10]
    return _unpack(content, start, method, fields[7], max_bytes)


def recover_tree(content: bytes, parser: Any) -> Any:
    """Give the root of what parses; none where nothing does.

    At some errors the parser gives up. The paragraphs behind are then parsed one by one and put
    behind those that it read: their text is kept, the tables that they stood in are not.
    """
    text = _CONTROLS.sub("", content.decode("utf-8", errors="replace"))
    root = _parsed(text, parser)
    paragraphs = _PARAGRAPH.findall(text)
    read = 0 if root is None else sum(1 for _ in root.iter(W_P))
    if read >= len(paragraphs):
        if root is not None:
            _straighten(root)
        return root
    if root is None or not read:
        root = _parsed(_ROOT, parser)
    body = root.find(W_BODY)
    holder = root if body is None else body
    for paragraph in paragraphs[read:]:
        wrapped = _parsed(_ROOT + paragraph, parser)
        if wrapped is not None and len(wrapped) and len(wrapped[0]):
            holder.append(wrapped[0][0])
    _straighten(root)
    return root


def _straighten(root: Any) -> None:
    """Lift paragraphs and tables out of elements that an error left open around them."""
    body = root.find(W_BODY)
    holder = root if body is None else body
    if body is not None:
        # A stray end tag closed the body: what follows it hangs on the root.
        body.extend([child for child in root if child is not body and child.tag in (W_P, W_TBL)])
    origins: dict[Any, Any] = {}
    last: dict[Any, Any] = {}
    for element in list(root.iter(W_P, W_TBL)):
        parent = element.getparent()
        if parent is None or parent is holder or parent.tag in _HOLDERS:
            continue
        top = parent
        while top is not None and top.getparent() is not holder:
            top = top.getparent()
        if top is None:
            continue
        origin = origins.get(top, top)
        tail, element.tail = element.tail, None
        last.get(origin, top).addnext(element)
        element.tail = tail
        last[origin] = element
        origins[element] = origin


def _parsed(text: str, parser: Any) -> Any:
    try:
        return etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError:
        return None


def _unpack(content: bytes, start: int, method: int, packed_size: int, left: int) -> bytes:
    if method == _STORED:
        return content[start : start + min(packed_size, left)]
    if method != _DEFLATED:
        return b""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    for at in range(start, len(content), _STEP):
        try:
            piece = inflater.decompress(content[at : at + _STEP], left + 1)
        except zlib.error:
            break
        pieces.append(piece)
        left -= len(piece)
        if inflater.eof or left <= 0:
            break
    return b"".join(pieces)
