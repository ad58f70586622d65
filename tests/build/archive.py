"""Builds archives as Chinese Windows writes them, and ones that lie."""

import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path


class _RawInfo(zipfile.ZipInfo):
    """An entry whose name stands in the archive as bytes of a code page, without a mark."""

    encoding = "gbk"

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode(self.encoding), self.flag_bits & ~0x800


def named(path: Path, members: Mapping[str, bytes], encoding: str | None = "gbk") -> Path:
    """Write a zip whose names are in a code page; none is UTF-8 with the mark for it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name) if encoding is None else _RawInfo(name)
            if isinstance(entry, _RawInfo) and encoding is not None:
                entry.encoding = encoding
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


def damaged(path: Path, name: str) -> Path:
    """Spoil the content of one member, which is stored as it is."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(name)
    raw = bytearray(path.read_bytes())
    lengths = struct.unpack_from("<HH", raw, entry.header_offset + 26)
    start = entry.header_offset + 30 + sum(lengths)
    raw[start : start + entry.compress_size] = b"\xff" * entry.compress_size
    path.write_bytes(bytes(raw))
    return path


def locked(path: Path, name: str) -> Path:
    """Mark a member as encrypted."""
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(name)
    raw[entry.header_offset + 6] |= 1
    at = raw.find(b"PK\x01\x02")
    while at >= 0:
        if struct.unpack_from("<I", raw, at + 42)[0] == entry.header_offset:
            raw[at + 8] |= 1
        at = raw.find(b"PK\x01\x02", at + 4)
    path.write_bytes(bytes(raw))
    return path
