"""Documents on their way to targets and back: what is sent, what is asked, what is assembled.

Takes documents that were processed, gives send jobs, asks and answers behind fences. Never asks a
target itself: delivery does; never assembles while an answer is still to come.
"""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from headworks.config import Settings
from headworks.dispatch import entering
from headworks.dispatch.asking import Asking
from headworks.dispatch.plan import Errand, Planned, jobs, plan
from headworks.dispatch.rows import COLUMNS, LIVE, job_of
from headworks.errors import InputError, user_language
from headworks.model.job import Ask, Job, Lease, Reply, work_key
from headworks.model.verdict import Priority
from headworks.service.assemble import Sent, assemble, files
from headworks.service.compose import Composer
from headworks.service.registry import options_of
from headworks.service.results import Results
from headworks.service.shop import Shop
from headworks.service.shown import shown_pages
from headworks.service.weights import MEBIBYTE
from headworks.store import documents, replies
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow
from headworks.store.folder import FolderBlobs
from headworks.store.locks import hold

# An assembly that nobody has woken looks by itself whether all answers are there: the last one
# may have failed.
_LOOK_SECONDS = 30.0
_WEIGHT = 128 * MEBIBYTE
_MOST_OPEN = 4
_NEEDED = ("document.json", "chunks.jsonl", "document.bin")


class Outbound:
    """Plans, composes, keeps and assembles for the documents of a shop."""

    def __init__(self, shop: Shop, asking: Asking) -> None:
        self._shop = shop
        self._asking = asking
        self._open: dict[str, _Open] = {}
        self._opening = asyncio.Lock()
        self._composer = Composer(asking, self._results_of, scoped=True)

    async def close(self) -> None:
        """Let go of local copies."""
        self._composer.forget()
        while self._open:
            await self._open.popitem()[1].copy.aclose()

    async def plan(self, row: DocumentRow, lease: Lease, folder: Path) -> tuple[Job, ...]:
        """Give the jobs that a document's chunks give rise to, and the one that assembles them."""
        planned = await asyncio.to_thread(self._planned, row, Results(folder))
        sends = jobs(planned)
        assembly = Job(
            id=work_key("assemble", row.id, str(lease.fence)),
            kind="assemble",
            root=row.job,
            document=row.id,
            key=work_key("assemble", row.id, str(lease.fence)),
            client=row.client,
            level=lease.job.level,
            weight=_WEIGHT,
        )
        return (*sends, assembly)

    async def compose(self, job: Job) -> Ask:
        """Give what a send job asks."""
        row = await self._row(job.document)
        async with self._opening:
            known = self._open.get(row.id)
            if known is None or known.fence != row.fence:
                await self._look_at(row)
            return await asyncio.to_thread(self._composer.compose, job)

    async def keep(self, connection: Connection, lease: Lease, reply: Reply) -> None:
        """Keep a reply in the transaction that completes its job; the last one wakes assembly."""
        job = lease.job
        await hold(connection, f"answers:{job.document}")
        await replies.keep(connection, lease, reply)
        await _wake(connection, job.document)

    async def assemble(self, lease: Lease) -> None:
        """Assemble a document's answer, or wait on where one of its chunks is still asked."""
        shop, document = self._shop, lease.job.document
        live = await shop.database.read(lambda c: _live_sends(c, document))
        if live:
            await shop.queue.give_back(lease, _LOOK_SECONDS)
            # The last answer may have come since we looked.
            await shop.database.transact(lambda c: _wake(c, document))
            return
        row = await self._row(document)
        sent = await shop.database.read(lambda c: _sent(c, document))
        async with _local(shop, row) as source:
            folder = await asyncio.to_thread(shop.blobs.result_folder, document, lease.fence)
            async with shop.blobs.open_original(row.sha256) as original:
                results = Results(source)
                shown = await asyncio.to_thread(
                    shown_pages, shop.settings.read, original, row.media_type, results
                )
            await asyncio.to_thread(self._assembled, (row, results, shown), sent, folder)
        await shop.blobs.publish(document, lease.fence)
        await shop.queue.complete(lease, _Answered(document, lease.fence).write)

    def _assembled(
        self,
        about: tuple[DocumentRow, Results, Mapping[int, str]],
        sent: Mapping[str, Sent],
        folder: Path,
    ) -> None:
        row, results, shown = about
        planned = self._planned(row, results)
        made = assemble(results, planned, sent, self._asking, document=row.id)
        for name, content in files(made, shown, user_language()):
            (folder / name).write_bytes(content)

    def _planned(self, row: DocumentRow, results: Results) -> tuple[Planned, ...]:
        errand = Errand(
            root=row.job,
            document=row.id,
            client=row.client,
            priority=msgspec.convert(row.priority, Priority),
            scope=row.id,
            stream=_stream(row),
        )
        return plan(results.shelf, self._asking, errand)

    async def _row(self, document: str) -> DocumentRow:
        row = await self._shop.database.read(lambda c: documents.get(c, document))
        if row is None or not row.fence:
            raise InputError("E_NOT_FOUND", "the document is gone", place=document)
        return row

    async def _look_at(self, row: DocumentRow) -> None:
        """Open a document's results in place of those opened longest ago."""
        self._composer.forget()
        stale = [id_ for id_ in self._open if id_ == row.id]
        stale += list(self._open)[: max(0, len(self._open) + 1 - _MOST_OPEN)]
        for id_ in dict.fromkeys(stale):
            await self._open.pop(id_).copy.aclose()
        copy = contextlib.AsyncExitStack()
        folder = await copy.enter_async_context(_local(self._shop, row))
        self._open[row.id] = _Open(row.fence, Results(folder), copy)

    def _results_of(self, document: str) -> Results:
        return self._open[document].results


