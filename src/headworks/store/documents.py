"""Documents: what was sent in, and which result is its.

Takes a connection and values, gives rows. Never a second document of the same bytes, client,
rules and settings: its id says what it is. Files are ``blobs``'s.
"""

import msgspec

from headworks.store import holds
from headworks.store.blobs import Known
from headworks.store.database import Connection, Row

_COLUMNS = (
    "id, client, sha256, name, media_type, size, settings, priority, job, options, created, state,"
    " fence, answer_fence, finished, counts, degraded, versions"
)
_JSON = ("options", "counts", "versions")


class DocumentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A document as the store knows it.

    ``id`` is a work key over client, content, name, settings and rules; ``settings`` the
    fingerprint of these; ``options`` what the upload asked for, as its own type has it. ``job`` is
    the root job. ``fence`` names the folder of its result, 0 while there is none, and
    ``answer_fence`` that of its answer. ``degraded`` says why the result is less than it could be.
    """

    id: str
    sha256: str
    name: str
    size: int
    client: str = ""
    media_type: str = ""
    settings: str = ""
    priority: str = "nearline"
    job: str = ""
    options: dict[str, object] = {}
    created: float = 0.0
    state: str = "accepted"
    fence: int = 0
    answer_fence: int = 0
    finished: float = 0.0
    counts: dict[str, int] = {}
    degraded: str = ""
    versions: dict[str, str] = {}


class DocumentFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which documents to list; empty takes all. ``degraded`` takes those that are, or are not.

    ``clients`` are all that are shown; none shows every client's.
    """

    client: str | None = None
    clients: tuple[str, ...] = ()
    sha256: str | None = None
    name: str | None = None
    state: str | None = None
    degraded: bool | None = None


class Deleted(msgspec.Struct, frozen=True):
    """What went with a document: ``original`` tells that nobody else has the same bytes."""

    document: DocumentRow
    jobs: int
    original: bool


def name_of(document_id: str) -> str:
    """Give the name that who puts a document in, or takes its files away, has to hold."""
    return f"document:{document_id}"


async def register(connection: Connection, document: DocumentRow) -> DocumentRow:
    """Write a document down, or give the one that is there already."""
    row = msgspec.structs.replace(document, created=connection.now())
    names = _COLUMNS.split(", ")
    values = msgspec.structs.asdict(row)
    await connection.execute(
        f"INSERT INTO documents ({_COLUMNS}) VALUES ({', '.join('?' * len(names))})"
        " ON CONFLICT (id) DO NOTHING",
        *(_text(values[name]) if name in _JSON else values[name] for name in names),
    )
    return await get(connection, document.id) or row


async def get(connection: Connection, document_id: str) -> DocumentRow | None:
    """Give a document by its id."""
    rows = await connection.fetch(f"SELECT {_COLUMNS} FROM documents WHERE id = ?", document_id)
    return _document(rows[0]) if rows else None


async def listing(
    connection: Connection, wanted: DocumentFilter, after: str = "", limit: int = 100
) -> tuple[DocumentRow, ...]:
    """Give documents, the newest first, a page at a time: those older than ``after``."""
    conditions, values = [], list[object]()
    for name in ("client", "sha256", "name", "state"):
        if getattr(wanted, name) is not None:
            conditions.append(f"{name} = ?")
            values.append(getattr(wanted, name))
    if wanted.clients:
        conditions.append(f"client IN ({', '.join('?' * len(wanted.clients))})")
        values.extend(wanted.clients)
    if wanted.degraded is not None:
        conditions.append("degraded <> ''" if wanted.degraded else "degraded = ''")
    if after:
        conditions.append("number < (SELECT number FROM documents WHERE id = ?)")
        values.append(after)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM documents{where} ORDER BY number DESC LIMIT ?", *values, limit
    )
    return tuple(_document(row) for row in rows)


async def attach(connection: Connection, document_id: str, job: str) -> None:
    """Say which root job a document's latest run is."""
    await connection.execute("UPDATE documents SET job = ? WHERE id = ?", job, document_id)


async def finish(
    connection: Connection,
    document_id: str,
    fence: int,
    counts: dict[str, int],
    degraded: str = "",
    versions: dict[str, str] | None = None,
) -> bool:
    """Make a fence's folder the document's result; False where the document is gone."""
    return bool(
        await connection.execute(
            "UPDATE documents SET state = 'done', fence = ?, finished = ?, counts = ?,"
            " degraded = ?, versions = ? WHERE id = ?",
            fence,
            connection.now(),
            _text(counts),
            degraded,
            _text(versions or {}),
            document_id,
        )
    )


