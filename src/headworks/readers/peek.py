"""A look at a file from outside: whether an archive is an Office file, whether files are in one.

Takes a path, gives yes or no. Never unpacks anything, never imports what reads a document: the
parent asks, for each input.
"""

import struct
from pathlib import Path

_END = b"PK\x05\x06"
_ENTRY = b"PK\x01\x02"
_TAIL_BYTES = 66_000
_MOST_DIRECTORY_BYTES = 64 << 20
_OFFICE_NAMES = (b"[content_types].xml", b"meta-inf/manifest.xml", b"ofd.xml")
_HELD = (b"/embeddings/", b"/attachments.xml", b"/attachment.xml")
_BLOCK_BYTES, _MARK_BYTES = 1 << 20, 16
_FILE_IN_PDF = (b"/EmbeddedFile", b"/FileAttachment")


def names_in_zip(path: Path) -> list[bytes] | None:
    """Give the names in a zip's directory, in lower case; none where there is no directory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL_BYTES))
        tail = file.read()
        at = tail.rfind(_END)
        if at < 0 or at + 22 > len(tail):
            return None
        length, start = struct.unpack_from("<II", tail, at + 12)
        end = size - len(tail) + at
        if start == 0xFFFFFFFF or length > min(end, _MOST_DIRECTORY_BYTES):
            return None
        file.seek(end - length)
        directory = file.read(length)
    names, at = [], 0
    while directory[at : at + 4] == _ENTRY and at + 46 <= len(directory):
        name, extra, comment = struct.unpack_from("<HHH", directory, at + 28)
        names.append(directory[at + 46 : at + 46 + name].replace(b"\\", b"/").lower())
        at += 46 + name + extra + comment
    return names


def is_office(names: list[bytes]) -> bool:
    """Tell a document in a zip from an archive."""
    return any(mark in names for mark in _OFFICE_NAMES)


def office_holds_files(names: list[bytes]) -> bool:
    """Tell whether there may be files in a document that is a zip."""
    return any(mark in name for name in names for mark in _HELD)


def pdf_holds_files(path: Path) -> bool:
    """Tell whether there may be files in a PDF: their streams say so, and are never packed."""
    kept = b""
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK_BYTES):
            if any(mark in block or mark in kept + block[:_MARK_BYTES] for mark in _FILE_IN_PDF):
                return True
            kept = block[-_MARK_BYTES:]
    return False
