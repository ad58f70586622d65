"""Files of the service, in a folder and behind S3: the same promises."""

import contextlib
import errno
import hashlib
import os
import resource
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from headworks.errors import HeadworksError, StorageError
from headworks.store.blobs import Blobs, Known
from headworks.store.folder import FolderBlobs
from headworks.store.remote import Copies, FsspecBlobs

pytestmark = pytest.mark.anyio


async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
    """Give bytes as an upload does."""
    for chunk in chunks:
        yield chunk


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """Give the address of a bucket on an S3 server of our own."""
    moto = pytest.importorskip("moto.server", reason="moto[server] is not installed")
    s3fs = pytest.importorskip("s3fs", reason="headworks[scale] is not installed")
    from fsspec.config import conf

    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    before = dict(conf)
    conf["s3"] = {
        "endpoint_url": f"http://{host}:{port}",
        "key": "key",
        "secret": "secret",
    }
    with contextlib.suppress(FileExistsError):  # servers of one process share their buckets
        s3fs.S3FileSystem().mkdir("headworks")
    yield "s3://headworks/data"
    conf.clear()
    conf.update(before)
    server.stop()


@pytest.fixture(params=["folder", "s3"])
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Blobs]:
    """Give an empty place for files."""
    if request.param == "folder":
        kept: Blobs = FolderBlobs(tmp_path)
    else:
        kept = FsspecBlobs(f"{request.getfixturevalue('bucket')}/{tmp_path.name}")
    yield kept
    await kept.close()


async def test_an_original_is_known_by_its_content(blobs: Blobs) -> None:
    """What is sent in comes back byte for byte, under the hash of its content, once."""
    content = os.urandom(3_000_000)
    stored = await blobs.put_stream(pieces(content[:10], b"", content[10:]), 3_000_000)
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    assert stored.size == len(content)
    assert await blobs.put_stream(pieces(content), 3_000_000) == stored
    async with blobs.open_original(stored.sha256) as path:
        assert path.read_bytes() == content
    await blobs.delete_original(stored.sha256)
    await blobs.delete_original(stored.sha256)
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        async with blobs.open_original(stored.sha256):
            pass


async def test_an_empty_original(blobs: Blobs) -> None:
    """An upload of nothing is kept as nothing: readers say what is wrong with it."""
    stored = await blobs.put_stream(pieces(), 10)
    async with blobs.open_original(stored.sha256) as path:
        assert path.read_bytes() == b""


async def test_too_much_leaves_nothing(blobs: Blobs, tmp_path: Path) -> None:
    """An upload over the limit, or one that breaks off, is refused and leaves no file behind."""
    with pytest.raises(HeadworksError, match="E_TOO_LARGE"):
        await blobs.put_stream(pieces(b"x" * 9, b"y"), 9)

    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * 2_000_000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await blobs.put_stream(broken(), 1 << 30)
    assert await blobs.sweep(Known(), -10.0) == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


async def test_results_are_read_behind_their_fence(blobs: Blobs) -> None:
    """Each claim has a folder of its own; what is published is read by name."""
    for fence in (3, 7):
        folder = blobs.result_folder("doc", fence)
        (folder / "pages").mkdir()
        (folder / "chunks.jsonl").write_bytes(b"%d" % fence)
        (folder / "pages" / "1.png").write_bytes(b"p" * 2_500_000)
        await blobs.publish("doc", fence)
    assert await blobs.names("doc", 7) == ("chunks.jsonl", "pages/1.png")
    assert await blobs.read("doc", 3, "chunks.jsonl") == b"3"
    read = [piece async for piece in blobs.stream("doc", 7, "pages/1.png")]
    assert len(b"".join(read)) == 2_500_000
    assert len(read) > 1
    await blobs.delete_document("doc")
    await blobs.delete_document("doc")
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        await blobs.read("doc", 3, "chunks.jsonl")


async def test_a_folder_taken_again_is_empty(blobs: Blobs) -> None:
    """What a broken run left in its folder is not part of the next."""
    (blobs.result_folder("doc", 1) / "left.txt").write_bytes(b"x")
    assert list(blobs.result_folder("doc", 1).iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../1/secret", "/etc/passwd", "a/../../b", "", "a\\..\\b", "a\0b", "missing"]
)
async def test_names_never_lead_out(blobs: Blobs, name: str) -> None:
    """No name reaches a file outside of its result."""
    (blobs.result_folder("doc", 1) / "here.txt").write_bytes(b"x")
    await blobs.publish("doc", 1)
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        await blobs.read("doc", 2, name)
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        _ = [piece async for piece in blobs.stream("doc", 2, name)]


@pytest.mark.parametrize("name", ["../doc", "a/b", "", "ü", "x" * 200])
async def test_ids_never_lead_out(blobs: Blobs, name: str) -> None:
    """No id of a document or an original is taken for a path."""
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        await blobs.read(name, 1, "a")
    with pytest.raises(HeadworksError, match="E_NOT_FOUND"):
        await blobs.delete_original(name)


async def test_the_sweep_takes_only_orphans(blobs: Blobs) -> None:
    """Results and originals that belong to somebody stay; the rest goes when it is old enough."""
    kept = await blobs.put_stream(pieces(b"kept"), 10)
    await blobs.put_stream(pieces(b"lost"), 10)
    for fence in (1, 2):
        (blobs.result_folder("doc", fence) / "a.txt").write_bytes(b"x")
        await blobs.publish("doc", fence)
    known = Known(frozenset({kept.sha256}), frozenset({("doc", 2)}))
    assert await blobs.sweep(known, 3600.0) == 0
    assert await blobs.sweep(known, -10.0) == 2
    assert await blobs.read("doc", 2, "a.txt") == b"x"
    assert await blobs.names("doc", 1) == ()
    async with blobs.open_original(kept.sha256) as path:
        assert path.read_bytes() == b"kept"


async def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    """An upload that the disk refuses is E_IO, nothing of it stays, and the next one works."""
    blobs = FolderBlobs(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, before[1]))
        with pytest.raises(StorageError, match="E_IO"):
            await blobs.put_stream(pieces(b"x" * 1_048_576, b"y" * 1_048_576), 1 << 30)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert (await blobs.put_stream(pieces(b"x"), 10)).size == 1


async def test_copies_stay_within_their_bound(tmp_path: Path) -> None:
    """The longest unused copies go first, and none that is in use."""
    copies = Copies(tmp_path / "copies", 20)
    fetched: list[str] = []

    async def fetch(path: Path) -> None:
        fetched.append(path.name)
        path.write_bytes(b"x" * 8)

    async with copies.hold("a", fetch) as in_use:
        for name in ("b", "c", "d", "b"):
            async with copies.hold(name, fetch):
                pass
        assert in_use.exists()
    assert fetched == ["a.part", "b.part", "c.part", "d.part", "b.part"]
    assert sum(path.stat().st_size for path in copies.folder.iterdir()) <= 20


async def test_a_copy_that_fails_is_tried_again(tmp_path: Path) -> None:
    """A broken fetch leaves no copy that the next reader would take for the file."""
    copies = Copies(tmp_path / "copies", 20)

    async def broken(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.EIO, "broken")

    async def whole(path: Path) -> None:
        path.write_bytes(b"whole")

    with pytest.raises(OSError, match="broken"):
        async with copies.hold("a", broken):
            pass
    async with copies.hold("a", whole) as path:
        assert path.read_bytes() == b"whole"
