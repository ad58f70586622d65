"""Deleting a document, so that nothing of it is left: rows, results, and bytes nobody else has.

Takes a document's id, gives whether there was one; a job's id to cancel, gives how many jobs that
were. Documents in a document go with it. Never takes the bytes of an original that another has.
"""

from functools import partial

from headworks.service.shop import Shop
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow


async def remove(shop: Shop, document: str) -> bool:
    """Delete a document and what was in it; work on it that is under way comes to nothing."""
    row = await shop.database.read(lambda connection: documents.get(connection, document))
    if row is None:
        return False
    whole = await shop.database.read(lambda connection: _with_members(connection, row))
    if len(whole) > 1 or row.options.get("parent", "") == "":
        await shop.queue.cancel(row.job)
    for id_ in whole:
        await shop.give_up(id_)
        deleted = await shop.database.transact(partial(documents.delete, document_id=id_))
        await shop.blobs.delete_document(id_)
        if deleted is not None and deleted.original:
            await shop.blobs.delete_original(deleted.document.sha256)
    shop.observer.log("deleted", {"document": document, "documents": len(whole)})
    return True


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
            if each is not None and each.options.get("parent") in whole
        }
        if inside <= whole:
            return (row.id, *sorted(whole - {row.id}))
        whole |= inside
