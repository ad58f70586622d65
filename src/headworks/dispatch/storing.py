"""How a send ends in the store: its reply and its job's end in one transaction.

Takes leases and replies, gives whether they were stored. Never half of an end: where the lease is
no longer the last nothing is stored.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from headworks.dispatch import journal
from headworks.dispatch.endings import Failure
from headworks.dispatch.entering import put_in_done
from headworks.dispatch.queue import Queue
from headworks.dispatch.retry import RetryPolicy, delay_before
from headworks.errors import HeadworksError
from headworks.model.job import Ask, Job, Lease, Reply
from headworks.store.database import Connection
from headworks.targets.extract import answer_json

Keep = Callable[[Connection, Lease, Reply], Awaitable[None]]

# Tries to store an answer that is there: it was paid for.
_TRIES = 5


class Storing:
    """Stores what came of sends. ``keep`` stores a reply in the transaction that ends its job."""

    def __init__(self, queue: Queue, keep: Keep, retries: RetryPolicy) -> None:
        self._queue = queue
        self._keep = keep
        self._retries = retries

    async def answered(self, lease: Lease, reply: Reply, outcome: str) -> bool:
        """Store a reply and complete its job; tell whether the lease was still the last."""

        async def work(connection: Connection) -> None:
            await self._keep(connection, lease, reply)
            await journal.emit(connection, lease.job.root, outcome, _about(lease.job, reply))

        return await self._patiently(lambda: self._queue.complete(lease, work))

    async def pack(
        self, lease: Lease, ask: Ask, answers: Mapping[int, Reply], spent: Reply
    ) -> bool:
        """Store what was answered about the chunks of a pack, each under a job of its own.

        The others are asked alone: their jobs come in with the end of this one. All of it is one
        transaction. ``spent`` is what the call took; it is kept where no answer carries it.
        """
        done = [(ask.parts[at].job, reply) for at, reply in sorted(answers.items())]
        left = [part.job for at, part in enumerate(ask.parts) if at not in answers]

        async def work(connection: Connection) -> None:
            ended = await put_in_done(connection, [job for job, _ in done])
            for job, reply in done:
                if job.id in ended:
                    await self._keep(connection, Lease(job, lease.worker, job.fence), reply)
            if not done:
                await self._keep(connection, lease, spent)
            for job, reply in done:
                outcome = "degraded" if reply.degraded else "answered"
                await journal.emit(connection, job.root, outcome, _about(job, reply))

        return await self._patiently(lambda: self._queue.complete(lease, work, then=left))

    async def unread(self, lease: Lease, reply: Reply, message: str) -> bool:
        """Put a job aside whose answer does not read (E_ANSWER), and keep that answer."""
        counted = msgspec.structs.replace(reply, attempts=lease.job.attempts)
        failure = Failure("E_ANSWER", message, False, None, 0, self._work(lease, counted))

        async def ended() -> bool:
            return await self._queue.fail_with(lease, failure) is not None

        return await self._patiently(ended)

    async def retry(self, lease: Lease, message: str, delay: float) -> None:
        """Put a job back for another attempt: as many as the settings say."""
        attempts = self._retries.attempts
        await self._queue.fail_with(lease, Failure("E_TARGET", message, True, delay, attempts))

    def _work(self, lease: Lease, reply: Reply) -> Callable[[Connection], Awaitable[None]]:
        async def work(connection: Connection) -> None:
            await self._keep(connection, lease, reply)

        return work

    async def _patiently(self, end: Callable[[], Awaitable[bool]]) -> bool:
        """Try again where the store cannot now: a full disk, a database that restarts."""
        for tried in range(1, _TRIES):
            try:
                return await end()
            except HeadworksError:
                await asyncio.sleep(delay_before(tried, self._retries))
        return await end()


def _about(job: Job, reply: Reply) -> journal.Body:
    return {
        "job": job.id,
        "chunk": job.chunk,
        "target": reply.target,
        "attempt": reply.attempts,
    }


def shares(reply: Reply, ask: Ask, bodies: Mapping[int, str]) -> dict[int, Reply]:
    """Give a pack's reply as one for each chunk it answered: the call counts at the first.

    Tokens and time are shared out, so that the sums are those of the call.
    """
    count = len(bodies)
    found: dict[int, Reply] = {}
    for at, body in sorted(bodies.items()):
        is_first = not found
        found[at] = msgspec.structs.replace(
            reply,
            job=ask.parts[at].job.id,
            chunk=ask.parts[at].job.chunk or "",
            body=body,
            tokens_in=reply.tokens_in // count + (reply.tokens_in % count if is_first else 0),
            tokens_out=reply.tokens_out // count + (reply.tokens_out % count if is_first else 0),
            milliseconds=reply.milliseconds / count,
            calls=reply.calls if is_first else 0,
            attempts=reply.attempts if is_first else 0,
            stopped="",
        )
    return found


def rules_alone(
    ask: Ask, target: str, why: tuple[str, str], spent: Reply | None = None
) -> Reply | None:
    """Give what the rules alone say about a chunk, flagged with a code and a reason.

    ``spent`` is the answer that did not do: what it took is counted. None where no answer can be
    made of the chunk's record.
    """
    return _of_rules((ask.job, ask.chunk, ask.payload), target, why, spent)


def rules_for_parts(ask: Ask, target: str, why: tuple[str, str]) -> dict[int, Reply]:
    """Give the same for each chunk of a pack."""
    made = {}
    for at, part in enumerate(ask.parts):
        about = part.job.id, part.job.chunk or "", part.payload
        reply = _of_rules(about, target, why, None)
        if reply is not None:
            made[at] = msgspec.structs.replace(reply, calls=0)
    return made


def _of_rules(
    about: tuple[str, str, bytes], target: str, why: tuple[str, str], spent: Reply | None
) -> Reply | None:
    job, chunk, payload = about
    try:
        body = answer_json(payload)
    except ValueError:
        return None
    made = Reply(
        job=job,
        chunk=chunk,
        target=target,
        body=body,
        model="rules",
        degraded=f"{why[0]}: {why[1]}",
    )
    if spent is None:
        return made
    return msgspec.structs.replace(
        made,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        estimated=spent.estimated,
        milliseconds=spent.milliseconds,
        calls=spent.calls,
    )
