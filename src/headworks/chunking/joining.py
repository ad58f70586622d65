"""Two chunks made one, when a rule asks for it.

Takes two chunks that follow each other, gives one with a new id, or none where that would break a
promise. Never joins over the ceiling, across zones, or over another chunk's text.
"""

from bisect import bisect_left, bisect_right
from hashlib import blake2b

import msgspec

from headworks.chunking.limits import Limits
from headworks.chunking.promises import own_spans
from headworks.chunking.tokens import counter
from headworks.config import ChunkSettings
from headworks.model.chunk import Chunk, chunk_id
from headworks.model.document import Document
from headworks.model.place import Span


def join(document: Document, settings: ChunkSettings, first: Chunk, second: Chunk) -> Chunk | None:
    """Give the two chunks as one, or none where that would break a promise.

    Refused too where one of them is a part of something too large.
    """
    if first.zone != second.zone or first.part is not None or second.part is not None:
        return None
    following = own_spans(second)
    gap = Span(first.end, following[0].start)
    if gap.start > gap.end or _in_two_zones(document, first.start, following[-1].end):
        return None
    spans = list(first.spans)
    if not document.text[gap.start : gap.end].strip():
        spans[-1] = Span(spans[-1].start, following[0].end)
        spans.extend(following[1:])
    elif _is_furniture(document, gap):
        end = gap.start + (document.text[gap.start : gap.start + 1] == "\n")
        spans[-1] = Span(spans[-1].start, end)
        spans.extend(following)
    else:
        return None
    joined = tuple(spans)
    text = "".join(document.slice(span) for span in joined)
    limits = Limits(document, settings)
    if len(text) > limits.at(first.start).max_chars or limits.too_heavy(text):
        return None
    return msgspec.structs.replace(
        first,
        id=chunk_id(document.source.sha256, joined, fingerprint(settings)),
        spans=joined,
        kind=first.kind if first.kind in {second.kind, "clause"} else second.kind,
        chars=len(text),
        tokens=counter(settings.tokens)(text),
        degraded=first.degraded or second.degraded,
    )


def fingerprint(settings: ChunkSettings) -> str:
    """Give 16 hex digits over the settings of the cutting."""
    encoded = msgspec.json.encode(settings, order="deterministic")
    return blake2b(encoded, digest_size=8).hexdigest()


def _is_furniture(document: Document, gap: Span) -> bool:
    """Tell whether all blocks that reach into a range are furniture."""
    first = max(0, bisect_right(document.block_starts, gap.start) - 1)
    last = bisect_left(document.block_starts, gap.end)
    blocks = document.blocks[first:last]
    return all(block.role != "body" for block in blocks if block.span.end > gap.start)


def _in_two_zones(document: Document, start: int, end: int) -> bool:
    return any(start < zone.span.start < end for zone in document.zones)
