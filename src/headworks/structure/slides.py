"""Slides: a presentation's outline is its slides' titles.

Takes a document made of slides, gives it with headings and one zone. Never reads more into what
stands on a slide: large words there are looks, not structure.
"""

import msgspec

from headworks.config import StructureSettings
from headworks.model.document import Block, Document, Profile
from headworks.model.outline import Heading, Zone
from headworks.model.place import SlidePlace, Span
from headworks.structure.definitions import definitions
from headworks.structure.extents import with_extents


def is_deck(document: Document) -> bool:
    """Tell whether the document is a presentation."""
    return bool(document.blocks) and isinstance(document.blocks[0].place, SlidePlace)


def outline_of_slides(document: Document, settings: StructureSettings) -> Document:
    """Give the presentation with its outline."""
    zones = (Zone("body", None, Span(0, len(document.text))),) if document.text else ()
    name = "general" if settings.profile == "auto" else settings.profile
    return msgspec.structs.replace(
        document,
        profile=Profile(name, "a presentation: its slides' titles are the outline"),
        zones=zones,
        headings=with_extents(document, _headings(document), zones),
        definitions=definitions(document),
        steps=(*document.steps, "structure"),
    )


def _headings(document: Document) -> list[Heading]:
    """Give the titles as headings: the first slide's is the document's."""
    found: list[Heading] = []
    open_headings: list[Heading] = []
    for block in document.blocks:
        level = block.style.outline_level
        if level is None or block.role != "body":
            continue
        if not found and _slide(block) == 1:
            level = 0
        while open_headings and open_headings[-1].level >= level:
            open_headings.pop()
        level = open_headings[-1].level + 1 if open_headings else min(level, 1)
        text = " ".join(document.slice(block.span).split())
        heading = Heading(
            id=len(found),
            parent=open_headings[-1].id if open_headings else None,
            level=level,
            kind="section" if level else "title",
            block=block.id,
            span=block.span,
            extent=block.span,
            text=text,
            title=text,
            evidence=("slide title",),
        )
        found.append(heading)
        open_headings.append(heading)
    return found


def _slide(block: Block) -> int:
    return block.place.slide if isinstance(block.place, SlidePlace) else 0
