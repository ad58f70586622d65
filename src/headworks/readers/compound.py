"""OLE compound files: the container of legacy Office files and of encrypted new ones.

Takes the file's bytes, gives the names of its streams and their content. Never follows a chain of
sectors longer than the file.
"""

import struct
from functools import cached_property

import msgspec

COMPOUND_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FREE = 0xFFFFFFFA  # this and above mark the end of a chain or a free sector
_HEADER_BYTES = 512
_ENTRY_BYTES = 128
_STREAM, _ROOT = 2, 5


class Entry(msgspec.Struct, frozen=True):
    """A stream of the directory: where it begins and how long it is."""

    kind: int
    first: int
    size: int
    name: str = ""
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE


class CompoundFile:
    """The directory and the streams of a compound file; of a broken one, what can be read.

    ``entries`` holds streams by their bare names, the first of each.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self.entries: dict[str, Entry] = {}
        self._directory: list[Entry] = []
        if len(raw) < _HEADER_BYTES:
            return
        shift, mini_shift = struct.unpack_from("<HH", raw, 30)
        if shift not in (9, 12) or mini_shift != 6:
            return
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        directory, _, self._cutoff, mini_table = struct.unpack_from("<IIII", raw, 48)
        self._table = self._allocation_table()
        self._read_directory(self._chain(directory, self._table))
        self._mini_table = _numbers(self._joined(self._chain(mini_table, self._table)))
        root = next((entry for entry in self.entries.values() if entry.kind == _ROOT), None)
        self._mini = self._joined(self._chain(root.first, self._table)) if root else b""

    def stream(self, name: str) -> bytes | None:
        """Give a stream's content; none where there is no such stream."""
        entry = self.entries.get(name)
        return None if entry is None else self._content(entry)

    def at(self, path: str) -> bytes | None:
        """Give the content of the stream at a path (``storage/stream``); none where none is."""
        entry = self.paths.get(path)
        return None if entry is None or entry.kind != _STREAM else self._content(entry)

    @cached_property
    def paths(self) -> dict[str, Entry]:
        """The streams and storages by their paths below the root."""
        found: dict[str, Entry] = {}
        seen: set[int] = set()
        waiting = [(self._directory[0].child, "")] if self._directory else []
        while waiting:
            number, above = waiting.pop()
            if number >= len(self._directory) or number in seen:
                continue
            seen.add(number)
            entry = self._directory[number]
            found.setdefault(above + entry.name, entry)
            waiting += [(entry.left, above), (entry.right, above)]
            waiting.append((entry.child, f"{above}{entry.name}/"))
        return found

    def _content(self, entry: Entry) -> bytes:
        if entry.size >= self._cutoff:
            return self._joined(self._chain(entry.first, self._table))[: entry.size]
        size = self._mini_size
        chain = self._chain(entry.first, self._mini_table)
        return b"".join(self._mini[n * size : (n + 1) * size] for n in chain)[: entry.size]

    def _allocation_table(self) -> list[int]:
        sectors = list(struct.unpack_from("<109I", self._raw, 76))
        following, count = struct.unpack_from("<II", self._raw, 68)
        for _ in range(min(count, len(self._raw) // self._size)):
            if following >= _FREE:
                break
            *more, following = _numbers(self._sector(following)) or [_FREE]
            sectors.extend(more)
        return _numbers(b"".join(self._sector(n) for n in sectors if n < _FREE))

    def _read_directory(self, sectors: list[int]) -> None:
        raw = self._joined(sectors)
        for at in range(0, len(raw) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
            length, kind = struct.unpack_from("<HB", raw, at + 64)
            name = raw[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
            first, size = struct.unpack_from("<II", raw, at + 116)
            entry = Entry(kind, first, size, name, *struct.unpack_from("<III", raw, at + 68))
            self._directory.append(entry)
            if name:
                self.entries.setdefault(name, entry)

    def _chain(self, sector: int, table: list[int]) -> list[int]:
        chain: list[int] = []
        while sector < len(table) and len(chain) <= len(table):
            chain.append(sector)
            sector = table[sector]
        return chain

    def _joined(self, sectors: list[int]) -> bytes:
        return b"".join(map(self._sector, sectors))

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._size
        return self._raw[start : start + self._size]


def _numbers(raw: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4]))
