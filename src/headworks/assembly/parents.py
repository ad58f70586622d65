"""Parents: the larger passage that a chunk belongs to, for retrieval by small and answer by large.

Takes chunks in order with the heading above each, gives for each the passage of neighbours that
it is a part of. Never parts a chunk, joins zones, or passes the length but for one chunk alone.
"""

from collections.abc import Sequence
from hashlib import blake2b

from headworks.assembly.own import own_spans
from headworks.assembly.shapes import ParentRecord
from headworks.model.chunk import Chunk
from headworks.model.document import Document


def parents(document: Document, chunks: Sequence[Chunk], most: int) -> list[ParentRecord]:
    """Give each chunk's parent: a section, or as much of it as fits, small ones together."""
    found: list[ParentRecord] = []
    for first, after in _groups(document, chunks, most):
        start = own_spans(chunks[first])[0].start
        end = own_spans(chunks[after - 1])[-1].end
        heading = _common([chunk.trail for chunk in chunks[first:after]])
        name = f"{chunks[first].document}|parent|{start}-{end}"
        record = ParentRecord(
            id=blake2b(name.encode(), digest_size=10).hexdigest(),
            heading=heading,
            start=start,
            end=end,
            chunks=after - first,
        )
        found += [record] * (after - first)
    return found


def _groups(document: Document, chunks: Sequence[Chunk], most: int) -> list[tuple[int, int]]:
    """Give runs of chunks, closed at a new section once they are half full."""
    groups: list[tuple[int, int]] = []
    sections = [_section(document, chunk) for chunk in chunks]
    first = chars = 0
    for index, chunk in enumerate(chunks):
        anew = index > first and (
            chunk.zone != chunks[index - 1].zone
            or chars + chunk.chars > most
            or (chars * 2 >= most and sections[index] != sections[index - 1])
        )
        if anew:
            groups.append((first, index))
            first, chars = index, 0
        chars += chunk.chars
    if first < len(chunks):
        groups.append((first, len(chunks)))
    return groups


def _section(document: Document, chunk: Chunk) -> int | None:
    """Give the heading above the chunk's own: the chapter of an article."""
    if not chunk.trail:
        return None
    last = document.headings[chunk.trail[-1]]
    return last.parent if last.span.start >= own_spans(chunk)[0].start else last.id


def _common(trails: Sequence[tuple[int, ...]]) -> int | None:
    """Give the innermost heading that all are under."""
    shared: int | None = None
    for numbers in zip(*trails, strict=False):
        if len(set(numbers)) > 1:
            break
        shared = numbers[0]
    return shared
