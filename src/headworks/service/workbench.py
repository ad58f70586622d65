"""A worker process: takes tasks from its pipe one after the other, tells how far it is.

Takes framed tasks on standard input, gives framed messages on what was standard output and files
in the task's folder. Never opens the database, never outlives the process that started it.
"""

import contextlib
import os
import queue
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path
from time import perf_counter

import msgspec

from headworks.assembly import kept, records
from headworks.assembly.passages import chunk_records
from headworks.assembly.shapes import ChunkRecord, DocumentRecord, LedgerRecord
from headworks.assembly.summary import tally
from headworks.config import ReadSettings, Settings
from headworks.errors import HeadworksError
from headworks.model import codec
from headworks.model.document import Document
from headworks.model.problem import Problem
from headworks.pipeline import Outcome
from headworks.privacy.veil import veil_over
from headworks.readers.frames import Member, read_frame, take_pipes, write_frame
from headworks.readers.sandbox import Sandbox
from headworks.service.containers import is_archive, may_hold
from headworks.service.one import spare_the_collector
from headworks.service.packs import versions_of
from headworks.service.reporting import REPORT_FILE, Reports
from headworks.service.tasks import (
    INPUT_FOLDER,
    MEMBERS_FOLDER,
    READ_FILE,
    TELL,
    ChunkMade,
    Finished,
    Refused,
    Stage,
    Task,
    Told,
    Way,
)
from headworks.service.ways import Arrived, through

_LARGEST_TASK = 64 << 20
_MOST_MEMORY = 3  # of the reading child's bound: the text, its layers, the records
_COLLECT_EVERY = 8
_READING_SHARE = 0.9
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9
_DEGRADED = {
    "no_ocr": "recognition was out of order: pictures were not read",
    "plain": "the structure could not be found: cut at 1,000 characters",
    "core": "a rule pack failed: judged by the core rules alone",
}
# What a reader's failure says of the reader, not of the file.
_READER_AT_FAULT = frozenset({"E_READER", "E_TIMEOUT", "E_MEMORY"})
_MAY_HELP = frozenset({"E_READER", "E_MEMORY", "E_IO"})


