"""The queue: everything that may be done with jobs, each in one transaction of the store.

Takes jobs and leases, gives jobs, leases and events. Never loses a job, never lets two claims
complete it, never holds more process jobs than its bound.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

from headworks.config_service import ServiceSettings
from headworks.dispatch import ageing, endings, entering, journal, order, standing
from headworks.dispatch.places import Places, QueueFull
from headworks.dispatch.standing import JobFilter, QueueStats
from headworks.errors import ConfigError
from headworks.model.job import Event, Job, JobKind, JobState, Lease
from headworks.store.database import Connection, Database

__all__ = ["ATTEMPTS", "UNBOUNDED", "JobFilter", "Queue", "QueueFull", "QueueStats"]

# A job is tried four times: at once and after 1, 2 and 4 s.
ATTEMPTS = 4
# Room for whatever comes.
UNBOUNDED = 1 << 62
# Counting all jobs takes a while where there are a million: it is done that often at most.
_STATS_SECONDS = 2.0
# And where there are very many, it takes one part in so many of the time.
_STATS_SHARE = 20.0


class Queue:
    """The queue over a database of either engine."""

    def __init__(
        self, database: Database, settings: ServiceSettings, *, attempts: int = ATTEMPTS
    ) -> None:
        self._database = database
        self._settings = settings
        self._attempts = attempts
        self._draining = False
        self._held: dict[tuple[str, int], Lease] = {}
        # Claims go one by one in all processes: those of this one do not queue up at the server,
        # each with a connection that others could use.
        self._claiming: contextlib.AbstractAsyncContextManager[object] = (
            asyncio.Lock() if database.engine == "postgres" else contextlib.nullcontext()
        )
        self._places = Places(database, settings.max_queue)
        self._stats: tuple[float, QueueStats] | None = None

    async def enqueue(
        self,
        jobs: Sequence[Job],
        events: Sequence[Event] = (),
        work: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> tuple[Job, ...]:
        """Put jobs in and give each as it stands: a live or done one of the same key instead.

        ``events`` are written with them; their number and time are set here. ``work`` is done in
        the same transaction, before. Raises QueueFull.
        """
        wanted = sum(job.kind == "process" for job in jobs)
        await self._places.take(wanted)

        async def enter(connection: Connection) -> tuple[Job, ...]:
            if work is not None:
                await work(connection)
            put = await entering.put_in(connection, jobs)
            for event in events:
                await journal.emit(connection, event.root, event.kind, event.body)
            return put

        try:
            put = await self._database.transact(enter)
        finally:
            self._places.taken(wanted)
        await self._tell([job.root for job in put] + [event.root for event in events], jobs=True)
        return put

    async def claim(
        self,
        worker: str,
        kinds: Iterable[JobKind],
        room: int = UNBOUNDED,
        targets: Collection[str] | None = None,
        most: int = 1,
    ) -> tuple[Lease, ...]:
        """Claim up to ``most`` jobs of these kinds, at these targets, that fit into ``room``.

        A job heavier than the room there is when nothing runs would wait for ever: give
        ``UNBOUNDED`` then.
        """
        call = order.Call(
            worker,
            tuple(sorted(set(kinds))),
            room,
            None if targets is None else tuple(sorted(targets)),
            most,
            self._settings.lease_seconds,
        )
        return await self._claim(call)

    async def claim_interactive(
        self, worker: str, targets: Collection[str], most: int = 1
    ) -> tuple[Lease, ...]:
        """Claim only what a person waits for, at these targets: they have room for no other."""
        seconds = self._settings.lease_seconds
        names = tuple(sorted(targets))
        return await self._claim(
            order.Call(worker, ("send",), UNBOUNDED, names, most, seconds, lowest=0)
        )

    async def _claim(self, call: order.Call) -> tuple[Lease, ...]:
        if self._draining or call.most < 1 or not call.kinds or call.targets == ():
            return ()
        async with self._claiming:
            leases = await self._database.transact(lambda connection: order.claim(connection, call))
        self._held.update({(lease.job.id, lease.fence): lease for lease in leases})
        await self._tell([lease.job.root for lease in leases if lease.job.kind == "process"])
        return leases

    async def renew(self, leases: Sequence[Lease]) -> tuple[Lease, ...]:
        """Hold leases for longer; give those still held. The others' work is for nothing."""
        if not leases:
            return ()
        seconds = self._settings.lease_seconds
        return await self._database.transact(
            lambda connection: endings.renew(connection, leases, seconds)
        )

    async def complete(
        self,
        lease: Lease,
        work: Callable[[Connection], Awaitable[None]] | None = None,
        then: Sequence[Job] = (),
    ) -> bool:
        """End a job well, with ``work`` and the jobs that follow in the same transaction.

        False where the lease is no longer the last: nothing was done.
        """
        done = await self._database.transact(
            lambda connection: endings.complete(connection, lease, work, then)
        )
        self._ended(lease, counts=done)
        if done:
            await self._tell([lease.job.root], jobs=bool(then) or lease.job.stream is not None)
        return done

    async def fail(
        self, lease: Lease, code: str, message: str, retry: bool, delay: float | None = None
    ) -> JobState | None:
        """End a claim badly: the job waits (a level lower, after the delay) or has failed.

        Gives which of both, none where the lease is no longer the last. ``message`` has no text
        of a document.
        """
        return await self.fail_with(
            lease, endings.Failure(code, message, retry, delay, self._attempts)
        )

    async def fail_with(self, lease: Lease, failure: endings.Failure) -> JobState | None:
        """End a claim badly as ``fail`` does, with attempts and work of the caller's own."""
        state = await self._database.transact(
            lambda connection: endings.fail(connection, lease, failure)
        )
        self._ended(lease, counts=state == "failed")
        await self._tell([lease.job.root], jobs=True)
        return state

    async def give_back(self, lease: Lease, delay: float = 0.0) -> bool:
        """Put a claimed job back untried (a drain): it does not count as an attempt.

        With a delay it is not claimed again before that (what it needs is resting).
        """
        given = await self._database.transact(
            lambda connection: endings.give_back(connection, lease, delay)
        )
        self._ended(lease, counts=False)
        await self._tell([], jobs=True)
        return given

    async def lose(self, lease: Lease) -> JobState | None:
        """Tell that a worker died with this job: it waits again, or is put aside (E_POISON)."""
        deaths = self._settings.deaths
        state = await self._database.transact(
            lambda connection: endings.lose(connection, lease, deaths)
        )
        self._ended(lease, counts=False)
        await self._tell([lease.job.root], jobs=True)
        return state

    async def cancel(self, root: str) -> int:
        """Cancel all of a root job that waits or runs; give how many jobs that were."""
        count = await self._database.transact(lambda connection: endings.cancel(connection, root))
        await self._tell([root], jobs=True)
        return count

    async def retry(self, job_id: str) -> Job | None:
        """Put a failed or cancelled job back as new; none where it is not one."""
        job = await self._database.transact(
            lambda connection: entering.put_back(connection, job_id)
        )
        if job is not None:
            await self._tell([job.root], jobs=True)
        return job

    async def expire(self) -> int:
        """Take back jobs whose lease is over; those of too many deaths fail with E_POISON."""
        deaths = self._settings.deaths
        count = await self._database.transact(lambda connection: endings.expire(connection, deaths))
        if count:
            await self._tell([], jobs=True)
        return count

    async def restart(self, worker_prefix: str = "") -> int:
        """Take back all jobs of workers of this prefix: the process that had them is gone."""
        deaths = self._settings.deaths
        return await self._database.transact(
            lambda connection: endings.restart(connection, worker_prefix, deaths)
        )

    async def promote(self) -> int:
        """Raise jobs that have waited long by a level; call it every few seconds."""
        seconds = self._settings.ageing_seconds
        return await self._database.transact(lambda connection: ageing.promote(connection, seconds))

    async def pause(self, scope: str = "all") -> None:
        """Claim nothing of ``all``, ``client:NAME`` or ``target:NAME`` until it is resumed."""
        checked = _scope(scope)

        async def work(connection: Connection) -> None:
            await connection.execute(
                "INSERT INTO pauses (scope, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
                checked,
                connection.now(),
            )

        await self._database.transact(work)

    async def resume(self, scope: str = "all") -> None:
        """Go on with what was paused, or after a drain."""
        checked = _scope(scope)

        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM pauses WHERE scope = ?", checked)

        self._draining = self._draining and checked != "all"
        await self._database.transact(work)
        await self._tell([], jobs=True)

    async def drain(self, seconds: float) -> tuple[Lease, ...]:
        """Claim nothing more in this process and wait until what it holds has ended.

        Gives what is held when the time is over: to be given back. ``resume`` ends the drain.
        """
        self._draining = True
        until = time.monotonic() + seconds
        while self._held and time.monotonic() < until:
            await asyncio.sleep(0.02)
        return tuple(self._held.values())

    async def get(self, job_id: str) -> Job | None:
        """Give a job by its id."""
        return await self._database.read(lambda connection: entering.by_id(connection, job_id))

    async def listing(
        self, wanted: JobFilter | None = None, before: str = "", limit: int = 100
    ) -> tuple[Job, ...]:
        """Give jobs, the newest first, a page at a time: those older than the job ``before``."""
        chosen = wanted or JobFilter()
        return await self._database.read(
            lambda connection: standing.listing(connection, chosen, before, limit)
        )

    async def stats(self, clients: Sequence[str] = ()) -> QueueStats:
        """Give counts by kind, level and state; a few seconds old; of ``clients`` as of now."""
        if clients:
            return await self._database.read(lambda connection: standing.stats(connection, clients))
        if self._stats is None or self._stats[0] < time.monotonic():
            began = time.monotonic()
            counted = await self._database.read(standing.stats)
            took = time.monotonic() - began
            good_for = max(_STATS_SECONDS, took * _STATS_SHARE)
            self._stats = (began + took + good_for, counted)
        return self._stats[1]

    async def why(self, job: Job | str) -> str:
        """Give why a job waits: paused, stream, retry, memory, or ``behind N``."""
        job_id = job if isinstance(job, str) else job.id
        return await self._database.read(lambda connection: standing.why(connection, job_id))

    async def events(self, root: str, after: int = 0, most: int = 1000) -> tuple[Event, ...]:
        """Give a root job's events after a number, so many at most."""
        return await self._database.read(
            lambda connection: journal.events_after(connection, root, after, most)
        )

    async def emit(self, root: str, kind: str, body: journal.Body) -> None:
        """Write an event and wake who follows the root job."""
        await self._database.transact(lambda connection: journal.emit(connection, root, kind, body))
        await self._tell([root])

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for news on ``jobs`` or ``events:ROOT``."""
        return await self._database.wait(channel, seconds)

    def _ended(self, lease: Lease, *, counts: bool) -> None:
        """Note that a lease is no longer held here."""
        self._held.pop((lease.job.id, lease.fence), None)
        if counts and lease.job.kind == "process":
            self._places.freed()

    async def _tell(self, roots: Iterable[str], *, jobs: bool = False) -> None:
        """Wake who waits for these."""
        if jobs:
            await self._database.notify("jobs")
        for root in dict.fromkeys(roots):
            await self._database.notify(f"events:{root}")


def _scope(scope: str) -> str:
    """Give a scope of a pause, or raise E_CONFIG."""
    if scope == "all" or scope.startswith(("client:", "target:")):
        return scope
    raise ConfigError("E_CONFIG", f"a pause is of all, client:NAME or target:NAME, not {scope}")
