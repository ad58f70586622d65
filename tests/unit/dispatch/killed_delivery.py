"""A delivery in a process of its own, to be killed: notes what it asks and what was stored.

``python -m tests.unit.dispatch.killed_delivery STORE NOTES JOBS``
"""

import asyncio
import os
import sys
from pathlib import Path

from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job, Reply
from headworks.store import replies
from headworks.store.database import Database
from headworks.store.sqlite import open_sqlite
from headworks.targets.base import TargetBusy


class Noting:
    """A target that notes each ask before it answers; every seventh job fails at the first."""

    name = "main"

    def __init__(self, notes: Path) -> None:
        self._notes = os.open(notes, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
        self._asked = set(notes.read_text(encoding="utf-8").split())

    async def send(self, ask: Ask) -> Reply:
        """Note the ask, take a moment, answer."""
        self.note(f"asked {ask.job}")
        await asyncio.sleep(0.02)
        first = ask.job not in self._asked
        self._asked.add(ask.job)
        if int(ask.job) % 7 == 0 and first:
            raise TargetBusy("HTTP 500", overload=False)
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body=f"answer {ask.job}")

    async def close(self) -> None:
        """Let go of the notes."""
        os.close(self._notes)

    def note(self, line: str) -> None:
        """Write a line that a kill cannot take back."""
        os.write(self._notes, f"{line}\n".encode())


async def compose(job: Job) -> Ask:
    """Give an ask about nothing."""
    return Ask(job=job.id, document=job.document, chunk=job.chunk or "", pipeline="p")


async def stored(database: Database) -> set[str]:
    """Give the jobs whose reply is stored."""
    kept = await database.read(lambda connection: replies.of_document(connection, "doc"))
    return {reply.job for reply in kept}


async def work(store: Path, notes: Path, count: int) -> None:
    """Deliver until all is over."""
    settings = Settings(
        service=ServiceSettings(),
        targets={"main": TargetSettings(kind="function", function="-", max_in_flight=4)},
    )
    database = await open_sqlite(store)
    queue = Queue(database, settings.service)
    await queue.restart()
    target = Noting(notes)
    target.note(f"stored {' '.join(sorted(await stored(database)))}")
    await queue.enqueue(
        [
            Job(id=str(number), kind="send", root="root", document="doc", key=f"key-{number}",
                chunk=f"c{number}", target="main")
            for number in range(count)
        ]
    )  # fmt: skip
    delivery = Delivery(queue, {"main": target}, settings, compose, replies.keep)
    running = asyncio.create_task(delivery.run())
    while len(await stored(database)) < count:
        await asyncio.sleep(0.02)
    await delivery.stop()
    await running
    await database.close()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
