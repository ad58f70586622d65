"""References from one document of a job to another: 见附件三 in an archive that holds 附件三.

Takes a job, gives where its documents' chunks lead to each other, by the results they have now: the
same whichever was done first. Never writes into a result, never holds more than one job's files.
"""

import asyncio
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from headworks.assembly import kept
from headworks.assembly.kept import KEPT_FILE
from headworks.assembly.shapes import ChunkRecord, DoneRecord
from headworks.assembly.summary import Tally
from headworks.errors import HeadworksError
from headworks.service.linking import link
from headworks.service.one import Done
from headworks.service.registry import options_of
from headworks.service.shop import Shop
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow
from headworks.structure.across import asks, offered

_CHUNKS = "chunks.jsonl"
_NEEDED = (_CHUNKS, "document.json", "text.txt")
_LINES = msgspec.json.Decoder(ChunkRecord)
# Jobs whose documents lead nowhere, or whose links are known, by what their results are.
_MOST_KNOWN = 64
Results = tuple[tuple[str, int], ...]


class LinkRecord(msgspec.Struct, frozen=True):
    """A reference of a chunk that leads to another document of the same job.

    ``start`` and ``end`` are its place in the text of ``document``; ``chunks`` are those of
    ``to_document`` that hold the ``target``.
    """

    document: str
    chunk: str
    text: str
    start: int
    end: int
    to_document: str
    target: str
    chunks: list[str]


class Links:
    """Works links out, one job at a time; those of the last jobs are known."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._turn = asyncio.Lock()
        self._known: dict[Results, tuple[LinkRecord, ...]] = {}

    async def of(self, job: str) -> tuple[LinkRecord, ...]:
        """Give the links between the documents of a root job that are done, in their order."""
        rows = await self._shop.database.read(lambda connection: _done(connection, job))
        key = tuple((row.id, row.fence) for row in rows)
        if len(key) < 2:
            return ()
        async with self._turn:
            if key not in self._known:
                found = await self._found(rows)
                while len(self._known) >= _MOST_KNOWN:
                    del self._known[next(iter(self._known))]
                self._known[key] = found
            return self._known[key]

    async def _found(self, rows: Iterable[DocumentRow]) -> tuple[LinkRecord, ...]:
        done = [one for row in rows if (one := await self._looked_at(row)) is not None]
        wanted = {key for _, one in done for key in one.asks}
        given = {one.offer.key for _, one in done if one.offer is not None}
        met = wanted & given
        done = [
            (row, one)
            for row, one in done
            if (one.offer is not None and one.offer.key in met) or met.intersection(one.asks)
        ]
        if not met:
            return ()
        with tempfile.TemporaryDirectory(prefix="headworks-links-") as place:
            out = Path(place)
            for row, _ in done:
                await self._copied(row, out / row.id)
            return await asyncio.to_thread(_linked, out, [one for _, one in done])

    async def _looked_at(self, row: DocumentRow) -> tuple[DocumentRow, Done] | None:
        """Give what a document asks for and offers; none of an archive, or where it is gone."""
        try:
            content = await self._shop.blobs.read(row.id, row.fence, KEPT_FILE)
        except HeadworksError:
            return None
        return row, await asyncio.to_thread(_told, row, content)

    async def _copied(self, row: DocumentRow, folder: Path) -> None:
        folder.mkdir()
        for name in _NEEDED:
            content = await self._shop.blobs.read(row.id, row.fence, name)
            await asyncio.to_thread((folder / name).write_bytes, content)


async def _done(connection: Connection, job: str) -> tuple[DocumentRow, ...]:
    """Give the documents of a job that have a result, in the order of their names."""
    found = await connection.fetch("SELECT id FROM documents WHERE job = ? AND fence > 0", job)
    rows = [await documents.get(connection, each["id"]) for each in found]
    return tuple(sorted((row for row in rows if row is not None), key=_order))


def _order(row: DocumentRow) -> tuple[str, str]:
    return options_of(row).place + row.name, row.id


def _told(row: DocumentRow, content: bytes) -> Done:
    document = kept.decode(content, row.name).document
    record = DoneRecord(
        name=row.name,
        path=options_of(row).place + row.name,
        folder=row.id,
        sha256=row.sha256,
        media_type=row.media_type,
        pages=None,
        chars=len(document.text),
        chunks=0,
        skipped=0,
        warnings=0,
        profile=None,
        timings={},
    )
    return Done(record, Tally(), (), offered(document), asks(document))


def _linked(out: Path, done: list[Done]) -> tuple[LinkRecord, ...]:
    """Lead the references of copies, and give those that lead to another document."""
    link(out, done)
    return tuple(
        LinkRecord(
            one.record.folder,
            chunk.id,
            ref.text,
            ref.start,
            ref.end,
            ref.folder,
            ref.target,
            ref.chunks,
        )
        for one in done
        for chunk in _LINES.decode_lines((out / one.record.folder / _CHUNKS).read_bytes())
        for ref in chunk.references
        if isinstance(ref.folder, str)
    )
