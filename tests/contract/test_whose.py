"""Whose is whose: lists, counts, events and deletions by client and document, on both engines."""

import pytest

from headworks.dispatch.queue import JobFilter, Queue
from headworks.store import documents
from headworks.store.database import Database
from headworks.store.documents import DocumentRow
from tests.build.jobs import job

pytestmark = pytest.mark.anyio


async def test_jobs_and_counts_of_some_clients(queue: Queue) -> None:
    """Lists and figures for some clients know nothing of the others."""
    await queue.enqueue([job(f"{client}{n}", client=client) for client in "abc" for n in range(3)])
    for scope in ("client:a", "client:b", "target:x"):
        await queue.pause(scope)
    await queue.claim("w", ["process"], most=1)
    listed = await queue.listing(JobFilter(clients=("a", "c")))
    assert {found.client for found in listed} == {"a", "c"}
    assert len(listed) == 6
    assert await queue.listing(JobFilter(clients=("a",), client="b")) == ()
    stats = await queue.stats(("a",))
    assert (stats.waiting, stats.running) == (3, 0)
    assert stats.paused == ("client:a", "target:x")
    whole = await queue.stats()
    assert (whole.waiting, whole.running) == (8, 1)


async def test_events_are_read_in_pages(queue: Queue) -> None:
    """So many at a time, in order, to the last."""
    for number in range(7):
        await queue.emit("r", "stage", {"n": number})
    found, after = [], 0
    while page := await queue.events("r", after, 3):
        assert len(page) <= 3
        after = page[-1].seq
        found += [event.body["n"] for event in page]
    assert found == list(range(7))


async def test_a_member_is_deleted_alone(database: Database, queue: Queue) -> None:
    """What was told of a document in an archive goes with it; its siblings' events stay."""
    rows = [DocumentRow(id="zip", sha256="z", name="z.zip", size=1, job="zip")]
    rows += [
        DocumentRow(id=name, sha256=name, name=name, size=1, job="zip", options={"parent": "zip"})
        for name in ("one", "two")
    ]
    for row in rows:
        await database.transact(lambda c, row=row: documents.register(c, row))  # type: ignore[misc]
    await queue.enqueue([job(name, root="zip", document=name) for name in ("zip", "one", "two")])
    for name in ("one", "two"):
        await queue.emit("zip", "chunk", {"document": name})
        await queue.emit("zip", "answered", {"job": name})
    assert await database.transact(lambda c: documents.delete(c, "one"))
    bodies = [event.body for event in await queue.events("zip")]
    assert [body for body in bodies if "one" in body.values()] == []
    assert len([body for body in bodies if "two" in body.values()]) >= 2
    assert await database.transact(lambda c: documents.delete(c, "zip"))
    assert await queue.events("zip") == ()
