"""Reading OFD: the pages of each document in the file, laid out as those of a PDF.

Takes a path and settings, gives the document with page boxes, templates' edges as furniture,
annotations as comments, pages that are pictures recognised. Never checks a signature; seals are
pictures and are counted.
"""

from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, Metadata, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.package import Element, Package
from headworks.readers.ocr.budget import Budget
from headworks.readers.ofd.content import Content, Drawing, Face, is_bold
from headworks.readers.ofd.package import (
    MILLIMETRE,
    Parts,
    attached_parts,
    child,
    children,
    descendants,
    numbers,
    text_of,
)
from headworks.readers.ofd.runs import Runs
from headworks.readers.ofd.scans import Image, with_scans
from headworks.readers.pdf import grids, rulings, tables
from headworks.readers.pdf.aligned import aligned
from headworks.readers.pdf.annotations import Annotations, Comment, nothing
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.pages import PageContent
from headworks.readers.pdf.reader import write_pages
from headworks.readers.pdf.scans import tell

_USUAL_BOX = [0.0, 0.0, 210.0, 297.0]


def read_ofd(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read an OFD file."""
    package = Package(path, settings)
    try:
        return _read(package, source, settings)
    finally:
        package.close()


def _read(package: Package, source: Source, settings: ReadSettings) -> Document:
    parts = Parts(package)
    builder, budget = DocumentBuilder(source), Budget(settings.timeout_seconds)
    contents: list[PageContent] = []
    images: dict[int, list[Image]] = {}
    bodies = list(descendants(parts.root(), "DocBody"))
    for body in bodies:
        place = parts.place(text_of(body, "DocRoot"))
        document = parts.at(place, needed=True)
        reading = _Reading(parts, place, document)
        reading.pages(contents, settings)
        images |= reading.images
    if not contents:
        raise InputError("E_CORRUPT", "no page can be read", place=source.name)
    builder.metadata = _metadata(bodies, len(contents), _attachments(package, parts))
    contents, outcome = with_scans(contents, images, package, settings, budget)
    write_pages(builder, contents, {}, outcome)
    tell(builder, outcome)
    _tell(package, builder)
    return builder.finish()


class _Reading:
    """One document of the file: its resources, templates and annotations, read once."""

    def __init__(self, parts: Parts, place: str, document: Element | None) -> None:
        self._parts = parts
        self._place = place
        self._document = document
        common = child(document, "CommonData")
        self._box = _page_box(child(common, "PageArea")) or _USUAL_BOX
        self._templates = {
            found.get("ID") or "": parts.place(found.get("BaseLoc") or "", beside=place)
            for found in children(common, "TemplatePage")
        }
        faces: dict[str, Face] = {}
        composites: dict[str, Element] = {}
        self._media: dict[str, str] = {}
        self.images: dict[int, list[Image]] = {}
        for kind in ("PublicRes", "DocumentRes"):
            for named in children(common, kind):
                root = parts.at((named.text or ""), beside=place)
                _resources(root, faces, composites)
                self._media |= parts.media(root, parts.place(named.text or "", beside=place))
        self._content = Content(faces, composites)
        self._annotations = self._annotation_parts()

    def pages(self, contents: list[PageContent], settings: ReadSettings) -> None:
        """Add the document's pages."""
        for page in children(child(self._document, "Pages"), "Page"):
            if len(contents) >= settings.max_pages:
                raise LimitError("E_TOO_LARGE", f"more than {settings.max_pages} pages")
            contents.append(self._page(page, len(contents) + 1))

    def _page(self, page: Element, number: int) -> PageContent:
        root = self._parts.at(page.get("BaseLoc") or "", beside=self._place)
        if root is None:
            return PageContent(number, 0.0, 0.0, [], [], [], [], broken=True)
        box = _page_box(child(root, "Area")) or self._box
        origin = (box[0], box[1])
        drawing = Drawing()
        for used in children(root, "Template"):
            template = self._parts.at("/" + self._templates.get(used.get("TemplateID") or "", "?"))
            self._content.take(child(template, "Content"), drawing, "template", origin)
        self._content.take(child(root, "Content"), drawing, "body", origin)
        notes = self._notes(page.get("ID") or "", drawing, origin)
        size = box[2] * MILLIMETRE, box[3] * MILLIMETRE
        self.images[number] = [
            (self._media[resource], box)
            for resource, box in zip(drawing.images, drawing.pictures, strict=True)
            if resource in self._media
        ]
        return _laid_out(number, size, drawing, notes)

    def _annotation_parts(self) -> dict[str, str]:
        place = self._parts.place(text_of(self._document, "Annotations"), beside=self._place)
        listed = self._parts.at("/" + place) if place else None
        return {
            page.get("PageID") or "": self._parts.place(text_of(page, "FileLoc"), beside=place)
            for page in children(listed, "Page")
        }

    def _notes(self, page: str, drawing: Drawing, origin: tuple[float, float]) -> list[Comment]:
        """Take what annotations draw on the page, give what they say."""
        place = self._annotations.get(page)
        root = self._parts.at("/" + place) if place else None
        found: list[Comment] = []
        for annotation in children(root, "Annot"):
            if annotation.get("Visible") == "false":
                continue
            appearance = child(annotation, "Appearance")
            box = numbers(appearance.get("Boundary")) if appearance is not None else []
            corner = (origin[0] - box[0], origin[1] - box[1]) if len(box) >= 4 else origin
            layer = "watermark" if annotation.get("Type") == "Watermark" else "annotation"
            self._content.take(appearance, drawing, layer, corner)
            remark = text_of(annotation, "Remark")
            if remark and annotation.get("Type") != "Watermark":
                left, top = -corner[0] * MILLIMETRE, -corner[1] * MILLIMETRE
                wide, high = (box[2] * MILLIMETRE, box[3] * MILLIMETRE) if len(box) >= 4 else (0, 0)
                author = annotation.get("Creator") or ""
                area = (left, top, left + wide, top + high)
                found.append(Comment(remark, author, annotation.get("LastModDate"), area))
        return found


def _laid_out(
    number: int, size: tuple[float, float], drawing: Drawing, comments: list[Comment]
) -> PageContent:
    """Give a page's content as the PDF reader has it."""
    width, height = size
    marks = [char for char in drawing.chars if char.look.layer == "watermark"]
    runs = Runs(number, [char for char in drawing.chars if char.look.layer != "watermark"])
    hidden: list[Fragment] = []
    shown: list[Fragment] = []
    for part in runs.fragments:
        off = part.x1 < 0 or part.y1 < 0 or part.x0 > width or part.y0 > height
        (hidden if off or part.hidden else shown).append(part)
    across, down = rulings.merged(drawing.across), rulings.merged(drawing.down)
    ruled = grids.grids(across, down)
    filled, flow = tables.fill(number, runs.cut, ruled, shown) if ruled else ([], shown)
    spaced, flow = aligned(number, flow)
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in drawing.pictures)
    # A watermark's words run at a slant, or are told as one: either way they are no body.
    slanted = [
        msgspec.structs.replace(fragment, angle=45) for fragment in Runs(number, marks).fragments
    ]
    return PageContent(
        number, width, height, flow, [*filled, *spaced], [*runs.turned, *slanted], hidden,
        cover=min(1.0, area / max(1.0, width * height)), notes=_annotations(comments),
    )  # fmt: skip


