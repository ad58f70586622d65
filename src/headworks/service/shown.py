"""The pages that a trace shows: the first ones of a PDF or a picture, without what was redacted.

Takes an original and a document's results, gives pictures as data addresses by page. Never gives a
page that something was taken out on, and never fails a document: no picture is no reason.
"""

import tempfile
from base64 import b64encode
from pathlib import Path

from headworks.assembly.boxes import boxes
from headworks.config import ReadSettings
from headworks.service.pictures import Pictures
from headworks.service.results import Results
from headworks.service.weights import format_of

_MOST = 30
SUFFIXES = {"pdf": ".pdf", "png": ".png", "jpeg": ".jpg", "tiff": ".tif", "bmp": ".bmp"}
_ADDRESS = "data:image/png;base64,"


def shown_pages(
    settings: ReadSettings, original: Path, media_type: str, results: Results
) -> dict[int, str]:
    """Give the first pages as data addresses."""
    suffix = SUFFIXES.get(format_of(media_type))
    if suffix is None:
        return {}
    pictures = Pictures(settings)
    with tempfile.TemporaryDirectory(prefix="headworks-pages-") as place:
        path = Path(place) / f"page{suffix}"  # the painter goes by it
        path.symlink_to(original.absolute())
        try:
            pictures.begin(path, _MOST)
            found = pictures.of(path)
        finally:
            pictures.close()
    if results.veil is not None:
        for box in boxes(results.kept.document, results.veil.hidden):
            found.pop(box.page, None)
    return {page: _ADDRESS + b64encode(picture).decode() for page, picture in found.items()}
