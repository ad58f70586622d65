"""Across files: attachments that are other files of the same job.

Takes a structured document, gives what others may refer to in it where it is an attachment, and
where in it a reference leads. Never holds a document's text, and never needs it but to resolve.
"""

import re

import msgspec

from headworks.model.document import Block, Document, Source
from headworks.model.folding import fold
from headworks.model.outline import Anchor, Heading
from headworks.model.place import Span
from headworks.structure import grammar, labels
from headworks.structure.grammar import View
from headworks.structure.labels import APPENDIX
from headworks.structure.resolve import Index
from headworks.structure.steps import Step

Key = tuple[str, tuple[int, ...]]
_LEAST_NAME = 4
# 合同（含附件一）.docx holds 附件一 among others; 合同附件一 价目.docx is it.
_NAMED = re.compile(r"(?<![含及和与、无见])附(?=[ ]?[件录表图])")


class Offer(msgspec.Struct, frozen=True):
    """An attachment that is a file of its own: which one, its outline, its blocks without text.

    ``names`` are what it is called, beside its number, without spaces.
    """

    key: Key
    names: tuple[str, ...]
    source: Source
    headings: tuple[Heading, ...]
    anchors: tuple[Anchor, ...]
    blocks: tuple[Block, ...]


class Asked(msgspec.Struct, frozen=True):
    """What a reference to an attachment asks for: which one, as it is written, and steps in it."""

    key: Key
    written: str
    steps: tuple[Step, ...]


class Lead(msgspec.Struct, frozen=True):
    """Where in the attachment a reference leads; without a range, ``why`` it leads nowhere."""

    path: str
    span: Span | None
    why: str


def offered(document: Document) -> Offer | None:
    """Give what others may refer to in the document, or none where it is no attachment."""
    key = _attachment_of(document)
    if key is None:
        return None
    blocks = (Block(b.id, b.kind, b.span, b.place, b.role) for b in document.blocks)
    names = _names(document)
    return Offer(key, names, document.source, document.headings, document.anchors, tuple(blocks))


def asks(document: Document) -> tuple[Key, ...]:
    """Give the attachments that the document names and does not hold."""
    wanted = (asked(ref.text) for ref in document.refs if ref.status == "dangling")
    return tuple(dict.fromkeys(one.key for one in wanted if one is not None))


def is_called(offer: Offer, text: str) -> bool:
    """Tell whether a text calls an attachment by its name: 附件一《供货清单》."""
    words = "".join(text.split())
    return any(name in words for name in offer.names)


def asked(text: str) -> Asked | None:
    """Give the attachment that the words of a reference name, or none."""
    view = View(text, fold(text))
    named = grammar.attachment_at(view, 0)
    if named is not None:
        steps, _ = grammar.steps_at(view, grammar.past_aside(view, named[1]))
        return Asked((named[0].unit, named[0].numbers), named[0].written, steps)
    english = grammar.english_at(view, 0)
    if english is None or english[0][0].unit not in APPENDIX:
        return None
    first, *more = english[0]
    return Asked((first.unit, first.numbers), first.written, tuple(more))


def lead(wanted: Asked, offer: Offer, text: str) -> Lead:
    """Give where in an attachment, whose text is given, a reference leads."""
    if not wanted.steps:
        return Lead(wanted.written, Span(0, len(text)), "")
    document = Document(
        offer.source, text, offer.blocks, headings=offer.headings, anchors=offer.anchors
    )
    found = Index(document, (), ()).in_whole(wanted.steps, wanted.written)
    inside = found.path.split("/")[0].casefold() == wanted.written.casefold()
    path = found.path if inside else f"{wanted.written}/{found.path}"
    why = "" if found.span is not None else f"{found.why} ({offer.source.name})"
    return Lead(path, found.span, why)


def _names(document: Document) -> tuple[str, ...]:
    """Give what a file is called by its title, its first heading and its own name."""
    stem = document.source.name.rpartition(".")[0] or document.source.name
    label = labels.read(stem, fold(stem), 0, len(stem))
    told = [heading.title for heading in document.headings[:2]]
    told.append(stem[label.title :] if label is not None else stem)
    bare = ("".join(name.split()).strip("《》:：-_") for name in told)
    return tuple(dict.fromkeys(name for name in bare if len(name) >= _LEAST_NAME))


def _attachment_of(document: Document) -> Key | None:
    """Give which attachment a file is: by the line above its title, else by its name."""
    for heading in document.headings[:2]:
        if heading.kind == "appendix" and heading.family is not None and heading.numbers:
            first = document.text[: heading.span.start].strip() == ""
            if first:
                return heading.family, heading.numbers
    name = document.source.name
    folded = fold(name)
    label = labels.read(name, folded, 0, len(name))
    if label is not None and label.family in APPENDIX and label.numbers:
        return label.family, label.numbers
    found = {
        (named[0].unit, named[0].numbers)
        for match in _NAMED.finditer(folded)
        if (named := grammar.attachment_at(View(name, folded), match.start()))
    }
    return found.pop() if len(found) == 1 else None
