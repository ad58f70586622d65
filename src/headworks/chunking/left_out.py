"""What no chunk holds: furniture, hidden and deleted text, the contents page, stripped ranges.

Takes a document and its settings, gives ranges with their reason, in order. Never leaves out
anything without a reason that the ledger will show.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from headworks.chunking.base import LeftOut
from headworks.config import ChunkSettings
from headworks.model.chunk import Directive
from headworks.model.document import Document
from headworks.model.place import describe


def left_out(
    document: Document, settings: ChunkSettings, directives: Sequence[Directive] = ()
) -> list[LeftOut]:
    """Give the ranges that go to the ledger instead of a chunk, disjoint and in order."""
    found: list[LeftOut] = []
    in_contents = [zone.span for zone in document.zones if zone.kind == "contents"]
    listed = settings.contents == "chunk"
    for block in document.blocks:
        reason: str = block.role
        if reason == "contents" and listed:
            reason = "body"
        elif reason == "body" and in_contents and not listed:
            start = block.span.start
            if any(span.start <= start < span.end for span in in_contents):
                reason = "contents"
        if reason != "body":
            place = describe(block.place)
            found.append(LeftOut(block.span.start, block.span.end, reason, place))
    stripped = [directive for directive in directives if directive.action == "strip"]
    return _with_stripped(found, stripped) if stripped else found


def _with_stripped(found: list[LeftOut], stripped: Sequence[Directive]) -> list[LeftOut]:
    """Add stripped ranges; where a range is left out already, its first reason stays."""
    starts = [entry.start for entry in found]
    added: list[LeftOut] = []
    reached = 0
    for directive in sorted(stripped, key=lambda directive: directive.span):
        start, end = max(reached, directive.span.start), directive.span.end
        for entry in found[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)]:
            if entry.end > start:
                if entry.start > start:
                    added.append(LeftOut(start, entry.start, "stripped", directive.rule))
                start = entry.end
        if start < end:
            added.append(LeftOut(start, end, "stripped", directive.rule))
        reached = max(reached, end)
    return sorted([*found, *added], key=lambda entry: entry.start)
