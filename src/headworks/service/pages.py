"""A page of a document as a picture, with what rules took out of it painted black.

Takes a document's row and a page, gives PNG. Never paints in this process: a bounded child does,
two at most at a time.
"""

import asyncio
import re
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

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
_MOST_KNOWN = 16
_REDACTED = re.compile(rb'"redactions"\s*:\s*\[\s*\{')


class _Marked(msgspec.Struct, frozen=True):
    """What of a chunk's record tells where it was redacted."""

    redactions: list[RedactionRecord] = []


class Painters:
    """Painting children, kept from one page to the next."""

    def __init__(self, settings: ReadSettings) -> None:
        self._children = [Pictures(settings) for _ in range(_AT_ONCE)]
        self.covers = Covers()
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
    covers = [] if wanted.whole else await painters.covers.of(shop, row, wanted.number)
    async with shop.blobs.open_original(row.sha256) as path:
        return await painters.paint(path, wanted.number, wanted.dots_per_inch, covers)


class Wanted(msgspec.Struct, frozen=True):
    """Which page at which size; ``whole`` hides nothing on it."""

    number: int
    dots_per_inch: int
    whole: bool = False


class Covers:
    """Where documents were redacted, and what that is on their pages; the last few are kept."""

    def __init__(self) -> None:
        self._spans: OrderedDict[tuple[str, int], list[Span]] = OrderedDict()
        self._boxes: OrderedDict[tuple[str, int], dict[int, list[Cover]]] = OrderedDict()

    async def any(self, shop: Shop, document: str, fence: int) -> bool:
        """Tell whether rules took anything out of a result."""
        return bool(await self._redacted(shop, document, fence))

    async def of(self, shop: Shop, row: DocumentRow, number: int) -> list[Cover]:
        """Give the boxes of a page that are painted black."""
        key = (row.id, row.fence)
        spans = await self._redacted(shop, *key)
        if not spans:
            return []
        if key not in self._boxes:
            packed = await shop.blobs.read(*key, READ_FILE)
            # A long document takes its time.
            _keep(self._boxes, key, await asyncio.to_thread(_boxes, packed, spans))
        return self._boxes[key].get(number, [])

    async def _redacted(self, shop: Shop, document: str, fence: int) -> list[Span]:
        key = (document, fence)
        if key not in self._spans:
            spans = await _redacted(shop, document, fence)
            _keep(self._spans, key, sorted(spans, key=lambda span: span.start))
        return self._spans[key]


Held = TypeVar("Held")


def _keep(held: OrderedDict[tuple[str, int], Held], key: tuple[str, int], found: Held) -> None:
    held[key] = found
    while len(held) > _MOST_KNOWN:
        held.popitem(last=False)


async def _redacted(shop: Shop, document: str, fence: int) -> set[Span]:
    """Give what was taken out of a document's chunks, a line at a time."""
    decoder, rest = msgspec.json.Decoder(_Marked), b""
    spans: set[Span] = set()
    async for piece in shop.blobs.stream(document, fence, "chunks.jsonl"):
        *lines, rest = (rest + piece).split(b"\n")
        for line in filter(_REDACTED.search, lines):
            found = decoder.decode(line).redactions
            spans.update(Span(redaction.start, redaction.end) for redaction in found)
    return spans


def _boxes(packed: bytes, spans: Sequence[Span]) -> dict[int, list[Cover]]:
    document = codec.decode(zlib.decompress(packed))
    covers: dict[int, list[Cover]] = {}
    for box in boxes(document, spans):
        covers.setdefault(box.page, []).append((box.page, box.x0, box.y0, box.x1, box.y1))
    return covers