def is_configured(settings: Settings) -> bool:
    """Tell whether anything may leave: a target for some pipeline, or for all."""
    named = any(pipeline.target for pipeline in settings.pipelines.values())
    return named or bool(settings.delivery.fallback)


class _Open(NamedTuple):
    """Results that are held open, and what to do with them afterwards."""

    fence: int
    results: Results
    copy: contextlib.AsyncExitStack


class _Answered:
    """What is written when an answer is assembled."""

    def __init__(self, document: str, fence: int) -> None:
        self._document = document
        self._fence = fence

    async def write(self, connection: Connection) -> None:
        """Make it the document's answer."""
        await documents.answered(connection, self._document, self._fence)


@contextlib.asynccontextmanager
async def _local(shop: Shop, row: DocumentRow) -> AsyncIterator[Path]:
    """Give a folder of this machine with the files that planning and asking need."""
    if isinstance(shop.blobs, FolderBlobs):
        yield shop.blobs.root / "documents" / row.id / str(row.fence)
        return
    with tempfile.TemporaryDirectory(prefix="headworks-results-") as place:
        for name in _NEEDED:
            content = await shop.blobs.read(row.id, row.fence, name)
            await asyncio.to_thread((Path(place) / name).write_bytes, content)
        yield Path(place)


async def _live_sends(connection: Connection, document: str) -> bool:
    """Tell whether a chunk of a document is still asked."""
    rows = await connection.fetch(
        f"SELECT id FROM jobs WHERE document = ? AND kind = 'send' AND {LIVE} LIMIT 1", document
    )
    return bool(rows)


async def _wake(connection: Connection, document: str) -> None:
    """Let a document be assembled now, where no chunk of it is still asked."""
    if not await _live_sends(connection, document):
        await connection.execute(
            "UPDATE jobs SET not_before = 0 WHERE document = ? AND kind = 'assemble'"
            " AND state = 'waiting'",
            document,
        )
        await entering.ripen(connection)


async def _sent(connection: Connection, document: str) -> dict[str, Sent]:
    """Give what became of each send job of a document, by key."""
    rows = await connection.fetch(
        f"SELECT {COLUMNS} FROM jobs WHERE document = ? AND kind = 'send' ORDER BY ticket", document
    )
    found: dict[str, Sent] = {}
    for row in rows:
        job = job_of(row)
        found[job.key] = Sent(job, await replies.of_job(connection, job.id))
    return found


def _stream(row: DocumentRow) -> str | None:
    stream = options_of(row).stream
    return None if stream is None else f"send:{stream}"
