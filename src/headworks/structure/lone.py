"""Numbers alone on their lines: 1 over 范围, as standards and exported PDFs set them.

Takes the candidates, gives them with the bare numbers that run on from one and stand each over a
title. Never takes a number that could be a page's or a table's: text must stand under the titles.
"""

import re
from collections.abc import Iterator, Sequence

from headworks.model.document import Block, Document
from headworks.model.numerals import CHINESE_NUMERALS, integer
from headworks.structure.below import title_below
from headworks.structure.candidates import Candidate, Line, labelled
from headworks.structure.labels import Label
from headworks.structure.looks import Looks

_NUMBER = re.compile(rf" *(?:(\d{{1,2}})|([{CHINESE_NUMERALS}]{{1,3}})) *")
_LONGEST = 5
_PROSE = re.compile(r"[。；;.!！?？:]\s*$")
_MIN_PROSE, _AHEAD = 12, 4


class _Lone:
    """A bare number: its block, family and value, and the block of the title under it."""

    def __init__(self, block: int, family: str, value: int, title: int | None) -> None:
        self.block, self.family, self.value, self.title = block, family, value, title


def with_lone_numbers(
    document: Document, looks: Looks, skipped: frozenset[int], found: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Give the candidates with the numbers alone on their lines that head the line below."""
    numbers = list(_numbers(document, skipped))
    extra: list[Candidate] = []
    for family in ("1.", "一、"):
        alike = [one for one in numbers if one.family == family]
        for one in _run(document, alike):
            block = document.blocks[one.block]
            end = block.span.end
            start = end - len(document.slice(block.span).lstrip())
            label = Label(family, (one.value,), start, end, end)
            line = Line(one.block, block, looks.of(block), end)
            extra.append(labelled(document.folded, label, line))
    if not extra:
        return tuple(found)
    taken = {one.block for one in extra}
    rest = (one for one in found if one.block not in taken)
    return tuple(sorted((*rest, *extra), key=lambda candidate: candidate.start))


def _numbers(document: Document, skipped: frozenset[int]) -> Iterator[_Lone]:
    for index, block in enumerate(document.blocks):
        if block.kind != "paragraph" or block.role != "body" or index in skipped:
            continue
        if len(block.span) > _LONGEST:
            continue
        match = _NUMBER.fullmatch(document.folded, block.span.start, block.span.end)
        value = integer(match[1] or match[2]) if match is not None else None
        if match is not None and value:
            family = "1." if match[1] else "一、"
            yield _Lone(index, family, value, title_below(document, index))


def _run(document: Document, numbers: Sequence[_Lone]) -> list[_Lone]:
    """Give the numbers that run on from one, or none where most of them do not."""
    run: list[_Lone] = []
    for one in numbers:
        if one.title is not None and one.value == len(run) + 1:
            run.append(one)
    held = sum(_heads_text(document, one.title) for one in run if one.title is not None)
    if len(run) < 2 or len(run) * 3 < len(numbers) * 2 or held * 2 < len(run):
        return []
    return run


def _heads_text(document: Document, title: int) -> bool:
    """Tell whether sentences follow a title soon, before the next bare number."""
    for block in _below(document, title):
        if _NUMBER.fullmatch(document.folded, block.span.start, block.span.end):
            return False
        if len(block.span) >= _MIN_PROSE and _PROSE.search(
            document.folded[block.span.start : block.span.end]
        ):
            return True
    return False


def _below(document: Document, index: int) -> Iterator[Block]:
    body = (b for b in document.blocks[index + 1 :] if b.role == "body" and b.kind == "paragraph")
    for _, block in zip(range(_AHEAD), body, strict=False):
        yield block
