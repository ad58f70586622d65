"""The files of a document: ``document.json``, ``text.txt``, ``chunks.jsonl``, ``ledger.jsonl``.

Takes what the stages gave, gives records and their bytes. Never writes to a disk: the service does.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from headworks import __version__
from headworks.assembly import boxes as page_boxes
from headworks.assembly.cells import table_cells
from headworks.assembly.shapes import (
    ChunkRecord,
    DefinitionRecord,
    DocumentRecord,
    HeadingRecord,
    LedgerRecord,
    LostRecord,
    MetadataRecord,
    ProfileRecord,
    ReferenceRecord,
    SourceRecord,
    SummaryRecord,
    TableRecord,
    VersionsRecord,
    WarningRecord,
    ZoneRecord,
)
from headworks.model.chunk import LedgerEntry
from headworks.model.document import Block, Document
from headworks.model.outline import CrossRef, Definition, Heading
from headworks.model.place import Span
from headworks.model.problem import Problem

# What was left out is shown by its beginning; the offsets lead to the rest.
_LEDGER_TEXT = 200

_ENCODER = msgspec.json.Encoder()


def document_record(
    document: Document,
    ledger: Sequence[LedgerEntry],
    versions: VersionsRecord,
    *,
    chunks: int,
    timings: Mapping[str, float] | None = None,
) -> DocumentRecord:
    """Give the record of ``document.json``; without timings equal runs give equal bytes."""
    source, metadata, lost = document.source, document.metadata, document.lost
    profile = document.profile
    return DocumentRecord(
        source=SourceRecord(source.sha256, source.name, source.media_type, source.size),
        metadata=MetadataRecord(
            title=metadata.title,
            author=metadata.author,
            created=metadata.created,
            modified=metadata.modified,
            pages=metadata.pages,
            paragraphs=metadata.paragraphs,
            tags=metadata.tags,
            more=metadata.more,
        ),
        profile=ProfileRecord(profile.name, profile.why) if profile else None,
        zones=[ZoneRecord(z.kind, z.name, z.span.start, z.span.end) for z in document.zones],
        outline=[heading_record(document, heading) for heading in document.headings],
        tables=[_table(document, block) for block in document.blocks if block.table],
        references=[reference_record(ref) for ref in document.refs],
        definitions=[_definition(one) for one in document.definitions],
        warnings=[_warning(problem) for problem in document.problems],
        lost=LostRecord(
            unreadable_characters=lost.unreadable_characters,
            picture_only_pages=list(lost.picture_only_pages),
            hidden_sheets=list(lost.hidden_sheets),
            unread_parts=list(lost.unread_parts),
            doubtful_lines=lost.doubtful_lines,
            covered_lines=lost.covered_lines,
        ),
        ledger=ledger_totals(ledger),
        chunks=chunks,
        chars=len(document.text),
        versions=versions,
        timings=msgspec.UNSET
        if timings is None
        else {name: round(seconds, 6) for name, seconds in timings.items()},
    )


def versions_record(settings: str, rules: Mapping[str, str]) -> VersionsRecord:
    """Give what a result depends on: program, settings' hash, packs with version and hash."""
    return VersionsRecord(__version__, settings, dict(sorted(rules.items())))


def heading_record(document: Document, heading: Heading) -> HeadingRecord:
    """Give a line of the outline."""
    found = page_boxes.boxes(document, [heading.span])
    numbers = page_boxes.pages(page_boxes.blocks_in(document, [heading.span]), found)
    return HeadingRecord(
        id=heading.id,
        parent=heading.parent,
        level=heading.level,
        kind=heading.kind,
        label=heading.label,
        number=heading.number,
        title=heading.title,
        text=heading.text,
        start=heading.span.start,
        end=heading.span.end,
        extent=(heading.extent.start, heading.extent.end),
        page=numbers[0] if numbers else None,
        run_in=heading.run_in,
        evidence=list(heading.evidence),
    )


def reference_record(ref: CrossRef) -> ReferenceRecord:
    """Give a reference with the range of its target."""
    target = ref.target_span
    return ReferenceRecord(
        text=ref.text,
        start=ref.span.start,
        end=ref.span.end,
        target=ref.target,
        resolved=ref.status == "resolved",
        status=ref.status,
        target_span=(target.start, target.end) if target else None,
        why=ref.why,
    )


def ledger_records(document: Document, ledger: Iterable[LedgerEntry]) -> list[LedgerRecord]:
    """Give a record for each stretch that is in no chunk or in two, with how it begins."""
    records = []
    for entry in ledger:
        shown = ""
        if entry.start is not None and entry.end is not None and entry.reason != "overlap":
            shown = document.text[entry.start : min(entry.end, entry.start + _LEDGER_TEXT)]
        records.append(
            LedgerRecord(entry.reason, entry.start, entry.end, entry.count, entry.place, shown)
        )
    return records


def ledger_totals(ledger: Iterable[LedgerEntry]) -> dict[str, int]:
    """Give the code points a reason stands for, in order of the reasons' names."""
    totals: dict[str, int] = {}
    for entry in ledger:
        totals[entry.reason] = totals.get(entry.reason, 0) + entry.count
    return dict(sorted(totals.items()))


def encode(record: DocumentRecord | SummaryRecord) -> bytes:
    """Give a record as JSON on several lines, for a person to open too."""
    return msgspec.json.format(_ENCODER.encode(record), indent=1) + b"\n"


def encode_lines(records: Iterable[ChunkRecord] | Iterable[LedgerRecord]) -> bytes:
    """Give records as JSON, one a line."""
    return _ENCODER.encode_lines(list(records))


def _table(document: Document, block: Block) -> TableRecord:
    table = block.table
    assert table is not None  # the caller asks for tables only
    return TableRecord(
        start=block.span.start,
        end=block.span.end,
        rows=table.rows,
        columns=table.columns,
        header_rows=table.header_rows,
        pages=page_boxes.pages([block], page_boxes.boxes(document, [block.span])),
        name=table.name,
        cells=table_cells(block),
    )


def _definition(one: Definition) -> DefinitionRecord:
    meaning = (one.meaning.start, one.meaning.end)
    return DefinitionRecord(one.term, one.span.start, one.span.end, meaning)


def _warning(problem: Problem) -> WarningRecord:
    span = problem.span or Span(0, 0)
    start, end = (span.start, span.end) if problem.span else (None, None)
    return WarningRecord(problem.code, problem.message, problem.place, problem.hint, start, end)
