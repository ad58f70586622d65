"""Upkeep: what has to be done every few seconds, beside the work.

Takes the clock's turns; expires leases, lets the waiting age, puts degraded documents in again
when their stage is back, counts the queue, reads changed rules, deletes what is kept no longer,
sweeps files of nobody.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from headworks.service.degrade import way_of
from headworks.service.intake import again
from headworks.service.removal import remove_expired
from headworks.service.shop import Shop
from headworks.store import documents, holds
from headworks.store.database import Connection
from headworks.store.documents import DocumentFilter, DocumentRow

_TURN_SECONDS = 1.0
_EXPIRE_SECONDS = 5.0
_STATS_SECONDS = 5.0
_RULES_SECONDS = 2.0
_SWEEP_SECONDS = 3600.0
_KEEP_SECONDS = 10.0
_MOST_EXPIRED = 20  # at a time: what is under way goes on meanwhile
_PAGE = 200
_ALL = 1 << 40

Errand = Callable[[], Awaitable[None]]


class Upkeep:
    """The loop of small duties; one that fails is told and tried again at its next turn."""

    def __init__(self, shop: Shop, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = "upkeep"
        self._shop = shop
        self._clock = clock
        self._stopping = asyncio.Event()
        self._errands: tuple[tuple[float, Errand], ...] = (
            (_EXPIRE_SECONDS, self.expire),
            (_TURN_SECONDS, self.again),
            (_STATS_SECONDS, self.count),
            (_RULES_SECONDS, self.rules),
            (_KEEP_SECONDS, self.keep),
            (_SWEEP_SECONDS, self.sweep),
        )
        self._due = [0.0 for _ in self._errands]
        self._seen = self._look()

    async def run(self) -> None:
        """Do the duties until ``stop``."""
        while not self._stopping.is_set():
            await self.turn()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TURN_SECONDS):
                    await self._stopping.wait()

    async def stop(self) -> None:
        """Do no more."""
        self._stopping.set()

    async def give_up(self, document: str) -> None:
        """Have nothing under way for a document."""

    async def turn(self) -> None:
        """Do what is due."""
        now = self._clock()
        for number, (every, errand) in enumerate(self._errands):
            if now < self._due[number]:
                continue
            self._due[number] = now + every
            try:
                await errand()
            except Exception as fault:
                self._shop.observer.fault(f"upkeep {errand.__name__}", fault)

    async def expire(self) -> None:
        """Take back the work of machines that are gone, and raise what has waited long."""
        await self._shop.queue.expire()
        await self._shop.queue.promote()

    async def again(self) -> None:
        """Put degraded documents in again: all of a stage that is back, one to try one on."""
        stages = self._shop.stages
        for stage in stages.on_trial():
            await self._again(stage, 1)
        for stage in stages.back():
            self._shop.observer.log("stage_back", {"stage": stage})
            await self._again(stage, _ALL)

    async def count(self) -> None:
        """Renew the metrics of the queue and of the breakers."""
        stats, meters = await self._shop.queue.stats(), self._shop.observer
        meters.queue_length.clear()
        meters.queue_age.clear()
        meters.jobs.clear()
        ages: dict[str, float] = {}
        for one in stats.standings:
            meters.jobs.labels(one.kind, one.state).inc(one.jobs)
            if one.state == "waiting":
                level = str(one.level)
                meters.queue_length.labels(one.kind, level).set(one.jobs)
                ages[level] = max(ages.get(level, 0.0), one.oldest_seconds)
        for level, seconds in ages.items():
            meters.queue_age.labels(level).set(seconds)
        meters.breaker_states(self._shop.stages.states())

    async def rules(self) -> None:
        """Read the packs anew where one of their files has changed."""
        seen = await asyncio.to_thread(self._look)
        if seen == self._seen:
            return
        reloaded = await asyncio.to_thread(self._shop.packs.reload)
        self._seen = seen
        refused = reloaded.refused
        self._shop.observer.log(
            "rules_reloaded",
            {"changed": reloaded.changed, "refused": "" if refused is None else refused.place},
            bad=refused is not None,
        )

    async def sweep(self) -> None:
        """Delete files that belong to nobody."""
        await self._shop.database.transact(holds.lapse)
        known = await self._shop.database.read(documents.known)
        swept = await self._shop.blobs.sweep(known)
        if swept:
            self._shop.observer.log("swept", {"files": swept})

    async def keep(self) -> None:
        """Delete a few of the documents that are kept no longer."""
        if self._shop.settings.service.keep_days > 0:
            await remove_expired(self._shop, _MOST_EXPIRED)

    def _look(self) -> tuple[tuple[str, int, int], ...]:
        return tuple(
            (str(path), status.st_mtime_ns, status.st_size)
            for path in self._shop.packs.watched()
            if (status := _status(path)) is not None
        )

    async def _again(self, stage: str, most: int) -> None:
        way = way_of(stage)
        if way is None:
            return
        after = ""
        while most > 0:
            rows = await self._degraded(after)
            for row in rows:
                if way in row.degraded.split(",") and most > 0:
                    await again(self._shop, row)
                    most -= 1
            if len(rows) < _PAGE:
                return
            after = rows[-1].id

    async def _degraded(self, after: str) -> tuple[DocumentRow, ...]:
        wanted = DocumentFilter(degraded=True)

        async def work(connection: Connection) -> tuple[DocumentRow, ...]:
            return await documents.listing(connection, wanted, after, _PAGE)

        return await self._shop.database.read(work)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
