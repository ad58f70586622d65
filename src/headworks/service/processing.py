"""One document's way through the service: from its lease to its result.

Takes a lease, gives files behind its fence and the rows that belong to them, in one transaction.
Never trusts that it still holds the lease: a stale fence changes nothing.
"""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import msgspec

from headworks.dispatch import journal
from headworks.errors import HeadworksError
from headworks.model.job import Lease
from headworks.service.keeping import keeping
from headworks.service.members import Joined, take_in
from headworks.service.registry import Options, options_of, packs_of
from headworks.service.removal import take_results
from headworks.service.shop import Shop
from headworks.service.tasks import (
    INPUT_FOLDER,
    MEMBERS_FOLDER,
    READ_FILE,
    Died,
    End,
    Finished,
    PackSource,
    Refused,
    Task,
    Way,
)
from headworks.service.telling import Telling
from headworks.service.weights import format_of
from headworks.service.workplace import Workplace
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow
from headworks.store.locks import hold_all

# Sets of packs whose bytes are held.
_MOST_PACKS = 32


class Processing:
    """Processes leased documents at a workplace."""

    def __init__(self, shop: Shop, workplace: Workplace) -> None:
        self._shop = shop
        self._workplace = workplace
        self._packs: dict[tuple[tuple[str, str], ...], tuple[PackSource, ...]] = {}

    async def run(self, lease: Lease, freed: Callable[[], None] = lambda: None) -> None:
        """Process a document and end its lease; ``freed`` hears when its worker has nothing to do.

        What is left then (flushing files, the transaction) needs no worker.
        """
        shop, document = self._shop, lease.job.document
        row, packs = await shop.database.read(lambda c: self._known(c, document))
        if row is None:  # deleted while it waited
            await shop.queue.complete(lease)
            return
        format_ = format_of(row.media_type)
        rest = shop.stages.reader_rests(format_)
        if rest:
            await shop.queue.give_back(lease, rest)
            return
        ways = shop.stages.ways(format_)
        outcomes: dict[str, bool] = {}
        telling = Telling(shop.database, lease.job)
        began, limit = monotonic(), shop.settings.service.document_seconds
        try:
            async with telling:
                task = await self._task(lease, row, packs, ways)
                folder = Path(task.folder)
                async with shop.blobs.open_original(row.sha256) as path:
                    task = msgspec.structs.replace(task, path=str(path))
                    end = await self._workplace.run(task, telling.hear, limit)
                freed()
                outcomes = _outcomes(end)
        finally:
            shop.stages.heard(format_, ways, outcomes)
            shop.observer.breaker_states(shop.stages.states())
        seconds = monotonic() - began
        shop.observer.ended(lease.job, format_, end, seconds)
        if isinstance(end, Finished):
            await self._finish(lease, row, _Ending(lease, end, telling), folder)
            shop.observer.traced(lease.job, end, telling.chunks, seconds)
        else:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            await telling.flush()
            await self._refuse(lease, end, format_)

    async def failed(self, document: str) -> None:
        """Say that a document has failed for good."""
        await self._shop.database.transact(lambda c: documents.mark(c, document, "failed"))

    async def _known(
        self, connection: Connection, document: str
    ) -> tuple[DocumentRow | None, tuple[PackSource, ...]]:
        """Give a document's row and the packs that it is judged by."""
        row = await documents.get(connection, document)
        if row is None:
            return None, ()
        packs = options_of(row).packs
        if packs not in self._packs:
            if len(self._packs) >= _MOST_PACKS:
                self._packs.clear()
            self._packs[packs] = await packs_of(connection, options_of(row))
        return row, self._packs[packs]

    async def _task(
        self, lease: Lease, row: DocumentRow, packs: tuple[PackSource, ...], ways: tuple[Way, ...]
    ) -> Task:
        """Give the task for a worker, its folder made; where the original is is not said yet."""
        shop, options = self._shop, options_of(row)
        folder = await asyncio.to_thread(shop.blobs.result_folder, row.id, lease.fence)
        return Task(
            job=lease.job.id,
            document=row.id,
            path="",
            name=row.name,
            folder=str(folder),
            settings=shop.settings,
            packs=packs,
            parsed=await self._parsed(options, folder),
            media_type=row.media_type,
            tags=options.tags,
            ways=ways,
            seconds=shop.settings.service.document_seconds,
        )

    async def _parsed(self, options: Options, folder: Path) -> str:
        """Give the place of the document as it was read for other rules; empty where it is not."""
        if not options.read_from:
            return ""
        shop = self._shop
        row = await shop.database.read(
            lambda connection: documents.get(connection, options.read_from)
        )
        if row is None or not row.fence:
            return ""
        try:
            content = await shop.blobs.read(row.id, row.fence, READ_FILE)
        except HeadworksError:  # swept or deleted: it is read anew
            return ""
        place = folder / INPUT_FOLDER
        place.mkdir()
        path = place / READ_FILE
        await asyncio.to_thread(path.write_bytes, content)
        return str(path)

    async def _finish(
        self, lease: Lease, row: DocumentRow, ending: "_Ending", folder: Path
    ) -> None:
        """Publish the result, then make it the document's, with all that follows from it."""
        shop, end = self._shop, ending.end
        async with keeping(shop) as held:
            try:
                ending.joined = await take_in(shop, row, end.members, (folder, held))
                await asyncio.to_thread(_without_work, folder)
                plan = None if end.archive else shop.plan
                sends = [] if plan is None else await plan(row, lease, folder)
                await shop.blobs.publish(row.id, lease.fence)
            except BaseException:  # a full disk needs the room: nobody will ever read this
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
                raise
            if not await shop.queue.complete(lease, ending.write, [*ending.joined.jobs, *sends]):
                await self._forget(lease, folder)
                return
            for member in ending.joined.rows:
                held.used(member.sha256)
        shop.observer.job_seconds.labels(str(lease.job.level)).observe(max(0.0, ending.seconds))

    async def _forget(self, lease: Lease, folder: Path) -> None:
        """Take away what was made for nothing: cancelled, deleted, or done by somebody else."""
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        document, shop = lease.job.document, self._shop
        async with shop.turns.of(document):
            await take_results(shop, document)

    async def _refuse(self, lease: Lease, end: Refused | Died, format_: str) -> None:
        queue = self._shop.queue
        if isinstance(end, Refused):
            state = await queue.fail(lease, end.code, end.message, retry=end.again)
        elif end.timed_out:
            seconds = self._shop.settings.service.document_seconds
            state = await queue.fail(lease, "E_TIMEOUT", f"{seconds:g} s", retry=False)
        else:
            state = await queue.lose(lease)
        if state == "failed":
            self._shop.observer.failed(format_)
            await self.failed(lease.job.document)


