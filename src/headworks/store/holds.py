"""Originals that somebody is about to use, told to the other processes of a PostgreSQL.

Takes a connection, hashes and who holds them, gives whether one is held. Never for ever: a holder
that is gone lets go by itself after a day. The embedded engine has one process and needs none.
"""

from headworks.store.database import Connection
from headworks.store.locks import hold

# Longer than any upload takes; what a lost machine held is swept after it.
_SECONDS = 86_400.0


def name_of(sha256: str) -> str:
    """Give the name that who takes an original away has to hold."""
    return f"original:{sha256}"


async def keep(connection: Connection, sha256: str, holder: str) -> None:
    """Hold an original; who is taking it away at this moment is waited for."""
    await hold(connection, name_of(sha256))
    await connection.execute(
        "INSERT INTO holds (sha256, holder, until) VALUES (?, ?, ?)"
        " ON CONFLICT (sha256, holder) DO UPDATE SET until = excluded.until",
        sha256,
        holder,
        connection.now() + _SECONDS,
    )


async def release(connection: Connection, holder: str) -> None:
    """Let go of all that one holds."""
    await connection.execute("DELETE FROM holds WHERE holder = ?", holder)


async def held(connection: Connection, sha256: str) -> bool:
    """Tell whether anybody holds an original."""
    rows = await connection.fetch(
        "SELECT holder FROM holds WHERE sha256 = ? AND until > ? LIMIT 1", sha256, connection.now()
    )
    return bool(rows)


async def all_held(connection: Connection) -> frozenset[str]:
    """Give the hashes of all that is held; what is held no more is forgotten by ``lapse``."""
    rows = await connection.fetch("SELECT sha256 FROM holds WHERE until > ?", connection.now())
    return frozenset(row["sha256"] for row in rows)


async def lapse(connection: Connection) -> None:
    """Forget what lost machines held."""
    await connection.execute("DELETE FROM holds WHERE until <= ?", connection.now())
