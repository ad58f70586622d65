"""Files of the service behind fsspec: S3 and what speaks like it, for many machines.

Takes streams and names, gives local copies and bytes. Never more local copies than its bound,
beside those in use; never a half object: it is written here first and sent whole.

Keys and regions come from the environment (``AWS_…``), other servers from
``FSSPEC_S3_ENDPOINT_URL``: nothing secret is in an address.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path
from time import time
from typing import Any

from headworks.errors import ConfigError, HeadworksError, InputError, StorageError
from headworks.store.blobs import (
    Claim,
    Known,
    Stored,
    checked_name,
    checked_original,
    checked_result,
)
from headworks.store.folder import FolderBlobs, Incoming

_COPIES_BYTES = 8 * 1024**3
_PIECE = 1024 * 1024
# Objects deleted in one call.
_TOGETHER = 500


class FsspecBlobs:
    """Originals and results below one address; local copies in ``folder``."""

    def __init__(
        self, address: str, folder: Path | None = None, copies_bytes: int = _COPIES_BYTES
    ) -> None:
        self._address = address
        with self._refusals(address):
            self._files, root = _file_system(address)
        self._root = root.rstrip("/")
        self._own = folder is None
        self.folder = (
            Path(tempfile.mkdtemp(prefix="headworks-files-")) if folder is None else folder
        )
        self._copies = Copies(self.folder / "copies", copies_bytes)

    async def put_stream(
        self, chunks: AsyncIterator[bytes], limit: int, claim: Claim | None = None
    ) -> Stored:
        """Keep an original as it comes in."""
        with self._refusals("originals"):
            incoming = await asyncio.to_thread(Incoming, self.folder / "incoming")
        try:
            await incoming.receive(chunks, limit, lambda: self._refusals("originals"))
            with self._refusals("originals"):
                stored = await asyncio.to_thread(incoming.finish)
                place = self._at(checked_original(stored.sha256))
                async with claim(stored.sha256) if claim else contextlib.nullcontext():
                    await asyncio.to_thread(self._files.put_file, str(incoming.path), place)
        finally:
            incoming.drop()
        return stored

    @contextlib.asynccontextmanager
    async def open_original(self, sha256: str) -> AsyncIterator[Path]:
        """Give a local copy of an original; it stays while the context is open."""
        place = self._at(checked_original(sha256))

        async def fetch(path: Path) -> None:
            with self._refusals(sha256):
                await asyncio.to_thread(self._files.get_file, place, str(path))

        async with self._copies.hold(sha256, fetch) as path:
            yield path

    def result_folder(self, document: str, fence: int) -> Path:
        """Give an empty local folder to write a run's results into."""
        with self._refusals(document):
            folder = self.folder / checked_result(document, fence)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return folder

    async def publish(self, document: str, fence: int) -> None:
        """Send what is in a run's folder; the local folder is gone then."""
        below = checked_result(document, fence)
        folder = self.folder / below
        with self._refusals(document):
            files = await asyncio.to_thread(
                lambda: [path for path in sorted(folder.rglob("*")) if path.is_file()]
            )
            for path in files:
                place = self._at(f"{below}/{path.relative_to(folder).as_posix()}")
                await asyncio.to_thread(self._files.put_file, str(path), place)
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def read(self, document: str, fence: int, name: str) -> bytes:
        """Give a file of a result."""
        place = self._at(f"{checked_result(document, fence)}/{checked_name(name)}")
        with self._refusals(name):
            content: bytes = await asyncio.to_thread(self._files.cat_file, place)
        return content

    async def stream(
        self, document: str, fence: int, name: str, start: int = 0
    ) -> AsyncIterator[bytes]:
        """Give a file of a result in pieces."""
        place = self._at(f"{checked_result(document, fence)}/{checked_name(name)}")
        with self._refusals(name):
            size = await asyncio.to_thread(self._files.size, place)
        for at in range(start, size, _PIECE):
            end = min(at + _PIECE, size)
            with self._refusals(name):
                piece = await asyncio.to_thread(self._files.cat_file, place, start=at, end=end)
            yield piece

    async def names(self, document: str, fence: int) -> tuple[str, ...]:
        """Give the names of a result's files."""
        place = self._at(checked_result(document, fence))
        with self._refusals(document):
            found = await asyncio.to_thread(self._find, place)
        return tuple(sorted(path.rpartition(f"{place}/")[2] for path in found))

    async def delete_document(self, document: str) -> None:
        """Delete all results of a document."""
        below = checked_result(document, 0).rpartition("/")[0]
        with self._refusals(document):
            found = await asyncio.to_thread(self._find, self._at(below))
            await asyncio.to_thread(self._delete, list(found))
            await asyncio.to_thread(shutil.rmtree, self.folder / below, ignore_errors=True)

    async def delete_original(self, sha256: str) -> None:
        """Delete an original that no document has any more."""
        place = self._at(checked_original(sha256))
        self._copies.forget(sha256)
        with self._refusals(sha256):
            await asyncio.to_thread(self._delete, [place])

    async def sweep(self, known: Known, older_than_seconds: float = 3600.0) -> int:
        """Delete what belongs to nobody and is older than so, here and there."""
        before = time() - older_than_seconds
        local = FolderBlobs(self.folder)
        await local.sweep(known, older_than_seconds)
        with self._refusals("sweep"):
            orphans = await asyncio.to_thread(self._orphans, known, before)
            await asyncio.to_thread(self._delete, orphans)
        return len(orphans)

    async def close(self) -> None:
        """Forget local copies where the folder is our own."""
        if self._own:
            await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    def _at(self, below: str) -> str:
        return f"{self._root}/{below}"

    def _find(self, place: str) -> dict[str, dict[str, Any]]:
        """Give all objects below a place."""
        found: dict[str, dict[str, Any]] = self._files.find(place, detail=True)
        return found

    def _delete(self, places: list[str]) -> None:
        """Delete objects; those that are gone already are no fault."""
        for start in range(0, len(places), _TOGETHER):
            with contextlib.suppress(FileNotFoundError):
                self._files.rm(places[start : start + _TOGETHER])

    def _orphans(self, known: Known, before: float) -> list[str]:
        """Give objects that are nobody's."""
        orphans = []
        for kind in ("originals", "documents"):
            for path, about in self._find(self._at(kind)).items():
                parts = path.rpartition(f"{kind}/")[2].split("/")
                fence = int(parts[1]) if len(parts) > 1 and parts[1].isdecimal() else -1
                belongs = (
                    parts[-1] in known.originals
                    if kind == "originals"
                    else (parts[0], fence) in known.results
                )
                if not belongs and _modified(about) <= before:
                    orphans.append(path)
        return orphans

    @contextlib.contextmanager
    def _refusals(self, what: str) -> Iterator[None]:
        """Turn what the store refuses into our errors; its clients raise much of their own."""
        try:
            yield
        except (HeadworksError, asyncio.CancelledError, GeneratorExit):
            raise
        except FileNotFoundError as error:
            raise InputError("E_NOT_FOUND", f"no {what}") from error
        except Exception as error:
            message = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise StorageError("E_IO", message, place=what) from error


