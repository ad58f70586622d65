"""What leads from chunk to chunk: neighbours' context, references and their targets.

Takes a document and its chunks, gives the neighbours' words and the ids of the chunks that a
reference points to. Never resolves a reference itself: ``structure`` did.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from headworks.assembly.boxes import blocks_in
from headworks.assembly.own import own_spans
from headworks.assembly.shapes import BacklinkRecord, ChunkReferenceRecord
from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.model.outline import CrossRef
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends

# A reference to a whole chapter names its first chunks only; the target's range tells the rest.
MOST_TARGETS = 32
# A picture's words may be a page; its caption and beginning say what it shows.
MOST_CONTEXT = 300

_FIGURE = re.compile(r"(?:^|/)[上下]?[图表][^/]*$")
_STOP = re.compile(r"[。！？；｡!?;…．.]")
_LINE = re.compile(r"\n")
_TABULAR = ("table", "sheet")


class ChunkIndex:
    """Finds chunks by an offset of their own. Built once a document, then only read."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        pieces = sorted(
            (span.start, span.end, index)
            for index, chunk in enumerate(chunks)
            for span in own_spans(chunk)
            if len(span)
        )
        self.chunks = chunks
        self._starts = [piece[0] for piece in pieces]
        self._ends = [piece[1] for piece in pieces]
        self._owners = [piece[2] for piece in pieces]

    def within(self, span: Span, most: int) -> list[int]:
        """Give the positions of the first chunks that share a code point with the range."""
        first = bisect_right(self._ends, span.start)
        last = bisect_left(self._starts, span.end)
        found: dict[int, None] = {}
        for piece in range(first, last):
            found.setdefault(self._owners[piece])
            if len(found) >= most:
                break
        return list(found)


def references(
    document: Document, index: ChunkIndex
) -> tuple[dict[int, list[ChunkReferenceRecord]], dict[int, list[BacklinkRecord]]]:
    """Give, by a chunk's position, the references it holds and those that point into it."""
    held: dict[int, list[ChunkReferenceRecord]] = {}
    pointing: dict[int, list[BacklinkRecord]] = {}
    for ref in document.refs:
        targets = index.within(ref.target_span, MOST_TARGETS) if ref.target_span else []
        for owner in index.within(ref.span, 1):
            shown = "" if owner in targets else _context(document, ref)
            ids = [index.chunks[target].id for target in targets]
            held.setdefault(owner, []).append(_held(ref, ids, shown))
            chunk = index.chunks[owner]
            link = BacklinkRecord(chunk.id, ref.text, ref.span.start, ref.span.end)
            for target in targets[:1]:
                if target != owner:
                    pointing.setdefault(target, []).append(link)
    return held, pointing


def context_before(text: str, previous: Chunk | None, most: int) -> str:
    """Give the last whole sentences of the chunk before, up to ``most`` code points."""
    if previous is None or most < 1:
        return ""
    words = _tail(previous, text, 2 * most).rstrip()
    if len(words) <= most:
        return words.lstrip()
    for end in _ends(words, previous):
        if len(words) - end <= most and words[end:].strip():
            return words[end:].lstrip()
    return words[-most:].lstrip()


def context_after(text: str, following: Chunk | None, most: int) -> str:
    """Give the first whole sentences of the chunk after, up to ``most`` code points."""
    if following is None or most < 1:
        return ""
    words = _head(following, text, most + 1).lstrip()
    if len(words) <= most:
        return words.rstrip()
    ends = [end for end in _ends(words, following) if end <= most]
    return words[: ends[-1] if ends else most].rstrip()


def _ends(words: str, chunk: Chunk) -> list[int]:
    """Give the ends of sentences; in a table, and where nothing ends one, the ends of lines."""
    if chunk.kind not in _TABULAR and _STOP.search(words):
        return sentence_ends(words, 0, len(words))
    return [match.end() for match in _LINE.finditer(words)]


def _context(document: Document, ref: CrossRef) -> str:
    """Give the caption, and the words in the picture, that 见图3-2 points to; no table's rows."""
    span = ref.target_span
    if span is None or ref.status != "resolved" or not _FIGURE.search(ref.target):
        return ""
    words = [
        document.slice(block.span).strip()
        for block in blocks_in(document, [span])
        if block.role == "body" and block.table is None
    ]
    return "\n".join(filter(None, words))[:MOST_CONTEXT]


def _held(ref: CrossRef, chunks: list[str], context: str) -> ChunkReferenceRecord:
    return ChunkReferenceRecord(
        text=ref.text,
        start=ref.span.start,
        end=ref.span.end,
        target=ref.target,
        chunks=chunks,
        resolved=ref.status == "resolved",
        status=ref.status,
        context=context,
    )


def _head(chunk: Chunk, text: str, most: int) -> str:
    words = ""
    for span in own_spans(chunk):
        words += text[span.start : min(span.end, span.start + most - len(words))]
        if len(words) >= most:
            break
    return words


def _tail(chunk: Chunk, text: str, most: int) -> str:
    words = ""
    for span in reversed(own_spans(chunk)):
        words = text[max(span.start, span.end - most + len(words)) : span.end] + words
        if len(words) >= most:
            break
    return words
