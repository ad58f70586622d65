"""Deleting a document, so that nothing of it is left: rows, results, and bytes nobody else has.

Takes a document's id, gives whether there was one. Documents that were in it go with it. Never
takes the bytes of an original that another document has.
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
        deleted = await shop.database.transact(partial(documents.delete, document_id=id_))
        await shop.blobs.delete_document(id_)
        if deleted is not None and deleted.original:
            await shop.blobs.delete_original(deleted.document.sha256)
    shop.observer.log("deleted", {"document": document, "documents": len(whole)})
    return True


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
