"""Documents and their jobs as the service names them.

Takes what came in, gives ids, rows and jobs: equal bytes under equal rules and settings are one
document with one job. Never opens a file.
"""

from urllib.parse import quote

import msgspec

from headworks.config import Settings
from headworks.errors import StorageError
from headworks.model.job import LEVELS, Job, work_key
from headworks.model.verdict import Priority
from headworks.service.packs import Chosen
from headworks.service.tasks import PackSource
from headworks.service.weights import cost_of, format_of, weight_of
from headworks.store import rule_files
from headworks.store.database import Connection
from headworks.store.documents import DocumentRow


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a document was taken in with, beside the columns of its row.

    ``packs`` are files with the hashes of their bytes. ``parent`` is the document it was in and
    ``place`` where in it (``mails.zip/2024/``), ``read_from`` the one whose reading it shares:
    the same source under other rules.
    """

    packs: tuple[tuple[str, str], ...] = ()
    tags: dict[str, str] = {}
    stream: str | None = None
    parent: str = ""
    place: str = ""
    read_from: str = ""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a document comes from and how it is to be treated."""

    name: str
    sha256: str
    size: int
    media_type: str
    client: str = ""
    priority: Priority = "nearline"
    tags: dict[str, str] = {}
    stream: str | None = None
    parent: str = ""
    place: str = ""
    read_from: str = ""
    root: str = ""


def options_of(row: DocumentRow) -> Options:
    """Give the options of a row."""
    return msgspec.convert(row.options, Options)


def document_row(origin: Origin, chosen: Chosen, settings: Settings) -> DocumentRow:
    """Give the row of a document; its id says all that its result depends on."""
    tags = msgspec.json.encode(origin.tags, order="deterministic").decode()
    fingerprint = settings.fingerprint()
    name = origin.place + origin.name
    id_ = work_key(origin.client, origin.sha256, name, fingerprint, chosen.digest, tags)
    packs = tuple((p.file, rule_files.digest_of(p.content)) for p in chosen.sources)
    options = Options(
        packs=packs,
        tags=origin.tags,
        stream=origin.stream,
        parent=origin.parent,
        place=origin.place,
        read_from=origin.read_from,
    )
    return DocumentRow(
        id=id_,
        client=origin.client,
        sha256=origin.sha256,
        name=origin.name,
        media_type=origin.media_type,
        size=origin.size,
        settings=fingerprint,
        priority=origin.priority,
        job=origin.root or job_id(id_),
        options=msgspec.to_builtins(options),
        versions=chosen.versions,
    )


def job_id(document: str) -> str:
    """Give the id of the job that processes a document."""
    return work_key("process", document)


def process_job(row: DocumentRow, budget: int, again: str = "") -> Job:
    """Give the job of a document; with ``again`` it is another one of the same document."""
    format_ = format_of(row.media_type)
    id_ = work_key("process", row.id, again) if again else job_id(row.id)
    return Job(
        id=id_,
        kind="process",
        root=row.job,
        document=row.id,
        key=id_,
        client=row.client,
        level=LEVELS[msgspec.convert(row.priority, Priority)],
        cost=cost_of(row.size, format_),
        weight=weight_of(row.size, format_, budget),
        stream=_stream_of(row),
    )


def _stream_of(row: DocumentRow) -> str | None:
    """Give a stream's name in the queue: clients know nothing of each other's."""
    stream = options_of(row).stream
    return None if stream is None else f"{quote(row.client, safe='')}/{stream}"


async def keep_packs(connection: Connection, chosen: Chosen) -> None:
    """Keep the packs of a choice, so that any machine can judge by them."""
    await rule_files.keep(connection, [(pack.file, pack.content) for pack in chosen.sources])


async def packs_of(connection: Connection, options: Options) -> tuple[PackSource, ...]:
    """Give the packs a document was taken in with. Raises StorageError where one is gone."""
    found = await rule_files.find(connection, [digest for _, digest in options.packs])
    return tuple(PackSource(file, _there(found, digest)) for file, digest in options.packs)


def _there(found: dict[str, bytes], digest: str) -> bytes:
    if digest not in found:
        raise StorageError("E_IO", f"the rule pack {digest} is gone from the store")
    return found[digest]
