"""The ledger: every code point is in one chunk, or here with a reason.

Takes what was left out and the chunks, gives ledger entries; ``check`` takes document, chunks and
ledger and recounts them from nothing. Never trusts what the cutting said of itself.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

from headworks.chunking.base import LeftOut
from headworks.chunking.promises import Promises, out_of_order
from headworks.config import ChunkSettings
from headworks.errors import FaultError
from headworks.model.chunk import Chunk, Directive, LedgerEntry
from headworks.model.document import Document
from headworks.model.place import Span, describe

_SOLID = re.compile(r"\S")


def account(
    document: Document, out: Sequence[LeftOut], chunks: Sequence[Chunk]
) -> tuple[LedgerEntry, ...]:
    """Give the ledger: ranges left out, ranges that stand in several chunks, counts taken out."""
    entries = [
        LedgerEntry(entry.reason, entry.start, entry.end, entry.end - entry.start, entry.place)
        for entry in out
    ]
    entries += _overlaps(document, chunks)
    entries.sort(key=lambda entry: (entry.start, entry.end))
    entries += [
        LedgerEntry(removed.reason, None, None, removed.count, removed.place)
        for removed in document.removed
    ]
    return tuple(entries)


def renew(
    document: Document, ledger: Sequence[LedgerEntry], chunks: Sequence[Chunk]
) -> tuple[LedgerEntry, ...]:
    """Give the ledger for chunks that were joined since: the overlaps are found anew."""
    kept = [entry for entry in ledger if entry.reason != "overlap"]
    ranged = [entry for entry in kept if entry.start is not None]
    ranged += _overlaps(document, chunks)
    ranged.sort(key=lambda entry: (entry.start, entry.end))
    return (*ranged, *(entry for entry in kept if entry.start is None))


def check(
    document: Document,
    chunks: Sequence[Chunk],
    ledger: Sequence[LedgerEntry],
    settings: ChunkSettings | None = None,
    directives: Sequence[Directive] = (),
) -> None:
    """Raise FaultError (E_LEDGER) unless the accounting balances and every promise is kept.

    What settings promise (the ceiling, nothing cut that fits) is checked where they are given.
    """
    complaint = unbalanced(document, chunks, ledger) or out_of_order(document, chunks)
    if not complaint and settings is not None:
        complaint = Promises(document, chunks, ledger, settings, directives).broken()
    if complaint:
        raise FaultError("E_LEDGER", complaint, place=document.source.name)


def unbalanced(document: Document, chunks: Sequence[Chunk], ledger: Sequence[LedgerEntry]) -> str:
    """Tell what does not balance: text that is nowhere, or in two places; empty where all does."""
    text = document.text
    for span in _all_spans(chunks, ledger):
        if not 0 <= span.start <= span.end <= len(text):
            return f"the range {span.start}:{span.end} is outside the text"
    doubled = _Steps(
        Span(entry.start, entry.end)
        for entry in ledger
        if entry.reason == "overlap" and entry.start is not None and entry.end is not None
    )
    listed = _Steps(
        Span(entry.start, entry.end)
        for entry in ledger
        if entry.reason != "overlap" and entry.start is not None and entry.end is not None
    )
    held = _Steps(span for chunk in chunks for span in chunk.spans)
    edges = sorted({0, len(text), *held.edges, *listed.edges, *doubled.edges})
    for start, end in itertools.pairwise(edges):
        in_chunks, in_ledger, marked = held.at(start), listed.at(start), doubled.at(start)
        right = (in_chunks > 1) if marked else (in_chunks + in_ledger == 1)
        if (right and not (marked and in_ledger)) or _SOLID.search(text, start, end) is None:
            continue
        return f"{start}:{end} is in {in_chunks} chunks and {in_ledger} times in the ledger"
    return ""


def _all_spans(chunks: Sequence[Chunk], ledger: Sequence[LedgerEntry]) -> Iterator[Span]:
    for chunk in chunks:
        yield from chunk.spans
    for entry in ledger:
        if entry.start is not None and entry.end is not None:
            yield Span(entry.start, entry.end)


class _Steps:
    """How many ranges lie over an offset, read at ascending offsets."""

    def __init__(self, spans: Iterator[Span]) -> None:
        changes: dict[int, int] = {}
        for span in spans:
            if span.start < span.end:
                changes[span.start] = changes.get(span.start, 0) + 1
                changes[span.end] = changes.get(span.end, 0) - 1
        self.edges = sorted(changes)
        self._changes = changes
        self._next = 0
        self._level = 0

    def at(self, offset: int) -> int:
        """Give the number of ranges over an offset not before the one asked for last."""
        while self._next < len(self.edges) and self.edges[self._next] <= offset:
            self._level += self._changes[self.edges[self._next]]
            self._next += 1
        return self._level


def _overlaps(document: Document, chunks: Sequence[Chunk]) -> list[LedgerEntry]:
    """Give the ranges that stand in several chunks, largest ranges first found, by a sweep."""
    held = _Steps(span for chunk in chunks for span in chunk.spans)
    found: list[Span] = []
    for start, end in zip(held.edges, held.edges[1:], strict=False):
        if held.at(start) > 1:
            if found and found[-1].end == start:
                found[-1] = Span(found[-1].start, end)
            else:
                found.append(Span(start, end))
    return [
        LedgerEntry("overlap", span.start, span.end, len(span), _place(document, span))
        for span in found
    ]


def _place(document: Document, span: Span) -> str:
    block = document.block_at(span.start)
    return "" if block is None else describe(block.place)
