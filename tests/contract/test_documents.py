"""Documents and replies in the tables, on both engines."""

import msgspec
import pytest

from headworks.dispatch.queue import Queue
from headworks.model.job import Reply
from headworks.store import documents, replies
from headworks.store.database import Database
from headworks.store.documents import DocumentFilter, DocumentRow
from tests.build.jobs import job, send

pytestmark = pytest.mark.anyio


def document(name: str, **fields: object) -> DocumentRow:
    """Give a document whose bytes are its name."""
    row = DocumentRow(id=name, sha256=f"{name}-bytes", name=f"{name}.docx", size=7, job=name)
    return msgspec.structs.replace(row, **fields)


async def test_registered_once(database: Database) -> None:
    """A document comes back as it was written down, whoever registers it again."""
    row = document("a", client="legal", options={"tags": {"x": 1}, "packs": ["p"]})
    first = await database.transact(lambda c: documents.register(c, row))
    again = await database.transact(
        lambda c: documents.register(c, msgspec.structs.replace(row, name="other.docx"))
    )
    assert first == again == msgspec.structs.replace(row, created=first.created)
    assert first.created > 0
    assert await database.read(lambda c: documents.get(c, "a")) == first
    assert await database.read(lambda c: documents.get(c, "none")) is None


async def test_finished_with_its_job(database: Database, queue: Queue) -> None:
    """The folder of a claim becomes the result in the transaction that completes the job."""
    await database.transact(lambda c: documents.register(c, document("a")))
    await queue.enqueue([job("a")])
    (lease,) = await queue.claim("w", ["process"])

    async def finish(connection: object) -> None:
        assert await documents.finish(
            connection,  # type: ignore[arg-type]
            *("a", lease.fence, {"chunks": 3}, "no OCR", {"rules": "1"}),
        )

    assert await queue.complete(lease, finish)
    found = await database.read(lambda c: documents.get(c, "a"))
    assert found is not None
    assert (found.state, found.fence, found.degraded) == ("done", lease.fence, "no OCR")
    assert (found.counts, found.versions) == ({"chunks": 3}, {"rules": "1"})
    await database.transact(lambda c: documents.answered(c, "a", 99))
    known = await database.read(documents.known)
    assert known.results == {("a", lease.fence), ("a", 99)}
    assert known.originals == {"a-bytes"}


async def test_listed_by_page_and_filter(database: Database) -> None:
    """Documents come newest first, a page at a time, by client, content and state."""
    for name in "abcd":
        client = "one" if name in "ab" else "two"
        row = document(name, client=client)
        await database.transact(lambda c, row=row: documents.register(c, row))
    await database.transact(lambda c: documents.finish(c, "d", 1, {}, "rules"))

    async def ids(wanted: DocumentFilter, after: str = "", limit: int = 100) -> str:
        page = await database.read(lambda c: documents.listing(c, wanted, after, limit))
        return "".join(row.id for row in page)

    assert await ids(DocumentFilter(), limit=2) == "dc"
    assert await ids(DocumentFilter(), "c") == "ba"
    assert await ids(DocumentFilter(client="two")) == "dc"
    assert await ids(DocumentFilter(state="done")) == "d"
    assert await ids(DocumentFilter(degraded=True)) == "d"
    assert await ids(DocumentFilter(degraded=False)) == "cba"
    assert await ids(DocumentFilter(sha256="b-bytes")) == "b"


async def test_deletion_is_complete(database: Database, queue: Queue) -> None:
    """With a document go its jobs, its events and its replies; the bytes when nobody has them."""
    for name in ("a", "b"):
        row = document(name, sha256="same")
        await database.transact(lambda c, row=row: documents.register(c, row))
        await queue.enqueue([job(name)])
    (lease,) = await queue.claim("w", ["process"])
    await queue.complete(lease, then=[send("a1", root="a", document="a")])
    (lease,) = await queue.claim("w", ["send"])
    reply = Reply(job="a1", chunk="c", target="model", body="answer")
    await queue.complete(lease, lambda c: replies.keep(c, lease, reply))
    deleted = await database.transact(lambda c: documents.delete(c, "a"))
    assert deleted is not None
    assert (deleted.jobs, deleted.original) == (2, False)
    assert await queue.events("a") == ()
    assert await queue.get("a1") is None
    assert await database.read(lambda c: replies.of_document(c, "a")) == ()
    assert await database.transact(lambda c: documents.delete(c, "a")) is None
    last = await database.transact(lambda c: documents.delete(c, "b"))
    assert last is not None
    assert last.original


async def test_a_document_deleted_while_it_waits(database: Database, queue: Queue) -> None:
    """Its job is gone: it is not claimed, and a claim that was under way completes nothing."""
    await queue.enqueue([job("a"), job("b")])
    for name in ("a", "b"):
        row = document(name)
        await database.transact(lambda c, row=row: documents.register(c, row))
    (lease,) = await queue.claim("w", ["process"])
    for name in ("a", "b"):
        await database.transact(lambda c, name=name: documents.delete(c, name))
    assert await queue.claim("w", ["process"]) == ()
    assert not await queue.complete(lease)
    assert (await queue.stats()).standings == ()


async def test_one_reply_a_job(database: Database, queue: Queue) -> None:
    """Replies come back as they were kept, in order, one for each job, by document and root."""
    await queue.enqueue([send("s1", root="r", document="d"), send("s2", root="r", document="d")])
    leases = await queue.claim("w", ["send"], most=2)
    for lease in leases:
        for body in ("first", "last"):
            reply = Reply(
                job=lease.job.id, chunk="c", target="model", body=body, tokens_in=3, degraded=""
            )
            await database.transact(
                lambda c, lease=lease, reply=reply: replies.keep(c, lease, reply)
            )
    found = await database.read(lambda c: replies.of_document(c, "d"))
    assert [(reply.job, reply.body) for reply in found] == [("s1", "last"), ("s2", "last")]
    assert await database.read(lambda c: replies.of_document(c, "d", "r")) == found
    assert await database.read(lambda c: replies.of_document(c, "d", "other")) == ()
