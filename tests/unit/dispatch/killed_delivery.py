"""A delivery in a process of its own, to be killed: notes what it asks and what was stored.

``python -m tests.unit.dispatch.killed_delivery STORE NOTES JOBS``
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from headworks.assembly import packed
from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.packing import chunks_of, is_pack
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job, Part, Reply
from headworks.store import replies
from headworks.store.database import Database
from headworks.store.sqlite import open_sqlite
from headworks.targets.base import TargetBusy

QUESTION = "question"
SCHEMA = {"type": "object", "required": ["answer"]}
PACK = 3
PACKS = [str(number) for number in range(1000, 1008)]


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
        if ask.parts:
            return await self._packed(ask)
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

    async def _packed(self, ask: Ask) -> Reply:
        """Answer a pack; of every other one the second chunk is forgotten."""
        self.note(f"asked {ask.job}")
        await asyncio.sleep(0.02)
        parts = [
            f'{{"part": {at}, "answer": {{"answer": {part.job.id}}}}}'
            for at, part in enumerate(ask.parts, 1)
            if at != 2 or int(ask.job) % 2
        ]
        body = f'{{"parts": [{", ".join(parts)}]}}'
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
    if is_pack(job):
        parts = tuple(Part(job=one, text=one.id) for one in alone(job))
        schema = packed.schema_of_all(SCHEMA, PACK)
        wanted = {"messages": (("user", QUESTION),), "schema": schema, "parts": parts}
    elif int(job.id) % 5 == 0:
        wanted = {"messages": (("user", QUESTION),), "schema": SCHEMA}
    return Ask(job=job.id, document=job.document, chunk=job.chunk or "", pipeline="p", **wanted)


def send(name: str, chunk: str) -> Job:
    """Give a send job."""
    return Job(id=name, kind="send", root="root", document="doc", key=f"key-{name}",
               chunk=chunk, target="main")  # fmt: skip


def alone(pack: Job) -> list[Job]:
    """Give the jobs that a pack's chunks are alone."""
    return [send(f"{pack.id}{at}", chunk) for at, chunk in enumerate(chunks_of(pack))]


def packs() -> list[Job]:
    """Give the jobs about several chunks."""
    return [send(name, " ".join(f"c{name}{at}" for at in range(PACK))) for name in PACKS]


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
    singles = [send(str(number), f"c{number}") for number in range(count)]
    await queue.enqueue([*singles, *packs()])
    wanted = {one.id for one in singles} | {one.id for pack in packs() for one in alone(pack)}
    delivery = Delivery(queue, {"main": target}, settings, compose, replies.keep)
    running = asyncio.create_task(delivery.run())
    while await stored(database) < wanted:
        await asyncio.sleep(0.02)
    await delivery.stop()
    await running
    await database.close()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
