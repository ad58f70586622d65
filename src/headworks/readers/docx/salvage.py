"""Parts out of a zip container whose directory is gone: a truncated or spliced file.

Takes the container's bytes, gives what unpacks, each part up to where it breaks. Never unpacks
more bytes than the bound.
"""

import struct
import zlib

_LOCAL = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")
_DEFLATED, _STORED = 8, 0


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


def _unpack(content: bytes, start: int, method: int, packed_size: int, left: int) -> bytes:
    if method == _STORED:
        return content[start : start + min(packed_size, left)]
    if method != _DEFLATED:
        return b""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    # Small steps: an error in the stream costs only the step that it is in.
    for at in range(start, len(content), 4096):
        try:
            piece = inflater.decompress(content[at : at + 4096], left + 1)
        except zlib.error:
            break
        pieces.append(piece)
        left -= len(piece)
        if inflater.eof or left <= 0:
            break
    return b"".join(pieces)