def _annotations(comments: list[Comment]) -> Annotations:
    notes = nothing()
    notes.comments.extend(comments)
    return notes


def _page_box(area: Element | None) -> list[float] | None:
    box = numbers(text_of(area, "PhysicalBox")) or numbers(text_of(area, "ApplicationBox"))
    return box if len(box) == 4 and box[2] > 0 and box[3] > 0 else None


def _resources(
    root: Element | None, faces: dict[str, Face], composites: dict[str, Element]
) -> None:
    for font in descendants(root, "Font"):
        name = font.get("FontName") or font.get("FamilyName") or ""
        faces[font.get("ID") or ""] = Face(name, font.get("Bold") == "true" or is_bold(name))
    for unit in descendants(root, "CompositeGraphicUnit"):
        composites[unit.get("ID") or ""] = unit


def _attachments(package: Package, parts: Parts) -> list[str]:
    """Give the attached files with their sizes: each is a document of its own."""
    return [
        f"{name} ({len(content)} bytes)"
        for name, place in attached_parts(parts)
        if (content := package.content(place)) is not None
    ]


def _metadata(bodies: list[Element], pages: int, attachments: list[str]) -> Metadata:
    facts = [child(body, "DocInfo") for body in bodies]

    def known(name: str) -> str | None:
        return next((text for fact in facts if (text := text_of(fact, name))), None)

    kept: dict[str, str | int | float | list[str]] = {}
    if attachments:
        kept["attachments"] = attachments
    custom = [
        f"{entry.get('Name')}={(entry.text or '').strip()}"
        for fact in facts
        for entry in descendants(fact, "CustomData")
        if (entry.text or "").strip()
    ]
    if custom:
        kept["custom"] = custom
    signed = sum(1 for body in bodies if text_of(body, "Signatures"))
    if signed:
        kept["signatures"] = "not checked"
    return Metadata(
        title=known("Title"),
        author=known("Author"),
        created=known("CreationDate"),
        modified=known("ModDate"),
        pages=pages,
        more=kept,
    )


def _tell(package: Package, builder: DocumentBuilder) -> None:
    if package.unread:
        builder.lost(unread_parts=tuple(package.unread))
        builder.problem("W_PART", f"not read: {', '.join(package.unread[:5])}")
    if package.damage:
        builder.problem("W_SALVAGED", f"damaged: {', '.join(package.damage)}")