class Copies:
    """Local copies of originals: few bytes beside those in use, the longest unused go first."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self._most_bytes = most_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._users: dict[str, int] = {}
        self._fetching: dict[str, asyncio.Lock] = {}
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)

    @contextlib.asynccontextmanager
    async def hold(self, name: str, fetch: Callable[[Path], Any]) -> AsyncIterator[Path]:
        """Give a copy, fetched where it is not here; it is not removed while it is held."""
        self._users[name] = self._users.get(name, 0) + 1
        path = self.folder / name
        try:
            async with self._fetching.setdefault(name, asyncio.Lock()):
                if not path.exists():
                    beside = path.with_name(f"{name}.part")
                    await fetch(beside)
                    os.replace(beside, path)
                    self._sizes[name] = path.stat().st_size
            self._sizes.move_to_end(name)
            yield path
        finally:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name]
                self._fetching.pop(name, None)
            self._trim()

    def forget(self, name: str) -> None:
        """Remove a copy that nobody uses."""
        if name not in self._users and self._sizes.pop(name, None) is not None:
            (self.folder / name).unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove the longest unused until the rest is within the bound."""
        for name in list(self._sizes):
            if sum(self._sizes.values()) <= self._most_bytes:
                return
            self.forget(name)


def _file_system(address: str) -> tuple[Any, str]:
    """Open the address; listings are never remembered: other machines write too."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ConfigError("E_CONFIG", "install headworks[scale] for files behind S3") from error
    opened: tuple[Any, str] = url_to_fs(address, use_listings_cache=False, skip_instance_cache=True)
    return opened


def _modified(about: dict[str, Any]) -> float:
    """Give when an object was written, in seconds."""
    for name in ("LastModified", "mtime", "created", "last_modified"):
        at = about.get(name)
        if isinstance(at, datetime):
            return at.timestamp()
        if isinstance(at, int | float):
            return float(at)
    return time()
