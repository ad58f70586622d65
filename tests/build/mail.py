"""Builds mails: EML by the standard library, MSG as a compound file with its storages."""

import struct
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path

_FREE = 0xFFFFFFFF
_MINI = 64


def eml(
    path: Path,
    text: str,
    *,
    html: str | None = None,
    attached: Mapping[str, bytes] | None = None,
    subject: str = "采购合同请审阅",
) -> Path:
    """Write a mail from 张三 to 李四."""
    message = EmailMessage()
    message["From"] = "张三 <zhang@example.com>"
    message["To"] = "李四 <li@example.com>"
    message["Date"] = "Mon, 02 Mar 2026 08:00:00 +0800"
    message["Subject"] = subject
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    for name, content in (attached or {}).items():
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name
        )
    path.write_bytes(message.as_bytes())
    return path


def msg(path: Path, tree: Mapping[str, object]) -> Path:
    """Write a compound file: names to streams (bytes) or storages (mappings of the same kind)."""
    entries: list[list[object]] = [["Root Entry", 5, _FREE, _FREE, _FREE, 0, 0]]
    streams: list[tuple[int, bytes]] = []
    _place(tree, 0, entries, streams)
    mini, mini_table = b"", []
    big: list[tuple[int, bytes]] = []
    for number, content in streams:
        entries[number][6] = len(content)
        if len(content) >= 4096:
            big.append((number, content))
            continue
        first, count = len(mini_table), -(-len(content) // _MINI)
        entries[number][5] = first if count else 0xFFFFFFFE
        mini_table += [*range(first + 1, first + count), 0xFFFFFFFE] if count else []
        mini += content.ljust(count * _MINI, b"\x00")
    table: list[int] = []
    body = bytearray()

    def placed(content: bytes) -> int:
        first, count = len(table), -(-len(content) // 512)
        if not count:
            return 0xFFFFFFFE
        table.extend([*range(first + 1, first + count), 0xFFFFFFFE])
        body.extend(content.ljust(count * 512, b"\x00"))
        return first

    for number, content in big:
        entries[number][5] = placed(content)
    entries[0][5], entries[0][6] = placed(mini), len(mini)
    mini_at = placed(struct.pack(f"<{len(mini_table)}I", *mini_table))
    directory = placed(b"".join(_entry(entry) for entry in entries))
    sectors = -(-(len(table) + 8) // 128)
    own = [len(table) + index for index in range(sectors)]
    table += [0xFFFFFFFD] * sectors
    table += [_FREE] * (sectors * 128 - len(table))
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<II", header, 44, sectors, directory)
    struct.pack_into("<IIIII", header, 56, 4096, mini_at, 1 if mini_table else 0, 0xFFFFFFFE, 0)
    struct.pack_into("<109I", header, 76, *own, *[_FREE] * (109 - sectors))
    path.write_bytes(bytes(header) + bytes(body) + struct.pack(f"<{len(table)}I", *table))
    return path


def strings(values: Mapping[int, str]) -> dict[str, object]:
    """Give the streams of text properties."""
    return {f"__substg1.0_{key:04X}001F": text.encode("utf-16-le") for key, text in values.items()}


def numbers(values: Mapping[int, int], *, head: int = 32) -> dict[str, object]:
    """Give the stream of properties that are numbers."""
    packed = b"".join(struct.pack("<HHIQ", 3, key, 6, value) for key, value in values.items())
    return {"__properties_version1.0": b"\x00" * head + packed}


def attachment(name: str, content: bytes, place: int = 0) -> dict[str, object]:
    """Give the storage of an attached file."""
    inside = {**strings({0x3707: name}), "__substg1.0_37010102": content}
    return {f"__attach_version1.0_#{place:08X}": inside}


def packed_rtf(raw: bytes) -> bytes:
    """Give RTF in Outlook's wrapping, not compressed."""
    return struct.pack("<4I", len(raw) + 12, len(raw), 0x414C454D, 0) + raw


def _place(
    tree: Mapping[str, object], above: int, entries: list[list[object]],
    streams: list[tuple[int, bytes]],
) -> None:  # fmt: skip
    before = None
    for name, content in tree.items():
        number = len(entries)
        stream = isinstance(content, bytes)
        entries.append([name, 2 if stream else 1, _FREE, _FREE, _FREE, 0xFFFFFFFE, 0])
        if before is None:
            entries[above][4] = number
        else:
            entries[before][3] = number  # a tree that only grows to the right
        before = number
        if isinstance(content, bytes):
            streams.append((number, content))
        elif isinstance(content, Mapping):
            _place(content, number, entries, streams)


def _entry(fields: Sequence[object]) -> bytes:
    name, kind, left, right, child, first, size = fields
    entry = bytearray(128)
    raw = str(name).encode("utf-16-le")
    entry[: len(raw)] = raw
    struct.pack_into("<HBB", entry, 64, len(raw) + 2, kind, 1)
    struct.pack_into("<III", entry, 68, left, right, child)
    struct.pack_into("<II", entry, 116, first, size)
    return bytes(entry)
