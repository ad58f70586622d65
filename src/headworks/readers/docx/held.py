"""Files inside an Office package: which of its parts are documents that somebody put there.

Takes the names of the parts and a way to read them, gives the names of those that hold files. Never
counts the workbooks that charts keep for themselves.
"""

import posixpath
import re
from collections.abc import Callable, Iterable

import msgspec

from headworks.readers.compound import COMPOUND_MAGIC, CompoundFile
from headworks.readers.encoding import decode

_FOLDER = "/embeddings/"
_CHART_LINKS = re.compile(r"/(?:charts|chartEx|diagrams)/_rels/[^/]+\.rels$", re.I)
_TARGET = re.compile(r'\bTarget="([^"]*/embeddings/[^"]+)"')
_ZIP, _PDF = b"PK\x03\x04", b"%PDF"
_INNER = (("Package", ""), ("CONTENTS", ".pdf"), ("EmbeddedOdf", ".odt"))
_WHOLE = (("WordDocument", ".doc"), ("Workbook", ".xls"), ("Book", ".xls"),
          ("PowerPoint Document", ".ppt"))  # fmt: skip
_SUFFIXES = ((b"word/", ".docx"), (b"xl/", ".xlsx"), (b"ppt/", ".pptx"))
_LONGEST_NAME = 2_000


class HeldFile(msgspec.Struct, frozen=True):
    """A file inside another one."""

    name: str
    content: bytes


def held_parts(names: Iterable[str], read: Callable[[str], bytes | None]) -> list[str]:
    """Give the parts that hold files, in the order of their names."""
    every = [name.replace("\\", "/") for name in names]
    found = [name for name in every if _FOLDER in f"/{name}"]
    if not found:
        return []
    of_charts: set[str] = set()
    for links in filter(_CHART_LINKS.search, every):
        for target in _TARGET.findall((read(links) or b"").decode("utf-8", "replace")):
            of_charts.add(posixpath.basename(target).lower())
    return sorted(name for name in found if posixpath.basename(name).lower() not in of_charts)


def held_file(part: str, content: bytes) -> HeldFile | None:
    """Give the file that a part holds; none where it is an object of another kind."""
    name = posixpath.basename(part)
    if not content.startswith(COMPOUND_MAGIC):
        return HeldFile(name, content)
    holder = CompoundFile(content)
    native = holder.stream("\x01Ole10Native")
    if native is not None:
        return packaged(native)
    stem = posixpath.splitext(name)[0]
    for stream, suffix in _INNER:
        inner = holder.stream(stream)
        if inner is not None and inner.startswith((_ZIP, _PDF)):
            return HeldFile(f"{stem}{suffix or _suffix(inner)}", inner)
    for stream, suffix in _WHOLE:
        if stream in holder.entries:
            return HeldFile(f"{stem}{suffix}", content)
    return HeldFile(f"{stem}.bin", content) if "EncryptedPackage" in holder.entries else None


def held_files(
    names: Iterable[str], read: Callable[[str], bytes | None]
) -> tuple[list[str], list[str]]:
    """Give the files' names with their sizes, and the parts that hold what is no file."""
    files, others = [], []
    for part in held_parts(names, read):
        content = read(part)
        found = held_file(part, content) if content else None
        if found is None:
            others.append(f"embedded object {part}")
        else:
            files.append(f"{found.name} ({len(found.content)} bytes)")
    return files, others


def packaged(native: bytes) -> HeldFile | None:
    """Give the file of an object that wraps one of any kind, under the name it had."""
    label, at = _text_at(native, 6)
    _, at = _text_at(native, at)
    at += 4
    size, at = _number_at(native, at)
    at += size  # where it stood on somebody's machine
    size, at = _number_at(native, at)
    content = native[at : at + size]
    if not size or len(content) < size:
        return None
    wide = _wide_label(native, at + size)
    name = re.split(r"[\\/]", wide or decode(label).text)[-1].strip()
    return HeldFile(name or "unnamed", content)


def _wide_label(native: bytes, at: int) -> str:
    """Give the label that newer programs write once more, behind the content."""
    size, at = _number_at(native, at)
    at += 2 * size
    size, at = _number_at(native, at)
    if not 0 < size < _LONGEST_NAME:
        return ""
    return native[at : at + 2 * size].decode("utf-16-le", "replace").rstrip("\x00")


def _text_at(native: bytes, at: int) -> tuple[bytes, int]:
    end = native.find(b"\x00", at, at + _LONGEST_NAME)
    return (native[at:end], end + 1) if end >= 0 else (b"", len(native))


def _number_at(native: bytes, at: int) -> tuple[int, int]:
    return int.from_bytes(native[at : at + 4], "little"), at + 4


def _suffix(package: bytes) -> str:
    return next((suffix for mark, suffix in _SUFFIXES if mark in package), ".zip")
