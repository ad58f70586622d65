"""Findings about the structure: references that point to nothing.

Takes a document with its references, gives problems for the report. Never more than a report can
hold: the rest is counted.
"""

from collections.abc import Iterator

from headworks.model.document import Document
from headworks.model.place import PagePlace, PartPlace
from headworks.model.problem import Problem

_MOST = 40


def reference_problems(document: Document) -> tuple[Problem, ...]:
    """Give a problem for each place that a dangling reference names, once."""
    return tuple(_problems(document))


def _problems(document: Document) -> Iterator[Problem]:
    seen: set[str] = set()
    for ref in document.refs:
        if ref.status != "dangling" or ref.target in seen:
            continue
        seen.add(ref.target)
        if len(seen) <= _MOST:
            yield Problem(
                code="W_REFERENCE",
                message=f"{ref.text}: {ref.why}",
                place=_place(document, ref.span.start),
                span=ref.span,
            )
    if len(seen) > _MOST:
        yield Problem(code="W_REFERENCE", message=f"{len(seen) - _MOST} more references")


def _place(document: Document, offset: int) -> str:
    block = document.block_at(offset)
    place = block.place if block is not None else None
    page = place.page if isinstance(place, PagePlace | PartPlace) else None
    return f"page {page}" if page is not None else ""
