"""The loop that takes chunks to their targets: over a real store, to targets of the test's own."""

import asyncio
from pathlib import Path

from headworks.errors import StorageError
from headworks.model.job import Ask, Lease, Reply
from headworks.store import replies
from headworks.store.database import Connection
from headworks.targets.base import TargetBusy, TargetRefused
from tests.build.field import (
    OVER,
    Answering,
    Field,
    failing,
    job,
    said,
    with_field,
)


def test_answers_are_kept_with_their_jobs_end(tmp_path: Path) -> None:
    """Each job is asked once, is done, has its reply, and its root hears of it."""
    target = Answering("main", said)

    async def work(field: Field) -> None:
        names = [f"j{number}" for number in range(30)]
        await field.queue.enqueue([job(name) for name in names])
        jobs = await field.until_over(*names)
        assert {one.state for one in jobs.values()} == {"done"}
        assert sorted(target.asked) == sorted(names)
        kept = await field.queue._database.read(lambda c: replies.of_document(c, "doc"))
        assert sorted(reply.job for reply in kept) == sorted(names)
        assert {reply.attempts for reply in kept} == {1}
        events = [event.kind for event in await field.queue.events("root")]
        assert events.count("answered") == 30
        assert target.most <= 8

    with_field(tmp_path, [target], work)


def test_failures_are_retried_three_times_each_a_level_lower(tmp_path: Path) -> None:
    """Three failures and then an answer: four attempts, and the job has gone down to level 3."""
    target = Answering("main", failing(3, TargetBusy("HTTP 500", overload=False)))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j", level=0)])
        ended = (await field.until_over("j"))["j"]
        assert (ended.state, ended.attempts, ended.level) == ("done", 4, 3)
        assert len(target.asked) == 4
        kept = await field.queue._database.read(lambda c: replies.of_job(c, "j"))
        assert kept is not None
        assert (kept.attempts, kept.degraded) == (4, "")

    with_field(tmp_path, [target], work)


def test_the_fourth_failure_ends_other_work_as_failed(tmp_path: Path) -> None:
    """Work that nobody waits for is in the failed list, with its reason and its input."""
    target = Answering("main", failing(99, TargetBusy("HTTP 500", overload=False)))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j")])
        ended = (await field.until_over("j"))["j"]
        assert (ended.state, ended.code, ended.attempts) == ("failed", "E_TARGET", 4)
        assert ended.message == "main: HTTP 500"
        assert len(target.asked) == 4

    with_field(tmp_path, [target], work)


def test_a_person_gets_what_the_rules_know(tmp_path: Path) -> None:
    """The fourth failure of interactive work ends with a degraded answer that says so."""
    target = Answering("main", failing(99, TargetBusy("timeout")))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j", root="person", level=0)])
        ended = (await field.until_over("j"))["j"]
        assert ended.state == "done"
        kept = await field.queue._database.read(lambda c: replies.of_job(c, "j"))
        assert kept is not None
        assert kept.degraded == "E_TARGET: timeout"
        assert "One." in kept.body
        assert len(target.asked) == 4
        assert ("j", "degraded") in field.heard

    with_field(tmp_path, [target], work)


def test_a_refused_ask_is_not_tried_again(tmp_path: Path) -> None:
    """What can never succeed fails at once; what has no chunk is never sent."""
    target = Answering("main", failing(99, TargetRefused("HTTP 400")))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("refused"), job("gone", chunk="gone")])
        jobs = await field.until_over("refused", "gone")
        assert (jobs["refused"].state, jobs["refused"].code) == ("failed", "E_TARGET")
        assert (jobs["gone"].state, jobs["gone"].code) == ("failed", "E_NOT_FOUND")
        assert target.asked == ["refused"]

    with_field(tmp_path, [target], work)


def test_what_breaks_outside_of_the_promise_ends_one_job(tmp_path: Path) -> None:
    """A prompt or a target that raises anything else fails its job without its words."""
    target = Answering("main", failing(99, RuntimeError("text of the chunk")))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("prompt", chunk="broken"), job("target")])
        jobs = await field.until_over("prompt", "target")
        assert jobs["prompt"].message == "the prompt raised KeyError"
        assert jobs["target"].message == "main: the target raised RuntimeError"
        assert {one.state for one in jobs.values()} == {"failed"}
        assert field.delivery.states()[0].in_flight == 0

    with_field(tmp_path, [target], work)


def test_an_answer_waits_for_a_store_that_refuses(tmp_path: Path) -> None:
    """While the store refuses, an answer that is there is kept and not asked for again."""
    target = Answering("main", said)

    async def work(field: Field) -> None:
        left = [2]

        async def refusing(connection: Connection, lease: Lease, reply: Reply) -> None:
            if left[0] > 0:
                left[0] -= 1
                raise StorageError("E_IO", "the disk is full")
            await replies.keep(connection, lease, reply)

        field.delivery._storing._keep = refusing
        await field.queue.enqueue([job("j")])
        ended = (await field.until_over("j"))["j"]
        assert ended.state == "done"
        assert target.asked == ["j"]

    with_field(tmp_path, [target], work)


