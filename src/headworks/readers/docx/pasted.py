"""Scanned pages that were pasted into a Word document: whether there are any, what they say.

Takes the main part's bytes, gives what reads its pictures; none where the document has a text that
they illustrate. Never reads a logo.
"""

import re

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.drawings import Picture
from headworks.readers.docx.package import Package
from headworks.readers.pictures import (
    FEW_CHARS,
    has_little_text,
    is_worth_reading,
    picture_reader,
)

_EMU_PER_POINT = 12_700
_PAGE = (595.0, 842.0)  # points: pages of other sizes are rare, and their pictures follow them
_EXTENT = re.compile(rb'<wp:extent cx="(\d{1,12})" cy="(\d{1,12})"')
_OLD_PICTURE = re.compile(rb"<v:imagedata ")
_TEXT = re.compile(rb"<w:t(?: [^<>]*)?>([^<]*)</w:t>")


class PastedPages:
    """The pictures of one document's main part, to be read in their order."""

    def __init__(self, package: Package, main: str, settings: ReadSettings, *, bare: bool) -> None:
        self._package = package
        self._relations = package.relations(main)
        self._reader = picture_reader(settings)
        self._seen: set[str] = set()
        self.bare = bare

    def is_page(self, picture: Picture) -> bool:
        """Tell whether a picture may be a page."""
        known = picture.width and picture.height
        size = (picture.width or 0.0, picture.height or 0.0) if known else None
        return picture.kind == "picture" and is_worth_reading(size, _PAGE)

    def words(self, picture: Picture) -> tuple[Document | None, bool]:
        """Give what a picture says, once; and whether it could be looked at."""
        relation = self._relations.get(picture.relation or "")
        if relation is None or relation.external or relation.target in self._seen:
            return None, True
        self._seen.add(relation.target)
        lacking = self._reader.lacking
        found = self._reader.words(self._package.content(relation.target), relation.target)
        return found, self._reader.lacking == lacking

    def tell(self, builder: DocumentBuilder) -> None:
        """Note what was read of the pictures, and what was not."""
        self._reader.tell(builder, self.bare)


def pasted_pages(
    package: Package, main: str, content: bytes, settings: ReadSettings
) -> PastedPages | None:
    """Give what reads the pictures of a document that has little else; none for the others."""
    large = sum(
        is_worth_reading((int(wide) / _EMU_PER_POINT, int(high) / _EMU_PER_POINT), _PAGE)
        for wide, high in _EXTENT.findall(content)
    ) + len(_OLD_PICTURE.findall(content))
    if not large:
        return None
    chars = sum(len(text.decode("utf-8", "ignore").strip()) for text in _TEXT.findall(content))
    if not has_little_text(chars, large):
        return None
    return PastedPages(package, main, settings, bare=chars < FEW_CHARS)