class Workbench:
    """One worker's tools: the reading child and what it has told."""

    def __init__(self, replies: FileIO) -> None:
        self._replies = replies
        self._sandbox: Sandbox | None = None
        self._stage = ""
        self._in_ocr = False
        self._recognised = False
        self._reports = Reports()

    def work(self, task: Task) -> Finished | Refused:
        """Do a task; every fault is an answer."""
        self._stage, self._in_ocr, self._recognised = "read", False, False
        try:
            with self._reports.begun(task):
                return self._worked(task)
        except HeadworksError as fault:
            return self._refused(fault.code, fault.message, fault.place)
        except MemoryError:
            return self._refused("E_MEMORY", "", task.name)
        except OSError as fault:
            return self._refused("E_IO", fault.strerror or type(fault).__name__, task.name)
        except Exception as fault:
            trace = fault.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            where = "" if trace is None else f"{trace.tb_frame.f_globals.get('__name__', '?')}:"
            line = 0 if trace is None else trace.tb_lineno
            message = f"{type(fault).__name__} at {where}{line}"
            return self._refused("E_FAULT", message, task.name)

    def tell(self, told: Told) -> None:
        """Send a message to the service."""
        write_frame(self._replies, TELL, msgspec.msgpack.encode(told))

    def _refused(self, code: str, message: str, place: str) -> Refused:
        outcomes: dict[str, bool] = {}
        if self._stage == "read" and code in _READER_AT_FAULT:
            outcomes = {"ocr" if self._in_ocr else "reader": False}
        return Refused(
            code=code, message=message, place=place, stage=self._stage,
            outcomes=outcomes, again=code in _MAY_HELP,
        )  # fmt: skip

    def _worked(self, task: Task) -> Finished:
        folder, settings = Path(task.folder), _settings(task)
        timings: dict[str, float] = {}
        members: list[Member] = []
        began = perf_counter()
        self._enter("read")
        if task.parsed:
            document = codec.decode(zlib.decompress(Path(task.parsed).read_bytes()))
        else:
            with _under_its_name(task) as path:
                members = self._members(path, folder, settings.read)
                if members and is_archive(path):
                    return _archive(members)
                document = self._read(path, settings.read)
            document = _named(document, task)
        timings["read"] = perf_counter() - began
        outcomes = {} if task.parsed else self._reading(document)
        arrived = through(document, settings, task.packs, task.ways, self._enter)
        timings.update(arrived.outcome.timings)
        began = perf_counter()
        self._enter("write")
        ways = _ways(task, arrived, document)
        chunks = self._written(folder, task, (document, arrived.outcome), ways)
        timings["write"] = perf_counter() - began
        for chunk in chunks:
            self.tell(_made(chunk))
        done = _finished(arrived.outcome, chunks)
        return msgspec.structs.replace(
            done, timings=timings, ways=ways, members=tuple(members),
            versions=versions_of(task.packs),
            outcomes={**outcomes, **arrived.outcomes},
        )  # fmt: skip

    def _enter(self, stage: str) -> None:
        self._stage = stage
        self.tell(Stage(stage))

    def _page(self, stage: str, page: int, of: int) -> None:
        self._in_ocr = stage == "ocr"
        self.tell(Stage(stage, page, of))

    def _members(self, path: Path, folder: Path, settings: ReadSettings) -> list[Member]:
        if not may_hold(path):
            return []
        place = folder / MEMBERS_FOLDER
        place.mkdir()
        return self._reader(settings).unpack(path, place)

    def _read(self, path: Path, settings: ReadSettings) -> Document:
        sandbox = self._reader(settings)
        sandbox.ask(path)
        return sandbox.answer(self._page)

    def _reader(self, settings: ReadSettings) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = Sandbox(settings)
        self._sandbox.change(settings)
        self._sandbox.start()
        return self._sandbox

    def _reading(self, document: Document) -> dict[str, bool]:
        """Tell whether the reader, and recognition where it was needed, did their work."""
        outcomes = {"reader": True}
        failed = any(
            problem.code == "E_OCR" and "recognition failed" in problem.message
            for problem in document.problems
        )
        if failed or "recognised_pages" in document.metadata.more:
            outcomes["ocr"] = not failed
        return outcomes

    def _written(
        self, folder: Path, task: Task, made: tuple[Document, Outcome], ways: tuple[Way, ...]
    ) -> list[ChunkRecord]:
        read, outcome = made
        told = tuple(Problem("W_DEGRADED", _DEGRADED[way], way) for way in ways)
        document = msgspec.structs.replace(
            outcome.document, problems=outcome.document.problems + told
        )
        outcome = msgspec.structs.replace(outcome, document=document)
        lengths = task.settings.chunk.context_chars, task.settings.chunk.parent_chars
        veil = veil_over(document, outcome.verdicts)
        chunks = chunk_records(document, outcome.chunks, outcome.verdicts, lengths, veil)
        if "core" in ways:
            chunks = [_marked(chunk, _DEGRADED["core"]) for chunk in chunks]
        record, ledger = _records(task, outcome, len(chunks), ways)
        _put(folder, _files(task, (read, outcome), chunks, (record, ledger)))
        if task.settings.service.report:
            page = self._reports.page(outcome.document, record, chunks, ledger, veil)
            _put(folder, [(REPORT_FILE, page)])
        return chunks


def _records(
    task: Task, outcome: Outcome, chunks: int, ways: tuple[Way, ...]
) -> tuple[DocumentRecord, list[LedgerRecord]]:
    """Give the records of a result, no timings in them: equal work gives equal bytes."""
    document = outcome.document
    record = records.document_record(
        document,
        outcome.ledger,
        records.versions_record(task.settings.fingerprint(), versions_of(task.packs)),
        chunks=chunks,
    )
    if ways:
        record = msgspec.structs.replace(record, degraded=list(ways))
    return record, records.ledger_records(document, outcome.ledger)


def _files(
    task: Task,
    made: tuple[Document, Outcome],
    chunks: list[ChunkRecord],
    told: tuple[DocumentRecord, list[LedgerRecord]],
) -> Iterator[tuple[str, bytes]]:
    """Give the files of a result one after the other."""
    read, outcome = made
    document = outcome.document
    record, ledger = told
    yield "document.json", records.encode(record)
    yield "text.txt", document.text.encode("utf-8", "replace")
    yield "chunks.jsonl", records.encode_lines(chunks)
    yield "ledger.jsonl", records.encode_lines(ledger)
    yield kept.KEPT_FILE, kept.encode(document, outcome.cut or len(outcome.chunks))
    if task.parsed:
        yield READ_FILE, Path(task.parsed).read_bytes()
    else:
        yield READ_FILE, zlib.compress(codec.encode(read), 1)


def _settings(task: Task) -> Settings:
    """Give the settings to work by: reading leaves some of the document's time to the rest."""
    read = task.settings.read
    seconds = min(read.timeout_seconds, _READING_SHARE * task.seconds)
    ocr = "off" if "no_ocr" in task.ways else read.ocr
    read = msgspec.structs.replace(read, timeout_seconds=seconds, ocr=ocr)
    return msgspec.structs.replace(task.settings, read=read)


