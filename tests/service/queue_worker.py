"""A worker process for fault runs: claims, works a while, completes with a record of it.

``python -m tests.service.queue_worker ADDRESS NAME MILLISECONDS LEASE_SECONDS``. It ends when all
jobs have ended. What it records in the transaction of the completion is what a run is judged by.
"""

import asyncio
import contextlib
import os
import sys

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.model.job import Lease
from headworks.store.database import Connection
from headworks.store.postgres import open_postgres

AT_A_TIME = 4
OUTCOMES = (
    "CREATE TABLE IF NOT EXISTS outcomes (job TEXT NOT NULL, fence BIGINT NOT NULL,"
    " worker TEXT NOT NULL, attempt BIGINT NOT NULL)"
)


async def work_on(queue: Queue, lease: Lease, seconds: float) -> None:
    """Do a job: a while of nothing, then its completion with one record."""
    await asyncio.sleep(seconds)

    async def record(connection: Connection) -> None:
        await connection.execute(
            "INSERT INTO outcomes (job, fence, worker, attempt) VALUES (?, ?, ?, ?)",
            *(lease.job.id, lease.fence, lease.worker, lease.job.attempts),
        )

    await queue.complete(lease, record)


async def keep_house(queue: Queue, held: set[Lease], lease_seconds: float) -> None:
    """Renew what is held and take back what others have lost."""
    while True:
        await asyncio.sleep(lease_seconds / 4)
        await queue.renew(tuple(held))
        await queue.expire()


async def run(address: str, name: str, seconds: float, lease_seconds: float) -> None:
    """Work until nothing waits and nothing runs."""
    database = await open_postgres(address)
    queue = Queue(database, ServiceSettings(lease_seconds=lease_seconds, deaths=50))
    held: set[Lease] = set()
    house = asyncio.create_task(keep_house(queue, held, lease_seconds))
    worker = f"{name}:{os.getpid()}"
    running: set[asyncio.Task[None]] = set()

    def over(lease: Lease, task: asyncio.Task[None]) -> None:
        held.discard(lease)
        running.discard(task)

    while True:
        free = AT_A_TIME - len(running)
        for lease in await queue.claim(worker, ["process"], most=free) if free else ():
            held.add(lease)
            task = asyncio.create_task(work_on(queue, lease, seconds))
            running.add(task)
            task.add_done_callback(lambda task, lease=lease: over(lease, task))
        if running:
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        elif await database.read(_left) == 0:
            break
        else:
            await queue.wait("jobs", 0.2)
    house.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await house
    await database.close()


async def _left(connection: Connection) -> int:
    rows = await connection.fetch(
        "SELECT COUNT(*) AS jobs FROM jobs WHERE state IN ('waiting', 'running')"
    )
    return int(rows[0]["jobs"])


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], sys.argv[2], float(sys.argv[3]) / 1000, float(sys.argv[4])))
