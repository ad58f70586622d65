"""Deleting a document, so that nothing of it is left: rows, results, and bytes nobody else has.

Takes a document's id, gives whether there was one; a job's id to cancel, gives how many jobs that
were. Documents in a document go with it. Never takes the bytes of an original that another has.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from headworks.service.keeping import unless_used
from headworks.service.registry import options_of
from headworks.service.shop import Shop
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import Deleted, DocumentRow

_DAY_SECONDS = 86_400.0
Delete = Callable[[Connection], Awaitable[Deleted | None]]


async def remove(shop: Shop, document: str) -> bool:
    """Delete a document and what was in it; work on it that is under way comes to nothing."""
    row = await shop.database.read(lambda connection: documents.get(connection, document))
    if row is None:
        return False
    if not options_of(row).parent:
        await shop.queue.cancel(row.job)
    whole = await shop.database.read(lambda connection: _with_members(connection, row))
    for id_ in whole:
        await _remove_one(shop, id_, partial(documents.delete, document_id=id_))
    shop.observer.log("deleted", {"document": document, "documents": len(whole)})
    return True


async def remove_expired(shop: Shop, most: int) -> int:
    """Delete some of the documents that are kept no longer; give how many they were.

    None that is worked on: not even one that was taken up again a moment ago.
    """
    kept = shop.settings.service.keep_days * _DAY_SECONDS

    async def look(connection: Connection) -> tuple[float, tuple[str, ...]]:
        before = connection.now() - kept
        return before, await documents.expired(connection, before, most)

    before, found = await shop.database.read(look)
    count = 0
    for id_ in found:
        delete = partial(documents.delete_expired, document_id=id_, before=before)
        count += await _remove_one(shop, id_, delete)
    if count:
        shop.observer.log("expired", {"documents": count})
    return count


async def _remove_one(shop: Shop, document: str, delete: Delete) -> bool:
    """Delete one document; the same sent in again meanwhile comes after its deletion."""
    async with shop.turns.of(document):
        deleted = await shop.database.transact(delete)
        if deleted is None:
            return False
        await shop.give_up(document)
        await take_results(shop, document)
    if deleted.original:
        await shop.originals.forget(shop, deleted.document.sha256)
    return True


async def take_results(shop: Shop, document: str) -> None:
    """Take a deleted document's results away; who has its turn sees to this process."""

    async def is_there(connection: Connection) -> bool:
        return await documents.get(connection, document) is not None

    async def take_away() -> None:
        await shop.blobs.delete_document(document)

    await unless_used(shop.database, documents.name_of(document), is_there, take_away)


async def cancel(shop: Shop, job: str) -> int:
    """Cancel what waits and runs of a job, and break off what runs here; give how many."""
    found = await shop.queue.get(job)
    if found is None:
        return 0
    count = await shop.queue.cancel(found.root)
    for id_ in await shop.database.read(partial(_documents_of, root=found.root)):
        await shop.give_up(id_)
    return count


async def _documents_of(connection: Connection, root: str) -> tuple[str, ...]:
    rows = await connection.fetch("SELECT DISTINCT document FROM jobs WHERE root = ?", root)
    return tuple(row["document"] for row in rows)


async def _with_members(connection: Connection, row: DocumentRow) -> tuple[str, ...]:
    """Give a document's id and those of all that was in it, to any depth."""
    rows = await connection.fetch("SELECT id, options FROM documents WHERE job = ?", row.job)
    found = {each["id"]: await documents.get(connection, each["id"]) for each in rows}
    whole = {row.id}
    while True:
        inside = {
            id_
            for id_, each in found.items()
            if each is not None and options_of(each).parent in whole
        }
        if inside <= whole:
            return (row.id, *sorted(whole - {row.id}))
        whole |= inside
