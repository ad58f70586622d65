"""OLE compound files: the container of legacy Office files and of encrypted new ones.

Takes the file's bytes, gives the names of its streams and their content. Never follows a chain of
sectors longer than the file.
"""

import struct

import msgspec

_FREE = 0xFFFFFFFA  # this and above mark the end of a chain or a free sector
_HEADER_BYTES = 512
_ENTRY_BYTES = 128
_STREAM, _ROOT = 2, 5


class Entry(msgspec.Struct, frozen=True):
    """A stream of the directory: where it begins and how long it is."""

    kind: int
    first: int
    size: int


class CompoundFile:
    """The directory and the streams of a compound file; of a broken one, what can be read."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self.entries: dict[str, Entry] = {}
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
        if entry is None:
            return None
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
            if name:
                self.entries.setdefault(name, Entry(kind, first, size))

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
