"""Send jobs of an earlier run that nobody asks for any more.

Takes the ids that a run wants, ends the others that still wait. Never touches one that is done.
"""

from collections.abc import Collection

from headworks.store.database import Connection


async def drop_others(connection: Connection, wanted: Collection[str]) -> int:
    """Cancel waiting send jobs that are not wanted; give how many there were.

    Their documents were changed, or their prompts. One that is wanted keeps its attempts.
    """
    rows = await connection.fetch("SELECT id FROM jobs WHERE kind = 'send' AND state = 'waiting'")
    count = 0
    for row in rows:
        if row["id"] not in wanted:
            count += await connection.execute(
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE id = ?"
                " AND state = 'waiting'",
                connection.now(),
                row["id"],
            )
    return count