def _ways(task: Task, arrived: Arrived, document: Document) -> tuple[Way, ...]:
    """Give the ways that made a difference: without pictures none misses recognition."""
    missed = "no_ocr" in task.ways and bool(document.lost.picture_only_pages)
    first: tuple[Way, ...] = ("no_ocr",) if missed else ()
    return first + arrived.ways


@contextlib.contextmanager
def _under_its_name(task: Task) -> Iterator[Path]:
    """Give the original under the name it was sent with: kinds of text go by their suffix."""
    place = Path(task.folder) / INPUT_FOLDER
    place.mkdir(parents=True, exist_ok=True)
    link = place / _short(task.name)
    with contextlib.suppress(FileNotFoundError):
        link.unlink()
    link.symlink_to(Path(task.path).absolute())
    try:
        yield link
    finally:
        link.unlink(missing_ok=True)
        place.rmdir()


def _short(name: str) -> str:
    """Give a name that any file system takes, with its suffix."""
    bare = name.replace("/", "_").replace("\0", "_") or "unnamed"
    stem, dot, suffix = bare.rpartition(".")
    if not stem or len(suffix.encode()) > 16:
        stem, dot, suffix = bare, "", ""
    kept = stem.encode()[:180].decode("utf-8", "ignore")
    return f"{kept}{dot}{suffix}" if kept.strip(".") else f"unnamed{dot}{suffix}"


def _named(document: Document, task: Task) -> Document:
    source = msgspec.structs.replace(document.source, name=task.name)
    metadata = document.metadata
    if task.tags:
        metadata = msgspec.structs.replace(metadata, tags={**metadata.tags, **task.tags})
    return msgspec.structs.replace(document, source=source, metadata=metadata)


def _archive(members: list[Member]) -> Finished:
    return Finished(
        media_type="application/zip", members=tuple(members), archive=True,
        outcomes={"reader": True},
    )  # fmt: skip


def _finished(outcome: Outcome, chunks: list[ChunkRecord]) -> Finished:
    document = outcome.document
    return Finished(
        media_type=document.source.media_type,
        title=document.metadata.title or "",
        profile=document.profile.name if document.profile else "",
        pages=document.metadata.pages,
        chars=len(document.text),
        chunks=len(chunks),
        skipped=sum(chunk.skipped is not None for chunk in chunks),
        warnings=len(document.problems),
        tally=tally(outcome.verdicts),
    )


def _made(chunk: ChunkRecord) -> ChunkMade:
    return ChunkMade(
        id=chunk.id,
        ordinal=chunk.ordinal,
        kind=chunk.kind,
        pages=tuple(chunk.pages),
        pipeline=chunk.route.pipeline,
        priority=chunk.route.priority,
        tokens=chunk.tokens,
        skipped=chunk.skipped is not None,
        cells=chunk.cells or "",
    )


def _marked(chunk: ChunkRecord, why: str) -> ChunkRecord:
    return msgspec.structs.replace(chunk, degraded="; ".join(filter(None, (chunk.degraded, why))))


def _put(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Put files into the folder; publishing it flushes them."""
    for name, content in files:
        (folder / name).write_bytes(content)
        del content  # of a giant sheet each takes its megabytes


def serve(memory_bytes: int, bound_to_parent: bool) -> None:
    """Do tasks until the pipe ends; then at once, whatever is under way."""
    requests, replies = take_pipes()
    if bound_to_parent:
        _die_with_parent()
    with contextlib.suppress(OSError):
        os.nice(10)
    _bound(memory_bytes)
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, tasks), daemon=True).start()
    bench, decoder = Workbench(replies), msgspec.msgpack.Decoder(Task)
    spare_the_collector()
    bench.tell(Stage("ready"))
    count = 0
    while True:
        task = decoder.decode(tasks.get())
        bench.tell(bench.work(task))
        count += 1
        if count % _COLLECT_EVERY == 0:
            import gc

            gc.collect()


def _listen(requests: FileIO, tasks: "queue.SimpleQueue[bytes]") -> None:
    """Pass tasks on; when the service is gone this process has nobody to work for."""
    while (frame := read_frame(requests, _LARGEST_TASK)) is not None:
        tasks.put(bytes(frame[1]))
    os._exit(0)  # the reading child is bound to this process by the kernel


def _die_with_parent() -> None:
    """Have the kernel end this process with the service, even one that hangs."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def _bound(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = _MOST_MEMORY * memory_bytes
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] == "bound")
