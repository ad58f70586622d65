"""``report.html`` of a document that the service processes, with its first pages as pictures.

Takes a task and what came of it, gives the page. A child paints while the document is read; never
gives the picture of a page that something was taken out on: its boxes alone are shown.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from headworks.assembly.boxes import boxes
from headworks.assembly.report import report
from headworks.assembly.shapes import ChunkRecord, DocumentRecord, LedgerRecord
from headworks.model.document import Document
from headworks.privacy.veil import Veil
from headworks.service.pictures import Pictures
from headworks.service.shown import SUFFIXES
from headworks.service.tasks import Task
from headworks.service.weights import format_of

REPORT_FILE = "report.html"
_PLACE = ".pages"


class Reports:
    """The painter of a worker process, kept from one document to the next."""

    def __init__(self) -> None:
        self._pictures: Pictures | None = None
        self._path: Path | None = None

    @contextlib.contextmanager
    def begun(self, task: Task) -> Iterator[None]:
        """Have the first pages painted as long as the task is worked on."""
        service = task.settings.service
        suffix = SUFFIXES.get(format_of(task.media_type))
        if suffix is None or not service.report or service.report_pages < 1:
            yield
            return
        if self._pictures is None:
            self._pictures = Pictures(task.settings.read)
        place = Path(task.folder) / _PLACE
        place.mkdir()
        self._path = place / f"page{suffix}"  # the painter goes by it
        self._path.symlink_to(Path(task.path).absolute())
        self._pictures.begin(self._path, service.report_pages)
        try:
            yield
        finally:
            self._pictures.drop()
            self._path.unlink(missing_ok=True)
            place.rmdir()
            self._path = None

    def page(
        self,
        document: Document,
        record: DocumentRecord,
        chunks: Sequence[ChunkRecord],
        ledger: Sequence[LedgerRecord],
        veil: Veil | None,
    ) -> bytes:
        """Give the page."""
        pictures: dict[int, bytes] = {}
        if self._pictures is not None and self._path is not None:
            pictures = self._pictures.of(self._path)
        if veil is not None:
            for box in boxes(document, veil.hidden):
                pictures.pop(box.page, None)
        return report(record, chunks, ledger, document.page_sizes, pictures, veil)
