"""How the queue stands: counts, lists, pauses, and why a job waits.

Takes filters, gives values. Never changes a job.
"""

from collections.abc import Sequence

import msgspec

from headworks.dispatch.rows import COLUMNS, COUNTED, job_of
from headworks.model.job import Job, JobKind, JobState
from headworks.store.database import Connection, Row

# Beyond this many the place of a job in the queue is not counted further.
_COUNTED = 1000

# What goes before a job, lane by lane along the index of claims: more urgent levels, and in its
# own level what is smaller, or came before it.
_LANE_JOBS = (
    "SELECT 1 AS one FROM lanes JOIN jobs ON jobs.kind = lanes.kind"
    " AND jobs.target = lanes.target AND jobs.level = lanes.level AND jobs.client = lanes.client"
    " WHERE lanes.active = 1 AND jobs.state = 'waiting' AND jobs.gate = ''"
    " AND lanes.kind = ? AND lanes.target = ?"
)
_AHEAD = (
    f"{_LANE_JOBS} AND lanes.level < ? UNION ALL {_LANE_JOBS} AND lanes.level = ?"
    f" AND jobs.size < ? UNION ALL {_LANE_JOBS} AND lanes.level = ? AND jobs.size = ?"
    f" AND jobs.ticket < ? LIMIT {_COUNTED}"
)


class JobFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which jobs to list; empty takes all. ``clients`` are all that are shown (none: everyone)."""

    state: JobState | None = None
    kind: JobKind | None = None
    client: str | None = None
    clients: tuple[str, ...] = ()
    document: str | None = None
    root: str | None = None
    target: str | None = None
    code: str | None = None


class Standing(msgspec.Struct, frozen=True):
    """How many jobs of a kind, level and state there are, and since when the oldest is there."""

    kind: JobKind
    level: int
    state: JobState
    jobs: int
    oldest_seconds: float


class QueueStats(msgspec.Struct, frozen=True, kw_only=True):
    """The queue at a glance: what waits, runs or has failed; what ended well is not counted.

    ``oldest_seconds`` is the age of the oldest waiting job.
    """

    standings: tuple[Standing, ...]
    waiting: int
    running: int
    failed: int
    oldest_seconds: float
    paused: tuple[str, ...]


async def stats(connection: Connection, clients: Sequence[str] = ()) -> QueueStats:
    """Count; with ``clients`` only what is theirs."""
    among = f" AND client IN ({', '.join('?' * len(clients))})" if clients else ""
    rows = await connection.fetch(
        "SELECT state, kind, gate, level, COUNT(*) AS jobs, MIN(created) AS oldest FROM jobs"
        f" WHERE {COUNTED}{among} GROUP BY state, kind, gate, level",
        *clients,
    )
    now = connection.now()
    together: dict[tuple[JobState, JobKind, int], list[Row]] = {}
    for row in rows:
        together.setdefault((row["state"], row["kind"], row["level"]), []).append(row)
    standings = tuple(
        Standing(
            kind,
            level,
            state,
            sum(row["jobs"] for row in parts),
            max(now - min(row["oldest"] for row in parts), 0.0),
        )
        for (state, kind, level), parts in together.items()
    )
    waiting = [one for one in standings if one.state == "waiting"]
    return QueueStats(
        standings=standings,
        waiting=sum(one.jobs for one in waiting),
        running=sum(one.jobs for one in standings if one.state == "running"),
        failed=sum(one.jobs for one in standings if one.state == "failed"),
        oldest_seconds=max((one.oldest_seconds for one in waiting), default=0.0),
        paused=tuple(
            scope
            for scope in await paused(connection)
            if not clients or not scope.startswith("client:") or scope[7:] in clients
        ),
    )


async def paused(connection: Connection) -> tuple[str, ...]:
    """Give what is paused."""
    rows = await connection.fetch("SELECT scope FROM pauses ORDER BY scope")
    return tuple(row["scope"] for row in rows)


async def listing(
    connection: Connection, wanted: JobFilter, before: str, limit: int
) -> tuple[Job, ...]:
    """Give jobs, the newest first, a page at a time: those older than the job ``before``."""
    given = {name: value for name, value in msgspec.structs.asdict(wanted).items() if value}
    given.pop("clients", None)
    conditions = [f"{name} = ?" for name in given]
    values: list[object] = list(given.values())
    if wanted.clients:
        conditions.append(f"client IN ({', '.join('?' * len(wanted.clients))})")
        values += wanted.clients
    if before:
        conditions.append("ticket < (SELECT ticket FROM jobs WHERE id = ?)")
        values.append(before)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = await connection.fetch(
        f"SELECT {COLUMNS} FROM jobs{where} ORDER BY ticket DESC LIMIT ?", *values, limit
    )
    return tuple(job_of(row) for row in rows)


async def count_waiting(connection: Connection, kind: JobKind, most: int) -> int:
    """Count waiting jobs of a kind, to so many at most."""
    rows = await connection.fetch(
        "SELECT COUNT(*) AS jobs FROM (SELECT 1 FROM jobs WHERE"
        f" {COUNTED} AND state = 'waiting' AND kind = ? LIMIT ?) AS counted",
        kind,
        most,
    )
    return int(rows[0]["jobs"])


async def why(connection: Connection, job_id: str) -> str:
    """Give why a job waits: paused, stream, retry, memory, or ``behind N``; '' if it does not."""
    rows = await connection.fetch(
        f"SELECT gate, passed, size, ticket, {COLUMNS} FROM jobs WHERE id = ?", job_id
    )
    if not rows or rows[0]["state"] != "waiting":
        return ""
    row = rows[0]
    scopes = {"all", f"client:{row['client']}", f"target:{row['target']}"}
    if scopes & set(await paused(connection)):
        return "paused"
    if row["gate"]:
        return "stream" if row["gate"] == "stream" else "retry"
    if row["passed"]:
        return "memory"
    place = (row["kind"], row["target"], row["level"])
    ahead = await connection.fetch(
        f"SELECT COUNT(*) AS jobs FROM ({_AHEAD}) AS counted",
        *place,
        *(*place, row["size"]),
        *(*place, row["size"], row["ticket"]),
    )
    return f"behind {ahead[0]['jobs']}"
