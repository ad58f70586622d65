"""References that lead to other files of the same run: put into the records of both.

Takes records as they were written and where references lead, gives new records. Never changes
anything else of a record.
"""

from collections.abc import Mapping, Sequence

import msgspec

from headworks.assembly.shapes import (
    BacklinkRecord,
    ChunkRecord,
    ChunkReferenceRecord,
    DocumentRecord,
    ReferenceRecord,
)
from headworks.model.place import Span

Place = tuple[int, int]  # where a reference stands in its own text


class Target(msgspec.Struct, frozen=True):
    """Where a reference leads: the path, the other file, the range there and its chunks.

    Without a ``span`` the file is there and the place is not, as ``why`` says.
    """

    path: str
    document: str
    folder: str
    span: Span | None
    chunks: tuple[str, ...]
    why: str


def relinked_document(record: DocumentRecord, targets: Mapping[Place, Target]) -> DocumentRecord:
    """Give a document's record with its references led on, and what was warned of them gone."""
    references = [_led(ref, targets) for ref in record.references]
    done = {place for place, target in targets.items() if target.span is not None}
    warnings = [
        one
        for one in record.warnings
        if one.code != "W_REFERENCE" or (one.start, one.end) not in done
    ]
    return msgspec.structs.replace(record, references=references, warnings=warnings)


def relinked_chunks(
    chunks: Sequence[ChunkRecord], targets: Mapping[Place, Target]
) -> list[ChunkRecord]:
    """Give the chunks with their references led on."""
    return [
        msgspec.structs.replace(chunk, references=[_held(ref, targets) for ref in chunk.references])
        if any((ref.start, ref.end) in targets for ref in chunk.references)
        else chunk
        for chunk in chunks
    ]


def with_backlinks(
    chunks: Sequence[ChunkRecord], links: Mapping[str, Sequence[BacklinkRecord]]
) -> list[ChunkRecord]:
    """Give the chunks with the references of other files that point to them, by the chunk's id."""
    return [
        msgspec.structs.replace(chunk, referenced_by=[*chunk.referenced_by, *links[chunk.id]])
        if chunk.id in links
        else chunk
        for chunk in chunks
    ]


def _led(ref: ReferenceRecord, targets: Mapping[Place, Target]) -> ReferenceRecord:
    target = targets.get((ref.start, ref.end))
    if target is None:
        return ref
    if target.span is None:
        return msgspec.structs.replace(ref, why=target.why)
    return msgspec.structs.replace(
        ref,
        target=target.path,
        resolved=True,
        status="resolved",
        why="",
        document=target.document,
        folder=target.folder,
        document_span=(target.span.start, target.span.end),
    )


def _held(ref: ChunkReferenceRecord, targets: Mapping[Place, Target]) -> ChunkReferenceRecord:
    target = targets.get((ref.start, ref.end))
    if target is None or target.span is None:
        return ref
    return msgspec.structs.replace(
        ref,
        target=target.path,
        chunks=list(target.chunks),
        resolved=True,
        status="resolved",
        document=target.document,
        folder=target.folder,
    )