async def mark(connection: Connection, document_id: str, state: str) -> bool:
    """Say how a document stands: accepted, or failed; False where it is gone."""
    return bool(
        await connection.execute("UPDATE documents SET state = ? WHERE id = ?", state, document_id)
    )


async def answered(connection: Connection, document_id: str, fence: int) -> bool:
    """Make a fence's folder that of the document's answer; False where the document is gone."""
    return bool(
        await connection.execute(
            "UPDATE documents SET answer_fence = ? WHERE id = ?", fence, document_id
        )
    )


async def delete(connection: Connection, document_id: str) -> Deleted | None:
    """Delete a document with its jobs, events and replies; none where there is none.

    The caller deletes its files afterwards, and the original where ``original`` says so.
    """
    document = await get(connection, document_id)
    if document is None:
        return None
    await connection.execute("DELETE FROM replies WHERE document = ?", document_id)
    await _delete_events(connection, document)
    jobs = await connection.execute("DELETE FROM jobs WHERE document = ?", document_id)
    await connection.execute("DELETE FROM documents WHERE id = ?", document_id)
    others = await uses(connection, document.sha256)
    return Deleted(document, jobs, others == 0)


async def expired(
    connection: Connection, before: float, limit: int, document_id: str = ""
) -> tuple[str, ...]:
    """Give documents over since before then, the oldest first: done, failed or cancelled.

    Work on any document of the same job, under way or over later, keeps them all.
    """
    late = "j.state IN ('waiting', 'running') OR j.finished >= ?"
    only, values = (" AND d.id = ?", [document_id]) if document_id else ("", [])
    rows = await connection.fetch(
        "SELECT d.id FROM documents d WHERE d.created < ? AND d.finished < ?"
        f" AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.root = d.job AND ({late}))"
        f" AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.document = d.id AND ({late})){only}"
        " ORDER BY d.created, d.number LIMIT ?",
        *(before, before, before, before, *values, limit),
    )
    return tuple(row["id"] for row in rows)


async def delete_expired(connection: Connection, document_id: str, before: float) -> Deleted | None:
    """Delete a document as ``delete`` does, unless work on it was taken up again meanwhile."""
    if not await expired(connection, before, 1, document_id):
        return None
    return await delete(connection, document_id)


async def _delete_events(connection: Connection, document: DocumentRow) -> None:
    """Delete what was told of a document; of one that was in another, what was told of it alone."""
    rows = await connection.fetch("SELECT id, root FROM jobs WHERE document = ?", document.id)
    roots = {document.job, *(row["root"] for row in rows)}
    if not document.options.get("parent"):
        for root in roots:
            await connection.execute("DELETE FROM events WHERE root = ?", root)
        return
    own = {document.id, *(row["id"] for row in rows)}
    for root in roots:
        for event in await connection.fetch("SELECT seq, body FROM events WHERE root = ?", root):
            body = msgspec.json.decode(event["body"])
            if body.get("document") in own or body.get("job") in own:
                await connection.execute("DELETE FROM events WHERE seq = ?", event["seq"])


async def uses(connection: Connection, sha256: str) -> int:
    """Give how many documents have these bytes."""
    rows = await connection.fetch(
        "SELECT COUNT(*) AS documents FROM documents WHERE sha256 = ?", sha256
    )
    return int(rows[0]["documents"])


async def known(connection: Connection) -> Known:
    """Give which files belong to somebody, for ``Blobs.sweep``: results, and runs under way."""
    rows = await connection.fetch("SELECT id, sha256, fence, answer_fence FROM documents")
    running = await connection.fetch("SELECT document, fence FROM jobs WHERE state = 'running'")
    results = {(row["id"], row["fence"]) for row in rows}
    results |= {(row["id"], row["answer_fence"]) for row in rows}
    results |= {(row["document"], row["fence"]) for row in running}
    originals = await holds.all_held(connection) | {row["sha256"] for row in rows}
    return Known(originals, frozenset(results))


def _document(row: Row) -> DocumentRow:
    """Give the document of a row."""
    values = {name: row[name] for name in _COLUMNS.split(", ")}
    for name in _JSON:
        values[name] = msgspec.json.decode(values[name])
    return DocumentRow(**values)


def _text(record: object) -> str:
    return msgspec.json.encode(record).decode()
