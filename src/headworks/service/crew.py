"""The crew: claims documents, has workers process them, completes them. One loop a machine.

Takes leases from the queue, gives results behind fences. Never completes what it does not hold,
never takes on more than memory allows; what it cannot end when it is stopped it gives back.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from headworks.dispatch.queue import UNBOUNDED
from headworks.errors import HeadworksError
from headworks.model.job import JobKind, Lease
from headworks.service.processing import Processing
from headworks.service.shop import Shop
from headworks.service.weights import memory_budget
from headworks.service.workplace import Workplace

_REST_SECONDS = 1.0
_SHARE_OF_LEASE = 3.0
# Documents a worker, the one it has included, whose results are not all on the disk yet.
_MOST_ENDING = 4

Assemble = Callable[[Lease], Awaitable[None]]


class Crew:
    """The loop over process jobs and, where a way to do them is handed in, assemble jobs."""

    def __init__(
        self, shop: Shop, workplace: Workplace, name: str, assemble: Assemble | None = None
    ) -> None:
        self.name = "crew"
        self.worker = name
        self.workplace = workplace
        self._shop = shop
        self._processing = Processing(shop, workplace)
        self._assemble = assemble
        self._budget = memory_budget(shop.settings.service.memory_bytes)
        self._running: dict[asyncio.Task[None], Lease] = {}
        # Those of them whose worker is busy with them.
        self._at_work: dict[asyncio.Task[None], Lease] = {}
        self._stopping = asyncio.Event()
        self._freed = asyncio.Event()

    @property
    def leases(self) -> tuple[Lease, ...]:
        """Give what is under way."""
        return tuple(self._running.values())

    @property
    def at_work(self) -> tuple[Lease, ...]:
        """Give what workers are busy with."""
        return tuple(self._at_work.values())

    async def run(self) -> None:
        """Claim and work until ``stop``, then wait for what is under way."""
        await self.workplace.start()
        renewing = asyncio.create_task(self._renew())
        try:
            while not self._stopping.is_set():
                if not await self._claim():
                    await self._rest()
            await self._over(self._running)
        except asyncio.CancelledError:
            running = list(self._running)
            for task in running:
                task.cancel()
            await self._over(running)
            raise
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def stop(self) -> None:
        """Claim nothing more."""
        self._stopping.set()
        self._freed.set()

    async def give_up(self, document: str) -> None:
        """Break off what is under way for a document that was deleted or cancelled."""
        tasks = [task for task, lease in self._running.items() if lease.job.document == document]
        for task in tasks:
            task.cancel()
        await self._over(tasks)

    async def _claim(self) -> bool:
        """Claim as much as workers and memory allow; tell whether there was anything."""
        size = self.workplace.size
        free = min(size - len(self._at_work), _MOST_ENDING * size - len(self._running))
        if free < 1:
            return False
        used = sum(lease.job.weight for lease in self._at_work.values())
        # The heaviest of all may come when nothing else runs.
        room, most = (self._budget - used, free) if self._at_work else (UNBOUNDED, 1)
        kinds: tuple[JobKind, ...] = ("process", "assemble") if self._assemble else ("process",)
        leases = await self._shop.queue.claim(self.worker, kinds, room, most=most)
        for lease in leases:
            task = asyncio.create_task(self._work(lease), name=f"{lease.job.kind} {lease.job.id}")
            self._running[task] = self._at_work[task] = lease
            task.add_done_callback(self._ended)
        self._note()
        return bool(leases)

    async def _work(self, lease: Lease) -> None:
        """Do a job; whatever happens, the lease is ended or its time runs out."""
        try:
            if lease.job.kind == "assemble" and self._assemble is not None:
                await self._assemble(lease)
            else:
                own = asyncio.current_task()
                await self._processing.run(lease, lambda: self._free(own))
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await asyncio.shield(self._shop.queue.give_back(lease))
            raise
        except Exception as fault:
            self._shop.observer.fault(f"crew {lease.job.kind}", fault)
            code, message = told(fault)
            with contextlib.suppress(Exception):
                state = await self._shop.queue.fail(lease, code, message, retry=True)
                if state == "failed" and lease.job.kind == "process":
                    await self._processing.failed(lease.job.document)

    def _free(self, task: "asyncio.Task[None] | None") -> None:
        """Say that a task needs its worker no more: another document may come."""
        if task is not None:
            self._at_work.pop(task, None)
        self._freed.set()
        self._note()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._free(task)
        if not task.cancelled():
            task.exception()

    async def _rest(self) -> None:
        """Wait until there may be something to claim."""
        self._freed.clear()
        if self._stopping.is_set():
            return
        waits = {asyncio.create_task(self._freed.wait())}
        if self.workplace.size > len(self._at_work):
            waits.add(asyncio.create_task(self._shop.queue.wait("jobs", _REST_SECONDS)))  # type: ignore[arg-type]
        try:
            await asyncio.wait(waits, timeout=_REST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _renew(self) -> None:
        """Hold the leases; work whose lease is lost is given up."""
        seconds = self._shop.settings.service.lease_seconds / _SHARE_OF_LEASE
        missed: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(seconds)
            held = dict(self._running)
            try:
                kept = await self._shop.queue.renew(tuple(held.values()))
            except Exception as fault:  # the database is away: what is done meanwhile is fenced
                self._shop.observer.fault("renew", fault)
                continue
            alive = {(lease.job.id, lease.fence) for lease in kept}
            gone = {t for t, lease in held.items() if (lease.job.id, lease.fence) not in alive}
            for task in gone & missed:  # twice: it is not just about to end
                if not task.done():
                    task.cancel()
                    self._shop.observer.log("lease_lost", {"job": held[task].job.id}, bad=True)
            missed = gone

    def _note(self) -> None:
        meters = self._shop.observer
        meters.workers.labels("busy").set(len(self._at_work))
        meters.workers.labels("free").set(self.workplace.size - len(self._at_work))
        meters.memory.set(sum(lease.job.weight for lease in self._at_work.values()))

    @staticmethod
    async def _over(tasks: "list[asyncio.Task[None]] | dict[asyncio.Task[None], Lease]") -> None:
        """Wait until all are over."""
        await asyncio.gather(*list(tasks), return_exceptions=True)


def told(fault: BaseException) -> tuple[str, str]:
    """Give code and message of a fault, without words of a document."""
    if isinstance(fault, HeadworksError):
        return fault.code, fault.message
    if isinstance(fault, OSError):
        return "E_IO", fault.strerror or type(fault).__name__
    return "E_FAULT", type(fault).__name__
