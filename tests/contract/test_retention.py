"""Documents that are kept no longer, on both engines."""

import math

import msgspec
import pytest

from headworks.dispatch.queue import Queue
from headworks.model.job import Reply
from headworks.store import documents, replies
from headworks.store.database import Database
from headworks.store.documents import DocumentRow
from tests.build.jobs import job, send

pytestmark = pytest.mark.anyio


async def _put(database: Database, queue: Queue, name: str, **fields: object) -> None:
    row = DocumentRow(id=name, sha256=f"{name}-bytes", name=name, size=1, job=name)
    row = msgspec.structs.replace(row, **fields)
    await database.transact(lambda c: documents.register(c, row))
    await queue.enqueue([job(name, root=row.job)])


async def _end(database: Database, queue: Queue, *, fails: bool = False) -> None:
    (lease,) = await queue.claim("w", ["process"])
    document = lease.job.document
    if fails:
        await queue.fail(lease, "E_READER", "", retry=False)
    else:
        await queue.complete(lease, lambda c: documents.finish(c, document, lease.fence, {}))  # type: ignore[arg-type, return-value]


async def _expired(database: Database, before: float = math.inf, limit: int = 9) -> list[str]:
    found = await database.read(lambda c: documents.expired(c, before, limit))
    return list(found)


async def test_only_what_is_over_for_so_long(database: Database, queue: Queue) -> None:
    """Done, failed and cancelled documents go, the oldest first; what waits or runs stays."""
    for name in ("done", "failed"):
        await _put(database, queue, name)
        await _end(database, queue, fails=name == "failed")
    await _put(database, queue, "cancelled")
    await queue.cancel("cancelled")
    await _put(database, queue, "running")
    await queue.claim("w", ["process"])
    await _put(database, queue, "waiting")
    assert await _expired(database) == ["done", "failed", "cancelled"]
    assert await _expired(database, limit=1) == ["done"]
    row = await database.read(lambda c: documents.get(c, "done"))
    assert row is not None
    assert await _expired(database, row.created) == []
    assert await _expired(database, row.finished) == []


async def test_an_answer_that_is_asked_keeps_its_document(database: Database, queue: Queue) -> None:
    """Later work of the same job counts: a document goes when all of it is over for so long."""
    await _put(database, queue, "a")
    await _put(database, queue, "in-a", job="a", options={"parent": "a"})
    for _ in range(2):
        await _end(database, queue)
    await queue.enqueue([send("s", root="a", document="in-a")])
    assert await _expired(database) == []
    (lease,) = await queue.claim("w", ["send"])
    await queue.complete(lease)
    assert await _expired(database) == ["a", "in-a"]


async def test_nothing_of_it_is_left(database: Database, queue: Queue) -> None:
    """Jobs, events and replies go with a document; its bytes where nobody else has them."""
    await _put(database, queue, "a")
    await _end(database, queue)
    await queue.enqueue([send("s", root="a", document="a")])
    (lease,) = await queue.claim("w", ["send"])
    reply = Reply(job="s", chunk="c", target="model", body="answer")
    await queue.complete(lease, lambda c: replies.keep(c, lease, reply))
    await _put(database, queue, "b", sha256="a-bytes")
    gone = await database.transact(lambda c: documents.delete_expired(c, "a", math.inf))
    assert gone is not None
    assert (gone.jobs, gone.original) == (2, False)
    assert await queue.events("a") == ()
    assert await database.read(lambda c: replies.of_document(c, "a")) == ()
    assert await database.read(lambda c: documents.get(c, "a")) is None


async def test_what_was_taken_up_again_stays(database: Database, queue: Queue) -> None:
    """A document whose job was retried between the look and the deletion is not deleted."""
    await _put(database, queue, "a")
    await _end(database, queue, fails=True)
    assert await _expired(database) == ["a"]
    await queue.retry("a")
    assert await database.transact(lambda c: documents.delete_expired(c, "a", math.inf)) is None
    assert await database.read(lambda c: documents.get(c, "a")) is not None
