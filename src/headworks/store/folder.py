"""Files of the service in a folder of this machine.

Takes streams and names, gives files. Never a half file under its name, and never a name that
leads out of the folder.
"""

import asyncio
import contextlib
import errno
import hashlib
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import mkstemp

from headworks.errors import HeadworksError, InputError, LimitError, StorageError
from headworks.store.blobs import (
    Claim,
    Known,
    Stored,
    checked_name,
    checked_original,
    checked_result,
)

# Pieces of a stream are hashed and written together, off the event loop.
_TOGETHER = 1024 * 1024
_PIECE = 256 * 1024
_TRIES = 20
_PAUSE_SECONDS = 0.05


class FolderBlobs:
    """Originals and results below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)

    async def put_stream(
        self, chunks: AsyncIterator[bytes], limit: int, claim: Claim | None = None
    ) -> Stored:
        """Keep an original as it comes in."""
        with self._refusals("originals"):
            incoming = await asyncio.to_thread(Incoming, self.root / "incoming")
        try:
            await incoming.receive(chunks, limit, lambda: self._refusals("originals"))
            with self._refusals("originals"):
                stored = await asyncio.to_thread(incoming.finish)
                async with claim(stored.sha256) if claim else contextlib.nullcontext():
                    await asyncio.to_thread(incoming.keep, self.root, stored)
                return stored
        except BaseException:
            incoming.drop()
            raise

    @contextlib.asynccontextmanager
    async def open_original(self, sha256: str) -> AsyncIterator[Path]:
        """Give an original as a file for readers."""
        path = self.root / checked_original(sha256)
        if not path.exists():
            raise InputError("E_NOT_FOUND", f"no original {sha256}")
        yield path

    def result_folder(self, document: str, fence: int) -> Path:
        """Give an empty local folder to write a run's results into."""
        folder = self.root / checked_result(document, fence)
        with self._refusals(document):
            if folder.exists():
                shutil.rmtree(folder)
            folder.mkdir(parents=True)
        return folder

    async def publish(self, document: str, fence: int) -> None:
        """Make what is in a run's folder durable."""
        folder = self.root / checked_result(document, fence)
        with self._refusals(document):
            await asyncio.to_thread(_flush_all, folder)

    async def read(self, document: str, fence: int, name: str) -> bytes:
        """Give a file of a result."""
        path = self._result_file(document, fence, name)
        with self._refusals(name):
            return await asyncio.to_thread(path.read_bytes)

    async def stream(
        self, document: str, fence: int, name: str, start: int = 0
    ) -> AsyncIterator[bytes]:
        """Give a file of a result in pieces."""
        path = self._result_file(document, fence, name)
        with self._refusals(name), path.open("rb") as file:
            file.seek(start)
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece

    async def names(self, document: str, fence: int) -> tuple[str, ...]:
        """Give the names of a result's files."""
        folder = self.root / checked_result(document, fence)
        return tuple(
            sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        )

    async def delete_document(self, document: str) -> None:
        """Delete all results of a document."""
        folder = (self.root / checked_result(document, 0)).parent
        with self._refusals(document):
            await asyncio.to_thread(_remove, folder)

    async def delete_original(self, sha256: str) -> None:
        """Delete an original that no document has any more."""
        path = self.root / checked_original(sha256)
        with self._refusals(sha256):
            await asyncio.to_thread(_remove, path)

    async def sweep(self, known: Known, older_than_seconds: float = 3600.0) -> int:
        """Delete what belongs to nobody and is older than so."""
        before = time.time() - older_than_seconds
        with self._refusals("sweep"):
            return await asyncio.to_thread(self._sweep, known, before)

    async def close(self) -> None:
        """Nothing is held."""

    def _result_file(self, document: str, fence: int, name: str) -> Path:
        """Give the path of a result's file, which is there and below its folder."""
        folder = self.root / checked_result(document, fence)
        path = folder / checked_name(name)
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            raise InputError("E_NOT_FOUND", f"no file {name} of {document}")
        return path

    def _sweep(self, known: Known, before: float) -> int:
        """Remove orphans: broken uploads, originals without document, folders of lost claims."""
        orphans = [
            *self.root.glob("incoming/*"),
            *(path for path in self.root.glob("originals/*/*") if path.name not in known.originals),
            *self._orphan_results(known),
        ]
        swept = 0
        for path in orphans:
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime <= before:
                    _remove(path)
                    swept += 1
        for folder in self.root.glob("documents/*"):
            with contextlib.suppress(OSError):
                folder.rmdir()
        return swept

    def _orphan_results(self, known: Known) -> Iterator[Path]:
        """Give folders of results that are nobody's."""
        for folder in self.root.glob("documents/*/*"):
            fence = int(folder.name) if folder.name.isdecimal() else -1
            if (folder.parent.name, fence) not in known.results:
                yield folder

    @contextlib.contextmanager
    def _refusals(self, what: str) -> Iterator[None]:
        """Turn what the disk refuses into E_IO."""
        try:
            yield
        except HeadworksError:
            raise
        except OSError as error:
            raise StorageError("E_IO", error.strerror or str(error), place=what) from error


class Incoming:
    """An original on its way in: a temporary file that gets its name when it is whole."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = mkstemp(dir=folder)
        self.path = Path(name)
        self._file = os.fdopen(handle, "wb", buffering=0)
        self._hash = hashlib.sha256()
        self._pieces: list[bytes] = []
        self._held = 0
        self._size = 0

    async def receive(
        self,
        chunks: AsyncIterator[bytes],
        limit: int,
        refusals: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """Take in what comes, writing a good piece at a time; ``refusals`` names the disk's faults.

        Raises LimitError (E_TOO_LARGE).
        """
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise LimitError("E_TOO_LARGE", f"the upload is over {limit} bytes")
            self._pieces.append(bytes(chunk))
            self._held += len(chunk)
            if self._held >= _TOGETHER:
                with refusals():
                    await asyncio.to_thread(self.write)

    def write(self) -> None:
        """Hash and write what is held."""
        held = memoryview(b"".join(self._pieces))
        self._pieces, self._held = [], 0
        self._hash.update(held)
        self._size += len(held)
        while held:
            held = held[self._file.write(held) or 0 :]

    def finish(self) -> Stored:
        """Write the rest and flush it to the disk; give what it is."""
        self.write()
        os.fsync(self._file.fileno())
        self._file.close()
        return Stored(self._hash.hexdigest(), self._size)

    def keep(self, root: Path, stored: Stored) -> None:
        """Give the finished file its name below the root."""
        path = root / checked_original(stored.sha256)
        made = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.path, path)
        _flush_folder(path.parent)
        if made:
            _flush_folder(path.parent.parent)

    def drop(self) -> None:
        """Forget it."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self.path.unlink()


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    for tries in range(_TRIES):
        try:
            shutil.rmtree(path, onerror=_unless_gone)
            return
        except OSError as error:
            # A worker that is being ended writes its last file.
            if error.errno != errno.ENOTEMPTY or tries == _TRIES - 1:
                raise
            time.sleep(_PAUSE_SECONDS)


def _unless_gone(_: object, path: str, error: tuple[object, BaseException, object]) -> None:
    """Pass over what somebody else removed at the same time."""
    if not isinstance(error[1], FileNotFoundError):
        raise error[1]


def _flush_all(folder: Path) -> None:
    """Flush every file and folder below, and the folders that name this one."""
    for path in folder.rglob("*"):
        _flush_folder(path)
    for path in (folder, folder.parent, folder.parent.parent):
        _flush_folder(path)


def _flush_folder(path: Path) -> None:
    """Flush a folder, or a file, to the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
