"""Events: what happened to a root job, in an order that readers can follow.

Takes events without number, gives them numbered. Never text of a document.
"""

import msgspec

from headworks.model.job import Event
from headworks.store.database import Connection
from headworks.store.locks import hold

Body = dict[str, str | int | float | bool | None]
_MOST = 1000


async def emit(connection: Connection, root: str, kind: str, body: Body) -> None:
    """Write an event. On PostgreSQL events of one root come one after the other, so that nobody
    who has read up to a number ever misses a lower one that was committed later."""
    await hold(connection, f"events:{root}")
    await connection.execute(
        "INSERT INTO events (root, kind, at, body) VALUES (?, ?, ?, ?)",
        root,
        kind,
        connection.now(),
        msgspec.json.encode(body).decode(),
    )


async def events_after(connection: Connection, root: str, after: int) -> tuple[Event, ...]:
    """Give a root's events after a number, a thousand at most."""
    rows = await connection.fetch(
        "SELECT seq, root, kind, at, body FROM events WHERE root = ? AND seq > ?"
        f" ORDER BY seq LIMIT {_MOST}",
        root,
        after,
    )
    return tuple(
        Event(row["seq"], row["root"], row["kind"], row["at"], msgspec.json.decode(row["body"]))
        for row in rows
    )