class _Ending:
    """What is written when a document is done."""

    def __init__(self, lease: Lease, end: Finished, telling: Telling) -> None:
        self.end = end
        self.joined = Joined()
        self.seconds = 0.0
        self._lease = lease
        self._telling = telling

    async def write(self, connection: Connection) -> None:
        """Write the rows; it is undone where the lease is stale."""
        lease, end = self._lease, self.end
        self.seconds = connection.now() - lease.job.created
        await self._telling.write(connection)
        await hold_all(connection, [documents.name_of(row.id) for row in self.joined.rows])
        for row in self.joined.rows:
            await documents.register(connection, row)
        counts, degraded = _counts(end, self.joined), ",".join(end.ways)
        await documents.finish(
            connection, lease.job.document, lease.fence, counts, degraded, end.versions
        )
        if end.ways:
            body: journal.Body = {"document": lease.job.document, "ways": degraded}
            await journal.emit(connection, lease.job.root, "degraded", body)


def _counts(end: Finished, joined: Joined) -> dict[str, int]:
    counts = {
        "chars": end.chars,
        "chunks": end.chunks,
        "skipped": end.skipped,
        "warnings": end.warnings,
        "members": len(joined.rows),
        "members_failed": joined.failed,
    }
    if end.pages is not None:
        counts["pages"] = end.pages
    return counts


def _outcomes(end: End) -> dict[str, bool]:
    """Give what an end says of the stages; a death says it of the one that was under way."""
    if not isinstance(end, Died):
        return end.outcomes
    stage = {"read": "reader", "ocr": "ocr"}.get(end.stage)
    return {} if stage is None else {stage: False}


def _without_work(folder: Path) -> None:
    """Take away what only the work needed."""
    for name in (INPUT_FOLDER, MEMBERS_FOLDER):
        shutil.rmtree(folder / name, ignore_errors=True)
