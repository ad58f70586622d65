"""Extents: how far each heading and item reaches, and the path that names it.

Takes placed headings, marks and zones, gives headings with extents and the anchors that
references can point to. Never lets an extent cross its parent's.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from headworks.model.document import Document
from headworks.model.outline import Anchor, Heading, Zone
from headworks.model.place import Span
from headworks.structure.labels import APPENDIX
from headworks.structure.select import Mark

_FINISHED = frozenset("。；;.！!？?")
_WHOLE = frozenset({"条", "章", "编", "部分", "Article", "Chapter", *APPENDIX})


_WORD = re.compile(r"[A-Za-z]{2,} ")


def with_extents(
    document: Document, headings: Sequence[Heading], zones: Sequence[Zone]
) -> tuple[Heading, ...]:
    """Give the headings with extents: to the next of their level or above, or the zone's end.

    Where the next stands inside a table that began after the heading, the extent ends in front of
    the table: a table is one thing, and no part of it is a clause's.
    """
    ends = [len(document.text)] * len(headings)
    open_headings: list[int] = []
    for index, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            ends[open_headings.pop()] = heading.span.start
        open_headings.append(index)
    starts = [zone.span.start for zone in zones]
    tables = [block.span for block in document.blocks if block.table is not None]
    spread: list[Heading] = []
    for heading, end in zip(headings, ends, strict=True):
        limit = end
        if heading.level and zones:
            zone = zones[bisect_right(starts, heading.span.start) - 1]
            limit = min(limit, zone.span.end) if zone.span.end > heading.span.end else limit
        limit = _outside(tables, heading.span.start, limit)
        stop = heading.span.start + len(document.text[heading.span.start : limit].rstrip())
        stop = max(stop, heading.span.end)
        spread.append(msgspec.structs.replace(heading, extent=Span(heading.span.start, stop)))
    return tuple(_nested(spread))


def _outside(tables: Sequence[Span], start: int, limit: int) -> int:
    """Give the limit, or the start of the table that it would fall into from outside."""
    at = bisect_right(tables, Span(limit, 0)) - 1
    inside = at >= 0 and start < tables[at].start < limit < tables[at].end
    return tables[at].start if inside else limit


def _nested(headings: Sequence[Heading]) -> list[Heading]:
    """Cut each extent at its parent's end: a zone may end the parent sooner."""
    done: list[Heading] = []
    for heading in headings:
        if heading.parent is not None and heading.parent < len(done):
            parent = done[heading.parent]
            if parent.extent.end < heading.extent.end and parent.level < heading.level:
                grown = Span(parent.extent.start, heading.extent.end)
                _grow(done, heading.parent, grown.end)
        done.append(heading)
    return done


def _grow(done: list[Heading], index: int | None, end: int) -> None:
    while index is not None and done[index].extent.end < end:
        heading = done[index]
        done[index] = msgspec.structs.replace(heading, extent=Span(heading.extent.start, end))
        index = heading.parent


def anchors(
    document: Document,
    marks: Sequence[Mark],
    of_mark: Sequence[int | None],
    headings: Sequence[Heading],
) -> tuple[Anchor, ...]:
    """Give an anchor for each labelled heading and item."""
    paths: dict[int, tuple[str, ...]] = {}
    found: list[Anchor] = []
    starts = [heading.span.start for heading in headings]
    for at, mark in enumerate(marks):
        label = mark.candidate.label
        if label is None:
            continue
        written = _written(document.text[label.start : label.end]).rstrip("、.．:： ")
        above = bisect_right(starts, label.start) - 1
        own = of_mark[at]
        appendix = _appendix_of(headings, own if own is not None else above)
        parts = _path(marks, at, written, paths)
        if appendix is not None and label.family not in APPENDIX:
            parts = (appendix, *(part for part in parts if part != appendix))
        paths[at] = parts
        if own is not None:
            heading = headings[own]
            span, extent = heading.span, heading.extent
        else:
            end = _item_end(document, marks, at, headings, above)
            stop = label.start + len(document.text[label.start : end].rstrip())
            span = Span(label.start, max(label.end, min(stop, mark.candidate.end)))
            extent = Span(label.start, max(stop, span.end))
        found.append(
            Anchor(
                path="/".join(parts), label=written, family=label.family, numbers=label.numbers,
                span=span, extent=extent,
                heading=own if own is not None else (above if above >= 0 else None),
                is_heading=own is not None,
            )
        )  # fmt: skip
    return tuple(found)


def _written(label: str) -> str:
    """Give a label as paths write it: 附 录 A without its spaces, Exhibit A with its one."""
    return (" " if _WORD.match(label) else "").join(label.split())


def _appendix_of(headings: Sequence[Heading], index: int | None) -> str | None:
    while index is not None and index >= 0:
        heading = headings[index]
        if heading.kind == "appendix" and heading.label is not None:
            return _written(heading.label)
        index = heading.parent
    return None


def _path(
    marks: Sequence[Mark], at: int, written: str, paths: dict[int, tuple[str, ...]]
) -> tuple[str, ...]:
    """Give the labels from the outermost in; 条 and 3.2 name themselves within their part."""
    mark = marks[at]
    label = mark.candidate.label
    assert label is not None
    if label.family in _WHOLE or len(label.numbers) > 1:
        return (*_part(marks, mark.parent, paths), written)
    return (*(paths.get(mark.parent, ()) if mark.parent is not None else ()), written)


def _part(
    marks: Sequence[Mark], at: int | None, paths: dict[int, tuple[str, ...]]
) -> tuple[str, ...]:
    while at is not None:
        label = marks[at].candidate.label
        if label is not None and label.family == "部分":
            return paths.get(at, ())[-1:]
        at = marks[at].parent
    return ()


def _item_end(
    document: Document, marks: Sequence[Mark], at: int, headings: Sequence[Heading], above: int
) -> int:
    """Give where an item ends: at the next that is not under it, or with its own finished line.

    A paragraph after the last item (前款所列情形…) is the clause's again, unless the item breaks
    off with a colon or without an end.
    """
    end = headings[above].extent.end if above >= 0 else len(document.text)
    own, last = {at}, at
    for later in range(at + 1, len(marks)):
        mark = marks[later]
        if mark.candidate.start >= end:
            break
        if mark.parent in own:
            own.add(later)
            last = later
        elif mark.candidate.label is not None or mark.heading:
            end = min(end, mark.candidate.start)
            break
    line = marks[last].candidate.end
    finished = document.text[max(0, line - 1) : line] in _FINISHED
    return min(end, line) if finished else end
