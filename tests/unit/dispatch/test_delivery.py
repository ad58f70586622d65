"""The loop that takes chunks to their targets: over a real store, to targets of the test's own."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.errors import InputError, StorageError
from headworks.model.job import Ask, Job, JobState, Lease, Reply
from headworks.store import replies
from headworks.store.database import Connection
from headworks.store.sqlite import open_sqlite
from headworks.targets.base import TargetBusy, TargetRefused

Answer = Callable[[Ask], Awaitable[str]]
OVER = ("done", "failed", "cancelled")


class Answering:
    """A target that does what the test says, and notes what it was asked."""

    def __init__(self, name: str, answer: Answer) -> None:
        self.name = name
        self.asked: list[str] = []
        self.now = 0
        self.most = 0
        self._answer = answer

    async def send(self, ask: Ask) -> Reply:
        """Note the ask and answer it."""
        self.asked.append(ask.job)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            body = await self._answer(ask)
        finally:
            self.now -= 1
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body=body, milliseconds=5.0)

    async def close(self) -> None:
        """Nothing to let go of."""


class Field:
    """A store, a queue and a delivery over targets of the test's own."""

    def __init__(self, queue: Queue, targets: Sequence[Answering], settings: Settings) -> None:
        self.queue = queue
        self.heard: list[tuple[str, str]] = []
        by_name = {target.name: target for target in targets}
        self.delivery = Delivery(queue, by_name, settings, compose, replies.keep)
        self.delivery.hear = lambda job, _, outcome: self.heard.append((job.id, outcome))

    async def until_over(self, *ids: str) -> dict[str, Job]:
        """Run the loop until these jobs are over; give them."""
        running = asyncio.create_task(self.delivery.run())
        try:
            jobs = await self.wait_for(ids, OVER)
        finally:
            await self.delivery.stop()
            await running
        return jobs

    async def wait_for(self, ids: Sequence[str], states: Sequence[JobState]) -> dict[str, Job]:
        """Wait until each of these jobs is in one of the states."""
        while True:
            jobs = {name: await self.queue.get(name) for name in ids}
            found = {name: job for name, job in jobs.items() if job is not None}
            if all(job.state in states for job in found.values()) and len(found) == len(ids):
                return found
            await asyncio.sleep(0.01)


async def compose(job: Job) -> Ask:
    """Give an ask; the chunk ``gone`` is not there any more."""
    if job.chunk == "gone":
        raise InputError("E_NOT_FOUND", "the chunk is gone")
    if job.chunk == "broken":
        raise KeyError("text of the chunk")
    return Ask(
        job=job.id,
        document=job.document,
        chunk=job.chunk or "",
        pipeline="p",
        priority="interactive" if job.root == "person" else "nearline",
        payload=b'{"text": "One. Two. Three.", "hits": []}',
    )


def job(name: str, **changed: Any) -> Job:
    """Give a send job to the target ``main``."""
    whole = Job(id=name, kind="send", root="root", document="doc", key=f"key-{name}",
                chunk=f"chunk-{name}", target="main", level=1, cost=100)  # fmt: skip
    return msgspec.structs.replace(whole, **changed)


def with_field(
    folder: Path,
    targets: Sequence[Answering],
    work: Callable[[Field], Coroutine[Any, Any, None]],
    **changed: Any,
) -> None:
    """Run work over a store in a folder, with quick retries."""
    limits = {"main": 8, "cpu": 8} | changed.pop("limits", {})
    cpu = changed.pop("cpu", "")
    settings = Settings(
        service=ServiceSettings(lease_seconds=changed.pop("lease_seconds", 30.0)),
        delivery=DeliverySettings(**({"retry_seconds": 0.01, "breaker_failures": 50} | changed)),
        targets={
            target.name: TargetSettings(
                kind="function",
                function="-",
                max_in_flight=limits[target.name],
                cpu=cpu if target.name == "main" else "",
            )
            for target in targets
        },
    )

    async def whole() -> None:
        database = await open_sqlite(folder / "store.sqlite")
        try:
            queue = Queue(database, settings.service, attempts=settings.delivery.attempts)
            await work(Field(queue, targets, settings))
        finally:
            await database.close()

    asyncio.run(asyncio.wait_for(whole(), 20))


async def said(_: Ask) -> str:
    """Answer at once."""
    return "yes"


def failing(times: int, fault: Exception) -> Answer:
    """Fail so many times, then answer."""
    left = [times]

    async def answer(_: Ask) -> str:
        if left[0] > 0:
            left[0] -= 1
            raise fault
        return "yes"

    return answer


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


def test_a_stop_lets_what_is_under_way_end(tmp_path: Path) -> None:
    """Stopping claims nothing more and keeps the answers that were coming."""

    async def slow(_: Ask) -> str:
        await asyncio.sleep(0.1)
        return "yes"

    target = Answering("main", slow)

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("under-way")])
        running = asyncio.create_task(field.delivery.run())
        while not target.now:
            await asyncio.sleep(0.005)
        await field.queue.enqueue([job("later")])
        await field.delivery.stop()
        await running
        ended, later = await field.queue.get("under-way"), await field.queue.get("later")
        assert ended is not None
        assert later is not None
        assert (ended.state, later.state) == ("done", "waiting")

    with_field(tmp_path, [target], work, limits={"main": 1})


def test_being_cancelled_gives_the_jobs_back(tmp_path: Path) -> None:
    """A loop that is cancelled puts what it had back, untried."""

    async def never(_: Ask) -> str:
        await asyncio.sleep(3600)
        return ""

    target = Answering("main", never)

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j")])
        running = asyncio.create_task(field.delivery.run())
        while not target.now:
            await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        back = await field.queue.get("j")
        assert back is not None
        assert (back.state, back.attempts) == ("waiting", 0)

    with_field(tmp_path, [target], work)


@pytest.mark.parametrize("how", ["cancel", "give_up"])
def test_what_is_no_longer_wanted_is_broken_off(how: str, tmp_path: Path) -> None:
    """A cancelled root or a deleted document ends the ask, and nothing of it is kept."""

    async def never(_: Ask) -> str:
        await asyncio.sleep(3600)
        return ""

    target = Answering("main", never)

    async def work(field: Field) -> None:
        await field.queue.enqueue([job("j")])
        running = asyncio.create_task(field.delivery.run())
        while not target.now:
            await asyncio.sleep(0.005)
        await field.queue.cancel("root")
        if how == "give_up":
            await field.delivery.give_up("doc")
        while target.now:
            await asyncio.sleep(0.01)
        await field.delivery.stop()
        await running
        assert await field.queue._database.read(lambda c: replies.of_job(c, "j")) is None

    with_field(tmp_path, [target], work, lease_seconds=0.3)
