"""Jobs that are put in done, in the transaction of another: the chunks of a pack."""

import msgspec
import pytest

from headworks.dispatch.entering import put_in_done
from headworks.dispatch.queue import Queue
from headworks.model.job import Job
from headworks.store.database import Connection, Database
from tests.build.jobs import send
from tests.contract.test_endings import state_of

pytestmark = pytest.mark.anyio


async def test_they_are_done_with_it_and_never_claimed(queue: Queue, database: Database) -> None:
    """Done and follow-up come with the end of the first, all or nothing; what is done stays."""
    await queue.enqueue([send("pack")])
    (lease,) = await queue.claim("w", ["send"])
    ended: list[frozenset[str]] = []

    async def work(connection: Connection) -> None:
        ended.append(await put_in_done(connection, [send("a"), send("b")]))

    async def breaking(connection: Connection) -> None:
        await work(connection)
        raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="full"):
        await queue.complete(lease, breaking, [send("c")])
    assert await queue.get("a") is None
    assert await queue.complete(lease, work, [send("c")])
    assert ended[-1] == {"a", "b"}
    assert [await state_of(queue, name) for name in "abc"] == ["done", "done", "waiting"]
    claimed = await queue.claim("w", ["send"], most=9)
    assert [one.job.id for one in claimed] == ["c"]
    again = await queue.enqueue([msgspec.structs.replace(send("other"), key=send("a").key)])
    assert [one.id for one in again] == ["a"]
    assert await database.transact(lambda c: put_in_done(c, [send("a"), send("c")])) == frozenset()
    assert await state_of(queue, "c") == "running"


async def test_one_that_waits_in_a_stream_lets_the_next_through(
    queue: Queue, database: Database
) -> None:
    """Its answer came another way: the stream goes on behind it."""
    jobs = [_in_stream("a"), _in_stream("b")]
    await queue.enqueue(jobs)
    assert await database.transact(lambda c: put_in_done(c, [jobs[0]])) == {"a"}
    (lease,) = await queue.claim("w", ["send"], most=9)
    assert lease.job.id == "b"


def _in_stream(name: str) -> Job:
    return msgspec.structs.replace(send(name), stream="s")
