"""Jobs and documents as API, console and watched folder see them.

Takes ids, gives views. Never text of a document, never anything that changes.
"""

from collections.abc import Mapping

import msgspec

from headworks.dispatch.rows import COLUMNS, job_of
from headworks.model.job import Job, JobState
from headworks.service.registry import options_of
from headworks.service.shop import Shop
from headworks.store import documents
from headworks.store.database import Connection
from headworks.store.documents import DocumentFilter, DocumentRow

_MOST_DOCUMENTS = 1_000


class Progress(msgspec.Struct, frozen=True):
    """How far a document is: the stage under way, and the page where its reader can tell."""

    document: str = ""
    stage: str = ""
    page: int = 0
    of: int = 0


class DocumentView(msgspec.Struct, frozen=True, kw_only=True):
    """A document: what came in, how it stands, what came of it.

    ``state`` is waiting, running, done, failed or cancelled; ``fence`` names its result (0: none
    yet); ``answer`` tells that the targets' answers are assembled. ``members`` are counted in
    ``counts``; ``parent`` is the document this one was in.
    """

    id: str
    name: str
    client: str
    media_type: str
    size: int
    sha256: str
    state: JobState
    priority: str
    job: str
    created: float
    finished: float = 0.0
    fence: int = 0
    answer: bool = False
    degraded: tuple[str, ...] = ()
    counts: dict[str, int] = {}
    versions: dict[str, str] = {}
    tags: dict[str, str] = {}
    parent: str = ""
    place: str = ""
    code: str = ""
    message: str = ""


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job as the user knows it: with all it gave rise to.

    ``why`` says why it waits: paused, stream, memory, retry, behind N. ``jobs`` counts by kind and
    state. A job is over when nothing of it waits or runs.
    """

    id: str
    state: JobState
    document: str
    client: str
    level: int
    attempts: int
    created: float
    why: str = ""
    code: str = ""
    message: str = ""
    progress: Progress = Progress()
    jobs: dict[str, dict[str, int]] = {}
    documents: tuple[DocumentView, ...] = ()

    @property
    def over(self) -> bool:
        """Tell whether nothing of it is to come."""
        return self.state in ("done", "failed", "cancelled")


async def job_view(shop: Shop, job_id: str) -> JobView | None:
    """Give a job with what it gave rise to; none where there is no such job."""
    job = await shop.queue.get(job_id)
    if job is None:
        return None
    found = await shop.database.read(_Tree(job.root).look)
    counts: dict[str, dict[str, int]] = {}
    for one in found.jobs:
        states = counts.setdefault(one.kind, {})
        states[one.state] = states.get(one.state, 0) + 1
    for (kind, state), number in found.sends.items():
        counts.setdefault(kind, {})[state] = number
    state = _state(job, counts)
    bad = job if job.code else next((one for one in found.jobs if one.state == "failed"), job)
    return JobView(
        id=job.root,
        state=state,
        document=job.document,
        client=job.client,
        level=job.level,
        attempts=job.attempts,
        created=job.created,
        why=await shop.queue.why(job) if state == "waiting" else "",
        code=bad.code if state in ("failed", "waiting") else "",
        message=bad.message if state in ("failed", "waiting") else "",
        progress=found.progress if counts.get("process", {}).get("running") else Progress(),
        jobs=counts,
        documents=tuple(_view(row, found.of(row.id)) for row in found.rows),
    )


async def document_view(shop: Shop, document: str) -> DocumentView | None:
    """Give a document; none where there is no such one."""

    async def work(connection: Connection) -> DocumentView | None:
        row = await documents.get(connection, document)
        return None if row is None else _view(row, await _latest(connection, document))

    return await shop.database.read(work)


async def document_views(
    shop: Shop, wanted: DocumentFilter, after: str = "", limit: int = 100
) -> tuple[DocumentView, ...]:
    """Give documents, the newest first, a page at a time: those older than ``after``."""

    async def work(connection: Connection) -> tuple[DocumentView, ...]:
        rows = await documents.listing(connection, wanted, after, limit)
        return tuple([_view(row, await _latest(connection, row.id)) for row in rows])

    return await shop.database.read(work)


class _Found(msgspec.Struct, frozen=True):
    """What belongs to a root job."""

    jobs: tuple[Job, ...]
    sends: dict[tuple[str, str], int]
    rows: tuple[DocumentRow, ...]
    progress: Progress

    def of(self, document: str) -> Job | None:
        """Give the latest job of a document."""
        return next((job for job in reversed(self.jobs) if job.document == document), None)


class _Tree:
    """Looks up what belongs to a root job, in one view of the tables."""

    def __init__(self, root: str) -> None:
        self._root = root

    async def look(self, connection: Connection) -> _Found:
        """Give it."""
        jobs = await connection.fetch(
            f"SELECT {COLUMNS} FROM jobs WHERE root = ? AND kind = 'process'"
            f" ORDER BY ticket LIMIT {_MOST_DOCUMENTS}",
            self._root,
        )
        sends = await connection.fetch(
            "SELECT kind, state, COUNT(*) AS jobs FROM jobs WHERE root = ? AND kind <> 'process'"
            " GROUP BY kind, state",
            self._root,
        )
        told = await connection.fetch(
            "SELECT body FROM events WHERE root = ? AND kind = 'stage' ORDER BY seq DESC LIMIT 1",
            self._root,
        )
        found = tuple(job_of(row) for row in jobs)
        rows = [
            row
            for id_ in dict.fromkeys(job.document for job in found)
            if (row := await documents.get(connection, id_)) is not None
        ]
        progress = msgspec.json.decode(told[0]["body"], type=Progress) if told else Progress()
        counts = {(row["kind"], row["state"]): int(row["jobs"]) for row in sends}
        return _Found(found, counts, tuple(rows), progress)


async def _latest(connection: Connection, document: str) -> Job | None:
    rows = await connection.fetch(
        f"SELECT {COLUMNS} FROM jobs WHERE document = ? AND kind = 'process'"
        " ORDER BY ticket DESC LIMIT 1",
        document,
    )
    return job_of(rows[0]) if rows else None


def _state(job: Job, counts: Mapping[str, Mapping[str, int]]) -> JobState:
    """Give the state of a whole: running while anything of it is to come."""
    total: dict[str, int] = {}
    for states in counts.values():
        for state, number in states.items():
            total[state] = total.get(state, 0) + number
    if job.state == "waiting" and not total.get("running") and not total.get("done"):
        return "waiting"
    if total.get("waiting") or total.get("running"):
        return "running"
    if job.state in ("failed", "cancelled"):
        return job.state
    return "failed" if total.get("failed") else "cancelled" if total.get("cancelled") else "done"


def _view(row: DocumentRow, job: Job | None) -> DocumentView:
    options = options_of(row)
    state: JobState = "done" if row.fence else "waiting"
    if job is not None and not (row.fence and job.state in ("waiting", "running")):
        state = job.state  # a result that is being made anew is there as long
    failed = job is not None and state in ("failed", "waiting")
    return DocumentView(
        id=row.id,
        name=row.name,
        client=row.client,
        media_type=row.media_type,
        size=row.size,
        sha256=row.sha256,
        state=state,
        priority=row.priority,
        job=row.job,
        created=row.created,
        finished=row.finished,
        fence=row.fence,
        answer=bool(row.answer_fence),
        degraded=tuple(way for way in row.degraded.split(",") if way),
        counts=row.counts,
        versions=row.versions,
        tags=options.tags,
        parent=options.parent,
        place=options.place,
        code=job.code if failed and job is not None else "",
        message=job.message if failed and job is not None else "",
    )
