"""What no chunk holds: furniture, hidden and deleted text, the contents page, stripped ranges.

Takes a document and its settings, gives ranges with their reason, in order. Never leaves out
anything without a reason that the ledger will show.
"""

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
    taken = sorted((entry.start, entry.end) for entry in found)
    for directive in sorted(stripped, key=lambda directive: directive.span):
        start, end = directive.span.start, directive.span.end
        for left, right in [*taken, (end, end)]:
            if start < min(left, end):
                found.append(LeftOut(start, min(left, end), "stripped", directive.rule))
            start = max(start, right)
            if start >= end:
                break
        taken = sorted({*taken, (directive.span.start, directive.span.end)})
    return sorted(found, key=lambda entry: entry.start)
