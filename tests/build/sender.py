"""A plain sender for tests of delivery: one job at a time, retries as the queue says."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from headworks.config import Settings
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job, Lease, Reply
from headworks.store.database import Connection
from headworks.targets.base import Target, TargetBusy, TargetRefused

Compose = Callable[[Job], Awaitable[Ask]]
Keep = Callable[[Connection, Lease, Reply], Awaitable[None]]


class PlainSender:
    """Claims send jobs one after the other and keeps their replies."""

    def __init__(
        self,
        queue: Queue,
        targets: Mapping[str, Target],
        settings: Settings,
        compose: Compose,
        keep: Keep,
    ) -> None:
        self.queue, self.targets, self.compose, self.keep = queue, targets, compose, keep
        self.delay = 0.0 if settings.delivery.retry_seconds < 0.1 else None
        self._stopped = False

    async def run(self) -> None:
        """Go on until stopped."""
        while not self._stopped:
            leases = await self.queue.claim("tester", ("send",), targets=list(self.targets))
            if not leases:
                await asyncio.sleep(0.005)
                continue
            await self._sent(leases[0])

    def hopeless(self) -> bool:
        """Never."""
        return False

    async def stop(self) -> None:
        """Claim nothing more."""
        self._stopped = True

    async def _sent(self, lease: Lease) -> None:
        ask = await self.compose(lease.job)
        try:
            reply = await self.targets[lease.job.target or ""].send(ask)
        except TargetBusy as busy:
            await self.queue.fail(lease, "E_TARGET", busy.reason, True, self.delay)
            return
        except TargetRefused as refused:
            await self.queue.fail(lease, "E_TARGET", refused.reason, False)
            return

        async def keep(connection: Connection) -> None:
            await self.keep(connection, lease, reply)

        await self.queue.complete(lease, keep)
