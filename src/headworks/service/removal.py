"""Deletion and cancelling: a document with all that was made of it, a job with all it gave rise to.

Takes ids, gives whether there was anything. Never leaves a file, a row or a reply of what it
deletes; bytes that another document has too stay for that one.
"""

from headworks.service.registry import options_of
from headworks.service.shop import Shop
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow


async def remove(shop: Shop, document: str) -> bool:
    """Delete a document and the documents in it; False where there is none."""
    row = await shop.database.read(lambda connection: documents.get(connection, document))
    if row is None:
        return False
    for id_ in await shop.database.read(_Inside(row).look):
        await remove(shop, id_)
    gone = await shop.database.transact(lambda c: documents.delete(c, document))
    await shop.give_up(document)
    await shop.blobs.delete_document(document)
    if gone is not None and gone.original:
        await shop.blobs.delete_original(row.sha256)
    shop.observer.log("deleted", {"document": document})
    await shop.database.notify(f"events:{row.job}")
    return True


async def cancel(shop: Shop, job: str) -> int:
    """Cancel what waits and runs of a job; give how many jobs that were."""
    found = await shop.queue.get(job)
    if found is None:
        return 0
    count = await shop.queue.cancel(found.root)
    for id_ in await shop.database.read(_Running(found.root).look):
        await shop.give_up(id_)
    return count


class _Inside:
    """Finds the documents that are right inside one."""

    def __init__(self, row: DocumentRow) -> None:
        self._row = row

    async def look(self, connection: Connection) -> tuple[str, ...]:
        """Give their ids."""
        rows = await connection.fetch("SELECT id FROM documents WHERE job = ?", self._row.job)
        found = [await documents.get(connection, row["id"]) for row in rows]
        parent = self._row.id
        return tuple(row.id for row in found if row and options_of(row).parent == parent)


class _Running:
    """Finds the documents of a root job."""

    def __init__(self, root: str) -> None:
        self._root = root

    async def look(self, connection: Connection) -> tuple[str, ...]:
        """Give their ids."""
        statement = "SELECT DISTINCT document FROM jobs WHERE root = ?"
        return tuple(row["document"] for row in await connection.fetch(statement, self._root))
