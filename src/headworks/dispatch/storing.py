"""How a send ends in the store: its reply and its job's end in one transaction.

Takes leases and replies, gives whether they were stored. Never half of an end: where the lease is
no longer the last nothing is stored.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from headworks.dispatch import journal
from headworks.dispatch.endings import Failure
from headworks.dispatch.queue import Queue
from headworks.dispatch.retry import RetryPolicy, delay_before
from headworks.errors import HeadworksError
from headworks.model.job import Ask, Lease, Reply
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
        body: journal.Body = {
            "job": lease.job.id,
            "chunk": lease.job.chunk,
            "target": reply.target,
            "attempt": reply.attempts,
        }

        async def work(connection: Connection) -> None:
            await self._keep(connection, lease, reply)
            await journal.emit(connection, lease.job.root, outcome, body)

        return await self._patiently(lambda: self._queue.complete(lease, work))

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


def rules_alone(
    ask: Ask, target: str, why: tuple[str, str], spent: Reply | None = None
) -> Reply | None:
    """Give what the rules alone say about a chunk, flagged with a code and a reason.

    ``spent`` is the answer that did not do: what it took is counted. None where no answer can be
    made of the chunk's record.
    """
    try:
        body = answer_json(ask.payload)
    except ValueError:
        return None
    made = Reply(
        job=ask.job,
        chunk=ask.chunk,
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
