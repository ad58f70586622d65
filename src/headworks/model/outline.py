"""What structure finds: headings, items, zones and references, as ranges over the text.

Takes nothing, gives frozen values. Never holds text of its own but labels and titles.
"""

from typing import Literal

import msgspec

from headworks.model.place import Span

HeadingKind = Literal["title", "part", "chapter", "section", "clause", "appendix", "front"]
ZoneKind = Literal["cover", "contents", "body", "appendix", "signature"]


class Heading(msgspec.Struct, frozen=True):
    """A line of the outline.

    ``id`` counts from 0 in document order, ``parent`` is another heading's id or none. ``level`` 0
    is the document's title. ``span`` is the label and title, ``extent`` all that stands
    under the heading, itself included, up to the next heading of its level or above (zones end
    it too). ``numbers`` is the label's number as integers: 第十条之一 is (10, 1), 3.2.1 is
    (3, 2, 1); ``number`` its last level's (10; 1). ``run_in`` tells that the paragraph goes on as
    a sentence.
    """

    id: int
    parent: int | None
    level: int
    kind: HeadingKind
    block: int
    span: Span
    extent: Span
    text: str
    title: str
    label: str | None = None
    family: str | None = None
    number: int | None = None
    numbers: tuple[int, ...] = ()
    run_in: bool = False
    evidence: tuple[str, ...] = ()


class Anchor(msgspec.Struct, frozen=True):
    """Something a reference can point to: a heading, or a numbered item below the clauses.

    ``path`` names it within the document, outermost first: ``附件三/2.4``, ``第八条/（二）``.
    ``heading`` is the heading's id where the anchor is one, else the nearest heading's above it.
    """

    path: str
    label: str
    family: str
    numbers: tuple[int, ...]
    span: Span
    extent: Span
    heading: int | None
    is_heading: bool


class Zone(msgspec.Struct, frozen=True):
    """A stretch of the document: cover, contents, body, one per appendix (named), signature.

    Zones lie in order, do not overlap, and together cover the whole text.
    """

    kind: ZoneKind
    name: str | None
    span: Span


class CrossRef(msgspec.Struct, frozen=True):
    """A reference in the text: 见附件三第2.4款.

    ``target`` is the path it names; ``target_span`` the extent of the anchor it was resolved to;
    ``status`` is "resolved", "dangling" (should be here and is not) or "external" (another text,
    such as a law); ``why`` says what was missing.
    """

    span: Span
    text: str
    target: str
    status: Literal["resolved", "dangling", "external"]
    target_span: Span | None = None
    why: str = ""


class Definition(msgspec.Struct, frozen=True):
    """A term that the text defines: （以下简称"甲方"）, "渠首"是指….

    ``span`` is the term where it is defined, ``meaning`` the words that say what it means.
    """

    term: str
    span: Span
    meaning: Span
