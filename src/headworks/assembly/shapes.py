"""The records that leave the program: the JSON of contract.md, one struct a file and a part of it.

Takes nothing, gives the types that ``records`` and ``passages`` fill and ``schema`` prints. Never
computes: a field's name is a promise to whoever reads the files; fields are added, never renamed.
Records hold no cycles, so the collector need not walk them.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headworks.assembly.cost_records import CostRecord

Offset = Annotated[int, Meta(ge=0, description="code point offset into text.txt")]
Range = Annotated[
    tuple[int, int], Meta(description="half-open range of code points of text.txt: start, end")
]


class SourceRecord(msgspec.Struct, frozen=True, gc=False):
    """The file that was read."""

    sha256: str
    name: str
    media_type: str
    size: int


class MetadataRecord(msgspec.Struct, frozen=True, gc=False):
    """What the file says of itself, and counts."""

    title: str | None
    author: str | None
    created: str | None
    modified: str | None
    pages: int | None
    paragraphs: int
    tags: dict[str, str]
    more: dict[str, str | int | float | list[str]]


class ProfileRecord(msgspec.Struct, frozen=True, gc=False):
    """The profile that was taken, and why."""

    name: str
    why: str


class ZoneRecord(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the document: cover, contents, body, appendix, signature."""

    kind: str
    name: str | None
    start: Offset
    end: Offset


class HeadingRecord(msgspec.Struct, frozen=True, gc=False):
    """A line of the outline; ``parent`` is another line's id. Level 0 is the document's title."""

    id: int
    parent: int | None
    level: int
    kind: str
    label: str | None
    number: int | None
    title: str
    text: str
    start: Offset
    end: Offset
    extent: Range
    page: int | None
    run_in: bool
    evidence: list[str]


class TableRecord(msgspec.Struct, frozen=True, gc=False):
    """A table; ``cells`` is its A1 range where it stands in a spreadsheet."""

    start: Offset
    end: Offset
    rows: int
    columns: int
    header_rows: int
    pages: list[int]
    name: str | None
    cells: str | None


class ReferenceRecord(msgspec.Struct, frozen=True, gc=False):
    """A reference of the text; ``status`` is resolved, dangling or external.

    Where the target is another file of the same run, ``document`` is its SHA-256, ``folder`` the
    folder of its results beside this one, and ``document_span`` a range of its text.
    """

    text: str
    start: Offset
    end: Offset
    target: str
    resolved: bool
    status: str
    target_span: Range | None
    why: str
    document: str | UnsetType = UNSET
    folder: str | UnsetType = UNSET
    document_span: Range | UnsetType = UNSET


class DefinitionRecord(msgspec.Struct, frozen=True, gc=False):
    """A term that the text defines, where it stands, and the range that says what it means."""

    term: str
    start: Offset
    end: Offset
    meaning: Range


class WarningRecord(msgspec.Struct, frozen=True, gc=False):
    """Something about the input that a person should know."""

    code: str
    message: str
    place: str
    hint: str
    start: int | None = None
    end: int | None = None


class LostRecord(msgspec.Struct, frozen=True, gc=False):
    """What could not be read."""

    unreadable_characters: int
    picture_only_pages: list[int]
    hidden_sheets: list[str]
    unread_parts: list[str]
    doubtful_lines: int
    covered_lines: int


class VersionsRecord(msgspec.Struct, frozen=True, gc=False):
    """What the result depends on: program, settings (a hash), packs (version and hash)."""

    headworks: str
    settings: str
    rules: dict[str, str]


class DocumentRecord(msgspec.Struct, frozen=True, gc=False):
    """``document.json``."""

    source: SourceRecord
    metadata: MetadataRecord
    profile: ProfileRecord | None
    zones: list[ZoneRecord]
    outline: list[HeadingRecord]
    tables: list[TableRecord]
    references: list[ReferenceRecord]
    definitions: list[DefinitionRecord]
    warnings: list[WarningRecord]
    lost: LostRecord
    ledger: dict[str, int]
    chunks: int
    chars: int
    versions: VersionsRecord
    timings: dict[str, float] | UnsetType = UNSET
    degraded: list[str] | UnsetType = UNSET  # the service's ways around a stage that is down


class BoxRecord(msgspec.Struct, frozen=True, gc=False):
    """A rectangle on a page, in points from the page's top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class ParagraphsRecord(msgspec.Struct, frozen=True, gc=False):
    """Paragraphs of a flowing source: the part's name, first and last index."""

    part: str
    first: int
    last: int


class PartRecord(msgspec.Struct, frozen=True, gc=False):
    """A piece of a unit too large for the ceiling; ``header`` is the table's header, repeated."""

    index: int
    of: int
    header: Range | None


class ParentRecord(msgspec.Struct, frozen=True, gc=False):
    """The larger passage a chunk is part of; chunks with one ``id`` are its children.

    ``heading`` is the id of the outline's line that all of it stands under.
    """

    id: str
    heading: int | None
    start: Offset
    end: Offset
    chunks: int


