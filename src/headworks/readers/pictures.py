"""Pictures in documents: which may be pages, and how what they say gets in their place.

Takes sizes and counts, gives yes or no; takes what a picture says, writes it into a document. Never
loads what recognises before a picture is to be read.
"""

from importlib import import_module
from typing import Any, Protocol

import msgspec

from headworks.config import ReadSettings
from headworks.model.document import PLAIN, Block, Document, Role
from headworks.model.place import Place
from headworks.readers.builder import DocumentBuilder

NO_TEXT = "[扫描件文本提取失败]"
FEW_CHARS = 10  # a picture page may carry a stamp of this many characters
LITTLE_TEXT = 400  # characters: with more, a page's pictures illustrate its text
PASTED_TEXT = 100  # characters for each picture: a manual has more beside its screenshots
LARGE_PICTURE = 0.15  # of the page

_READER = "headworks.readers.recognised:Recognised"


class PictureReader(Protocol):
    """Reads the pictures of one document, one after the other, within its bounds."""

    @property
    def lacking(self) -> int:
        """How many pictures could not be read so far."""

    def words(self, content: bytes | None, name: str) -> Document | None:
        """Give what a picture says; none where that is next to nothing, or it cannot be read."""

    def tell(self, builder: DocumentBuilder, bare: bool) -> None:
        """Note what was recognised, and what was not; ``bare`` where nothing else has text."""


def picture_reader(settings: ReadSettings) -> PictureReader:
    """Give what reads pictures: heavy, for documents that have some worth it."""
    module, _, name = _READER.partition(":")
    found: PictureReader = getattr(import_module(module), name)(settings)
    return found


def is_worth_reading(size: tuple[float, float] | None, page: tuple[float, float]) -> bool:
    """Tell whether a picture is large enough on its page to be one of a page."""
    return size is None or size[0] * size[1] >= LARGE_PICTURE * page[0] * page[1]


def has_little_text(chars: int, pictures: int) -> bool:
    """Tell whether so many large pictures hold more than a text of so many characters tells."""
    return chars < PASTED_TEXT * pictures


def put_words(words: Document, builder: DocumentBuilder, place: Place, role: Role) -> list[Block]:
    """Write what a picture says into the document that it is in; give the blocks."""
    added = []
    for block in words.blocks:
        look = msgspec.structs.replace(PLAIN, bold=block.style.bold, align=block.style.align)
        more: dict[str, Any] = {
            "style": look,
            "role": block.role if role == "body" else role,
            "confidence": block.confidence,
        }
        put: Block | None
        if block.table is None:
            text = words.slice(block.span)
            put = builder.paragraph(text, place, kind=block.kind, **more)
        else:
            table = block.table
            rows = [
                [words.slice(table.cell(row, column)) for column in range(table.columns)]
                for row in range(table.rows)
            ]
            grid = {"header_rows": table.header_rows, "merges": table.merges}
            put = builder.table(rows, place, grid=grid, **more)
        if put is not None:
            added.append(put)
    return added


def put_placeholder(builder: DocumentBuilder, place: Place, role: Role) -> Block | None:
    """Write what stands for a picture that holds the only text and could not be read."""
    return builder.paragraph(NO_TEXT, place, kind="figure", role=role, confidence=0.0)
