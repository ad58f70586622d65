"""What a running service has: the store, the queue, the rules, what watches over them.

Takes nothing by itself: ``headquarters.open_shop`` fills it. Gives its parts to the API, the
watched folder and the crew. Never does work of its own.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from headworks.config import Settings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.model.job import Job, Lease
from headworks.service.degrade import Stages
from headworks.service.keeping import Originals, Turns
from headworks.service.observe import Observer
from headworks.service.packs import Packs
from headworks.store.blobs import Blobs
from headworks.store.database import Database
from headworks.store.documents import DocumentRow

# How long a loop rests that met a fault; one that went well for a while rests little again.
_LEAST_REST_SECONDS, _MOST_REST_SECONDS, _WELL_SECONDS = 0.2, 10.0, 60.0

# From a document's row, its lease and its files to the jobs that send its chunks.
Plan = Callable[[DocumentRow, Lease, Path], Awaitable[Sequence[Job]]]


class Loop(Protocol):
    """Something that goes on beside the API: the crew, delivery, the watched folder."""

    name: str

    async def run(self) -> None:
        """Go on until ``stop``; being cancelled gives up what is under way."""
        ...

    async def stop(self) -> None:
        """Take on nothing more; ``run`` returns when what is under way is over."""
        ...

    async def give_up(self, document: str) -> None:
        """Break off what is under way for a document."""
        ...


class Shop:
    """The parts of a service, and the loops that run over them."""

    def __init__(
        self, settings: Settings, database: Database, queue: Queue, blobs: Blobs, packs: Packs
    ) -> None:
        self.settings = settings
        self.database = database
        self.queue = queue
        self.blobs = blobs
        self.packs = packs
        self.folder = Path(settings.service.folder)
        self.stages = Stages(settings.service)
        self.observer = Observer(settings.service)
        self.originals = Originals()
        # Putting a document in and deleting it take turns, by its id.
        self.turns = Turns()
        self.plan: Plan | None = None
        self.delivery: Delivery | None = None
        self.loops: list[Loop] = []
        self.closing: list[Callable[[], Awaitable[None]]] = []
        self.draining = False
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def ready(self) -> bool:
        """Tell whether work is taken on and every loop goes on."""
        running = all(not task.done() for task in self._tasks.values())
        return not self.draining and bool(self._tasks or not self.loops) and running

    async def start(self) -> None:
        """Set the loops going."""
        for loop in self.loops:
            self._tasks[loop.name] = asyncio.create_task(self._kept(loop), name=loop.name)

    async def drain(self, seconds: float | None = None) -> bool:
        """Take on nothing more and wait for what is under way; tell whether all of it ended.

        What does not end in ``seconds`` (the settings' ``drain_seconds``) is given back.
        """
        limit = self.settings.service.drain_seconds if seconds is None else seconds
        self.draining = True
        await asyncio.gather(*(loop.stop() for loop in self.loops))
        tasks = list(self._tasks.values())
        if not tasks:
            return True
        _, late = await asyncio.wait(tasks, timeout=limit)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return not late

    async def give_up(self, document: str) -> None:
        """Break off what is under way for a document that was deleted or cancelled."""
        for loop in self.loops:
            await loop.give_up(document)

    async def close(self) -> None:
        """Let go of everything; what still runs is given up."""
        self.draining = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        for close in reversed(self.closing):
            await close()
        await self.database.close()
        self.observer.close()

    async def _kept(self, loop: Loop) -> None:
        """Run a loop; a fault of one turn (a full disk, a lost database) does not end it."""
        rest = _LEAST_REST_SECONDS
        while True:
            began = time.monotonic()
            try:
                await loop.run()
            except asyncio.CancelledError:
                raise
            except Exception as fault:
                self.observer.fault(loop.name, fault)
                if time.monotonic() - began > _WELL_SECONDS:
                    rest = _LEAST_REST_SECONDS
                await asyncio.sleep(rest)
                rest = min(rest * 2, _MOST_REST_SECONDS)
                if self.draining:
                    return
            else:
                return
