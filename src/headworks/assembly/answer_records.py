"""The records of delivery: ``answer.json`` and ``trace.json``, one struct a part of them.

Takes nothing, gives the types that ``join``, ``citations`` and ``cost`` fill. Never computes: a
field's name is a promise; fields are added, never renamed. All words in them are as they may
leave: what rules redacted stands as its token.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headworks.assembly.cost_records import CostRecord
from headworks.assembly.shapes import (
    BoxRecord,
    ParagraphsRecord,
    Range,
    SourceRecord,
    VersionsRecord,
)

Layer = Literal["json", "embedded", "repaired", "text", "raw"]
State = Literal[
    "answered", "degraded", "delivered", "rules", "shared", "skipped", "kept", "failed", "waiting"
]
Support = Literal["quoted", "near", "words", "rule", "none"]


class CitationRecord(msgspec.Struct, frozen=True, gc=False):
    """A place of the document that an answer stands on.

    ``how`` is exact (the quote stands there letter by letter, white space and width aside), near
    (likeness from 0 to 100 in ``score``), words (the answer's own words stand there) or rule.

    Where the place is in another file of the run (见附件三), ``document``, ``folder`` and ``name``
    are its hash, the folder of its results and its name, and chunk, ranges, pages and boxes are of
    that file.
    """

    id: int
    chunk: str
    ordinal: int
    heading_path: list[str]
    quote: str
    ranges: list[Range]
    pages: list[int]
    boxes: list[BoxRecord]
    cells: str | None
    paragraphs: list[ParagraphsRecord]
    how: Literal["exact", "near", "words", "rule"]
    score: float
    document: str | UnsetType = UNSET
    folder: str | UnsetType = UNSET
    name: str | UnsetType = UNSET


class SaidRecord(msgspec.Struct, frozen=True, gc=False):
    """A value as one source gave it: a model about a chunk, or a rule in it.

    Where no model named one, ``model`` is the target's name; a rule's is its own.
    """

    value: str
    chunk: str
    pipeline: str
    by: Literal["model", "rule"]
    model: str
    support: Support
    why: str
    citations: list[int]


class FoundValueRecord(msgspec.Struct, frozen=True, gc=False):
    """A value of the answer, said once, with all who said it.

    ``kind`` is single, list (several of one name belong together) or conflict (sources differ:
    each is shown, none is chosen).
    """

    id: int
    name: str
    about: str
    kind: Literal["single", "list", "conflict"]
    values: list[str]
    said: list[SaidRecord]


class PointRecord(msgspec.Struct, frozen=True, gc=False):
    """A point of the answer: its words, the chunks it comes from, its sentences in the trace."""

    id: int
    text: str
    section: str
    chunks: list[str]
    pipelines: list[str]
    sentences: list[int]
    support: Support


class ChunkAnswerRecord(msgspec.Struct, frozen=True, gc=False):
    """What became of one chunk at one pipeline.

    ``state``: answered; degraded (from rules alone, ``why`` tells); delivered (to a target that
    answers nothing, such as a folder); rules (they answered, no call was needed); shared (the
    same was asked before); skipped (a rule's decision); kept (its pipeline has no target);
    failed (also an answer that does not read, asked again neither); waiting. ``layer`` tells how
    the answer was read; ``raw`` is the answer itself where it could not be. ``calls`` is how often
    its target answered for it: more than once where an answer did not read.
    """

    chunk: str
    ordinal: int
    pipeline: str
    target: str
    state: State
    why: str
    layer: Layer | None
    faults: list[str]
    model: str
    tokens_in: int
    tokens_out: int
    attempts: int
    milliseconds: float
    points: list[int]
    values: list[int]
    raw: str | None
    calls: int = 0


class AnswerRecord(msgspec.Struct, frozen=True, gc=False):
    """``answer.json``. ``complete`` tells whether every chunk that was to be asked has its answer.

    ``restored`` tells that originals were put back in place of tokens; ``review`` lists chunks
    that rules want a person to look at, with why.
    """

    source: SourceRecord
    complete: bool
    restored: bool
    points: list[PointRecord]
    values: list[FoundValueRecord]
    conflicts: list[int]
    unsupported: list[int]
    answers: list[ChunkAnswerRecord]
    review: dict[str, str]
    cost: CostRecord
    versions: VersionsRecord


class SentenceRecord(msgspec.Struct, frozen=True, gc=False):
    """A sentence or value of the answer: where it stands in ``answer.md``, what it stands on.

    ``start`` and ``end`` are code points of ``answer.md``. ``chunks`` it comes from; ``support``
    none means that nothing in them says so, and ``why`` what is missing.
    """

    id: int
    kind: Literal["sentence", "value"]
    of: int
    text: str
    start: int
    end: int
    chunks: list[str]
    citations: list[int]
    support: Support
    why: str


class TraceRecord(msgspec.Struct, frozen=True, gc=False):
    """``trace.json``: each sentence and value of the answer, and the places it leads to."""

    source: SourceRecord
    sentences: list[SentenceRecord]
    citations: list[CitationRecord]
    sizes: Annotated[
        list[tuple[float, float]], Meta(description="width and height of each page, in points")
    ]