def test_sent_away_at_the_door_is_no_attempt(tmp_path: Path) -> None:
    """A full server's 429 does not use up attempts: the job comes again and is done."""
    full = TargetBusy("HTTP 429", 0.01, at_door=True)
    target = Answering("main", failing(6, full))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j")])
        ended = (await field.until_over("j"))["j"]
        assert (ended.state, ended.attempts, ended.level) == ("done", 1, 1)
        assert len(target.asked) == 7

    with_field(tmp_path, [target], work)


def test_a_server_that_rests_is_not_asked(tmp_path: Path) -> None:
    """With the breaker open a person gets the rules' answer at once, other work waits."""
    target = Answering("main", failing(99, TargetBusy("HTTP 500", overload=False)))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("first")])
        running = asyncio.create_task(field.delivery.run())
        while field.delivery.states()[0].breaker != "open":
            await asyncio.sleep(0.01)
        await field.queue.enqueue(
            [job("person", root="person", level=0), job("other"), job("aged", level=0)]
        )
        await field.wait_for(["person"], OVER)
        await field.delivery.stop()
        await running
        assert target.asked == ["first"] * 2
        for name in ("other", "aged"):
            one = await field.queue.get(name)
            assert one is not None
            assert (one.state, one.attempts) == ("waiting", 0)
        kept = await field.queue._database.read(lambda c: replies.of_job(c, "person"))
        assert kept is not None
        assert kept.degraded == "E_TARGET: the target rests after failures"

    with_field(tmp_path, [target], work, breaker_failures=2)


def test_a_target_that_does_not_come_back_is_hopeless(tmp_path: Path) -> None:
    """After two rests in a row who only waits for it may stop; its work waits, untried."""
    target = Answering("main", failing(99, TargetBusy("no connection", overload=False)))

    async def work(field: Field) -> None:
        await field.queue.enqueue([job(f"j{number}") for number in range(20)])
        assert not field.delivery.hopeless()
        running = asyncio.create_task(field.delivery.run())
        while not field.delivery.hopeless():
            await asyncio.sleep(0.01)
        await field.delivery.stop()
        await running
        assert (await field.queue.stats()).failed == 0
        assert len(target.asked) <= 20

    with_field(tmp_path, [target], work, breaker_failures=2, breaker_seconds=0.05)


def test_one_trial_shows_that_it_is_back(tmp_path: Path) -> None:
    """After its rest one job is tried; when it is answered, all the others go."""
    target = Answering("main", failing(2, TargetBusy("HTTP 500", overload=False)))

    async def work(field: Field) -> None:
        names = [f"j{number}" for number in range(6)]
        await field.queue.enqueue([job(name) for name in names])
        jobs = await field.until_over(*names)
        assert {one.state for one in jobs.values()} == {"done"}

    with_field(
        tmp_path, [target], work, breaker_failures=2, breaker_seconds=0.05, limits={"main": 2}
    )


def test_a_person_goes_before_and_past_other_work(tmp_path: Path) -> None:
    """With all places taken a person's ask still starts, within the bound of the settings."""
    release = asyncio.Event()

    async def answer(ask: Ask) -> str:
        if not ask.job.startswith("person"):
            await release.wait()
        return "yes"

    target = Answering("main", answer)

    async def work(field: Field) -> None:
        server = field.delivery._servers["main"]
        server.limit._set(2)
        await field.queue.enqueue([job(f"j{number}") for number in range(9)])
        running = asyncio.create_task(field.delivery.run())
        while target.now < 2:
            await asyncio.sleep(0.01)
        await field.queue.enqueue([job("person", root="person", level=0, cost=9000)])
        ended = await field.wait_for(["person"], OVER)
        assert ended["person"].state == "done"
        assert target.now == 2
        release.set()
        await field.wait_for([f"j{number}" for number in range(9)], OVER)
        await field.delivery.stop()
        await running

    with_field(tmp_path, [target], work)


def test_the_smallest_goes_first(tmp_path: Path) -> None:
    """One at a time, jobs go out by level and then by size."""
    target = Answering("main", said)

    async def work(field: Field) -> None:
        await field.queue.enqueue(
            [
                job("big", cost=900),
                job("small", cost=10),
                job("late", level=2, cost=1),
                job("middle", cost=300),
            ]
        )
        await field.until_over("big", "small", "middle", "late")
        assert target.asked == ["small", "middle", "big", "late"]

    with_field(tmp_path, [target], work, limits={"main": 1})


def test_small_work_goes_to_the_cpu_and_heavy_work_waits(tmp_path: Path) -> None:
    """When the device is full its small jobs are answered by the CPU's target."""
    release = asyncio.Event()

    async def held(_: Ask) -> str:
        await release.wait()
        return "yes"

    main, cpu = Answering("main", held), Answering("cpu", said)

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("first", cost=1)])
        running = asyncio.create_task(field.delivery.run())
        while not main.now:
            await asyncio.sleep(0.01)
        await field.queue.enqueue([job("small", cost=50), job("heavy", cost=5000)])
        await field.wait_for(["small"], OVER)
        heavy = await field.queue.get("heavy")
        assert heavy is not None
        assert heavy.state != "done"
        assert cpu.asked == ["small"]
        kept = await field.queue._database.read(lambda c: replies.of_job(c, "small"))
        assert kept is not None
        assert kept.target == "cpu"
        release.set()
        await field.wait_for(["heavy"], OVER)
        await field.delivery.stop()
        await running
        assert "heavy" in main.asked

    with_field(tmp_path, [main, cpu], work, limits={"main": 1}, cpu="cpu")
