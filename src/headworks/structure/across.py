"""Across files: attachments that are other files of the same job.

Takes structured documents, gives them with the references to 附件一 that one of the others is.
Never resolves what a document holds itself, and never guesses between two files of one number.
"""

from collections.abc import Sequence

import msgspec

from headworks.model.document import Document
from headworks.model.folding import fold
from headworks.model.outline import CrossRef
from headworks.model.place import Span
from headworks.structure import grammar, labels
from headworks.structure.findings import is_about
from headworks.structure.grammar import View
from headworks.structure.labels import APPENDIX
from headworks.structure.resolve import Index
from headworks.structure.steps import Step

Key = tuple[str, tuple[int, ...]]


def across(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Give the documents with dangling references to attachments led to the files that they are."""
    attached: dict[Key, list[Document]] = {}
    for document in documents:
        key = _attachment_of(document)
        if key is not None:
            attached.setdefault(key, []).append(document)
    files = {key: found[0] for key, found in attached.items() if len(found) == 1}
    return tuple(_linked(document, files) for document in documents)


def _attachment_of(document: Document) -> Key | None:
    """Give which attachment a file is: by the line above its title, else by its name."""
    for heading in document.headings[:2]:
        if heading.kind == "appendix" and heading.family is not None and heading.numbers:
            first = document.text[: heading.span.start].strip() == ""
            if first:
                return heading.family, heading.numbers
    name = document.source.name
    label = labels.read(name, fold(name), 0, len(name))
    if label is not None and label.family in APPENDIX and label.numbers:
        return label.family, label.numbers
    return None


def _linked(document: Document, files: dict[Key, Document]) -> Document:
    refs = tuple(_led(document, ref, files) for ref in document.refs)
    led = [ref.span for ref in refs if ref.document is not None]
    if not led:
        return document
    problems = tuple(one for one in document.problems if not is_about(one, led))
    return msgspec.structs.replace(document, refs=refs, problems=problems)


def _led(document: Document, ref: CrossRef, files: dict[Key, Document]) -> CrossRef:
    """Give a reference with the file it leads to, or as it is."""
    view = View(ref.text, fold(ref.text))
    named = grammar.attachment_at(view, 0) if ref.status == "dangling" else None
    if named is None:
        return ref
    other = files.get((named[0].unit, named[0].numbers))
    if other is None or other.source.sha256 == document.source.sha256:
        return ref
    steps, _ = grammar.steps_at(view, grammar.past_aside(view, named[1]))
    span = _within(other, steps)
    if span is None:
        return msgspec.structs.replace(ref, why=f"not in {other.source.name}")
    return msgspec.structs.replace(
        ref, status="external", why=f"in {other.source.name}", document=other.source.sha256,
        document_span=span,
    )  # fmt: skip


def _within(other: Document, steps: Sequence[Step]) -> Span | None:
    whole = Span(0, len(other.text))
    return Index(other, (), ()).find(Span(0, 0), steps).span if steps else whole
