"""Objects as Office programs embed them: a file of any kind, wrapped with its name.

Takes a name and bytes, gives the bytes of the wrapping compound file.
"""

import struct
from pathlib import Path

from tests.build.packages import compound_of


def packaged(path: Path, name: str, content: bytes, *, wide: bool = True) -> bytes:
    """Give an object that wraps a file; ``wide`` repeats its name as newer programs do."""
    narrow = name.encode("gbk") + b"\x00"
    place = b"C:\\Users\\a\\" + narrow
    body = struct.pack("<H", 2) + narrow + place + struct.pack("<HHI", 0, 3, len(place)) + place
    body += struct.pack("<I", len(content)) + content
    if wide:
        for text in ("C:\\Temp\\" + name, name, name):
            body += struct.pack("<I", len(text)) + text.encode("utf-16-le")
    streams = {"\x01Ole10Native": struct.pack("<I", len(body)) + body}
    return compound_of(path, streams).read_bytes()
