"""Send jobs of a run over files: which are still to come, and which nobody asks for any more.

Takes the keys that a run wants, ends the others that still wait. Never touches one that is done.
"""

from collections.abc import Collection, Iterable

import msgspec

from headworks.dispatch.packing import is_pack
from headworks.dispatch.rows import COLUMNS, LIVE, job_of
from headworks.model.job import Job, Reply
from headworks.store.database import Connection


async def drop_others(connection: Connection, wanted: Collection[str]) -> int:
    """Cancel waiting send jobs whose keys are not wanted; give how many there were.

    Their documents were changed, or their prompts. One that is wanted keeps its attempts.
    """
    rows = await connection.fetch(
        "SELECT id, key FROM jobs WHERE kind = 'send' AND state = 'waiting'"
    )
    count = 0
    for row in rows:
        if row["key"] not in wanted:
            count += await connection.execute(
                "UPDATE jobs SET state = 'cancelled', single = NULL, finished = ? WHERE id = ?"
                " AND state = 'waiting'",
                connection.now(),
                row["id"],
            )
    return count


def apart(standing: Iterable[Job]) -> frozenset[str]:
    """Give the keys of jobs that no new pack may hold or be: asked alone before, or a done pack."""
    return frozenset(
        job.key
        for job in standing
        if job.state != "cancelled" and (job.state == "done" or not is_pack(job))
    )


async def reopen_degraded(connection: Connection) -> int:
    """Let jobs be asked again that rules alone have answered; give how many there were."""
    rows = await connection.fetch(
        'SELECT job, record FROM replies WHERE record LIKE \'%"degraded":"_%\''
    )
    degraded = [
        row["job"] for row in rows if msgspec.json.decode(row["record"], type=Reply).degraded
    ]
    for job in degraded:
        await connection.execute("DELETE FROM replies WHERE job = ?", job)
        await connection.execute(
            "UPDATE jobs SET state = 'cancelled', single = NULL WHERE id = ? AND state = 'done'",
            job,
        )
    return len(degraded)


async def live_sends(connection: Connection) -> int:
    """Count the send jobs that wait or run."""
    rows = await connection.fetch(
        f"SELECT COUNT(*) AS jobs FROM jobs WHERE kind = 'send' AND {LIVE}"
    )
    return int(rows[0]["jobs"])


async def sends(connection: Connection) -> list[Job]:
    """Give every send job, the oldest first."""
    rows = await connection.fetch(f"SELECT {COLUMNS} FROM jobs WHERE kind = 'send' ORDER BY ticket")
    return [job_of(row) for row in rows]
