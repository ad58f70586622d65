"""Intake: from an upload, by the API or a watched folder, to a document with its job.

Takes bytes as they come with a name and wishes, gives what was accepted. The same bytes under the
same rules and settings are the same document. Never keeps half an upload.
"""

import asyncio
from collections.abc import AsyncIterator

import msgspec

from headworks.dispatch.queue import QueueFull
from headworks.errors import HeadworksError, InputError
from headworks.model.job import Job
from headworks.model.verdict import Priority
from headworks.readers.sniff import Kind, sniff
from headworks.service.keeping import Keeping, keeping
from headworks.service.packs import Chosen
from headworks.service.registry import (
    Origin,
    document_row,
    keep_packs,
    options_of,
    process_job,
)
from headworks.service.shop import Shop
from headworks.service.tasks import Way
from headworks.service.weights import memory_budget
from headworks.store import documents
from headworks.store.blobs import Stored
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow
from headworks.store.locks import hold


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was sent. ``content`` is its bytes as they come, or what ``keep`` gave for them
    within a ``Keeping`` that is open until the file is taken in.

    ``rules`` name packs in place of the service's own; documents of one ``stream`` are processed
    one after the other in the order they came.
    """

    name: str
    content: AsyncIterator[bytes] | Stored
    client: str = ""
    priority: Priority = "nearline"
    tags: dict[str, str] = {}
    rules: tuple[str, ...] = ()
    stream: str | None = None


class Accepted(msgspec.Struct, frozen=True):
    """What came of an upload: ``existing`` where the same was taken in before."""

    document: str
    job: str
    existing: bool


async def keep(shop: Shop, content: AsyncIterator[bytes], held: Keeping) -> Stored:
    """Put an upload's bytes on the disk, whole or not at all.

    Raises LimitError (E_TOO_LARGE), StorageError (E_IO: the disk is full), InputError (E_EMPTY).
    """
    stored = await held.put(content, shop.settings.service.max_upload_bytes)
    shop.observer.upload_bytes.inc(stored.size)
    return stored


async def intake(shop: Shop, upload: Upload, held: Keeping | None = None) -> Accepted:
    """Take an upload in; ``held`` is where its bytes are kept when they are already.

    Raises InputError (E_TYPE …) for what is no document, RulesError for unknown packs, QueueFull.
    """
    if held is None:
        async with keeping(shop) as own:
            return await intake(shop, upload, own)
    chosen = await _chosen(shop, upload.rules)
    content = upload.content
    stored = content if isinstance(content, Stored) else await keep(shop, content, held)
    try:
        kind = await _kind(shop, stored, upload.name)
        origin = Origin(
            name=upload.name,
            sha256=stored.sha256,
            size=stored.size,
            media_type=kind.media_type,
            client=upload.client,
            priority=upload.priority,
            tags=upload.tags,
            stream=upload.stream,
        )
        accepted = await enter(shop, document_row(origin, chosen, shop.settings), chosen)
    except (HeadworksError, QueueFull) as fault:
        outcome = fault.code if isinstance(fault, HeadworksError) else "full"
        shop.observer.uploads.labels(outcome).inc()
        raise
    held.used(stored.sha256)
    shop.observer.uploads.labels("existing" if accepted.existing else "accepted").inc()
    return accepted


async def enter(shop: Shop, row: DocumentRow, chosen: Chosen) -> Accepted:
    """Register a document and put its job in, in one transaction; one that failed is tried again.

    Raises QueueFull.
    """
    async with shop.turns.of(row.id):
        return await _entered(shop, row, chosen)


async def _entered(shop: Shop, row: DocumentRow, chosen: Chosen) -> Accepted:
    job = process_job(row, memory_budget(shop.settings.service.memory_bytes))
    known = await shop.database.read(lambda connection: documents.get(connection, row.id))
    standing = None if known is None else await shop.queue.get(known.job)
    if known is not None and standing is not None and standing.state not in ("failed", "cancelled"):
        return Accepted(known.id, known.job, True)

    async def work(connection: Connection) -> None:
        await keep_packs(connection, chosen)
        await hold(connection, documents.name_of(row.id))
        await documents.register(connection, row)

    await shop.queue.enqueue([job], work=work)
    shop.observer.log("accepted", {"document": row.id, "job": row.job, "bytes": row.size})
    return Accepted(row.id, row.job, known is not None)


async def retry(shop: Shop, job: str) -> Job | None:
    """Try a failed or cancelled job again: the cause is gone. None where it is not one."""
    put = await shop.queue.retry(job)
    if put is not None and put.kind == "process":
        document = put.document
        await shop.database.transact(lambda c: documents.mark(c, document, "accepted"))
    return put


async def again(shop: Shop, row: DocumentRow) -> Job:
    """Put a document in once more, to be processed without ways around."""
    job = process_job(row, memory_budget(shop.settings.service.memory_bytes), str(row.fence))
    return (await shop.queue.enqueue([job]))[0]


async def rerun(shop: Shop, document: str, packs: tuple[str, ...] = ()) -> Accepted:
    """Judge a document by other packs (or the present ones), without reading it again.

    It is another document of the same source; the old one and its decisions stay.
    """
    chosen = await _chosen(shop, packs)
    async with keeping(shop) as held:
        row = await _held_row(shop, document, held)
        accepted = await enter(shop, _as_before(shop, row, chosen), chosen)
        held.used(row.sha256)
    return accepted


async def _held_row(shop: Shop, document: str, held: Keeping) -> DocumentRow:
    """Give a document whose original stays while it is held. Raises InputError."""
    await held.hold((await _row(shop, document)).sha256)
    return await _row(shop, document)  # what is still there now is not deleted under us


async def _row(shop: Shop, document: str) -> DocumentRow:
    row = await shop.database.read(lambda connection: documents.get(connection, document))
    if row is None:
        raise InputError("E_NOT_FOUND", f"no document {document!r}")
    return row


def _as_before(shop: Shop, row: DocumentRow, chosen: Chosen) -> DocumentRow:
    """Give the row of the same source judged by other packs."""
    options = options_of(row)
    missed: Way = "no_ocr"
    readable = row.fence and missed not in row.degraded
    origin = Origin(
        name=row.name,
        sha256=row.sha256,
        size=row.size,
        media_type=row.media_type,
        client=row.client,
        priority=msgspec.convert(row.priority, Priority),
        tags=options.tags,
        stream=options.stream,
        place=options.place,
        read_from=row.id if readable else "",
    )
    return document_row(origin, chosen, shop.settings)


async def _chosen(shop: Shop, names: tuple[str, ...]) -> Chosen:
    """Choose packs; compiling others than the service's own takes a while."""
    if not names:
        return shop.packs.choose()
    return await asyncio.to_thread(shop.packs.choose, names)


async def _kind(shop: Shop, stored: Stored, name: str) -> Kind:
    """Look what an upload is by its content."""
    suffix = f".{name.rpartition('.')[2]}" if "." in name else ""
    try:
        async with shop.blobs.open_original(stored.sha256) as path:
            return await asyncio.to_thread(sniff, path, suffix)
    except HeadworksError as fault:
        fault.place = name  # not the hash that it is kept under
        raise
