"""Originals between two processes of one database: nobody takes away what another is to use."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from headworks.service.keeping import Originals, keeping, unless_used
from headworks.store import documents, holds
from headworks.store.blobs import Blobs
from headworks.store.database import Connection, Database
from headworks.store.documents import DocumentRow
from headworks.store.folder import FolderBlobs

pytestmark = pytest.mark.anyio

_BYTES = b"the same bytes"
_SHA256 = hashlib.sha256(_BYTES).hexdigest()


class Process:
    """A process of a service: the database and the files are everybody's, what it holds its own."""

    def __init__(self, database: Database, root: Path) -> None:
        self.database = database
        self.blobs: Blobs = FolderBlobs(root)
        self.originals = Originals()


class Slow(FolderBlobs):
    """Files whose deletion waits to be let through."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.begun, self.through = asyncio.Event(), asyncio.Event()

    async def delete_original(self, sha256: str) -> None:
        """Delete when it may."""
        self.begun.set()
        await self.through.wait()
        await super().delete_original(sha256)


async def _stream() -> AsyncIterator[bytes]:
    yield _BYTES


def _original(root: Path) -> Path:
    return next((root / "originals").glob(f"*/{_SHA256}"), root / "none")


@pytest.fixture
def engine() -> str:
    """Two processes share a database on PostgreSQL alone."""
    return "postgres"


async def test_what_another_process_is_about_to_use_stays(
    database: Database, tmp_path: Path
) -> None:
    """A deletion in one process leaves bytes that an upload in another has put down."""
    one, other = Process(database, tmp_path), Process(database, tmp_path)
    row = DocumentRow(id="d", sha256=_SHA256, name="d.md", size=1)
    async with keeping(one) as held:
        await held.put(_stream(), 100)
        assert not await other.originals.forget(other, _SHA256)
        await database.transact(lambda c: documents.register(c, row))
        held.used(_SHA256)
    assert not await other.originals.forget(other, _SHA256)
    assert _original(tmp_path).read_bytes() == _BYTES
    await database.transact(lambda c: documents.delete(c, "d"))
    assert await other.originals.forget(other, _SHA256)
    assert not _original(tmp_path).exists()


async def test_an_upload_waits_for_a_deletion_of_the_same(
    database: Database, tmp_path: Path
) -> None:
    """Bytes put down while another process takes the same away are there afterwards."""
    one, other = Process(database, tmp_path), Process(database, tmp_path)
    other.blobs = slow = Slow(tmp_path)
    forgetting = asyncio.create_task(other.originals.forget(other, _SHA256))
    await slow.begun.wait()
    async with keeping(one) as held:
        putting = asyncio.create_task(held.put(_stream(), 100))
        await asyncio.sleep(0.1)
        assert not putting.done()
        slow.through.set()
        assert await forgetting
        await putting
        assert _original(tmp_path).read_bytes() == _BYTES
    assert not _original(tmp_path).exists()  # nobody has used it


async def test_results_of_a_document_that_is_there_again_stay(database: Database) -> None:
    """Files are not taken away after a document has been put in again elsewhere."""
    taken: list[str] = []

    async def is_there(connection: Connection) -> bool:
        return await documents.get(connection, "d") is not None

    async def take_away() -> None:
        taken.append("d")

    row = DocumentRow(id="d", sha256=_SHA256, name="d.md", size=1)
    assert await unless_used(database, documents.name_of("d"), is_there, take_away)
    await database.transact(lambda c: documents.register(c, row))
    assert not await unless_used(database, documents.name_of("d"), is_there, take_away)
    assert taken == ["d"]


async def test_what_lost_machines_held_is_let_go(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hold ends by itself; until then its bytes are not swept."""
    await database.transact(lambda c: holds.keep(c, _SHA256, "lost"))
    assert (await database.read(documents.known)).originals == {_SHA256}
    monkeypatch.setattr(holds, "_SECONDS", -1.0)
    await database.transact(lambda c: holds.keep(c, _SHA256, "lost"))
    assert not await database.read(lambda c: holds.held(c, _SHA256))
    await database.transact(holds.lapse)
    assert await database.read(lambda c: c.fetch("SELECT * FROM holds")) == []
