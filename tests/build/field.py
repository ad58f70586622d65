"""A store, a queue and a delivery, over targets that do what a test says."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec

from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.errors import InputError
from headworks.model.job import Ask, Job, JobState, Reply
from headworks.store import replies
from headworks.store.sqlite import open_sqlite

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
