"""What the API says of its own, beside the views of ``service``.

Takes nothing, gives the structs that its answers are and that its OpenAPI is made from.
"""

import msgspec

from headworks.dispatch.standing import QueueStats
from headworks.model.job import Job
from headworks.service.links import LinkRecord
from headworks.service.views import DocumentView


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file of an upload: its document and job, or the code of why not."""

    name: str
    document: str = ""
    job: str = ""
    existing: bool = False
    code: str = ""
    message: str = ""


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """What was accepted. ``job`` and ``document`` are the first file's; all stand in ``files``."""

    job: str
    document: str
    existing: bool
    files: tuple[Taken, ...]


class Preprocessed(msgspec.Struct, frozen=True, kw_only=True):
    """A document with its chunks, as lines of ``chunks.jsonl`` have them."""

    job: str
    document: str
    degraded: tuple[str, ...]
    chunks: msgspec.Raw


class DocumentResult(msgspec.Struct, frozen=True, kw_only=True):
    """A document, its files, and ``document.json`` where there is a result."""

    document: DocumentView
    files: tuple[str, ...]
    record: msgspec.Raw | None = None


class DocumentPage(msgspec.Struct, frozen=True):
    """Documents, the newest first; ``next`` is the ``after`` of the next page, none at the end."""

    documents: tuple[DocumentView, ...]
    next: str | None


class ChunkPage(msgspec.Struct, frozen=True):
    """Chunks in order; ``next`` is the ``after`` of the next page, none at the end."""

    chunks: msgspec.Raw
    total: int
    next: int | None


class RerunWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The packs to judge by; none are the service's own."""

    rules: tuple[str, ...] = ()


class Scope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to pause or go on with: ``all``, ``client:NAME`` or ``target:NAME``."""

    scope: str = "all"


class Cancelled(msgspec.Struct, frozen=True):
    """How many jobs will not be done."""

    jobs: int


class EventTold(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it is sent: its number, its kind, and JSON with ids and numbers."""

    id: str = ""
    event: str
    data: str


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """The queue at a glance, and the stages with their breakers."""

    stats: QueueStats
    stages: dict[str, str]
    draining: bool


class PackView(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that judges where an upload names none: version and content hash."""

    name: str
    version: str


class PackReplaced(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that was put in: what holds from now on."""

    name: str
    versions: dict[str, str]


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text to try rules on: by packs' names, or by a pack's YAML; none are the service's own."""

    text: str
    rules: tuple[str, ...] = ()
    pack: str = ""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether it lives, and whether it takes on work."""

    status: str
    version: str
    checks: dict[str, bool] = {}


class JobPage(msgspec.Struct, frozen=True):
    """Jobs, the newest first; ``next`` is the ``before`` of the next page, none at the end."""

    jobs: tuple[Job, ...]
    next: str | None


class JobLinks(msgspec.Struct, frozen=True):
    """References between the documents of a job, in the order of their names and places."""

    links: tuple[LinkRecord, ...]


class FailedJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job that failed, why, and what to do."""

    id: str
    kind: str
    root: str
    document: str
    name: str
    client: str
    chunk: str | None
    target: str | None
    attempts: int
    created: float
    code: str
    title: str
    message: str
    hint: str


class FailedPage(msgspec.Struct, frozen=True):
    """What failed, the newest first; ``next`` is the ``before`` of the next page."""

    failed: tuple[FailedJob, ...]
    next: str | None
