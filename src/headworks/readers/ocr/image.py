"""Pictures as documents: PNG, JPEG, TIFF (a page a frame), BMP.

Takes a path, gives a document whose pages are the recognised pictures, laid out like those of a
PDF. Never refuses a picture for want of an engine: its page is then told as not read.
"""

from pathlib import Path

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, Metadata, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.ocr.base import Refusal, find_recognizer, opener
from headworks.readers.ocr.budget import Budget
from headworks.readers.ocr.pages import Scanned, through
from headworks.readers.pdf.pages import PageContent
from headworks.readers.pdf.reader import write_pages
from headworks.readers.pdf.scans import merged, tell

_A4 = (595.0, 842.0)  # points: what a page is taken for that nothing here can open


def read_image(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a picture. Raises InputError (E_CORRUPT) or LimitError (E_TOO_LARGE)."""
    builder, budget = DocumentBuilder(source), Budget(settings.timeout_seconds)
    recognizer = find_recognizer(settings)
    if isinstance(recognizer, Refusal):
        contents, scanned = [_page(1, _A4)], Scanned([], {}, recognizer)
    else:
        with opener()(path, settings) as pictures:
            if len(pictures.sizes) > settings.max_pages:
                message = f"{len(pictures.sizes)} pages, the bound is {settings.max_pages}"
                raise LimitError("E_TOO_LARGE", message, place=source.name)
            contents = [_page(n, size) for n, size in enumerate(pictures.sizes, 1)]
            pages = range(1, len(contents) + 1)
            scanned = through(pictures.paint, pages, recognizer, settings, budget)
    if not contents:
        raise InputError("E_CORRUPT", "no picture in the file", place=source.name)
    builder.metadata = Metadata(pages=len(contents), more={})
    numbers = [content.page for content in contents]
    found, outcome = merged(contents, numbers, scanned)
    write_pages(builder, found, {}, outcome)
    tell(builder, outcome)
    return builder.finish()


def _page(number: int, size: tuple[float, float]) -> PageContent:
    return PageContent(number, *size, [], [], [], [], cover=1.0)
