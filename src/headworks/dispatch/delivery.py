"""The loop that takes chunks to their targets and keeps what comes back.

Takes send jobs from the queue as the targets have room, composes, asks, and stores the reply in the
transaction that completes the job: a chunk whose answer is stored is never asked again. Never
takes more than can go out now, and never lets a person's ask wait behind other work.
"""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from headworks.assembly import packed
from headworks.config import Settings
from headworks.dispatch.concurrency import Ticket
from headworks.dispatch.once_more import asked_again, together, unread
from headworks.dispatch.pools import Devices, is_small
from headworks.dispatch.queue import Queue
from headworks.dispatch.retry import RetryPolicy, decide, delay_before
from headworks.dispatch.servers import Server, ServerState, open_servers
from headworks.dispatch.storing import Keep, Storing, rules_alone, rules_for_parts, shares
from headworks.errors import HeadworksError
from headworks.model.job import Ask, Job, Lease, Reply
from headworks.targets.base import Target, TargetBusy, TargetRefused

Compose = Callable[[Job], Awaitable[Ask]]
Hear = Callable[[Job, Reply | None, str], None]

_LOOK_SECONDS = 0.5
_LOAD_SECONDS = 1.0
_MOST_AT_ONCE = 16
# A server that is full sends an ask away unread; so often it comes again before that counts.
_PATIENCE_AT_DOOR = 8
_LONGEST_AT_DOOR = 30.0
_UNREAD = "E_ANSWER", "the answer does not read, asked again neither"


class _Errand(msgspec.Struct, frozen=True):
    """A job on its way: with its lease, to a server, counted by a ticket."""

    lease: Lease
    server: Server
    ticket: Ticket


