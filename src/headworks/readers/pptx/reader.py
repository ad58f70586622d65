"""Reading a PPTX: slides in, a ``Document`` out.

Takes a path and settings, gives the slides in order with their notes and comments, what is on every
slide as furniture. Never follows a link out of the file, never runs anything in it.
"""

import posixpath
import re
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, PageSize, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.held import held_files
from headworks.readers.docx.names import number
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.properties import Properties
from headworks.readers.pptx.asides import Authors
from headworks.readers.pptx.names import P_SIZE, P_SLIDES, R_LINK
from headworks.readers.pptx.pictures import SlidePictures
from headworks.readers.pptx.shapes import EMU
from headworks.readers.pptx.slides import Deck, SlideParts, SlideWriter

_MAIN = "ppt/presentation.xml"
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_USUAL_SIZE = PageSize(960.0, 540.0)


def read_pptx(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a presentation."""
    package = Package(path, settings)
    try:
        return _read(package, source, settings)
    finally:
        package.close()


def _read(package: Package, source: Source, settings: ReadSettings) -> Document:
    main = _main_part(package)
    root = package.tree(main, optional=settings.salvage)
    slides = _slides(package, main, root)
    if len(slides) > settings.max_pages:
        raise LimitError("E_TOO_LARGE", f"{len(slides)} slides, the limit is {settings.max_pages}")
    builder = DocumentBuilder(source)
    deck = Deck(
        package=package,
        builder=builder,
        authors=_authors(package, main),
        size=_size(root),
        max_depth=settings.max_depth,
        sectioned=False,
        pictures=SlidePictures(package, settings),
    )
    parts = [_parts(package, slide) for slide in slides]
    deck.sectioned = any(_opens_section(package, entry) for entry in parts)
    writer = SlideWriter(deck)
    for index, entry in enumerate(parts, 1):
        builder.page_sizes.append(deck.size)
        slide = package.tree(entry.slide)
        if slide is None:
            deck.unread.append(f"slide {index}")
        else:
            writer.write(index, slide, entry, opens_section=_opens_section(package, entry))
    files, objects = held_files(package.names(), package.content)
    deck.unread += objects
    _tell(package, builder, writer)
    properties = Properties(package).metadata(PageCount(), builder.length, known=False)
    more = {key: value for key, value in properties.more.items() if key != "page_numbers"}
    if deck.hidden:
        more["hidden_slides"] = [str(slide) for slide in deck.hidden]
    if deck.figures:
        more["figures"] = deck.figures
    if files:
        more["attachments"] = files
    builder.metadata = msgspec.structs.replace(properties, pages=len(slides), more=more)
    deck.pictures.tell(builder, bare=bool(deck.picture_only))
    return builder.finish()


def _tell(package: Package, builder: DocumentBuilder, writer: SlideWriter) -> None:
    """Name what was not read, and warn of what does not show."""
    deck = writer.deck
    unread = tuple(dict.fromkeys([*deck.unread, *package.unread]))
    builder.lost(unread_parts=unread, picture_only_pages=tuple(deck.picture_only))
    if unread:
        builder.problem("W_PART", f"{len(unread)} not read: {', '.join(unread[:5])}")
    if deck.hidden:
        named = ", ".join(map(str, deck.hidden))
        builder.problem("W_HIDDEN", f"hidden slides {named}", place=f"slide {deck.hidden[0]}")
    for slide in deck.picture_only:
        builder.problem("W_NO_TEXT", "a slide without text", place=f"slide {slide}")
    if package.damage:
        builder.problem("W_SALVAGED", f"damaged: {', '.join(package.damage)}")


def _main_part(package: Package) -> str:
    for relation in package.relations("").values():
        if relation.kind == "officeDocument" and package.find(relation.target):
            return relation.target
    if package.find(_MAIN):
        return _MAIN
    if package.damage and any(map(_SLIDE.fullmatch, package.names())):
        return _MAIN  # lost: the slides themselves tell what is left
    raise InputError("E_CORRUPT", "the package names no presentation part")


def _slides(package: Package, main: str, root: Element | None) -> list[str]:
    """Give the slides' parts in the order of the show; by their names where no list is left."""
    if root is not None and root.find(P_SLIDES) is not None:
        relations = package.relations(main)
        named = [relations.get(entry.get(R_LINK) or "") for entry in root.iterfind(P_SLIDES)]
        found = [relation.target for relation in named if relation is not None]
        if found:
            return found
    numbered = ((_SLIDE.fullmatch(name), name) for name in package.names())
    return [name for _, name in sorted((int(m[1]), name) for m, name in numbered if m is not None)]


def _parts(package: Package, slide: str) -> SlideParts:
    relations = package.relations(slide)
    targets: dict[str, list[str]] = {}
    for relation in relations.values():
        if not relation.external:
            targets.setdefault(relation.kind, []).append(relation.target)
    layout = next(iter(targets.get("slideLayout", [])), None)
    master = None
    if layout is not None:
        above = package.relations(layout).values()
        master = next((entry.target for entry in above if entry.kind == "slideMaster"), None)
    return SlideParts(
        slide=slide,
        relations=relations,
        layout=layout,
        master=master,
        notes=next(iter(targets.get("notesSlide", [])), None),
        comments=targets.get("comments", []),
    )


def _opens_section(package: Package, parts: SlideParts) -> bool:
    layout = package.beside(parts.layout) if parts.layout is not None else None
    return layout is not None and layout.get("type") == "secHead"


def _authors(package: Package, main: str) -> Authors:
    kinds = ("commentAuthors", "authors")
    found = [entry.target for entry in package.relations(main).values() if entry.kind in kinds]
    return Authors(package, found or [posixpath.join("ppt", "commentAuthors.xml")])


def _size(root: Element | None) -> PageSize:
    found = root.find(P_SIZE) if root is not None else None
    width = number(found.get("cx")) if found is not None else None
    height = number(found.get("cy")) if found is not None else None
    return PageSize(width / EMU, height / EMU) if width and height else _USUAL_SIZE
