"""Events: what happened to a root job, in an order that readers can follow.

Takes events without number, gives them numbered. Never text of a document.
"""

from collections.abc import Sequence

import msgspec

from headworks.dispatch.rows import in_groups
from headworks.model.job import Event
from headworks.store.database import Connection
from headworks.store.locks import hold_all

Body = dict[str, str | int | float | bool | None]
_MOST = 1000


async def emit(connection: Connection, root: str, kind: str, body: Body) -> None:
    """Write an event."""
    await emit_all(connection, [(root, kind, body)])


async def emit_all(connection: Connection, events: Sequence[tuple[str, str, Body]]) -> None:
    """Write events: root, kind, body.

    On PostgreSQL events of one root come one after the other, so that nobody who has read up to a
    number ever misses a lower one that was committed later.
    """
    if not events:
        return
    await hold_all(connection, (f"events:{root}" for root, _, _ in events))
    for group in in_groups(events):
        values = [
            value
            for root, kind, body in group
            for value in (root, kind, connection.now(), msgspec.json.encode(body).decode())
        ]
        await connection.execute(
            "INSERT INTO events (root, kind, at, body) VALUES "
            + ", ".join(["(?, ?, ?, ?)"] * len(group)),
            *values,
        )


async def events_after(
    connection: Connection, root: str, after: int, most: int = _MOST
) -> tuple[Event, ...]:
    """Give a root's events after a number, so many at most."""
    rows = await connection.fetch(
        "SELECT seq, root, kind, at, body FROM events WHERE root = ? AND seq > ?"
        " ORDER BY seq LIMIT ?",
        root,
        after,
        most,
    )
    return tuple(
        Event(row["seq"], row["root"], row["kind"], row["at"], msgspec.json.decode(row["body"]))
        for row in rows
    )
