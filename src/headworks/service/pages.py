"""A page of a document as a picture, with what rules took out of it painted black.

Takes a document's row and a page, gives PNG. Never paints in this process: a bounded child does,
two at most at a time.
"""

import asyncio
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from headworks.assembly.boxes import boxes
from headworks.assembly.shapes import RedactionRecord
from headworks.config import ReadSettings
from headworks.model import codec
from headworks.model.place import Span
from headworks.service.pictures import Cover, Pictures
from headworks.service.shop import Shop
from headworks.service.tasks import READ_FILE
from headworks.store.documents import DocumentRow

_AT_ONCE = 2


class _Marked(msgspec.Struct, frozen=True):
    """What of a chunk's record tells where it was redacted."""

    redactions: list[RedactionRecord] = []


class Painters:
    """Painting children, kept from one page to the next."""

    def __init__(self, settings: ReadSettings) -> None:
        self._children = [Pictures(settings) for _ in range(_AT_ONCE)]
        self._free = asyncio.Semaphore(_AT_ONCE)
        self._idle = list(self._children)

    async def paint(
        self, path: Path, number: int, dots_per_inch: int, covers: Sequence[Cover]
    ) -> bytes | None:
        """Give the picture of a page, none where there is none."""
        async with self._free:
            child = self._idle.pop()
            try:
                return await asyncio.to_thread(child.page, path, number, dots_per_inch, covers)
            finally:
                self._idle.append(child)

    async def close(self) -> None:
        """End the children."""
        for child in self._children:
            await asyncio.to_thread(child.close)


async def page_picture(
    shop: Shop, painters: Painters, row: DocumentRow, wanted: "Wanted"
) -> bytes | None:
    """Give the picture of a page, none where there is none."""
    covers = [] if wanted.whole else await _covers(shop, row, wanted.number)
    async with shop.blobs.open_original(row.sha256) as path:
        return await painters.paint(path, wanted.number, wanted.dots_per_inch, covers)


class Wanted(msgspec.Struct, frozen=True):
    """Which page at which size; ``whole`` hides nothing on it."""

    number: int
    dots_per_inch: int
    whole: bool = False


async def _covers(shop: Shop, row: DocumentRow, number: int) -> list[Cover]:
    """Give the boxes of a page that are painted black."""
    lines = (await shop.blobs.read(row.id, row.fence, "chunks.jsonl")).splitlines()
    decoder = msgspec.json.Decoder(_Marked)
    spans = sorted(
        {
            Span(redaction.start, redaction.end)
            for line in lines
            for redaction in decoder.decode(line).redactions
        },
        key=lambda span: span.start,
    )
    if not spans:
        return []
    packed = await shop.blobs.read(row.id, row.fence, READ_FILE)
    document = codec.decode(zlib.decompress(packed))
    found = (box for box in boxes(document, spans) if box.page == number)
    return [(box.page, box.x0, box.y0, box.x1, box.y1) for box in found]
