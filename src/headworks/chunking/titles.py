"""Titles of chapters that stand in the heading path only.

Takes units, gives those whose words every chunk below them carries in its path already. Never
takes a title that has text of its own, or the document's.
"""

from collections.abc import Sequence

from headworks.chunking.base import LeftOut, Unit
from headworks.chunking.wholes import above_articles, has_own_clauses
from headworks.config import ChunkSettings
from headworks.model.document import Document
from headworks.model.place import describe


def in_path_only(
    document: Document, units: Sequence[Unit], settings: ChunkSettings
) -> list[LeftOut]:
    """Give the titles that lead straight to a clause, where settings ask for clauses alone."""
    if settings.chapter_titles == "chunk" or settings.unit != "clause":
        return []
    if settings.split_at is not None or not has_own_clauses(document):
        return []
    headings = document.headings
    chapters = above_articles(headings)
    found: list[LeftOut] = []
    leads = False
    for index in range(len(units) - 1, -1, -1):
        unit = units[index]
        heading = headings[unit.heading] if unit.heading >= 0 else None
        if heading is not None and heading.kind == "clause" and heading.id not in chapters:
            leads = True
        elif unit.form == "heading" and leads and (heading is None or heading.kind != "title"):
            place = describe(document.blocks[unit.block].place)
            found.append(LeftOut(unit.start, unit.end, "heading_path", place))
        else:
            leads = False
    return found[::-1]
