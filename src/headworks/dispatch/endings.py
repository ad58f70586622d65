"""How claims end: completed, failed, given back, lost.

Takes leases, changes rows that still carry the lease's fence. Never acts on a lease that is no
longer the last: it is told so. What ends a claim ends it once.
"""

from collections.abc import Sequence
from typing import NamedTuple

from headworks.dispatch.entering import let_through, put_in
from headworks.dispatch.journal import Body, emit
from headworks.dispatch.lanes import activate
from headworks.dispatch.rows import COLUMNS, LIVE, job_of, lane_of
from headworks.model.job import LOWEST_LEVEL, Job, JobState, Lease
from headworks.store.database import Connection, Row, Work
from headworks.store.locks import skip_locked

_HELD = "id = ? AND fence = ? AND worker = ? AND state = 'running'"
# Leases looked at in one transaction.
_MOST = 500
# A service that dies takes all it was doing with it: a document is put aside only after this
# many times the deaths it is allowed.
_RESTART_PATIENCE = 3


class Failure(NamedTuple):
    """Why a claim failed, and whether and when it is tried again (none: 1, 2, 4 s).

    ``work`` is done in the transaction that puts the job aside.
    """

    code: str
    message: str
    retry: bool
    delay: float | None
    attempts: int
    work: Work[None] | None = None


async def complete(
    connection: Connection, lease: Lease, work: Work[None] | None, then: Sequence[Job]
) -> bool:
    """End a claim well, with what belongs to it; False where it is no longer the last.

    A second call for the same claim (its answer was lost on the way) changes nothing: True.
    """
    rows = await connection.fetch(
        "UPDATE jobs SET state = 'done', finished = ?, lease_until = 0, lost = 0"
        f" WHERE {_HELD} RETURNING ticket",
        connection.now(),
        *_claim(lease),
    )
    if not rows:
        return bool(
            await connection.fetch(
                "SELECT ticket FROM jobs WHERE id = ? AND fence = ? AND worker = ?"
                " AND state = 'done'",
                *_claim(lease),
            )
        )
    await put_in(connection, then)
    await _free_stream(connection, lease.job)
    if work is not None:
        await work(connection)
    if lease.job.kind != "send":
        await _tell(connection, lease.job, "done", {})
    return True


async def fail(connection: Connection, lease: Lease, failure: Failure) -> JobState | None:
    """End a claim badly: tried again a level lower, or failed with its input kept."""
    rows = await connection.fetch(f"SELECT attempts FROM jobs WHERE {_HELD}", *_claim(lease))
    if not rows:
        return None
    if not failure.retry or rows[0]["attempts"] >= failure.attempts:
        state = await _failed(connection, lease, failure.code, failure.message)
        if state is not None and failure.work is not None:
            await failure.work(connection)
        return state
    delay = 2.0 ** (rows[0]["attempts"] - 1) if failure.delay is None else failure.delay
    now = connection.now()
    changed = await connection.execute(
        "UPDATE jobs SET state = 'waiting', gate = 'later', not_before = ?, lost = lost - 1,"
        f" level = CASE WHEN level < {LOWEST_LEVEL} THEN level + 1 ELSE level END, size = cost,"
        " raised = ?, worker = '', lease_until = 0, code = ?, message = ?"
        f" WHERE {_HELD}",
        now + delay,
        now,
        failure.code,
        failure.message,
        *_claim(lease),
    )
    if not changed:
        return None
    body = {"code": failure.code, "attempt": rows[0]["attempts"], "delay": delay}
    await _tell(connection, lease.job, "retry", body)
    return "waiting"


async def give_back(connection: Connection, lease: Lease, delay: float = 0.0) -> bool:
    """Put a claim back untried, for later where there is a delay: it does not count."""
    rows = await connection.fetch(
        "UPDATE jobs SET state = 'waiting', gate = ?, not_before = ?, attempts = attempts - 1,"
        " lost = lost - 1, worker = '', lease_until = 0"
        f" WHERE {_HELD} RETURNING kind, target, level, client",
        "later" if delay else "",
        connection.now() + delay,
        *_claim(lease),
    )
    if not delay:
        await activate(connection, [lane_of(row) for row in rows])
    return bool(rows)


async def renew(
    connection: Connection, leases: Sequence[Lease], seconds: float
) -> tuple[Lease, ...]:
    """Hold claims for longer; give those that are still held."""
    until = connection.now() + seconds
    # In one order, so that two transactions never wait for each other.
    return tuple(
        [
            lease
            for lease in sorted(leases, key=lambda lease: lease.job.id)
            if await connection.execute(
                f"UPDATE jobs SET lease_until = ? WHERE {_HELD}", until, *_claim(lease)
            )
        ]
    )


