"""Send jobs of a run over files: which are still to come, and which nobody asks for any more.

Takes the keys that a run wants, ends the others that still wait. Never touches one that is done.
"""

from collections.abc import Collection

from headworks.dispatch.rows import COLUMNS, LIVE, job_of
from headworks.model.job import Job
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
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE id = ?"
                " AND state = 'waiting'",
                connection.now(),
                row["id"],
            )
    return count


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
