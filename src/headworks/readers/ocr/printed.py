"""Which pictures beside text may show a printed page, told before any is recognised.

Takes a file and the places of pictures on its pages, gives the pages on which one is mostly even
ground, as paper and screens are and photographs are not. Never reads a character.
"""

import zlib
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import pypdfium2 as pdfium

from headworks.config import ReadSettings

BATCH = 40  # pages painted before the file is opened anew: pdfium keeps their pictures
GRAINY = 0.32  # printed pages pack to 0.05–0.2 of their bytes, photographs and noise to more
_STEPS = bytes(value // 16 for value in range(256))

Place = tuple[float, float, float, float]


def printed_pages(
    path: Path, places: Mapping[int, Sequence[Place]], settings: ReadSettings
) -> list[int]:
    """Give the pages (from 1) of which a picture may hold text; places in points."""
    found: list[int] = []
    pages = iter(places)
    while batch := list(islice(pages, BATCH)):
        with pdfium.PdfDocument(path, password=settings.password) as document:
            found.extend(page for page in batch if _is_printed(document, page, places[page]))
    return found


def _is_printed(document: pdfium.PdfDocument, number: int, places: Sequence[Place]) -> bool:
    page = document[number - 1]
    try:
        bitmap = page.render(scale=1, grayscale=True)
        try:
            pixels, stride = bytes(bitmap.buffer), bitmap.stride
            wide, high = bitmap.width, bitmap.height
        finally:
            bitmap.close()
    finally:
        page.close()
    for x0, y0, x1, y1 in places:
        left, right = max(0, int(x0)), min(wide, int(x1))
        rows = range(max(0, int(y0)), min(high, int(y1)))
        ink = b"".join(pixels[y * stride + left : y * stride + right] for y in rows)
        if looks_printed(ink):
            return True
    return False


def looks_printed(grey: bytes) -> bool:
    """Tell whether a picture, a byte a pixel, is mostly even ground."""
    return len(zlib.compress(grey.translate(_STEPS), 1)) <= GRAINY * len(grey) and bool(grey)
