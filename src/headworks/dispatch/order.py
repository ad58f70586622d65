"""Which job is next: level, then the client whose turn it is, then the smallest, then the first.

Takes a call of a worker with so much room, gives leases. Never lets a heavy job be passed by
lighter ones for more than half a minute, and never looks further than it must: the cost of a
claim does not grow with what waits.
"""

import heapq
from collections.abc import Sequence
from typing import NamedTuple

from headworks.dispatch.entering import ripen
from headworks.dispatch.journal import emit_all
from headworks.dispatch.lanes import move_on, put_to_rest
from headworks.dispatch.rows import COLUMNS, Lane, in_groups, job_of, lane_of
from headworks.model.job import Job, JobKind, Lease
from headworks.store.database import Connection, Row
from headworks.store.locks import hold_lightly, skip_locked

# A job too heavy for what is free lets lighter ones pass that long.
PASSING_SECONDS = 30.0
# Lanes looked at in one go; clients beyond have later turns.
_LANES = 64
_ALL_LANES = 1_000_000
# Jobs of one lane looked at for one that is light enough.
_LIGHTER = 64


_PAIR = "(CAST(? AS BIGINT), CAST(? AS BIGINT))"


class Call(NamedTuple):
    """A worker asks for work: which kinds, at which targets (none: all), how much fits.

    ``lowest`` is the last level that is wanted, none for all.
    """

    worker: str
    kinds: tuple[JobKind, ...]
    room: int
    targets: tuple[str, ...] | None
    most: int
    lease_seconds: float
    lowest: int | None = None


class _Turn(NamedTuple):
    """A lane in the order of service."""

    level: int
    turn: float
    client: str
    lane: Lane


class _Search:
    """One claim's look through the lanes: what is chosen, and what is left to choose from."""

    def __init__(self, connection: Connection, call: Call) -> None:
        self.connection = connection
        self.call = call
        self.room = call.room
        self.chosen: list[Row] = []
        self.moved: dict[Lane, float] = {}
        self.reserved = False
        self.spent: set[Lane] = set()
        self._ahead: dict[Lane, list[Row]] = {}
        self._searched: set[Lane] = set()

    async def go(self, most_lanes: int) -> bool:
        """Choose in the order of service; tell whether there may be lanes not looked at."""
        turns = await _open_lanes(self.connection, self.call, most_lanes)
        seen = len(turns)
        heapq.heapify(turns)
        while turns and len(self.chosen) < self.call.most and not self.reserved:
            first = heapq.heappop(turns)
            row = await self._next_of(first.lane)
            if row is not None:
                self.chosen.append(row)
                self.room -= row["weight"]
                self.moved[first.lane] = first.turn + max(row["cost"], 1)
                heapq.heappush(turns, first._replace(turn=self.moved[first.lane]))
        return seen == most_lanes and not turns

    async def _next_of(self, lane: Lane) -> Row | None:
        """Give a lane's first job that fits, if it has one."""
        if lane not in self._ahead:
            wanted = self.call.most - len(self.chosen)
            # One more tells whether the lane goes on after this claim.
            size = _size(wanted) + 1
            self._ahead[lane] = list(await _first_of(self.connection, lane, size))
            if len(self._ahead[lane]) < size:
                self.spent.add(lane)
        rows = self._ahead[lane]
        if not rows:
            return None
        if rows[0]["weight"] > self.room:
            return await self._lighter(lane)
        return rows.pop(0)

    async def _lighter(self, lane: Lane) -> Row | None:
        """Give a job that passes the lane's first, which is too heavy; none may for long."""
        first = self._ahead[lane][0]
        now = self.connection.now()
        if first["passed"] and first["passed"] + PASSING_SECONDS <= now:
            self.reserved = True
            return None
        if not first["passed"]:
            await self.connection.execute(
                "UPDATE jobs SET passed = ? WHERE ticket = ? AND passed = 0", now, first["ticket"]
            )
        if lane not in self._searched:
            self._searched.add(lane)
            taken = {row["ticket"] for row in self.chosen}
            self._ahead[lane] = [
                row
                for row in await _first_of(self.connection, lane, _LIGHTER)
                if row["ticket"] not in taken
            ]
        rows = self._ahead[lane]
        at = next((at for at, row in enumerate(rows) if row["weight"] <= self.room), None)
        return None if at is None else rows.pop(at)


