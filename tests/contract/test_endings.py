"""How claims end, on both engines: once, and with nothing lost."""

import asyncio

import pytest

from headworks.config_service import ServiceSettings
from headworks.dispatch.journal import emit
from headworks.dispatch.queue import JobFilter, Queue, QueueFull
from headworks.model.job import Event, Job
from headworks.store.database import Connection, Database
from tests.build.jobs import job, send
from tests.contract.test_claims import later

pytestmark = pytest.mark.anyio


async def state_of(queue: Queue, name: str) -> str:
    """Give a job's state."""
    found = await queue.get(name)
    return found.state if found else ""


async def test_equal_keys_are_one_job(queue: Queue) -> None:
    """Work that is under way or done is not put in again; failed work is."""
    (first,) = await queue.enqueue([job("a", key="k")])
    assert (await queue.enqueue([job("b", key="k")]))[0].id == "a"
    (lease,) = await queue.claim("w", ["process"])
    await queue.complete(lease)
    assert (await queue.enqueue([job("c", key="k")]))[0].state == "done"
    assert len(await queue.listing()) == 1
    await queue.enqueue([job("x", key="other")])
    (lease,) = await queue.claim("w", ["process"])
    await queue.fail(lease, "E_CORRUPT", "", retry=False)
    assert (await queue.enqueue([job("y", key="other")]))[0].id == "y"
    assert first.created > 0


async def test_equal_keys_in_one_call(queue: Queue) -> None:
    """Two jobs of one key put in together are one."""
    put = await queue.enqueue([job("a", key="k"), job("b", key="k")])
    assert [one.id for one in put] == ["a", "a"]


async def test_put_in_at_the_same_time(queue: Queue) -> None:
    """However many put the same work in at once, there is one job."""
    calls = [queue.enqueue([job(f"j{n}", key="k"), job(f"o{n}", key="l")]) for n in range(20)]
    put = await asyncio.gather(*calls)
    assert len({tuple(one.id for one in jobs) for jobs in put}) == 1


async def test_completed_once(queue: Queue, database: Database) -> None:
    """Only the last claim completes a job, with its work; an answer lost on the way is given
    again."""
    await queue.enqueue([job("a")])
    (first,) = await queue.claim("one", ["process"])
    await later(database, 10.0)
    assert await queue.expire() == 1
    (second,) = await queue.claim("two", ["process"])
    assert second.fence > first.fence
    worked: list[str] = []

    async def work(connection: Connection) -> None:
        worked.append(connection.engine)
        await connection.execute("INSERT INTO counters (name, value) VALUES ('work', 1)")

    assert not await queue.complete(first, work)
    assert await queue.fail(first, "E_IO", "", retry=True) is None
    assert not await queue.give_back(first)
    assert await queue.renew([first, second]) == (second,)
    assert await queue.complete(second, work, [job("next", kind="assemble")])
    assert await queue.complete(second, work)
    assert len(worked) == 1
    assert await state_of(queue, "next") == "waiting"


async def test_work_that_raises_undoes_the_completion(queue: Queue) -> None:
    """A job whose results cannot be written is not done."""
    await queue.enqueue([job("a")])
    (lease,) = await queue.claim("w", ["process"])

    async def work(connection: Connection) -> None:
        await connection.execute("INSERT INTO counters (name, value) VALUES ('work', 1)")
        raise ValueError("the results cannot be written")

    with pytest.raises(ValueError, match="results"):
        await queue.complete(lease, work, [job("next")])
    assert await state_of(queue, "a") == "running"
    assert await queue.get("next") is None
    assert await queue.complete(lease)


async def test_retries_go_lower_and_end(queue: Queue, database: Database) -> None:
    """A job is tried after 1, 2 and 4 s, a level lower each; the fourth failure stays."""
    await queue.enqueue([send("a", level=1)])
    seen = []
    for _ in range(4):
        (lease,) = await queue.claim("w", ["send"])
        await queue.fail(lease, "E_TARGET", "503", retry=True)
        found = await queue.get("a")
        assert found is not None
        seen.append((found.state, found.level, found.attempts))
        assert await queue.claim("w", ["send"]) == ()
        await later(database, 5.0)
    assert seen == [("waiting", 2, 1), ("waiting", 3, 2), ("waiting", 3, 3), ("failed", 3, 4)]
    delays = [event.body.get("delay") for event in await queue.events("a")]
    assert delays == [1.0, 2.0, 4.0, None]
    (failed,) = await queue.listing(JobFilter(state="failed"))
    assert (failed.code, failed.message) == ("E_TARGET", "503")
    again = await queue.retry("a")
    assert again is not None
    assert (again.state, again.level, again.attempts) == ("waiting", 1, 0)
    assert len(await queue.claim("w", ["send"])) == 1


async def test_a_poisonous_document_is_put_aside(queue: Queue, database: Database) -> None:
    """A job whose workers die three times fails with E_POISON, though none of them reported."""
    await queue.enqueue([job("a")])
    for _ in range(3):
        assert len(await queue.claim("w", ["process"])) == 1
        await later(database, 10.0)
        assert await queue.expire() == 1
    found = await queue.get("a")
    assert found is not None
    assert (found.state, found.code, found.attempts) == ("failed", "E_POISON", 3)


async def test_a_death_that_is_known_counts_at_once(queue: Queue) -> None:
    """Where the death of a worker is seen, the job waits again without its lease running out."""
    await queue.enqueue([job("a")])
    states = []
    for _ in range(3):
        (lease,) = await queue.claim("w", ["process"])
        states.append(await queue.lose(lease))
    assert states == ["waiting", "waiting", "failed"]


