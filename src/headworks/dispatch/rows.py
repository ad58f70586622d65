"""Jobs as rows of the table, and back.

Takes jobs, gives values in the order of the columns; takes rows, gives jobs. Never decides.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from headworks.model.job import Job
from headworks.store.database import Row

Item = TypeVar("Item")
# The columns of a job that its value has; an empty target is none.
COLUMNS = (
    "id, kind, root, document, key, client, chunk, target, level, cost, weight, stream, state,"
    " attempts, fence, created, not_before, code, message"
)
# What is counted; statements say it in these words so that its index is used.
COUNTED = "state IN ('waiting', 'running', 'failed')"
LIVE = "state IN ('waiting', 'running')"

_PUT = (
    "id",
    "single",
    "kind",
    "root",
    "document",
    "key",
    "client",
    "chunk",
    "target",
    "level",
    "cost",
    "weight",
    "stream",
    "state",
    "created",
    "not_before",
    "asked",
    "size",
    "gate",
    "raised",
)
# Statements of few sizes, so that each is prepared once.
_GROUPS = (64, 8, 1)


class Lane(NamedTuple):
    """The jobs of one client at one level for one place."""

    kind: str
    target: str
    level: int
    client: str

    @property
    def pool(self) -> str:
        """Sends compete with sends; what parsers and assembly do competes for the machine."""
        return "send" if self.kind == "send" else "work"


def job_of(row: Row) -> Job:
    """Give the job of a row of ``COLUMNS``."""
    return Job(
        id=row["id"],
        kind=row["kind"],
        root=row["root"],
        document=row["document"],
        key=row["key"],
        client=row["client"],
        chunk=row["chunk"],
        target=row["target"] or None,
        level=row["level"],
        cost=row["cost"],
        weight=row["weight"],
        stream=row["stream"],
        state=row["state"],
        attempts=row["attempts"],
        fence=row["fence"],
        created=row["created"],
        not_before=row["not_before"],
        code=row["code"],
        message=row["message"],
    )


def lane_of(row: Row) -> Lane:
    """Give the lane of a row that has kind, target, level and client."""
    return Lane(row["kind"], row["target"], row["level"], row["client"])


def put_values(job: Job, now: float) -> tuple[object, ...]:
    """Give the values a new job is put in with. A stream's job waits until it is let through."""
    gate = "stream" if job.stream is not None else "later" if job.not_before > now else ""
    return (
        job.id,
        job.key,
        job.kind,
        job.root,
        job.document,
        job.key,
        job.client,
        job.chunk,
        job.target or "",
        job.level,
        job.cost,
        job.weight,
        job.stream,
        "waiting",
        now,
        job.not_before,
        job.level,
        job.cost,
        gate,
        now,
    )


def put_statement(count: int) -> str:
    """Give the statement that puts in so many jobs and gives the ids of those that are new."""
    one = f"({', '.join('?' * len(_PUT))})"
    return (
        f"INSERT INTO jobs ({', '.join(_PUT)}) VALUES {', '.join([one] * count)}"
        " ON CONFLICT DO NOTHING RETURNING id"
    )


def in_groups(values: Sequence[Item]) -> list[tuple[Item, ...]]:
    """Cut a sequence into groups of the sizes that statements have."""
    rest = iter(values)
    left = len(values)
    groups: list[tuple[Item, ...]] = []
    for size in _GROUPS:
        while left >= size:
            groups.append(tuple(islice(rest, size)))
            left -= size
    return groups
