"""PDF pages that are pictures: painted, recognised, put back as content like any other page's.

Takes a file and the pages to read, gives their content or why there is none. Never reads more
pages than the time that is left allows: what it cannot reach is told.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2 as pdfium

from headworks.config import ReadSettings
from headworks.readers import progress
from headworks.readers.ocr.base import Recognizer, Refusal, find_recognizer, scanner
from headworks.readers.ocr.budget import Budget

LARGEST_PIXELS = 9_000_000  # A3 at 200 dots an inch; pages that claim to be larger get fewer


class Scanned(msgspec.Struct, frozen=True):
    """What became of the pages: scans with their points a pixel, and reasons by page."""

    scans: list[tuple[int, Any, float]]
    failed: dict[int, str]
    refused: Refusal | None = None
    engine: str = ""


def recognise(path: Path, pages: Sequence[int], settings: ReadSettings, budget: Budget) -> Scanned:
    """Recognise pages (numbered from 1) of a PDF."""
    found = find_recognizer(settings)
    if isinstance(found, Refusal):
        return Scanned([], {}, found)
    with pdfium.PdfDocument(path, password=settings.password) as document:

        def paint(page: int) -> tuple[Any, float]:
            return _painted(document, page - 1, settings.ocr_dpi)

        return through(paint, pages, found, settings, budget)


def through(
    paint: Callable[[int], tuple[Any, float]],
    pages: Sequence[int],
    recognizer: Recognizer,
    settings: ReadSettings,
    budget: Budget,
) -> Scanned:
    """Recognise pictures one by one; ``paint`` gives a page's pixels and its dots an inch."""
    scan = scanner()
    scans: list[tuple[int, Any, float]] = []
    failed: dict[int, str] = {}
    for place, page in enumerate(pages):
        progress.page("ocr", place + 1, len(pages))
        if place >= settings.ocr_pages:
            failed[page] = f"not recognised: the bound is {settings.ocr_pages} pages"
        elif not budget.allows():
            failed[page] = "not recognised: the time bound is near"
        else:
            with budget.step():
                try:
                    pixels, dpi = paint(page)
                    scans.append((page, scan(pixels, recognizer, dpi), 72 / dpi))
                except Exception as fault:  # one page that an engine chokes on, not the document
                    failed[page] = _reason(fault)
    return Scanned(scans, failed, None, recognizer.name)


def _reason(fault: Exception) -> str:
    if isinstance(fault, MemoryError) or "alloc" in str(fault):
        return "recognition failed: too little memory, see [read] memory_bytes"
    return f"recognition failed: {type(fault).__name__}"


def _painted(document: pdfium.PdfDocument, index: int, dpi: int) -> tuple[Any, float]:
    """Give a page's pixels and the dots an inch they came out in."""
    page = document[index]
    try:
        wide, high = page.get_size()
        scale = dpi / 72
        if wide * high * scale * scale > LARGEST_PIXELS:
            scale = (LARGEST_PIXELS / (wide * high)) ** 0.5
        bitmap = page.render(scale=scale)
        try:
            return _in_colour(bitmap.to_numpy()), 72 * scale
        finally:
            bitmap.close()
    finally:
        page.close()


def _in_colour(pixels: Any) -> Any:
    """Give three channels, in memory of their own."""
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return pixels.reshape(*pixels.shape[:2], 1).repeat(3, axis=2)
    return pixels[:, :, :3].copy()