async def test_given_back_does_not_count(queue: Queue) -> None:
    """A job given back in a drain waits where it was, untried."""
    await queue.enqueue([job("a")])
    for _ in range(5):
        (lease,) = await queue.claim("w", ["process"])
        assert await queue.give_back(lease)
    found = await queue.get("a")
    assert found is not None
    assert (found.state, found.attempts, found.level) == ("waiting", 0, 1)


async def test_leases_are_held_by_renewal(queue: Queue, database: Database) -> None:
    """A renewed lease does not run out, and one of a cancelled job is told to be void."""
    await queue.enqueue([job("a"), job("b")])
    leases = await queue.claim("w", ["process"], most=2)
    await later(database, 4.0)
    assert set(await queue.renew(leases)) == set(leases)
    await later(database, 4.0)
    assert await queue.expire() == 0
    await queue.cancel("a")
    assert [lease.job.id for lease in await queue.renew(leases)] == ["b"]


async def test_a_start_takes_back_what_ran(queue: Queue) -> None:
    """After a crash all jobs of that service's workers wait again, and others' do not."""
    await queue.enqueue([job("a"), job("b")])
    await queue.claim("here:1", ["process"])
    await queue.claim("there:1", ["process"])
    assert await queue.restart("here:") == 1
    assert (await state_of(queue, "a"), await state_of(queue, "b")) == ("waiting", "running")


async def test_cancelled_jobs_never_run(queue: Queue) -> None:
    """Cancelling takes what waits and what runs; it may be put back by hand."""
    await queue.enqueue([job("a"), send("a1", root="a"), send("a2", root="a")])
    (lease,) = await queue.claim("w", ["process"])
    assert await queue.cancel("a") == 3
    assert await queue.cancel("a") == 0
    assert not await queue.complete(lease)
    assert await queue.claim("w", ["process", "send"], most=9) == ()
    assert await queue.retry("a1") is not None
    assert len(await queue.claim("w", ["send"])) == 1


async def test_the_queue_is_bounded(database: Database) -> None:
    """Process jobs over the bound are refused with a time to come back; follow-ups are not."""
    queue = Queue(database, ServiceSettings(max_queue=3))
    calls = [queue.enqueue([job(f"j{n}")]) for n in range(6)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    full = [one for one in outcomes if isinstance(one, QueueFull)]
    assert len(full) == 3
    assert all(1.0 <= one.retry_after <= 60.0 for one in full)
    await queue.enqueue([send(f"s{n}") for n in range(10)])
    (lease,) = await queue.claim("w", ["process"])
    await queue.complete(lease)
    await queue.enqueue([job("one-more")])
    with pytest.raises(QueueFull):
        await queue.enqueue([job("two-more")])


async def test_events_tell_the_story(queue: Queue) -> None:
    """A root job's events come in order, each once, with those of the handlers."""
    await queue.enqueue([job("a")], [Event(0, "a", "degraded", 0.0, {"stage": "ocr"})])
    (lease,) = await queue.claim("w", ["process"])
    await queue.emit("a", "stage", {"stage": "read", "page": 3})
    await queue.complete(lease, lambda connection: emit(connection, "a", "chunk", {"n": 1}))
    events = await queue.events("a")
    assert [event.kind for event in events] == [
        *("queued", "degraded", "started", "stage", "chunk", "done")
    ]
    assert events[3].body == {"stage": "read", "page": 3}
    assert await queue.events("a", events[3].seq) == events[4:]


async def test_waiting_for_news(queue: Queue) -> None:
    """Who waits is woken by what comes, and by what came just before."""
    waiting = asyncio.create_task(queue.wait("jobs", 5.0))
    await asyncio.sleep(0.01)
    await queue.enqueue([job("a")])
    assert await waiting
    assert await queue.wait("events:a", 5.0)
    assert not await queue.wait("events:other", 0.01)


async def test_drain(queue: Queue) -> None:
    """A drained queue claims nothing, waits for what is under way and gives what is left."""
    await queue.enqueue([job("a"), job("b"), job("c")])
    first, second = await queue.claim("w", ["process"], most=2)
    draining = asyncio.create_task(queue.drain(0.3))
    await asyncio.sleep(0.01)
    assert await queue.claim("w", ["process"]) == ()
    await queue.complete(first)
    assert await draining == (second,)
    await queue.give_back(second)
    assert await queue.drain(0.0) == ()
    await queue.resume("all")
    assert len(await queue.claim("w", ["process"], most=9)) == 2


async def test_counts_and_lists(queue: Queue) -> None:
    """What the queue says of itself adds up; lists come newest first, a page at a time."""
    await queue.enqueue([job("a"), job("b", level=2), send("c")])
    (lease,) = await queue.claim("w", ["process"])
    stats = await queue.stats()
    assert (stats.waiting, stats.running, stats.failed) == (2, 1, 0)
    assert sum(one.jobs for one in stats.standings) == 3
    page = await queue.listing(limit=2)
    assert [one.id for one in page] == ["c", "b"]
    assert [one.id for one in await queue.listing(before="b")] == ["a"]
    assert [one.id for one in await queue.listing(JobFilter(kind="send"))] == ["c"]
    assert lease.job.id == "a"


async def test_large_batches(queue: Queue) -> None:
    """A document's hundreds of sends go in with its completion and come out whole."""
    await queue.enqueue([job("a")])
    (lease,) = await queue.claim("w", ["process"])
    sends: list[Job] = [send(f"s{n:03}", root="a", cost=n) for n in range(500)]
    assert await queue.complete(lease, then=sends)
    claimed = await queue.claim("w", ["send"], targets=["model"], most=600)
    assert [one.job.id for one in claimed] == [f"s{n:03}" for n in range(500)]
