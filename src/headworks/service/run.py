"""``run``: many inputs, in this process or in several, and the summary over them.

Takes inputs and options, gives results as they come and writes ``summary.json``. Never lets one
input stop the others, and what is written does not depend on the number of processes.
"""

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from time import perf_counter

import msgspec

from headworks.assembly import records
from headworks.assembly.shapes import FailedRecord, SummaryRecord
from headworks.assembly.summary import summary
from headworks.codes import CODES
from headworks.config import Settings
from headworks.errors import ConfigError, user_language
from headworks.model.document import Document, Source
from headworks.pipeline import process_document
from headworks.privacy.vault import load_key
from headworks.readers.sandbox import Sandbox
from headworks.rules.book import RuleBook, load
from headworks.service import output
from headworks.service.containers import opened
from headworks.service.inputs import Input
from headworks.service.linking import link
from headworks.service.one import Done, Failed, Result, RunOptions, Workshop


class RunResult(msgspec.Struct, frozen=True):
    """What became of each input, in the order they were named, and the summary."""

    results: tuple[Result, ...]
    summary: SummaryRecord

    @property
    def exit_code(self) -> int:
        """0 all done, 3 some could not be processed, 4 none could."""
        failed = sum(isinstance(result, Failed) for result in self.results)
        if not failed and self.results:
            return 0
        return 4 if failed == len(self.results) else 3


def run(
    inputs: Sequence[Input],
    options: RunOptions,
    tell: Callable[[Result], None] = lambda _: None,
    sandbox: Sandbox | None = None,
) -> RunResult:
    """Process all inputs and what is in them; ``tell`` hears of each as it is done.

    Raises RulesError, ConfigError or StorageError before any document is read.

    ``sandbox`` is a reading child that was started already; where several work it is ended.
    """
    with opened(inputs, options.out, options.settings.read, sandbox) as every:
        return _run(every, options, tell, sandbox)


def _run(
    inputs: Sequence[Input],
    options: RunOptions,
    tell: Callable[[Result], None],
    sandbox: Sandbox | None,
) -> RunResult:
    began = perf_counter()
    settings = options.settings
    jobs = min(options.jobs, len(inputs))
    workshop = Workshop(options, None, inputs[0].path, sandbox) if jobs < 2 else None
    if sandbox and not workshop:
        sandbox.close()
    results: dict[int, Result] = {}
    try:
        book = workshop.book if workshop else load(settings.rules.packs, settings.rules)
        _rehearse(settings, book)
        output.prepare(options.out)
        each = _alone(inputs, workshop) if workshop else _shared_out(inputs, options, book, jobs)
        for index, result in each:
            results[index] = result
            tell(result)
    finally:
        if workshop:
            workshop.close()
    ordered = link(options.out, [results[index] for index in range(len(inputs))])
    done = [result for result in ordered if isinstance(result, Done)]
    record = summary(
        [result.record for result in done],
        [result.record for result in ordered if isinstance(result, Failed)],
        [result.tally for result in done],
        records.versions_record(settings.fingerprint(), book.versions),
        perf_counter() - began,
    )
    output.write_file(options.out / "summary.json", records.encode(record))
    return RunResult(ordered, record)


def _rehearse(settings: Settings, book: RuleBook) -> None:
    """Take an empty document the whole way: a setting that no stage knows is told before work.

    So is the key that hashed tokens need and that is not there.
    """
    if settings.rules.redaction == "hash":
        load_key()
    nothing = Document(source=Source("", "", "", 0), text="", blocks=())
    try:
        process_document(nothing, settings, book)
    except ConfigError:
        raise
    except Exception:  # a fault of a stage is told for each document that meets it
        return


def _alone(inputs: Sequence[Input], workshop: Workshop) -> Iterator[tuple[int, Result]]:
    for index, entry in enumerate(inputs):
        yield index, workshop.work(entry)


def _shared_out(
    inputs: Sequence[Input], options: RunOptions, book: RuleBook, jobs: int
) -> Iterator[tuple[int, Result]]:
    """Share the inputs out, large ones first; those that a dying worker left are tried alone."""
    order = sorted(range(len(inputs)), key=lambda index: (-_size(inputs[index]), index))
    left: list[int] = []
    with _Pool(options, book, jobs) as pool:
        waiting = {pool.submit(inputs[index]): index for index in order}
        for future in as_completed(waiting):
            try:
                yield waiting[future], future.result()
            except BrokenProcessPool:
                left.append(waiting[future])
    for index in sorted(left):
        with _Pool(options, book, 1) as pool:
            try:
                yield index, pool.submit(inputs[index]).result()
            except BrokenProcessPool:
                yield index, _ended(inputs[index])


class _Pool:
    """Worker processes, each with its own workshop; ended at once when the run is broken off."""

    def __init__(self, options: RunOptions, book: RuleBook, jobs: int) -> None:
        forked = sys.platform == "linux"
        self._pool = ProcessPoolExecutor(
            jobs,
            mp_context=multiprocessing.get_context("fork" if forked else "spawn"),
            initializer=_open_workshop,
            # A forked worker has its parent's compiled rules; another compiles its own.
            initargs=(options, book if forked else None),
        )

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, entry: Input) -> "Future[Result]":
        """Set a worker to an input."""
        return self._pool.submit(_work, entry)


_workshop: Workshop | None = None


def _open_workshop(options: RunOptions, book: RuleBook | None) -> None:
    """Run once in each worker. The parent alone answers Ctrl-C, and ends the workers."""
    global _workshop  # noqa: PLW0603  a worker has one workshop, and tasks are plain functions
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _workshop = Workshop(options, book)


def _work(entry: Input) -> Result:
    assert _workshop is not None
    return _workshop.work(entry)


def _size(entry: Input) -> int:
    try:
        return entry.path.stat().st_size
    except OSError:
        return 0


def _ended(entry: Input) -> Failed:
    code = CODES["E_MEMORY"]
    hint = code.hint_zh if user_language() == "zh" else code.hint_en
    name = entry.path.name
    return Failed(FailedRecord(name, entry.shown, "E_MEMORY", "the worker was ended", "", hint))
