"""Containers built by code: zip packages, OLE compound files, and broken or hostile ones."""

import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

CONTENT_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/{part}" ContentType="{kind}+xml"/></Types>'
)
_MAIN = {
    "docx": (
        "word/document.xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main",
    ),
    "xlsx": (
        "xl/workbook.xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main",
    ),
    "pptx": (
        "ppt/presentation.xml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main",
    ),
}


def zipped(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    """Write a zip of these parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return path


def office_package(path: Path, kind: str, main: str | bytes = "<x/>") -> Path:
    """Write the smallest package that declares itself as docx, xlsx or pptx."""
    part, content_type = _MAIN[kind]
    types = CONTENT_TYPES.format(part=part, kind=content_type)
    return zipped(path, {"[Content_Types].xml": types, part: main})


def compound_file(path: Path, streams: Sequence[str]) -> Path:
    """Write an OLE compound file whose directory holds these (empty) streams."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHH", header, 24, 0x3E, 3, 0xFFFE)
    struct.pack_into("<HH", header, 30, 9, 6)
    struct.pack_into("<I", header, 44, 1)  # one sector of the allocation table
    struct.pack_into("<I", header, 48, 1)  # the directory begins in sector 1
    struct.pack_into("<I", header, 56, 4096)
    struct.pack_into("<II", header, 60, 0xFFFFFFFE, 0)
    struct.pack_into("<II", header, 68, 0xFFFFFFFE, 0)
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    entries = ["Root Entry", *streams]
    sectors = -(-len(entries) // 4)
    table = [0xFFFFFFFD, *range(2, sectors + 1), 0xFFFFFFFE]
    table += [0xFFFFFFFF] * (128 - len(table))
    directory = b"".join(_entry(name, index == 0) for index, name in enumerate(entries))
    directory = directory.ljust(sectors * 512, b"\x00")
    path.write_bytes(bytes(header) + struct.pack("<128I", *table) + directory)
    return path


def compound_of(path: Path, streams: Mapping[str, bytes]) -> Path:
    """Write an OLE compound file with these streams; short ones are padded past the mini size."""
    table: list[int] = []
    body = b""

    def placed(content: bytes) -> int:
        nonlocal body
        first, count = len(table), -(-len(content) // 512)
        table.extend([*range(first + 1, first + count), 0xFFFFFFFE])
        body += content.ljust(count * 512, b"\x00")
        return first

    entries = _entry("Root Entry", True)
    for name, content in streams.items():
        entry = bytearray(_entry(name, False))
        first = placed(content.ljust(4096, b"\x00"))
        struct.pack_into("<II", entry, 116, first, max(4096, len(content)))
        entries += bytes(entry)
    directory = placed(entries)
    sectors = -(-(len(table) + 8) // 128)
    fat = [len(table) + n for n in range(sectors)]
    table.extend([0xFFFFFFFD] * sectors)
    table.extend([0xFFFFFFFF] * (sectors * 128 - len(table)))
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<II", header, 44, sectors, directory)
    struct.pack_into("<IIIII", header, 56, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    struct.pack_into("<109I", header, 76, *fat, *[0xFFFFFFFF] * (109 - sectors))
    path.write_bytes(bytes(header) + body + struct.pack(f"<{len(table)}I", *table))
    return path


def _entry(name: str, root: bool) -> bytes:
    entry = bytearray(128)
    raw = name.encode("utf-16-le")
    entry[: len(raw)] = raw
    struct.pack_into("<HBB", entry, 64, len(raw) + 2, 5 if root else 2, 1)
    struct.pack_into("<III", entry, 68, 0xFFFFFFFF, 0xFFFFFFFF, 1 if root else 0xFFFFFFFF)
    return bytes(entry)


def zip_bomb(path: Path, megabytes: int = 150) -> Path:
    """Write a docx whose main part is this many megabytes of one character."""
    part, content_type = _MAIN["docx"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        types = CONTENT_TYPES.format(part=part, kind=content_type)
        package.writestr("[Content_Types].xml", types)
        with package.open(part, "w", force_zip64=True) as stream:
            block = b" " * (1 << 20)
            for _ in range(megabytes):
                stream.write(block)
    return path


ENTITY_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)
