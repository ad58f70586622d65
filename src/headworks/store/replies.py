"""Replies of targets, kept in the transaction that completes their job.

Takes leases and replies, gives a document's replies in order. Never two of one job.
"""

import msgspec

from headworks.model.job import Lease, Reply
from headworks.store.database import Connection


async def keep(connection: Connection, lease: Lease, reply: Reply) -> None:
    """Keep the reply of a leased job; a later one of the same job takes its place."""
    job = lease.job
    await connection.execute(
        "INSERT INTO replies (job, document, root, chunk, target, at, record)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (job) DO UPDATE SET at = excluded.at,"
        " target = excluded.target, record = excluded.record",
        job.id,
        job.document,
        job.root,
        job.chunk or "",
        reply.target,
        connection.now(),
        msgspec.json.encode(reply).decode(),
    )


async def of_document(
    connection: Connection, document: str, root: str | None = None
) -> tuple[Reply, ...]:
    """Give a document's replies in the order they came, of one root job where it is named."""
    which, values = ("", ()) if root is None else (" AND root = ?", (root,))
    rows = await connection.fetch(
        f"SELECT record FROM replies WHERE document = ?{which} ORDER BY number", document, *values
    )
    return tuple(msgspec.json.decode(row["record"], type=Reply) for row in rows)


async def of_job(connection: Connection, job: str) -> Reply | None:
    """Give the reply of one job, none where it has none."""
    rows = await connection.fetch("SELECT record FROM replies WHERE job = ?", job)
    return msgspec.json.decode(rows[0]["record"], type=Reply) if rows else None
