"""Pictures on slides that may be pages: which are, and what they say.

Takes a slide's shapes and relations, gives what a picture says. Never reads a logo, nor a picture
beside much text.
"""

from collections.abc import Mapping, Sequence

from headworks.config import ReadSettings
from headworks.model.document import Document, PageSize
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.names import R_EMBED
from headworks.readers.docx.package import Element, Package, Relation
from headworks.readers.pictures import (
    PictureReader,
    has_little_text,
    is_worth_reading,
    picture_reader,
)
from headworks.readers.pptx.names import A_BLIP, P_BACKGROUND, P_PIC
from headworks.readers.pptx.shapes import Shape


class SlidePictures:
    """The pictures of one deck; what recognises them is loaded for the first that is worth it."""

    def __init__(self, package: Package, settings: ReadSettings) -> None:
        self._package = package
        self._settings = settings
        self._reader: PictureReader | None = None
        self._seen: set[str] = set()
        self.lacking = 0

    def worth(self, shapes: Sequence[Shape], chars: int, size: PageSize) -> set[int]:
        """Give the ids of the shapes to read on a slide that has so many characters of text."""
        page = (size.width, size.height)
        large = [
            shape
            for shape in shapes
            if shape.element.tag == P_PIC
            and not shape.hidden
            and shape.frame is not None
            and is_worth_reading(
                (shape.frame[2] - shape.frame[0], shape.frame[3] - shape.frame[1]), page
            )
        ]
        return set(map(id, large)) if has_little_text(chars, len(large)) else set()

    def words(self, holder: Element, relations: Mapping[str, Relation]) -> Document | None:
        """Give what the picture in a shape says, once; ``lacking`` counts those not read."""
        blip = next(holder.iter(A_BLIP), None)
        relation = relations.get(blip.get(R_EMBED) or "") if blip is not None else None
        if relation is None or relation.external or relation.target in self._seen:
            return None
        self._seen.add(relation.target)
        if self._reader is None:
            self._reader = picture_reader(self._settings)
        found = self._reader.words(self._package.content(relation.target), relation.target)
        self.lacking = self._reader.lacking
        return found

    def background(self, slide: Element, relations: Mapping[str, Relation]) -> Document | None:
        """Give what a slide's own background says."""
        background = slide.find(P_BACKGROUND)
        return None if background is None else self.words(background, relations)

    def tell(self, builder: DocumentBuilder, bare: bool) -> None:
        """Note what was read of the pictures, and what was not."""
        if self._reader is not None:
            self._reader.tell(builder, bare)
