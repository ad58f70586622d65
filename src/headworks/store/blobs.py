"""Files of the service: originals by their content, results by document and fence.

Takes streams and names, gives where things are. Never a half file under its name: it is written
beside, flushed to the disk and renamed. ``folder`` keeps them on a disk, ``remote`` behind fsspec.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path, PurePosixPath
from typing import Protocol

import msgspec

from headworks.errors import InputError

_ID = re.compile(r"[0-9A-Za-z_-]{1,128}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Stored(msgspec.Struct, frozen=True):
    """What was kept of a stream."""

    sha256: str
    size: int


class Known(msgspec.Struct, frozen=True):
    """Which files belong to somebody: originals by hash, results by document and fence."""

    originals: frozenset[str] = frozenset()
    results: frozenset[tuple[str, int]] = frozenset()


# Entered with a hash while the original of that hash gets its name: deletions wait as long.
Claim = Callable[[str], AbstractAsyncContextManager[None]]


class Blobs(Protocol):
    """Where files are kept."""

    async def put_stream(
        self, chunks: AsyncIterator[bytes], limit: int, claim: Claim | None = None
    ) -> Stored:
        """Keep an original as it comes in. Raises E_TOO_LARGE over the limit, E_IO where the disk
        refuses; nothing is kept then."""
        ...

    def open_original(self, sha256: str) -> AbstractAsyncContextManager[Path]:
        """Give an original as a file for readers, there while the context is open."""
        ...

    def result_folder(self, document: str, fence: int) -> Path:
        """Give an empty local folder to write a run's results into."""
        ...

    async def publish(self, document: str, fence: int) -> None:
        """Make what is in a run's folder durable, before its lease is completed."""
        ...

    async def read(self, document: str, fence: int, name: str) -> bytes:
        """Give a file of a result. Raises E_NOT_FOUND."""
        ...

    def stream(self, document: str, fence: int, name: str, start: int = 0) -> AsyncIterator[bytes]:
        """Give a file of a result in pieces, from a byte on. Raises E_NOT_FOUND."""
        ...

    async def names(self, document: str, fence: int) -> tuple[str, ...]:
        """Give the names of a result's files."""
        ...

    async def delete_document(self, document: str) -> None:
        """Delete all results of a document."""
        ...

    async def delete_original(self, sha256: str) -> None:
        """Delete an original that no document has any more."""
        ...

    async def sweep(self, known: Known, older_than_seconds: float = 3600.0) -> int:
        """Delete what belongs to nobody and is older than so; give how many files or folders."""
        ...

    async def close(self) -> None:
        """Let go of connections and local copies."""
        ...


def checked_original(sha256: str) -> str:
    """Give the place of an original below the root."""
    if not _SHA256.fullmatch(sha256):
        raise InputError("E_NOT_FOUND", f"no original {sha256[:80]!r}")
    return f"originals/{sha256[:2]}/{sha256}"


def checked_result(document: str, fence: int) -> str:
    """Give the place of a result below the root."""
    if not _ID.fullmatch(document):
        raise InputError("E_NOT_FOUND", f"no document {document[:80]!r}")
    return f"documents/{document}/{int(fence)}"


def checked_name(name: str) -> str:
    """Give a file's name below its folder; it never leads out of it."""
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise InputError("E_NOT_FOUND", f"no file {name[:80]!r}")
    return str(path)
