"""Titles of further documents in a file that nothing but their words and place set apart.

Takes the candidates, gives them with the plain line 补充协议 that stands between the signatures of
one contract and the 第一条 of the next. Never takes a line without a signature, a date or a blank
line right before it, and never the first document's title.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from headworks.model.document import Block, Document
from headworks.structure.candidates import Candidate
from headworks.structure.looks import Looks
from headworks.structure.spacing import blank_between
from headworks.structure.wording import is_form_line, reading

_KINDS = re.compile(
    r"(?:合同|合同书|协议|协议书|承诺书|责任书|保证书|委托书|确认书|办法|制度|规定|细则|条例|章程|规程)"
    r"\s*(?:\([^()]{1,24}\))?\s*$"
)
_SIGNED = re.compile(
    r"盖章|签章|签字|公章|签名|^\s*(?:签订|签署)?(?:日期|时间|地点)\s*:|"
    r"^\s*[\d〇零一二三四五六七八九十]{2,4}\s*年[^。]{0,12}日\s*$"
)
_FIRST = ("条", "Article")
_LONGEST, _BACK = 30, 12
_EMPHASIS = 2.0


def with_part_titles(
    document: Document, looks: Looks, found: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Give the candidates with the plain titles over the second 第一条 and further ones."""
    begun = [c for c in found if c.label and c.label.family in _FIRST and c.label.numbers == (1,)]
    known = {candidate.block for candidate in found if candidate.label is None}
    titles = [
        _candidate(document, looks, at)
        for candidate in begun[1:]
        if (at := _title_before(document, candidate.block)) is not None and at not in known
    ]
    if not titles:
        return tuple(found)
    return tuple(sorted((*found, *titles), key=lambda candidate: candidate.start))


def _title_before(document: Document, block: int) -> int | None:
    """Give the block of the title above a first article: between them are parties and preambles."""
    above = list(_above(document, block))
    for (at, line), (_, before) in pairwise(above):
        start, end = line.span.start, line.span.end
        if line.kind != "paragraph" or _is_signed(document, line):
            return None
        named = end - start <= _LONGEST and _KINDS.search(document.folded, start, end)
        if named and not is_form_line(document.folded, start, end):
            parted = _is_signed(document, before) or blank_between(before, line)
            parted = parted or line.style.page_break_before
            title = reading(document.folded, start, end) == "title"
            return at if parted and title else None
    return None


def _above(document: Document, block: int) -> Iterator[tuple[int, Block]]:
    for at in range(block - 1, max(-1, block - 1 - _BACK), -1):
        if document.blocks[at].role == "body":
            yield at, document.blocks[at]


def _is_signed(document: Document, block: Block) -> bool:
    words = document.folded[block.span.start : block.span.end]
    return len(words) < 80 and _SIGNED.search(words) is not None


def _candidate(document: Document, looks: Looks, index: int) -> Candidate:
    block = document.blocks[index]
    look = msgspec.structs.replace(looks.of(block), emphasis=_EMPHASIS, larger=True)
    return Candidate(
        block=index,
        start=block.span.start,
        end=block.span.end,
        label=None,
        look=look,
        reading="title",
        weight=_EMPHASIS,
    )