async def claim(connection: Connection, call: Call) -> tuple[Lease, ...]:
    """Claim up to ``call.most`` jobs in order, as many as fit."""
    # A claim that a crash of the server undoes is one that was never made: its worker cannot
    # complete it. So claims need not wait for the disk, one after the other.
    await hold_lightly(connection, "claim")
    await ripen(connection)
    search = _Search(connection, call)
    if await search.go(_LANES) and not search.chosen and not search.reserved:
        await search.go(_ALL_LANES)
    leases = await _take(connection, call, search.chosen)
    for lane, turn in search.moved.items():
        await move_on(connection, lane, turn)
    for lane in sorted(search.spent):
        await put_to_rest(connection, lane)
    await emit_all(
        connection,
        [
            (lease.job.root, "started", {"job": lease.job.id, "attempt": lease.job.attempts})
            for lease in leases
            if lease.job.kind == "process"
        ],
    )
    return leases


async def _open_lanes(connection: Connection, call: Call, most: int) -> list[_Turn]:
    """Give the lanes that may have something for this call, first come first."""
    kinds = f"kind IN ({', '.join('?' * len(call.kinds))})"
    targets, values = "", list[object](call.kinds)
    if call.targets is not None:
        targets = f" AND target IN ({', '.join('?' * len(call.targets))})"
        values += call.targets
    if call.lowest is not None:
        targets += " AND level <= ?"
        values.append(call.lowest)
    rows = await connection.fetch(
        "SELECT kind, target, level, client, turn FROM lanes"
        f" WHERE active = 1 AND {kinds}{targets} AND NOT EXISTS (SELECT 1 FROM pauses WHERE"
        " scope IN ('all', 'client:' || lanes.client, 'target:' || lanes.target))"
        f" ORDER BY level, turn, client LIMIT {most}",
        *values,
    )
    return [_Turn(row["level"], row["turn"], row["client"], lane_of(row)) for row in rows]


async def _first_of(connection: Connection, lane: Lane, count: int) -> Sequence[Row]:
    """Give a lane's first jobs, leaving out those that another transaction holds."""
    return await connection.fetch(
        f"SELECT ticket, passed, {COLUMNS} FROM jobs WHERE kind = ? AND target = ? AND level = ?"
        f" AND client = ? AND state = 'waiting' AND gate = '' ORDER BY size, ticket"
        f" LIMIT {count}{skip_locked(connection)}",
        *lane,
    )


def _size(count: int) -> int:
    """Give the next of a few sizes, so that each statement is prepared once."""
    return next(size for size in (1, 8, 64, 512, count) if count <= size)


async def _take(connection: Connection, call: Call, rows: Sequence[Row]) -> tuple[Lease, ...]:
    """Make leases of chosen rows. Numbers of claims are never used twice, in no job."""
    if not rows:
        return ()
    fence = await _fences(connection, len(rows))
    until = connection.now() + call.lease_seconds
    claimed: dict[int, Job] = {}
    for group in in_groups([(row["ticket"], fence + at) for at, row in enumerate(rows)]):
        changed = await connection.fetch(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, lost = lost + 1,"
            " fence = chosen.column2, worker = ?, lease_until = ?, passed = 0, aged = 0,"
            " code = '', message = ''"
            f" FROM (VALUES {', '.join([_PAIR] * len(group))}) AS chosen"
            f" WHERE jobs.ticket = chosen.column1 RETURNING jobs.ticket, {COLUMNS}",
            *(call.worker, until, *(value for pair in group for value in pair)),
        )
        claimed |= {row["ticket"]: job_of(row) for row in changed}
    jobs = [claimed[row["ticket"]] for row in rows]
    return tuple(Lease(job, call.worker, job.fence) for job in jobs)


async def _fences(connection: Connection, count: int) -> int:
    """Take numbers of claims; give the first.

    On PostgreSQL they follow the clock: a claim that a crash undid leaves its number unused.
    """
    at_least = 0
    if connection.engine == "postgres":
        at_least = int(connection.now() * 1_000_000)
    counted = await connection.fetch(
        "UPDATE counters SET value = CASE WHEN value < ? THEN ? ELSE value END + ?"
        " WHERE name = 'fence' RETURNING value",
        at_least,
        at_least,
        count,
    )
    return int(counted[0]["value"]) - count + 1
