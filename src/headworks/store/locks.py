"""What PostgreSQL needs where SQLite has one writer.

Takes a connection, gives nothing: the lock is held to the end of the transaction. Never does
anything on SQLite.
"""

from headworks.store.database import Connection


async def hold(connection: Connection, name: str) -> None:
    """Be the only transaction that holds this name, until it is over."""
    if connection.engine == "postgres":
        await connection.fetch("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)


def skip_locked(connection: Connection) -> str:
    """Give the end of a statement that takes rows nobody else holds."""
    return " FOR UPDATE SKIP LOCKED" if connection.engine == "postgres" else ""


def keep_row(connection: Connection) -> str:
    """Give the end of a statement that keeps ``lock_row`` away, and no change of the row."""
    return " FOR KEY SHARE" if connection.engine == "postgres" else ""


def lock_row(connection: Connection) -> str:
    """Give the end of a statement that has the row alone."""
    return " FOR UPDATE" if connection.engine == "postgres" else ""
