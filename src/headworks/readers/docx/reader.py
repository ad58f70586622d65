"""Reading a DOCX: parts in, a ``Document`` out.

Takes a path and settings, gives the document with body, furniture and metadata. Never follows a
link out of the file, never runs anything in it.
"""

from pathlib import Path

from lxml import etree

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.asides import Asides
from headworks.readers.docx.furniture import write_furniture
from headworks.readers.docx.held import held_files
from headworks.readers.docx.names import W_BODY, W_TYPE, W_VAL, W
from headworks.readers.docx.numbering import Numbering
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.pages import tells_pages
from headworks.readers.docx.pasted import pasted_pages
from headworks.readers.docx.properties import Properties
from headworks.readers.docx.scan import scan
from headworks.readers.docx.shared import Shared
from headworks.readers.docx.story import Story
from headworks.readers.docx.styles import StyleSheet

_MAIN = "word/document.xml"
# A cover page stands in a content control. A walk through the whole tree takes five times as long.
_SECTIONS = etree.XPath(
    "w:sectPr | w:p/w:pPr/w:sectPr | w:sdt/w:sdtContent/w:p/w:pPr/w:sectPr", namespaces={"w": W}
)


def read_docx(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a Word document."""
    package = Package(path, settings)
    try:
        return _read(package, source, settings)
    finally:
        package.close()


def read_picture(path: Path, part: str, settings: ReadSettings) -> bytes:
    """Give the bytes of a picture that ``Metadata.more["figures"]`` lists."""
    package = Package(path, settings)
    try:
        content = package.content(part)
    finally:
        package.close()
    if content is None:
        raise InputError("E_CORRUPT", "no such part", place=part)
    return content


def _read(package: Package, source: Source, settings: ReadSettings) -> Document:
    main = _main_part(package)
    content = package.content(main) or b""
    found = scan(content)
    if found is not None:
        root = found.root
    else:
        root = package.tree(main, optional=settings.salvage, content=content)
    body = root.find(W_BODY) if root is not None else None
    if root is None or body is None:
        raise InputError("E_CORRUPT", "the document has no body", place=main)
    parts = {relation.kind: relation.target for relation in package.relations(main).values()}
    styles = StyleSheet(
        package.tree(parts.get("styles", "word/styles.xml")),
        package.beside(parts.get("theme", "word/theme/theme1.xml")),
        settings.revisions,
    )
    numbering = Numbering(package.tree(parts.get("numbering", "word/numbering.xml")), styles)
    builder = DocumentBuilder(source)
    shared = Shared(builder, styles, numbering, settings.revisions)
    asides = Asides(builder, package, main, lambda part: Story(shared, part))
    shared.asides = asides
    asides.pages = pasted_pages(package, main, content, settings)
    story = Story(shared, main)
    if found is not None:
        story.take_scan(found)
    sections = _sections(body)
    breaks = [_on_new_page(section) for section in sections[1:]]
    properties = Properties(package)
    story.expect_pages(breaks, known=tells_pages(content, breaks, properties.stated_pages))
    story.write(body)
    _settle_contents(story, shared)
    asides.write_unplaced()
    files, objects = held_files(package.names(), package.content)
    _tell_unread(builder, asides, story, [*package.unread, *objects])
    furniture = write_furniture(package, main, sections, shared)
    builder.metadata = properties.metadata(story.pages, builder.length, known=story.paged)
    builder.metadata.more.update(furniture)
    if asides.figures.listed:
        builder.metadata.more["figures"] = asides.figures.listed
    if files:
        builder.metadata.more["attachments"] = files
    if asides.pages is not None:
        asides.pages.tell(builder)
    if package.damage:
        builder.problem("W_SALVAGED", f"damaged: {', '.join(package.damage)}")
    return builder.finish()


def _main_part(package: Package) -> str:
    for relation in package.relations("").values():
        if relation.kind == "officeDocument" and package.find(relation.target):
            return relation.target
    if package.find(_MAIN):
        return _MAIN
    raise InputError("E_CORRUPT", "the package names no document part")


def _sections(body: Element) -> list[Element]:
    found: Element = _SECTIONS(body)
    return list(found)


def _on_new_page(section: Element) -> bool:
    kind = section.find(W_TYPE)
    return kind is None or kind.get(W_VAL) not in ("continuous", "nextColumn")


def _tell_unread(builder: DocumentBuilder, asides: Asides, story: Story, broken: list[str]) -> None:
    """Name what was not read, and warn of what does not show."""
    unread = asides.figures.unread + broken
    unread += ["formula object"] * story.marks.formula_objects
    if unread:
        names = list(dict.fromkeys(unread))
        builder.lost(unread_parts=tuple(names))
        builder.problem("W_PART", f"{len(unread)} not read: {', '.join(names[:5])}")
    if asides.hidden:
        builder.problem("W_HIDDEN", f"hidden text in {asides.hidden} paragraphs")


def _settle_contents(story: Story, shared: Shared) -> None:
    """A table of contents whose field never ends would swallow the document: give it back."""
    if story.marks.fields.unclosed:
        for block in shared.by_field:
            shared.builder.retag(block, "body")
