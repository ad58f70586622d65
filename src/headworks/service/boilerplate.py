"""An index of the lines of many documents, for rules on what stands in other files too.

Takes inputs, gives the bytes of the index and what went into it. Never writes a word of a document
into it; a file that cannot be read is named and left out.
"""

from collections.abc import Sequence

import msgspec

from headworks.config import Settings
from headworks.errors import HeadworksError
from headworks.pipeline import process
from headworks.readers.sandbox import Sandbox
from headworks.rules.book import RuleBook
from headworks.rules.corpus import Gathering
from headworks.rules.fingerprint import fingerprints
from headworks.rules.view import Sheet, spans_of
from headworks.service.inputs import Input


class Indexed(msgspec.Struct, frozen=True):
    """An index: its bytes, how many documents and lines, how many lines in several documents."""

    content: bytes
    documents: int
    lines: int
    shared: int
    failed: tuple[str, ...]


def index_of(inputs: Sequence[Input], settings: Settings) -> Indexed:
    """Read files and index their lines as chunks hold them; the order of the files is all one."""
    gathered = Gathering()
    failed: list[str] = []
    book = RuleBook([], settings.rules)
    with Sandbox(settings.read) as sandbox:
        for entry in inputs:
            try:
                outcome = process(entry.path, sandbox.read, settings, book)
            except HeadworksError as fault:
                failed.append(str(fault))
                continue
            sheet = Sheet(outcome.document, [spans_of(chunk) for chunk in outcome.chunks])
            lines = (
                line
                for start, end in sheet.bounds
                for line in fingerprints(sheet.text[start:end].strip())
            )
            gathered.add(outcome.document.source.sha256, lines)
    return Indexed(
        gathered.written(), gathered.documents, gathered.lines, gathered.shared, tuple(failed)
    )
