"""One document, the whole way: read, judged, turned into files, written.

Takes an input and what the run is about, gives a small result that crosses between processes. Never
raises for a fault of the document or of a stage: it is the result.
"""

import errno
import gc
import os
import traceback
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import msgspec

from headworks.assembly import kept, records
from headworks.assembly.boxes import boxes
from headworks.assembly.formats import leaving
from headworks.assembly.kept import KEPT_FILE
from headworks.assembly.passages import chunk_records
from headworks.assembly.report import report
from headworks.assembly.shapes import ChunkRecord, DoneRecord, FailedRecord
from headworks.assembly.summary import Tally, tally
from headworks.config import Settings
from headworks.errors import (
    FaultError,
    HeadworksError,
    InputError,
    StorageError,
    user_language,
)
from headworks.model.document import Document
from headworks.pipeline import Outcome, process
from headworks.privacy.veil import Veil, veil_over
from headworks.readers.sandbox import Sandbox, error_of
from headworks.rules.book import RuleBook, load
from headworks.service import output, vaults
from headworks.service.inputs import Input
from headworks.service.pictures import Pictures
from headworks.structure.across import Key, Offer, asks, offered

# More rows than a terminal shows at a time are no use to it.
_MOST_ROWS = 200
_MOST_NOTES = 3
_COLLECT_EVERY = 8


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is about, beside the inputs. With ``deliver`` a document is kept for assembly."""

    out: Path
    settings: Settings
    jobs: int = 1
    reproducible: bool = False
    report: bool = True
    report_pages: int = 30
    vault: Path | None = None
    deliver: bool = False


class Row(msgspec.Struct, frozen=True):
    """A chunk as the terminal's table shows it."""

    ordinal: int
    heading: str
    kind: str
    place: str
    chars: int
    tags: tuple[str, ...]
    route: str
    skipped: bool
    review: bool = False


