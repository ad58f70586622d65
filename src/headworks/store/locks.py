"""What PostgreSQL needs where SQLite has one writer.

Takes a connection, gives nothing: the lock is held to the end of the transaction. Never does
anything on SQLite.
"""

from collections.abc import Iterable

from headworks.store.database import Connection

_NAMED = "pg_advisory_xact_lock(hashtextextended(?, 0))"


async def hold(connection: Connection, name: str) -> None:
    """Be the only transaction that holds this name, until it is over."""
    if connection.engine == "postgres":
        await connection.fetch(f"SELECT {_NAMED}", name)


async def hold_all(connection: Connection, names: Iterable[str]) -> None:
    """The same for several names, always taken in one order."""
    if connection.engine == "postgres":
        await connection.fetch(
            "SELECT pg_advisory_xact_lock(hashtextextended(name, 0))"
            " FROM unnest(?::text[]) AS name",
            sorted(set(names)),
        )


async def hold_lightly(connection: Connection, name: str) -> None:
    """Hold a name in a transaction that a crash of the server may undo after its end.

    It does not wait for the disk then: the name is free again the sooner.
    """
    if connection.engine == "postgres":
        # The lock is taken last: PostgreSQL works a row's columns out from left to right.
        await connection.fetch(
            f"SELECT set_config('synchronous_commit', 'off', true), {_NAMED}", name
        )


def skip_locked(connection: Connection) -> str:
    """Give the end of a statement that takes rows nobody else holds."""
    return " FOR UPDATE SKIP LOCKED" if connection.engine == "postgres" else ""


def keep_row(connection: Connection) -> str:
    """Give the end of a statement that keeps ``lock_row`` away, and no change of the row."""
    return " FOR KEY SHARE" if connection.engine == "postgres" else ""


def lock_row(connection: Connection) -> str:
    """Give the end of a statement that has the row alone."""
    return " FOR UPDATE" if connection.engine == "postgres" else ""
