"""Parts of a contract by their names: 通用条款3.1, 专用条款第5条, 合同协议书第二条.

Takes the folded text and where a reference begins, gives the part it names; takes the headings,
gives where that part stands. Never takes the words of a sentence for a part: 通用条款 must stand
right before the number, and a heading must be the part's name and little else.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headworks.model.document import Document
from headworks.model.outline import Heading
from headworks.model.place import Span
from headworks.structure.around import Around

FORM = "合同协议书"
_KIND = "通用|专用|特别|特殊|专项|一般"
_BEFORE = re.compile(
    r"(?:(?P<law>《[^《》\n]{2,60}》)[ ]?(?:的|中的|中|之)?[ ]?)?[\"《]?"
    rf"(?:(?P<kind>{_KIND})(?:合同)?条款|(?:合同|(?<=[按照据见与和及在、,。]))协议书)"
    r"(?:正文|部分)?[\"》]?[ ]?(?:中的|的|中|之|内)?[ ]?\Z"
)
_HEADED = re.compile(
    rf"(?:{_KIND})(?:合同)?条款(?:[及和与、](?:合同)?(?:{_KIND})(?:合同)?条款)?(?:正文|部分|格式)?\Z"
)
_KINDS = re.compile(rf"({_KIND})(?:合同)?条款")
_FORM_TITLE = re.compile(r"(?:合同)?协议书(?:格式)?")
_ASIDE = re.compile(r"[(（]([^()（）]*)[)）]|[《》\"“”\s]")
_FAR, _LONGEST_NAME = 80, 30


class Named(NamedTuple):
    """A part as a reference names it: 通用条款, and the other text that it is said to be of."""

    part: str
    law: str | None


class _Place(NamedTuple):
    """Where a part stands: its heading's extent, and all as far as the next part."""

    part: str
    extent: Span
    whole: Span


def part_before(folded: str, start: int) -> Named | None:
    """Give the part of a contract that the words right before an offset name, or none."""
    near = folded[max(0, start - 14) : start]
    if "条款" not in near and "协议书" not in near:
        return None
    line = folded[max(0, start - _FAR) : start].rpartition("\n")[2]
    match = _BEFORE.search(line)
    if match is None:
        return None
    return Named(f"{match['kind']}条款" if match["kind"] else FORM, match["law"])


def part_called(title: str) -> str | None:
    """Give the part that a title in book marks names: 《通用合同条款》, or none."""
    words = _ASIDE.sub("", title)
    if _FORM_TITLE.fullmatch(words):
        return FORM
    match = _KINDS.fullmatch(words)
    return f"{match[1]}条款" if match is not None else None


class ContractParts:
    """Where the parts of a contract stand in a document. Built once, never changed."""

    def __init__(self, document: Document) -> None:
        headed = [(heading, tuple(_parts_of(heading))) for heading in document.headings]
        edges = [h.span.start for h, parts in headed if parts or not h.level]
        self._places = [
            _Place(
                part, heading.extent, Span(heading.extent.start, _next(edges, heading, document))
            )
            for heading, parts in headed
            for part in parts
        ]

    def places(self, part: str, offset: int, around: Around) -> list[tuple[Span, Span]]:
        """Give the extents of a part, nearest first, each with all as far as the next part."""
        named = [place for place in self._places if place.part == part]
        if len(named) > 1:
            own = around.headings(offset)
            named.sort(
                key=lambda place: (
                    -len(own & around.headings(place.extent.start)),
                    abs(place.extent.start - offset),
                )
            )
        return [(place.extent, place.whole) for place in named]


def _parts_of(heading: Heading) -> Iterator[str]:
    """Give the parts that a heading names; a term that is defined (1.1.1.3 通用条款) is none."""
    if heading.run_in or len(heading.numbers) > 1 or len(heading.title) > _LONGEST_NAME:
        return
    words = _ASIDE.sub("", heading.title)
    inside = _ASIDE.search(heading.title)
    for title in (words, (inside and inside[1]) or ""):
        if _FORM_TITLE.fullmatch(title) or (not heading.level and title.endswith("协议书")):
            yield FORM
        elif match := _HEADED.search(title):
            yield from (f"{kind}条款" for kind in _KINDS.findall(match[0]))


def _next(edges: Sequence[int], heading: Heading, document: Document) -> int:
    after = (edge for edge in edges if edge > heading.span.start)
    return max(heading.extent.end, next(after, len(document.text)))
