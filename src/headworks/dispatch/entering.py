"""How jobs come in: once by key, into lanes and streams.

Takes jobs, gives them as they stand in the table. Never a second job of a key that is live or
done: that one is given instead.
"""

from collections.abc import Sequence

import msgspec

from headworks.dispatch.journal import emit, emit_all
from headworks.dispatch.lanes import activate
from headworks.dispatch.rows import (
    COLUMNS,
    LIVE,
    in_groups,
    job_of,
    lane_of,
    put_statement,
    put_values,
)
from headworks.model.job import Job
from headworks.store.database import Connection
from headworks.store.locks import hold


async def put_in(connection: Connection, jobs: Sequence[Job]) -> tuple[Job, ...]:
    """Put jobs in; give each as it stands, an older one of the same key in its place."""
    now = connection.now()
    streams = sorted({job.stream for job in jobs if job.stream is not None})
    for stream in streams:
        await hold(connection, f"stream:{stream}")
    new: set[str] = set()
    for group in in_groups(jobs):
        values = [value for job in group for value in put_values(job, now)]
        new.update(row["id"] for row in await connection.fetch(put_statement(len(group)), *values))
    await activate(
        connection,
        [
            lane_of(msgspec.structs.asdict(job) | {"target": job.target or ""})
            for job in jobs
            if job.id in new and job.stream is None and job.not_before <= now
        ],
    )
    standing = [
        msgspec.structs.replace(job, created=now, state="waiting")
        if job.id in new
        else await _standing(connection, job)
        for job in jobs
    ]
    for stream in streams:
        await _share_level(connection, stream)
        await let_through(connection, stream)
    await emit_all(
        connection,
        [
            (job.root, "queued", {"job": job.id, "level": job.level})
            for job in standing
            if job.kind == "process" and job.id in new
        ],
    )
    return tuple(standing)


async def put_in_done(connection: Connection, jobs: Sequence[Job]) -> frozenset[str]:
    """Put jobs in that are done with it; give the ids of those that are, by this call.

    One that is under way elsewhere, or done before, goes its own way. They wait for no stream.
    """
    loose = [msgspec.structs.replace(job, stream=None) for job in jobs]
    ended: set[str] = set()
    for job in await put_in(connection, loose):
        if job.state != "waiting":
            continue
        rows = await connection.fetch(
            "UPDATE jobs SET state = 'done', finished = ?, lease_until = 0, lost = 0"
            " WHERE id = ? AND state = 'waiting' RETURNING stream",
            connection.now(),
            job.id,
        )
        ended.update(job.id for _ in rows)
        for row in rows:
            if row["stream"] is not None:
                await let_through(connection, row["stream"])
    return frozenset(ended)


async def _standing(connection: Connection, job: Job) -> Job:
    """Give the live or done job of the same key; one of the same id that failed is put back."""
    rows = await connection.fetch(f"SELECT {COLUMNS} FROM jobs WHERE single = ?", job.key)
    if rows:
        return job_of(rows[0])
    back = await put_back(connection, job.id)
    # The id of a live job with another key: the caller's own number came twice.
    return back if back is not None else await by_id(connection, job.id) or job


async def by_id(connection: Connection, job_id: str) -> Job | None:
    """Give a job by its id."""
    rows = await connection.fetch(f"SELECT {COLUMNS} FROM jobs WHERE id = ?", job_id)
    return job_of(rows[0]) if rows else None


async def put_back(connection: Connection, job_id: str) -> Job | None:
    """Put a failed or cancelled job back as if it were new; none where it is not one.

    Where a job of the same key has come in meanwhile, that one is given.
    """
    job = await by_id(connection, job_id)
    if job is None or job.state not in ("failed", "cancelled"):
        return None
    rows = await connection.fetch(f"SELECT {COLUMNS} FROM jobs WHERE single = ?", job.key)
    if rows:
        return job_of(rows[0])
    if job.stream is not None:
        await hold(connection, f"stream:{job.stream}")
    rows = await connection.fetch(
        "UPDATE jobs SET state = 'waiting', single = key, attempts = 0, lost = 0, level = asked,"
        " size = cost, not_before = 0, passed = 0, aged = 0, raised = ?, code = '', message = '',"
        " finished = 0, gate = CASE WHEN stream IS NULL THEN '' ELSE 'stream' END"
        f" WHERE id = ? AND state IN ('failed', 'cancelled') RETURNING {COLUMNS}",
        connection.now(),
        job_id,
    )
    if not rows:
        return None
    if job.stream is None:
        await activate(connection, [lane_of(rows[0])])
    else:
        await let_through(connection, job.stream)
    await emit(connection, job.root, "queued", {"job": job_id, "level": rows[0]["level"]})
    return job_of(rows[0])


async def _share_level(connection: Connection, stream: str) -> None:
    """Give all that waits in a stream the level of its most urgent job: they go as one."""
    rows = await connection.fetch(
        "SELECT MIN(level) AS least, MAX(level) AS most FROM jobs"
        f" WHERE stream = ? AND {LIVE} AND state = 'waiting'",
        stream,
    )
    if not rows or rows[0]["least"] == rows[0]["most"]:
        return
    raised = await connection.fetch(
        f"UPDATE jobs SET level = ?, raised = ? WHERE stream = ? AND {LIVE} AND state = 'waiting'"
        " AND level > ? RETURNING kind, target, level, client, gate",
        rows[0]["least"],
        connection.now(),
        stream,
        rows[0]["least"],
    )
    await activate(connection, [lane_of(row) for row in raised if row["gate"] == ""])


async def let_through(connection: Connection, stream: str) -> None:
    """Let a stream's first waiting job through, unless one is on its way already."""
    await hold(connection, f"stream:{stream}")
    rows = await connection.fetch(
        "UPDATE jobs SET gate = CASE WHEN not_before > ? THEN 'later' ELSE '' END WHERE ticket ="
        f" (SELECT MIN(ticket) FROM jobs WHERE stream = ? AND {LIVE} AND state = 'waiting'"
        " AND gate = 'stream')"
        f" AND NOT EXISTS (SELECT 1 FROM jobs WHERE stream = ? AND {LIVE}"
        " AND (state = 'running' OR gate <> 'stream'))"
        " RETURNING kind, target, level, client, gate",
        connection.now(),
        stream,
        stream,
    )
    await activate(connection, [lane_of(row) for row in rows if row["gate"] == ""])


async def ripen(connection: Connection) -> None:
    """Let through what has waited for its time."""
    due = "state = 'waiting' AND gate = 'later' AND not_before <= ?"
    now = connection.now()
    if not await connection.fetch(f"SELECT ticket FROM jobs WHERE {due} LIMIT 1", now):
        return
    rows = await connection.fetch(
        f"UPDATE jobs SET gate = '' WHERE {due} RETURNING kind, target, level, client", now
    )
    await activate(connection, [lane_of(row) for row in rows])
