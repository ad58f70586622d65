"""The ranges that are a chunk's own.

Takes a chunk, gives its ranges without a table's header that is repeated in it, and without the
overlap with the chunk before: those have their place in another chunk. Never gives nothing.
"""

from headworks.model.chunk import Chunk
from headworks.model.place import Span


def own_spans(chunk: Chunk) -> tuple[Span, ...]:
    """Give the chunk's own ranges, in order."""
    if chunk.part is None and chunk.overlap is None:
        return chunk.spans
    header = chunk.part.header if chunk.part is not None else None
    lent = [span for span in (header, chunk.overlap) if span is not None]
    return tuple(span for span in chunk.spans if span not in lent) or chunk.spans
