"""READ FIRST: from a file to judged chunks, one line an arrow.

    Source ─read▶ Document ─structure▶ Document ─cut▶ Chunk* + ledger ─judge▶ Chunk* + Verdict*

Takes a path and how to read it, gives an ``Outcome`` whose text is accounted for to the last code
point. Never opens a file itself, never writes one; nothing flows back.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import msgspec

from headworks.chunking.cut import cut, join
from headworks.chunking.ledger import check, renew
from headworks.config import Settings
from headworks.model.chunk import Chunk, LedgerEntry
from headworks.model.document import Document
from headworks.model.verdict import Verdict
from headworks.rules.book import RuleBook
from headworks.structure.passes import structure

Clock = Callable[[], float]
Tell = Callable[[str], None]
Value = TypeVar("Value")


class Outcome(msgspec.Struct, frozen=True):
    """All that is known of a document when the stages are through; seconds by stage.

    ``cut`` is how many chunks there were before rules merged some.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    ledger: tuple[LedgerEntry, ...]
    verdicts: tuple[Verdict, ...]
    timings: dict[str, float]
    cut: int = 0


def process(
    path: Path,
    read: Callable[[Path], Document],
    settings: Settings,
    book: RuleBook,
    clock: Clock = perf_counter,
) -> Outcome:
    """Give the outcome of one file. Raises HeadworksError: of the reader, or E_LEDGER."""
    watch = _Watch(clock)
    document = watch.timed("read", partial(read, path))
    return _through(document, settings, book, watch)


def _silent(_: str) -> None:
    """Tell nobody."""


def process_document(
    document: Document,
    settings: Settings,
    book: RuleBook,
    clock: Clock = perf_counter,
    tell: Tell = _silent,
) -> Outcome:
    """Give the outcome of a document that was read already; ``tell`` hears each stage begin."""
    return _through(document, settings, book, _Watch(clock, tell))


def _through(document: Document, settings: Settings, book: RuleBook, watch: "_Watch") -> Outcome:
    document = watch.timed("structure", partial(structure, document, settings.structure))
    directives = watch.timed("direct", partial(book.directives, document))
    pieces = watch.timed("chunk", partial(cut, document, settings.chunk, directives))
    joining = partial(join, document, settings.chunk)
    judging = partial(book.judge, document, pieces.chunks, joining)
    chunks, verdicts = watch.timed("judge", judging)
    ledger = renew(document, pieces.ledger, chunks)
    watch.timed("check", partial(check, document, chunks, ledger, settings.chunk, directives))
    document = msgspec.structs.replace(document, problems=document.problems + pieces.problems)
    return Outcome(document, chunks, ledger, verdicts, watch.seconds, len(pieces.chunks))


class _Watch:
    """Keeps the seconds that each stage took."""

    def __init__(self, clock: Clock, tell: Tell = _silent) -> None:
        self.seconds: dict[str, float] = {}
        self._clock = clock
        self._tell = tell

    def timed(self, stage: str, call: Callable[[], Value]) -> Value:
        """Call, note the seconds, give the result."""
        self._tell(stage)
        began = self._clock()
        value = call()
        self.seconds[stage] = self._clock() - began
        return value
