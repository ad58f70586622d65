"""Lanes: whose turn it is. Start-time fair queueing over cost, between clients.

Takes lanes that have got something to claim, gives the order in which lanes are served. Never
lets a client that was away make up for the time: it comes in where the others are.
"""

from collections.abc import Iterable

from headworks.dispatch.rows import Lane
from headworks.store.database import Connection
from headworks.store.locks import keep_row, lock_row

_OF = "kind = ? AND target = ? AND level = ? AND client = ?"


async def activate(connection: Connection, lanes: Iterable[Lane]) -> None:
    """Say that these lanes have jobs to claim."""
    look = f"SELECT active FROM lanes WHERE {_OF}{keep_row(connection)}"
    for lane in sorted(set(lanes)):
        rows = await connection.fetch(look, *lane)
        if not rows or not rows[0]["active"]:
            await connection.execute(
                "INSERT INTO lanes (kind, target, level, client, pool, active, turn)"
                " VALUES (?, ?, ?, ?, ?, 1, ?)"
                " ON CONFLICT (kind, target, level, client) DO UPDATE SET active = 1, turn = CASE"
                " WHEN lanes.turn < excluded.turn THEN excluded.turn ELSE lanes.turn END"
                " WHERE lanes.active = 0",
                *lane,
                lane.pool,
                await _present_turn(connection, lane),
            )


async def _present_turn(connection: Connection, lane: Lane) -> float:
    """Give where the others are: the least turn under way, else the furthest there was."""
    for choice, active in (("MIN", 1), ("MAX", 0)):
        rows = await connection.fetch(
            f"SELECT {choice}(turn) AS turn FROM lanes"
            f" WHERE pool = ? AND level = ? AND active = {active}",
            lane.pool,
            lane.level,
        )
        if rows[0]["turn"] is not None:
            return float(rows[0]["turn"])
    return 0.0


async def put_to_rest(connection: Connection, lane: Lane) -> None:
    """Say that a lane has nothing to claim, if that is so.

    Having the row alone, we see every job of those who put in before, and those who come after
    find the lane at rest.
    """
    await connection.fetch(f"SELECT active FROM lanes WHERE {_OF}{lock_row(connection)}", *lane)
    waiting = await connection.fetch(
        f"SELECT ticket FROM jobs WHERE {_OF} AND state = 'waiting' AND gate = '' LIMIT 1", *lane
    )
    if not waiting:
        await connection.execute(f"UPDATE lanes SET active = 0 WHERE {_OF}", *lane)


async def move_on(connection: Connection, lane: Lane, turn: float) -> None:
    """Say how much a lane has been served."""
    await connection.execute(f"UPDATE lanes SET turn = ? WHERE {_OF}", turn, *lane)
