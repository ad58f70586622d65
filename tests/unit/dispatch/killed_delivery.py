"""A delivery in a process of its own, to be killed: notes what it asks and what was stored.

``python -m tests.unit.dispatch.killed_delivery STORE NOTES JOBS``
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

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

QUESTION = "question"


class Noting:
    """A target that notes each ask before it answers; every seventh job fails at the first.

    To every fifth it gives what does not read, until it is told so.
    """

    name = "main"

    def __init__(self, notes: Path) -> None:
        self._notes = os.open(notes, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
        self._asked = set(notes.read_text(encoding="utf-8").split())

    async def send(self, ask: Ask) -> Reply:
        """Note the ask, take a moment, answer."""
        again = len(ask.messages) > 0 and ask.messages[-1][1] != QUESTION
        self.note(f"again {ask.job}" if again else f"asked {ask.job}")
        await asyncio.sleep(0.02)
        if ask.schema is not None and not again:
            return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body="no JSON")
        first = ask.job not in self._asked
        self._asked.add(ask.job)
        if int(ask.job) % 7 == 0 and first:
            raise TargetBusy("HTTP 500", overload=False)
        body = f'{{"answer": {ask.job}}}'
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body=body)

    async def close(self) -> None:
        """Let go of the notes."""
        os.close(self._notes)

    def note(self, line: str) -> None:
        """Write a line that a kill cannot take back."""
        os.write(self._notes, f"{line}\n".encode())


async def compose(job: Job) -> Ask:
    """Give an ask about nothing; every fifth wants JSON."""
    wanted: dict[str, Any] = {}
    if int(job.id) % 5 == 0:
        schema = {"type": "object", "required": ["answer"]}
        wanted = {"messages": (("user", QUESTION),), "schema": schema}
    return Ask(job=job.id, document=job.document, chunk=job.chunk or "", pipeline="p", **wanted)


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