class Done(msgspec.Struct, frozen=True):
    """A document that was processed and written.

    ``notes`` are code and words of its first warnings, with tokens for what is redacted.

    ``offer`` is what other files may refer to where it is an attachment, ``asks`` are those that
    it refers to and does not hold.
    """

    record: DoneRecord
    tally: Tally
    rows: tuple[Row, ...]
    offer: Offer | None = None
    asks: tuple[Key, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


class Failed(msgspec.Struct, frozen=True):
    """A document that was not. ``detail`` is a traceback where headworks itself is at fault."""

    record: FailedRecord
    detail: str = ""


Result = Done | Failed


class Workshop:
    """What is kept from one document to the next: the reading child, the rules, the painter."""

    def __init__(
        self,
        options: RunOptions,
        book: RuleBook | None = None,
        first: Path | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        """Start the children for the first input, load the packs while they prepare.

        ``sandbox`` is a reading child that was started already.
        """
        settings = options.settings
        self.options = options
        self._count = 0
        self.pictures = Pictures(settings.read)
        self.sandbox = sandbox or Sandbox(settings.read, expect=first)
        self.sandbox.change(settings.read)
        self.sandbox.start()
        if first is not None and options.report:
            self.pictures.begin(first, options.report_pages)
        spare_the_collector()
        try:
            self.book = book or load(settings.rules.packs, settings.rules)
        except HeadworksError:
            self.close()
            raise

    def close(self) -> None:
        """End the children; let the collector run again."""
        self.sandbox.close()
        self.pictures.close()
        gc.unfreeze()
        gc.enable()

    def work(self, entry: Input) -> Result:
        """Process and write one input."""
        self._count += 1
        if self._count % _COLLECT_EVERY == 0:
            gc.collect()
        try:
            return self._worked(entry)
        except HeadworksError as fault:
            failed = Failed(_failure(entry, fault))
        except Exception as fault:
            where = traceback.extract_tb(fault.__traceback__)[-1]
            message = f"{type(fault).__name__} at {Path(where.filename).name}:{where.lineno}"
            own = FaultError("E_FAULT", message, place=entry.path.name)
            failed = Failed(_failure(entry, own), traceback.format_exc())
        self.pictures.drop()
        output.remove_folder(self.options.out, entry.folder)
        return failed

    def _worked(self, entry: Input) -> Done:
        options = self.options
        if entry.failure is not None:
            raise error_of(entry.failure)
        _refuse_devices(entry)
        if options.report:
            self.pictures.begin(entry.path, options.report_pages)
        outcome = process(entry.path, self.sandbox.read, options.settings, self.book)
        began = perf_counter()
        veil = veil_over(outcome.document, outcome.verdicts)
        chunks = chunk_records(
            outcome.document,
            outcome.chunks,
            outcome.verdicts,
            (options.settings.chunk.context_chars, options.settings.chunk.parent_chars),
            veil,
        )
        files = self._files(entry, outcome, chunks, veil)
        if options.vault is not None:
            vaults.keep(options.vault, outcome.document, veil, options.settings.rules.redaction)
        output.write_folder(options.out, entry.folder, files)
        timings = {**outcome.timings, "write": perf_counter() - began}
        return Done(
            _done(entry, outcome, timings),
            tally(outcome.verdicts),
            tuple(_rows(chunks[:_MOST_ROWS])),
            offered(outcome.document),
            asks(outcome.document),
            _notes(outcome.document, veil),
        )

    def _files(
        self, entry: Input, outcome: Outcome, chunks: list[ChunkRecord], veil: Veil | None
    ) -> Iterator[tuple[str, bytes]]:
        """Give the files one after the other: of a giant sheet each takes its megabytes."""
        options, document = self.options, outcome.document
        record = records.document_record(
            document,
            outcome.ledger,
            records.versions_record(options.settings.fingerprint(), self.book.versions),
            chunks=len(chunks),
            timings=None if options.reproducible else outcome.timings,
        )
        ledger = records.ledger_records(document, outcome.ledger)
        yield "document.json", records.encode(record)
        yield "text.txt", document.text.encode("utf-8", "replace")
        yield "chunks.jsonl", records.encode_lines(chunks)
        yield "ledger.jsonl", records.encode_lines(ledger)
        if options.deliver:
            yield KEPT_FILE, kept.encode(document, outcome.cut)
        if options.report:
            pictures = self.pictures.of(entry.path)
            if veil is not None:
                # A picture of a page shows what is redacted on it: only its boxes are shown.
                for box in boxes(document, veil.hidden):
                    pictures.pop(box.page, None)
            page = report(record, chunks, ledger, document.page_sizes, pictures, veil)
            yield "report.html", page


def spare_the_collector() -> None:
    """Let the collector of cycles run between documents only: walking large ones is slow."""
    gc.disable()
    gc.freeze()


def _refuse_devices(entry: Input) -> None:
    """A pipe or a device never ends: it is no document, whatever its name."""
    if os.path.isdir(entry.path) and not os.access(entry.path, os.R_OK | os.X_OK):
        raise StorageError("E_IO", os.strerror(errno.EACCES), place=entry.path.name)
    if os.path.exists(entry.path) and not os.path.isfile(entry.path):
        raise InputError("E_TYPE", "not a regular file", place=entry.path.name)


def _notes(document: Document, veil: Veil | None) -> tuple[tuple[str, str], ...]:
    """Give the first warnings: a hidden sheet is worth knowing before the report is opened."""
    return tuple(
        (one.code, veil.words(one.message) if veil is not None else one.message)
        for one in document.problems[:_MOST_NOTES]
    )


def _rows(chunks: list[ChunkRecord]) -> list[Row]:
    return [
        Row(
            ordinal=chunk.ordinal,
            heading=chunk.heading_path[-1] if chunk.heading_path else _beginning(leaving(chunk)),
            kind=chunk.kind,
            place=chunk.cells or _pages(chunk.pages),
            chars=chunk.chars,
            tags=tuple(chunk.tags),
            route=chunk.route.pipeline,
            skipped=chunk.skipped is not None,
            review=chunk.review is not None,
        )
        for chunk in chunks
    ]


def _beginning(text: str) -> str:
    return " ".join(text[:80].split())


def _pages(numbers: list[int]) -> str:
    if not numbers:
        return ""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _done(entry: Input, outcome: Outcome, timings: dict[str, float]) -> DoneRecord:
    document = outcome.document
    return DoneRecord(
        name=document.source.name,
        path=entry.shown,
        folder=entry.folder,
        sha256=document.source.sha256,
        media_type=document.source.media_type,
        pages=document.metadata.pages,
        chars=len(document.text),
        chunks=len(outcome.chunks),
        skipped=sum(verdict.skip is not None for verdict in outcome.verdicts),
        warnings=len(document.problems),
        profile=document.profile.name if document.profile else None,
        timings={stage: round(seconds, 6) for stage, seconds in timings.items()},
    )


def _failure(entry: Input, fault: HeadworksError) -> FailedRecord:
    zh = user_language() == "zh"
    return FailedRecord(
        name=Path(entry.shown).name,
        path=entry.shown,
        code=fault.code,
        message=fault.message,
        place=fault.place.removeprefix(entry.path.name).strip(),
        hint=fault.entry.hint_zh if zh else fault.entry.hint_en,
    )
