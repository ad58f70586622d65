"""Chunks, the ledger of what is in none, and what rules ask of the cutting.

Takes nothing, gives frozen values. A chunk is ranges of the document's text, nothing more.
"""

from hashlib import blake2b
from typing import Literal

import msgspec

from headworks.model.place import Span

ChunkKind = Literal[
    "clause",
    "section",
    "table",
    "cover",
    "contents",
    "appendix",
    "signature",
    "list",
    "figure",
    "sheet",
    "slide",
    "note",
    "code",
    "text",
]


class Part(msgspec.Struct, frozen=True, gc=False):
    """A piece, ``index`` from 1 ``of`` so many, of a single unit too large for the ceiling.

    ``header`` is the range of the table's header rows, repeated in front of the piece's own text.
    """

    index: int
    of: int
    header: Span | None = None


class Chunk(msgspec.Struct, frozen=True):
    """A piece of a document that goes to a model whole.

    ``spans`` are the ranges it is made of, in order; its text is their text joined.
    ``trail`` holds the ids of the headings above and at its start, outermost first.
    ``overlap`` is the leading range that the previous chunk holds too, if any.
    ``degraded`` says what is missing from it (unreadable page …), empty where nothing is.
    """

    id: str
    document: str
    ordinal: int
    spans: tuple[Span, ...]
    kind: ChunkKind
    zone: str
    trail: tuple[int, ...]
    chars: int
    tokens: int
    part: Part | None = None
    overlap: Span | None = None
    degraded: str = ""

    @property
    def start(self) -> int:
        """The first code point's offset."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """The offset after the last code point."""
        return self.spans[-1].end

    def text_in(self, text: str) -> str:
        """Give the chunk's text, cut from the document's."""
        return "".join(text[span.start : span.end] for span in self.spans)


class LedgerEntry(msgspec.Struct, frozen=True):
    """A stretch that is in no chunk or in two, or characters taken out (no range, a count)."""

    reason: str
    start: int | None
    end: int | None
    count: int
    place: str = ""


class Directive(msgspec.Struct, frozen=True):
    """What a structure rule asks of the cutting.

    ``keep`` glues a range, ``section`` keeps a heading's whole extent together, ``split`` asks for
    a cut at the range's start, ``strip`` takes the range out into the ledger.
    """

    action: Literal["keep", "section", "split", "strip"]
    span: Span
    rule: str


def chunk_id(source_sha256: str, spans: tuple[Span, ...], settings_hash: str) -> str:
    """Give a chunk's content address: 20 hex digits over source, ranges and chunker settings."""
    ranges = ",".join(f"{span.start}-{span.end}" for span in spans)
    digest = blake2b(f"{source_sha256}|{ranges}|{settings_hash}".encode(), digest_size=10)
    return digest.hexdigest()
