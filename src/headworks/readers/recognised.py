"""Pictures inside documents, recognised one by one.

Takes a picture's bytes, gives what it says as a small document of its own, to be put in its place.
Never reads a photograph; what was not read is told.
"""

from io import BytesIO

from headworks.config import ReadSettings
from headworks.errors import HeadworksError
from headworks.model.document import Document, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.ocr.base import Refusal, find_recognizer, opener
from headworks.readers.ocr.budget import Budget
from headworks.readers.ocr.pages import Scanned, through
from headworks.readers.ocr.printed import looks_printed
from headworks.readers.pdf.pages import PageContent
from headworks.readers.pdf.reader import write_pages
from headworks.readers.pdf.scans import DOUBTFUL, LEAST_WORDS, Outcome, is_doubtful, merged

_PAINTED = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"BM")
_LOOK_PIXELS = 900  # a picture is looked at in this size before it is read


class Recognised:
    """Reads the pictures of one document, one after the other, within its bounds."""

    def __init__(self, settings: ReadSettings) -> None:
        self._settings = settings
        self._budget = Budget(settings.timeout_seconds)
        self._tried = 0
        self.engine = ""
        self.read_names: list[str] = []
        self.failed: dict[str, str] = {}
        self.unfit: dict[str, str] = {}  # drawings, mostly: they matter where there is no text
        self.doubtful = 0
        self.covered = 0

    @property
    def lacking(self) -> int:
        """How many pictures could not be read so far."""
        return len(self.failed) + len(self.unfit)

    def words(self, content: bytes | None, name: str) -> Document | None:
        """Give what a picture says; none where that is next to nothing, or it cannot be read."""
        if content is None:
            self.failed[name] = "the picture is missing"
            return None
        if not content.startswith(_PAINTED):
            self.unfit[name] = "a picture of a kind that is not recognised"
            return None
        recognizer = find_recognizer(self._settings)
        if isinstance(recognizer, Refusal):
            self.failed[name] = recognizer.why
            return None
        if self._tried >= self._settings.ocr_pages:
            self.failed[name] = f"not recognised: the bound is {self._settings.ocr_pages} pages"
            return None
        try:
            with opener()(BytesIO(content), self._settings) as pictures:
                small = pictures.picture(1).convert("L")
                small.thumbnail((_LOOK_PIXELS, _LOOK_PIXELS))
                if not looks_printed(small.tobytes()):
                    return None
                self._tried += 1
                scanned = through(pictures.paint, [1], recognizer, self._settings, self._budget)
                return self._written(scanned, pictures.sizes[0], name)
        except HeadworksError as fault:
            self.failed[name] = fault.message or fault.code
            return None

    def _written(self, scanned: Scanned, size: tuple[float, float], name: str) -> Document | None:
        page = PageContent(1, *size, [], [], [], [], cover=1.0)
        found, outcome = merged([page], [1], scanned)
        if scanned.failed:
            self.failed[name] = scanned.failed[1]
            return None
        lines = [line for _, scan in outcome.read for line in scan.lines]
        if sum(len(line.text) for line in lines if line.score >= DOUBTFUL) < LEAST_WORDS:
            return None
        self.engine = outcome.engine
        self.read_names.append(name)
        self.doubtful += sum(is_doubtful(line.score, line.covered) for line in lines)
        self.covered += sum(line.covered for line in lines)
        builder = DocumentBuilder(Source("", name, "", 0))
        write_pages(builder, found, {}, Outcome(read=outcome.read, engine=outcome.engine))
        return builder.finish()

    def tell(self, builder: DocumentBuilder, bare: bool) -> None:
        """Note what was recognised, and what was not; ``bare`` where nothing else has text."""
        if self.read_names:
            builder.metadata.more["recognised_pictures"] = self.read_names
            builder.metadata.more["recogniser"] = self.engine
            builder.lost(doubtful_lines=self.doubtful, covered_lines=self.covered)
        if self.doubtful or self.covered:
            message = f"{self.doubtful} lines in pictures are doubtful"
            message += f", {self.covered} under a seal" if self.covered else ""
            builder.problem("W_OCR", message, place=self.read_names[0])
        self._tell_failed(builder, bare)

    def _tell_failed(self, builder: DocumentBuilder, bare: bool) -> None:
        """Tell each reason once, where it matters."""
        off = self._settings.ocr == "off"
        reasons: dict[str, list[str]] = {}
        for name, why in (self.failed | self.unfit if bare else self.failed).items():
            reasons.setdefault(why, []).append(name)
        for why, names in reasons.items():
            place = names[0] if len(names) == 1 else f"{len(names)} pictures"
            if bare:
                code = "W_NO_TEXT" if off else "E_OCR"
                builder.problem(code, f"a picture and no text: {why}", place=place)
            elif not off:
                builder.problem("E_OCR", f"a picture beside text: {why}", place=place)