class Delivery:
    """Claims send jobs, asks targets, stores replies. ``run`` goes on until ``stop``.

    ``compose`` gives what is asked for a job; ``keep`` stores a reply in the transaction that
    completes its job. ``hear`` is told of each outcome: answered, degraded, busy, refused, failed.
    """

    name = "delivery"

    def __init__(
        self,
        queue: Queue,
        targets: Mapping[str, Target],
        settings: Settings,
        compose: Compose,
        keep: Keep,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hear: Hear = lambda job, reply, outcome: None
        self._clock = clock
        self.worker = f"{socket.gethostname()}:{os.getpid()}:send"
        self.devices = Devices()
        self._queue = queue
        self._compose = compose
        self._settings = settings
        delivery = settings.delivery
        self._retries = RetryPolicy(delivery.attempts, delivery.retry_seconds)
        self._storing = Storing(queue, keep, self._retries)
        self._servers = open_servers(targets, settings, clock)
        self._under_way: dict[asyncio.Task[None], _Errand] = {}
        self._sent_away: dict[str, int] = {}
        self._heavy_until: dict[str, float] = {}
        self._wake = asyncio.Event()
        self._stopping = False

    def states(self) -> tuple[ServerState, ...]:
        """Give how each target stands."""
        return tuple(server.state() for server in self._servers.values())

    def hopeless(self) -> bool:
        """Tell whether nothing is under way and a target rests again without an answer between.

        Work for it waits. Who has nothing else to wait for may as well stop, and go on later.
        """
        servers = self._servers.values()
        return not self._under_way and any(server.breaker.rests > 1 for server in servers)

    async def run(self) -> None:
        """Go on until ``stop``; being cancelled gives back what is under way."""
        self._stopping = False
        beside = [
            asyncio.create_task(part) for part in (self._listen(), self._renew(), self._look())
        ]
        try:
            while not self._stopping:
                self._wake.clear()
                if not await self._claim_all():
                    await self._sleep()
            if self._under_way:
                await asyncio.wait(set(self._under_way))
        finally:
            for task in [*beside, *self._under_way]:
                task.cancel()
            await asyncio.gather(*beside, *self._under_way, return_exceptions=True)

    async def stop(self) -> None:
        """Take nothing more on; ``run`` returns when what is under way is over."""
        self._stopping = True
        self._wake.set()

    async def give_up(self, document: str) -> None:
        """Break off what is under way for a document: it was deleted or cancelled."""
        for task, errand in list(self._under_way.items()):
            if errand.lease.job.document == document:
                task.cancel()

    async def _sleep(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), _LOOK_SECONDS)

    async def _listen(self) -> None:
        while True:
            if await self._queue.wait("jobs", _LOOK_SECONDS * 4):
                self._wake.set()

    async def _look(self) -> None:
        """Ask servers and devices how they are."""
        while True:
            for server in self._servers.values():
                server.feel(self.devices)
                if server.limit.in_flight:
                    await server.look()
            self._wake.set()
            await asyncio.sleep(_LOAD_SECONDS)

    async def _renew(self) -> None:
        """Hold what is under way; break off what is no longer ours."""
        while True:
            await asyncio.sleep(self._settings.service.lease_seconds / 3)
            leases = [errand.lease for errand in self._under_way.values()]
            held = {(lease.job.id, lease.fence) for lease in await self._queue.renew(leases)}
            for task, errand in list(self._under_way.items()):
                lease = errand.lease
                if lease in leases and (lease.job.id, lease.fence) not in held:
                    task.cancel()

    async def _claim_all(self) -> int:
        """Claim for each server as much as it has room for; give how much that was."""
        count = 0
        for server in self._servers.values():
            count += await self._claim(server)
        return count

    async def _claim(self, server: Server) -> int:
        names = (server.name,)
        if server.breaker.state == "open":
            # A person is told what the rules know, at once; other work waits for the server.
            leases = await self._queue.claim_interactive(self.worker, names, _MOST_AT_ONCE)
            for lease in leases:
                self._start(lease, server)
            return len(leases)
        count = 0
        room = min(server.room(1), _MOST_AT_ONCE)
        if room > 0:
            leases = await self._queue.claim(self.worker, ("send",), targets=names, most=room)
            for lease in leases:
                self._start(lease, server)
            count = len(leases)
        if room <= count and (more := min(server.room(0), _MOST_AT_ONCE)) > 0:
            leases = await self._queue.claim_interactive(self.worker, names, more)
            for lease in leases:
                self._start(lease, server)
            count += len(leases)
        if room <= count and server.settings.cpu:
            count += await self._claim_small(server)
        return count

    async def _claim_small(self, server: Server) -> int:
        """Take small work of a full server to the CPU's; heavy work is left for it."""
        other = self._servers.get(server.settings.cpu)
        if other is None or self._clock() < self._heavy_until.get(server.name, 0.0):
            return 0
        if other.room(1) <= 0:
            return 0
        leases = await self._queue.claim(self.worker, ("send",), targets=(server.name,), most=1)
        for lease in leases:
            if is_small(lease.job.cost):
                self._start(lease, other)
                return 1
            # The smallest comes first: the others are no smaller.
            self._heavy_until[server.name] = self._clock() + _LOOK_SECONDS * 4
            await self._queue.give_back(lease)
        return 0

    def _start(self, lease: Lease, server: Server) -> None:
        ticket = server.limit.start(lease.job.level, lease.job.cost)
        errand = _Errand(lease, server, ticket)
        allowed = server.breaker.allows()
        task = asyncio.create_task(self._carry(errand, allowed))
        self._under_way[task] = errand
        task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._under_way.pop(task, None)
        self._wake.set()
        if not task.cancelled() and (fault := task.exception()) is not None:
            # The store refused: the lease runs out and the job is tried again.
            message = "a send job's end could not be stored; it is tried again"
            context = {"message": message, "exception": fault}
            asyncio.get_running_loop().call_exception_handler(context)

    async def _carry(self, errand: _Errand, allowed: bool) -> None:
        """Take one job to its target and end its claim."""
        try:
            ask = await self._composed(errand, allowed)
            if ask is None:
                return
            if not allowed:
                errand.server.limit.abandoned(errand.ticket)
                await self._at_rest(errand, ask)
                return
            await self._send(errand, ask)
        except asyncio.CancelledError:
            await asyncio.shield(self._queue.give_back(errand.lease))
            raise

    async def _at_rest(self, errand: _Errand, ask: Ask) -> None:
        """A target that rests: a person is told what the rules know, an aged job waits on."""
        if ask.priority == "interactive":
            await self._no_answer(errand, ask, "the target rests after failures")
        else:
            await self._again(errand.lease, max(1.0, errand.server.breaker.seconds_left()))

    async def _composed(self, errand: _Errand, allowed: bool) -> Ask | None:
        """Give what is asked; none where there is nothing to ask, and the job has failed."""
        ask = None
        try:
            ask = await self._compose(errand.lease.job)
        except HeadworksError as fault:
            # The chunk or its prompt is gone.
            await self._fail(errand, fault.code, fault.message)
        except Exception as fault:
            await self._fail(errand, "E_TARGET", f"the prompt raised {type(fault).__name__}")
        finally:
            if ask is None:
                self._abandon(errand, allowed)
        return ask

    async def _send(self, errand: _Errand, ask: Ask) -> None:
        reply = await self._asked(errand, ask)
        if reply is None:
            return
        if ask.parts:
            await self._store_pack(errand, ask, reply)
            return
        may_be_empty = errand.server.settings.kind != "chat"
        faults = await unread(ask, reply, may_be_empty=may_be_empty)
        if faults:
            # The same attempt, another call: it is counted by the limit as one.
            limit, job = errand.server.limit, errand.lease.job
            errand = msgspec.structs.replace(errand, ticket=limit.start(job.level, job.cost))
            second = await self._asked(errand, asked_again(ask, reply, faults), reply)
            if second is None:
                return
            faults = await unread(ask, second, may_be_empty=may_be_empty)
            reply = together(reply, second) if second is not reply else reply
        if faults:
            await self._unread(errand, ask, reply)
        else:
            await self._store(errand, reply, "answered")

    async def _asked(self, errand: _Errand, ask: Ask, first: Reply | None = None) -> Reply | None:
        """Ask once; none where there is no answer and what follows is done.

        Where ``first`` was answered and a second question is refused, the first answer stands.
        """
        server = errand.server
        try:
            reply = await server.ask(ask, errand.ticket)
        except TargetBusy as busy:
            await self._busy(errand, ask, busy)
            return None
        except TargetRefused as refusal:
            server.limit.failed(errand.ticket)
            server.breaker.abandoned()
            if first is not None:
                return first
            if ask.parts:
                # Too long together, or a schema it does not take: one by one.
                return Reply(job=ask.job, chunk=ask.chunk, target=server.name, body="", calls=0)
            self.hear(errand.lease.job, None, "refused")
            await self._no_answer(errand, ask, refusal.reason, curable=False)
            return None
        except asyncio.CancelledError:
            self._abandon(errand, True)
            raise
        except Exception as fault:
            # A target of somebody else's that breaks the promise of raising only those two.
            broken = TargetBusy(f"the target raised {type(fault).__name__}", overload=False)
            await self._busy(errand, ask, broken)
            return None
        whole = reply.milliseconds / 1000
        server.limit.answered(errand.ticket, reply.first_token_milliseconds / 1000, whole)
        server.breaker.succeeded()
        return reply

    async def _unread(self, errand: _Errand, ask: Ask, reply: Reply) -> None:
        """An answer that does not read when asked again either: marked, and kept for a person."""
        if ask.priority == "interactive" and await self._degrade(errand, ask, _UNREAD, reply):
            return
        self._sent_away.pop(errand.lease.job.id, None)
        self.hear(errand.lease.job, None, "failed")
        await self._storing.unread(errand.lease, reply, f"{errand.server.name}: {_UNREAD[1]}")

    def _abandon(self, errand: _Errand, allowed: bool) -> None:
        errand.server.limit.abandoned(errand.ticket)
        if allowed:
            errand.server.breaker.abandoned()

    async def _fail(self, errand: _Errand, code: str, message: str) -> None:
        """End a job as failed: it is kept for a person, with its reason."""
        self._sent_away.pop(errand.lease.job.id, None)
        self.hear(errand.lease.job, None, "failed")
        await self._queue.fail(errand.lease, code, message, retry=False)

    async def _busy(self, errand: _Errand, ask: Ask, busy: TargetBusy) -> None:
        server, lease = errand.server, errand.lease
        if busy.overload:
            timed_out = not busy.at_door and busy.reason.startswith("timeout")
            server.limit.overloaded(
                errand.ticket, "timeout" if timed_out else "refused", busy.delay
            )
        else:
            server.limit.failed(errand.ticket)
        if busy.at_door:
            server.breaker.abandoned()
        else:
            server.breaker.failed()
        self.hear(lease.job, None, "busy")
        if busy.at_door and ask.priority != "interactive":
            times = self._sent_away[lease.job.id] = self._sent_away.get(lease.job.id, 0) + 1
            if times <= _PATIENCE_AT_DOOR:
                delay = min(delay_before(times, self._retries), _LONGEST_AT_DOOR)
                await self._again(lease, max(delay, busy.delay or 0.0))
                return
        await self._no_answer(errand, ask, busy.reason, delay=busy.delay)

    async def _again(self, lease: Lease, delay: float) -> None:
        """Put a job back that was sent away unread: that was no attempt."""
        await self._queue.give_back(lease, delay)
        self._wake_after(delay)

    async def _no_answer(
        self,
        errand: _Errand,
        ask: Ask,
        reason: str,
        *,
        curable: bool = True,
        delay: float | None = None,
    ) -> None:
        """Try again later and lower, or end it: by rules alone for a person, else as failed."""
        lease, job = errand.lease, errand.lease.job
        # Not by the level: work that waited long has been raised to a person's.
        person = ask.priority == "interactive"
        at_rest = errand.server.breaker.state == "open"
        decision = decide(
            job.attempts,
            job.level,
            self._retries,
            curable=curable and not (person and at_rest),
            interactive=person,
            asked=delay,
        )
        if decision.outcome == "retry":
            message = f"{errand.server.name}: {reason}"
            await self._storing.retry(lease, message, decision.delay)
            self._wake_after(decision.delay)
            return
        told = ("E_TARGET", reason)
        if decision.outcome == "degrade" and await self._degrade(errand, ask, told):
            return
        await self._fail(errand, "E_TARGET", f"{errand.server.name}: {reason}")

    async def _degrade(
        self, errand: _Errand, ask: Ask, why: tuple[str, str], spent: Reply | None = None
    ) -> bool:
        """Store what the rules alone say, flagged; tell whether that could be made."""
        if ask.parts:
            told = rules_for_parts(ask, errand.server.name, why)
            if len(told) == len(ask.parts):
                await self._end_pack(errand, ask, told, next(iter(told.values())))
            return len(told) == len(ask.parts)
        reply = rules_alone(ask, errand.server.name, why, spent)
        if reply is None:
            return False
        await self._store(errand, reply, "degraded")
        return True

    async def _store_pack(self, errand: _Errand, ask: Ask, reply: Reply) -> None:
        """Store each chunk's own answer; what has none is asked alone."""
        assert ask.schema is not None  # without one there is no pack
        texts = [part.text for part in ask.parts]
        cut = reply.stopped == "length"
        one = packed.schema_of_one(ask.schema)
        bodies = await asyncio.to_thread(packed.taken_apart, reply.body, one, texts, cut=cut)
        counted = msgspec.structs.replace(reply, attempts=errand.lease.job.attempts)
        await self._end_pack(errand, ask, shares(counted, ask, bodies), counted)

    async def _end_pack(
        self, errand: _Errand, ask: Ask, answers: Mapping[int, Reply], spent: Reply
    ) -> None:
        job = errand.lease.job
        if await self._storing.pack(errand.lease, ask, answers, spent):
            self.hear(job, spent, "degraded" if spent.degraded else "answered")
        self._sent_away.pop(job.id, None)

    async def _store(self, errand: _Errand, reply: Reply, outcome: str) -> None:
        """Store a reply and complete its job in one transaction."""
        lease = errand.lease
        counted = msgspec.structs.replace(reply, attempts=lease.job.attempts)
        if await self._storing.answered(lease, counted, outcome):
            self.hear(lease.job, counted, outcome)
        self._sent_away.pop(lease.job.id, None)

    def _wake_after(self, seconds: float) -> None:
        """Look at the queue when a job's wait is over."""
        asyncio.get_running_loop().call_later(seconds + 0.01, self._wake.set)