async def lose(connection: Connection, lease: Lease, deaths: int) -> JobState | None:
    """End a claim whose worker died: waiting again, or put aside after so many deaths."""
    rows = await connection.fetch(
        f"SELECT ticket, lost, worker, {COLUMNS} FROM jobs WHERE {_HELD}", *_claim(lease)
    )
    return await _lost(connection, rows[0], deaths) if rows else None


async def expire(connection: Connection, deaths: int) -> int:
    """End claims whose time is over: their worker is gone. Gives how many there were."""
    rows = await connection.fetch(
        f"SELECT ticket, lost, worker, {COLUMNS} FROM jobs WHERE state = 'running'"
        f" AND lease_until < ? ORDER BY lease_until LIMIT {_MOST}{skip_locked(connection)}",
        connection.now(),
    )
    for row in rows:
        await _lost(connection, row, deaths)
    return len(rows)


async def restart(connection: Connection, prefix: str, deaths: int) -> int:
    """End all claims of workers of this prefix: none of them is alive.

    Times of the clock from before, which may have been wrong, are brought to the present.
    """
    rows = await connection.fetch(
        f"SELECT ticket, lost, worker, {COLUMNS} FROM jobs WHERE state = 'running'"
        f" AND substr(worker, 1, {len(prefix)}) = ?",
        prefix,
    )
    for row in rows:
        await _lost(connection, row, deaths * _RESTART_PATIENCE)
    now = connection.now()
    await connection.execute(
        "UPDATE jobs SET not_before = ? WHERE state = 'waiting' AND gate = 'later'"
        " AND not_before > ? AND raised > ?",
        now,
        now,
        now,
    )
    await connection.execute(
        "UPDATE jobs SET raised = ?, passed = 0 WHERE state = 'waiting' AND gate = ''"
        " AND raised > ?",
        now,
        now,
    )
    return len(rows)


async def cancel(connection: Connection, root: str) -> int:
    """Cancel all of a root job that is waiting or running; give how many jobs that were."""
    rows = await connection.fetch(
        "UPDATE jobs SET state = 'cancelled', single = NULL, finished = ?, lease_until = 0"
        f" WHERE root = ? AND {LIVE} RETURNING stream",
        connection.now(),
        root,
    )
    for stream in sorted({row["stream"] for row in rows if row["stream"] is not None}):
        await let_through(connection, stream)
    if rows:
        await emit(connection, root, "cancelled", {"jobs": len(rows)})
    return len(rows)


async def _lost(connection: Connection, row: Row, deaths: int) -> JobState | None:
    """Put a lost claim's job back, or aside when it has been the death of so many."""
    lease = Lease(job_of(row), row["worker"], row["fence"])
    if row["lost"] >= deaths:
        return await _failed(connection, lease, "E_POISON", f"{row['lost']} workers died of it")
    changed = await connection.execute(
        f"UPDATE jobs SET state = 'waiting', gate = '', worker = '', lease_until = 0 WHERE {_HELD}",
        *_claim(lease),
    )
    if not changed:
        return None
    await activate(connection, [lane_of(row)])
    await _tell(connection, lease.job, "retry", {"code": "lost", "attempt": row["attempts"]})
    return "waiting"


async def _failed(connection: Connection, lease: Lease, code: str, message: str) -> JobState | None:
    """Put a job aside for a person."""
    changed = await connection.execute(
        "UPDATE jobs SET state = 'failed', single = NULL, finished = ?, lease_until = 0, code = ?,"
        " message = ?"
        f" WHERE {_HELD}",
        connection.now(),
        code,
        message,
        *_claim(lease),
    )
    if not changed:
        return None
    await _free_stream(connection, lease.job)
    await _tell(connection, lease.job, "failed", {"code": code})
    return "failed"


async def _free_stream(connection: Connection, job: Job) -> None:
    """Let the next of the stream through."""
    if job.stream is not None:
        await let_through(connection, job.stream)


async def _tell(connection: Connection, job: Job, kind: str, body: Body) -> None:
    """Write an event about a job."""
    about: Body = {"job": job.id, "kind": job.kind}
    if job.chunk is not None:
        about["chunk"] = job.chunk
    await emit(connection, job.root, kind, about | body)


def _claim(lease: Lease) -> tuple[object, ...]:
    return lease.job.id, lease.fence, lease.worker
