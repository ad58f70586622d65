"""Files in a folder, while others remove and write them."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from headworks.store.folder import FolderBlobs


def _result(blobs: FolderBlobs, fence: int, files: int = 60) -> Path:
    folder = blobs.result_folder("d1", fence)
    for number in range(files):
        (folder / f"{number}.json").write_bytes(b"{}")
    return folder


def test_what_is_removed_twice_at_once_is_gone(tmp_path: Path) -> None:
    """A deletion passes over what somebody else removed under its hands."""
    blobs = FolderBlobs(tmp_path)

    async def both() -> None:
        for fence in range(1, 9):
            _result(blobs, fence)
        await asyncio.gather(*(blobs.delete_document("d1") for _ in range(4)))

    asyncio.run(both())
    assert not (tmp_path / "documents" / "d1").exists()


def test_a_file_that_is_still_written_is_removed_too(tmp_path: Path) -> None:
    """A worker that is being ended keeps no folder."""
    blobs, over = FolderBlobs(tmp_path), threading.Event()
    folder = _result(blobs, 1, 400)

    def write() -> None:
        for number in range(400):
            try:
                (folder / f"late{number}.json").write_bytes(b"{}")
            except OSError:
                break
        over.set()

    threading.Thread(target=write).start()
    asyncio.run(blobs.delete_document("d1"))
    over.wait(10)
    assert not folder.exists()


def test_an_original_gets_its_name_when_it_is_claimed(tmp_path: Path) -> None:
    """The claim is told the hash before the name is there, and is over afterwards."""
    blobs, seen = FolderBlobs(tmp_path), list[tuple[str, bool]]()

    @asynccontextmanager
    async def claim(sha256: str) -> AsyncIterator[None]:
        path = tmp_path / "originals" / sha256[:2] / sha256
        seen.append((sha256, path.exists()))
        yield
        seen.append((sha256, path.exists()))

    async def content() -> AsyncIterator[bytes]:
        yield b"words"

    stored = asyncio.run(blobs.put_stream(content(), 100, claim))
    assert seen == [(stored.sha256, False), (stored.sha256, True)]


def test_a_file_is_read_from_a_byte_on(tmp_path: Path) -> None:
    """What comes before is not read."""
    blobs = FolderBlobs(tmp_path)
    (blobs.result_folder("d1", 1) / "a.txt").write_bytes(b"0123456789")

    async def read() -> bytes:
        return b"".join([piece async for piece in blobs.stream("d1", 1, "a.txt", 7)])

    assert asyncio.run(read()) == b"789"
