"""Titles of chapters that stand in the heading path only.

Takes units, gives those whose words every chunk below them carries in its path already. Never
takes a title that has text of its own, the document's, or that of an appendix.
"""

from collections.abc import Sequence

from headworks.chunking.base import LeftOut, Unit
from headworks.chunking.wholes import above_articles, has_own_clauses
from headworks.config import ChunkSettings
from headworks.model.chunk import Directive
from headworks.model.document import Document
from headworks.model.place import describe

_KEPT = frozenset({"title", "appendix"})


def in_path_only(
    document: Document,
    units: Sequence[Unit],
    settings: ChunkSettings,
    directives: Sequence[Directive] = (),
) -> list[LeftOut]:
    """Give the titles that lead straight to a clause, where settings ask for clauses alone.

    A title of what a rule keeps together stays with it.
    """
    if settings.chapter_titles == "chunk" or settings.unit != "clause":
        return []
    if settings.split_at is not None or not has_own_clauses(document):
        return []
    headings = document.headings
    chapters = above_articles(headings)
    asked = [directive for directive in directives if directive.action in {"keep", "section"}]
    found: list[LeftOut] = []
    leads = False
    for index in range(len(units) - 1, -1, -1):
        unit = units[index]
        heading = headings[unit.heading] if unit.heading >= 0 else None
        if heading is not None and heading.kind == "clause" and heading.id not in chapters:
            leads = True
        elif unit.form == "heading" and leads and _may_go(document, units, index, asked):
            place = describe(document.blocks[unit.block].place)
            found.append(LeftOut(unit.start, unit.end, "heading_path", place))
        else:
            leads = False
    return found[::-1]


def _may_go(
    document: Document, units: Sequence[Unit], index: int, asked: Sequence[Directive]
) -> bool:
    """Tell whether a title, or a further line of one, may stand in the path alone."""
    while index and units[index].heading < 0:
        index -= 1
    number = units[index].heading
    if number < 0:
        return True
    heading = document.headings[number]
    if heading.kind in _KEPT:
        return False
    return not any(
        heading.extent.start <= directive.span.start < heading.extent.end
        or directive.span.start <= heading.span.start < directive.span.end
        for directive in asked
    )
