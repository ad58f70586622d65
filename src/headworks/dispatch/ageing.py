"""Ageing: what has waited long goes up a level, so that nothing starves.

Takes the seconds after which, moves jobs up. Never a flood: few jobs that came up this way wait
at any time, the longest waiting first, so that urgent work stays quick.
"""

from typing import get_args

from headworks.dispatch.lanes import activate
from headworks.dispatch.rows import COUNTED, Lane, lane_of
from headworks.model.job import LOWEST_LEVEL, JobKind
from headworks.store.database import Connection, Row
from headworks.store.locks import skip_locked

# At most so many jobs that ageing brought up wait at a time.
MOST_AGED = 16
_DUE = "state = 'waiting' AND gate = '' AND raised <= ?"


async def promote(connection: Connection, ageing_seconds: float) -> int:
    """Raise what has waited its time at its level; at the top it goes first in its lane."""
    before = connection.now() - ageing_seconds
    on_the_way = await connection.fetch(
        f"SELECT ticket, kind, target, level, client FROM jobs WHERE {_DUE} AND aged = 1"
        f" AND aged > 0{skip_locked(connection)}",
        before,
    )
    counted = await connection.fetch(
        "SELECT COUNT(*) AS jobs FROM jobs WHERE state = 'waiting' AND aged > 0"
    )
    fresh = await _longest(connection, before, MOST_AGED - counted[0]["jobs"])
    rows = [*on_the_way, *fresh]
    for row in rows:
        await _raise(connection, row)
    await activate(connection, [_above(lane_of(row)) for row in rows])
    return len(rows)


async def _longest(connection: Connection, before: float, most: int) -> list[Row]:
    """Give the jobs that have waited longest and were not raised yet, over all kinds and levels."""
    if most <= 0:
        return []
    rows: list[Row] = []
    for kind in get_args(JobKind):
        for level in range(LOWEST_LEVEL + 1):
            rows += await connection.fetch(
                "SELECT ticket, kind, target, level, client, raised FROM jobs"
                f" WHERE {COUNTED} AND {_DUE} AND kind = ? AND level = ? AND aged = 0"
                f" ORDER BY raised LIMIT {most}{skip_locked(connection)}",
                *(before, kind, level),
            )
    return sorted(rows, key=lambda row: (row["raised"], row["ticket"]))[:most]


async def _raise(connection: Connection, row: Row) -> None:
    """Move one job up a level, or to the front of its lane at the top."""
    await connection.execute(
        "UPDATE jobs SET level = CASE WHEN level > 0 THEN level - 1 ELSE 0 END,"
        " size = CASE WHEN level > 0 THEN size ELSE 0 END,"
        " aged = CASE WHEN level > 0 THEN 1 ELSE 2 END, raised = ? WHERE ticket = ?",
        connection.now(),
        row["ticket"],
    )


def _above(lane: Lane) -> Lane:
    """Give the lane one level up."""
    return lane._replace(level=max(lane.level - 1, 0))