class ChunkReferenceRecord(msgspec.Struct, frozen=True, gc=False):
    """A reference that stands in a chunk, with the chunks that hold its target.

    ``context`` is the caption of a figure or table that stands in another chunk, with the words
    that were read in the picture. ``document`` and ``folder`` name another file of the same run
    that holds the target, and so its chunks.
    """

    text: str
    start: Offset
    end: Offset
    target: str
    chunks: list[str]
    resolved: bool
    status: str
    context: str
    document: str | UnsetType = UNSET
    folder: str | UnsetType = UNSET


class BacklinkRecord(msgspec.Struct, frozen=True, gc=False):
    """A reference of another chunk that points into this one.

    ``document`` and ``folder`` name the other file of the same run that the chunk is of; the range
    is one of its text.
    """

    chunk: str
    text: str
    start: Offset
    end: Offset
    document: str | UnsetType = UNSET
    folder: str | UnsetType = UNSET


class ValueRecord(msgspec.Struct, frozen=True, gc=False):
    """A typed value that a rule found, normalised."""

    text: str
    kind: str
    value: str
    start: Offset
    end: Offset


class HitRecord(msgspec.Struct, frozen=True, gc=False):
    """A rule that fired, where, and with which values."""

    rule: str
    pack: str
    phase: str
    start: Offset
    end: Offset
    quote: str
    values: dict[str, ValueRecord]
    reasons: list[str]


class RedactionRecord(msgspec.Struct, frozen=True, gc=False):
    """A range that is replaced when the chunk is delivered."""

    label: str
    start: Offset
    end: Offset
    token: str
    rule: str


class RouteRecord(msgspec.Struct, frozen=True, gc=False):
    """Where a chunk goes, by which rule, how urgently, and which rules matched also."""

    pipeline: str
    rule: str
    priority: str
    also_matched: list[str]


class LinkRecord(msgspec.Struct, frozen=True, gc=False):
    """A link to an article of a law, made by a rule."""

    law: str
    article: str
    rule: str


class ChunkRecord(msgspec.Struct, frozen=True, gc=False):
    """A line of ``chunks.jsonl``.

    ``text`` is the original; where something in it is redacted, ``delivered`` is what leaves for a
    model or a reader. All other words of the record are redacted already. ``terms`` are those of
    the document's definitions that the text uses.
    """

    id: str
    document: str
    ordinal: int
    text: str
    delivered: str | None
    markdown: str
    zone: str
    kind: str
    heading_path: list[str]
    anchor: str | None
    level: int | None
    start: Offset
    end: Offset
    spans: list[Range]
    pages: list[int]
    boxes: list[BoxRecord]
    cells: str | None
    paragraphs: list[ParagraphsRecord]
    chars: int
    tokens: int
    has_table: bool
    has_figure: bool
    has_formula: bool
    has_code: bool
    has_comment: bool
    part: PartRecord | None
    parent: ParentRecord
    previous: str | None
    next: str | None
    context_before: str
    context_after: str
    references: list[ChunkReferenceRecord]
    referenced_by: list[BacklinkRecord]
    terms: list[str]
    tags: list[str]
    hits: list[HitRecord]
    redactions: list[RedactionRecord]
    links: list[LinkRecord]
    route: RouteRecord
    skipped: str | None
    warnings: list[str]
    review: str | None
    undecided: list[str]
    conflicts: list[list[str]]
    settings: dict[str, str]
    degraded: str


class LedgerRecord(msgspec.Struct, frozen=True, gc=False):
    """A line of ``ledger.jsonl``; no range means characters taken out by the reader, counted."""

    reason: str
    start: int | None
    end: int | None
    count: int
    place: str
    text: str


class DoneRecord(msgspec.Struct, frozen=True, gc=False):
    """A document of ``summary.json`` that was processed."""

    name: str
    path: str
    folder: str
    sha256: str
    media_type: str
    pages: int | None
    chars: int
    chunks: int
    skipped: int
    warnings: int
    profile: str | None
    timings: dict[str, float]


class FailedRecord(msgspec.Struct, frozen=True, gc=False):
    """A document of ``summary.json`` that was not, and why."""

    name: str
    path: str
    code: str
    message: str
    place: str
    hint: str


class SummaryRecord(msgspec.Struct, frozen=True, gc=False):
    """``summary.json``: all the inputs of a run, and what the rules decided, counted in chunks.

    ``delivery`` is there after ``--deliver``: calls, tokens, seconds, and what rules saved.
    """

    documents: list[DoneRecord]
    failed: list[FailedRecord]
    chunks: int
    by_route: dict[str, int]
    by_tag: dict[str, int]
    by_rule: dict[str, int]
    versions: VersionsRecord
    seconds: float
    delivery: CostRecord | UnsetType = UNSET
