"""OFD pages that are pictures: put together from their images, recognised like a PDF's.

Takes the pages' contents and images, gives the contents with what was read. Never opens an image
before a page without text is met.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.readers.docx.package import Package
from headworks.readers.ocr.base import Refusal, find_recognizer, opener
from headworks.readers.ocr.budget import Budget
from headworks.readers.ocr.pages import LARGEST_PIXELS, Scanned, through
from headworks.readers.pdf.pages import LOGO_COVER, PageContent
from headworks.readers.pdf.rulings import Rectangle
from headworks.readers.pdf.scans import Outcome, merged

Image = tuple[str, Rectangle]  # its place in the package, its box in points


def with_scans(
    contents: list[PageContent],
    images: Mapping[int, Sequence[Image]],
    package: Package,
    settings: ReadSettings,
    budget: Budget,
) -> tuple[list[PageContent], Outcome]:
    """Give the pages with what recognition reads on those that are pictures."""
    pages = {
        content.page: content
        for content in contents
        if content.cover > LOGO_COVER and not (content.fragments or content.tables)
    }
    if not pages:
        return contents, Outcome()
    recognizer = find_recognizer(settings)
    if isinstance(recognizer, Refusal):
        return merged(contents, list(pages), Scanned([], {}, recognizer))

    def paint(page: int) -> tuple[Any, float]:
        return _painted(pages[page], images.get(page, ()), package, settings)

    return merged(contents, list(pages), through(paint, list(pages), recognizer, settings, budget))


def _painted(
    content: PageContent, images: Sequence[Image], package: Package, settings: ReadSettings
) -> tuple[Any, float]:
    """Give a page's pixels and their dots an inch."""
    import numpy as np  # with recognition only

    if not images:
        raise InputError("E_CORRUPT", "the picture is missing")
    scale = settings.ocr_dpi / 72
    if content.width * content.height * scale * scale > LARGEST_PIXELS:
        scale = (LARGEST_PIXELS / (content.width * content.height)) ** 0.5
    high, wide = round(content.height * scale), round(content.width * scale)
    canvas = np.full((high, wide, 3), 255, np.uint8)
    for place, (x0, y0, x1, y1) in images:
        left, top = round(x0 * scale), round(y0 * scale)
        size = round(x1 * scale) - left, round(y1 * scale) - top
        if min(size) < 1 or size[0] * size[1] > 4 * LARGEST_PIXELS:
            continue
        with opener()(BytesIO(package.content(place) or b""), settings) as pictures:
            pixels = np.asarray(pictures.picture(1).resize(size))[:, :, ::-1]
        above, before = max(0, -top), max(0, -left)
        room = canvas[max(0, top) : top + size[1], max(0, left) : left + size[0]]
        part = pixels[above : above + room.shape[0], before : before + room.shape[1]]
        room[: part.shape[0], : part.shape[1]] = part
    return canvas, 72 * scale
